/* Trees and paths of vanilla proofs. */
#include "circuits/tree_paths.h"

/* Appends n levels; returns false when that makes no tree. */
static bool add_levels(merkle_shape *tree, unsigned arity, unsigned n) {
    if ((arity != 2 && arity != 4 && arity != 8) || n > MERKLE_GADGET_MAX_LEVELS - tree->n_levels) {
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        tree->arity[tree->n_levels++] = (uint8_t)arity;
    }
    return true;
}

static unsigned log2_leaves_of(const merkle_shape *tree) {
    unsigned sum = 0;
    for (unsigned i = 0; i < tree->n_levels; i++) {
        sum += (unsigned)__builtin_ctz(tree->arity[i]);
    }
    return sum;
}

bool cuzk_tree_levels(merkle_shape *tree, tree_hash hash, const tree_shape *shape,
                      unsigned log2_leaves) {
    *tree = (merkle_shape){.hash = hash};
    return add_levels(tree, shape->base, shape->n_base_levels) &&
           (shape->sub == 0 || add_levels(tree, shape->sub, 1)) &&
           (shape->top == 0 || add_levels(tree, shape->top, 1)) &&
           log2_leaves_of(tree) == log2_leaves;
}

bool cuzk_path_fits(const merkle_proof *path, const merkle_shape *tree) {
    if (path->n_levels != tree->n_levels || path->siblings == NULL) {
        return false;
    }
    for (unsigned i = 0; i < tree->n_levels; i++) {
        if (path->position[i] >= tree->arity[i]) {
            return false;
        }
    }
    return true;
}
