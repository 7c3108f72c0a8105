/* Reader of update vanilla proofs. */
#include "filecoin/update_proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "filecoin/merkle_bincode.h"

typedef struct update_trees {
    tree_shape r, d;
    size_t r_siblings, d_siblings;
} update_trees;

static cuzk_status read_challenge(update_challenge_proof *c, digest *siblings, bincode *b,
                                  const update_trees *trees) {
    cuzk_status status = cuzk_merkle_proof_read_bincode(&c->r_old, siblings, b, &trees->r);
    if (status == CUZK_OK) {
        status =
            cuzk_merkle_proof_read_bincode(&c->d_new, siblings + trees->r_siblings, b, &trees->d);
    }
    if (status == CUZK_OK) {
        status = cuzk_merkle_proof_read_bincode(
            &c->r_new, siblings + trees->r_siblings + trees->d_siblings, b, &trees->r);
    }
    return status;
}

static cuzk_status read_document(update_partition_proof *proof, digest *siblings, bincode *b,
                                 const update_trees *trees) {
    cuzk_status status = cuzk_bincode_bytes(b, proof->comm_c.bytes, DIGEST_BYTES, "comm_c");
    if (status == CUZK_OK) {
        status = cuzk_bincode_count(b, proof->n_apex_leaves, "number of apex leaves");
    }
    for (unsigned i = 0; status == CUZK_OK && i < proof->n_apex_leaves; i++) {
        status = cuzk_bincode_bytes(b, proof->apex_leaves[i].bytes, DIGEST_BYTES, "apex leaf");
    }
    if (status == CUZK_OK) {
        status = cuzk_bincode_count(b, proof->n_challenges, "number of challenge proofs");
    }
    for (unsigned i = 0; status == CUZK_OK && i < proof->n_challenges; i++) {
        status = read_challenge(&proof->challenges[i], siblings, b, trees);
        siblings += 2 * trees->r_siblings + trees->d_siblings;
        if (status != CUZK_OK && b->err != NULL) {
            cuzk_error_prefix(b->err, "challenge %u: ", i);
            b->err->challenge = i;
        }
    }
    return status == CUZK_OK ? cuzk_bincode_end(b) : status;
}

cuzk_status cuzk_update_partition_read(update_partition_proof *proof, const tree_shape *shape,
                                       unsigned log2_nodes, unsigned n_apex_leaves,
                                       unsigned n_challenges, const uint8_t *data, size_t len_bytes,
                                       const char *name, cuzk_error *err) {
    unsigned arities[MERKLE_MAX_LEVELS];
    unsigned n_levels;
    update_trees trees = {.r = *shape, .d = tree_shape_binary(log2_nodes)};
    trees.r_siblings = cuzk_merkle_arities(arities, &n_levels, &trees.r);
    trees.d_siblings = cuzk_merkle_arities(arities, &n_levels, &trees.d);
    size_t challenges_bytes = (size_t)n_challenges * sizeof(update_challenge_proof);
    size_t n_digests =
        n_apex_leaves + (size_t)n_challenges * (2 * trees.r_siblings + trees.d_siblings);
    memset(proof, 0, sizeof *proof);
    proof->memory = malloc(challenges_bytes + n_digests * sizeof(digest) + 1);
    if (proof->memory == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an update vanilla proof");
    }
    proof->n_challenges = n_challenges;
    proof->challenges = proof->memory;
    proof->n_apex_leaves = n_apex_leaves;
    proof->apex_leaves = (digest *)((uint8_t *)proof->memory + challenges_bytes);
    bincode b = {.data = data, .len_bytes = len_bytes, .err = err};
    cuzk_status status = read_document(proof, proof->apex_leaves + n_apex_leaves, &b, &trees);
    if (status != CUZK_OK) {
        if (err != NULL) {
            int64_t offset = err->offset;
            cuzk_error_at_file(err, name, CUZK_NOWHERE);
            err->offset = offset;
        }
        cuzk_update_partition_clear(proof);
    }
    return status;
}

void cuzk_update_partition_clear(update_partition_proof *proof) {
    free(proof->memory);
    memset(proof, 0, sizeof *proof);
}
