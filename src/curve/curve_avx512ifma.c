/* Uncompressed points decoded eight at a time in lanes.
 *
 * Lanes take what nearly all points are: coordinates whose first 21 bits are below those of p, so
 * without flags, and x that does not end in 48 zero bits. An octet with any other point, or one
 * that fails the test for the curve, is decoded again by the scalar code, which thus alone says
 * what is wrong. */
#include "curve/curve_internal.h"

#include "field/fp2x8.h"

#define COORDINATE_BYTES ((size_t)48)

/* r = 2^n a, normal, for a normal and below 2^(34 - n) p; n is a constant. */
#define FP8_SHIFT(r, a, n)                                                                         \
    do {                                                                                           \
        (r)->l[0] = lanes_and(lanes_shl((a)->l[0], n), lanes_set(LIMB52_MASK));                    \
        LANES_UNROLL for (int i = 1; i < FP8_LIMBS; i++) {                                         \
            lanes low = lanes_shr((a)->l[i - 1], LIMB52_BITS - (n));                               \
            (r)->l[i] = lanes_and(lanes_or(lanes_shl((a)->l[i], n), low), lanes_set(LIMB52_MASK)); \
        }                                                                                          \
    } while (0)

/* The coordinates of eight points, n_fps elements each, in the form and order of memory; false when
 * there is a point for the scalar code. The imaginary part comes first in bytes. */
LANES_INLINE bool load_octet(fp8 *r, const uint8_t *bytes, size_t n_fps) {
    LANES_UNROLL for (size_t i = 0; i < n_fps; i++) {
        fp8 a;
        fp8_load_reversed_times_16(&a, bytes + i * COORDINATE_BYTES, n_fps * COORDINATE_BYTES);
        lane_mask plain = _mm512_cmplt_epu64_mask(a.l[7], lanes_set(fp8_multiples[4][7]));
        if (i == 0) {
            plain &= _mm512_test_epi64_mask(a.l[0], a.l[0]);
        }
        if (plain != 0xff) {
            return false;
        }
        fp8_plain_to_384(&r[n_fps == 4 ? i ^ 1 : i], &a);
    }
    return true;
}

LANES_INLINE void store_octet(void *r, const fp8 *a, size_t n_fps) {
    LANES_UNROLL for (size_t i = 0; i < n_fps; i++) {
        fp8_store((fp *)r + i, &a[i], n_fps * sizeof(fp));
    }
}

/* ---- y^2 = x^3 + b ----
 *
 * A coordinate v is here 2^384 v, and a product divides by 2^416. */

/* Lanes where a, normal and below 2^34 p, is 0 mod p. */
static lane_mask zero_residues(const fp8 *a) {
    fp8 t;
    fp8_reduce(&t, a);
    fp8_canonical(&t, &t);
    lanes all = t.l[0];
    for (int i = 1; i < FP8_LIMBS; i++) {
        all = lanes_or(all, t.l[i]);
    }
    return _mm512_testn_epi64_mask(all, all);
}

/* 2^768 (y^2 - x^3 - 4) + 2^416 p = y y - (x x / 2^416) (2^32 x) + 2^416 (p - 2^354) */
static bool g1_octet_on_curve(const fp8 a[2]) {
    const fp8 *x = &a[0], *y = &a[1];
    fp8 square, shifted, difference;
    fp8_wide left, right;
    fp8_sqr(&square, x);
    FP8_SHIFT(&shifted, x, 32);
    CUZK_DEBUG_ASSERT(fp8_factors_fit(&square, &shifted));
    fp8_wide_mul(&right, &square, &shifted);
    fp8_wide_sqr(&left, y);
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) {
        left.l[i] = lanes_sub(left.l[i], right.l[i]);
    }
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        left.l[FP8_LIMBS + i] = lanes_add(left.l[FP8_LIMBS + i], lanes_set(fp8_modulus[i]));
    }
    left.l[FP8_LIMBS + 6] = lanes_sub(left.l[FP8_LIMBS + 6], lanes_set(1ull << (354 - 312)));
    fp8_wide_reduce(&difference, &left);
    return zero_residues(&difference) == 0xff;
}

/* 2^356 (x^3 + 4 (1 + u) - y^2), from 2^12 x and 2^2 y */
static bool g2_octet_on_curve(const fp8 a[4]) {
    fp2x8 x, y, t;
    FP8_SHIFT(&x.c0, &a[0], 12);
    FP8_SHIFT(&x.c1, &a[1], 12);
    FP8_SHIFT(&y.c0, &a[2], 2);
    FP8_SHIFT(&y.c1, &a[3], 2);
    fp2x8_sqr(&t, &x, 12);
    fp2x8_mul(&t, &t, &x);
    fp2x8_sqr(&y, &y, 2);
    fp2x8_sub(&t, &t, &y, 1);
    const lanes b = lanes_set(1ull << (358 - 312));
    t.c0.l[6] = lanes_add(t.c0.l[6], b);
    t.c1.l[6] = lanes_add(t.c1.l[6], b);
    fp2x8_carry(&t);
    return (zero_residues(&t.c0) & zero_residues(&t.c1)) == 0xff;
}

/* A subgroup check takes far longer than what lanes would save. */
#define DECODE(g, N_FPS)                                                                           \
    size_t cuzk_##g##_decode_avx512ifma(g##_affine *r, const uint8_t *bytes, size_t n,             \
                                        point_check check, bool refuse_infinity,                   \
                                        point_status *status) {                                    \
        const size_t n_lanes = check == POINT_CHECK_SUBGROUP ? 0 : n / LANES * LANES;              \
        const size_t size = (N_FPS)*COORDINATE_BYTES;                                              \
        for (size_t i = 0; i < n_lanes; i += LANES) {                                              \
            fp8 a[N_FPS];                                                                          \
            if (load_octet(a, bytes + i * size, N_FPS) &&                                          \
                (check == POINT_CHECK_COORDINATES || g##_octet_on_curve(a))) {                     \
                store_octet(&r[i], a, N_FPS);                                                      \
                continue;                                                                          \
            }                                                                                      \
            const size_t n_good = cuzk_curve_kernels_adx.g##_decode(                               \
                &r[i], bytes + i * size, LANES, check, refuse_infinity, status);                   \
            if (n_good < LANES) {                                                                  \
                return i + n_good;                                                                 \
            }                                                                                      \
        }                                                                                          \
        return n_lanes + cuzk_curve_kernels_adx.g##_decode(&r[n_lanes], bytes + n_lanes * size,    \
                                                           n - n_lanes, check, refuse_infinity,    \
                                                           status);                                \
    }

DECODE(g1, 2)
DECODE(g2, 4)
