/* Update circuits without values: sizes, densities and digests of circuits.md 5.5, those that take
 * seconds. */
#include "support/update_support.h"

static const update_row rows[] = {
    {CIRCUIT_UPDATE,
     "1k",
     1241649,
     327403,
     21,
     {"Update 1KiB", 1248389, 1247309, 5,
      "9aa72227dad454f80a1ccbe181a4cae6d74c61eefde0323939b9df51d1f800b4"}},
    {CIRCUIT_UPDATE,
     "2k",
     1697189,
     444403,
     21,
     {"Update 2KiB", 1705039, 1703569, 5,
      "c787aea9329f4525b3bcde14533b9b775654f6a9afe0a7c671783c8bd4f1f7a5"}},
    {CIRCUIT_UPDATE_POSEIDON,
     "1k",
     24600,
     23667,
     15,
     {"Poseidon variant 1KiB", 32164, 32454, 5,
      "84063d3af825ccb94887245f8d1da1b5133b68634fdf0b42dc2950b51cd9af3c"}},
    {CIRCUIT_UPDATE_POSEIDON,
     "8k",
     36720,
     35247,
     16,
     {"Poseidon variant 8KiB", 47974, 48474, 5,
      "2ed9b3361c3638e78ea9c1fad01709462eb6ed87e543cdf98304d2a042a09777"}},
};

static void test_circuits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_update_row(&rows[i]);
    }
}

static void test_refused(void **state) {
    (void)state;
    update_circuit circuit;
    param_set set;
    cuzk_error err;
    assert_int_equal(cuzk_param_set_by_id(&set, "porep-2k", NULL), CUZK_OK);
    assert_int_equal(cuzk_update_circuit_init(&circuit, &set, NULL, NULL, 0, &err), CUZK_E_RANGE);
    assert_int_equal(cuzk_param_set_by_id(&set, "snap-8m", NULL), CUZK_OK);
    assert_int_equal(cuzk_update_circuit_init(&circuit, &set, NULL, NULL, 3, &err), CUZK_OK);
    assert_int_equal(cuzk_update_circuit_init(&circuit, &set, NULL, NULL, 4, &err), CUZK_E_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuits),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
