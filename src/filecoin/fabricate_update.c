/* Old replica and data, phi, new replica, challenges. */
#include "filecoin/fabricate_update.h"

#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/merkle.h"
#include "hash/poseidon.h"

#define N_FOLDS 8 /* of TreeR */

static void read_fr(fr *r, const digest *d) {
    bool below = cuzk_fr_read_le(r, d->bytes);
    CUZK_ASSERT(below);
}

/* leaves[run N_FOLDS + x] = old[x] + data[parity of x] rho(run). The digits of a leaf's number are
 * groups of its bits, so the parity of its fold is its own, by which TreeD folds. */
static void encode(digest *leaves, unsigned n_runs, const fr *phi, const digest old[N_FOLDS],
                   const digest data[2]) {
    fr in[2] = {*phi}, rho, product, leaf;
    for (unsigned run = 0; run < n_runs; run++) {
        fr_from_u64(&in[1], run);
        cuzk_poseidon(&rho, POSEIDON_GEN_2, in);
        for (unsigned x = 0; x < N_FOLDS; x++) {
            read_fr(&product, &data[__builtin_parity(x)]);
            read_fr(&leaf, &old[x]);
            fr_mul(&product, &product, &rho);
            fr_add(&leaf, &leaf, &product);
            cuzk_fr_write_le(leaves++->bytes, &leaf);
        }
    }
}

static cuzk_status grow_new(fabricated_update *u, const cuzk_ctx *ctx, const digest old[N_FOLDS],
                            const digest data[2], cuzk_error *err) {
    unsigned n_runs = 1u << u->set.update_h;
    fr in[2], phi;
    digest *leaves = malloc((size_t)n_runs * N_FOLDS * sizeof *leaves);
    if (leaves == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a fabricated update");
    }
    read_fr(&in[0], &u->comm_d_new);
    read_fr(&in[1], &u->comm_r_old);
    cuzk_poseidon(&phi, POSEIDON_GEN_2, in);
    encode(leaves, n_runs, &phi, old, data);
    cuzk_status status = cuzk_fold_tree_grow(&u->tree_r_new, ctx, &u->set.shape, false,
                                             u->set.update_h, leaves, err);
    free(leaves);
    return status;
}

cuzk_status cuzk_fabricate_update(fabricated_update *u, const cuzk_ctx *ctx,
                                  const sector_size *size, uint64_t seed, uint64_t sector_number,
                                  cuzk_error *err) {
    const fabricate_source old_source = {seed, "update old", sector_number};
    const fabricate_source data_source = {seed, "update data", sector_number};
    const fabricate_source comm_c_source = {seed, "update comm-c", sector_number};
    const tree_shape binary = tree_shape_binary(size->log2_nodes);
    digest old[N_FOLDS], data[2];
    *u = (fabricated_update){0};
    if (!cuzk_param_set_of(&u->set, CIRCUIT_UPDATE, size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there are no updates of %s sectors", size->name);
    }
    for (unsigned x = 0; x < N_FOLDS; x++) {
        cuzk_fabricate_value(&old[x], &old_source, x, 0);
    }
    for (unsigned x = 0; x < 2; x++) {
        cuzk_fabricate_value(&data[x], &data_source, x, 0);
    }
    cuzk_fabricate_value(&u->comm_c, &comm_c_source, 0, 0);
    cuzk_status status =
        cuzk_fold_tree_grow(&u->tree_r_old, ctx, &u->set.shape, false, 0, old, err);
    if (status == CUZK_OK) {
        status = cuzk_fold_tree_grow(&u->tree_d_new, ctx, &binary, true, 0, data, err);
    }
    if (status == CUZK_OK) {
        cuzk_comm_r(&u->comm_r_old, &u->comm_c, cuzk_fold_tree_root(&u->tree_r_old));
        u->comm_d_new = *cuzk_fold_tree_root(&u->tree_d_new);
        status = grow_new(u, ctx, old, data, err);
    }
    if (status == CUZK_OK) {
        cuzk_comm_r(&u->comm_r_new, &u->comm_c, cuzk_fold_tree_root(&u->tree_r_new));
    } else {
        cuzk_fabricated_update_clear(u);
    }
    return status;
}

void cuzk_fabricated_update_clear(fabricated_update *u) {
    cuzk_fold_tree_clear(&u->tree_r_old);
    cuzk_fold_tree_clear(&u->tree_d_new);
    cuzk_fold_tree_clear(&u->tree_r_new);
    *u = (fabricated_update){0};
}

cuzk_status cuzk_fabricated_update_partition(update_partition_proof *proof,
                                             const fabricated_update *u, unsigned partition,
                                             cuzk_error *err) {
    const param_set *set = &u->set;
    CUZK_ASSERT(partition < set->n_partitions);
    unsigned n = set->n_challenges, n_apex = set->n_apex_leaves;
    size_t r_siblings = cuzk_tree_siblings(&set->shape);
    size_t n_siblings = 2 * r_siblings + set->log2_nodes;
    size_t challenges_bytes = n * sizeof *proof->challenges;
    memset(proof, 0, sizeof *proof);
    proof->memory = calloc(1, challenges_bytes + (n_apex + n * n_siblings) * sizeof(digest));
    uint64_t *challenges = malloc(n * sizeof *challenges);
    if (proof->memory == NULL || challenges == NULL) {
        free(challenges);
        cuzk_update_partition_clear(proof);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an update vanilla proof");
    }
    proof->comm_c = u->comm_c;
    proof->n_challenges = n;
    proof->challenges = proof->memory;
    proof->n_apex_leaves = n_apex;
    proof->apex_leaves = (digest *)((uint8_t *)proof->memory + challenges_bytes);
    /* partitions and apex leaves are powers of two: those of one level of TreeD, in order */
    unsigned log2_apex = (unsigned)__builtin_ctz(set->n_partitions * n_apex);
    for (unsigned i = 0; i < n_apex; i++) {
        proof->apex_leaves[i] = *cuzk_fold_tree_node(&u->tree_d_new, set->log2_nodes - log2_apex,
                                                     (uint64_t)partition * n_apex + i);
    }
    fr comm_r_new;
    read_fr(&comm_r_new, &u->comm_r_new);
    cuzk_update_challenges(challenges, set, &comm_r_new, partition);
    digest *siblings = proof->apex_leaves + n_apex;
    for (unsigned i = 0; i < n; i++) {
        update_challenge_proof *c = &proof->challenges[i];
        cuzk_fold_tree_open(&c->r_old, siblings, &u->tree_r_old, challenges[i]);
        cuzk_fold_tree_open(&c->d_new, siblings + r_siblings, &u->tree_d_new, challenges[i]);
        cuzk_fold_tree_open(&c->r_new, siblings + r_siblings + set->log2_nodes, &u->tree_r_new,
                            challenges[i]);
        siblings += n_siblings;
    }
    free(challenges);
    return CUZK_OK;
}
