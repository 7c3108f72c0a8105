#include "support/made_update.h"

#include <stdlib.h>

#include "filecoin/challenges.h"
#include "hash/poseidon.h"
#include "support/support.h"
#include "support/whole_tree.h"

static digest *random_leaves(uint64_t n, test_rng *rng) {
    digest *leaves = malloc(n * sizeof *leaves);
    assert_non_null(leaves);
    for (uint64_t i = 0; i < n; i++) {
        fr leaf;
        test_rng_fr(&leaf, rng);
        cuzk_fr_write_le(leaves[i].bytes, &leaf);
    }
    return leaves;
}

static fr read_fr(const digest *d) {
    fr x;
    assert_true(cuzk_fr_read_le(&x, d->bytes));
    return x;
}

/* old + data * rho, rho = H(phi, high bits of the node) */
static digest *new_replica(const param_set *set, const digest *old, const digest *data,
                           const fr *phi, bool wrong) {
    digest *leaves = malloc(set->nodes * sizeof *leaves);
    assert_non_null(leaves);
    for (uint64_t i = 0; i < set->nodes; i++) {
        fr in[2] = {*phi}, rho, key = read_fr(&data[i]), leaf = read_fr(&old[i]);
        fr_from_u64(&in[1], i >> (set->log2_nodes - set->update_h));
        cuzk_poseidon(&rho, POSEIDON_GEN_2, in);
        fr_mul(&key, &key, &rho);
        fr_add(&leaf, &leaf, &key);
        if (wrong) {
            const fr one = FR_ONE;
            fr_add(&leaf, &leaf, &one);
        }
        cuzk_fr_write_le(leaves[i].bytes, &leaf);
    }
    return leaves;
}

static void open_partition(made_update *u, unsigned partition, const digest *comm_c,
                           const whole_tree trees[3]) {
    const param_set *set = &u->set;
    update_partition_proof *proof = &u->proofs[partition];
    proof->comm_c = *comm_c;
    proof->n_challenges = set->n_challenges;
    proof->challenges = calloc(set->n_challenges, sizeof *proof->challenges);
    proof->n_apex_leaves = set->n_apex_leaves;
    proof->apex_leaves = malloc(set->n_apex_leaves * sizeof *proof->apex_leaves + 1);
    assert_true(proof->challenges != NULL && proof->apex_leaves != NULL);
    if (set->n_apex_leaves > 0) {
        unsigned n_all = set->n_partitions * set->n_apex_leaves;
        unsigned level = set->log2_nodes - (unsigned)__builtin_ctz(n_all);
        memcpy(proof->apex_leaves, trees[1].levels[level] + partition * set->n_apex_leaves,
               set->n_apex_leaves * sizeof *proof->apex_leaves);
    }
    for (unsigned i = 0; i < set->n_challenges; i++) {
        uint64_t node = u->nodes[partition * set->n_challenges + i];
        test_tree_open(&proof->challenges[i].r_old, &trees[0], node);
        test_tree_open(&proof->challenges[i].d_new, &trees[1], node);
        test_tree_open(&proof->challenges[i].r_new, &trees[2], node);
    }
}

static void open_all(made_update *u, const digest *comm_c, const whole_tree trees[3]) {
    const param_set *set = &u->set;
    u->proofs = calloc(set->n_partitions, sizeof *u->proofs);
    u->nodes = malloc((size_t)set->n_partitions * set->n_challenges * sizeof *u->nodes);
    assert_true(u->proofs != NULL && u->nodes != NULL);
    const fr comm_r_new = read_fr(&u->statement.comm_r_new);
    for (unsigned k = 0; k < set->n_partitions; k++) {
        cuzk_update_challenges(u->nodes + k * set->n_challenges, set, &comm_r_new, k);
        open_partition(u, k, comm_c, trees);
    }
}

made_update *test_update_make(circuit_kind kind, const sector_size *size, bool wrong) {
    made_update *u = calloc(1, sizeof *u);
    assert_non_null(u);
    assert_true(cuzk_param_set_of(&u->set, kind, size));
    const param_set *set = &u->set;
    const uint64_t n = set->nodes;
    u->type = (update_proof_type){.number = 99, .name = "a test's", .size = size};
    u->statement.type = &u->type;

    test_rng rng = {n + kind};
    whole_tree trees[3];
    digest *old = random_leaves(n, &rng), *data = random_leaves(n, &rng);
    digest *comm_c = random_leaves(1, &rng);
    bool sha256 = kind == CIRCUIT_UPDATE;
    test_tree_grow(&trees[0], set->shape, old, n, false);
    test_tree_grow(&trees[1], sha256 ? tree_shape_binary(set->log2_nodes) : set->shape, data, n,
                   sha256);
    const digest old_roots[2] = {*comm_c, *test_tree_root(&trees[0])};
    test_hash_children(&u->statement.comm_r_old, old_roots, 2, false);
    u->statement.comm_d_new = *test_tree_root(&trees[1]);

    fr in[2] = {read_fr(&u->statement.comm_d_new), read_fr(&u->statement.comm_r_old)}, phi;
    cuzk_poseidon(&phi, POSEIDON_GEN_2, in);
    test_tree_grow(&trees[2], set->shape, new_replica(set, old, data, &phi, wrong), n, false);
    const digest new_roots[2] = {*comm_c, *test_tree_root(&trees[2])};
    test_hash_children(&u->statement.comm_r_new, new_roots, 2, false);
    open_all(u, comm_c, trees);
    for (unsigned i = 0; i < 3; i++) {
        test_tree_fell(&trees[i]);
    }
    free(comm_c);
    return u;
}

void test_update_unmake(made_update *u) {
    for (unsigned k = 0; k < u->set.n_partitions; k++) {
        update_partition_proof *proof = &u->proofs[k];
        for (unsigned i = 0; i < proof->n_challenges; i++) {
            free((void *)proof->challenges[i].r_old.siblings);
            free((void *)proof->challenges[i].d_new.siblings);
            free((void *)proof->challenges[i].r_new.siblings);
        }
        free(proof->challenges);
        free(proof->apex_leaves);
    }
    free(u->proofs);
    free(u->nodes);
    free(u);
}
