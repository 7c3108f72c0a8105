/* Public inputs of PoSt partitions from the statement alone, against those of the reference. */
#include <stdio.h>
#include <stdlib.h>

#include "codec/hex.h"
#include "filecoin/post_inputs.h"
#include "support/manifest.h"
#include "support/support.h"

static post_statement statement_of(const test_manifest *m) {
    post_statement s = {
        .type = cuzk_post_proof_by_number(test_manifest_u64(m, "registered_proof")),
        .miner_id = test_manifest_u64(m, "miner_id"),
        .n_sectors = test_manifest_sectors(m),
    };
    test_manifest_hex(m, "randomness", s.randomness.bytes, DIGEST_BYTES);
    post_sector *sectors = calloc(s.n_sectors, sizeof *sectors);
    assert_non_null(sectors);
    for (size_t i = 0; i < s.n_sectors; i++) {
        test_manifest_sector(m, i, &sectors[i].sector_id, sectors[i].comm_r.bytes);
    }
    s.sectors = sectors;
    return s;
}

static fr_plain *inputs_of(const post_statement *s, size_t partition) {
    fr_plain *inputs = malloc(cuzk_post_input_count(s->type) * sizeof *inputs);
    cuzk_error err;
    assert_non_null(inputs);
    if (cuzk_post_inputs(inputs, s, partition, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return inputs;
}

static void assert_input(const fr_plain *input, const uint8_t expected[32]) {
    uint8_t got[32];
    cuzk_fr_plain_write_le(got, input);
    assert_memory_equal(got, expected, 32);
}

static void assert_partition(const test_manifest *m, size_t partition, const post_statement *s,
                             size_t of_statement) {
    fr_plain *inputs = inputs_of(s, of_statement);
    size_t n = cuzk_post_input_count(s->type);
    assert_int_equal(test_manifest_n_inputs(m, partition), n);
    for (size_t i = 0; i < n; i++) {
        uint8_t expected[32];
        test_manifest_input(m, partition, i, expected);
        assert_input(&inputs[i], expected);
    }
    free(inputs);
}

static void inputs_of_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/window-2KiB-1", "inputs/window-2KiB-2",
                                          "inputs/window-2KiB-3", "inputs/window-2KiB-v1-3",
                                          "inputs/window-8MiB-2", "inputs/winning-2KiB",
                                          "inputs/winning-8MiB",  "inputs/winning-32GiB"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_manifest *m = test_manifest_open(folders[i]);
        post_statement s = statement_of(m);
        assert_int_equal(cuzk_post_partitions(&s), test_manifest_partitions(m));
        for (size_t k = 0; k < test_manifest_partitions(m); k++) {
            assert_partition(m, k, &s, k);
        }
        fr_plain none;
        assert_int_equal(cuzk_post_inputs(&none, &s, test_manifest_partitions(m), NULL),
                         CUZK_E_RANGE);
        free((void *)s.sectors);
        test_manifest_close(m);
    }
}

/* A partition by itself: its own sectors, and its number. */
static void single_partitions(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/window-2KiB-3", "inputs/window-2KiB-v1-3"};
    for (size_t i = 0; i < 2; i++) {
        test_manifest *m = test_manifest_open(folders[i]);
        post_statement s = statement_of(m), first = s, second = s;
        first.n_sectors = 2;
        second.sectors = s.sectors + 2;
        second.n_sectors = 1;
        second.first_partition = 1;
        assert_partition(m, 0, &first, 0);
        assert_partition(m, 1, &second, 0);
        second.first_partition = 0; /* matters to V1 only */
        fr_plain *inputs = inputs_of(&second, 0);
        uint8_t expected[32], got[32];
        test_manifest_input(m, 1, 1, expected);
        cuzk_fr_plain_write_le(got, &inputs[1]);
        assert_int_equal(memcmp(got, expected, 32) == 0, s.type->version != POREP_V1_0);
        free(inputs);
        free((void *)s.sectors);
        test_manifest_close(m);
    }
}

/* Lines "partition index value", index 1 first. */
static void large_partitions(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/window-32GiB-3", "inputs/window-32GiB-golden"};
    for (size_t k = 0; k < 2; k++) {
        char name[100];
        size_t len, n = 0;
        test_manifest *m = test_manifest_open(folders[k]);
        post_statement s = statement_of(m);
        fr_plain *inputs = inputs_of(&s, 0);
        snprintf(name, sizeof name, "%s/public-inputs.txt.gz", folders[k]);
        char *text = (char *)test_read_packed_vector(name, &len), *rest = NULL;
        for (char *line = strtok_r(text, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            unsigned long partition, index;
            char hex[65];
            uint8_t expected[32];
            assert_int_equal(sscanf(line, "%lu %lu %64s", &partition, &index, hex), 3);
            assert_int_equal(partition, 0);
            assert_int_equal(index, n + 1);
            assert_true(cuzk_hex_decode(expected, 32, hex));
            assert_input(&inputs[n++], expected);
        }
        assert_int_equal(n, cuzk_post_input_count(s.type));
        free(text);
        free(inputs);
        free((void *)s.sectors);
        test_manifest_close(m);
    }
}

static void must_fail(const post_statement *s, const char *text, int64_t sector) {
    fr_plain inputs[2 * WINNING_SECTORS];
    cuzk_error err;
    assert_true(cuzk_post_input_count(s->type) <= 2 * WINNING_SECTORS);
    assert_int_equal(cuzk_post_inputs(inputs, s, 0, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, text);
    assert_int_equal(err.sector, sector);
}

static void bad_statements(void **state) {
    (void)state;
    test_manifest *m = test_manifest_open("inputs/window-2KiB-3");
    const post_statement good = statement_of(m);
    post_sector *sectors = (post_sector *)good.sectors;
    post_statement s = good;
    memset(s.randomness.bytes, 0xff, DIGEST_BYTES);
    must_fail(&s, "Invalid commitment (randomness): not below the field modulus", CUZK_NOWHERE);
    s = good;
    s.n_sectors = 0;
    must_fail(&s, "no WindowPoSt vanilla proofs", CUZK_NOWHERE);
    assert_int_equal(cuzk_post_partitions(&s), 1);
    s.type = cuzk_post_proof_by_number(0);
    must_fail(&s, "no WinningPoSt vanilla proofs", CUZK_NOWHERE);
    s.n_sectors = 2;
    must_fail(&s, "WinningPoSt expected 1 sector proof, got 2", CUZK_NOWHERE);
    s = good;
    uint64_t id = sectors[0].sector_id;
    sectors[2].sector_id = id;
    must_fail(&s, "sector 101 is given twice: entries 0 and 2", 101);
    sectors[1].sector_id = id;
    must_fail(&s, "sector 101 is given twice: entries 0 and 1", 101);
    sectors[1].sector_id = 108;
    sectors[2].sector_id = 115;
    memset(sectors[1].comm_r.bytes, 0xff, DIGEST_BYTES);
    must_fail(&s, "sector 108: Invalid commitment (comm_r): not below the field modulus", 108);
    free(sectors);
    test_manifest_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_of_vectors),
        cmocka_unit_test(single_partitions),
        cmocka_unit_test(large_partitions),
        cmocka_unit_test(bad_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
