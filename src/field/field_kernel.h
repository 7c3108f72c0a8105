/* The bodies of field_kernels, for the level of the file that includes this. It then defines one
 * table with FIELD_KERNELS. */
#ifndef CUZK_FIELD_FIELD_KERNEL_H
#define CUZK_FIELD_FIELD_KERNEL_H

#include "field/field_kernels.h"

static void batch_fr_mul(fr *r, const fr *a, const fr *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fr_mul(&r[i], &a[i], &b[i]);
    }
}

static void batch_fp_mul(fp *r, const fp *a, const fp *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fp_mul(&r[i], &a[i], &b[i]);
    }
}

static void batch_fp_sqr(fp *r, const fp *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fp_sqr(&r[i], &a[i]);
    }
}

static void batch_fr_to_plain(fr_plain *r, const fr *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fr_to_plain(&r[i], &a[i]);
    }
}

static void batch_fr_from_plain(fr *r, const fr_plain *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fr_from_plain(&r[i], &a[i]);
    }
}

/* Both inversions: r[i] = product of the non-zero a[0..i-1]; one inverse; then back, dividing out
 * one factor a time. */
static void batch_fr_inv(fr *r, const fr *a, size_t n) {
    fr product = FR_ONE;
    for (size_t i = 0; i < n; i++) {
        r[i] = product;
        if (!fr_is_zero(&a[i])) {
            fr_mul(&product, &product, &a[i]);
        }
    }
    cuzk_fr_inv(&product, &product);
    for (size_t i = n; i-- > 0;) {
        if (fr_is_zero(&a[i])) {
            r[i] = FR_ZERO;
        } else {
            fr_mul(&r[i], &r[i], &product);
            fr_mul(&product, &product, &a[i]);
        }
    }
}

static void batch_fp_inv(fp *r, const fp *a, size_t n) {
    fp product = FP_ONE;
    for (size_t i = 0; i < n; i++) {
        r[i] = product;
        if (!fp_is_zero(&a[i])) {
            fp_mul(&product, &product, &a[i]);
        }
    }
    cuzk_fp_inv(&product, &product);
    for (size_t i = n; i-- > 0;) {
        if (fp_is_zero(&a[i])) {
            r[i] = FP_ZERO;
        } else {
            fp_mul(&r[i], &r[i], &product);
            fp_mul(&product, &product, &a[i]);
        }
    }
}

static void batch_fr_powers(fr *r, const fr *first, const fr *step, size_t n) {
    /* four interleaved sequences, as the latency of a product is several times its throughput cost
     */
    fr next = *first, step4;
    for (size_t i = 0; i < n && i < 4; i++) {
        r[i] = next;
        fr_mul(&next, &next, step);
    }
    fr_sqr(&step4, step);
    fr_sqr(&step4, &step4);
    for (size_t i = 4; i < n; i++) {
        fr_mul(&r[i], &r[i - 4], &step4);
    }
}

static void batch_fr_scale(fr *a, const fr *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fr_mul(&a[i], &a[i], k);
    }
}

/* Powers: windows of 4 bits from the top, table[i] = a^i. */
static inline unsigned exponent_window(const uint64_t *e, size_t i) {
    return e[i / 16] >> (4 * (i % 16)) & 15;
}

static void single_fr_pow(fr *r, const fr *a, const uint64_t *e, size_t n_limbs) {
    fr table[16] = {FR_ONE, *a};
    for (int i = 2; i < 16; i++) {
        fr_mul(&table[i], &table[i - 1], a);
    }
    fr t = FR_ONE;
    bool started = false;
    for (size_t i = 16 * n_limbs; i-- > 0;) {
        unsigned window = exponent_window(e, i);
        for (int k = 0; started && k < 4; k++) {
            fr_sqr(&t, &t);
        }
        if (window != 0) {
            fr_mul(&t, &t, &table[window]);
            started = true;
        }
    }
    *r = t;
}

static void single_fp_pow(fp *r, const fp *a, const uint64_t *e, size_t n_limbs) {
    fp table[16] = {FP_ONE, *a};
    for (int i = 2; i < 16; i++) {
        fp_mul(&table[i], &table[i - 1], a);
    }
    fp t = FP_ONE;
    bool started = false;
    for (size_t i = 16 * n_limbs; i-- > 0;) {
        unsigned window = exponent_window(e, i);
        for (int k = 0; started && k < 4; k++) {
            fp_sqr(&t, &t);
        }
        if (window != 0) {
            fp_mul(&t, &t, &table[window]);
            started = true;
        }
    }
    *r = t;
}

#define FIELD_KERNELS                                                                              \
    {                                                                                              \
        .fr_mul = batch_fr_mul, .fp_mul = batch_fp_mul, .fr_to_plain = batch_fr_to_plain,          \
        .fr_from_plain = batch_fr_from_plain, .fr_inv = batch_fr_inv, .fp_inv = batch_fp_inv,      \
        .fr_powers = batch_fr_powers, .fr_scale = batch_fr_scale, .fr_pow = single_fr_pow,         \
        .fp_pow = single_fp_pow, .fp_sqr = batch_fp_sqr                                            \
    }

#endif
