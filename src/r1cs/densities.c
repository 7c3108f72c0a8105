/* Which variables occur in A and B, and how many terms there are. */
#include <stdlib.h>

#include "r1cs/densities_internal.h"
#include "r1cs/plan_internal.h"

static size_t words_for(uint64_t n) { return (size_t)(n / 64 + 1); }

static void bits_clear(bit_vector *v, cuzk_account *account) {
    if (v->words != NULL) {
        cuzk_account_release(account, words_for(v->n) * sizeof *v->words);
        free(v->words);
    }
    *v = (bit_vector){0};
}

static cuzk_status bits_init(bit_vector *v, cuzk_account *account, uint64_t n, cuzk_error *err) {
    size_t len = words_for(n) * sizeof *v->words;
    cuzk_status status = cuzk_account_reserve(account, len, "densities", err);
    if (status != CUZK_OK) {
        return status;
    }
    *v = (bit_vector){.words = calloc(1, len), .n = n};
    if (v->words == NULL) {
        cuzk_account_release(account, len);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for densities (%zu bytes)", len);
    }
    return CUZK_OK;
}

static inline void bits_set(bit_vector *v, uint32_t at) {
    uint64_t mask = 1ull << (at % 64), *word = &v->words[at / 64];
    v->n_set += (*word & mask) == 0;
    *word |= mask;
}

void cuzk_r1cs_densities_clear(r1cs_densities *d) {
    bits_clear(&d->a_aux, d->account);
    bits_clear(&d->b_aux, d->account);
    bits_clear(&d->b_input, d->account);
    *d = (r1cs_densities){0};
}

size_t cuzk_r1cs_densities_bytes(uint64_t n_inputs, uint64_t n_aux) {
    return (2 * words_for(n_aux) + words_for(n_inputs)) * sizeof(uint64_t);
}

cuzk_status cuzk_densities_init(r1cs_densities *d, cuzk_account *account, const r1cs_dims *dims,
                                cuzk_error *err) {
    *d = (r1cs_densities){.dims = *dims, .account = account};
    cuzk_status status = bits_init(&d->a_aux, account, dims->n_aux, err);
    if (status == CUZK_OK) {
        status = bits_init(&d->b_aux, account, dims->n_aux, err);
    }
    if (status == CUZK_OK) {
        status = bits_init(&d->b_input, account, dims->n_inputs, err);
    }
    if (status != CUZK_OK) {
        cuzk_r1cs_densities_clear(d);
    }
    return status;
}

void cuzk_densities_row(r1cs_densities *d, const r1cs_row *row) {
    for (size_t i = 0; i < row->a.n; i++) {
        r1cs_var var = row->a.terms[i].var;
        if ((var & R1CS_INPUT) == 0) {
            bits_set(&d->a_aux, var);
        }
    }
    for (size_t i = 0; i < row->b.n; i++) {
        r1cs_var var = row->b.terms[i].var;
        if (var & R1CS_INPUT) {
            bits_set(&d->b_input, var ^ R1CS_INPUT);
        } else {
            bits_set(&d->b_aux, var);
        }
    }
    d->n_terms[R1CS_A] += row->a.n;
    d->n_terms[R1CS_B] += row->b.n;
    d->n_terms[R1CS_C] += row->c.n;
}

static cuzk_status on_row(void *arg, uint64_t index, const r1cs_row *row, const r1cs_coeffs *coeffs,
                          cuzk_error *err) {
    (void)coeffs;
    (void)err;
    r1cs_densities *d = arg;
    if (index < d->dims.n_constraints) {
        cuzk_densities_row(d, row);
    }
    return CUZK_OK;
}

cuzk_status cuzk_r1cs_densities(r1cs_densities *d, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                cuzk_error *err) {
    cs_plan plan;
    r1cs_dims dims;
    cuzk_status status = cuzk_plan_count(&plan, &dims, ctx, circuit, err);
    if (status == CUZK_OK) {
        status = cuzk_densities_init(d, ctx->account, &dims, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_r1cs_stream(ctx, circuit, on_row, d, NULL, err);
    if (status != CUZK_OK) {
        cuzk_r1cs_densities_clear(d);
    }
    return status;
}
