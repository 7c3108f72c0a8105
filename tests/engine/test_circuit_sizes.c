/* The table of sizes: a row for every circuit, each small one as the circuit's code gives it. */
#include "support/set_sizes.h"

static void every_small_set(void **state) {
    (void)state;
    size_t n_small = 0;
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        param_set set;
        cuzk_param_set_at(&set, i);
        if (test_set_log2_domain(&set) <= TEST_SMALL_LOG2_DOMAIN) {
            test_set_sizes(&set);
            n_small++;
        }
    }
    assert_true(n_small > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_small_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
