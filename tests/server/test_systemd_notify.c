/* Datagrams to a socket in the file system and to one without a file; the watchdog's time. */
#include "server/systemd_notify.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/support.h"

static void expect_datagram(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char got[64] = "";
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    strcpy(address.sun_path, name);
    if (name[0] == '@') {
        address.sun_path[0] = 0;
    }
    socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    setenv("NOTIFY_SOCKET", name, 1);
    assert_true(cuzk_systemd_notify("READY=1\nSTATUS=a b"));
    assert_int_equal(recv(fd, got, sizeof got - 1, MSG_DONTWAIT), 18);
    assert_string_equal(got, "READY=1\nSTATUS=a b");
    close(fd);
}

static void test_datagrams(void **state) {
    (void)state;
    char folder[] = "/tmp/cuzk-notify-XXXXXX", path[64], name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    snprintf(name, sizeof name, "@cuzk-test-%d", (int)getpid());
    expect_datagram(path);
    expect_datagram(name);
    unlink(path);
    assert_false(cuzk_systemd_notify("READY=1")); /* nobody there */
    setenv("NOTIFY_SOCKET", path, 1);
    assert_false(cuzk_systemd_notify("READY=1"));
    setenv("NOTIFY_SOCKET", "relative", 1);
    assert_false(cuzk_systemd_notify("READY=1"));
    unsetenv("NOTIFY_SOCKET");
    assert_false(cuzk_systemd_notify("READY=1"));
    rmdir(folder);
}

static void test_watchdog(void **state) {
    (void)state;
    char pid[16];
    unsetenv("WATCHDOG_PID");
    unsetenv("WATCHDOG_USEC");
    assert_int_equal(cuzk_systemd_watchdog_ns(), 0);
    setenv("WATCHDOG_USEC", "30000000", 1);
    assert_int_equal(cuzk_systemd_watchdog_ns(), (uint64_t)15 * 1000000000);
    setenv("WATCHDOG_PID", "1", 1);
    assert_int_equal(cuzk_systemd_watchdog_ns(), 0);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("WATCHDOG_PID", pid, 1);
    assert_int_equal(cuzk_systemd_watchdog_ns(), (uint64_t)15 * 1000000000);
    setenv("WATCHDOG_USEC", "-3", 1);
    assert_int_equal(cuzk_systemd_watchdog_ns(), 0);
    setenv("WATCHDOG_USEC", "18446744073709551615", 1);
    assert_int_equal(cuzk_systemd_watchdog_ns(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_datagrams),
                                       cmocka_unit_test(test_watchdog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
