/* Merkle paths in constraints, over Poseidon and SHA-256 trees. circuits.md 2.9 and 2.12. */
#ifndef CUZK_GADGETS_MERKLE_GADGET_H
#define CUZK_GADGETS_MERKLE_GADGET_H

#include "gadgets/num.h"

typedef enum tree_hash { TREE_POSEIDON, TREE_SHA256 } tree_hash;

/* The parent of arity (2, 4 or 8) nodes. */
num cuzk_tree_hash(r1cs_cs *cs, tree_hash hash, const num *nodes, unsigned arity);
/* The same for SHA-256 and two nodes given as 256 bits each, least significant first. */
num cuzk_tree_hash_bits(r1cs_cs *cs, const word32 left[8], const word32 right[8]);

#define MERKLE_GADGET_MAX_LEVELS 40
/* Arities of the levels from the leaves up: 2, 4 or 8. */
typedef struct merkle_shape {
    tree_hash hash;
    unsigned n_levels;
    uint8_t arity[MERKLE_GADGET_MAX_LEVELS];
} merkle_shape;

/* The values of a path; both NULL where there are none. */
typedef struct merkle_path {
    const uint8_t *position; /* of the running node among its siblings, for each level */
    const uint8_t *siblings; /* arity - 1 of 32 bytes, little-endian, for each level */
} merkle_path;

/* Allocates the path's bits and siblings, hashes up from the leaf, and packs the bits into one
 * input. Returns the root it leads to. A sibling that is not below r fails the system with
 * CUZK_E_INPUT. */
num cuzk_merkle_climb(r1cs_cs *cs, const merkle_shape *shape, const merkle_path *path,
                      const num *leaf);
/* The same, and (computed root)(1) = (root): a path with a private root. */
void cuzk_merkle_prove(r1cs_cs *cs, const merkle_shape *shape, const merkle_path *path,
                       const num *leaf, const num *root);
/* The same with bits and siblings already allocated (log2 of the arity and arity - 1 for each
 * level) and no input. */
void cuzk_merkle_prove_at(r1cs_cs *cs, const merkle_shape *shape, const cs_bit *bits,
                          const num *siblings, const num *leaf, const num *root);

#endif
