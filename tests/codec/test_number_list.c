/* Lists of numbers: runs, room to the character, and what is cut. */
#include "codec/number_list.h"

#include <string.h>

#include "support/support.h"

static void expect(const char *text, const uint64_t *numbers, size_t n) {
    char got[64];
    assert_int_equal(cuzk_number_list_write(NULL, 0, numbers, n), strlen(text) + 1);
    assert_int_equal(
        cuzk_number_list_write(got, strlen(text) + 1 < 8 ? 8 : strlen(text) + 1, numbers, n),
        strlen(text) + 1);
    assert_string_equal(got, text);
}

static void test_runs(void **state) {
    (void)state;
    static const uint64_t numbers[] = {0, 101, 115, 116, 117, 200, 201, UINT64_MAX - 1, UINT64_MAX};
    expect("", numbers, 0);
    expect("0", numbers, 1);
    expect("0,101", numbers, 2);
    expect("0,101,115-117", numbers, 5);
    expect("0,101,115-117,200-201,18446744073709551614-18446744073709551615", numbers, 9);
}

/* Never past its room; whatever is cut says so and ends a whole run. */
static void test_room(void **state) {
    (void)state;
    static const uint64_t numbers[] = {7, 10, 11, 12, 40, 60, 61, 900};
    static const char whole[] = "7,10-12,40,60-61,900";
    for (size_t room = 8; room <= sizeof whole; room++) {
        char got[sizeof whole + 1];
        memset(got, '#', sizeof got);
        assert_int_equal(cuzk_number_list_write(got, room, numbers, 8), sizeof whole);
        assert_true(strlen(got) < room);
        assert_int_equal(got[room], '#');
        if (room == sizeof whole) {
            assert_string_equal(got, whole);
            continue;
        }
        size_t kept = strlen(got) - 4;
        assert_string_equal(got + kept, ",...");
        assert_memory_equal(got, whole, kept);
        assert_int_equal(whole[kept], ',');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
