/* LABELS: quick */
/* JSON events, strictness, bounds; base64 strictness. */
#include "codec/base64.h"
#include "codec/json.h"

#include <stdio.h>

#include "support/support.h"

/* Events as letters: n f t 0 s k { } [ ] */
static cuzk_status note_event(void *arg, json_event event, const char *text, size_t len,
                              size_t offset, cuzk_error *err) {
    (void)text;
    (void)len;
    (void)offset;
    (void)err;
    char *log = arg;
    size_t n = strlen(log);
    assert_true(n < 250);
    log[n] = "nft0sk{}[]"[event];
    log[n + 1] = '\0';
    return CUZK_OK;
}

static cuzk_status read_text(const char *text, char log[256], cuzk_error *err) {
    log[0] = '\0';
    return cuzk_json_read((const uint8_t *)text, strlen(text), 8, note_event, log, err);
}

static void gives_events_in_order(void **state) {
    (void)state;
    char log[256];
    assert_int_equal(read_text(" {\"a\": [1, true, null, \"x\\u0041\"], \"b\": {}} ", log, NULL),
                     CUZK_OK);
    assert_string_equal(log, "{k[0tns]k{}}");
}

static void refuses_what_is_not_json(void **state) {
    (void)state;
    const char *const bad[] = {"",           "{",          "[1,]",  "{\"a\":1,}", "[01]",
                               "[1.]",       "[+1]",       "{a:1}", "[1] [2]",    "[\"\\x\"]",
                               "[\"\x01\"]", "[\"\xff\"]", "[\v1]", "[1]\f",      "[tru]",
                               "// x\n[1]",  "[NaN]",      "['a']", "[\"a\n\"]",  "]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char log[256];
        cuzk_error err;
        if (read_text(bad[i], log, &err) != CUZK_E_INPUT) {
            fail_msg("accepted: %s", bad[i]);
        }
        assert_true(err.offset >= 0 && (size_t)err.offset <= strlen(bad[i]));
        assert_non_null(strstr(err.text, "offset"));
    }
}

static void bounds_depth(void **state) {
    (void)state;
    char log[256];
    cuzk_error err;
    assert_int_equal(read_text("[[[[[[[[1]]]]]]]]", log, &err), CUZK_OK);
    assert_int_equal(read_text("[[[[[[[[[1]]]]]]]]]", log, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "nested"));
}

static void integers_are_exact(void **state) {
    (void)state;
    uint64_t v;
    assert_true(cuzk_json_u64(&v, "18446744073709551615", 20));
    assert_true(v == UINT64_MAX);
    const char *const bad[] = {"18446744073709551616", "-1", "1.0", "1e3", "",
                               "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(cuzk_json_u64(&v, bad[i], strlen(bad[i])));
    }
}

static void base64_is_strict(void **state) {
    (void)state;
    const struct {
        const char *text, *data;
    } good[] = {{"", ""},
                {"Zg==", "f"},
                {"Zm8=", "fo"},
                {"Zm9v", "foo"},
                {"Zm9vYg==", "foob"},
                {"Zm9vYmE=", "fooba"},
                {"Zm9vYmFy", "foobar"}};
    uint8_t out[64];
    size_t n;
    cuzk_error err;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(cuzk_base64_decode(out, &n, good[i].text, strlen(good[i].text), &err),
                         CUZK_OK);
        assert_int_equal(n, strlen(good[i].data));
        assert_memory_equal(out, good[i].data, n);
    }
    const struct {
        const char *text;
        int offset;
    } bad[] = {{"Zg", 2},   {"Zg=", 3},  {"Z", 1},      {"=", 1},        {"Zg==Zg==", 2},
               {"TR==", 1}, {"Zm9=", 2}, {"Zm9v\n", 4}, {" Zm9", 0},     {"Zm9!", 3},
               {"Zm9-", 3}, {"T===", 1}, {"====", 0},   {"Zm9v====", 4}, {"Zm=v", 2}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (cuzk_base64_decode(out, &n, bad[i].text, strlen(bad[i].text), &err) != CUZK_E_INPUT) {
            fail_msg("accepted: %s", bad[i].text);
        }
        if (err.offset != bad[i].offset) {
            fail_msg("%s: %s", bad[i].text, err.text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_events_in_order), cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(bounds_depth),          cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(base64_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
