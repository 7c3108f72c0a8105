/* SHA-256 on OpenSSL's compression function, and the constants by which the circuits follow it word
 * by word. */
#ifndef CUZK_HASH_SHA256_H
#define CUZK_HASH_SHA256_H

#include "base/status.h"

#define SHA256_BYTES 32

void cuzk_sha256(uint8_t digest[SHA256_BYTES], const void *data, size_t len_bytes);

/* A running hash: init, update..., final. Copyable by assignment. */
typedef struct sha256_state {
    uint32_t h[8];
    uint64_t len_bytes;
    uint8_t buffer[64];
} sha256_state;
void cuzk_sha256_init(sha256_state *s);
void cuzk_sha256_update(sha256_state *s, const void *data, size_t len_bytes);
void cuzk_sha256_final(sha256_state *s, uint8_t digest[SHA256_BYTES]);

extern const uint32_t cuzk_sha256_k[64];
extern const uint32_t cuzk_sha256_iv[8];

#endif
