/* Bodies of the transform kernels, compiled once a level by ntt_portable.c and ntt_adx.c. */
#include "ntt/ntt_kernels.h"

/* A plain residue times a Montgomery constant is a plain residue. */
static inline void plain_mul(fr_plain *r, const fr_plain *a, const fr *k) {
    fr_mul((fr *)r, (const fr *)a, k);
}
static inline void plain_add(fr_plain *r, const fr_plain *a, const fr_plain *b) {
    fr_add((fr *)r, (const fr *)a, (const fr *)b);
}
static inline void plain_sub(fr_plain *r, const fr_plain *a, const fr_plain *b) {
    fr_sub((fr *)r, (const fr *)a, (const fr *)b);
}

static void load_block(const ntt_block *b, bool with_factors) {
    size_t n_rows = (size_t)1 << b->log2_rows;
    fr_plain *to = b->buffer;
    for (size_t r = 0; r < n_rows; r++) {
        const fr_plain *from = b->x + r * b->row_stride;
        for (unsigned c = 0; c < b->n_columns; c++, to++) {
            if (with_factors) {
                plain_mul(to, &from[c * b->column_stride], &b->factors[to - b->buffer]);
            } else {
                *to = from[c * b->column_stride];
            }
        }
    }
}

static void store_block(const ntt_block *b, bool with_factors) {
    size_t n_rows = (size_t)1 << b->log2_rows;
    const fr_plain *from = b->buffer;
    for (size_t r = 0; r < n_rows; r++) {
        fr_plain *to = b->x + r * b->row_stride;
        for (unsigned c = 0; c < b->n_columns; c++, from++) {
            if (with_factors) {
                plain_mul(&to[c * b->column_stride], from, &b->factors[from - b->buffer]);
            } else {
                to[c * b->column_stride] = *from;
            }
        }
    }
}

/* (a, b) -> (a + b, (a - b) w) over n elements */
static inline void butterfly_dif(fr_plain *a, fr_plain *b, const fr *w, unsigned n) {
    for (unsigned c = 0; c < n; c++) {
        fr_plain difference;
        plain_sub(&difference, &a[c], &b[c]);
        plain_add(&a[c], &a[c], &b[c]);
        plain_mul(&b[c], &difference, w);
    }
}

/* (a, b) -> (a + b w, a - b w) over n elements */
static inline void butterfly_dit(fr_plain *a, fr_plain *b, const fr *w, unsigned n) {
    for (unsigned c = 0; c < n; c++) {
        fr_plain product;
        plain_mul(&product, &b[c], w);
        plain_sub(&b[c], &a[c], &product);
        plain_add(&a[c], &a[c], &product);
    }
}

/* The butterflies whose w is one. */
static inline void butterfly_one(fr_plain *a, fr_plain *b, unsigned n) {
    for (unsigned c = 0; c < n; c++) {
        fr_plain difference;
        plain_sub(&difference, &a[c], &b[c]);
        plain_add(&a[c], &a[c], &b[c]);
        b[c] = difference;
    }
}

static void block_dif(const ntt_block *b) {
    size_t n_rows = (size_t)1 << b->log2_rows;
    unsigned n = b->n_columns;
    load_block(b, false);
    for (unsigned layer = 0; layer < b->log2_rows; layer++) {
        size_t half = n_rows >> (layer + 1);
        for (size_t first = 0; first < n_rows; first += 2 * half) {
            fr_plain *upper = b->buffer + first * n;
            butterfly_one(upper, upper + half * n, n);
            for (size_t j = 1; j < half; j++) {
                butterfly_dif(upper + j * n, upper + (half + j) * n,
                              &b->roots[(j << layer) * b->root_step], n);
            }
        }
    }
    store_block(b, b->factors != NULL);
}

static void block_dit(const ntt_block *b) {
    size_t n_rows = (size_t)1 << b->log2_rows;
    unsigned n = b->n_columns;
    load_block(b, b->factors != NULL);
    for (unsigned layer = b->log2_rows; layer-- > 0;) {
        size_t half = n_rows >> (layer + 1);
        for (size_t first = 0; first < n_rows; first += 2 * half) {
            fr_plain *upper = b->buffer + first * n;
            butterfly_one(upper, upper + half * n, n);
            for (size_t j = 1; j < half; j++) {
                butterfly_dit(upper + j * n, upper + (half + j) * n,
                              &b->roots[(j << layer) * b->root_step], n);
            }
        }
    }
    store_block(b, false);
}

static void vector_multiply(fr_plain *x, const fr_plain *a, const fr_plain *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fr_mul((fr *)&x[i], (const fr *)&a[i], (const fr *)&b[i]);
    }
}

static void vector_scale(fr_plain *x, const fr *first, const fr *step, size_t n) {
    fr power = *first;
    for (size_t i = 0; i < n; i++) {
        plain_mul(&x[i], &x[i], &power);
        fr_mul(&power, &power, step);
    }
}

static void vector_subtract(fr_plain *x, const fr_plain *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        plain_sub(&x[i], &x[i], &a[i]);
    }
}

static void row_powers(fr *out, const fr *start, const fr *step, unsigned n_columns,
                       size_t n_rows) {
    for (size_t r = 0; r < n_rows; r++) {
        out[0] = start[r];
        for (unsigned c = 1; c < n_columns; c++) {
            fr_mul(&out[c], &out[c - 1], &step[r]);
        }
        out += n_columns;
    }
}

#define NTT_KERNELS                                                                                \
    {                                                                                              \
        .dif = block_dif, .dit = block_dit, .multiply = vector_multiply, .scale = vector_scale,    \
        .subtract = vector_subtract, .powers = row_powers                                          \
    }
