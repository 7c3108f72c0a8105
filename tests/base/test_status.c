/* Statuses, error texts, checked sizes, byte order, clocks, entropy and CPU levels. */
#include "base/status.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/entropy.h"
#include "support/support.h"

static void names_and_texts(void **state) {
    (void)state;
    assert_string_equal(cuzk_status_name(CUZK_OK), "CUZK_OK");
    for (int i = 0; i <= CUZK_E_INTERNAL; i++) {
        assert_memory_equal(cuzk_status_name((cuzk_status)i), "CUZK_", 5);
        assert_true(strlen(cuzk_status_text((cuzk_status)i)) > 0);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(cuzk_status_name((cuzk_status)i),
                                    cuzk_status_name((cuzk_status)j));
        }
    }
    assert_string_equal(cuzk_status_name((cuzk_status)1000), "CUZK_E_UNKNOWN");
    assert_true(strlen(cuzk_version()) >= 5);
}

static void error_texts(void **state) {
    (void)state;
    cuzk_error err;
    assert_int_equal(cuzk_fail(&err, CUZK_E_INPUT, "bad %d", 7), CUZK_E_INPUT);
    assert_string_equal(err.text, "bad 7");
    assert_int_equal(err.offset, CUZK_NOWHERE);
    cuzk_error_prefix(&err, "partition %d: ", 3);
    cuzk_error_at_file(&err, "file.json", 12);
    assert_string_equal(err.text, "file.json: offset 12: partition 3: bad 7");
    assert_string_equal(err.file, "file.json");
    assert_int_equal(err.offset, 12);
    assert_int_equal(err.status, CUZK_E_INPUT);
    char long_name[1000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    long_name[sizeof long_name - 2] = 'y';
    for (int i = 0; i < 5; i++) {
        cuzk_error_at_file(&err, long_name, CUZK_NOWHERE);
        cuzk_error_prefix(&err, "%s", long_name);
    }
    assert_int_equal(err.file[strlen(err.file) - 1], 'y');
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    cuzk_error_clear(&err);
    assert_int_equal(err.status, CUZK_OK);
    assert_string_equal(err.text, "");
    assert_int_equal(cuzk_fail(NULL, CUZK_E_IO, "unheard"), CUZK_E_IO);
    cuzk_error_prefix(NULL, "unheard");
    cuzk_error_at_file(NULL, "unheard", 0);
    cuzk_error_clear(NULL);
}

static void checked_sizes(void **state) {
    (void)state;
    size_t r;
    assert_true(size_mul(&r, SIZE_MAX / 3, 3));
    assert_false(size_mul(&r, SIZE_MAX / 3 + 1, 3));
    assert_true(size_add(&r, SIZE_MAX - 1, 1));
    assert_false(size_add(&r, SIZE_MAX, 1));
    assert_int_equal(size_round_up(0, 64), 0);
    assert_int_equal(size_round_up(1, 64), 64);
    assert_int_equal(size_round_up(64, 64), 64);
}

static void byte_order(void **state) {
    (void)state;
    uint8_t bytes[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, copy[9] = {0};
    assert_int_equal(load_le32(bytes + 1), 0x04030201);
    assert_int_equal(load_be32(bytes + 1), 0x01020304);
    assert_true(load_le64(bytes + 1) == 0x0807060504030201);
    assert_true(load_be64(bytes + 1) == 0x0102030405060708);
    store_le32(copy + 1, load_le32(bytes + 1));
    store_be32(copy + 5, load_be32(bytes + 5));
    assert_memory_equal(copy, bytes, 9);
    store_le64(copy + 1, load_le64(bytes + 1));
    assert_memory_equal(copy, bytes, 9);
    store_be64(copy + 1, load_be64(bytes + 1));
    assert_memory_equal(copy, bytes, 9);
}

static void clocks_run(void **state) {
    (void)state;
    uint64_t wall = cuzk_wall_ns(), process = cuzk_process_cpu_ns(), thread = cuzk_thread_cpu_ns();
    while (cuzk_thread_cpu_ns() < thread + 1000000) {
    }
    assert_true(cuzk_process_cpu_ns() >= process + 1000000);
    assert_true(cuzk_wall_ns() >= wall + 900000);
}

static void entropy_differs(void **state) {
    (void)state;
    static uint8_t a[100000], b[100000];
    assert_int_equal(cuzk_entropy(a, sizeof a, NULL), CUZK_OK);
    assert_int_equal(cuzk_entropy(b, sizeof b, NULL), CUZK_OK);
    assert_memory_not_equal(a, b, sizeof a);
    assert_memory_not_equal(a + sizeof a - 32, b + sizeof b - 32, 32);
    assert_int_equal(cuzk_entropy(a, 0, NULL), CUZK_OK);
    cuzk_wipe(b, sizeof b);
    for (size_t i = 0; i < sizeof b; i++) {
        assert_int_equal(b[i], 0);
    }
}

/* What a process with that CUZK_CPU finds: level in force, +100 if the check fails. The level is
 * decided once a process, so each question is put to a child. */
static int level_with(const char *value) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (value == NULL) {
            unsetenv("CUZK_CPU");
        } else {
            setenv("CUZK_CPU", value, 1);
        }
        cuzk_error err;
        bool good = cuzk_cpu_check(&err) == CUZK_OK;
        if (!good && (err.status != CUZK_E_UNSUPPORTED || strstr(err.text, value) == NULL)) {
            _exit(99);
        }
        _exit((int)cuzk_cpu_level_now() + (good ? 0 : 100));
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static void cpu_levels(void **state) {
    (void)state;
    int highest = level_with(NULL);
    assert_true(highest < CUZK_CPU_LEVELS);
    assert_int_equal(level_with(""), highest);
    for (int i = 0; i < CUZK_CPU_LEVELS; i++) {
        const char *name = cuzk_cpu_level_name((cuzk_cpu_level)i);
        assert_int_equal(level_with(name), i <= highest ? i : 100 + highest);
    }
    assert_int_equal(level_with("unheard"), 100 + highest);
    assert_int_equal(cuzk_cpu_detected(), highest);
    assert_string_equal(cuzk_cpu_level_name(CUZK_CPU_PORTABLE), "portable");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts), cmocka_unit_test(error_texts),
        cmocka_unit_test(checked_sizes),   cmocka_unit_test(byte_order),
        cmocka_unit_test(clocks_run),      cmocka_unit_test(entropy_differs),
        cmocka_unit_test(cpu_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
