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

#include "field/words.h"
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
#include "field/fr_adx.h"
#endif

static inline bool fr_eq(const fr *a, const fr *b) { return memcmp(a, b, sizeof *a) == 0; }
static inline bool fr_is_zero(const fr *a) { return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0; }
static inline bool fr_plain_is_zero(const fr_plain *a) {
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

/* r = t mod r for t below 2 r. */
static inline void fr_reduce_once(uint64_t r[4], const uint64_t t[4]) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t s[4];
    word_carry borrow = 0;
    WORDS_UNROLL for (int i = 0; i < 4; i++) { s[i] = word_sub(t[i], m[i], &borrow); }
    WORDS_UNROLL for (int i = 0; i < 4; i++) { r[i] = borrow ? t[i] : s[i]; }
}

/* r = a + b. Any aliasing, here and below. */
static inline void fr_add(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    fr_add_adx(r, a, b);
#else
    uint64_t t[4];
    word_carry carry = 0; /* none out: 2 r is below 2^256 */
    WORDS_UNROLL for (int i = 0; i < 4; i++) { t[i] = word_add(a->l[i], b->l[i], &carry); }
    fr_reduce_once(r->l, t);
#endif
}

/* r = a - b */
static inline void fr_sub(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    fr_sub_adx(r, a, b);
#else
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t t[4];
    word_carry borrow = 0;
    WORDS_UNROLL for (int i = 0; i < 4; i++) { t[i] = word_sub(a->l[i], b->l[i], &borrow); }
    uint64_t mask = 0 - (uint64_t)borrow;
    word_carry carry = 0;
    WORDS_UNROLL for (int i = 0; i < 4; i++) { r->l[i] = word_add(t[i], m[i] & mask, &carry); }
#endif
}

static inline void fr_dbl(fr *r, const fr *a) { fr_add(r, a, a); }
static inline void fr_neg(fr *r, const fr *a) {
    const fr zero = FR_ZERO;
    fr_sub(r, &zero, a);
}

/* r = a * b / 2^256: the portable reference (mul_portable.c). */
void cuzk_fr_mul_portable(fr *r, const fr *a, const fr *b);
#ifdef CUZK_LEVEL_ADX
void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b);
#endif

static inline void fr_mul(fr *r, const fr *a, const fr *b) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fr_mul_adx(r, a, b);
#else
    cuzk_fr_mul_portable(r, a, b);
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

/* Canonical residues: sum, difference, product. Any aliasing. */
static inline void fr_plain_add(fr_plain *r, const fr_plain *a, const fr_plain *b) {
    fr x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    fr_add(&x, &x, &y);
    memcpy(r, &x, sizeof x);
}
static inline void fr_plain_sub(fr_plain *r, const fr_plain *a, const fr_plain *b) {
    fr x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    fr_sub(&x, &x, &y);
    memcpy(r, &x, sizeof x);
}
/* r = a * b where a is Montgomery: (a * 2^256) * b / 2^256 */
static inline void fr_mul_plain(fr_plain *r, const fr *a, const fr_plain *b) {
    fr x;
    memcpy(&x, b, sizeof x);
    fr_mul(&x, a, &x);
    memcpy(r, &x, sizeof x);
}
static inline void fr_plain_mul(fr_plain *r, const fr_plain *a, const fr_plain *b) {
    fr x;
    fr_from_plain(&x, a);
    fr_mul_plain(r, &x, b);
}
static inline fr_plain fr_plain_of_int(int64_t v) {
    const fr_plain zero = {{0}}, size = {{v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 0, 0, 0}};
    fr_plain r = size;
    if (v < 0) {
        fr_plain_sub(&r, &zero, &size);
    }
    return r;
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
