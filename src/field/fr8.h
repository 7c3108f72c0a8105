/* Eight elements of Fr in lanes: 5 limbs of 52 bits, Montgomery factor 2^260 or none. For files
 * whose name ends in _avx512ifma only.
 *
 * Ranges and limbs as in fp8.h, but the room is small: 2^260 is 35.3 r and 2^256 is 2.2 r.
 *
 * Reduction: r (1 + 2^32) = 1 + 2^52 F, so q = -t_0 mod 2^52 clears the low limb t_0 of t, and t /
 * 2^52 becomes ceil(t / 2^52) + q F, without a product for q. F has 235 bits: four such steps and
 * an ordinary one give a result below (1 + 2^-19) r + a b / 2^260. */
#ifndef CUZK_FIELD_FR8_H
#define CUZK_FIELD_FR8_H

#include "base/status.h"
#include "field/fr.h"
#include "field/lanes.h"

#define FR8_LIMBS 5
#define FR8_MAX_MULTIPLE 35

typedef struct fr8 {
    lanes l[FR8_LIMBS];
} fr8;

static const uint64_t fr8_modulus[FR8_LIMBS] = FR8_MODULUS;
static const uint64_t fr8_one[FR8_LIMBS] = FR8_ONE;
static const uint64_t fr8_multiples[FR8_MAX_MULTIPLE + 1][FR8_LIMBS] = FR8_MULTIPLES;

/* ---- checks of debug builds ---- */

LANES_INLINE bool fr8_is_normal(const fr8 *a) {
    lanes all = a->l[0];
    LANES_UNROLL for (int i = 1; i < FR8_LIMBS; i++) { all = lanes_or(all, a->l[i]); }
    return _mm512_test_epi64_mask(all, lanes_set(~LIMB52_MASK)) == 0;
}

LANES_INLINE void fr8_carry(fr8 *r) { lanes_carry(r->l, FR8_LIMBS); }
/* For a factor of a product, and nothing else. */
LANES_INLINE void fr8_carry_factor(fr8 *r) { lanes_carry_factor(r->l, FR8_LIMBS); }

/* Not negative and below k r in all lanes; raw or normal. */
LANES_INLINE bool fr8_is_below(const fr8 *a, int k) {
    fr8 t = *a;
    fr8_carry(&t);
    return fr8_is_normal(&t) && lanes_below(t.l, fr8_multiples[k], FR8_LIMBS) == 0xff;
}

/* ---- constants, selection, sums ---- */

LANES_INLINE void fr8_set(fr8 *r, const uint64_t limbs[FR8_LIMBS]) {
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { r->l[i] = lanes_set(limbs[i]); }
}

/* r = mask ? b : a */
LANES_INLINE void fr8_select(fr8 *r, lane_mask mask, const fr8 *a, const fr8 *b) {
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        r->l[i] = lanes_select(mask, a->l[i], b->l[i]);
    }
}

/* r = a + b, raw. Any aliasing, here and below. */
LANES_INLINE void fr8_add(fr8 *r, const fr8 *a, const fr8 *b) {
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { r->l[i] = lanes_add(a->l[i], b->l[i]); }
}

/* r = a - b + k r, raw, for b below k r; k at most 35. */
LANES_INLINE void fr8_sub(fr8 *r, const fr8 *a, const fr8 *b, int k) {
    CUZK_DEBUG_ASSERT(fr8_is_below(b, k));
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        r->l[i] = lanes_add(lanes_sub(a->l[i], b->l[i]), lanes_set(fr8_multiples[k][i]));
    }
}

/* ---- products ---- */

/* t[1..6] = (t[0..6] + q r (1 + 2^32)) / 2^52 */
LANES_INLINE void fr8_fold(lanes *t) {
    static const uint64_t f[FR8_LIMBS] = FR8_FOLD;
    lanes q = lanes_sub(lanes_zero(), t[0]);
    t[1] = lanes_add(t[1], lanes_sar(lanes_add(t[0], lanes_set(LIMB52_MASK)), LIMB52_BITS));
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
        t[j + 1] = lanes_mul_low(t[j + 1], q, lanes_set(f[j]));
    }
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
        t[j + 2] = lanes_mul_high(t[j + 2], q, lanes_set(f[j]));
    }
}

/* t[1..5] = (t[0..5] + q r) / 2^52 with the q below 2^52 that clears t[0], as fp8_fold_last */
LANES_INLINE void fr8_fold_last(lanes *t) {
    lanes q = lanes_mul_low(lanes_zero(), t[0], lanes_set(FR8_K));
    t[1] = lanes_add(t[1], lanes_sar(lanes_add(t[0], lanes_set(LIMB52_MASK)), LIMB52_BITS));
    LANES_UNROLL for (int j = 1; j < FR8_LIMBS; j++) {
        t[j] = lanes_mul_low(t[j], q, lanes_set(fr8_modulus[j]));
    }
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
        t[j + 1] = lanes_mul_high(t[j + 1], q, lanes_set(fr8_modulus[j]));
    }
}

/* t[0..6] += x b, then divided by 2^52 into t[1..6]; is_last for the fifth of five. */
LANES_INLINE void fr8_step(lanes *t, lanes x, const lanes b[FR8_LIMBS], bool is_last) {
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) { t[j] = lanes_mul_low(t[j], x, b[j]); }
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
        t[j + 1] = lanes_mul_high(t[j + 1], x, b[j]);
    }
    if (is_last) {
        fr8_fold_last(t);
    } else {
        fr8_fold(t);
    }
}

/* r = a b / 2^260, raw, below (1 + 2^-19) r + a b / 2^260. a and b normal, a b below 34 r 2^260. */
LANES_INLINE void fr8_mul_raw(fr8 *r, const fr8 *a, const fr8 *b) {
    CUZK_DEBUG_ASSERT(fr8_is_normal(a) && fr8_is_normal(b));
    lanes t[2 * FR8_LIMBS];
    LANES_UNROLL for (int i = 0; i < 2 * FR8_LIMBS; i++) { t[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        fr8_step(t + i, a->l[i], b->l, i + 1 == FR8_LIMBS);
    }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { r->l[i] = t[FR8_LIMBS + i]; }
}

/* The same, normal. */
LANES_INLINE void fr8_mul(fr8 *r, const fr8 *a, const fr8 *b) {
    fr8_mul_raw(r, a, b);
    fr8_carry(r);
    CUZK_DEBUG_ASSERT(fr8_is_normal(r));
}
LANES_INLINE void fr8_sqr(fr8 *r, const fr8 *a) { fr8_mul(r, a, a); }

/* r = a / 2^260, normal, below 2 r. a is normal and below 34 r. */
LANES_INLINE void fr8_divide(fr8 *r, const fr8 *a) {
    CUZK_DEBUG_ASSERT(fr8_is_normal(a));
    lanes t[2 * FR8_LIMBS + 1];
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { t[i] = a->l[i]; }
    LANES_UNROLL for (int i = FR8_LIMBS; i <= 2 * FR8_LIMBS; i++) { t[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i + 1 < FR8_LIMBS; i++) { fr8_fold(t + i); }
    fr8_fold_last(t + FR8_LIMBS - 1);
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { r->l[i] = t[FR8_LIMBS + i]; }
    fr8_carry(r);
    CUZK_DEBUG_ASSERT(fr8_is_below(r, 2));
}

/* ---- back into range ---- */

/* r = a mod r up to one r: normal, below 1.34 r. a, raw, is below 35 r. */
LANES_INLINE void fr8_reduce(fr8 *r, const fr8 *a) {
    static const uint64_t negated[FR8_LIMBS] = FR8_MODULUS_NEGATED;
    fr8 t = *a;
    CUZK_DEBUG_ASSERT(fr8_is_below(a, FR8_MAX_MULTIPLE));
    /* q = floor(35 top / 2^52) is at most 1 less than floor(t / r); carries from below limb 3 do
     * not matter, but may leave -1 for 0 */
    lanes top = lanes_add(t.l[4], lanes_sar(t.l[3], LIMB52_BITS));
    top = _mm512_max_epi64(top, lanes_zero());
    lanes q = lanes_mul_high(lanes_zero(), top, lanes_set(FR8_QUOTIENT));
    LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
        t.l[j] = lanes_mul_low(t.l[j], q, lanes_set(negated[j]));
    }
    LANES_UNROLL for (int j = 0; j + 1 < FR8_LIMBS; j++) {
        t.l[j + 1] = lanes_mul_high(t.l[j + 1], q, lanes_set(negated[j]));
    }
    fr8_carry(&t);
    t.l[4] = lanes_and(t.l[4], lanes_set(LIMB52_MASK));
    *r = t;
    CUZK_DEBUG_ASSERT(fr8_is_below(r, 2));
}

/* r = a mod r, for a normal and below 2 r. */
LANES_INLINE void fr8_canonical(fr8 *r, const fr8 *a) {
    CUZK_DEBUG_ASSERT(fr8_is_normal(a) && fr8_is_below(a, 2));
    *r = *a;
    lanes_subtract_once(r->l, fr8_modulus, FR8_LIMBS);
}

/* The same for a raw. From the top limbs all lanes but those very near r are told from smaller
 * ones, so that one carry serves both. */
LANES_INLINE void fr8_canonical_raw(fr8 *r, const fr8 *a) {
    CUZK_DEBUG_ASSERT(fr8_is_below(a, 2));
    lanes top = lanes_add(a->l[4], lanes_sar(a->l[3], LIMB52_BITS));
    lanes above = lanes_sub(top, lanes_set(fr8_modulus[4])); /* without the carry from limb 2 */
    fr8 t = *a;
    if (_mm512_cmple_epu64_mask(lanes_add(above, lanes_set(1)), lanes_set(1)) != 0) {
        fr8_carry(&t);
        fr8_canonical(r, &t);
        return;
    }
    lane_mask larger = _mm512_cmpgt_epi64_mask(above, lanes_zero());
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        t.l[i] = _mm512_mask_sub_epi64(t.l[i], larger, t.l[i], lanes_set(fr8_modulus[i]));
    }
    fr8_carry(&t);
    *r = t;
    CUZK_DEBUG_ASSERT(fr8_is_below(r, 1));
}

/* ---- products with constants that are used often ----
 *
 * With w below r and Q = floor(2^260 w / r), which one product's price buys, a w - floor(a Q /
 * 2^260) r is small: 84 multiply-adds instead of 100, and nothing to wait for. No Montgomery form.
 */

typedef struct fr8_constant {
    fr8 w, quotient;
} fr8_constant;

/* w of the lane form 2^260 w, which is normal and below 2 r: 2^260 w = Q r + (2^260 w mod r), so Q
 * =
 * -(2^260 w mod r) / r mod 2^260. */
LANES_INLINE void fr8_constant_of(fr8_constant *c, const fr8 *lane_form) {
    static const uint64_t k[FR8_LIMBS] = FR8_K_ALL;
    fr8 t;
    fr8_canonical(&t, lane_form);
    fr8_divide(&c->w, &t);
    fr8_canonical(&c->w, &c->w);
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { c->quotient.l[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; i + j < FR8_LIMBS; j++) {
            c->quotient.l[i + j] = lanes_mul_low(c->quotient.l[i + j], t.l[i], lanes_set(k[j]));
        }
        LANES_UNROLL for (int j = 0; i + j + 1 < FR8_LIMBS; j++) {
            c->quotient.l[i + j + 1] =
                lanes_mul_high(c->quotient.l[i + j + 1], t.l[i], lanes_set(k[j]));
        }
    }
    fr8_carry(&c->quotient);
    c->quotient.l[4] = lanes_and(c->quotient.l[4], lanes_set(LIMB52_MASK));
}

/* r = a w mod r up to one r, raw, limbs below 2^57 with the top one negative at times, below (1.01
 * + a / 2^260) r. a is normal; any that fits. The quotient leaves out the columns below limb 4,
 * which are below 2^212 together. */
LANES_INLINE void fr8_mul_constant(fr8 *r, const fr8 *a, const fr8_constant *c) {
    static const uint64_t negated[FR8_LIMBS] = FR8_MODULUS_NEGATED;
    CUZK_DEBUG_ASSERT(fr8_is_normal(a) && fr8_is_normal(&c->w) && fr8_is_normal(&c->quotient));
    lanes q[FR8_LIMBS + 1], t[FR8_LIMBS]; /* q[0] is limb 4 of the product a Q */
    LANES_UNROLL for (int i = 0; i <= FR8_LIMBS; i++) { q[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { t[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        LANES_UNROLL for (int j = 4 - i; j < FR8_LIMBS; j++) {
            q[i + j - 4] = lanes_mul_low(q[i + j - 4], a->l[i], c->quotient.l[j]);
        }
        LANES_UNROLL for (int j = i < 3 ? 3 - i : 0; j < FR8_LIMBS; j++) {
            q[i + j - 3] = lanes_mul_high(q[i + j - 3], a->l[i], c->quotient.l[j]);
        }
    }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; i + j < FR8_LIMBS; j++) {
            t[i + j] = lanes_mul_low(t[i + j], a->l[i], c->w.l[j]);
        }
        LANES_UNROLL for (int j = 0; i + j + 1 < FR8_LIMBS; j++) {
            t[i + j + 1] = lanes_mul_high(t[i + j + 1], a->l[i], c->w.l[j]);
        }
    }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { /* factors: no mask */
        q[i + 1] = lanes_add(q[i + 1], lanes_shr(q[i], LIMB52_BITS));
    }
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; i + j < FR8_LIMBS; j++) {
            t[i + j] = lanes_mul_low(t[i + j], q[i + 1], lanes_set(negated[j]));
        }
        LANES_UNROLL for (int j = 0; i + j + 1 < FR8_LIMBS; j++) {
            t[i + j + 1] = lanes_mul_high(t[i + j + 1], q[i + 1], lanes_set(negated[j]));
        }
    }
    LANES_UNROLL for (int i = 0; i + 1 < FR8_LIMBS; i++) { r->l[i] = t[i]; }
    /* modulo 2^260, of either sign: the value is below 2^259 */
    r->l[4] = lanes_sar(lanes_shl(t[4], 64 - LIMB52_BITS), 64 - LIMB52_BITS);
    CUZK_DEBUG_ASSERT(fr8_is_below(r, 3));
}

/* ---- memory: eight values of four words, one after the other ---- */

/* w[i], lane k = word i of value k; and back */
LANES_INLINE void fr8_load_words(lanes w[4], const void *values) {
    const lanes words_01 = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0);
    const lanes words_23 = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
    const uint64_t *p = values;
    lanes a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 8);
    lanes c = _mm512_loadu_si512(p + 16), d = _mm512_loadu_si512(p + 24);
    lanes ab_01 = _mm512_permutex2var_epi64(a, words_01, b);
    lanes ab_23 = _mm512_permutex2var_epi64(a, words_23, b);
    lanes cd_01 = _mm512_permutex2var_epi64(c, words_01, d);
    lanes cd_23 = _mm512_permutex2var_epi64(c, words_23, d);
    w[0] = _mm512_shuffle_i64x2(ab_01, cd_01, 0x44);
    w[1] = _mm512_shuffle_i64x2(ab_01, cd_01, 0xee);
    w[2] = _mm512_shuffle_i64x2(ab_23, cd_23, 0x44);
    w[3] = _mm512_shuffle_i64x2(ab_23, cd_23, 0xee);
}
LANES_INLINE void fr8_store_words(void *values, const lanes w[4]) {
    const lanes first = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0);
    const lanes second = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
    uint64_t *p = values;
    lanes low_01 = _mm512_shuffle_i64x2(w[0], w[1], 0x44);
    lanes low_23 = _mm512_shuffle_i64x2(w[2], w[3], 0x44);
    lanes high_01 = _mm512_shuffle_i64x2(w[0], w[1], 0xee);
    lanes high_23 = _mm512_shuffle_i64x2(w[2], w[3], 0xee);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi64(low_01, first, low_23));
    _mm512_storeu_si512(p + 8, _mm512_permutex2var_epi64(low_01, second, low_23));
    _mm512_storeu_si512(p + 16, _mm512_permutex2var_epi64(high_01, first, high_23));
    _mm512_storeu_si512(p + 24, _mm512_permutex2var_epi64(high_01, second, high_23));
}

LANES_INLINE void fr8_of_words(fr8 *r, const lanes w[4]) {
    const lanes mask = lanes_set(LIMB52_MASK);
    r->l[0] = lanes_and(w[0], mask);
    r->l[1] = lanes_and(_mm512_shrdi_epi64(w[0], w[1], 52), mask);
    r->l[2] = lanes_and(_mm512_shrdi_epi64(w[1], w[2], 40), mask);
    r->l[3] = lanes_and(_mm512_shrdi_epi64(w[2], w[3], 28), mask);
    r->l[4] = lanes_shr(w[3], 16);
}
/* a is normal and below 2^256. */
LANES_INLINE void fr8_to_words(lanes w[4], const fr8 *a) {
    CUZK_DEBUG_ASSERT(fr8_is_normal(a) &&
                      _mm512_test_epi64_mask(a->l[4], lanes_set(~0ull << 48)) == 0);
    w[0] = lanes_or(a->l[0], lanes_shl(a->l[1], 52));
    w[1] = lanes_or(lanes_shr(a->l[1], 12), lanes_shl(a->l[2], 40));
    w[2] = lanes_or(lanes_shr(a->l[2], 24), lanes_shl(a->l[3], 28));
    w[3] = lanes_or(lanes_shr(a->l[3], 36), lanes_shl(a->l[4], 16));
}

LANES_INLINE void fr8_load(fr8 *r, const void *values) {
    lanes w[4];
    fr8_load_words(w, values);
    fr8_of_words(r, w);
}

/* The values times 2^shift, 0 or 4, for a factor of a product and nothing else: limbs keep what a
 * product ignores. Debug builds clear it, as they check factors. */
LANES_INLINE void fr8_load_factor(fr8 *r, const void *values, int shift) {
    lanes w[4];
    fr8_load_words(w, values);
    r->l[0] = shift == 0 ? w[0] : lanes_shl(w[0], 4);
    r->l[1] = shift == 0 ? _mm512_shrdi_epi64(w[0], w[1], 52) : _mm512_shrdi_epi64(w[0], w[1], 48);
    r->l[2] = shift == 0 ? _mm512_shrdi_epi64(w[1], w[2], 40) : _mm512_shrdi_epi64(w[1], w[2], 36);
    r->l[3] = shift == 0 ? _mm512_shrdi_epi64(w[2], w[3], 28) : _mm512_shrdi_epi64(w[2], w[3], 24);
    r->l[4] = shift == 0 ? lanes_shr(w[3], 16) : lanes_shr(w[3], 12);
#ifndef NDEBUG
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        r->l[i] = lanes_and(r->l[i], lanes_set(LIMB52_MASK));
    }
#endif
}

/* The values times 16: an fr of Montgomery factor 2^256 gets 2^260, for a result below 16 r. */
LANES_INLINE void fr8_load_times_16(fr8 *r, const void *values) {
    const lanes mask = lanes_set(LIMB52_MASK);
    lanes w[4];
    fr8_load_words(w, values);
    r->l[0] = lanes_and(lanes_shl(w[0], 4), mask);
    r->l[1] = lanes_and(_mm512_shrdi_epi64(w[0], w[1], 48), mask);
    r->l[2] = lanes_and(_mm512_shrdi_epi64(w[1], w[2], 36), mask);
    r->l[3] = lanes_and(_mm512_shrdi_epi64(w[2], w[3], 24), mask);
    r->l[4] = lanes_shr(w[3], 12);
}

/* a is normal and below 2^256. */
LANES_INLINE void fr8_store(void *values, const fr8 *a) {
    lanes w[4];
    fr8_to_words(w, a);
    fr8_store_words(values, w);
}

/* ---- inverses ---- */

/* r = 2^520 / a: the inverse in Montgomery form, by one inversion for eight, none 0 mod r. a is
 * normal and below 16 r; r is below 2 r. */
void cuzk_fr8_inv_avx512ifma(fr8 *r, const fr8 *a);

#endif
