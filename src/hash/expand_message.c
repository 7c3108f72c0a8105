/* expand_message_xmd of RFC 9380, section 5.3.1, with SHA-256. */
#include "hash/expand_message.h"

#include <string.h>

#include "hash/sha256.h"

#define BLOCK_BYTES 64 /* input block of SHA-256 */

void cuzk_expand_message_xmd(uint8_t *out, size_t out_len_bytes, const uint8_t *msg,
                             size_t msg_len_bytes, const uint8_t *dst, size_t dst_len_bytes) {
    static const uint8_t zero_block[BLOCK_BYTES];
    uint8_t dst_length = (uint8_t)dst_len_bytes;
    uint8_t out_length[3] = {(uint8_t)(out_len_bytes >> 8), (uint8_t)out_len_bytes, 0};
    uint8_t b0[SHA256_BYTES], b[SHA256_BYTES] = {0};
    sha256_state s;

    CUZK_ASSERT(out_len_bytes <= 255 * SHA256_BYTES && dst_len_bytes <= 255);
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, zero_block, sizeof zero_block);
    cuzk_sha256_update(&s, msg, msg_len_bytes);
    cuzk_sha256_update(&s, out_length, sizeof out_length);
    cuzk_sha256_update(&s, dst, dst_len_bytes);
    cuzk_sha256_update(&s, &dst_length, 1);
    cuzk_sha256_final(&s, b0);

    for (uint8_t i = 1; out_len_bytes > 0; i++) {
        for (int j = 0; j < SHA256_BYTES; j++) {
            b[j] ^= b0[j]; /* b is zero at i = 1: b_1 hashes b_0 itself */
        }
        cuzk_sha256_init(&s);
        cuzk_sha256_update(&s, b, sizeof b);
        cuzk_sha256_update(&s, &i, 1);
        cuzk_sha256_update(&s, dst, dst_len_bytes);
        cuzk_sha256_update(&s, &dst_length, 1);
        cuzk_sha256_final(&s, b);
        size_t n = out_len_bytes < SHA256_BYTES ? out_len_bytes : SHA256_BYTES;
        memcpy(out, b, n);
        out += n;
        out_len_bytes -= n;
    }
}
