/* LABELS: tsan
 * The native check of many sectors at once: all bad ones are listed, and the text is the same at
 * any number of workers. */
#include "filecoin/post_check.h"
#include "support/post_support.h"

static const cuzk_ctx alone;

#define N_MANY 300

static void damage_leaf(test_post *p, size_t index, unsigned challenge) {
    p->proofs[index].inclusions[challenge].leaf.bytes[1] ^= 4;
}

/* All bad sectors are listed, the lowest entry is told about, whatever the order of the tasks. */
static void lists_all_bad_sectors(void **state) {
    (void)state;
    const post_proof_type *type = cuzk_post_proof_by_number(10);
    test_post p;
    test_post_fabricate(&p, type, N_MANY);
    p.s.first_partition = 7;
    assert_int_equal(cuzk_post_check(&alone, p.proofs, &p.s, NULL, NULL), CUZK_OK);
    const struct {
        size_t index;
        unsigned challenge;
    } faults[] = {{4, 9}, {4, 3}, {5, 0}, {6, 1}, {17, 2}, {298, 9}, {299, 4}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        damage_leaf(&p, faults[i].index, faults[i].challenge);
    }
    for (unsigned workers = 0; workers < 4; workers++) {
        cuzk_ctx ctx = {0};
        if (workers > 0) {
            assert_int_equal(cuzk_pool_create(&ctx.pool, workers, NULL), CUZK_OK);
        }
        cuzk_error err;
        bool bad[N_MANY];
        assert_int_equal(cuzk_post_check(&ctx, p.proofs, &p.s, bad, &err), CUZK_E_INCONSISTENT);
        assert_string_equal(err.text,
                            "vanilla proof of sector 1004, challenge 3 is inconsistent: the path "
                            "does not lead from its leaf to comm_r_last [partition=9 bad=6 of=300 "
                            "bad_sectors=1004-1006,1017,1298-1299]");
        assert_int_equal(err.partition, 9);
        assert_int_equal(err.sector, 1004);
        assert_int_equal(err.challenge, 3);
        size_t n_bad = 0;
        for (size_t i = 0; i < N_MANY; i++) {
            n_bad += bad[i];
        }
        assert_int_equal(n_bad, 6);
        assert_true(bad[4] && bad[5] && bad[6] && bad[17] && bad[298] && bad[299]);
        cuzk_pool_destroy(ctx.pool);
    }
    test_post_clear(&p);
}

/* More than the text holds. */
static void long_list(void **state) {
    (void)state;
    test_post p;
    test_post_fabricate(&p, cuzk_post_proof_by_number(10), N_MANY);
    for (size_t i = 0; i < N_MANY; i += 2) {
        damage_leaf(&p, i, 0);
    }
    cuzk_error err;
    bool bad[N_MANY];
    assert_int_equal(cuzk_post_check(&alone, p.proofs, &p.s, bad, &err), CUZK_E_INCONSISTENT);
    assert_non_null(strstr(err.text, "bad=150 of=300 bad_sectors=1000,1002,1004,"));
    size_t len = strlen(err.text);
    assert_in_range(len, 490, 511);
    assert_string_equal(err.text + len - 5, ",...]");
    for (size_t i = 0; i < N_MANY; i++) {
        assert_int_equal(bad[i], i % 2 == 0);
    }

    /* a list that is at fault itself: no sector is looked at */
    p.sectors[1].sector_id = 1000;
    assert_int_equal(cuzk_post_check(&alone, p.proofs, &p.s, bad, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "sector 1000 is given twice: entries 0 and 1");
    assert_false(bad[0]);
    p.sectors[1].sector_id = 1001;

    cuzk_cancel cancel = {0};
    const cuzk_ctx cancelled = {.cancel = &cancel};
    cuzk_cancel_set(&cancel);
    assert_int_equal(cuzk_post_check(&cancelled, p.proofs, &p.s, bad, NULL), CUZK_E_CANCELLED);
    test_post_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_all_bad_sectors),
        cmocka_unit_test(long_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
