/* Challenges first, then a tree that has their leaves. */
#include "filecoin/fabricate_post.h"

#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/fabricate_tree.h"
#include "filecoin/merkle.h"
#include "filecoin/post_inputs.h"

static cuzk_status grow(sparse_tree *tree, const cuzk_ctx *ctx, const tree_shape *shape,
                        uint64_t seed, uint64_t sector_number, const uint64_t *challenges,
                        unsigned n_challenges, cuzk_error *err) {
    const fabricate_source filler = {seed, "post tree-r", sector_number};
    uint64_t nodes[WINNING_SECTORS];
    digest leaves[WINNING_SECTORS];
    memcpy(nodes, challenges, n_challenges * sizeof *nodes);
    size_t n = cuzk_sort_nodes(nodes, n_challenges);
    for (size_t i = 0; i < n; i++) {
        cuzk_fabricate_value(&leaves[i], &filler, 0, nodes[i]);
    }
    return cuzk_sparse_tree_grow(tree, ctx, shape, &filler, nodes, leaves, n, err);
}

/* comm_r = H(comm_c, comm_r_last), with any comm_c */
static void commit(post_sector_proof *proof, const sparse_tree *tree, uint64_t seed) {
    const fabricate_source source = {seed, "post comm-c", proof->sector_id};
    cuzk_fabricate_value(&proof->comm_c, &source, 0, 0);
    proof->comm_r_last = *cuzk_sparse_tree_root(tree);
    cuzk_comm_r(&proof->comm_r, &proof->comm_c, &proof->comm_r_last);
}

cuzk_status cuzk_fabricate_post_sector(post_sector_proof *proof, const cuzk_ctx *ctx,
                                       const post_proof_type *type, uint64_t seed,
                                       const digest *randomness, uint64_t sector_number,
                                       uint64_t place, cuzk_error *err) {
    const tree_shape *shape = &type->size->shape;
    unsigned n = cuzk_post_sector_challenges(type);
    size_t n_siblings = cuzk_tree_siblings(shape);
    uint64_t challenges[WINNING_SECTORS];
    for (unsigned i = 0; i < n; i++) {
        uint64_t index = cuzk_post_challenge_index(type->version, place, n, i);
        challenges[i] = cuzk_post_challenge(randomness, sector_number, index, type->size->nodes);
    }
    memset(proof, 0, sizeof *proof);
    size_t paths_bytes = n * sizeof *proof->inclusions;
    proof->memory = calloc(1, paths_bytes + n * n_siblings * sizeof(digest));
    if (proof->memory == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a PoSt vanilla proof");
    }
    proof->sector_id = sector_number;
    proof->n_challenges = n;
    proof->inclusions = proof->memory;
    digest *siblings = (digest *)((uint8_t *)proof->memory + paths_bytes);
    sparse_tree tree;
    cuzk_status status = grow(&tree, ctx, shape, seed, sector_number, challenges, n, err);
    if (status != CUZK_OK) {
        cuzk_post_sector_clear(proof);
        return status;
    }
    commit(proof, &tree, seed);
    for (unsigned i = 0; i < n; i++) {
        cuzk_sparse_tree_open(&proof->inclusions[i], siblings + i * n_siblings, &tree,
                              challenges[i]);
    }
    cuzk_sparse_tree_clear(&tree);
    return CUZK_OK;
}
