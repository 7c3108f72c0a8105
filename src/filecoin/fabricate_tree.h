/* Trees over more leaves than anybody could hash, known where they are opened (circuits.md 7.3,
 * 7.5). Two kinds: sparse trees hold some leaves and the nodes above them, the rest is made up;
 * fold trees repeat a few leaves in a pattern that leaves few different nodes in a level, and are
 * known everywhere. */
#ifndef CUZK_FILECOIN_FABRICATE_TREE_H
#define CUZK_FILECOIN_FABRICATE_TREE_H

#include "base/pool.h"
#include "filecoin/fabricate_value.h"
#include "filecoin/porep_proof.h"

/* Siblings of one path of a tree. */
size_t cuzk_tree_siblings(const tree_shape *shape);

/* Puts numbers of nodes into ascending order, each once; returns how many are left. */
size_t cuzk_sort_nodes(uint64_t *nodes, size_t n);
/* Place of a number among n ascending ones, n if it is none of them. */
size_t cuzk_find_node(const uint64_t *nodes, size_t n, uint64_t node);

/* ---- sparse trees ---- */

/* The opened leaves and their ancestors, each level in ascending order. A node that is not among
 * them is `filler` of (level, index). Poseidon. */
typedef struct sparse_tree {
    tree_shape shape;
    fabricate_source filler;
    struct sparse_level {
        uint64_t *indexes;
        digest *nodes;
        size_t n;
    } levels[MERKLE_MAX_LEVELS + 1];
    void *memory;
    size_t charged_bytes;
    cuzk_account *account;
} sparse_tree;

/* Hashes from the leaves up.
 *   shape    of a tree that has the leaves
 *   indexes  n numbers of leaves, ascending, no two equal; n at least 1
 *   leaves   n field elements
 * Memory, charged to ctx->account: 40 bytes a node, at most 40 n (levels + 1).
 * Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED; the tree is then empty. */
cuzk_status cuzk_sparse_tree_grow(sparse_tree *tree, const cuzk_ctx *ctx, const tree_shape *shape,
                                  const fabricate_source *filler, const uint64_t *indexes,
                                  const digest *leaves, size_t n, cuzk_error *err);
void cuzk_sparse_tree_clear(sparse_tree *tree); /* accepts a zeroed one */
const digest *cuzk_sparse_tree_root(const sparse_tree *tree);
/* The path of one of the leaves. siblings: room for cuzk_tree_siblings(shape); kept by *path. */
void cuzk_sparse_tree_open(merkle_proof *path, digest *siblings, const sparse_tree *tree,
                           uint64_t leaf);

/* ---- fold trees ---- */

/* The fold of a node is the XOR of the digits of its number, that is, of its position among its
 * siblings and that of each of its ancestors. Leaves of one run (the leaves are cut into 2^k equal
 * ones) with the same fold are equal; so are then nodes of one level and run with the same fold.
 * The children of a node all have different folds: no sibling equals another. */
typedef struct fold_tree {
    tree_shape shape;
    bool sha256;        /* TreeD; else Poseidon */
    unsigned n_folds;   /* the largest arity, a power of two */
    unsigned log2_runs; /* k */
    struct fold_level {
        unsigned log2_n; /* nodes of the level */
        bool folded;     /* values are those of run r with fold x at r n_folds + x; else node by
                            node, for a level that has not more */
        digest *nodes;
    } levels[MERKLE_MAX_LEVELS + 1];
    void *memory;
    size_t charged_bytes;
    cuzk_account *account;
} fold_tree;

/* The number of a leaf folded; TreeD: its parity. */
unsigned cuzk_fold(const tree_shape *shape, uint64_t leaf);

/* Hashes from the leaves up.
 *   shape   all arities powers of two up to 8; all 2 with sha256
 *   leaves  of run r with fold x at r n_folds + x, where n_folds is the largest arity; field
 *           elements
 * The tree must have 2^log2_runs n_folds leaves or more.
 * Memory, charged to ctx->account: at most 32 n_folds 2^log2_runs (levels + 1) bytes.
 * Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED; the tree is then empty. */
cuzk_status cuzk_fold_tree_grow(fold_tree *tree, const cuzk_ctx *ctx, const tree_shape *shape,
                                bool sha256, unsigned log2_runs, const digest *leaves,
                                cuzk_error *err);
void cuzk_fold_tree_clear(fold_tree *tree); /* accepts a zeroed one */
/* Any node; level 0 has the leaves. */
const digest *cuzk_fold_tree_node(const fold_tree *tree, unsigned level, uint64_t index);
const digest *cuzk_fold_tree_root(const fold_tree *tree);
/* The path of any leaf. siblings: room for cuzk_tree_siblings(shape); kept by *path. */
void cuzk_fold_tree_open(merkle_proof *path, digest *siblings, const fold_tree *tree,
                         uint64_t leaf);

#endif
