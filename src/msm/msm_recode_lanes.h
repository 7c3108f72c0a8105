/* The same as msm_recode.h, eight scalars at a time in lanes; for msm_avx512ifma.c. */
#ifndef CUZK_MSM_MSM_RECODE_LANES_H
#define CUZK_MSM_MSM_RECODE_LANES_H

#include "field/lanes.h"
#include "msm/scalar_parts.h"
#include "msm/windows.h"

/* Limbs of 52 bits; the top one has the sign. */
#define PART_LIMBS 3
typedef struct part_lanes {
    lanes l[PART_LIMBS];
} part_lanes;

#define LIMBS_OF(high, low)                                                                        \
    { (low) & LIMB52_MASK, ((low) >> 52 | (high) << 12) & LIMB52_MASK, (high) >> 40 }
static const uint64_t z_square[PART_LIMBS] = LIMBS_OF(Z_SQUARE_HIGH, Z_SQUARE_LOW);
static const uint64_t half_z_square[PART_LIMBS] = LIMBS_OF(Z_SQUARE_HIGH / 2, Z_SQUARE_LOW / 2);
static const uint64_t z_square_inverse[PART_LIMBS] =
    LIMBS_OF(Z_SQUARE_INVERSE_HIGH, Z_SQUARE_INVERSE_LOW);
#undef LIMBS_OF

/* Word i of each of eight scalars in r[i]; fewer than eight scalars: the last fills the lanes. */
LANES_INLINE void load_scalars(lanes r[4], const fr_plain *scalars, const uint16_t *which,
                               size_t n) {
    lanes pair[4];
    LANES_UNROLL for (size_t i = 0; i < 4; i++) {
        const fr_plain *lower = &scalars[which[i < n ? i : n - 1]],
                       *upper = &scalars[which[i + 4 < n ? i + 4 : n - 1]];
        pair[i] =
            _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)lower)),
                               _mm256_loadu_si256((const __m256i *)upper), 1);
    }
    const lanes even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const lanes a = _mm512_unpacklo_epi64(pair[0], pair[1]), /* words 0 and 2 */
        b = _mm512_unpacklo_epi64(pair[2], pair[3]),
                c = _mm512_unpackhi_epi64(pair[0], pair[1]), /* words 1 and 3 */
        d = _mm512_unpackhi_epi64(pair[2], pair[3]);
    r[0] = _mm512_permutex2var_epi64(a, even, b);
    r[1] = _mm512_permutex2var_epi64(c, even, d);
    r[2] = _mm512_permutex2var_epi64(a, odd, b);
    r[3] = _mm512_permutex2var_epi64(c, odd, d);
}

LANES_INLINE void store_digit(int32_t *digits, lane_mask mask, lanes digit) {
    _mm256_mask_storeu_epi32(digits, mask, _mm512_cvtepi64_epi32(digit));
}

/* The digits of eight scalars, n_words words with a sign; those of the first n are stored. */
LANES_INLINE void store_digits(int32_t *digits, size_t stride, const msm_windows *windows,
                               const lanes *k, unsigned n_words, size_t n) {
    const lane_mask mask = (lane_mask)(n < LANES ? (1 << n) - 1 : 0xff);
    lanes v[5];
    lane_mask carry = 0;
    for (unsigned i = 0; i < n_words; i++) {
        const lanes bias = lanes_set(windows->bias[i]), sum = lanes_add(k[i], bias);
        v[i] = _mm512_mask_add_epi64(sum, carry, sum, lanes_set(1));
        /* the sum wrapped, or became zero with the carry */
        carry = _mm512_cmplt_epu64_mask(sum, bias) | (carry & _mm512_testn_epi64_mask(v[i], v[i]));
    }
    v[n_words] = lanes_zero();
    const unsigned last = windows->count - 1;
    for (unsigned w = 0; w < last; w++) {
        const unsigned word = windows->shift[w] / 64, bit = windows->shift[w] % 64;
        const uint64_t half = 1ull << (windows->width[w] - 1);
        const lanes bits = _mm512_shrdv_epi64(v[word], v[word + 1], lanes_set(bit));
        store_digit(digits + w * stride, mask,
                    lanes_sub(lanes_and(bits, lanes_set(2 * half - 1)), lanes_set(half)));
    }
    store_digit(digits + last * stride, mask,
                _mm512_srav_epi64(v[n_words - 1], lanes_set(64 - windows->width[last])));
}

/* a -= m and n += 1 in the lanes of mask. */
LANES_INLINE void take_once(part_lanes *a, const uint64_t m[PART_LIMBS], part_lanes *n,
                            lane_mask mask) {
    LANES_UNROLL for (int i = 0; i < PART_LIMBS; i++) {
        a->l[i] = _mm512_mask_sub_epi64(a->l[i], mask, a->l[i], lanes_set(m[i]));
    }
    lanes_carry(a->l, PART_LIMBS);
    n->l[0] = _mm512_mask_add_epi64(n->l[0], mask, n->l[0], lanes_set(1));
}

/* Lanes where a is above m. */
LANES_INLINE lane_mask above(const part_lanes *a, const uint64_t m[PART_LIMBS]) {
    lanes d[PART_LIMBS];
    LANES_UNROLL for (int i = 0; i < PART_LIMBS; i++) {
        d[i] = lanes_sub(lanes_set(m[i]), a->l[i]);
    }
    lanes_carry(d, PART_LIMBS);
    return _mm512_movepi64_mask(d[PART_LIMBS - 1]);
}

/* k = quotient z^2 + rest, as divide_by_z_square of scalar_parts.c. */
LANES_INLINE void divide_lanes(part_lanes *quotient, part_lanes *rest, const lanes k[4]) {
    enum { PRODUCT_LIMBS = 2 * PART_LIMBS - 1 }; /* 256 bits */
    const lanes low = lanes_set(LIMB52_MASK);
    const lanes upper[PART_LIMBS] = {/* k / 2^127 */
                                     lanes_and(_mm512_shrdi_epi64(k[1], k[2], 63), low),
                                     lanes_and(_mm512_shrdi_epi64(k[2], k[3], 51), low),
                                     lanes_shr(k[3], 39)};
    lanes product[PRODUCT_LIMBS + 1], whole[PART_LIMBS + 1];
    LANES_UNROLL for (int i = 0; i <= PRODUCT_LIMBS; i++) { product[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i <= PART_LIMBS; i++) { whole[i] = lanes_zero(); }
    LANES_UNROLL for (int i = 0; i < PART_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; j < PART_LIMBS; j++) {
            const lanes m = lanes_set(z_square_inverse[j]);
            product[i + j] = lanes_mul_low(product[i + j], upper[i], m);
            product[i + j + 1] = lanes_mul_high(product[i + j + 1], upper[i], m);
        }
    }
    lanes_carry(product, PRODUCT_LIMBS);
    LANES_UNROLL for (int i = 0; i < PART_LIMBS; i++) { /* / 2^128 */
        const lanes next = i + 1 < PART_LIMBS ? product[PART_LIMBS + i] : lanes_zero();
        quotient->l[i] = lanes_or(lanes_shr(product[PART_LIMBS - 1 + i], 24),
                                  lanes_and(lanes_shl(next, 28), low));
    }
    LANES_UNROLL for (int i = 0; i < PART_LIMBS; i++) {
        LANES_UNROLL for (int j = 0; i + j < PART_LIMBS; j++) {
            const lanes m = lanes_set(z_square[j]);
            whole[i + j] = lanes_mul_low(whole[i + j], quotient->l[i], m);
            whole[i + j + 1] = lanes_mul_high(whole[i + j + 1], quotient->l[i], m);
        }
    }
    /* the rest is short: its low limbs will do */
    rest->l[0] = lanes_sub(lanes_and(k[0], low), whole[0]);
    rest->l[1] = lanes_sub(lanes_and(_mm512_shrdi_epi64(k[0], k[1], 52), low), whole[1]);
    rest->l[2] = lanes_sub(lanes_and(_mm512_shrdi_epi64(k[1], k[2], 40), low), whole[2]);
    lanes_carry(rest->l, PART_LIMBS);
    rest->l[2] = lanes_and(rest->l[2], low);
    take_once(rest, z_square, quotient, (lane_mask)~lanes_below(rest->l, z_square, PART_LIMBS));
}

/* Words of a part, in two's complement. */
LANES_INLINE void part_to_words(lanes words[2], part_lanes *part) {
    lanes_carry(part->l, PART_LIMBS);
    words[0] = lanes_or(part->l[0], lanes_shl(part->l[1], 52));
    words[1] = lanes_or(lanes_shr(part->l[1], 12), lanes_shl(part->l[2], 40));
}

/* The same as cuzk_scalar_parts_g1, for the first n of eight scalars. */
LANES_INLINE void g1_split(lanes parts[][2], const fr_plain *scalars, const uint16_t *which,
                           size_t n) {
    lanes k[4];
    part_lanes quotient, rest;
    load_scalars(k, scalars, which, n);
    divide_lanes(&quotient, &rest, k);
    take_once(&rest, z_square, &quotient, above(&rest, half_z_square));
    lanes_carry(quotient.l, PART_LIMBS);
    const lane_mask carry = above(&quotient, half_z_square);
    take_once(&quotient, z_square, &quotient, carry);
    rest.l[0] = _mm512_mask_sub_epi64(rest.l[0], carry, rest.l[0], lanes_set(1));
    part_to_words(parts[0], &rest);
    part_to_words(parts[1], &quotient);
}

/* The parts of one scalar after the other: a sum over G2 takes long enough. */
LANES_INLINE void g2_split(lanes parts[][2], const fr_plain *scalars, const uint16_t *which,
                           size_t n) {
    uint64_t words[MSM_G2_PARTS][LANES] = {{0}};
    for (size_t lane = 0; lane < LANES && lane < n; lane++) {
        scalar_part of_one[MSM_G2_PARTS];
        cuzk_scalar_parts_g2(of_one, &scalars[which[lane]]);
        for (size_t j = 0; j < MSM_G2_PARTS; j++) {
            words[j][lane] = of_one[j].l[0];
        }
    }
    for (size_t j = 0; j < MSM_G2_PARTS; j++) {
        parts[j][0] = _mm512_loadu_si512(words[j]);
    }
}

LANES_INLINE void recode_octets(int32_t *digits, size_t stride, const msm_windows *windows,
                                const fr_plain *scalars, const uint16_t *which, size_t n,
                                void (*split)(lanes parts[][2], const fr_plain *scalars,
                                              const uint16_t *which, size_t n),
                                size_t n_parts) {
    for (size_t i = 0; i < n; i += LANES) {
        lanes k[4], parts[MSM_MAX_PARTS][2];
        if (windows->n_bits == 256) {
            load_scalars(k, scalars, which + i, n - i);
            store_digits(digits + i, stride, windows, k, 4, n - i);
            continue;
        }
        split(parts, scalars, which + i, n - i);
        for (size_t j = 0; j < n_parts; j++) {
            store_digits(digits + j * windows->count * stride + i, stride, windows, parts[j],
                         windows->n_bits / 64, n - i);
        }
    }
}

static void g1_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    recode_octets(digits, stride, windows, scalars, which, n, g1_split, MSM_G1_PARTS);
}

static void g2_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    recode_octets(digits, stride, windows, scalars, which, n, g2_split, MSM_G2_PARTS);
}

#endif
