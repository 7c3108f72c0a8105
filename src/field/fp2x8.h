/* Eight elements of Fp2 = Fp[u] / (u^2 + 1) in lanes, c0 + c1 u; ranges and limbs as in fp8.h. For
 * files whose name ends in _avx512ifma only. */
#ifndef CUZK_FIELD_FP2X8_H
#define CUZK_FIELD_FP2X8_H

#include "field/fp2.h"
#include "field/fp8.h"

typedef struct fp2x8 {
    fp8 c0, c1;
} fp2x8;

LANES_INLINE void fp2x8_carry(fp2x8 *r) {
    fp8_carry(&r->c0);
    fp8_carry(&r->c1);
}
LANES_INLINE void fp2x8_add(fp2x8 *r, const fp2x8 *a, const fp2x8 *b) {
    fp8_add(&r->c0, &a->c0, &b->c0);
    fp8_add(&r->c1, &a->c1, &b->c1);
}
LANES_INLINE void fp2x8_sub(fp2x8 *r, const fp2x8 *a, const fp2x8 *b, int log2_k) {
    fp8_sub(&r->c0, &a->c0, &b->c0, log2_k);
    fp8_sub(&r->c1, &a->c1, &b->c1, log2_k);
}
LANES_INLINE void fp2x8_negate_lanes(fp2x8 *r, lane_mask mask, const fp2x8 *a, int log2_k) {
    fp8_negate_lanes(&r->c0, mask, &a->c0, log2_k);
    fp8_negate_lanes(&r->c1, mask, &a->c1, log2_k);
}
LANES_INLINE void fp2x8_select(fp2x8 *r, lane_mask mask, const fp2x8 *a, const fp2x8 *b) {
    fp8_select(&r->c0, mask, &a->c0, &b->c0);
    fp8_select(&r->c1, mask, &a->c1, &b->c1);
}
LANES_INLINE void fp2x8_reduce(fp2x8 *r, const fp2x8 *a) {
    fp8_reduce(&r->c0, &a->c0);
    fp8_reduce(&r->c1, &a->c1);
}

/* r = a b / 2^416, normal, c0 below 3 p, c1 below 2 p. a and b are normal, all coordinates below
 * 2^16 p. Three products, two reductions: 640 multiply-adds. */
LANES_INLINE void fp2x8_mul(fp2x8 *r, const fp2x8 *a, const fp2x8 *b) {
    fp8_wide low, high, both;
    fp8 sum_a, sum_b;
    fp8_add(&sum_a, &a->c0, &a->c1);
    fp8_add(&sum_b, &b->c0, &b->c1);
    fp8_carry_factor(&sum_a);
    fp8_carry_factor(&sum_b);
    CUZK_DEBUG_ASSERT(fp8_factors_fit(&sum_a, &sum_b));
    fp8_wide_mul(&both, &sum_a, &sum_b);
    fp8_wide_mul(&low, &a->c0, &b->c0);
    fp8_wide_mul(&high, &a->c1, &b->c1);
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) {
        both.l[i] = lanes_sub(both.l[i], lanes_add(low.l[i], high.l[i]));
        low.l[i] = lanes_sub(low.l[i], high.l[i]);
    }
    /* low is above -0.75 2^416 p: plus 2^416 p it is not negative */
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        low.l[FP8_LIMBS + i] = lanes_add(low.l[FP8_LIMBS + i], lanes_set(fp8_modulus[i]));
    }
    fp8_wide_reduce(&r->c0, &low);
    fp8_wide_reduce(&r->c1, &both);
    CUZK_DEBUG_ASSERT(fp8_is_below(&r->c0, 2) && fp8_is_below(&r->c1, 1));
}

/* r = a^2 / 2^416 = (a0 + a1)(a0 - a1) + 2 a0 a1 u, normal, both below 2 p. a is normal, both
 * coordinates below 2^log2_k p; log2_k at most 15. */
LANES_INLINE void fp2x8_sqr(fp2x8 *r, const fp2x8 *a, int log2_k) {
    fp8 sum, difference, twice;
    fp8_add(&sum, &a->c0, &a->c1);
    fp8_sub(&difference, &a->c0, &a->c1, log2_k);
    fp8_add(&twice, &a->c0, &a->c0);
    fp8_carry_factor(&sum);
    fp8_carry_factor(&difference);
    fp8_carry_factor(&twice);
    fp8_mul(&r->c1, &twice, &a->c1);
    fp8_mul(&r->c0, &sum, &difference);
}

/* r = a b / 2^416 for b of Fp: normal, below 2 p */
LANES_INLINE void fp2x8_mul_fp(fp2x8 *r, const fp2x8 *a, const fp8 *b) {
    fp8_mul(&r->c0, &a->c0, b);
    fp8_mul(&r->c1, &a->c1, b);
}

#endif
