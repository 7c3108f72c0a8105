/* A PoRep vanilla proof without a sector (circuits.md 7.5). Of an interactive proof type only the
 * nodes that challenges need exist: their labels are right, those of other nodes made up. The other
 * types' challenges depend on the whole replica, so small sectors are sealed for them instead. */
#ifndef CUZK_FILECOIN_FABRICATE_POREP_H
#define CUZK_FILECOIN_FABRICATE_POREP_H

#include "base/pool.h"
#include "filecoin/porep_proof.h"
#include "filecoin/porep_request.h"

/* Largest sector that is sealed: 8 MiB. */
#define FABRICATE_MAX_SEALED_NODES ((uint64_t)1 << 18)

typedef struct fabricated_porep fabricated_porep;

/* Data, ticket and seed come from `seed`; miner and sector from the request, the rest of which is
 * not read. Data: two values in the pattern of a fold tree (fabricate_tree.h), so that no sibling
 * of a data path equals its node.
 * Memory, charged to ctx->account: about 3 MB for 32 GiB, 60 MB for a sealed 8 MiB.
 * Cost: 0.5 s CPU for 32 GiB; 13 s for a sealed 8 MiB, its labels on the calling thread.
 * Fails: CUZK_E_UNSUPPORTED (a sector too large to be sealed), CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_fabricate_porep(fabricated_porep **made, const cuzk_ctx *ctx,
                                 const seal_proof_type *type, uint64_t seed,
                                 const porep_request *request, cuzk_error *err);
void cuzk_fabricated_porep_destroy(fabricated_porep *made); /* accepts NULL */

/* The document but for its challenges. */
const porep_proof *cuzk_fabricated_porep_document(const fabricated_porep *made);
/* Challenge `number` of all, partition after partition; valid until the next call, as long as
 * `made`. */
const porep_challenge_proof *cuzk_fabricated_porep_challenge(fabricated_porep *made, size_t number);

#endif
