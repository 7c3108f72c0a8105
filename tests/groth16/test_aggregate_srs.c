/* The SnarkPack SRS: draws, bytes, and what the reader refuses. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "hash/blake2.h"
#include "hash/sha256.h"
#include "support/key_files.h"
#include "support/mimc_draws.h"

static mimc_setting setting;
static uint8_t *bytes;
static size_t len_bytes;
static const cuzk_ctx ctx = {0};

static void test_vector(void **state) {
    known_answers *answers = *state;
    assert_int_equal(len_bytes, strtoul(known_answers_text(answers, "srs8.len"), NULL, 10));
    uint8_t digest[64], expected[32];
    cuzk_sha256(digest, bytes, len_bytes);
    known_answers_exact(answers, "srs8.sha256", expected, 32);
    assert_memory_equal(digest, expected, 32);
    cuzk_blake2b(digest, bytes, len_bytes);
    known_answers_exact(answers, "srs8.digest", expected, 16);
    assert_memory_equal(digest, expected, 16);
}

static void check_equal(const aggregate_srs *srs, size_t n) {
    assert_int_equal(srs->n_ga, n);
    assert_int_equal(srs->n_gb, n);
    assert_int_equal(srs->n_ha, n);
    assert_int_equal(srs->n_hb, n);
    assert_memory_equal(srs->ga, setting.srs->ga, n * sizeof *srs->ga);
    assert_memory_equal(srs->gb, setting.srs->gb, n * sizeof *srs->gb);
    assert_memory_equal(srs->ha, setting.srs->ha, n * sizeof *srs->ha);
    assert_memory_equal(srs->hb, setting.srs->hb, n * sizeof *srs->hb);
}

static void test_round_trip(void **state) {
    (void)state;
    aggregate_srs *srs;
    for (size_t max = 0; max <= 20; max += 5) {
        assert_int_equal(cuzk_aggregate_srs_read(&srs, &ctx, bytes, len_bytes, max, NULL), CUZK_OK);
        check_equal(srs, max < 16 ? max : 16);
        cuzk_aggregate_srs_destroy(srs);
    }
    char folder[64], path[96];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/test.srs", folder);
    assert_int_equal(cuzk_file_write(path, bytes, len_bytes, false, NULL), CUZK_OK);
    assert_int_equal(
        cuzk_aggregate_srs_open(&srs, &ctx, path, AGGREGATE_SRS_PRODUCTION_POWERS, NULL), CUZK_OK);
    check_equal(srs, 16);
    cuzk_aggregate_srs_destroy(srs);
    cuzk_error err;
    assert_int_equal(cuzk_file_write(path, bytes, len_bytes - 1, true, NULL), CUZK_OK);
    assert_int_equal(cuzk_aggregate_srs_open(&srs, &ctx, path, SIZE_MAX, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "test.srs"));
    unlink(path);
    assert_int_equal(cuzk_aggregate_srs_open(&srs, &ctx, path, SIZE_MAX, &err), CUZK_E_IO);
    key_files_remove(folder);
    cuzk_aggregate_srs_destroy(NULL);
}

static void refuse(const uint8_t *data, size_t len, size_t offset) {
    aggregate_srs *srs;
    cuzk_error err;
    assert_int_equal(cuzk_aggregate_srs_read(&srs, &ctx, data, len, SIZE_MAX, &err),
                     CUZK_E_BAD_PARAMS);
    if (offset != SIZE_MAX) {
        assert_int_equal(err.offset, offset);
    }
    assert_int_equal(cuzk_aggregate_srs_read(&srs, &ctx, data, len, SIZE_MAX, NULL),
                     CUZK_E_BAD_PARAMS);
}

static void test_refusals(void **state) {
    (void)state;
    for (size_t len = 0; len < len_bytes; len++) {
        refuse(bytes, len, SIZE_MAX);
    }
    uint8_t *bad = calloc(1, len_bytes + 1);
    assert_non_null(bad);
    memcpy(bad, bytes, len_bytes);
    refuse(bad, len_bytes + 1, len_bytes);
    store_be32(bad, (1u << 20) + 2);
    refuse(bad, len_bytes, 0);
    store_be32(bad, UINT32_MAX);
    refuse(bad, len_bytes, 0);
    const size_t second_vector = 4 + 16 * 48, third_vector = 2 * second_vector,
                 fourth_vector = third_vector + 4 + 16 * 96;
    const size_t places[] = {4 + 15 * 48, second_vector + 4 + 7 * 48, third_vector + 4,
                             fourth_vector + 4 + 9 * 96};
    for (size_t i = 0; i < 4; i++) { /* the first bad point is named */
        for (size_t j = i; j < 4; j++) {
            memcpy(bad, bytes, len_bytes);
            bad[places[i]] &= 0x7f;
            bad[places[j] + 40] ^= 4;
            refuse(bad, len_bytes, places[i]);
        }
    }
    aggregate_srs *srs; /* beyond what is kept nothing is looked at */
    memcpy(bad, bytes, len_bytes);
    bad[places[0]] ^= 0xff;
    assert_int_equal(cuzk_aggregate_srs_read(&srs, &ctx, bad, len_bytes, 15, NULL), CUZK_OK);
    cuzk_aggregate_srs_destroy(srs);
    memcpy(bad, bytes, len_bytes);
    bad[4] = 0xc0; /* infinity is a point */
    memset(bad + 5, 0, 47);
    assert_int_equal(cuzk_aggregate_srs_read(&srs, &ctx, bad, len_bytes, SIZE_MAX, NULL), CUZK_OK);
    assert_true(g1_affine_is_infinity(&srs->ga[0]));
    cuzk_aggregate_srs_destroy(srs);
    free(bad);

    chacha_rng chacha;
    cuzk_chacha20_seed_u64(&chacha, 0);
    const rng_source rng = cuzk_rng_from_chacha(&chacha);
    assert_int_equal(cuzk_aggregate_srs_fake(&srs, &ctx, &rng, 0, NULL), CUZK_E_RANGE);
    assert_int_equal(cuzk_aggregate_srs_fake(&srs, &ctx, &rng, SIZE_MAX, NULL), CUZK_E_RANGE);
}

int main(void) {
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    mimc_setting_init(&setting, answers);
    len_bytes = cuzk_aggregate_srs_bytes(setting.srs);
    bytes = malloc(len_bytes);
    assert_non_null(bytes);
    cuzk_aggregate_srs_write(bytes, setting.srs);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_vector, answers),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refusals),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(bytes);
    mimc_setting_clear(&setting);
    known_answers_close(answers);
    return failed;
}
