/* BLAKE2s-256 (constraint-system digests), BLAKE2b-512 (parameter digests), keyed BLAKE2b-256
 * (synthetic challenges); by OpenSSL. */
#ifndef CUZK_HASH_BLAKE2_H
#define CUZK_HASH_BLAKE2_H

#include "base/status.h"

#define BLAKE2S_BYTES 32
#define BLAKE2B_BYTES 64

typedef struct blake2s blake2s;
blake2s *cuzk_blake2s_create(void);
void cuzk_blake2s_update(blake2s *s, const void *data, size_t len_bytes);
void cuzk_blake2s_final(blake2s *s, uint8_t digest[BLAKE2S_BYTES]); /* and destroys s */
void cuzk_blake2s(uint8_t digest[BLAKE2S_BYTES], const void *data, size_t len_bytes);

typedef struct blake2b blake2b;
blake2b *cuzk_blake2b_create(void);
void cuzk_blake2b_update(blake2b *s, const void *data, size_t len_bytes);
void cuzk_blake2b_final(blake2b *s, uint8_t digest[BLAKE2B_BYTES]); /* and destroys s */
void cuzk_blake2b(uint8_t digest[BLAKE2B_BYTES], const void *data, size_t len_bytes);

/* key_len_bytes 1..64 */
void cuzk_blake2b_256_keyed(uint8_t digest[32], const void *key, size_t key_len_bytes,
                            const void *data, size_t len_bytes);

#endif
