/* Sums of times at the ends of the clock, and what is due once a while. */
#include "base/clock.h"

#include "support/support.h"

static void sums_end_at_never(void **state) {
    (void)state;
    assert_int_equal(clock_after(1, 2), 3);
    assert_true(clock_after(CLOCK_NEVER - 1, 1) == CLOCK_NEVER);
    assert_true(clock_after(2, CLOCK_NEVER) == CLOCK_NEVER);
}

static void due_once_a_while(void **state) {
    (void)state;
    _Atomic uint64_t due_ns = 0;
    static const struct {
        uint64_t now_ns;
        bool due;
    } rows[] = {{500, true}, {500, false}, {599, false}, {600, true}, {699, false}, {950, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(clock_due(&due_ns, rows[i].now_ns, 100), rows[i].due);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_end_at_never),
        cmocka_unit_test(due_once_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
