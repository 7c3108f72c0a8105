/* Sector sizes, proof kinds and registered proof numbers: the tables of circuits.md 3.1, 4.1, 5.1, 6.6 and engine.md 6. */
#ifndef CUZK_FILECOIN_SECTOR_H
#define CUZK_FILECOIN_SECTOR_H

#include "base/status.h"

/* Arities of TreeR and TreeC: levels of 8, then one level of sub and one of top unless 0. */
typedef struct tree_shape {
    unsigned base, sub, top;
    unsigned n_base_levels;
} tree_shape;

typedef struct sector_size {
    const char *name;  /* "2KiB" */
    const char *id;    /* "2k" */
    uint64_t bytes;
    uint64_t nodes;    /* bytes / 32 */
    unsigned log2_nodes;
    tree_shape shape;
    unsigned n_layers;
    unsigned interactive_partitions, interactive_challenges; /* challenges a partition */
    unsigned ni_partitions, ni_challenges;                   /* non-interactive */
    unsigned window_sectors;                                 /* a Window partition */
    bool published;                                          /* real parameters and registered proofs exist */
} sector_size;

extern const sector_size cuzk_sector_sizes[];
extern const size_t cuzk_n_sector_sizes;
/* NULL if there is none. */
const sector_size *cuzk_sector_size_by_bytes(uint64_t bytes);

typedef enum porep_version { POREP_V1_0, POREP_V1_1, POREP_V1_2 } porep_version;
typedef enum porep_feature { POREP_INTERACTIVE, POREP_SYNTHETIC, POREP_NON_INTERACTIVE } porep_feature;

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

#endif
