/* The PoSt circuit (FallbackPoSt), one partition: WinningPoSt and WindowPoSt. circuits.md
 * chapter 4.
 */
#ifndef CUZK_CIRCUITS_FALLBACK_POST_H
#define CUZK_CIRCUITS_FALLBACK_POST_H

#include "circuits/tree_paths.h"
#include "filecoin/param_set.h"
#include "filecoin/post_proof.h"

/* All that the constraints depend on. */
typedef struct post_shape {
    unsigned log2_nodes;
    tree_shape tree; /* of TreeR: arities 2, 4 or 8 */
    unsigned n_sectors;
    unsigned n_challenges; /* of each sector */
} post_shape;

/* set: CIRCUIT_WINNING or CIRCUIT_WINDOW. */
post_shape cuzk_post_shape_of(const param_set *set);

typedef struct fallback_post {
    post_shape shape;
    merkle_shape tree;
    const post_sector_proof *proofs; /* NULL: no values */
    size_t n_proofs;
    unsigned partition; /* what errors call it */
} fallback_post;

/* proofs: NULL for a circuit without values, else borrowed as long as the circuit; those of this
 * partition, in order. Either the only one holds n_sectors * n_challenges inclusion proofs, which
 * are spread over the sectors (WinningPoSt), or each has n_challenges and the last one is repeated
 * until the circuit is full (WindowPoSt).
 * Fails: CUZK_E_RANGE for a shape that no circuit has, CUZK_E_INCONSISTENT when the proofs have not
 * this shape, naming sector and challenge. */
cuzk_status cuzk_fallback_post_init(fallback_post *c, const post_shape *shape,
                                    const post_sector_proof *proofs, size_t n_proofs,
                                    unsigned partition, cuzk_error *err);
/* c is borrowed. Synthesis with values fails with CUZK_E_INPUT where a value is not below r. One
 * dense part a sector. */
r1cs_circuit cuzk_fallback_post_circuit(const fallback_post *c);

#endif
