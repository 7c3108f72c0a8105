/* BLAKE2 by OpenSSL's EVP. Small pieces are gathered first, because a call of EVP_DigestUpdate
 * costs more than hashing a few bytes. OpenSSL fails here only without memory or without its
 * default provider: that aborts. */
#include "hash/blake2.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <string.h>

#define GATHER_BYTES 4096

typedef struct blake2_stream {
    EVP_MD_CTX *evp;
    size_t used;
    uint8_t buffer[GATHER_BYTES];
} blake2_stream;

struct blake2s {
    blake2_stream stream;
};
struct blake2b {
    blake2_stream stream;
};

static blake2_stream *stream_create(const EVP_MD *digest) {
    blake2_stream *s = OPENSSL_malloc(sizeof *s);
    CUZK_ASSERT(s != NULL);
    s->used = 0;
    s->evp = EVP_MD_CTX_new();
    CUZK_ASSERT(s->evp != NULL && EVP_DigestInit_ex(s->evp, digest, NULL) == 1);
    return s;
}

static void stream_flush(blake2_stream *s) {
    CUZK_ASSERT(EVP_DigestUpdate(s->evp, s->buffer, s->used) == 1);
    s->used = 0;
}

static void stream_update(blake2_stream *s, const void *data, size_t len_bytes) {
    if (len_bytes > GATHER_BYTES - s->used) {
        stream_flush(s);
    }
    if (len_bytes > GATHER_BYTES) {
        CUZK_ASSERT(EVP_DigestUpdate(s->evp, data, len_bytes) == 1);
    } else if (len_bytes > 0) {
        memcpy(s->buffer + s->used, data, len_bytes);
        s->used += len_bytes;
    }
}

static void stream_final(blake2_stream *s, uint8_t *digest) {
    stream_flush(s);
    CUZK_ASSERT(EVP_DigestFinal_ex(s->evp, digest, NULL) == 1);
    EVP_MD_CTX_free(s->evp);
    OPENSSL_free(s);
}

blake2s *cuzk_blake2s_create(void) { return (blake2s *)stream_create(EVP_blake2s256()); }
void cuzk_blake2s_update(blake2s *s, const void *data, size_t len_bytes) {
    stream_update(&s->stream, data, len_bytes);
}
void cuzk_blake2s_final(blake2s *s, uint8_t digest[BLAKE2S_BYTES]) {
    stream_final(&s->stream, digest);
}
void cuzk_blake2s(uint8_t digest[BLAKE2S_BYTES], const void *data, size_t len_bytes) {
    CUZK_ASSERT(EVP_Digest(data, len_bytes, digest, NULL, EVP_blake2s256(), NULL) == 1);
}

blake2b *cuzk_blake2b_create(void) { return (blake2b *)stream_create(EVP_blake2b512()); }
void cuzk_blake2b_update(blake2b *s, const void *data, size_t len_bytes) {
    stream_update(&s->stream, data, len_bytes);
}
void cuzk_blake2b_final(blake2b *s, uint8_t digest[BLAKE2B_BYTES]) {
    stream_final(&s->stream, digest);
}
void cuzk_blake2b(uint8_t digest[BLAKE2B_BYTES], const void *data, size_t len_bytes) {
    CUZK_ASSERT(EVP_Digest(data, len_bytes, digest, NULL, EVP_blake2b512(), NULL) == 1);
}

void cuzk_blake2b_256_keyed(uint8_t digest[32], const void *key, size_t key_len_bytes,
                            const void *data, size_t len_bytes) {
    size_t size = 32, written = 0;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                 OSSL_PARAM_construct_end()};
    CUZK_ASSERT(key_len_bytes >= 1 && key_len_bytes <= 64);
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "BLAKE2BMAC", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    CUZK_ASSERT(mac != NULL && ctx != NULL && EVP_MAC_init(ctx, key, key_len_bytes, params) == 1 &&
                EVP_MAC_update(ctx, data, len_bytes) == 1 &&
                EVP_MAC_final(ctx, digest, &written, size) == 1 && written == size);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
}
