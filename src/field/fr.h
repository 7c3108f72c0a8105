/* Fr: the scalar field of BLS12-381, of prime order r (255 bits). One element at a time; batches
 * are in field_kernels.h.
 *
 * Representation is a type: `fr` is Montgomery (value * 2^256 mod r), `fr_plain` is the canonical
 * residue. Both are four 64-bit limbs, least significant first, always below r. Nothing here is
 * constant time.
 *
 * Multiplication follows the level a file is compiled for: files whose name ends in _adx get the
 * assembly product, all others portable C (CUZK_LEVEL_ADX, set by the build). */
#ifndef CUZK_FIELD_FR_H
#define CUZK_FIELD_FR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "field_constants.h"

#define FR_BYTES 32

typedef struct fr {
    uint64_t l[4];
} fr;

typedef struct fr_plain {
    uint64_t l[4];
} fr_plain;

#define FR_ZERO ((fr){{0, 0, 0, 0}})
#define FR_ONE ((fr){FR_R})

#ifdef CUZK_LEVEL_ADX
void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b);
#include "field/fr_adx.h"
#endif

static inline bool fr_eq(const fr *a, const fr *b) { return memcmp(a, b, sizeof *a) == 0; }
static inline bool fr_is_zero(const fr *a) { return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0; }
static inline bool fr_plain_is_zero(const fr_plain *a) {
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

/* t (below 2 r, 4 limbs) -> t mod r */
static inline void fr_reduce_once(uint64_t t[4]) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t s[4];
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        unsigned __int128 d = (unsigned __int128)t[i] - m[i] - borrow;
        s[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    uint64_t keep = 0 - borrow;
    for (int i = 0; i < 4; i++) {
        t[i] = (t[i] & keep) | (s[i] & ~keep);
    }
}

/* r = a + b. Any aliasing, here and below. */
static inline void fr_add(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    fr_add_adx(r, a, b);
#else
    uint64_t carry = 0;
    uint64_t t[4];
    for (int i = 0; i < 4; i++) {
        unsigned __int128 s = (unsigned __int128)a->l[i] + b->l[i] + carry;
        t[i] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
    fr_reduce_once(t); /* r is below 2^255: the sum has no carry out */
    memcpy(r->l, t, sizeof t);
#endif
}

/* r = a - b */
static inline void fr_sub(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    fr_sub_adx(r, a, b);
#else
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t borrow = 0;
    uint64_t t[4];
    for (int i = 0; i < 4; i++) {
        unsigned __int128 d = (unsigned __int128)a->l[i] - b->l[i] - borrow;
        t[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    uint64_t mask = 0 - borrow;
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        unsigned __int128 s = (unsigned __int128)t[i] + (m[i] & mask) + carry;
        r->l[i] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
#endif
}

static inline void fr_dbl(fr *r, const fr *a) { fr_add(r, a, a); }
static inline void fr_neg(fr *r, const fr *a) {
    const fr zero = FR_ZERO;
    fr_sub(r, &zero, a);
}

/* r = a * b / 2^256, the portable reference: operand-scanning Montgomery product. */
static inline void fr_mul_portable(fr *r, const fr *a, const fr *b) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t t[5] = {0};
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 4; j++) {
            unsigned __int128 s = (unsigned __int128)a->l[j] * b->l[i] + t[j] + carry;
            t[j] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
        t[4] = carry;
        uint64_t q = t[0] * FR_INV;
        unsigned __int128 s = (unsigned __int128)q * m[0] + t[0];
        carry = (uint64_t)(s >> 64);
        for (int j = 1; j < 4; j++) {
            s = (unsigned __int128)q * m[j] + t[j] + carry;
            t[j - 1] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
        t[3] = t[4] + carry; /* no carry out: the top bit of r is clear */
    }
    fr_reduce_once(t);
    memcpy(r->l, t, 4 * sizeof t[0]);
}

static inline void fr_mul(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fr_mul_adx(r, a, b);
#else
    fr_mul_portable(r, a, b);
#endif
}
static inline void fr_sqr(fr *r, const fr *a) { fr_mul(r, a, a); }

static inline void fr_from_plain(fr *r, const fr_plain *a) {
    const fr r2 = {FR_R2};
    fr t;
    memcpy(&t, a, sizeof t);
    fr_mul(r, &t, &r2);
}
static inline void fr_to_plain(fr_plain *r, const fr *a) {
    const fr one = {{1, 0, 0, 0}};
    fr t;
    fr_mul(&t, a, &one);
    memcpy(r, &t, sizeof t);
}
static inline void fr_from_u64(fr *r, uint64_t v) {
    const fr_plain p = {{v, 0, 0, 0}};
    fr_from_plain(r, &p);
}

/* a^e, e of n_limbs 64-bit limbs, least significant first. */
void cuzk_fr_pow(fr *r, const fr *a, const uint64_t *e, size_t n_limbs);
/* 1/a; 0 for a = 0. */
void cuzk_fr_inv(fr *r, const fr *a);
/* omega of order 2^log2_n: omega_32^(2^(32 - log2_n)); log2_n in 0..32. */
void cuzk_fr_root_of_unity(fr *r, unsigned log2_n);

/* 32 bytes little-endian, canonical. The readers return false when the value is not below r. */
bool cuzk_fr_plain_read_le(fr_plain *r, const uint8_t bytes[FR_BYTES]);
void cuzk_fr_plain_write_le(uint8_t bytes[FR_BYTES], const fr_plain *a);
bool cuzk_fr_read_le(fr *r, const uint8_t bytes[FR_BYTES]);
void cuzk_fr_write_le(uint8_t bytes[FR_BYTES], const fr *a);

#endif
