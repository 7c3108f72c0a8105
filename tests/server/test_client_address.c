/* What addresses clients take, and in what spelling gRPC gets them. */
#include "server/client_address.h"
#include "support/support.h"

#include <string.h>

static void good_ones(void **state) {
    (void)state;
    static const struct {
        const char *address, *target;
        bool tls;
    } cases[] = {
        {"http://127.0.0.1:9820", "dns:///127.0.0.1:9820", false},
        {"http://127.0.0.1:9820/", "dns:///127.0.0.1:9820", false},
        {"https://prover.example:443", "dns:///prover.example:443", true},
        {"127.0.0.1:1", "dns:///127.0.0.1:1", false},
        {"prover:65535", "dns:///prover:65535", false},
        {"[::1]:9820", "dns:///[::1]:9820", false},
        {"http://[fe80::1]:9820", "dns:///[fe80::1]:9820", false},
        {"passthrough:///prover:9820", "dns:///prover:9820", false},
        {"dns:///prover:9820", "dns:///prover:9820", false},
        {"ipv4:127.0.0.1:9820", "ipv4:127.0.0.1:9820", false},
        {"unix:///run/curio/cuzk.sock", "unix:///run/curio/cuzk.sock", false},
        {"unix:/run/curio/cuzk.sock", "unix:/run/curio/cuzk.sock", false},
        {"unix:cuzk.sock", "unix:cuzk.sock", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char target[600];
        bool tls;
        cuzk_error err;
        assert_int_equal(cuzk_client_target(target, sizeof target, &tls, cases[i].address, &err),
                         CUZK_OK);
        assert_string_equal(target, cases[i].target);
        assert_int_equal(tls, cases[i].tls);
    }
}

static void bad_ones(void **state) {
    (void)state;
    static const char *const cases[] = {"",
                                        "host",
                                        "host:",
                                        "host:0",
                                        "host:65536",
                                        "host:99999999999999",
                                        ":9820",
                                        "host:1x",
                                        "host:-1",
                                        "http://",
                                        "http:///",
                                        "http://host",
                                        "http://h:1/x",
                                        "[::1]",
                                        "[::1]9820",
                                        "ftp://h:1",
                                        "unix:",
                                        "unix://",
                                        "unix://relative/path",
                                        "tcp://1.2.3.4:5",
                                        "https://:443"};
    char room[1200];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool tls;
        cuzk_error err;
        assert_int_equal(cuzk_client_target(room, sizeof room, &tls, cases[i], &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "address '"));
    }
    char longest[600];
    memset(longest, 'h', sizeof longest);
    memcpy(longest + 490, ":1", 3);
    bool tls;
    assert_int_equal(cuzk_client_target(room, sizeof room, &tls, longest, NULL), CUZK_OK);
    memcpy(longest + 490, "hhhhhhhhhhhh:1", 15);
    assert_int_equal(cuzk_client_target(room, sizeof room, &tls, longest, NULL), CUZK_E_INPUT);
    assert_int_equal(cuzk_client_target(room, 8, &tls, "host:1", NULL), CUZK_E_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_ones), cmocka_unit_test(bad_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
