/* Checks a PoRep vanilla proof natively before any time goes into a Groth16 proof: what the circuit
 * enforces, and what the verifier will derive. */
#ifndef CUZK_FILECOIN_POREP_CHECK_H
#define CUZK_FILECOIN_POREP_CHECK_H

#include "base/pool.h"
#include "filecoin/porep_inputs.h"

/* CUZK_OK if and only if every partition's circuit is satisfied by the document and its public
 * inputs are those that the request's verifier derives. In detail:
 *   document   proof type as requested, number of partitions and challenges, commitments and seed,
 *              replica_id from miner, sector, ticket and comm_d, comm_r = H(comm_c, comm_r_last)
 *   challenge  node and every path index as derived from the randomness, parents as in the graph,
 *              rows, leaves and siblings below the field modulus, column hashes, labels of all
 *              layers, TreeR leaf = last label + data leaf, every path to its root
 *
 *   request  in  NULL: the document by itself, with the replica_id that it states
 * Fails: CUZK_E_INPUT for values out of range, CUZK_E_INCONSISTENT for those that do not fit
 * together; the text names the first failing partition and challenge, the part and, for paths, the
 * level; the same text at any number of workers; err->sector is set if it names the sector.
 * CUZK_E_CANCELLED.
 * Cost: 0.5 s CPU for 32 GiB; tasks are single challenges, a few ms each.
 * Source: circuits.md 3.2, 3.3, 6.3, chapter 10; engine.md 8.1. */
cuzk_status cuzk_porep_check(const cuzk_ctx *ctx, const porep_proof *proof,
                             const porep_request *request, cuzk_error *err);

#endif
