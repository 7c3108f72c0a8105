/* Bincode, version 1 defaults. */
#include "codec/bincode.h"

#include <string.h>

#include "base/bytes.h"

static cuzk_status take(bincode *b, const uint8_t **p, size_t len_bytes, const char *what) {
    if (len_bytes > b->len_bytes - b->at) {
        cuzk_fail(b->err, CUZK_E_INPUT,
                  "offset %zu: %s: unexpected end, %zu bytes wanted, %zu left", b->at, what,
                  len_bytes, b->len_bytes - b->at);
        if (b->err != NULL) {
            b->err->offset = (int64_t)b->at;
        }
        return CUZK_E_INPUT;
    }
    *p = b->data + b->at;
    b->at += len_bytes;
    return CUZK_OK;
}

cuzk_status cuzk_bincode_u32(bincode *b, uint32_t *value, const char *what) {
    const uint8_t *p;
    cuzk_status status = take(b, &p, 4, what);
    if (status == CUZK_OK) {
        *value = load_le32(p);
    }
    return status;
}

cuzk_status cuzk_bincode_u64(bincode *b, uint64_t *value, const char *what) {
    const uint8_t *p;
    cuzk_status status = take(b, &p, 8, what);
    if (status == CUZK_OK) {
        *value = load_le64(p);
    }
    return status;
}

cuzk_status cuzk_bincode_bytes(bincode *b, uint8_t *out, size_t len_bytes, const char *what) {
    const uint8_t *p;
    cuzk_status status = take(b, &p, len_bytes, what);
    if (status == CUZK_OK) {
        memcpy(out, p, len_bytes);
    }
    return status;
}

cuzk_status cuzk_bincode_count(bincode *b, uint64_t expected, const char *what) {
    uint64_t found;
    cuzk_status status = cuzk_bincode_u64(b, &found, what);
    if (status == CUZK_OK && found != expected) {
        b->at -= 8;
        cuzk_fail(b->err, CUZK_E_INPUT, "offset %zu: %s: expected %llu, found %llu", b->at, what,
                  (unsigned long long)expected, (unsigned long long)found);
        if (b->err != NULL) {
            b->err->offset = (int64_t)b->at;
        }
        return CUZK_E_INPUT;
    }
    return status;
}

cuzk_status cuzk_bincode_end(bincode *b) {
    for (size_t i = b->at; i < b->len_bytes; i++) {
        if (b->data[i] != 0) {
            cuzk_fail(b->err, CUZK_E_INPUT, "offset %zu: data after the end of the proof", i);
            if (b->err != NULL) {
                b->err->offset = (int64_t)i;
            }
            return CUZK_E_INPUT;
        }
    }
    return CUZK_OK;
}
