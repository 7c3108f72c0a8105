/* Small Merkle trees with all their nodes, to open anywhere. */
#ifndef CUZK_TESTS_WHOLE_TREE_H
#define CUZK_TESTS_WHOLE_TREE_H

#include "filecoin/merkle.h"

/* Level after level, leaves first. */
typedef struct whole_tree {
    tree_shape shape;
    digest *levels[MERKLE_MAX_LEVELS + 1];
} whole_tree;

/* The parent of arity nodes; 2 of them for SHA-256. */
void test_hash_children(digest *r, const digest *children, unsigned arity, bool sha256);

/* leaves: n of them from malloc; kept, freed with the tree by test_tree_fell */
void test_tree_grow(whole_tree *t, tree_shape shape, digest *leaves, uint64_t n, bool sha256);
void test_tree_fell(whole_tree *t);
const digest *test_tree_root(const whole_tree *t);
/* path->siblings is from malloc and the caller's. */
void test_tree_open(merkle_proof *path, const whole_tree *t, uint64_t leaf);

#endif
