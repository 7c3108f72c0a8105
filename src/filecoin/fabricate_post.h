/* PoSt vanilla proofs of one sector without the sector (circuits.md 7.5). */
#ifndef CUZK_FILECOIN_FABRICATE_POST_H
#define CUZK_FILECOIN_FABRICATE_POST_H

#include "base/pool.h"
#include "filecoin/post_proof.h"

/* The answer of a sector whose replica comes from `seed`: only the challenged leaves exist.
 *   proof       out  cleared by cuzk_post_sector_clear
 *   randomness  in   a field element
 *   place       in   of the sector in the whole proof, over all partitions
 * Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_fabricate_post_sector(post_sector_proof *proof, const cuzk_ctx *ctx,
                                       const post_proof_type *type, uint64_t seed,
                                       const digest *randomness, uint64_t sector_number,
                                       uint64_t place, cuzk_error *err);

#endif
