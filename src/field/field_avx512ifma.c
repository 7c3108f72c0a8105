/* field_kernels with AVX-512 IFMA: eight elements at a time in lanes, what is left one by one; and
 * the inverses of fp8.h and fr8.h.
 *
 * An element in memory has the Montgomery factor 2^256 or 2^384, a lane product divides by 2^260 or
 * 2^416. Loaded times 16 or 2^32, a factor is in the form of the lanes, and its product with one as
 * it is in memory has again the factor of memory. */
#include "field/field_kernel.h"
#include "field/fp8.h"
#include "field/fr8.h"

/* ---- inverses of eight lanes ---- */

/* a with lanes k and k ^ 2^level exchanged */
LANES_INLINE lanes exchange(lanes a, int level) {
    switch (level) {
    case 0:
        return _mm512_permutex_epi64(a, 0xb1);
    case 1:
        return _mm512_permutex_epi64(a, 0x4e);
    default:
        return _mm512_shuffle_i64x2(a, a, 0x4e);
    }
}

static inline void fp8_exchange(fp8 *r, const fp8 *a, int level) {
    for (int i = 0; i < FP8_LIMBS; i++) {
        r->l[i] = exchange(a->l[i], level);
    }
}
static inline void fr8_exchange(fr8 *r, const fr8 *a, int level) {
    for (int i = 0; i < FR8_LIMBS; i++) {
        r->l[i] = exchange(a->l[i], level);
    }
}

/* Products over pairs, fours, all lanes; one inverse; times the product of the other lanes. */
void cuzk_fp8_inv_avx512ifma(fp8 *r, const fp8 *a) {
    static const uint64_t scale[FP8_LIMBS] = FP8_INVERSE_SCALE;
    fp8 others[3], t = *a, k;
    for (int level = 0; level < 3; level++) {
        fp8_exchange(&others[level], &t, level);
        fp8_mul(&t, &t, &others[level]);
    }
    fp product[LANES];
    fp8_canonical(&t, &t);
    fp8_store(product, &t, sizeof product[0]);
    cuzk_fp_inv(&product[0], &product[0]);
    for (int i = 1; i < LANES; i++) {
        product[i] = product[0];
    }
    fp8_load(&t, product, sizeof product[0]);
    fp8_set(&k, scale);
    fp8_mul(&t, &t, &k);
    for (int level = 2; level >= 0; level--) {
        fp8_mul(&t, &t, &others[level]);
    }
    *r = t;
}

void cuzk_fr8_inv_avx512ifma(fr8 *r, const fr8 *a) {
    static const uint64_t scale[FR8_LIMBS] = FR8_INVERSE_SCALE;
    fr8 others[3], t = *a, k;
    for (int level = 0; level < 3; level++) {
        fr8_exchange(&others[level], &t, level);
        fr8_mul(&t, &t, &others[level]);
    }
    fr product[LANES];
    fr8_reduce(&t, &t);
    fr8_canonical(&t, &t);
    fr8_store(product, &t);
    cuzk_fr_inv(&product[0], &product[0]);
    for (int i = 1; i < LANES; i++) {
        product[i] = product[0];
    }
    fr8_load(&t, product);
    fr8_set(&k, scale);
    fr8_mul(&t, &t, &k);
    for (int level = 2; level >= 0; level--) {
        fr8_mul(&t, &t, &others[level]);
    }
    *r = t;
}

/* ---- batches ---- */

/* The limbs of 1: below it is 0. */
static const uint64_t one_word[FP8_LIMBS] = {1};

/* How many of n go through the lanes. */
static size_t in_lanes(size_t n) { return n & ~(size_t)(LANES - 1); }

static void fr8_store_canonical(fr *r, const fr8 *a) {
    fr8 t;
    fr8_canonical(&t, a);
    fr8_store(r, &t);
}
static void fp8_store_canonical(fp *r, const fp8 *a) {
    fp8 t;
    fp8_canonical(&t, a);
    fp8_store(r, &t, sizeof *r);
}

static void lanes_fr_mul(fr *r, const fr *a, const fr *b, size_t n) {
    size_t done = in_lanes(n);
    for (size_t i = 0; i < done; i += LANES) {
        fr8 x, y;
        fr8_load_factor(&x, &a[i], 4);
        fr8_load_factor(&y, &b[i], 0);
        fr8_mul_raw(&x, &x, &y);
        fr8_canonical_raw(&x, &x);
        fr8_store(&r[i], &x);
    }
    batch_fr_mul(r + done, a + done, b + done, n - done);
}

static void lanes_fp_mul(fp *r, const fp *a, const fp *b, size_t n) {
    size_t done = in_lanes(n);
    for (size_t i = 0; i < done; i += LANES) {
        fp8 x, y;
        fp8_load_times_2_32(&x, &a[i], sizeof *a);
        fp8_load(&y, &b[i], sizeof *b);
        fp8_mul(&x, &x, &y);
        fp8_store_canonical(&r[i], &x);
    }
    batch_fp_mul(r + done, a + done, b + done, n - done);
}

/* (2^16 a)^2 */
static void lanes_fp_sqr(fp *r, const fp *a, size_t n) {
    const lanes mask = lanes_set(LIMB52_MASK);
    size_t done = in_lanes(n);
    for (size_t i = 0; i < done; i += LANES) {
        fp8 x, shifted;
        fp8_load(&x, &a[i], sizeof *a);
        shifted.l[0] = lanes_and(lanes_shl(x.l[0], 16), mask);
        for (int k = 1; k < FP8_LIMBS; k++) {
            lanes below = lanes_shl(x.l[k - 1], 64 - LIMB52_BITS);
            shifted.l[k] = lanes_and(_mm512_shldi_epi64(x.l[k], below, 16), mask);
        }
        fp8_sqr(&shifted, &shifted);
        fp8_store_canonical(&r[i], &shifted);
    }
    batch_fp_sqr(r + done, a + done, n - done);
}

/* r[i] = a[i] k / 2^260, both four words */
static void times_constant(void *r, const void *a, const fr8 *k, size_t n) {
    for (size_t i = 0; i < n; i += LANES) {
        fr8 x;
        fr8_load_factor(&x, (const fr *)a + i, 0);
        fr8_mul_raw(&x, &x, k);
        fr8_canonical_raw(&x, &x);
        fr8_store((fr *)r + i, &x);
    }
}

static void lanes_fr_to_plain(fr_plain *r, const fr *a, size_t n) {
    static const uint64_t sixteen[FR8_LIMBS] = {16};
    size_t done = in_lanes(n);
    fr8 k;
    fr8_set(&k, sixteen);
    times_constant(r, a, &k, done);
    batch_fr_to_plain(r + done, a + done, n - done);
}

static void lanes_fr_from_plain(fr *r, const fr_plain *a, size_t n) {
    static const uint64_t factor[FR8_LIMBS] = FR8_FROM_PLAIN_256;
    size_t done = in_lanes(n);
    fr8 k;
    fr8_set(&k, factor);
    times_constant(r, a, &k, done);
    batch_fr_from_plain(r + done, a + done, n - done);
}

/* All lanes k, times 16. */
static void fr8_set_times_16(fr8 *r, const fr *k) {
    fr eight[LANES];
    for (int i = 0; i < LANES; i++) {
        eight[i] = *k;
    }
    fr8_load_times_16(r, eight);
}

static void lanes_fr_scale(fr *a, const fr *k, size_t n) {
    size_t done = in_lanes(n);
    fr8 k8;
    fr8_set_times_16(&k8, k);
    times_constant(a, a, &k8, done);
    batch_fr_scale(a + done, k, n - done);
}

/* Four vectors at a time, so that a product need not wait for the one before. */
#define POWERS_STEP (4 * LANES)

static void lanes_fr_powers(fr *r, const fr *first, const fr *step, size_t n) {
    if (n < 2 * POWERS_STEP) {
        batch_fr_powers(r, first, step, n);
        return;
    }
    batch_fr_powers(r, first, step, POWERS_STEP);
    fr jump = *step;
    for (int i = 1; i < POWERS_STEP; i *= 2) {
        fr_sqr(&jump, &jump);
    }
    fr8 jump8, next[4];
    fr8_set_times_16(&jump8, &jump);
    for (size_t k = 0; k < 4; k++) {
        fr8_load(&next[k], &r[k * LANES]);
    }
    size_t i = POWERS_STEP;
    for (; i + POWERS_STEP <= n; i += POWERS_STEP) {
        LANES_UNROLL for (size_t k = 0; k < 4; k++) {
            fr8_mul(&next[k], &next[k], &jump8);
            fr8_store_canonical(&r[i + k * LANES], &next[k]);
        }
    }
    for (; i < n; i++) {
        fr_mul(&r[i], &r[i - POWERS_STEP], &jump);
    }
}

/* Both inversions: lane k of r[i] holds the product of the elements k, k + 8, .. before it that are
 * not zero; the eight products are inverted; then back, dividing out one row at a time. A zero
 * counts as one. What is left takes an inversion of its own. */
static void lanes_fr_inv(fr *r, const fr *a, size_t n) {
    static const uint64_t factor[FR8_LIMBS] = FR8_TO_256;
    size_t done = in_lanes(n);
    if (done == 0) {
        batch_fr_inv(r, a, n);
        return;
    }
    fr8 one, product, k;
    fr8_set(&one, fr8_one);
    product = one;
    for (size_t i = 0; i < done; i += LANES) {
        fr8 x;
        fr8_load_times_16(&x, &a[i]);
        fr8_select(&x, lanes_below(x.l, one_word, FR8_LIMBS), &x, &one);
        fr8_store(&r[i], &product);
        fr8_mul(&product, &product, &x);
    }
    cuzk_fr8_inv_avx512ifma(&product, &product);
    fr8_set(&k, factor);
    fr8_mul(&product, &product, &k);
    for (size_t i = done; i > 0;) {
        i -= LANES;
        fr8 x, before;
        fr8_load_times_16(&x, &a[i]);
        lane_mask zeros = lanes_below(x.l, one_word, FR8_LIMBS);
        fr8_select(&x, zeros, &x, &one);
        fr8_load(&before, &r[i]);
        fr8_mul(&before, &before, &product);
        fr8_mul(&product, &product, &x);
        for (int limb = 0; limb < FR8_LIMBS; limb++) {
            before.l[limb] = lanes_select(zeros, before.l[limb], lanes_zero());
        }
        fr8_store_canonical(&r[i], &before);
    }
    if (done < n) {
        batch_fr_inv(r + done, a + done, n - done);
    }
}

static void lanes_fp_inv(fp *r, const fp *a, size_t n) {
    static const uint64_t factor[FP8_LIMBS] = FP8_TO_384;
    size_t done = in_lanes(n);
    if (done == 0) {
        batch_fp_inv(r, a, n);
        return;
    }
    fp8 one, product, k;
    fp8_set(&one, fp8_one);
    product = one;
    for (size_t i = 0; i < done; i += LANES) {
        fp8 x;
        fp8_load_times_2_32(&x, &a[i], sizeof *a);
        fp8_select(&x, lanes_below(x.l, one_word, FP8_LIMBS), &x, &one);
        fp8_store(&r[i], &product, sizeof *r);
        fp8_mul(&product, &product, &x);
    }
    cuzk_fp8_inv_avx512ifma(&product, &product);
    fp8_set(&k, factor);
    fp8_mul(&product, &product, &k);
    for (size_t i = done; i > 0;) {
        i -= LANES;
        fp8 x, before;
        fp8_load_times_2_32(&x, &a[i], sizeof *a);
        lane_mask zeros = lanes_below(x.l, one_word, FP8_LIMBS);
        fp8_select(&x, zeros, &x, &one);
        fp8_load(&before, &r[i], sizeof *r);
        fp8_mul(&before, &before, &product);
        fp8_mul(&product, &product, &x);
        for (int limb = 0; limb < FP8_LIMBS; limb++) {
            before.l[limb] = lanes_select(zeros, before.l[limb], lanes_zero());
        }
        fp8_store_canonical(&r[i], &before);
    }
    if (done < n) {
        batch_fp_inv(r + done, a + done, n - done);
    }
}

const field_kernels cuzk_field_kernels_avx512ifma = {
    .fr_mul = lanes_fr_mul,
    .fp_mul = lanes_fp_mul,
    .fp_sqr = lanes_fp_sqr,
    .fr_to_plain = lanes_fr_to_plain,
    .fr_from_plain = lanes_fr_from_plain,
    .fr_inv = lanes_fr_inv,
    .fp_inv = lanes_fp_inv,
    .fr_powers = lanes_fr_powers,
    .fr_scale = lanes_fr_scale,
    .fr_pow = single_fr_pow,
    .fp_pow = single_fp_pow,
};
