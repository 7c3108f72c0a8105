/* Texts that may be sent, bytes of messages, what of a budget is for requests. */
#include "server/rpc.h"

#include <string.h>

#include "server/grpc_server.h"
#include "server/proving_request.h"
#include "support/support.h"

static void expect_clean(const char *text, size_t room, const char *expected) {
    char out[64];
    cuzk_rpc_clean_text(out, room, text, strlen(text));
    assert_string_equal(out, expected);
}

static void texts_are_one_line_of_utf8(void **state) {
    (void)state;
    expect_clean("", 64, "");
    expect_clean("plain [1 2]", 64, "plain [1 2]");
    expect_clean("a\nb\tc\x7f", 64, "a b c ");
    expect_clean("\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82", 64,
                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82");
    expect_clean("a\xff\xc3", 64, "a\xef\xbf\xbd\xef\xbf\xbd");
    expect_clean("\xed\xa0\x80", 64, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
    expect_clean("abcdef", 4, "abc");
    expect_clean("ab\xc3\xa9", 4, "ab"); /* not half a character */
    expect_clean("ab\xc3\xa9", 5, "ab\xc3\xa9");
    expect_clean("x", 1, "");
}

typedef struct seen {
    rpc_call base;
    rpc_code code;
    char text[2048];
} seen;

static void see(rpc_call *call, rpc_code code, const char *text) {
    seen *s = (seen *)call;
    s->code = code;
    strcpy(s->text, text);
}

static void failures_are_cleaned(void **state) {
    (void)state;
    static const rpc_transport transport = {.fail = see};
    seen s = {.base.transport = &transport};
    cuzk_rpc_fail(&s.base, RPC_NOT_FOUND, "job not found: %s", "a\xff\n");
    assert_int_equal(s.code, RPC_NOT_FOUND);
    assert_string_equal(s.text, "job not found: a\xef\xbf\xbd ");
}

static void bytes_short_and_long(void **state) {
    (void)state;
    static const size_t lengths[] = {0, 1, (1 << 20) - 1, 1 << 20, 5 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        rpc_bytes bytes;
        assert_int_equal(cuzk_rpc_bytes_alloc(&bytes, lengths[i], NULL), CUZK_OK);
        assert_int_equal(bytes.len_bytes, lengths[i]);
        assert_non_null(bytes.data);
        memset(bytes.data, 1, lengths[i]);
        cuzk_rpc_bytes_free(&bytes);
        assert_null(bytes.data);
        cuzk_rpc_bytes_free(&bytes);
    }
}

static void requests_have_their_share(void **state) {
    (void)state;
    const size_t mib = 1 << 20, gib = 1 << 30, most = 256 * mib;
    const size_t one = most + PROVING_BESIDE_MAX;
    assert_int_equal(cuzk_server_request_bytes(20 * gib, most), gib); /* 5 % */
    assert_int_equal(cuzk_server_request_bytes(2 * gib, most), one);  /* one request */
    assert_int_equal(cuzk_server_request_bytes(512 * gib, most), RPC_MAX_RECEIVING * one);
    assert_int_equal(cuzk_server_request_bytes(400 * mib, most), 100 * mib); /* a quarter */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_one_line_of_utf8),
        cmocka_unit_test(failures_are_cleaned),
        cmocka_unit_test(bytes_short_and_long),
        cmocka_unit_test(requests_have_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
