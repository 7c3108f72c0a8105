/* Sector sizes, proof kinds and registered proof numbers: the tables of circuits.md 3.1, 4.1, 5.1,
 * 6.6 and engine.md 6. */
#ifndef CUZK_FILECOIN_SECTOR_H
#define CUZK_FILECOIN_SECTOR_H

#include "base/status.h"

/* Arities of TreeR and TreeC: levels of `base`, then one level of sub and one of top unless 0. */
typedef struct tree_shape {
    unsigned base, sub, top;
    unsigned n_base_levels;
} tree_shape;

/* Levels of a tree: base, sub and top together. */
static inline unsigned tree_shape_levels(const tree_shape *s) {
    return s->n_base_levels + (s->sub != 0) + (s->top != 0);
}
/* Arity of a level, leaf level first; level below tree_shape_levels. */
static inline unsigned tree_shape_arity(const tree_shape *s, unsigned level) {
    return level < s->n_base_levels ? s->base : level == s->n_base_levels ? s->sub : s->top;
}

/* A binary tree, such as TreeD. */
static inline tree_shape tree_shape_binary(unsigned n_levels) {
    return (tree_shape){.base = 2, .n_base_levels = n_levels};
}

#define FILECOIN_MAX_LAYERS 11
#define POREP_MAX_PARTITIONS 126
#define POREP_MAX_CHALLENGES 18 /* of a partition */
#define WINNING_SECTORS 66      /* sectors of the circuit, one challenge each */
#define WINDOW_CHALLENGES 10
#define UPDATE_MAX_APEX_LEAVES 128 /* of a partition */

/* A member that does not exist for a size is 0: 1 and 8 KiB serve updates only, 1 GiB has none. */
typedef struct sector_size {
    const char *name; /* "2KiB" */
    const char *id;   /* "2k" */
    uint64_t bytes;
    uint64_t nodes; /* bytes / 32 */
    unsigned log2_nodes;
    tree_shape shape;
    unsigned n_layers;
    unsigned interactive_partitions, interactive_challenges; /* challenges a partition */
    unsigned ni_partitions, ni_challenges;                   /* non-interactive */
    unsigned window_sectors;                                 /* a Window partition */
    bool published;                                /* real parameters and registered proofs exist */
    unsigned update_partitions, update_challenges; /* challenges a partition */
    unsigned update_apex_leaves;                   /* a partition */
    unsigned update_h; /* high bits of a challenge that choose rho, the default option */
} sector_size;

extern const sector_size cuzk_sector_sizes[];
extern const size_t cuzk_n_sector_sizes;
/* NULL if there is none. */
const sector_size *cuzk_sector_size_by_bytes(uint64_t bytes);

typedef enum porep_version { POREP_V1_0, POREP_V1_1, POREP_V1_2 } porep_version;
typedef enum porep_feature {
    POREP_INTERACTIVE,
    POREP_SYNTHETIC,
    POREP_NON_INTERACTIVE
} porep_feature;

/* A RegisteredSealProof. */
typedef struct seal_proof_type {
    unsigned number;
    const char *name; /* "StackedDrg2KiBV1_1" */
    const sector_size *size;
    porep_version version;
    porep_feature feature;
    unsigned n_partitions, n_challenges;
} seal_proof_type;
/* NULL if there is none. */
const seal_proof_type *cuzk_seal_proof_by_number(uint64_t number);
const seal_proof_type *cuzk_seal_proof_by_name(const char *name, size_t len);

/* A RegisteredPoStProof. */
typedef struct post_proof_type {
    unsigned number;
    const char *name; /* as on chain: "StackedDrgWindow2KiBV1_1" */
    const sector_size *size;
    bool winning;          /* else Window */
    porep_version version; /* POREP_V1_0 or POREP_V1_2: how challenges are derived */
} post_proof_type;
/* NULL if there is none. */
const post_proof_type *cuzk_post_proof_by_number(uint64_t number);

/* A RegisteredUpdateProof. */
typedef struct update_proof_type {
    unsigned number;
    const char *name; /* "StackedDrg2KiBV1" */
    const sector_size *size;
} update_proof_type;
/* NULL if there is none. */
const update_proof_type *cuzk_update_proof_by_number(uint64_t number);

#endif
