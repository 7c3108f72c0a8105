/* Lagrange values by formula, a block at a time, one inversion for each part of it. */
#include "groth16/lagrange.h"

#include "field/field_kernels.h"

enum { PART = 1024 };

void cuzk_vanishing_at(fr *z, const fr *tau, unsigned log2_n) {
    const fr one = FR_ONE;
    *z = *tau;
    for (unsigned i = 0; i < log2_n; i++) {
        fr_sqr(z, z);
    }
    fr_sub(z, z, &one);
}

void cuzk_lagrange_init(lagrange *l, const cuzk_ctx *ctx, const fr *tau, unsigned log2_n,
                        fr *values) {
    *l = (lagrange){.ctx = ctx, .tau = *tau, .n = (uint64_t)1 << log2_n, .values = values};
    cuzk_fr_root_of_unity(&l->omega, log2_n);
    fr n, z;
    fr_from_u64(&n, l->n);
    cuzk_fr_inv(&n, &n);
    cuzk_vanishing_at(&z, tau, log2_n);
    fr_mul(&l->scale, &z, &n);
}

static void lagrange_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const lagrange *l = arg;
    const field_kernels *kernels = cuzk_field_kernels();
    const size_t from = index * PART;
    const size_t n = l->n_values - from < PART ? l->n_values - from : PART;
    const uint64_t row = l->first + from;
    fr first, power[PART], difference[PART], *value = l->values + from;
    cuzk_fr_pow(&first, &l->omega, &row, 1);
    kernels->fr_powers(power, &first, &l->omega, n);
    for (size_t i = 0; i < n; i++) {
        fr_sub(&difference[i], &l->tau, &power[i]);
    }
    kernels->fr_inv(value, difference, n);
    kernels->fr_mul(value, value, power, n);
    kernels->fr_scale(value, &l->scale, n);
    for (size_t i = 0; i < n; i++) {
        if (fr_is_zero(&difference[i])) {
            value[i] = FR_ONE;
        }
    }
}

cuzk_status cuzk_lagrange_seek(lagrange *l, uint64_t row, cuzk_error *err) {
    CUZK_ASSERT(row < l->n);
    l->first = row - row % LAGRANGE_BLOCK;
    l->n_values = l->n - l->first < LAGRANGE_BLOCK ? (size_t)(l->n - l->first) : LAGRANGE_BLOCK;
    return cuzk_pool_run(l->ctx, (l->n_values + PART - 1) / PART, lagrange_part, l, err);
}
