/* Whole vectors through BLAKE2s, block by block. */
#include "r1cs/vector_digests.h"

#include "r1cs/witness.h"

#define VALUES_AT_ONCE 512

static void digest_values(blake2s *hash, const fr_plain *values, size_t n) {
    uint8_t bytes[VALUES_AT_ONCE * FR_BYTES];
    while (n > 0) {
        size_t step = n < VALUES_AT_ONCE ? n : VALUES_AT_ONCE;
        for (size_t i = 0; i < step; i++) {
            cuzk_fr_plain_write_le(bytes + i * FR_BYTES, &values[i]);
        }
        cuzk_blake2s_update(hash, bytes, step * FR_BYTES);
        values += step;
        n -= step;
    }
}

static void digest_c(void *arg, uint64_t first, size_t n, const fr_plain *c) {
    (void)first;
    digest_values(arg, c, n);
}

static size_t step_at(uint64_t first, uint64_t n) {
    return n - first < VALUES_AT_ONCE ? (size_t)(n - first) : VALUES_AT_ONCE;
}

static cuzk_status go_on(const cuzk_ctx *ctx, cuzk_error *err) {
    return cuzk_ctx_cancelled(ctx)
               ? cuzk_fail(err, CUZK_E_CANCELLED, "digests of the witness were cancelled")
               : CUZK_OK;
}

static cuzk_status digest_aux(uint8_t digest[BLAKE2S_BYTES], const cuzk_ctx *ctx,
                              const r1cs_assignment *w, cuzk_error *err) {
    fr_plain values[VALUES_AT_ONCE];
    blake2s *hash = cuzk_blake2s_create();
    cuzk_status status = CUZK_OK;
    for (uint64_t first = 0; first < w->n_aux; first += VALUES_AT_ONCE) {
        status = go_on(ctx, err);
        if (status != CUZK_OK) {
            break;
        }
        size_t n = step_at(first, w->n_aux);
        cuzk_r1cs_aux_expand(w, first, n, values);
        digest_values(hash, values, n);
    }
    cuzk_blake2s_final(hash, digest);
    return status;
}

static cuzk_status digest_rows(uint8_t digest[BLAKE2S_BYTES], const cuzk_ctx *ctx,
                               const r1cs_assignment *w, r1cs_side side, cuzk_error *err) {
    fr_plain values[VALUES_AT_ONCE];
    blake2s *hash = cuzk_blake2s_create();
    cuzk_status status = CUZK_OK;
    for (uint64_t first = 0; first < w->n_rows; first += VALUES_AT_ONCE) {
        status = go_on(ctx, err);
        if (status != CUZK_OK) {
            break;
        }
        size_t n = step_at(first, w->n_rows);
        cuzk_r1cs_rows_expand(w, side, first, n, values);
        digest_values(hash, values, n);
    }
    cuzk_blake2s_final(hash, digest);
    return status;
}

cuzk_status cuzk_r1cs_vector_digests(r1cs_vector_digests *digests, uint64_t *first_unsatisfied,
                                     const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                     const r1cs_assignment *w, cuzk_error *err) {
    blake2s *hash = cuzk_blake2s_create();
    cuzk_status status =
        cuzk_r1cs_check_rows(ctx, circuit, w, first_unsatisfied, digest_c, hash, err);
    cuzk_blake2s_final(hash, digests->c);
    if (status == CUZK_OK) {
        status = digest_aux(digests->aux, ctx, w, err);
    }
    if (status == CUZK_OK) {
        status = digest_rows(digests->a, ctx, w, R1CS_A, err);
    }
    if (status == CUZK_OK) {
        status = digest_rows(digests->b, ctx, w, R1CS_B, err);
    }
    return status;
}

void cuzk_r1cs_digest_fr(uint8_t digest[BLAKE2S_BYTES], const fr *values, uint64_t n) {
    fr_plain plain[VALUES_AT_ONCE];
    blake2s *hash = cuzk_blake2s_create();
    for (uint64_t first = 0; first < n; first += VALUES_AT_ONCE) {
        size_t step = step_at(first, n);
        for (size_t i = 0; i < step; i++) {
            fr_to_plain(&plain[i], &values[first + i]);
        }
        digest_values(hash, plain, step);
    }
    cuzk_blake2s_final(hash, digest);
}
