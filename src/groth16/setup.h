/* Trusted setup for local test parameters: groth16.md 3. Insecure by nature: whoever runs it knows
 * the toxic values. */
#ifndef CUZK_GROTH16_SETUP_H
#define CUZK_GROTH16_SETUP_H

#include "groth16/groth16.h"
#include "hash/rng.h"

/* The toxic values: base points (any elements of the groups) and the five scalars, Montgomery. */
typedef struct groth16_toxic {
    g1_affine g1;
    g2_affine g2;
    fr alpha, beta, gamma, delta, tau;
} groth16_toxic;

/* In the reference's order of draws: G1, G2, alpha, beta, gamma, delta, tau. */
void cuzk_groth16_toxic_draw(groth16_toxic *toxic, const rng_source *rng);
/* Fr::random of the reference. */
void cuzk_fr_random(fr *r, const rng_source *rng);

/* Receives the key in file order: first the verifying key (complete), then each section's points in
 * order, in runs. The count of a section is known before its first run. Any return but CUZK_OK ends
 * the setup. */
typedef struct groth16_sink {
    void *self;
    cuzk_status (*vk)(void *self, const groth16_vk *vk, cuzk_error *err);
    cuzk_status (*section)(void *self, groth16_section section, uint64_t n_points, cuzk_error *err);
    cuzk_status (*g1)(void *self, const g1_affine *points, size_t n, cuzk_error *err);
    cuzk_status (*g2)(void *self, const g2_affine *points, size_t n, cuzk_error *err);
} groth16_sink;

/* Memory: one field element a variable, tables, buffers of a chunk (2^27: below 12 GB); synthesises
 * the circuit once for each of L, A, B. Fails: CUZK_E_INCONSISTENT for an unconstrained variable
 * (named), CUZK_E_CANCELLED, what the sink returns. */
cuzk_status cuzk_groth16_setup(const cuzk_ctx *ctx, const groth16_sink *sink,
                               const r1cs_circuit *circuit, const groth16_toxic *toxic,
                               cuzk_error *err);

/* A key held in memory: what tests use, filled by a sink. Its source is resident. */
typedef struct groth16_memory_key groth16_memory_key;
cuzk_status cuzk_groth16_memory_key_create(groth16_memory_key **key, const cuzk_ctx *ctx,
                                           const r1cs_circuit *circuit, const groth16_toxic *toxic,
                                           cuzk_error *err);
void cuzk_groth16_memory_key_destroy(groth16_memory_key *key);
const groth16_pk *cuzk_groth16_memory_key_pk(const groth16_memory_key *key);

#endif
