/* Base32, RFC 4648 lower case without padding. */
#include "codec/base32.h"

static int digit_of(char c) {
    if (c >= 'a' && c <= 'z') {
        return c - 'a';
    }
    return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

cuzk_status cuzk_base32_decode(uint8_t *out, size_t room, size_t *n_bytes, const char *text,
                               size_t len, cuzk_error *err) {
    uint32_t bits = 0;
    unsigned n_bits = 0;
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            return cuzk_fail(err, CUZK_E_INPUT, "base32: offset %zu: not a digit", i);
        }
        bits = bits << 5 | (uint32_t)digit;
        n_bits += 5;
        if (n_bits >= 8) {
            if (n == room) {
                return cuzk_fail(err, CUZK_E_INPUT, "base32: longer than %zu bytes", room);
            }
            n_bits -= 8;
            out[n++] = (uint8_t)(bits >> n_bits);
            bits &= (1u << n_bits) - 1;
        }
    }
    if (n_bits >= 5 || bits != 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "base32: ends inside a byte");
    }
    *n_bytes = n;
    return CUZK_OK;
}
