/* Lists of CPUs, and that the process then runs on them and is nice. */
#include "server/host_share.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "support/support.h"

static void test_lists(void **state) {
    (void)state;
    static const char *const good[] = {"", "0", "0-3", "0-3,8,10-11", "7,7", "1023"};
    static const char *const bad[] = {"-",    "3-1",         "0-",  "1,",   ",1",
                                      " 1",   "all",         "0x1", "1;2",  "1-2-3",
                                      "1024", "99999999999", "1 ",  "1,,2", "0-99999"};
    cuzk_error err;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(cuzk_host_share_check(good[i], &err), CUZK_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cuzk_host_share_check(bad[i], &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "process.cores: "));
    }
}

static void test_taking(void **state) {
    (void)state;
    cpu_set_t set;
    cuzk_error err;
    char list[16];
    unsigned first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    while (!CPU_ISSET(first, &set)) {
        first++;
    }
    int nice = getpriority(PRIO_PROCESS, 0);
    snprintf(list, sizeof list, "%u", first);
    assert_int_equal(cuzk_host_share_take(0, "", &err), CUZK_OK);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), nice);
    assert_int_equal(cuzk_host_share_take(nice > 0 ? (unsigned)nice : 0, list, &err), CUZK_OK);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    assert_int_equal(CPU_COUNT(&set), 1);
    assert_true(CPU_ISSET(first, &set));
    assert_int_equal(cuzk_host_share_take(19, "", &err), CUZK_OK);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), 19);
    assert_int_equal(cuzk_host_share_take(0, "1023", &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "process.cores: 1023: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_taking)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
