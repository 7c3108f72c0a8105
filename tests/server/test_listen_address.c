/* Addresses: what is one; unix sockets that are stale, alive, or no sockets. */
#include "server/listen_address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/support.h"

static void addresses_are_numbers_or_paths(void **state) {
    (void)state;
    listen_address a;
    assert_int_equal(cuzk_listen_address_parse(&a, "unix:///run/x/y.sock", NULL), CUZK_OK);
    assert_true(a.is_unix);
    assert_string_equal(a.path, "/run/x/y.sock");
    assert_int_equal(cuzk_listen_address_parse(&a, "0.0.0.0:9820", NULL), CUZK_OK);
    assert_false(a.is_unix || a.is_ipv6);
    assert_string_equal(a.host, "0.0.0.0");
    assert_int_equal(a.port, 9820);
    assert_int_equal(cuzk_listen_address_parse(&a, "[::1]:65535", NULL), CUZK_OK);
    assert_true(a.is_ipv6);
    assert_string_equal(a.host, "::1");
    assert_int_equal(a.port, 65535);
}

static void others_are_refused(void **state) {
    (void)state;
    char long_path[200] = "unix://";
    memset(long_path + 7, 'x', LISTEN_PATH_MAX + 1);
    const char *const bad[] = {"",
                               "9820",
                               ":9820",
                               "localhost:9820",
                               "127.0.0.1",
                               "127.0.0.1:",
                               "127.0.0.1:65536",
                               "127.0.0.1:+80",
                               "127.0.0.1:80 ",
                               "127.1:80",
                               "::1:80",
                               "[::1]",
                               "[::1]80",
                               "[127.0.0.1]:80",
                               "[::1:80",
                               "unix:",
                               "unix://",
                               "unix:/run/x",
                               "unix:///run/",
                               "dns:///host:80",
                               "http://127.0.0.1:80",
                               long_path};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        listen_address a;
        cuzk_error err;
        char text[300];
        snprintf(text, sizeof text, "invalid listen address: %s", bad[i]);
        assert_int_equal(cuzk_listen_address_parse(&a, bad[i], &err), CUZK_E_INPUT);
        assert_string_equal(err.text, text);
    }
}

/* A socket that is bound to the path, and listens if so wanted. */
static int bind_socket(const char *path, bool listens) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    memcpy(name.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&name, sizeof name), 0);
    if (listens) {
        assert_int_equal(listen(fd, 1), 0);
    }
    return fd;
}

static void paths_are_cleared_with_care(void **state) {
    (void)state;
    char root[] = "/tmp/cuzk-listen-XXXXXX", directory[64];
    assert_non_null(mkdtemp(root));
    listen_address a = {.is_unix = true};
    cuzk_error err;
    struct stat st;
    snprintf(directory, sizeof directory, "%s/a/b", root);
    snprintf(a.path, sizeof a.path, "%s/a/b/socket", root);
    assert_int_equal(cuzk_listen_address_clear(&a, NULL), CUZK_OK);
    assert_int_equal(stat(directory, &st), 0);

    int fd = bind_socket(a.path, true);
    assert_int_equal(cuzk_listen_address_clear(&a, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "another process listens"));
    close(fd); /* leaves its socket behind */
    assert_int_equal(lstat(a.path, &st), 0);
    assert_int_equal(cuzk_listen_address_clear(&a, NULL), CUZK_OK);
    assert_int_not_equal(lstat(a.path, &st), 0);

    fclose(fopen(a.path, "w"));
    assert_int_equal(cuzk_listen_address_clear(&a, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "is not a socket"));
    assert_int_equal(lstat(a.path, &st), 0);
    unlink(a.path);
    assert_int_equal(symlink("/nowhere", a.path), 0);
    assert_int_equal(cuzk_listen_address_clear(&a, NULL), CUZK_E_IO);
    unlink(a.path);
    rmdir(directory);
    strrchr(directory, '/')[0] = 0;
    rmdir(directory);
    rmdir(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_numbers_or_paths),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(paths_are_cleared_with_care),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
