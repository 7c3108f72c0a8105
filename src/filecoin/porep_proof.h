/* The vanilla proof of a PoRep: the C1 document as plain structures (circuits.md 6.3). */
#ifndef CUZK_FILECOIN_POREP_PROOF_H
#define CUZK_FILECOIN_POREP_PROOF_H

#include "base/memory.h"
#include "filecoin/digest.h"
#include "filecoin/sector.h"

#define MERKLE_MAX_LEVELS 40

/* A Merkle path from a leaf to its root. Arities are those of the tree (tree_shape for TreeR and
 * TreeC, 2 for TreeD). */
typedef struct merkle_proof {
    digest root, leaf;
    unsigned n_levels; /* all of base, sub and top */
    uint8_t
        position[MERKLE_MAX_LEVELS]; /* of the running node among its siblings, leaf level first */
    const digest *siblings;          /* arity - 1 a level, in order, the running node left out */
} merkle_proof;

typedef struct porep_column {
    uint32_t index;
    const digest *rows; /* one per layer, layer 1 first */
    merkle_proof inclusion;
} porep_column;

#define POREP_DRG_PARENTS 6
#define POREP_EXP_PARENTS 8
#define POREP_PARENTS (POREP_DRG_PARENTS + POREP_EXP_PARENTS)

typedef struct porep_challenge_proof {
    uint64_t node;                       /* labeling_proofs[0].node: the challenged node */
    merkle_proof comm_d;                 /* TreeD, SHA-256 */
    merkle_proof comm_r_last;            /* TreeR */
    porep_column c_x;                    /* the challenged node's column in TreeC */
    porep_column parents[POREP_PARENTS]; /* 6 drg, then 8 expander */
} porep_challenge_proof;

/* A whole C1 document. Owns its memory. */
typedef struct porep_proof {
    const seal_proof_type *type; /* registered_proof */
    uint64_t sector_number;      /* of the wrapper, if it has one */
    bool has_sector_number;
    digest comm_r, comm_d, replica_id, seed, ticket;
    unsigned n_partitions, n_challenges; /* challenges of each partition */
    porep_challenge_proof *challenges; /* n_partitions * n_challenges, partition after partition */
    void *memory;                      /* where everything lies; freed by cuzk_porep_proof_clear */
} porep_proof;

#endif
