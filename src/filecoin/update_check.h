/* Checks the vanilla proofs of an update natively before any time goes into a Groth16 proof: what
 * the circuit enforces, and what the verifier will derive. */
#ifndef CUZK_FILECOIN_UPDATE_CHECK_H
#define CUZK_FILECOIN_UPDATE_CHECK_H

#include "base/pool.h"
#include "filecoin/update_inputs.h"
#include "filecoin/update_proof.h"

/* CUZK_OK if and only if every partition's circuit is satisfied by its vanilla proof and the
 * statement. In detail:
 *   statement  commitments as cuzk_update_statement_check; number of partitions, of challenges and
 *              of apex leaves
 *   partition  comm_r_old and comm_r_new = H(comm_c, root of that replica's tree); the apex leaves
 *              hash up to comm_d_new
 *   challenge  every path index as derived from comm_r_new, leaves and siblings below the field
 *              modulus, new replica's leaf = old one + data leaf * rho, every path to its root, the
 *              data's path through the apex leaf of that place
 *   proofs  in  n_proofs of them, partition 0 first
 * Fails: CUZK_E_INPUT for values out of range, CUZK_E_INCONSISTENT for those that do not fit
 * together; the text names the first failing partition and challenge, the tree and, for siblings,
 * the level; the same text at any number of workers. CUZK_E_CANCELLED.
 * Cost: 1,376 challenges of 32 GiB, 0.6 ms CPU each, a task each.
 * Source: circuits.md 5.3, 6.5, 6.8, chapter 10; engine.md 8.1. */
cuzk_status cuzk_update_check(const cuzk_ctx *ctx, const update_statement *statement,
                              const update_partition_proof *proofs, size_t n_proofs,
                              cuzk_error *err);

#endif
