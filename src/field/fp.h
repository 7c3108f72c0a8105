/* Fp: the base field of BLS12-381, of prime order p (381 bits). One element at a time; batches are
 * in field_kernels.h.
 *
 * `fp` is Montgomery (value * 2^384 mod p), six 64-bit limbs, least significant first, always below
 * p. Nothing here is constant time. Multiplication follows the level a file is compiled for, as in
 * fr.h. */
#ifndef CUZK_FIELD_FP_H
#define CUZK_FIELD_FP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "field/words.h"
#include "field_constants.h"

#define FP_BYTES 48

typedef struct fp {
    uint64_t l[6];
} fp;

#define FP_ZERO ((fp){{0, 0, 0, 0, 0, 0}})
#define FP_ONE ((fp){FP_R})

#ifdef CUZK_LEVEL_ADX
#include "field/fp_adx.h"
#endif

static inline bool fp_eq(const fp *a, const fp *b) { return memcmp(a, b, sizeof *a) == 0; }
static inline bool fp_is_zero(const fp *a) {
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3] | a->l[4] | a->l[5]) == 0;
}

/* r = t mod p for t below 2 p. */
static inline void fp_reduce_once(uint64_t r[6], const uint64_t t[6]) {
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t s[6];
    word_carry borrow = 0;
    WORDS_UNROLL for (int i = 0; i < 6; i++) { s[i] = word_sub(t[i], m[i], &borrow); }
    WORDS_UNROLL for (int i = 0; i < 6; i++) { r[i] = borrow ? t[i] : s[i]; }
}

/* r = a + b. Any aliasing, here and below. */
static inline void fp_add(fp *r, const fp *a, const fp *b) {
#ifdef CUZK_LEVEL_ADX
    fp_add_adx(r, a, b);
#else
    uint64_t t[6];
    word_carry carry = 0; /* none out: 2 p is below 2^384 */
    WORDS_UNROLL for (int i = 0; i < 6; i++) { t[i] = word_add(a->l[i], b->l[i], &carry); }
    fp_reduce_once(r->l, t);
#endif
}

/* r = a - b */
static inline void fp_sub(fp *r, const fp *a, const fp *b) {
#ifdef CUZK_LEVEL_ADX
    fp_sub_adx(r, a, b);
#else
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t t[6];
    word_carry borrow = 0;
    WORDS_UNROLL for (int i = 0; i < 6; i++) { t[i] = word_sub(a->l[i], b->l[i], &borrow); }
    uint64_t mask = 0 - (uint64_t)borrow;
    word_carry carry = 0;
    WORDS_UNROLL for (int i = 0; i < 6; i++) { r->l[i] = word_add(t[i], m[i] & mask, &carry); }
#endif
}

static inline void fp_dbl(fp *r, const fp *a) { fp_add(r, a, a); }
static inline void fp_neg(fp *r, const fp *a) {
    const fp zero = FP_ZERO;
    fp_sub(r, &zero, a);
}

/* r = a * b / 2^384: the portable reference (mul_portable.c). */
void cuzk_fp_mul_portable(fp *r, const fp *a, const fp *b);
#ifdef CUZK_LEVEL_ADX
void cuzk_fp_mul_adx(fp *r, const fp *a, const fp *b);
void cuzk_fp_sqr_adx(fp *r, const fp *a);
#endif

static inline void fp_mul(fp *r, const fp *a, const fp *b) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fp_mul_adx(r, a, b);
#else
    cuzk_fp_mul_portable(r, a, b);
#endif
}
static inline void fp_sqr(fp *r, const fp *a) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fp_sqr_adx(r, a);
#else
    fp_mul(r, a, a);
#endif
}

/* a^e, e of n_limbs 64-bit limbs, least significant first. */
void cuzk_fp_pow(fp *r, const fp *a, const uint64_t *e, size_t n_limbs);
/* 1/a; 0 for a = 0. */
void cuzk_fp_inv(fp *r, const fp *a);
/* A square root; false (r undefined) if a has none. Which of the two roots is not specified. */
bool cuzk_fp_sqrt(fp *r, const fp *a);
/* a > (p - 1) / 2 as an integer: "lexicographically largest". */
bool cuzk_fp_is_larger(const fp *a);

/* 48 bytes big-endian, canonical. read returns false when the value is not below p. */
bool cuzk_fp_read_be(fp *r, const uint8_t bytes[FP_BYTES]);
void cuzk_fp_write_be(uint8_t bytes[FP_BYTES], const fp *a);
bool cuzk_fp_read_le(fp *r, const uint8_t bytes[FP_BYTES]);
void cuzk_fp_write_le(uint8_t bytes[FP_BYTES], const fp *a);

#endif
