/* The digest of a constraint system, circuits.md 1.6. */
#include <stdlib.h>

#include "base/bytes.h"
#include "hash/blake2.h"
#include "r1cs/densities_internal.h"
#include "r1cs/plan_internal.h"

#define TERM_BYTES (1 + 8 + FR_BYTES)
#define BUFFER_BYTES (256 * 1024)

typedef struct digest_stream {
    blake2s *hash;
    r1cs_dims dims;
    r1cs_densities *densities;   /* or NULL */
    uint8_t (*coeffs)[FR_BYTES]; /* big-endian, for the first n_coeffs of the stream */
    size_t n_coeffs, capacity;
    size_t used;
    uint8_t buffer[BUFFER_BYTES];
} digest_stream;

static void flush(digest_stream *s) {
    cuzk_blake2s_update(s->hash, s->buffer, s->used);
    s->used = 0;
}

static uint8_t *room(digest_stream *s, size_t len) {
    if (BUFFER_BYTES - s->used < len) {
        flush(s);
    }
    uint8_t *p = s->buffer + s->used;
    s->used += len;
    return p;
}

/* Follows the growth of the coefficient table. */
static cuzk_status learn_coeffs(digest_stream *s, const r1cs_coeffs *coeffs, cuzk_error *err) {
    if (coeffs->n > s->capacity) {
        size_t capacity = coeffs->n < 1024 ? 1024 : 2 * coeffs->n;
        void *grown = realloc(s->coeffs, capacity * sizeof *s->coeffs);
        if (grown == NULL) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu coefficients", capacity);
        }
        s->coeffs = grown;
        s->capacity = capacity;
    }
    for (; s->n_coeffs < coeffs->n; s->n_coeffs++) {
        fr_plain v;
        fr_to_plain(&v, &coeffs->values[s->n_coeffs]);
        for (int i = 0; i < 4; i++) {
            store_be64(s->coeffs[s->n_coeffs] + 8 * i, v.l[3 - i]);
        }
    }
    return CUZK_OK;
}

static void put_side(digest_stream *s, lc_view side) {
    store_be64(room(s, 8), side.n);
    for (size_t i = 0; i < side.n; i++) {
        uint8_t *p = room(s, TERM_BYTES);
        r1cs_var var = side.terms[i].var;
        p[0] = var & R1CS_INPUT ? 'I' : 'A';
        store_be64(p + 1, var & ~R1CS_INPUT);
        memcpy(p + 9, s->coeffs[side.terms[i].coeff], FR_BYTES);
    }
}

static cuzk_status on_row(void *arg, uint64_t index, const r1cs_row *row, const r1cs_coeffs *coeffs,
                          cuzk_error *err) {
    digest_stream *s = arg;
    if (index >= s->dims.n_constraints) {
        return CUZK_OK;
    }
    if (coeffs->n > s->n_coeffs) {
        cuzk_status status = learn_coeffs(s, coeffs, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    put_side(s, row->a);
    put_side(s, row->b);
    put_side(s, row->c);
    if (s->densities != NULL) {
        cuzk_densities_row(s->densities, row);
    }
    return CUZK_OK;
}

cuzk_status cuzk_r1cs_digest(const cuzk_ctx *ctx, uint8_t digest[32], const r1cs_circuit *circuit,
                             r1cs_densities *densities, cuzk_error *err) {
    cs_plan plan;
    r1cs_dims dims;
    cuzk_status status = cuzk_plan_count(&plan, &dims, ctx, circuit, err);
    if (status != CUZK_OK) {
        return status;
    }
    status =
        cuzk_account_reserve(ctx->account, sizeof(digest_stream), "the digest of a circuit", err);
    if (status != CUZK_OK) {
        return status;
    }
    digest_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the digest of a circuit");
        goto release;
    }
    if (densities != NULL) {
        status = cuzk_densities_init(densities, ctx->account, &dims, err);
        if (status != CUZK_OK) {
            goto free_stream;
        }
    }
    s->dims = dims;
    s->densities = densities;
    s->hash = cuzk_blake2s_create();
    store_be64(room(s, 8), dims.n_inputs);
    store_be64(room(s, 8), dims.n_aux);
    store_be64(room(s, 8), dims.n_constraints);
    status = cuzk_r1cs_stream(ctx, circuit, on_row, s, NULL, err);
    flush(s);
    uint8_t result[32];
    cuzk_blake2s_final(s->hash, result);
    if (status == CUZK_OK) {
        memcpy(digest, result, sizeof result);
    } else if (densities != NULL) {
        cuzk_r1cs_densities_clear(densities);
    }
    free(s->coeffs);
free_stream:
    free(s);
release:
    cuzk_account_release(ctx->account, sizeof *s);
    return status;
}
