/* The JSON writer: what it writes is what the reader reads. */
#include "codec/json_writer.h"

#include <stdlib.h>
#include <string.h>

#include "codec/json.h"
#include "support/support.h"

static void writes_all_kinds(void **state) {
    (void)state;
    static const uint8_t bytes[] = {0x00, 0xab, 0xff};
    json_writer w = {0};
    cuzk_json_begin_object(&w, NULL);
    cuzk_json_put_text(&w, "text", "a\"\\/\n\x01\xff\xc3\xa9");
    cuzk_json_put_hex(&w, "hex", bytes, sizeof bytes);
    cuzk_json_put_hex(&w, "none", bytes, 0);
    cuzk_json_begin_array(&w, "list");
    cuzk_json_put_u64(&w, NULL, UINT64_MAX);
    cuzk_json_put_i64(&w, NULL, INT64_MIN);
    cuzk_json_put_double(&w, NULL, 0.25);
    cuzk_json_put_double(&w, NULL, -1e300);
    cuzk_json_put_double(&w, NULL, __builtin_inf());
    cuzk_json_put_double(&w, NULL, __builtin_nan(""));
    cuzk_json_begin_object(&w, NULL);
    cuzk_json_end(&w);
    cuzk_json_begin_array(&w, NULL);
    cuzk_json_end(&w);
    cuzk_json_end(&w);
    cuzk_json_put_bool(&w, "yes", true);
    cuzk_json_put_bool(&w, "no", false);
    cuzk_json_put_null(&w, "k\"ey");
    cuzk_json_end(&w);
    char *text;
    size_t len;
    assert_int_equal(cuzk_json_finish(&w, &text, &len, NULL), CUZK_OK);
    assert_string_equal(text,
                        "{\"text\":\"a\\\"\\\\/\\n\\u0001\\ufffd\xc3\xa9\",\"hex\":\"00abff\","
                        "\"none\":\"\",\"list\":[18446744073709551615,-9223372036854775808,"
                        "0.25,-1e+300,null,null,{},[]],\"yes\":true,\"no\":false,"
                        "\"k\\\"ey\":null}");
    assert_int_equal(len, strlen(text));
    assert_null(w.text);
    free(text);
}

static void writes_single_values(void **state) {
    (void)state;
    json_writer w = {0};
    char *text;
    size_t len;
    cuzk_json_put_u64(&w, NULL, 7);
    assert_int_equal(cuzk_json_finish(&w, &text, &len, NULL), CUZK_OK);
    assert_string_equal(text, "7");
    free(text);
    cuzk_json_begin_array(&w, NULL);
    cuzk_json_abandon(&w);
    cuzk_json_abandon(&w);
}

typedef struct count {
    uint64_t sum;
    size_t n_strings;
} count;

static cuzk_status count_event(void *arg, json_event event, const char *text, size_t len,
                               size_t offset, cuzk_error *err) {
    count *c = arg;
    uint64_t value = 0;
    (void)offset, (void)err;
    if (event == JSON_NUMBER) {
        assert_true(cuzk_json_u64(&value, text, len));
        c->sum += value;
    }
    if (event == JSON_STRING) {
        assert_int_equal(len, 127 + 128 * 3);
        c->n_strings++;
    }
    return CUZK_OK;
}

/* Long documents, and text of every byte value: bytes above 0x7f alone become U+FFFD, 3 bytes each.
 */
static void is_read_back(void **state) {
    (void)state;
    char every[256];
    for (int i = 0; i < 255; i++) {
        every[i] = (char)(i + 1);
    }
    every[255] = 0;
    json_writer w = {0};
    cuzk_json_begin_array(&w, NULL);
    for (uint64_t i = 0; i < 3000; i++) {
        cuzk_json_put_u64(&w, NULL, i);
        cuzk_json_put_text(&w, NULL, every);
    }
    cuzk_json_end(&w);
    char *text;
    size_t len;
    assert_int_equal(cuzk_json_finish(&w, &text, &len, NULL), CUZK_OK);
    count c = {0};
    assert_int_equal(cuzk_json_read((const uint8_t *)text, len, 2, count_event, &c, NULL), CUZK_OK);
    assert_int_equal(c.sum, 2999 * 3000 / 2);
    assert_int_equal(c.n_strings, 3000);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_all_kinds),
        cmocka_unit_test(writes_single_values),
        cmocka_unit_test(is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
