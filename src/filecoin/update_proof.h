/* Vanilla proofs of SnapDeals updates: one document per partition (circuits.md 6.5, engine.md 7.2).
 */
#ifndef CUZK_FILECOIN_UPDATE_PROOF_H
#define CUZK_FILECOIN_UPDATE_PROOF_H

#include "filecoin/porep_proof.h"

typedef struct update_challenge_proof {
    merkle_proof r_old; /* TreeR of the old replica */
    merkle_proof d_new; /* TreeD of the new data */
    merkle_proof r_new; /* TreeR of the new replica */
} update_challenge_proof;

typedef struct update_partition_proof {
    digest comm_c;
    unsigned n_apex_leaves;
    digest *apex_leaves;
    unsigned n_challenges;
    update_challenge_proof *challenges;
    void *memory; /* where everything lies */
} update_partition_proof;

/* Reads one document, as cuzk_post_sector_read does; log2_nodes is the number of levels of TreeD.
 */
cuzk_status cuzk_update_partition_read(update_partition_proof *proof, const tree_shape *shape,
                                       unsigned log2_nodes, unsigned n_apex_leaves,
                                       unsigned n_challenges, const uint8_t *data, size_t len_bytes,
                                       const char *name, cuzk_error *err);
void cuzk_update_partition_clear(update_partition_proof *proof); /* accepts a zeroed one */

#endif
