/* Merkle proofs in bincode (circuits.md 6.2): what the PoSt and update readers share. */
#ifndef CUZK_FILECOIN_MERKLE_BINCODE_H
#define CUZK_FILECOIN_MERKLE_BINCODE_H

#include "codec/bincode.h"
#include "filecoin/porep_proof.h"

/* Arities of a path, leaf level first; *n_levels gets their number; returns the number of siblings.
 */
size_t cuzk_merkle_arities(unsigned arities[MERKLE_MAX_LEVELS], unsigned *n_levels,
                           const tree_shape *shape);
/* One proof of a tree of that shape: variant, path lengths, siblings and positions must fit it.
 * siblings: out, as many as cuzk_merkle_arities says; kept by *proof. */
cuzk_status cuzk_merkle_proof_read_bincode(merkle_proof *proof, digest *siblings, bincode *b,
                                           const tree_shape *shape);

#endif
