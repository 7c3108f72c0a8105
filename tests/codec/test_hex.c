/* Hexadecimal: both ways, both cases, every foreign character. */
#include "codec/hex.h"

#include <ctype.h>
#include <string.h>

#include "support/support.h"

static void both_ways(void **state) {
    (void)state;
    uint8_t bytes[256], back[256];
    char text[513];
    for (int i = 0; i < 256; i++) {
        bytes[i] = (uint8_t)i;
    }
    cuzk_hex_encode(text, bytes, sizeof bytes);
    assert_int_equal(strlen(text), 512);
    assert_memory_equal(text, "000102", 6);
    assert_string_equal(text + 504, "fcfdfeff");
    assert_true(cuzk_hex_decode(back, sizeof back, text));
    assert_memory_equal(back, bytes, sizeof bytes);
    for (int i = 0; i < 512; i++) {
        text[i] = (char)toupper(text[i]);
    }
    memset(back, 0, sizeof back);
    assert_true(cuzk_hex_decode(back, sizeof back, text));
    assert_memory_equal(back, bytes, sizeof bytes);
    cuzk_hex_encode(text, bytes, 0);
    assert_string_equal(text, "");
    assert_true(cuzk_hex_decode(back, 0, ""));
}

static void refuses_others(void **state) {
    (void)state;
    uint8_t out[2];
    assert_false(cuzk_hex_decode(out, 2, "abc"));
    assert_false(cuzk_hex_decode(out, 2, "abcde"));
    assert_false(cuzk_hex_decode(out, 2, "abcdef"));
    assert_false(cuzk_hex_decode(out, 2, ""));
    assert_false(cuzk_hex_decode(out, 2, "0x12"));
    for (int c = 1; c < 256; c++) {
        char text[5] = "0000";
        for (int at = 0; at < 4; at++) {
            text[at] = (char)c;
            assert_int_equal(cuzk_hex_decode(out, 2, text), c < 128 && isxdigit(c));
            text[at] = '0';
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(refuses_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
