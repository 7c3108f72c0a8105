/* Public inputs of updates from the statement alone, against those of the reference. */
#include "filecoin/update_inputs.h"

#include "support/manifest.h"
#include "support/update_support.h"

static void inputs_of_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/update-2KiB", "inputs/update-8MiB",
                                          "inputs/update-32GiB"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_manifest *m = test_manifest_open(folders[i]);
        update_statement s = test_update_statement(folders[i]);
        unsigned n_partitions = s.type->size->update_partitions;
        fr_plain inputs[UPDATE_INPUTS];
        assert_int_equal(test_manifest_partitions(m), n_partitions);
        for (unsigned k = 0; k < n_partitions; k++) {
            assert_int_equal(test_manifest_n_inputs(m, k), UPDATE_INPUTS);
            assert_int_equal(cuzk_update_inputs(inputs, &s, k, NULL), CUZK_OK);
            for (size_t j = 0; j < UPDATE_INPUTS; j++) {
                uint8_t expected[FR_BYTES], got[FR_BYTES];
                test_manifest_input(m, k, j, expected);
                cuzk_fr_plain_write_le(got, &inputs[j]);
                assert_memory_equal(got, expected, FR_BYTES);
            }
        }
        assert_int_equal(cuzk_update_inputs(inputs, &s, n_partitions, NULL), CUZK_E_RANGE);
        test_manifest_close(m);
    }
}

static void bad_statements(void **state) {
    (void)state;
    const update_statement good = test_update_statement("inputs/update-2KiB");
    const struct {
        size_t offset;
        uint8_t fill;
        const char *text;
    } bad[] = {
        {offsetof(update_statement, comm_r_old), 0, "Invalid all zero commitment (comm_r_old)"},
        {offsetof(update_statement, comm_r_new), 0, "Invalid all zero commitment (comm_r_new)"},
        {offsetof(update_statement, comm_d_new), 0, "Invalid all zero commitment (comm_d_new)"},
        {offsetof(update_statement, comm_r_old), 0xff,
         "Invalid commitment (comm_r_old): not below the field modulus"},
        {offsetof(update_statement, comm_r_new), 0xff,
         "Invalid commitment (comm_r_new): not below the field modulus"},
        {offsetof(update_statement, comm_d_new), 0xff,
         "Invalid commitment (comm_d_new): not below the field modulus"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        update_statement s = good;
        fr_plain inputs[UPDATE_INPUTS];
        cuzk_error err;
        memset((uint8_t *)&s + bad[i].offset, bad[i].fill, DIGEST_BYTES);
        assert_int_equal(cuzk_update_statement_check(&s, &err), CUZK_E_INPUT);
        assert_string_equal(err.text, bad[i].text);
        assert_int_equal(cuzk_update_inputs(inputs, &s, 0, &err), CUZK_E_INPUT);
        assert_string_equal(err.text, bad[i].text);
    }
}

/* The first option that is the default: bit 0 where all are 1, bit 3 where 10 is one of 7 to 12. */
static void selections(void **state) {
    (void)state;
    const struct {
        const char *id;
        unsigned partition;
        uint64_t selection;
    } cases[] = {
        {"snap-1k", 0, 1},          {"snap-16k", 1, 1 + 2},
        {"snap-8m", 2, 2 + 4 * 8},  {"snap-32g", 15, 15 + 16 * 8},
        {"snap-poseidon-1k", 0, 1}, {"snap-poseidon-64g", 0, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        param_set set;
        assert_int_equal(cuzk_param_set_by_id(&set, cases[i].id, NULL), CUZK_OK);
        assert_int_equal(cuzk_update_selection(&set, cases[i].partition), cases[i].selection);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_of_vectors),
        cmocka_unit_test(bad_statements),
        cmocka_unit_test(selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
