/* Base64 by OpenSSL, with the strictness it lacks around it. */
#include "codec/base64.h"

#include <string.h>

#include <openssl/evp.h>

void cuzk_base64_encode(char *text, const uint8_t *data, size_t n_bytes) {
    const size_t most = (size_t)3 << 28; /* EVP_EncodeBlock takes an int */
    *text = '\0';
    for (size_t at = 0; at < n_bytes; at += most) {
        size_t part = n_bytes - at < most ? n_bytes - at : most;
        EVP_EncodeBlock((unsigned char *)text + at / 3 * 4, data + at, (int)part);
    }
}

/* Offset of the first character outside the alphabet, or len. */
static size_t first_foreign(const char *text, size_t len) {
    bool in_alphabet[256] = {false};
    for (const char *p = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
         *p != '\0'; p++) {
        in_alphabet[(uint8_t)*p] = true;
    }
    size_t i = 0;
    while (i < len && in_alphabet[(uint8_t)text[i]]) {
        i++;
    }
    return i;
}

static cuzk_status fail_at(cuzk_error *err, size_t offset, const char *what) {
    cuzk_fail(err, CUZK_E_INPUT, "offset %zu: %s", offset, what);
    if (err != NULL) {
        err->offset = (int64_t)offset;
    }
    return CUZK_E_INPUT;
}

/* Names the fault of text that is not base64 and has `padding` signs at its end. */
static cuzk_status fail_foreign(cuzk_error *err, const char *text, size_t len, size_t padding) {
    size_t foreign = first_foreign(text, len - padding);
    return foreign < len - padding
               ? fail_at(err, foreign, "not a base64 character")
               : fail_at(err, len, "base64 ends inside a group of four characters");
}

cuzk_status cuzk_base64_decode(uint8_t *out, size_t *n_bytes, const char *text, size_t len,
                               cuzk_error *err) {
    *n_bytes = 0;
    size_t padding = 0;
    while (padding < 2 && padding < len && text[len - 1 - padding] == '=') {
        padding++;
    }
    /* EVP_DecodeBlock takes padding for zero bits wherever it stands. */
    if (len % 4 != 0 || (len > padding && memchr(text, '=', len - padding) != NULL)) {
        return fail_foreign(err, text, len, padding);
    }
    /* It takes an int, and cuts off white space around a block: then the length is wrong. */
    const size_t most = (size_t)1 << 30;
    for (size_t at = 0; at < len;) {
        size_t part = len - at < most ? len - at : most;
        int n = EVP_DecodeBlock(out + at / 4 * 3, (const unsigned char *)text + at, (int)part);
        if (n < 0 || (size_t)n != part / 4 * 3) {
            return fail_foreign(err, text, len, padding);
        }
        at += part;
    }
    size_t whole = len / 4 * 3;
    for (size_t i = whole - padding; i < whole; i++) {
        if (out[i] != 0) { /* the spare bits of the last character land here */
            return fail_at(err, len - padding - 1, "base64 with spare bits that are not zero");
        }
    }
    *n_bytes = whole - padding;
    return CUZK_OK;
}
