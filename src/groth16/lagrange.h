/* The Lagrange basis of a domain at one point, in row order. Internal to groth16 (setup). */
#ifndef CUZK_GROTH16_LAGRANGE_H
#define CUZK_GROTH16_LAGRANGE_H

#include "base/pool.h"
#include "field/fr.h"

/* Rows computed at once. */
#define LAGRANGE_BLOCK ((size_t)1 << 16)

/* L_k(tau) = (tau^N - 1) w^k / (N (tau - w^k)), k = 0 .. N - 1; 1 where tau = w^k. */
typedef struct lagrange {
    const cuzk_ctx *ctx;
    fr tau, omega;
    fr scale;       /* (tau^N - 1) / N */
    uint64_t n;     /* N */
    uint64_t first; /* row of values[0] */
    size_t n_values;
    fr *values; /* LAGRANGE_BLOCK elements of the caller's */
} lagrange;

/* tau^N - 1 */
void cuzk_vanishing_at(fr *z, const fr *tau, unsigned log2_n);
void cuzk_lagrange_init(lagrange *l, const cuzk_ctx *ctx, const fr *tau, unsigned log2_n,
                        fr *values);
/* *value = L_row(tau); cheap when rows are asked for in order. Fails: CUZK_E_CANCELLED. */
cuzk_status cuzk_lagrange_seek(lagrange *l, uint64_t row, cuzk_error *err);
static inline cuzk_status lagrange_value(lagrange *l, uint64_t row, const fr **value,
                                         cuzk_error *err) {
    if (row - l->first >= l->n_values) {
        cuzk_status status = cuzk_lagrange_seek(l, row, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    *value = &l->values[row - l->first];
    return CUZK_OK;
}

#endif
