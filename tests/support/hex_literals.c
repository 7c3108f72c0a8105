#include "support/hex_literals.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static int digit(char c) {
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

uint8_t *test_hex(const char *hex, size_t *len_bytes) {
    uint8_t *out = malloc(strlen(hex) / 2 + 1);
    assert_non_null(out);
    size_t n_digits = 0;
    for (; *hex != 0; hex++) {
        if (isspace((unsigned char)*hex)) {
            continue;
        }
        int value = digit(*hex);
        assert_true(value >= 0);
        uint8_t high = n_digits % 2 == 0 ? 0 : (uint8_t)(out[n_digits / 2] << 4);
        out[n_digits / 2] = (uint8_t)(high | value);
        n_digits++;
    }
    assert_int_equal(n_digits % 2, 0);
    *len_bytes = n_digits / 2;
    return out;
}

void test_hex_into(uint8_t *out, size_t len_bytes, const char *hex) {
    size_t n;
    uint8_t *bytes = test_hex(hex, &n);
    assert_int_equal(n, len_bytes);
    memcpy(out, bytes, n);
    free(bytes);
}

void test_assert_hex(const void *data, size_t len_bytes, const char *hex) {
    size_t n;
    uint8_t *bytes = test_hex(hex, &n);
    assert_int_equal(n, len_bytes);
    assert_memory_equal(data, bytes, n);
    free(bytes);
}
