/* The vanilla proofs of an update without sectors (circuits.md 5, 7.5). Its challenges depend on
 * the new replica, so the replicas and the data are fold trees, known everywhere. */
#ifndef CUZK_FILECOIN_FABRICATE_UPDATE_H
#define CUZK_FILECOIN_FABRICATE_UPDATE_H

#include "filecoin/fabricate_tree.h"
#include "filecoin/param_set.h"
#include "filecoin/update_proof.h"

/* Both replicas and the new data: two data values, eight old replica values; new replica leaf = old
 * + data * rho, with a rho for each run. */
typedef struct fabricated_update {
    param_set set;
    digest comm_c, comm_r_old, comm_d_new, comm_r_new;
    fold_tree tree_r_old, tree_d_new, tree_r_new;
} fabricated_update;

/* The values come from seed and sector number.
 * Memory, charged to ctx->account: about 2 MB for 32 GiB.
 * Cost: 1.2 s CPU for 32 GiB.
 * Fails: CUZK_E_UNSUPPORTED (a size without updates), CUZK_E_NO_MEMORY, CUZK_E_CANCELLED; nothing
 * is left to clear. */
cuzk_status cuzk_fabricate_update(fabricated_update *made, const cuzk_ctx *ctx,
                                  const sector_size *size, uint64_t seed, uint64_t sector_number,
                                  cuzk_error *err);
void cuzk_fabricated_update_clear(fabricated_update *made); /* accepts a zeroed one */

/* The document of a partition below made->set.n_partitions; cleared by
 * cuzk_update_partition_clear. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_fabricated_update_partition(update_partition_proof *proof,
                                             const fabricated_update *made, unsigned partition,
                                             cuzk_error *err);

#endif
