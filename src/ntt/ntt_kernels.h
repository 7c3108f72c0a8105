/* The inner work of a transform at each CPU level: one block of columns, from memory through a
 * buffer and back. */
#ifndef CUZK_NTT_NTT_KERNELS_H
#define CUZK_NTT_NTT_KERNELS_H

#include "base/cpu.h"
#include "field/fr.h"

#define NTT_MAX_LOG2_ROWS 11
#define NTT_MAX_COLUMNS 8

/* 2^log2_rows rows of n_columns elements: element (r, c) is x[r * row_stride + c * column_stride].
 * Every column is transformed on its own. In the buffer, and in factors, element (r, c) is number r
 * * n_columns + c. */
typedef struct ntt_block {
    fr_plain *x;
    size_t row_stride, column_stride;
    unsigned log2_rows, n_columns;
    const fr *roots; /* roots[k * root_step] = w^k for the rows' root of unity w, k < rows / 2 */
    size_t root_step;
    const fr *factors; /* NULL, or one a element: multiplied after dif, before dit, by place */
    fr_plain *buffer;
} ntt_block;

typedef struct ntt_kernels {
    /* Decimation in frequency: rows natural in, bit-reversed out. */
    void (*dif)(const ntt_block *b);
    /* Decimation in time: rows bit-reversed in, natural out. */
    void (*dit)(const ntt_block *b);
    /* x[i] = a[i] * b[i] / 2^256 */
    void (*multiply)(fr_plain *x, const fr_plain *a, const fr_plain *b, size_t n);
    /* x[i] = x[i] * first * step^i */
    void (*scale)(fr_plain *x, const fr *first, const fr *step, size_t n);
    void (*subtract)(fr_plain *x, const fr_plain *a, size_t n);
    /* out[r * n_columns + c] = start[r] * step[r]^c */
    void (*powers)(fr *out, const fr *start, const fr *step, unsigned n_columns, size_t n_rows);
} ntt_kernels;

const ntt_kernels *cuzk_ntt_kernels(void);
const ntt_kernels *cuzk_ntt_kernels_at(cuzk_cpu_level level); /* NULL when absent */

#endif
