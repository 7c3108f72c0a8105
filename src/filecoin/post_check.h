/* Checks PoSt vanilla proofs natively before any time goes into a Groth16 proof: what the circuit
 * enforces, and what the verifier will derive. */
#ifndef CUZK_FILECOIN_POST_CHECK_H
#define CUZK_FILECOIN_POST_CHECK_H

#include "base/pool.h"
#include "filecoin/post_inputs.h"

/* CUZK_OK if and only if every partition's circuit is satisfied by the vanilla proofs and its
 * public inputs are those that the statement implies. In detail:
 *   statement  as cuzk_post_statement_check
 *   sector     id and comm_r as in the statement, number of inclusion proofs, comm_r, comm_c and
 *              comm_r_last below the field modulus, comm_r = H(comm_c, comm_r_last)
 *   challenge  position as derived from randomness and sector, leaf and siblings below the modulus,
 *              the path leads from the leaf to comm_r_last, and its stated root is that
 *
 *   proofs  in   s->n_sectors vanilla proofs, in the statement's order
 *   bad     out  unless NULL: s->n_sectors flags, whether that sector has a fault; written only
 *                when sectors were looked at (else all false)
 *
 * Fails: CUZK_E_INPUT for values out of range, CUZK_E_INCONSISTENT for those that do not fit
 * together. All sectors are looked at; the text names the first bad one, its first bad challenge
 * and what is wrong, and ends in a list of all bad sectors for programs:
 *   vanilla proof of sector 101, challenge 3 is inconsistent: ... [partition=0 bad=4 of=2349
 *   bad_sectors=101,115-117]
 * (one line, ascending numbers, A-B for A to B; a list that would make the text too long ends in
 * ",..."). The same text at any number of workers. CUZK_E_CANCELLED, CUZK_E_NO_MEMORY.
 * Cost: 0.3 ms CPU for each inclusion proof of a 32 GiB sector; a task has up to ten of them.
 * Source: circuits.md 4.2, 6.8, chapter 10; engine.md 8.1; the list: docs/formats/post_errors.md.
 */
cuzk_status cuzk_post_check(const cuzk_ctx *ctx, const post_sector_proof *proofs,
                            const post_statement *s, bool *bad, cuzk_error *err);

/* The numbers of the flagged sectors, *n of them, ascending; free() them. NULL if none is flagged
 * or there is no memory. */
uint64_t *cuzk_post_bad_numbers(size_t *n, const post_statement *s, const bool *bad);

#endif
