/* Eight 64-bit words in one 512-bit register, a lane each: what fp8.h and fr8.h are made of. For
 * files whose name ends in _avx512ifma only. */
#ifndef CUZK_FIELD_LANES_H
#define CUZK_FIELD_LANES_H

#include <immintrin.h>
#include <stdint.h>

#define LANES 8
#define LIMB52_BITS 52
#define LIMB52_MASK ((1ull << LIMB52_BITS) - 1)

typedef __m512i lanes;
typedef __mmask8 lane_mask; /* bit i for lane i */

#define LANES_INLINE static inline __attribute__((always_inline))
#define LANES_UNROLL _Pragma("GCC unroll 16")

LANES_INLINE lanes lanes_zero(void) { return _mm512_setzero_si512(); }
LANES_INLINE lanes lanes_set(uint64_t v) { return _mm512_set1_epi64((long long)v); }
LANES_INLINE lanes lanes_add(lanes a, lanes b) { return _mm512_add_epi64(a, b); }
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm512_sub_epi64(a, b); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return _mm512_and_si512(a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return _mm512_or_si512(a, b); }
/* Each lane shifted; sar keeps the sign. */
#define lanes_shl(a, n) _mm512_slli_epi64(a, n)
#define lanes_shr(a, n) _mm512_srli_epi64(a, n)
#define lanes_sar(a, n) _mm512_srai_epi64(a, n)
/* t + the low, the high 52 bits of the product of the low 52 bits of a and b. */
LANES_INLINE lanes lanes_mul_low(lanes t, lanes a, lanes b) {
    return _mm512_madd52lo_epu64(t, a, b);
}
LANES_INLINE lanes lanes_mul_high(lanes t, lanes a, lanes b) {
    return _mm512_madd52hi_epu64(t, a, b);
}
/* mask ? b : a */
LANES_INLINE lanes lanes_select(lane_mask mask, lanes a, lanes b) {
    return _mm512_mask_blend_epi64(mask, a, b);
}

/* out[i], lane k = in[k], lane i. out may be in. */
LANES_INLINE void lanes_transpose(lanes out[8], const lanes in[8]) {
    lanes pair[8], quad[8];
    LANES_UNROLL for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(in[i], in[i + 1]);     /* columns 0 2 4 6, rows i, i + 1 */
        pair[i + 1] = _mm512_unpackhi_epi64(in[i], in[i + 1]); /* columns 1 3 5 7 */
    }
    LANES_UNROLL for (int i = 0; i < 8; i += 4) {
        quad[i] = _mm512_shuffle_i64x2(pair[i], pair[i + 2], 0x88);         /* columns 0 4 */
        quad[i + 1] = _mm512_shuffle_i64x2(pair[i + 1], pair[i + 3], 0x88); /* 1 5 */
        quad[i + 2] = _mm512_shuffle_i64x2(pair[i], pair[i + 2], 0xdd);     /* 2 6 */
        quad[i + 3] = _mm512_shuffle_i64x2(pair[i + 1], pair[i + 3], 0xdd); /* 3 7 */
    }
    LANES_UNROLL for (int i = 0; i < 4; i++) {
        out[i] = _mm512_shuffle_i64x2(quad[i], quad[i + 4], 0x88);
        out[i + 4] = _mm512_shuffle_i64x2(quad[i], quad[i + 4], 0xdd);
    }
}

/* The lanes where a, n limbs of 52 bits, is below m. */
LANES_INLINE lane_mask lanes_below(const lanes *a, const uint64_t *m, int n) {
    lanes borrow = lanes_zero();
    LANES_UNROLL for (int i = 0; i < n; i++) {
        borrow = lanes_sar(lanes_add(lanes_sub(a[i], lanes_set(m[i])), borrow), LIMB52_BITS);
    }
    return _mm512_movepi64_mask(borrow);
}

/* Carries of n limbs, which may be negative, into the next ones; the top one keeps what is left. */
LANES_INLINE void lanes_carry(lanes *t, int n) {
    const lanes mask = lanes_set(LIMB52_MASK);
    LANES_UNROLL for (int i = 0; i + 1 < n; i++) {
        t[i + 1] = lanes_add(t[i + 1], lanes_sar(t[i], LIMB52_BITS));
        t[i] = lanes_and(t[i], mask);
    }
}

/* The same for a factor: a product takes the low 52 bits of each limb, so what was carried away may
 * stay above them. Debug builds clear it, as they check factors. */
LANES_INLINE void lanes_carry_factor(lanes *t, int n) {
#ifdef NDEBUG
    LANES_UNROLL for (int i = 0; i + 1 < n; i++) {
        t[i + 1] = lanes_add(t[i + 1], lanes_sar(t[i], LIMB52_BITS));
    }
#else
    lanes_carry(t, n);
#endif
}

/* t = t - m where that is not negative; n limbs of 52 bits */
LANES_INLINE void lanes_subtract_once(lanes *t, const uint64_t *m, int n) {
    lanes d[8];
    LANES_UNROLL for (int i = 0; i < n; i++) { d[i] = lanes_sub(t[i], lanes_set(m[i])); }
    lanes_carry(d, n);
    lane_mask negative = _mm512_movepi64_mask(d[n - 1]);
    LANES_UNROLL for (int i = 0; i < n; i++) { t[i] = lanes_select(negative, d[i], t[i]); }
}

#endif
