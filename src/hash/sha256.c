/* SHA-256 on OpenSSL's compression function. The low-level interface is used, because a state that
 * is plain data costs nothing to make, and hashes of 64 bytes take half again as long through EVP.
 */
#define OPENSSL_API_COMPAT                                                                         \
    0x10101000L /* the interface in which SHA256_Update is not marked deprecated */
#include "hash/sha256.h"

#include <openssl/sha.h>
#include <string.h>

#include "base/bytes.h"

const uint32_t cuzk_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

const uint32_t cuzk_sha256_iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void compress(uint32_t h[8], const uint8_t *blocks, size_t n_blocks) {
    SHA256_CTX ctx = {.md_len = SHA256_DIGEST_LENGTH};
    for (int i = 0; i < 8; i++) {
        ctx.h[i] = h[i];
    }
    SHA256_Update(&ctx, blocks, n_blocks * 64);
    for (int i = 0; i < 8; i++) {
        h[i] = ctx.h[i];
    }
}

void cuzk_sha256_init(sha256_state *s) {
    memcpy(s->h, cuzk_sha256_iv, sizeof s->h);
    s->len_bytes = 0;
}

void cuzk_sha256_update(sha256_state *s, const void *data, size_t len_bytes) {
    const uint8_t *p = data;
    size_t used = s->len_bytes % sizeof s->buffer;
    if (len_bytes == 0) {
        return;
    }
    s->len_bytes += len_bytes;
    if (used > 0) {
        size_t n = sizeof s->buffer - used < len_bytes ? sizeof s->buffer - used : len_bytes;
        memcpy(s->buffer + used, p, n);
        if (used + n < sizeof s->buffer) {
            return;
        }
        compress(s->h, s->buffer, 1);
        p += n;
        len_bytes -= n;
    }
    if (len_bytes >= sizeof s->buffer) {
        size_t n_blocks = len_bytes / sizeof s->buffer;
        compress(s->h, p, n_blocks);
        p += n_blocks * sizeof s->buffer;
        len_bytes %= sizeof s->buffer;
    }
    if (len_bytes > 0) {
        memcpy(s->buffer, p, len_bytes);
    }
}

void cuzk_sha256_final(sha256_state *s, uint8_t digest[SHA256_BYTES]) {
    uint8_t tail[128] = {0};
    size_t used = s->len_bytes % 64;
    size_t n_blocks = used < 56 ? 1 : 2;
    memcpy(tail, s->buffer, used);
    tail[used] = 0x80;
    store_be64(tail + 64 * n_blocks - 8, s->len_bytes * 8);
    compress(s->h, tail, n_blocks);
    for (int i = 0; i < 8; i++) {
        store_be32(digest + 4 * i, s->h[i]);
    }
}

void cuzk_sha256(uint8_t digest[SHA256_BYTES], const void *data, size_t len_bytes) {
    sha256_state s;
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, data, len_bytes);
    cuzk_sha256_final(&s, digest);
}
