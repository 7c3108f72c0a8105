/* Eight elements of Fp in lanes: 8 limbs of 52 bits, Montgomery factor 2^416. For files whose name
 * ends in _avx512ifma only.
 *
 * Ranges are lazy: any integer of the right residue. "Below k p" says how large. Limbs are either
 * normal, each in 0 .. 2^52 - 1, or raw: signed, with room for sums of many normal ones, the value
 * itself not negative. Products take normal operands; sums and differences take either and give raw
 * limbs; fp8_carry makes them normal. Debug builds check ranges by computing the values.
 *
 * Reduction: with K = -p^-1 mod 2^52 and F = (p K + 1) / 2^52, adding t_0 p K clears the low limb
 * t_0 of t, and t / 2^52 becomes floor(t / 2^52) + low52(t_0) F, without a product for the
 * quotient. Seven such steps and an ordinary one give a result below (1 + K / 2^52) p + t / 2^416.
 */
#ifndef CUZK_FIELD_FP8_H
#define CUZK_FIELD_FP8_H

#include "base/status.h"
#include "field/fp.h"
#include "field/lanes.h"

#define FP8_LIMBS 8
#define FP8_MAX_LOG2_MULTIPLE 34

typedef struct fp8 {
    lanes l[FP8_LIMBS];
} fp8;

static const uint64_t fp8_modulus[FP8_LIMBS] = FP8_MODULUS;
static const uint64_t fp8_one[FP8_LIMBS] = FP8_ONE;
static const uint64_t fp8_multiples[FP8_MAX_LOG2_MULTIPLE + 1][FP8_LIMBS] = FP8_MULTIPLES;

/* ---- checks of debug builds ---- */

/* Normal limbs in all lanes. */
LANES_INLINE bool fp8_is_normal(const fp8 *a) {
    lanes all = a->l[0];
    LANES_UNROLL for (int i = 1; i < FP8_LIMBS; i++) { all = lanes_or(all, a->l[i]); }
    return _mm512_test_epi64_mask(all, lanes_set(~LIMB52_MASK)) == 0;
}

LANES_INLINE void fp8_carry(fp8 *r) { lanes_carry(r->l, FP8_LIMBS); }
/* For a factor of a product, and nothing else. */
LANES_INLINE void fp8_carry_factor(fp8 *r) { lanes_carry_factor(r->l, FP8_LIMBS); }

/* Not negative and below 2^log2_k p in all lanes; raw or normal. */
LANES_INLINE bool fp8_is_below(const fp8 *a, int log2_k) {
    fp8 t = *a;
    fp8_carry(&t);
    return fp8_is_normal(&t) && lanes_below(t.l, fp8_multiples[log2_k], FP8_LIMBS) == 0xff;
}

/* a b below 0.75 2^416 p in all lanes, as a product's result below 2 p needs it; from the top
 * limbs, of weight 2^364. */
static inline bool fp8_factors_fit(const fp8 *a, const fp8 *b) {
    uint64_t x[LANES], y[LANES];
    _mm512_storeu_si512(x, a->l[7]);
    _mm512_storeu_si512(y, b->l[7]);
    for (int i = 0; i < LANES; i++) {
        if ((double)(x[i] + 1) * (double)(y[i] + 1) >
            0.75 * 4503599627370496.0 * (double)fp8_modulus[7]) {
            return false;
        }
    }
    return fp8_is_normal(a) && fp8_is_normal(b);
}

/* ---- constants, selection ---- */

/* All lanes the element of these limbs. */
LANES_INLINE void fp8_set(fp8 *r, const uint64_t limbs[FP8_LIMBS]) {
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) { r->l[i] = lanes_set(limbs[i]); }
}

/* r = mask ? b : a */
LANES_INLINE void fp8_select(fp8 *r, lane_mask mask, const fp8 *a, const fp8 *b) {
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        r->l[i] = lanes_select(mask, a->l[i], b->l[i]);
    }
}

/* ---- sums ---- */

/* r = a + b, raw. Any aliasing, here and below. */
LANES_INLINE void fp8_add(fp8 *r, const fp8 *a, const fp8 *b) {
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) { r->l[i] = lanes_add(a->l[i], b->l[i]); }
}

/* r = a - b + 2^log2_k p, raw, for b below 2^log2_k p; log2_k at most 34. */
LANES_INLINE void fp8_sub(fp8 *r, const fp8 *a, const fp8 *b, int log2_k) {
    CUZK_DEBUG_ASSERT(fp8_is_below(b, log2_k));
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        r->l[i] = lanes_add(lanes_sub(a->l[i], b->l[i]), lanes_set(fp8_multiples[log2_k][i]));
    }
}

/* r = mask ? 2^log2_k p - a : a, raw, for a below 2^log2_k p. */
LANES_INLINE void fp8_negate_lanes(fp8 *r, lane_mask mask, const fp8 *a, int log2_k) {
    CUZK_DEBUG_ASSERT(fp8_is_below(a, log2_k));
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        r->l[i] =
            _mm512_mask_sub_epi64(a->l[i], mask, lanes_set(fp8_multiples[log2_k][i]), a->l[i]);
    }
}
LANES_INLINE void fp8_neg(fp8 *r, const fp8 *a, int log2_k) {
    fp8_negate_lanes(r, 0xff, a, log2_k);
}

/* ---- products ---- */

/* A sum of products before its reduction: 16 limbs, raw. */
typedef struct fp8_wide {
    lanes l[2 * FP8_LIMBS];
} fp8_wide;

/* t += x b, t of 9 limbs */
LANES_INLINE void fp8_row(lanes *t, lanes x, const lanes b[FP8_LIMBS]) {
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) { t[j] = lanes_mul_low(t[j], x, b[j]); }
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) {
        t[j + 1] = lanes_mul_high(t[j + 1], x, b[j]);
    }
}

/* t[1..9] = (t[0..9] + t[0] p K) / 2^52 */
LANES_INLINE void fp8_fold(lanes *t) {
    static const uint64_t f[FP8_LIMBS] = FP8_FOLD;
    lanes low = t[0];
    t[1] = lanes_add(t[1], lanes_sar(low, LIMB52_BITS));
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) {
        t[j + 1] = lanes_mul_low(t[j + 1], low, lanes_set(f[j]));
    }
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) {
        t[j + 2] = lanes_mul_high(t[j + 2], low, lanes_set(f[j]));
    }
}

/* t[1..8] = (t[0..8] + q p) / 2^52 with the q below 2^52 that clears t[0]; what is left of t[0]
 * after adding low52(q p_0) is a carry of (t[0] + 2^52 - 1) >> 52. */
LANES_INLINE void fp8_fold_last(lanes *t) {
    lanes q = lanes_mul_low(lanes_zero(), t[0], lanes_set(FP8_K));
    t[1] = lanes_add(t[1], lanes_sar(lanes_add(t[0], lanes_set(LIMB52_MASK)), LIMB52_BITS));
    LANES_UNROLL for (int j = 1; j < FP8_LIMBS; j++) {
        t[j] = lanes_mul_low(t[j], q, lanes_set(fp8_modulus[j]));
    }
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) {
        t[j + 1] = lanes_mul_high(t[j + 1], q, lanes_set(fp8_modulus[j]));
    }
}

LANES_INLINE void fp8_take_high(fp8 *r, const lanes t[2 * FP8_LIMBS]) {
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) { r->l[i] = t[FP8_LIMBS + i]; }
    fp8_carry(r);
}

/* r = a b / 2^416, normal, below 1.25 p + a b / 2^416, which must be below 2 p: a b < 0.75 2^416 p,
 * for example both below 2^17 p. a and b normal. */
LANES_INLINE void fp8_mul(fp8 *r, const fp8 *a, const fp8 *b) {
    CUZK_DEBUG_ASSERT(fp8_factors_fit(a, b));
    lanes t[2 * FP8_LIMBS];
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) { t[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        fp8_row(t + i, a->l[i], b->l);
        if (i + 1 < FP8_LIMBS) {
            fp8_fold(t + i);
        } else {
            fp8_fold_last(t + i);
        }
    }
    fp8_take_high(r, t);
    CUZK_DEBUG_ASSERT(fp8_is_below(r, 1));
}

/* r = a b */
LANES_INLINE void fp8_wide_mul(fp8_wide *r, const fp8 *a, const fp8 *b) {
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) { r->l[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) { fp8_row(r->l + i, a->l[i], b->l); }
}

/* r = a^2: products of two different limbs once, doubled */
LANES_INLINE void fp8_wide_sqr(fp8_wide *r, const fp8 *a) {
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) { r->l[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        LANES_UNROLL for (int j = i + 1; j < FP8_LIMBS; j++) {
            r->l[i + j] = lanes_mul_low(r->l[i + j], a->l[i], a->l[j]);
            r->l[i + j + 1] = lanes_mul_high(r->l[i + j + 1], a->l[i], a->l[j]);
        }
    }
    LANES_UNROLL for (int i = 1; i < 2 * FP8_LIMBS - 1; i++) {
        r->l[i] = lanes_add(r->l[i], r->l[i]);
    }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        r->l[2 * i] = lanes_mul_low(r->l[2 * i], a->l[i], a->l[i]);
        r->l[2 * i + 1] = lanes_mul_high(r->l[2 * i + 1], a->l[i], a->l[i]);
    }
}

/* r = t / 2^416, normal, below 1.25 p + t / 2^416; not negative if t is not. t is overwritten. */
LANES_INLINE void fp8_wide_reduce(fp8 *r, fp8_wide *t) {
    LANES_UNROLL for (int i = 0; i + 1 < FP8_LIMBS; i++) { fp8_fold(t->l + i); }
    fp8_fold_last(t->l + FP8_LIMBS - 1);
    fp8_take_high(r, t->l);
}

/* r = a^2 / 2^416, as fp8_mul. */
LANES_INLINE void fp8_sqr(fp8 *r, const fp8 *a) {
    CUZK_DEBUG_ASSERT(fp8_factors_fit(a, a));
    fp8_wide t;
    fp8_wide_sqr(&t, a);
    fp8_wide_reduce(r, &t);
    CUZK_DEBUG_ASSERT(fp8_is_below(r, 1));
}

/* ---- back into range ---- */

/* r = a mod p up to one p: normal, below 2 p. a, raw or normal, is below 2^34 p. q = floor(top limb
 * * floor(2^416 / p) / 2^52) is at most 1 too small, then a + q (2^416 - p) mod 2^416. */
LANES_INLINE void fp8_reduce(fp8 *r, const fp8 *a) {
    static const uint64_t negated[FP8_LIMBS] = FP8_MODULUS_NEGATED;
    CUZK_DEBUG_ASSERT(fp8_is_below(a, FP8_MAX_LOG2_MULTIPLE));
    fp8 t = *a;
    /* carries from below limb 6 do not matter */
    lanes top = lanes_add(t.l[7], lanes_sar(t.l[6], LIMB52_BITS));
    lanes q = lanes_mul_high(lanes_zero(), top, lanes_set(FP8_QUOTIENT));
    LANES_UNROLL for (int j = 0; j < FP8_LIMBS; j++) {
        t.l[j] = lanes_mul_low(t.l[j], q, lanes_set(negated[j]));
    }
    LANES_UNROLL for (int j = 0; j + 1 < FP8_LIMBS; j++) {
        t.l[j + 1] = lanes_mul_high(t.l[j + 1], q, lanes_set(negated[j]));
    }
    fp8_carry(&t);
    t.l[7] = lanes_and(t.l[7], lanes_set(LIMB52_MASK));
    *r = t;
    CUZK_DEBUG_ASSERT(fp8_is_below(r, 1));
}

/* r = a mod p, for a normal and below 2 p. */
LANES_INLINE void fp8_canonical(fp8 *r, const fp8 *a) {
    CUZK_DEBUG_ASSERT(fp8_is_normal(a) && fp8_is_below(a, 1));
    *r = *a;
    lanes_subtract_once(r->l, fp8_modulus, FP8_LIMBS);
}

/* r = 2^384 v mod p for a = 16 v, normal, v below p: the form of fp. q = floor(a floor(2^796 / p) /
 * 2^416), from column 7 on, is at most 1 below 2^384 v / p; then 2^384 v - q p mod 2^416. With 143
 * multiply-adds instead of the 256 of a product. */
LANES_INLINE void fp8_plain_to_384(fp8 *r, const fp8 *a) {
    static const uint64_t quotient[FP8_LIMBS] = FP8_QUOTIENT_384, negated[] = FP8_MODULUS_NEGATED;
    const lanes mask = lanes_set(LIMB52_MASK);
    CUZK_DEBUG_ASSERT(fp8_is_normal(a) && lanes_below(a->l, fp8_multiples[4], FP8_LIMBS) == 0xff);
    lanes q[FP8_LIMBS + 1]; /* columns 7 to 15 */
    LANES_UNROLL for (int i = 0; i <= FP8_LIMBS; i++) { q[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        LANES_UNROLL for (int j = 7 - i; j < FP8_LIMBS; j++) {
            q[i + j - 7] = lanes_mul_low(q[i + j - 7], a->l[i], lanes_set(quotient[j]));
        }
        LANES_UNROLL for (int j = i < 7 ? 6 - i : 0; j < FP8_LIMBS; j++) {
            q[i + j - 6] = lanes_mul_high(q[i + j - 6], a->l[i], lanes_set(quotient[j]));
        }
    }
    lanes_carry_factor(q, FP8_LIMBS + 1);
    fp8 t;
    LANES_UNROLL for (int i = 0; i < 7; i++) { t.l[i] = lanes_zero(); }
    t.l[7] = lanes_and(lanes_shl(a->l[0], 16), mask); /* 384 is 20 bits into limb 7 */
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; i + j < FP8_LIMBS; j++) {
            t.l[i + j] = lanes_mul_low(t.l[i + j], q[i + 1], lanes_set(negated[j]));
        }
        LANES_UNROLL for (int j = 0; i + j + 1 < FP8_LIMBS; j++) {
            t.l[i + j + 1] = lanes_mul_high(t.l[i + j + 1], q[i + 1], lanes_set(negated[j]));
        }
    }
    fp8_carry(&t);
    t.l[7] = lanes_and(t.l[7], mask);
    *r = t;
    if (__builtin_expect(_mm512_cmpge_epu64_mask(t.l[7], lanes_set(fp8_modulus[7])) != 0, 0)) {
        fp8_canonical(r, &t);
    }
}

/* Lanes where a, normal and below k p with k below 2^52, may be 0 mod p: a superset, wrong with
 * probability k / 2^52. If a = j p then j = a_0 / p mod 2^52. */
LANES_INLINE lane_mask fp8_maybe_zero(const fp8 *a, uint64_t k) {
    lanes j = lanes_mul_low(lanes_zero(), a->l[0], lanes_set(FP8_INV52));
    return _mm512_cmplt_epu64_mask(j, lanes_set(k));
}

/* ---- memory ----
 *
 * A row is one element, its limbs in the lanes; eight rows transposed are an fp8. In memory a row
 * is wide, 64 bytes, or packed, 48 bytes. */

#define FP8_ODD_LIMBS_SHIFT _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0)
#define FP8_EVEN_LIMBS_SHIFT _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4)

LANES_INLINE lanes fp8_row_of_words(lanes bytes) {
    return lanes_and(_mm512_srlv_epi64(bytes, FP8_ODD_LIMBS_SHIFT), lanes_set(LIMB52_MASK));
}

/* A packed value, below 2^384, as a row. */
LANES_INLINE lanes fp8_row_load(const void *packed) {
    static const _Alignas(64) uint8_t unpack[64] = FP8_UNPACK;
    lanes words = _mm512_maskz_loadu_epi64(0x3f, packed);
    return fp8_row_of_words(_mm512_permutexvar_epi8(_mm512_load_si512(unpack), words));
}

/* The same times 2^32: an fp of Montgomery factor 2^384 gets that of fp8, for a result below 2^32
 * p. */
LANES_INLINE lanes fp8_row_load_times_2_32(const void *packed) {
    static const _Alignas(64) uint8_t unpack[64] = FP8_UNPACK_TIMES_2_32;
    lanes words = _mm512_maskz_loadu_epi64(0x3f, packed);
    return fp8_row_of_words(
        _mm512_maskz_permutexvar_epi8(~0xfull, _mm512_load_si512(unpack), words));
}

/* 16 times a packed big-endian value, as a row. */
LANES_INLINE lanes fp8_row_load_reversed_times_16(const void *packed) {
    static const _Alignas(64) uint8_t unpack[64] = FP8_UNPACK_REVERSED_TIMES_16;
    lanes words = _mm512_maskz_loadu_epi64(0x3f, packed);
    words = _mm512_permutexvar_epi8(_mm512_load_si512(unpack), words);
    return lanes_and(_mm512_srlv_epi64(words, FP8_EVEN_LIMBS_SHIFT), lanes_set(LIMB52_MASK));
}

/* Eight packed values, stride_bytes apart; r's lanes in their order. */
LANES_INLINE void fp8_load(fp8 *r, const void *packed, size_t stride_bytes) {
    lanes rows[LANES];
    LANES_UNROLL for (int i = 0; i < LANES; i++) {
        rows[i] = fp8_row_load((const uint8_t *)packed + (size_t)i * stride_bytes);
    }
    lanes_transpose(r->l, rows);
}
LANES_INLINE void fp8_load_times_2_32(fp8 *r, const void *packed, size_t stride_bytes) {
    lanes rows[LANES];
    LANES_UNROLL for (int i = 0; i < LANES; i++) {
        rows[i] = fp8_row_load_times_2_32((const uint8_t *)packed + (size_t)i * stride_bytes);
    }
    lanes_transpose(r->l, rows);
}
LANES_INLINE void fp8_load_reversed_times_16(fp8 *r, const void *packed, size_t stride_bytes) {
    lanes rows[LANES];
    LANES_UNROLL for (int i = 0; i < LANES; i++) {
        rows[i] =
            fp8_row_load_reversed_times_16((const uint8_t *)packed + (size_t)i * stride_bytes);
    }
    lanes_transpose(r->l, rows);
}
/* a is normal and below 2^384. */
LANES_INLINE void fp8_store(void *packed, const fp8 *a, size_t stride_bytes) {
    CUZK_DEBUG_ASSERT(fp8_is_normal(a));
    const lanes *l = a->l;
    lanes w[LANES]; /* six words of 64 bits */
    w[0] = lanes_or(l[0], lanes_shl(l[1], 52));
    w[1] = lanes_or(lanes_shr(l[1], 12), lanes_shl(l[2], 40));
    w[2] = lanes_or(lanes_shr(l[2], 24), lanes_shl(l[3], 28));
    w[3] = lanes_or(lanes_shr(l[3], 36), lanes_shl(l[4], 16));
    w[4] = lanes_or(lanes_or(lanes_shr(l[4], 48), lanes_shl(l[5], 4)), lanes_shl(l[6], 56));
    w[5] = lanes_or(lanes_shr(l[6], 8), lanes_shl(l[7], 44));
    w[6] = w[7] = lanes_zero();
    lanes_transpose(w, w);
    LANES_UNROLL for (int i = 0; i < LANES; i++) {
        _mm512_mask_storeu_epi64((uint8_t *)packed + (size_t)i * stride_bytes, 0x3f, w[i]);
    }
}

/* Eight elements as fp, canonical: factor 2^416 to 2^384. a is normal and below 2^17 p. */
LANES_INLINE void fp8_to_fp(fp r[LANES], const fp8 *a) {
    static const uint64_t factor[FP8_LIMBS] = FP8_TO_384;
    fp8 t;
    fp8_set(&t, factor);
    fp8_mul(&t, a, &t);
    fp8_canonical(&t, &t);
    fp8_store(r, &t, sizeof *r);
}

/* ---- inverses ---- */

/* r = 2^832 / a: the inverse in Montgomery form of eight values in Montgomery form, none of them 0
 * mod p, by one inversion: about 3 us. a is normal and below 2^17 p; r is below 2 p. */
void cuzk_fp8_inv_avx512ifma(fp8 *r, const fp8 *a);

#endif
