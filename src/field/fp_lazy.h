/* Differences of Fp for chains of products, where reducing can be left to the product.
 *
 * Lazy values are in 0 .. 2 p. fp_mul takes such factors and fp2_mul such a first one; they reduce
 * as ever, since a b / 2^384 stays small (bounds in scripts/gen_mont_mul_adx.py). Nothing else
 * takes lazy values: they are an `fp` in name only. */
#ifndef CUZK_FIELD_FP_LAZY_H
#define CUZK_FIELD_FP_LAZY_H

#include "field/fp2.h"

#ifdef CUZK_LEVEL_ADX
#include "field/fp_lazy_adx.h"
#endif

/* r = a - b + p, in 1 .. 2 p - 1; it is p for a = b. Any aliasing, here and below. */
static inline void fp_sub_lazy(fp *r, const fp *a, const fp *b) {
#ifdef CUZK_LEVEL_ADX
    fp_sub_lazy_adx(r, a, b);
#else
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t t[6];
    word_carry borrow = 0, carry = 0;
    WORDS_UNROLL for (int i = 0; i < 6; i++) { t[i] = word_sub(a->l[i], b->l[i], &borrow); }
    WORDS_UNROLL for (int i = 0; i < 6; i++) { r->l[i] = word_add(t[i], m[i], &carry); }
#endif
}

/* r = a - b + p, or -a - b + 2 p if minus, in 0 .. 2 p. -a is ~a + 1. */
static inline void fp_sub_signed_lazy(fp *r, const fp *a, bool minus, const fp *b) {
    static const uint64_t offset[2][6] = {FP_MODULUS, FP_TWICE_MODULUS_PLUS_1};
    uint64_t mask = 0 - (uint64_t)minus;
#ifdef CUZK_LEVEL_ADX
    fp_sub_masked_lazy_adx(r, a, mask, b, offset[minus]);
#else
    uint64_t t[6];
    word_carry borrow = 0, carry = 0;
    WORDS_UNROLL for (int i = 0; i < 6; i++) { t[i] = a->l[i] ^ mask; }
    WORDS_UNROLL for (int i = 0; i < 6; i++) { t[i] = word_sub(t[i], b->l[i], &borrow); }
    WORDS_UNROLL for (int i = 0; i < 6; i++) { r->l[i] = word_add(t[i], offset[minus][i], &carry); }
#endif
}

/* The third point on a chord: x' = t - x - c, reduced, and then t = x - x' + p. */
static inline void fp_chord(fp *x, fp *t, const fp *c) {
#ifdef CUZK_LEVEL_ADX
    fp_chord_adx(x, t, c);
#else
    fp x3;
    fp_sub(&x3, t, x);
    fp_sub(&x3, &x3, c);
    fp_sub_lazy(t, x, &x3);
    *x = x3;
#endif
}

static inline void fp2_sub_lazy(fp2 *r, const fp2 *a, const fp2 *b) {
    fp_sub_lazy(&r->c0, &a->c0, &b->c0);
    fp_sub_lazy(&r->c1, &a->c1, &b->c1);
}
static inline void fp2_sub_signed_lazy(fp2 *r, const fp2 *a, bool minus, const fp2 *b) {
    fp_sub_signed_lazy(&r->c0, &a->c0, minus, &b->c0);
    fp_sub_signed_lazy(&r->c1, &a->c1, minus, &b->c1);
}
static inline void fp2_chord(fp2 *x, fp2 *t, const fp2 *c) {
    fp_chord(&x->c0, &t->c0, &c->c0);
    fp_chord(&x->c1, &t->c1, &c->c1);
}

#endif
