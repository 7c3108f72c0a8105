/* Digests of what a circuit with values comes to: BLAKE2s-256 of each whole vector, values
 * canonical, 32 bytes little-endian each. The reference's witness files have the same. */
#ifndef CUZK_R1CS_VECTOR_DIGESTS_H
#define CUZK_R1CS_VECTOR_DIGESTS_H

#include "hash/blake2.h"
#include "r1cs/assignment.h"
#include "r1cs/structure.h"

/* aux variables; A w, B w, C w of every row, input rows included. */
typedef struct r1cs_vector_digests {
    uint8_t aux[BLAKE2S_BYTES], a[BLAKE2S_BYTES], b[BLAKE2S_BYTES], c[BLAKE2S_BYTES];
} r1cs_vector_digests;

/* aux, a and b as the assignment has them; c from the explicit combinations, which the rows are
 * checked against on the way (witness.h). first_unsatisfied: as cuzk_r1cs_check.
 * Fails: CUZK_E_CANCELLED; as cuzk_r1cs_check. */
cuzk_status cuzk_r1cs_vector_digests(r1cs_vector_digests *digests, uint64_t *first_unsatisfied,
                                     const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                     const r1cs_assignment *w, cuzk_error *err);

/* Of one vector in Montgomery form. */
void cuzk_r1cs_digest_fr(uint8_t digest[BLAKE2S_BYTES], const fr *values, uint64_t n);

#endif
