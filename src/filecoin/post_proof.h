/* Vanilla proofs of WinningPoSt and WindowPoSt: one document per sector (circuits.md 6.4,
 * engine.md 7.2). */
#ifndef CUZK_FILECOIN_POST_PROOF_H
#define CUZK_FILECOIN_POST_PROOF_H

#include "filecoin/porep_proof.h"

typedef struct post_sector_proof {
    uint64_t sector_id;
    digest comm_r, comm_c, comm_r_last;
    unsigned n_challenges;
    merkle_proof *inclusions; /* n_challenges paths in TreeR */
    void *memory;             /* where everything lies */
} post_sector_proof;

/* Reads one document. Every count must be that of the tree shape and of n_challenges; memory is
 * bounded by them, never by the input. Node values and indices are not judged here but for index <
 * arity. Fails: CUZK_E_INPUT "NAME: offset N: ..." naming the challenge; CUZK_E_NO_MEMORY. */
cuzk_status cuzk_post_sector_read(post_sector_proof *proof, const tree_shape *shape,
                                  unsigned n_challenges, const uint8_t *data, size_t len_bytes,
                                  const char *name, cuzk_error *err);
void cuzk_post_sector_clear(post_sector_proof *proof); /* accepts a zeroed one */

#endif
