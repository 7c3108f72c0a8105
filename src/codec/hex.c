/* Hexadecimal text. */
#include "codec/hex.h"

#include <string.h>

void cuzk_hex_encode(char *text, const uint8_t *data, size_t len_bytes) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len_bytes; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    text[2 * len_bytes] = '\0';
}

static int value_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool cuzk_hex_decode(uint8_t *data, size_t len_bytes, const char *text) {
    if (strlen(text) != 2 * len_bytes) {
        return false;
    }
    for (size_t i = 0; i < len_bytes; i++) {
        int high = value_of(text[2 * i]);
        int low = value_of(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        data[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
