/* Writes the bincode vanilla proofs that cuzk_post_sector_read and cuzk_update_partition_read read
 * (circuits.md 6.2, 6.4, 6.5; engine.md 7.2). */
#ifndef CUZK_FILECOIN_VANILLA_WRITER_H
#define CUZK_FILECOIN_VANILLA_WRITER_H

#include "filecoin/post_proof.h"
#include "filecoin/update_proof.h"

/* Length of a sector's document: 24,960 bytes for Window, 32 GiB. */
size_t cuzk_post_sector_bytes(const tree_shape *shape, unsigned n_challenges);
/* out: cuzk_post_sector_bytes(shape, proof->n_challenges) bytes */
void cuzk_post_sector_write(uint8_t *out, const post_sector_proof *proof, const tree_shape *shape);

/* Length of a partition's document; log2_nodes is the number of levels of TreeD. */
size_t cuzk_update_partition_bytes(const tree_shape *shape, unsigned log2_nodes,
                                   unsigned n_apex_leaves, unsigned n_challenges);
/* out: as many bytes as that says */
void cuzk_update_partition_write(uint8_t *out, const update_partition_proof *proof,
                                 const tree_shape *shape, unsigned log2_nodes);

#endif
