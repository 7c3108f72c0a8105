/* Public inputs from the public part of a request alone, against those of the reference. */
#include <stdio.h>

#include "filecoin/porep_inputs.h"
#include "support/manifest.h"
#include "support/support.h"

static porep_statement statement_of(const test_manifest *m) {
    porep_statement s = {
        .type = cuzk_seal_proof_by_number(test_manifest_u64(m, "registered_proof")),
        .miner_id = test_manifest_u64(m, "miner_id"),
        .sector_number = test_manifest_u64(m, "sector_number"),
    };
    test_manifest_hex(m, "comm_r", s.comm_r.bytes, DIGEST_BYTES);
    test_manifest_hex(m, "comm_d", s.comm_d.bytes, DIGEST_BYTES);
    test_manifest_hex(m, "ticket", s.ticket.bytes, DIGEST_BYTES);
    test_manifest_hex(m, "seed", s.seed.bytes, DIGEST_BYTES);
    return s;
}

static void inputs_of_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/porep-2KiB-v1", "inputs/porep-2KiB-v1_1",
                                          "inputs/porep-2KiB-synthetic", "inputs/porep-2KiB-ni",
                                          "inputs/porep-8MiB-v1_1"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_manifest *m = test_manifest_open(folders[i]);
        porep_statement s = statement_of(m);
        fr_plain inputs[3 + POREP_CHALLENGE_INPUTS * POREP_MAX_CHALLENGES];
        assert_int_equal(test_manifest_partitions(m), s.type->n_partitions);
        for (unsigned k = 0; k < s.type->n_partitions; k++) {
            assert_int_equal(test_manifest_n_inputs(m, k), porep_input_count(s.type));
            assert_int_equal(cuzk_porep_inputs(inputs, &s, k, NULL), CUZK_OK);
            for (size_t j = 0; j < porep_input_count(s.type); j++) {
                uint8_t expected[32], got[32];
                test_manifest_input(m, k, j, expected);
                cuzk_fr_plain_write_le(got, &inputs[j]);
                assert_memory_equal(got, expected, 32);
            }
        }
        assert_int_equal(cuzk_porep_inputs(inputs, &s, s.type->n_partitions, NULL), CUZK_E_RANGE);
        test_manifest_close(m);
    }
}

static void bad_statements(void **state) {
    (void)state;
    test_manifest *m = test_manifest_open("inputs/porep-2KiB-v1_1");
    const porep_statement good = statement_of(m);
    fr_plain inputs[39];
    cuzk_error err;
    const struct {
        size_t offset;
        uint8_t fill;
        const char *text;
    } bad[] = {
        {offsetof(porep_statement, comm_d), 0, "Invalid all zero commitment (comm_d)"},
        {offsetof(porep_statement, comm_r), 0, "Invalid all zero commitment (comm_r)"},
        {offsetof(porep_statement, seed), 0, "Invalid porep challenge seed: all zero"},
        {offsetof(porep_statement, comm_d), 0xff,
         "Invalid commitment (comm_d): not below the field modulus"},
        {offsetof(porep_statement, comm_r), 0xff,
         "Invalid commitment (comm_r): not below the field modulus"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        porep_statement s = good;
        memset((uint8_t *)&s + bad[i].offset, bad[i].fill, DIGEST_BYTES);
        assert_int_equal(cuzk_porep_inputs(inputs, &s, 0, &err), CUZK_E_INPUT);
        assert_string_equal(err.text, bad[i].text);
    }
    test_manifest_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_of_vectors),
        cmocka_unit_test(bad_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
