/* Commitments as operators write them. */
#include "filecoin/commitment.h"

#include <string.h>

#include "codec/base32.h"
#include "codec/hex.h"

/* Unsigned LEB128 of at most 4 bytes, minimal. */
static bool read_varint(uint64_t *value, const uint8_t **at, const uint8_t *end) {
    *value = 0;
    for (unsigned shift = 0; shift < 28 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            return shift == 0 || byte != 0;
        }
    }
    return false;
}

cuzk_status cuzk_commitment_read(uint8_t commitment[32], commitment_kind kind, const char *text,
                                 cuzk_error *err) {
    static const uint64_t codecs[] = {0xf102, 0xf101};
    static const uint64_t hashes[] = {0xb401, 0x1012};
    static const char *const names[] = {"sealed (comm_r)", "unsealed (comm_d)"};
    if (cuzk_hex_decode(commitment, 32, text)) {
        return CUZK_OK;
    }
    if (text[0] != 'b') {
        return cuzk_fail(err, CUZK_E_INPUT, "'%.100s' is neither 64 hex digits nor a CID in base32",
                         text);
    }
    uint8_t cid[64];
    size_t len;
    cuzk_status status = cuzk_base32_decode(cid, sizeof cid, &len, text + 1, strlen(text + 1), err);
    if (status != CUZK_OK) {
        cuzk_error_prefix(err, "CID '%.100s': ", text);
        return status;
    }
    const uint8_t *at = cid;
    const uint8_t *end = cid + len;
    uint64_t version, codec, hash, digest_len;
    if (!read_varint(&version, &at, end) || !read_varint(&codec, &at, end) ||
        !read_varint(&hash, &at, end) || !read_varint(&digest_len, &at, end) || version != 1 ||
        digest_len != 32 || end - at != 32) {
        return cuzk_fail(err, CUZK_E_INPUT, "'%.100s' is not a CID of version 1 with 32 bytes",
                         text);
    }
    if (codec != codecs[kind] || hash != hashes[kind]) {
        return cuzk_fail(err, CUZK_E_INPUT, "CID '%.100s' is not of a commitment that is %s", text,
                         names[kind]);
    }
    memcpy(commitment, at, 32);
    return CUZK_OK;
}
