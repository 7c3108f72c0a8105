/* Keys without a file: points with known logarithms, made in chunks when they are asked for. Proofs
 * of any size run with one and are checked without a pairing. Not a setup: no verifier accepts such
 * a proof. For tests and benchmarks.
 *
 * Point i of a section is [row[i / GRID_COLUMNS] + column[i % GRID_COLUMNS]] G with random
 * logarithms: one addition a point, and no two points of a key are related in a way that sums see.
 * The sections b_g1 and b_g2 have the same logarithms, all others their own rows. */
#ifndef CUZK_GROTH16_TEST_KEY_H
#define CUZK_GROTH16_TEST_KEY_H

#include "groth16/groth16.h"

typedef struct groth16_test_key groth16_test_key;

/* A key of these sizes; the same seed gives the same key. Its points are made by the pool of who
 * acquires them. ctx->account is kept: it is charged with the rows, the columns, and every chunk
 * in use. Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_groth16_test_key_create(groth16_test_key **key, const cuzk_ctx *ctx,
                                         const groth16_dims *dims, uint64_t seed, cuzk_error *err);
void cuzk_groth16_test_key_destroy(groth16_test_key *key); /* accepts NULL; no chunk is in use */
const groth16_pk *cuzk_groth16_test_key_pk(const groth16_test_key *key);

/* The logarithm of point i of a section. */
void cuzk_groth16_test_key_log(fr *log, const groth16_test_key *key, groth16_section section,
                               uint64_t i);
/* CPU time that making points has cost so far, section by section: what a proof with this key takes
 * beyond one from a file. */
void cuzk_groth16_test_key_cost(const groth16_test_key *key, uint64_t cpu_ns[GROTH16_SECTIONS]);

/* Whether a proof made with this key is the right one: its elements are recomputed from the
 * logarithms, the values of w, and h. h is computed anew and must satisfy
 * h(x) (x^N - 1) = a(x) b(x) - c(x) at a point x drawn here, with a, b, c evaluated from the rows.
 * c is a b, as for the prover. Memory: two polynomials of the domain.
 * Fails: CUZK_E_PROOF_INVALID naming what is wrong, CUZK_E_INCONSISTENT (w does not satisfy),
 * CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_groth16_test_key_check(const groth16_test_key *key, const cuzk_ctx *ctx,
                                        const groth16_proof *proof, const r1cs_densities *densities,
                                        const r1cs_assignment *w, const fr_plain *r,
                                        const fr_plain *s, cuzk_error *err);

#endif
