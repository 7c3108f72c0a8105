/* LABELS: quick */
/* JSON events, strictness, bounds; base64 strictness. */
#include "codec/base64.h"
#include "codec/json.h"

#include <stdio.h>
#include <stdlib.h>

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
    const char *const bad[] = {"",
                               "{",
                               "[1,]",
                               "{\"a\":1,}",
                               "[01]",
                               "[1.]",
                               "[+1]",
                               "{a:1}",
                               "[1] [2]",
                               "[\"\\x\"]",
                               "[\"\x01\"]",
                               "[\"\xff\"]",
                               "[\v1]",
                               "[1]\f",
                               "[tru]",
                               "// x\n[1]",
                               "[NaN]",
                               "['a']",
                               "[\"a\n\"]",
                               "]",
                               "[1 2]",
                               "[-]",
                               "[1e]",
                               "[.5]",
                               "[\"\\u12g4\"]",
                               "\xef\xbb\xbf[]",
                               "[\"\xc0\x80\"]",
                               "[\"\xed\xa0\x80\"]",
                               "[\"\xf4\x90\x80\x80\"]",
                               "[\"\xe2\x82\"]",
                               "[\"12345678\xe2\x82\"]",
                               "[\"\\ud800\"]",
                               "[\"\\udc00\"]",
                               "[\"\\ud800\\u0041\"]",
                               "[\"\\ud800x\"]",
                               "[\"\\ud83d\\ud83d\\ude00\"]",
                               "[\"\\ud83d\\ude0",
                               "[\"\\"};
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

/* Strings come decoded, valid pairs of surrogates included. */
static cuzk_status expect_text(void *arg, json_event event, const char *text, size_t len,
                               size_t offset, cuzk_error *err) {
    (void)offset;
    (void)err;
    if (event == JSON_STRING) {
        assert_int_equal(len, strlen(arg));
        assert_memory_equal(text, arg, len);
    }
    return CUZK_OK;
}

static void decodes_strings(void **state) {
    (void)state;
    const struct {
        const char *document;
        char *text;
    } cases[] = {{"[\"\"]", ""},
                 {"[\"\\u0041\\\\u0042\\/\\\"\\b\\f\\n\\r\\t\"]", "A\\u0042/\"\b\f\n\r\t"},
                 {"[\"\\u00e9\\u20AC\"]", "\xc3\xa9\xe2\x82\xac"},
                 {"[\"\\ud83d\\uDE00\"]", "\xf0\x9f\x98\x80"},
                 {"[\"\xf0\x9f\x98\x80 raw\"]", "\xf0\x9f\x98\x80 raw"},
                 {"[\"\\\\ud800\"]", "\\ud800"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuzk_error err;
        if (cuzk_json_read((const uint8_t *)cases[i].document, strlen(cases[i].document), 2,
                           expect_text, cases[i].text, &err) != CUZK_OK) {
            fail_msg("%s: %s", cases[i].document, err.text);
        }
    }
}

/* Every document cut anywhere is refused without a read past its end. */
static void refuses_every_truncation(void **state) {
    (void)state;
    static const char document[] = " {\"a\\u00e9\xc3\xa9\": [1, -2.5e+3, true, false, null, "
                                   "\"\\ud83d\\ude00\\n\"], \"b\": {}}";
    for (size_t cut = 0; cut < sizeof document - 1; cut++) {
        uint8_t *exact = malloc(cut + (cut == 0));
        memcpy(exact, document, cut);
        char log[256] = "";
        cuzk_error err;
        assert_int_equal(cuzk_json_read(exact, cut, 8, note_event, log, &err), CUZK_E_INPUT);
        assert_true(err.offset >= 0 && (size_t)err.offset <= cut);
        free(exact);
    }
}

/* Offsets of events as decimals. */
static cuzk_status note_offset(void *arg, json_event event, const char *text, size_t len,
                               size_t offset, cuzk_error *err) {
    (void)event;
    (void)text;
    (void)len;
    (void)err;
    char *log = arg;
    sprintf(log + strlen(log), "%zu ", offset);
    return CUZK_OK;
}

static void offsets_are_behind_the_token(void **state) {
    (void)state;
    const struct {
        const char *document, *offsets;
    } cases[] = {{"[1, true ,\"a\\n\", {} ]", "1 2 8 15 18 19 21 "},
                 {"12", "2 "},
                 {" 12 ", "3 "},
                 {"[1,2", "1 2 4 "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char log[256] = "";
        cuzk_json_read((const uint8_t *)cases[i].document, strlen(cases[i].document), 3,
                       note_offset, log, NULL);
        assert_string_equal(log, cases[i].offsets);
    }
}

static cuzk_status stop_at_number(void *arg, json_event event, const char *text, size_t len,
                                  size_t offset, cuzk_error *err) {
    (void)arg;
    (void)text;
    (void)len;
    return event == JSON_NUMBER ? cuzk_fail(err, CUZK_E_RANGE, "stop at %zu", offset) : CUZK_OK;
}

static void consumer_stops_the_reading(void **state) {
    (void)state;
    static const char document[] = "[true, 12, nonsense";
    cuzk_error err;
    assert_int_equal(
        cuzk_json_read((const uint8_t *)document, strlen(document), 2, stop_at_number, NULL, &err),
        CUZK_E_RANGE);
    assert_string_equal(err.text, "stop at 9");
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

/* Every length, and every foreign character at every place of a long text. */
static void base64_of_any_length(void **state) {
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t out[300];
    char text[401];
    cuzk_error err;
    size_t n;
    for (int i = 0; i < 400; i++) {
        text[i] = digits[i * 37 % 64];
    }
    for (size_t len = 0; len <= 400; len++) {
        uint8_t *exact = malloc(base64_room(len) + (len < 4));
        assert_int_equal(cuzk_base64_decode(exact, &n, text, len, &err),
                         len % 4 == 0 ? CUZK_OK : CUZK_E_INPUT);
        assert_int_equal(n, len % 4 == 0 ? len / 4 * 3 : 0);
        free(exact);
    }
    for (int c = 0; c < 256; c++) {
        if (c != 0 && strchr(digits, c) != NULL) {
            continue;
        }
        for (size_t at = 0; at < 398; at += 1 + at % 7) {
            char saved = text[at];
            text[at] = (char)c;
            assert_int_equal(cuzk_base64_decode(out, &n, text, 400, &err), CUZK_E_INPUT);
            assert_int_equal(err.offset, at);
            text[at] = saved;
        }
    }
    assert_int_equal(cuzk_base64_decode(out, &n, NULL, 0, &err), CUZK_OK);
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
        cmocka_unit_test(gives_events_in_order),
        cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(base64_is_strict),
        cmocka_unit_test(base64_of_any_length),
        cmocka_unit_test(decodes_strings),
        cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(consumer_stops_the_reading),
        cmocka_unit_test(offsets_are_behind_the_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
