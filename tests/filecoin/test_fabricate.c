/* LABELS: quick */
/* Fabricated inputs of every kind and size hold together: they pass the readers and, challenge by
 * challenge, everything a circuit enforces; the same seed gives the same bytes. */
#include <stdlib.h>

#include "filecoin/fabricate_porep.h"
#include "filecoin/fabricate_post.h"
#include "filecoin/post_check.h"
#include "filecoin/vanilla_writer.h"
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

/* All that is charged is given back, also what only serves the making. */
static void porep_memory(void **state) {
    (void)state;
    static const unsigned types[] = {6, 8, 10};
    const porep_request request = {.miner_id = 1000, .sector_number = 1};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        fabricated_porep *made;
        cuzk_account *account;
        assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
        const cuzk_ctx ctx = {.account = account};
        assert_int_equal(cuzk_fabricate_porep(&made, &ctx, cuzk_seal_proof_by_number(types[i]), 1,
                                              &request, NULL),
                         CUZK_OK);
        cuzk_fabricated_porep_destroy(made);
        assert_int_equal(cuzk_account_used(account), 0);
        cuzk_account_destroy(account);
    }
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

#define N_SECTORS 3

/* Proofs of several sectors, as read from what was written of them. */
static void make_post(post_sector_proof *proofs, post_sector *sectors, post_statement *s,
                      const post_proof_type *type, uint64_t seed) {
    const cuzk_ctx ctx = {0};
    const fabricate_source source = {9, "randomness", 0};
    *s = (post_statement){.type = type,
                          .miner_id = 1000,
                          .sectors = sectors,
                          .n_sectors = type->winning ? 1 : N_SECTORS};
    cuzk_fabricate_value(&s->randomness, &source, 0, 0);
    for (size_t i = 0; i < s->n_sectors; i++) {
        size_t len;
        assert_int_equal(cuzk_fabricate_post_sector(&proofs[i], &ctx, type, seed, &s->randomness,
                                                    101 + 7 * i, i, NULL),
                         CUZK_OK);
        free(post_bytes(&proofs[i], &type->size->shape, &len));
    }
    cuzk_post_sectors_of(sectors, proofs, s->n_sectors);
}

static void post(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const post_proof_type *type;
    for (unsigned number = 0; (type = cuzk_post_proof_by_number(number)) != NULL; number++) {
        digest comm_r[3];
        for (uint64_t seed = 3; seed < 6; seed++) { /* the last is the first again */
            post_sector_proof proofs[N_SECTORS];
            post_sector sectors[N_SECTORS];
            post_statement s;
            cuzk_error err;
            make_post(proofs, sectors, &s, type, seed == 5 ? 3 : seed);
            if (cuzk_post_check(&ctx, proofs, &s, NULL, &err) != CUZK_OK) {
                fail_msg("%s: %s", type->name, err.text);
            }
            comm_r[seed - 3] = sectors[s.n_sectors - 1].comm_r;
            for (size_t i = 0; i < s.n_sectors; i++) {
                cuzk_post_sector_clear(&proofs[i]);
            }
        }
        assert_true(digest_eq(&comm_r[0], &comm_r[2]));
        assert_false(digest_eq(&comm_r[0], &comm_r[1]));
    }
    const digest randomness = {{1}};
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

static void update(void **state) {
    (void)state;
    cuzk_pool *pool;
    cuzk_account *account;
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool, .account = account};
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        if (size->log2_nodes == 24 || size->log2_nodes == 31) {
            continue; /* test_fabricate_all.c */
        }
        fabricated_update u, again, other;
        cuzk_error err;
        cuzk_status status = cuzk_fabricate_update(&u, &ctx, size, 1, 77, &err);
        if (size->update_partitions == 0) {
            assert_int_equal(status, CUZK_E_UNSUPPORTED);
            continue;
        }
        assert_int_equal(status, CUZK_OK);
        test_check_fabricated_update(&ctx, &u);
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
        cmocka_unit_test(porep),        cmocka_unit_test(porep_seeds),
        cmocka_unit_test(porep_memory), cmocka_unit_test(porep_failures),
        cmocka_unit_test(post),         cmocka_unit_test(update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
