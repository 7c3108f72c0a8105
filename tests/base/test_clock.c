/* Sums of times at the ends of the clock, and what is due once a while. */
#include "base/clock.h"

#include "support/support.h"

static void sums_end_at_never(void **state) {
    (void)state;
    assert_int_equal(clock_after(1, 2), 3);
    assert_true(clock_after(CLOCK_NEVER - 1, 1) == CLOCK_NEVER);
    assert_true(clock_after(2, CLOCK_NEVER) == CLOCK_NEVER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_end_at_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
