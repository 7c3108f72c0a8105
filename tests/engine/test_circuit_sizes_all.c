/* LABELS: slow
 * The table of sizes: rows of the large circuits. The largest take minutes; name some as arguments
 * to run only these. */
#include <stdlib.h>

#include "support/circuit_support.h"
#include "support/set_sizes.h"

static void test_set(void **state) { test_set_sizes(*state); }

int main(int argc, char **argv) {
    param_set *sets = calloc(cuzk_n_param_sets, sizeof *sets);
    struct CMUnitTest *tests = calloc(cuzk_n_param_sets, sizeof *tests);
    if (sets == NULL || tests == NULL) {
        return 1;
    }
    size_t n = 0;
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        cuzk_param_set_at(&sets[n], i);
        if (test_set_log2_domain(&sets[n]) > TEST_SMALL_LOG2_DOMAIN) {
            tests[n] = (struct CMUnitTest){
                .name = sets[n].id, .test_func = test_set, .initial_state = &sets[n]};
            n++;
        }
    }
    int n_failures = test_run_named("sizes", tests, n, argc, argv);
    free(tests);
    free(sets);
    return n_failures;
}
