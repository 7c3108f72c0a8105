/* The bodies of ntt_kernels, for the level of the file that includes this; it then defines one
 * table with NTT_KERNELS.
 *
 * At the ADX level elements are below 2 r between butterflies, else below r. Blocks are handled as
 * fr: a plain residue times a constant in Montgomery form is a plain residue. */
#ifndef CUZK_NTT_NTT_KERNEL_H
#define CUZK_NTT_NTT_KERNEL_H

#include "ntt/ntt_kernels.h"

/* Elements that fit half of a small first-level cache, 16 KiB. */
#define SMALL_LOG2 9

/* ---- n butterflies, u and v moving on by step elements, w by w_step ---- */

#ifdef CUZK_LEVEL_ADX
void cuzk_fr_split_adx(fr *u, fr *v, const fr *w, size_t n, size_t step_bytes, size_t w_step_bytes);
void cuzk_fr_merge_adx(fr *u, fr *v, const fr *w, size_t n, size_t step_bytes, size_t w_step_bytes);
void cuzk_fr_cross_adx(fr *u, fr *v, size_t n, size_t step_bytes);
#endif

/* (u, v) = (u + w v, u - w v) */
static inline void split(fr *u, fr *v, const fr *w, size_t n, size_t step, size_t w_step) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fr_split_adx(u, v, w, n, step * sizeof *u, w_step * sizeof *w);
#else
    for (; n > 0; n--, u += step, v += step, w += w_step) {
        fr t;
        fr_mul(&t, v, w);
        fr_sub(v, u, &t);
        fr_add(u, u, &t);
    }
#endif
}

/* (u, v) = (u + v, (u - v) w) */
static inline void merge(fr *u, fr *v, const fr *w, size_t n, size_t step, size_t w_step) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fr_merge_adx(u, v, w, n, step * sizeof *u, w_step * sizeof *w);
#else
    for (; n > 0; n--, u += step, v += step, w += w_step) {
        fr t;
        fr_sub(&t, u, v);
        fr_add(u, u, v);
        fr_mul(v, &t, w);
    }
#endif
}

/* (u, v) = (u + v, u - v): both kinds where w is one */
static inline void cross(fr *u, fr *v, size_t n, size_t step) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fr_cross_adx(u, v, n, step * sizeof *u);
#else
    for (; n > 0; n--, u += step, v += step) {
        fr t;
        fr_sub(&t, u, v);
        fr_add(u, u, v);
        *v = t;
    }
#endif
}

/* x *= k. The second factor of a product may be below 2 r. */
static inline void times(fr *x, const fr *k) { fr_mul(x, k, x); }

static void scale_all(fr *x, const fr *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        times(&x[i], k);
    }
}

/* x[i] mod r */
static void finish_all(fr *x, size_t n) {
#ifdef CUZK_LEVEL_ADX
    for (size_t i = 0; i < n; i++) {
        fr_reduce_once(x[i].l, x[i].l);
    }
#else
    (void)x;
    (void)n;
#endif
}

/* ---- the constants of a block ---- */

typedef struct block_roots {
    const fr *layer[NTT_MAX_ROWS_LOG2]; /* 2^j of layer j of the pass */
    bool starts_with_one;               /* each layer's first constant is 1 */
} block_roots;

/* buffer: room for 2^rows_log2 elements, which the roots may point to. */
static void find_roots(block_roots *r, const ntt_pass *p, size_t block, fr *buffer) {
    const fr *roots = p->direction->roots;
    r->starts_with_one = block == 0 && !p->coset;
    if (r->starts_with_one) {
        for (unsigned j = 0; j < p->rows_log2; j++) {
            r->layer[j] = roots;
        }
        return;
    }
    fr power;
    ntt_block_base(&power, p, block);
    for (unsigned j = p->rows_log2; j-- > 0;) {
        fr *layer = buffer + ((size_t)1 << j);
        for (size_t i = 0; i < (size_t)1 << j; i++) {
            fr_mul(&layer[i], &roots[i], &power);
        }
        r->layer[j] = layer;
        fr_sqr(&power, &power);
    }
}

/* ---- layers ---- */

typedef void (*butterfly)(fr *u, fr *v, const fr *w, size_t n, size_t step, size_t w_step);

/* Stretches index .. index + n - 1 of a layer, 2 half elements each, starting at x; apply is split
 * or merge. */
static inline __attribute__((always_inline)) void transform_layer(butterfly apply, fr *x,
                                                                  const block_roots *r,
                                                                  unsigned layer, size_t index,
                                                                  size_t n, size_t half) {
    const fr *w = r->layer[layer] + index;
    if (half < n) {
        for (size_t c = 0; c < half; c++) {
            apply(x + c, x + c + half, w, n, 2 * half, 1);
        }
        return;
    }
    size_t i = 0;
    if (r->starts_with_one && index == 0) {
        cross(x, x + half, half, 1);
        i = 1;
    }
    for (; i < n; i++) {
        apply(x + 2 * half * i, x + 2 * half * i + half, &w[i], half, 1, 0);
    }
}
static void split_layer(fr *x, const block_roots *r, unsigned layer, size_t index, size_t n,
                        size_t half) {
    transform_layer(split, x, r, layer, index, n, half);
}
static void merge_layer(fr *x, const block_roots *r, unsigned layer, size_t index, size_t n,
                        size_t half) {
    transform_layer(merge, x, r, layer, index, n, half);
}

/* The layers from `layer` to the pass's last, for stretch `index` of that layer, 2^rows_log2 rows
 * of 2^columns_log2 elements at x. Depth first, so that small stretches stay in the first-level
 * cache. */
static void split_stretch(fr *x, const block_roots *r, unsigned layer, size_t index,
                          unsigned rows_log2, unsigned columns_log2) {
    size_t n = (size_t)1 << (rows_log2 + columns_log2);
    if (rows_log2 > 1 && rows_log2 + columns_log2 > SMALL_LOG2) {
        split_layer(x, r, layer, index, 1, n / 2);
        split_stretch(x, r, layer + 1, 2 * index, rows_log2 - 1, columns_log2);
        split_stretch(x + n / 2, r, layer + 1, 2 * index + 1, rows_log2 - 1, columns_log2);
        return;
    }
    for (unsigned j = 0; j < rows_log2; j++) {
        split_layer(x, r, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
    }
}

static void merge_stretch(fr *x, const block_roots *r, unsigned layer, size_t index,
                          unsigned rows_log2, unsigned columns_log2) {
    size_t n = (size_t)1 << (rows_log2 + columns_log2);
    if (rows_log2 > 1 && rows_log2 + columns_log2 > SMALL_LOG2) {
        merge_stretch(x, r, layer + 1, 2 * index, rows_log2 - 1, columns_log2);
        merge_stretch(x + n / 2, r, layer + 1, 2 * index + 1, rows_log2 - 1, columns_log2);
        merge_layer(x, r, layer, index, 1, n / 2);
        return;
    }
    for (unsigned j = rows_log2; j-- > 0;) {
        merge_layer(x, r, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
    }
}

/* ---- units ---- */

/* The element at place i of block b has index reverse_m(i) 2^(log2_n - m) + reverse(b). */
static void spread_all(fr *x, const ntt_pass *p, size_t block) {
    uint64_t e = ntt_reverse(block, p->first_layer);
    fr power;
    cuzk_fr_pow(&power, &p->direction->shift[p->log2_n], &e, 1);
    for (size_t i = 0; i < (size_t)1 << p->rows_log2; i++) {
        fr factor;
        fr_mul(&factor, &power, &p->direction->spread[i]);
        times(&x[i], &factor);
    }
}

/* One unit, its elements row by row at x. */
static void transform_unit(fr *x, const ntt_pass *p, const block_roots *r, size_t block) {
    size_t n = (size_t)1 << (p->rows_log2 + p->columns_log2);
    const fr *scale = p->scale;
    if (!p->merges) {
        split_stretch(x, r, 0, 0, p->rows_log2, p->columns_log2);
        if (p->spreads) {
            spread_all(x, p, block);
        }
    } else {
        if (p->spreads) {
            spread_all(x, p, block);
        }
        merge_stretch(x, r, 0, 0, p->rows_log2, p->columns_log2);
    }
    if (scale != NULL) {
        scale_all(x, scale, n);
    }
    if (p->finishes) {
        finish_all(x, n);
    }
}

static void run_units(const ntt_pass *p, size_t first, size_t count, void *scratch) {
    fr *constants = scratch, *unit = constants + ((size_t)1 << p->rows_log2);
    unsigned units_log2 = p->stride_log2 - p->columns_log2; /* of a block */
    size_t n_rows = (size_t)1 << p->rows_log2, n_columns = (size_t)1 << p->columns_log2;
    size_t known = SIZE_MAX; /* the block whose roots these are */
    block_roots roots;
    for (size_t i = first; i < first + count; i++) {
        size_t block = i >> units_log2, column = (i - (block << units_log2)) << p->columns_log2;
        fr *x = (fr *)p->x + (block << (p->rows_log2 + p->stride_log2)) + column;
        if (block != known) {
            find_roots(&roots, p, block, constants);
            known = block;
        }
        if (p->stride_log2 == 0) {
            transform_unit(x, p, &roots, block);
            continue;
        }
        for (size_t row = 0; row < n_rows; row++) {
            memcpy(unit + row * n_columns, x + (row << p->stride_log2), n_columns * sizeof *x);
        }
        transform_unit(unit, p, &roots, block);
        for (size_t row = 0; row < n_rows; row++) {
            memcpy(x + (row << p->stride_log2), unit + row * n_columns, n_columns * sizeof *x);
        }
    }
}

/* The constants of a block, and a unit where it has a stride. */
static size_t pass_scratch_bytes(unsigned rows_log2, unsigned columns_log2, unsigned stride_log2) {
    size_t rows = (size_t)1 << rows_log2;
    return (stride_log2 == 0 ? rows : rows + (rows << columns_log2)) * sizeof(fr);
}

#define NTT_KERNELS                                                                                \
    {                                                                                              \
        .max_rows_log2 = 10, .two_passes_log2 = 11, .scratch_bytes = pass_scratch_bytes,           \
        .run = run_units                                                                           \
    }

#endif
