/* Trees and paths of vanilla proofs, in the form gadgets take them. */
#ifndef CUZK_CIRCUITS_TREE_PATHS_H
#define CUZK_CIRCUITS_TREE_PATHS_H

#include "filecoin/porep_proof.h"
#include "gadgets/merkle_gadget.h"

/* The levels of a tree of 2^log2_leaves leaves. False when the shape has other arities than 2, 4
 * and 8, too many levels or another number of leaves. */
bool cuzk_tree_levels(merkle_shape *tree, tree_hash hash, const tree_shape *shape,
                      unsigned log2_leaves);
/* Has the path the tree's levels, and is every position below its level's arity? */
bool cuzk_path_fits(const merkle_proof *path, const merkle_shape *tree);

static inline const uint8_t *digest_bytes(const digest *d) { return d == NULL ? NULL : d->bytes; }
/* path: NULL where there are no values. */
static inline merkle_path path_values(const merkle_proof *path) {
    return path == NULL
               ? (merkle_path){0}
               : (merkle_path){.position = path->position, .siblings = path->siblings->bytes};
}

#endif
