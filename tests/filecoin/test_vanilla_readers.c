/* LABELS: quick */
/* PoSt and update vanilla proofs: the vectors are read, damaged ones refused with the place named,
 * every truncation survives. */
#include "filecoin/post_proof.h"
#include "filecoin/update_proof.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/support.h"

static cuzk_status read_post(const char *name, uint64_t sector_bytes, unsigned n_challenges,
                             post_sector_proof *proof, cuzk_error *err) {
    size_t len;
    uint8_t *data = test_read_vector(name, &len);
    const sector_size *size = cuzk_sector_size_by_bytes(sector_bytes);
    cuzk_status status =
        cuzk_post_sector_read(proof, &size->shape, n_challenges, data, len, name, err);
    free(data);
    return status;
}

static void reads_post_vectors(void **state) {
    (void)state;
    const uint64_t kib = 1024, gib = 1ull << 30;
    const struct {
        const char *name;
        uint64_t bytes;
        unsigned n_challenges;
        uint64_t sector;
    } cases[] = {
        {"inputs/window-2KiB-1/sector-101.vproof", 2 * kib, 10, 101},
        {"inputs/window-2KiB-3/sector-115.vproof", 2 * kib, 10, 115},
        {"inputs/window-8MiB-2/sector-108.vproof", 8192 * kib, 10, 108},
        {"inputs/winning-2KiB/sector-101.vproof", 2 * kib, 66, 101},
        {"inputs/window-32GiB-golden/sector-1.vproof", 32 * gib, 10, 1},
        {"invalid/window-trailing/sector-101.vproof", 2 * kib, 10, 101},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        post_sector_proof proof;
        cuzk_error err = {.text = ""};
        if (read_post(cases[i].name, cases[i].bytes, cases[i].n_challenges, &proof, &err) !=
            CUZK_OK) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(proof.sector_id, cases[i].sector);
        assert_int_equal(proof.n_challenges, cases[i].n_challenges);
        assert_memory_equal(&proof.inclusions[0].root, &proof.comm_r_last, DIGEST_BYTES);
        cuzk_post_sector_clear(&proof);
    }
}

static void names_what_is_wrong(void **state) {
    (void)state;
    const struct {
        const char *name, *text;
    } cases[] = {
        {"invalid/window-truncated/sector-101.vproof", "comm_r_last: unexpected end"},
        {"invalid/window-tag/sector-101.vproof", "expected 0 (Single), found 7"},
        {"invalid/window-length-huge/sector-101.vproof", "number of inclusion proofs: expected 10"},
        {"invalid/window-proofs-9/sector-101.vproof",
         "number of inclusion proofs: expected 10, found 9"},
        {"invalid/window-index-range/sector-101.vproof", "1099511627776"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        post_sector_proof proof;
        cuzk_error err;
        assert_int_equal(read_post(cases[i].name, 2048, 10, &proof, &err), CUZK_E_INPUT);
        if (strstr(err.text, cases[i].text) == NULL || strstr(err.text, "offset") == NULL) {
            fail_msg("%s", err.text);
        }
        assert_true(err.offset >= 0);
        assert_null(proof.memory);
    }
}

static void reads_update_vectors(void **state) {
    (void)state;
    const sector_size *size = cuzk_sector_size_by_bytes(2048);
    size_t len;
    uint8_t *data = test_read_vector("inputs/update-2KiB/partition-0.vproof", &len);
    update_partition_proof proof;
    cuzk_error err;
    assert_int_equal(cuzk_update_partition_read(&proof, &size->shape, size->log2_nodes, 8, 10, data,
                                                len, "p", &err),
                     CUZK_OK);
    assert_int_equal(proof.challenges[9].d_new.n_levels, 6);
    cuzk_update_partition_clear(&proof);
    for (size_t cut = 0; cut < len; cut++) {
        uint8_t *copy = malloc(cut + 1); /* its own block, so that reading past the end shows */
        memcpy(copy, data, cut);
        assert_int_equal(cuzk_update_partition_read(&proof, &size->shape, size->log2_nodes, 8, 10,
                                                    copy, cut, "p", &err),
                         CUZK_E_INPUT);
        free(copy);
    }
    free(data);
    data = test_read_vector("invalid/update-challenges-9/partition-0.vproof", &len);
    cuzk_status status = cuzk_update_partition_read(&proof, &size->shape, size->log2_nodes, 8, 10,
                                                    data, len, "p", &err);
    if (status == CUZK_OK) {
        fail_msg("nine challenges were accepted");
    }
    assert_non_null(strstr(err.text, "number of challenge proofs: expected 10, found 9"));
    free(data);
}

static void survives_every_truncation(void **state) {
    (void)state;
    const sector_size *size = cuzk_sector_size_by_bytes(2048);
    size_t len;
    uint8_t *data = test_read_vector("inputs/window-2KiB-1/sector-101.vproof", &len);
    for (size_t cut = 0; cut < len; cut++) {
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy, data, cut);
        post_sector_proof proof;
        cuzk_error err;
        assert_int_equal(cuzk_post_sector_read(&proof, &size->shape, 10, copy, cut, "sector", &err),
                         CUZK_E_INPUT);
        assert_true(err.offset >= 0 && (size_t)err.offset <= cut);
        free(copy);
    }
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_post_vectors),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(reads_update_vectors),
        cmocka_unit_test(survives_every_truncation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
