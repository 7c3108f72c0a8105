/* The deterministic generators of the reference: XorShiftRng (test setups), ChaCha20 as
 * rand_chacha's ChaCha20Rng, ChaCha8 (graph), IETF ChaCha20 keystream (synthetic challenges).
 * groth16.md 3.2, circuits.md 6.8 and 7.1. Not for secrets. */
#ifndef CUZK_HASH_RNG_H
#define CUZK_HASH_RNG_H

#include "base/status.h"

typedef struct xorshift_rng {
    uint32_t x, y, z, w;
} xorshift_rng;
void cuzk_xorshift_init(xorshift_rng *rng, const uint8_t seed[16]);
uint32_t cuzk_xorshift_u32(xorshift_rng *rng);
uint64_t cuzk_xorshift_u64(xorshift_rng *rng);
void cuzk_xorshift_fill(xorshift_rng *rng, uint8_t *out, size_t len_bytes);

/* rounds 8 or 20; 64-bit block counter from 0, stream 0 (rand_chacha's layout). */
typedef struct chacha_rng {
    uint32_t key[8];
    unsigned rounds;
    uint64_t block;
    uint32_t buffer[16];
    unsigned used_words;
} chacha_rng;
void cuzk_chacha_init(chacha_rng *rng, unsigned rounds, const uint8_t key[32]);
/* rand_core's seed_from_u64 (PCG32 expansion), 20 rounds */
void cuzk_chacha20_seed_u64(chacha_rng *rng, uint64_t seed);
uint32_t cuzk_chacha_u32(chacha_rng *rng);
uint64_t cuzk_chacha_u64(chacha_rng *rng);
void cuzk_chacha_fill(chacha_rng *rng, uint8_t *out,
                      size_t len_bytes); /* whole words are consumed */

/* IETF ChaCha20 keystream bytes offset .. offset + len_bytes, counter from 0. */
void cuzk_chacha20_ietf_stream(uint8_t *out, size_t len_bytes, uint64_t offset,
                               const uint8_t key[32], const uint8_t nonce[12]);

/* Any generator as "next u64" and "fill": what Fr::random and setup draw from. */
typedef struct rng_source {
    void *self;
    uint64_t (*next_u64)(void *self);
    void (*fill)(void *self, uint8_t *out, size_t len_bytes);
} rng_source;
rng_source cuzk_rng_from_xorshift(xorshift_rng *rng);
rng_source cuzk_rng_from_chacha(chacha_rng *rng);

#endif
