/* Parameter sets: one for each circuit. Its id, its shape, and the names and published digests of
 * its files (circuits.md 3 to 5 and 6.7, groth16.md 2.4, engine.md 6.3 and 6.4). */
#ifndef CUZK_FILECOIN_PARAM_SET_H
#define CUZK_FILECOIN_PARAM_SET_H

#include "filecoin/sector.h"

typedef enum circuit_kind {
    CIRCUIT_POREP,
    CIRCUIT_WINNING,
    CIRCUIT_WINDOW,
    CIRCUIT_UPDATE,
    CIRCUIT_UPDATE_POSEIDON,
    CIRCUIT_KINDS
} circuit_kind;

#define PARAM_ID_CHARS 32          /* with the zero byte, as all of these */
#define PARAM_IDENTIFIER_CHARS 384 /* the string whose SHA-256 ends a stem */
#define PARAM_STEM_CHARS 176       /* file name without ".params" or ".vk" */
#define PARAM_DIGEST_CHARS 33      /* first 16 bytes of BLAKE2b-512 of a file, in hex */

/* A circuit and its files. A plain value; pointers lead to constant tables. Members that make no
 * sense for a kind are 0. */
typedef struct param_set {
    circuit_kind kind;
    char id[PARAM_ID_CHARS]; /* "porep-32g", "porep-test-8-4-2" */
    const sector_size *size; /* NULL for a test shape */
    uint64_t sector_bytes, nodes;
    unsigned log2_nodes;
    tree_shape shape;
    unsigned n_layers;     /* PoRep */
    unsigned n_sectors;    /* PoSt: sectors in the circuit */
    unsigned n_challenges; /* of a circuit; PoSt: of each sector */
    unsigned n_partitions; /* circuits of one proof: interactive PoRep, update; 1 for PoSt */
    unsigned n_apex_leaves, update_h;
    uint64_t n_inputs;         /* public inputs of a circuit with ONE: points of ic */
    bool published;            /* a trusted setup was made and the digests are known */
    const char *params_digest; /* NULL if not published */
    const char *vk_digest;
} param_set;

/* Every set: all kinds of all sizes, then the test shapes. index below cuzk_n_param_sets. */
extern const size_t cuzk_n_param_sets;
void cuzk_param_set_at(param_set *set, size_t index);

/* false, leaving *set undefined, if that circuit does not exist. */
bool cuzk_param_set_of(param_set *set, circuit_kind kind, const sector_size *size);
/* By id, in any case. Besides the ids themselves: sizes in full, "window" for "wpost" and "update"
 * for "snap" ("window-32GiB"). Fails: CUZK_E_RANGE naming the id and the form of a right one. */
cuzk_status cuzk_param_set_by_id(param_set *set, const char *id, cuzk_error *err);

void cuzk_param_set_identifier(char text[PARAM_IDENTIFIER_CHARS], const param_set *set);
void cuzk_param_set_stem(char text[PARAM_STEM_CHARS], const param_set *set);

/* The SnarkPack key of production and its digest. */
#define SRS_FILE_NAME "v28-fil-inner-product-v1.srs"
#define SRS_FILE_DIGEST "ae20310138f5ba81451d723f858e3797"

#endif
