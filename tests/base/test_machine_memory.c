/* Memory limits from made-up /proc and /sys trees: control groups of both versions, containers,
 * nonsense. */
#include "base/machine_memory.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/support.h"

#define GIB ((uint64_t)1 << 30)
#define ROOT_CHARS 64

static void make_root(char root[ROOT_CHARS]) {
    strcpy(root, "/tmp/cuzk-machine-XXXXXX");
    assert_non_null(mkdtemp(root));
}

static void put(const char *root, const char *path, const char *content) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)s, (void)type, (void)at;
    return remove(path);
}

static void remove_root(const char *root) { nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static void check(const char *root, uint64_t total, uint64_t cgroup) {
    machine_memory m = cuzk_machine_memory(root);
    assert_true(m.total_bytes == total);
    assert_true(m.cgroup_bytes == cgroup);
}

static void nothing_readable(void **state) {
    (void)state;
    char root[ROOT_CHARS];
    make_root(root);
    check(root, 0, MEMORY_NO_LIMIT);
    put(root, "/proc/meminfo", "MemFree: 5 kB\nMemTotal: many kB\n");
    put(root, "/proc/self/cgroup", "nonsense\n0:\n");
    check(root, 0, MEMORY_NO_LIMIT);
    put(root, "/proc/meminfo", "MemFree: 5 kB\nMemTotal:       16318480 kB\nBuffers: 1 kB\n");
    check(root, (uint64_t)16318480 * 1024, MEMORY_NO_LIMIT);
    put(root, "/proc/meminfo", "MemTotal: 18446744073709551615 kB\n");
    check(root, 0, MEMORY_NO_LIMIT);
    remove_root(root);
}

static void version_2(void **state) {
    (void)state;
    char root[ROOT_CHARS];
    make_root(root);
    put(root, "/proc/self/cgroup", "0::/system.slice/cuzk.service\n");
    put(root, "/sys/fs/cgroup/system.slice/cuzk.service/memory.max", "max\n");
    check(root, 0, MEMORY_NO_LIMIT);
    put(root, "/sys/fs/cgroup/system.slice/cuzk.service/memory.max", "8589934592\n");
    check(root, 0, 8 * GIB);
    /* The group around it may be narrower. */
    put(root, "/sys/fs/cgroup/system.slice/memory.max", "4294967296");
    check(root, 0, 4 * GIB);
    put(root, "/sys/fs/cgroup/system.slice/memory.max", "17179869184\n");
    check(root, 0, 8 * GIB);
    static const char *const nonsense[] = {"", "-1\n", "12 GiB\n", "99999999999999999999999\n"};
    for (size_t i = 0; i < 4; i++) {
        put(root, "/sys/fs/cgroup/system.slice/cuzk.service/memory.max", nonsense[i]);
        check(root, 0, 16 * GIB);
    }
    remove_root(root);
}

static void containers(void **state) {
    (void)state;
    char root[ROOT_CHARS];
    make_root(root);
    /* Own namespace: the group is the root of what can be seen. */
    put(root, "/proc/self/cgroup", "0::/\n");
    put(root, "/sys/fs/cgroup/memory.max", "2147483648\n");
    check(root, 0, 2 * GIB);
    /* The host's path, of which nothing exists here. */
    put(root, "/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    check(root, 0, 2 * GIB);
    remove_root(root);
}

static void version_1(void **state) {
    (void)state;
    char root[ROOT_CHARS];
    make_root(root);
    put(root, "/proc/self/cgroup",
        "12:cpu,cpuacct:/a\n11:memory:/docker/abc\n10:hugememory:/c\n1:name=systemd:/d\n");
    put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    check(root, 0, MEMORY_NO_LIMIT);
    put(root, "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n");
    check(root, 0, GIB);
    put(root, "/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "4096\n");
    check(root, 0, GIB);
    /* Both versions at once. */
    put(root, "/proc/self/cgroup", "11:blkio,memory:/docker/abc\n0::/e\n");
    check(root, 0, GIB);
    put(root, "/sys/fs/cgroup/unified/e/memory.max", "4096\n");
    check(root, 0, 4096);
    remove_root(root);
}

static void long_paths(void **state) {
    (void)state;
    char root[ROOT_CHARS], line[9000];
    make_root(root);
    memset(line, 'x', sizeof line);
    memcpy(line, "0::/", 4);
    line[sizeof line - 1] = '\0';
    put(root, "/proc/self/cgroup", line);
    put(root, "/sys/fs/cgroup/memory.max", "4096\n");
    machine_memory m = cuzk_machine_memory(root);
    assert_true(m.cgroup_bytes == 4096 || m.cgroup_bytes == MEMORY_NO_LIMIT);
    remove_root(root);
}

static void budgets(void **state) {
    (void)state;
    uint64_t bytes = 0;
    cuzk_error err;
    machine_memory m = {.total_bytes = 64 * GIB, .cgroup_bytes = MEMORY_NO_LIMIT};
    assert_int_equal(cuzk_machine_budget(&bytes, &m, 5 * GIB, &err), CUZK_OK);
    assert_true(bytes == 59 * GIB);
    m.cgroup_bytes = 16 * GIB;
    assert_int_equal(cuzk_machine_budget(&bytes, &m, 5 * GIB, &err), CUZK_OK);
    assert_true(bytes == 11 * GIB);
    m.cgroup_bytes = 5 * GIB;
    assert_int_equal(cuzk_machine_budget(&bytes, &m, 5 * GIB, &err), CUZK_E_RANGE);
    assert_non_null(strstr(err.text, "5368709120 bytes leaves nothing of the 5368709120 bytes"));
    m = (machine_memory){.total_bytes = 0, .cgroup_bytes = MEMORY_NO_LIMIT};
    assert_int_equal(cuzk_machine_budget(&bytes, &m, 0, &err), CUZK_OK);
    assert_true(bytes == 256 * GIB);
}

static void this_machine(void **state) {
    (void)state;
    machine_memory m = cuzk_machine_memory("");
    assert_true(m.total_bytes > 64 << 20);
    assert_true(m.cgroup_bytes > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_readable), cmocka_unit_test(version_2),
        cmocka_unit_test(containers),       cmocka_unit_test(version_1),
        cmocka_unit_test(long_paths),       cmocka_unit_test(budgets),
        cmocka_unit_test(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
