/* LABELS: quick */
/* Fabricated inputs of every kind and size hold together: they pass the readers and, challenge by
 * challenge, everything a circuit enforces; the same seed gives the same bytes. */
#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/fabricate_porep.h"
#include "filecoin/fabricate_post.h"
#include "filecoin/fabricate_update.h"
#include "filecoin/merkle.h"
#include "filecoin/vanilla_writer.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "support/fabricated.h"
#include "support/support.h"

/* ---- PoRep ---- */

static void porep(void **state) {
    (void)state;
    cuzk_pool *pool;
    cuzk_account *account;
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&account, (size_t)256 << 20, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool, .account = account};
    static const unsigned types[] = {0, 1, 2, 5, 6, 7, 8, 10, 15};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        test_check_fabricated_c1(&ctx, types[i]);
        assert_int_equal(cuzk_account_used(account), 0);
    }
    cuzk_account_destroy(account);
    cuzk_pool_destroy(pool);
}

static void porep_seeds(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx parallel = {.pool = pool};
    const porep_request request = {.miner_id = 1000, .sector_number = 1};
    const porep_request other_miner = {.miner_id = 1001, .sector_number = 1};
    const porep_request other_sector = {.miner_id = 1000, .sector_number = 2};
    const test_file a = test_fabricate_c1(&ctx, 6, 1, &request),
                    b = test_fabricate_c1(&parallel, 6, 1, &request);
    assert_int_equal(a.len_bytes, b.len_bytes);
    assert_memory_equal(a.data, b.data, a.len_bytes);
    const test_file others[] = {
        test_fabricate_c1(&ctx, 6, 2, &request), test_fabricate_c1(&ctx, 6, 1, &other_miner),
        test_fabricate_c1(&ctx, 6, 1, &other_sector), test_fabricate_c1(&ctx, 1, 1, &request)};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(others[i].len_bytes == a.len_bytes &&
                     memcmp(others[i].data, a.data, a.len_bytes) == 0);
        free(others[i].data);
    }
    free(a.data);
    free(b.data);
    cuzk_pool_destroy(pool);
}

static void porep_failures(void **state) {
    (void)state;
    fabricated_porep *made;
    cuzk_error err;
    cuzk_account *account;
    const porep_request request = {.miner_id = 1000, .sector_number = 1};
    static const unsigned too_large[] = {12, 13, 14, 17, 18, 19};
    cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof too_large / sizeof too_large[0]; i++) {
        const seal_proof_type *type = cuzk_seal_proof_by_number(too_large[i]);
        assert_int_equal(cuzk_fabricate_porep(&made, &ctx, type, 1, &request, &err),
                         CUZK_E_UNSUPPORTED);
        assert_non_null(strstr(err.text, type->name));
        assert_null(made);
    }
    const seal_proof_type *type = cuzk_seal_proof_by_number(6);
    for (size_t limit = 100; limit < 100000; limit *= 2) { /* lack of memory at any step */
        assert_int_equal(cuzk_account_create(&account, limit, NULL), CUZK_OK);
        ctx.account = account;
        cuzk_status status = cuzk_fabricate_porep(&made, &ctx, type, 1, &request, NULL);
        assert_true(status == CUZK_E_NO_MEMORY || (status == CUZK_OK && limit > 10000));
        cuzk_fabricated_porep_destroy(made);
        assert_int_equal(cuzk_account_used(account), 0);
        cuzk_account_destroy(account);
    }
    cuzk_cancel cancel = {0};
    cuzk_cancel_set(&cancel);
    ctx = (cuzk_ctx){.cancel = &cancel};
    assert_int_equal(cuzk_fabricate_porep(&made, &ctx, type, 1, &request, NULL), CUZK_E_CANCELLED);
    assert_null(made);
}

/* ---- PoSt ---- */

static void hash_pair(digest *r, poseidon_kind kind, const digest *a, const digest *b) {
    fr in[2], out;
    assert_true(cuzk_fr_read_le(&in[0], a->bytes) && cuzk_fr_read_le(&in[1], b->bytes));
    cuzk_poseidon(&out, kind, in);
    cuzk_fr_write_le(r->bytes, &out);
}

/* The path is that of the leaf and leads to the root that all paths state. */
static void assert_opens(const merkle_proof *path, const tree_shape *shape, uint64_t leaf,
                         const digest *root, const char *name) {
    fr nodes[MERKLE_MAX_LEVELS + 1], value;
    digest end;
    assert_int_equal(cuzk_merkle_check_shape(shape, path, NULL), CUZK_OK);
    assert_int_equal(cuzk_merkle_index(shape, path), leaf);
    assert_true(cuzk_fr_read_le(&value, path->leaf.bytes));
    assert_int_equal(cuzk_merkle_poseidon(nodes, shape, path, &value, NULL), CUZK_OK);
    cuzk_fr_write_le(end.bytes, &nodes[path->n_levels]);
    if (!digest_eq(&end, root) || !digest_eq(&path->root, root)) {
        fail_msg("%s: the path of leaf %llu does not lead to its root", name,
                 (unsigned long long)leaf);
    }
}

/* Written, read again, and written again: the same. */
static uint8_t *post_bytes(post_sector_proof *proof, const tree_shape *shape, size_t *len) {
    unsigned n = proof->n_challenges;
    *len = cuzk_post_sector_bytes(shape, n);
    uint8_t *bytes = malloc(*len), *again = malloc(*len);
    cuzk_post_sector_write(bytes, proof, shape);
    cuzk_post_sector_clear(proof);
    assert_int_equal(cuzk_post_sector_read(proof, shape, n, bytes, *len, "it", NULL), CUZK_OK);
    cuzk_post_sector_write(again, proof, shape);
    assert_memory_equal(bytes, again, *len);
    free(again);
    return bytes;
}

static void post(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const fabricate_source source = {9, "randomness", 0};
    digest randomness;
    cuzk_fabricate_value(&randomness, &source, 0, 0);
    const post_proof_type *type;
    for (unsigned number = 0; (type = cuzk_post_proof_by_number(number)) != NULL; number++) {
        const tree_shape *shape = &type->size->shape;
        for (uint64_t place = 0; place < (type->winning ? 1 : 2); place++) {
            post_sector_proof proof;
            digest comm_r;
            size_t len;
            uint64_t sector = 101 + 7 * place;
            assert_int_equal(
                cuzk_fabricate_post_sector(&proof, &ctx, type, 3, &randomness, sector, place, NULL),
                CUZK_OK);
            uint8_t *bytes = post_bytes(&proof, shape, &len);
            assert_int_equal(proof.sector_id, sector);
            assert_int_equal(proof.n_challenges, type->winning ? 66 : 10);
            for (unsigned i = 0; i < proof.n_challenges; i++) {
                uint64_t index = type->version == POREP_V1_2 ? i : place * proof.n_challenges + i;
                uint64_t leaf = cuzk_post_challenge(&randomness, sector, index, type->size->nodes);
                assert_opens(&proof.inclusions[i], shape, leaf, &proof.comm_r_last, type->name);
            }
            hash_pair(&comm_r, POSEIDON_2, &proof.comm_c, &proof.comm_r_last);
            assert_memory_equal(&comm_r, &proof.comm_r, sizeof comm_r);

            for (uint64_t seed = 3; seed <= 4; seed++) {
                post_sector_proof other;
                size_t other_len;
                assert_int_equal(cuzk_fabricate_post_sector(&other, &ctx, type, seed, &randomness,
                                                            sector, place, NULL),
                                 CUZK_OK);
                uint8_t *other_bytes = post_bytes(&other, shape, &other_len);
                assert_int_equal(len, other_len);
                assert_int_equal(memcmp(bytes, other_bytes, len) == 0, seed == 3);
                cuzk_post_sector_clear(&other);
                free(other_bytes);
            }
            cuzk_post_sector_clear(&proof);
            free(bytes);
        }
    }
    cuzk_cancel cancel = {0};
    cuzk_cancel_set(&cancel);
    const cuzk_ctx cancelled = {.cancel = &cancel};
    post_sector_proof proof;
    assert_int_equal(cuzk_fabricate_post_sector(&proof, &cancelled, cuzk_post_proof_by_number(0), 3,
                                                &randomness, 1, 0, NULL),
                     CUZK_E_CANCELLED);
    assert_null(proof.memory);
}

/* ---- updates ---- */

/* Apex leaves lead to comm_d_new: hashed up to the partition's node, then along the path of
 * challenge 0. */
static void check_apex(const update_partition_proof *proof, const param_set *set,
                       const digest *comm_d_new) {
    digest nodes[128];
    unsigned n = proof->n_apex_leaves;
    unsigned level = set->log2_nodes - (unsigned)__builtin_ctz(set->n_partitions);
    memcpy(nodes, proof->apex_leaves, n * sizeof *nodes);
    for (; n > 1; n /= 2) {
        for (unsigned i = 0; i < n / 2; i++) {
            digest pair[2] = {nodes[2 * i], nodes[2 * i + 1]};
            cuzk_sha256(nodes[i].bytes, pair, sizeof pair);
            nodes[i].bytes[31] &= 0x3f;
        }
    }
    for (; level < set->log2_nodes; level++) {
        const merkle_proof *path = &proof->challenges[0].d_new;
        digest pair[2];
        pair[path->position[level]] = nodes[0];
        pair[1 - path->position[level]] = path->siblings[level];
        cuzk_sha256(nodes[0].bytes, pair, sizeof pair);
        nodes[0].bytes[31] &= 0x3f;
    }
    assert_memory_equal(&nodes[0], comm_d_new, sizeof *nodes);
}

static void check_partition(const fabricated_update *u, unsigned partition) {
    const param_set *set = &u->set;
    const tree_shape tree_d = tree_shape_binary(set->log2_nodes);
    update_partition_proof proof;
    uint64_t challenges[86];
    fr comm_r_new;
    digest phi, root_old, root_new, comm_r;
    assert_int_equal(cuzk_fabricated_update_partition(&proof, u, partition, NULL), CUZK_OK);
    size_t len = cuzk_update_partition_bytes(&set->shape, set->log2_nodes, set->n_apex_leaves,
                                             set->n_challenges);
    uint8_t *bytes = malloc(len);
    cuzk_update_partition_write(bytes, &proof, &set->shape, set->log2_nodes);
    cuzk_update_partition_clear(&proof);
    assert_int_equal(cuzk_update_partition_read(&proof, &set->shape, set->log2_nodes,
                                                set->n_apex_leaves, set->n_challenges, bytes, len,
                                                "it", NULL),
                     CUZK_OK);
    free(bytes);
    assert_true(cuzk_fr_read_le(&comm_r_new, u->comm_r_new.bytes));
    cuzk_update_challenges(challenges, set, &comm_r_new, partition);
    hash_pair(&phi, POSEIDON_GEN_2, &u->comm_d_new, &u->comm_r_old);
    root_old = proof.challenges[0].r_old.root;
    root_new = proof.challenges[0].r_new.root;
    hash_pair(&comm_r, POSEIDON_2, &proof.comm_c, &root_old);
    assert_memory_equal(&comm_r, &u->comm_r_old, sizeof comm_r);
    hash_pair(&comm_r, POSEIDON_2, &proof.comm_c, &root_new);
    assert_memory_equal(&comm_r, &u->comm_r_new, sizeof comm_r);
    check_apex(&proof, set, &u->comm_d_new);
    for (unsigned i = 0; i < proof.n_challenges; i++) {
        const update_challenge_proof *c = &proof.challenges[i];
        digest nodes[MERKLE_MAX_LEVELS + 1];
        fr in[2], rho, old, data, new, sum;
        assert_opens(&c->r_old, &set->shape, challenges[i], &root_old, set->id);
        assert_opens(&c->r_new, &set->shape, challenges[i], &root_new, set->id);
        assert_int_equal(cuzk_merkle_index(&tree_d, &c->d_new), challenges[i]);
        assert_int_equal(cuzk_merkle_sha256(nodes, &tree_d, &c->d_new, &c->d_new.leaf, NULL),
                         CUZK_OK);
        assert_memory_equal(&nodes[set->log2_nodes], &u->comm_d_new, sizeof *nodes);
        assert_memory_equal(&c->d_new.root, &u->comm_d_new, sizeof *nodes);
        /* new = old + data rho */
        assert_true(cuzk_fr_read_le(&in[0], phi.bytes));
        fr_from_u64(&in[1], challenges[i] >> (set->log2_nodes - set->update_h));
        cuzk_poseidon(&rho, POSEIDON_GEN_2, in);
        assert_true(cuzk_fr_read_le(&old, c->r_old.leaf.bytes) &&
                    cuzk_fr_read_le(&data, c->d_new.leaf.bytes) &&
                    cuzk_fr_read_le(&new, c->r_new.leaf.bytes));
        fr_mul(&sum, &data, &rho);
        fr_add(&sum, &sum, &old);
        assert_true(fr_eq(&sum, &new));
    }
    cuzk_update_partition_clear(&proof);
}

static void update(void **state) {
    (void)state;
    cuzk_pool *pool;
    cuzk_account *account;
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool, .account = account};
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        fabricated_update u, again, other;
        cuzk_error err;
        cuzk_status status = cuzk_fabricate_update(&u, &ctx, size, 1, 77, &err);
        if (size->update_partitions == 0) {
            assert_int_equal(status, CUZK_E_UNSUPPORTED);
            continue;
        }
        assert_int_equal(status, CUZK_OK);
        check_partition(&u, 0);
        check_partition(&u, u.set.n_partitions - 1);
        if (size->nodes <= 1 << 10) {
            assert_int_equal(cuzk_fabricate_update(&again, &ctx, size, 1, 77, NULL), CUZK_OK);
            assert_int_equal(cuzk_fabricate_update(&other, &ctx, size, 2, 77, NULL), CUZK_OK);
            assert_true(digest_eq(&again.comm_r_new, &u.comm_r_new));
            assert_false(digest_eq(&other.comm_r_new, &u.comm_r_new));
            cuzk_fabricated_update_clear(&again);
            cuzk_fabricated_update_clear(&other);
        }
        cuzk_fabricated_update_clear(&u);
        assert_int_equal(cuzk_account_used(account), 0);
    }
    cuzk_cancel cancel = {0};
    cuzk_cancel_set(&cancel);
    const cuzk_ctx cancelled = {.cancel = &cancel};
    fabricated_update u;
    assert_int_equal(
        cuzk_fabricate_update(&u, &cancelled, cuzk_sector_size_by_bytes(2048), 1, 1, NULL),
        CUZK_E_CANCELLED);
    cuzk_account_destroy(account);
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(porep), cmocka_unit_test(porep_seeds), cmocka_unit_test(porep_failures),
        cmocka_unit_test(post),  cmocka_unit_test(update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
