/* XorShift, ChaCha and PCG32 as the reference's generators use them. */
#include "hash/rng.h"

#include <string.h>

#include "base/bytes.h"

void cuzk_xorshift_init(xorshift_rng *rng, const uint8_t seed[16]) {
    *rng = (xorshift_rng){load_le32(seed), load_le32(seed + 4), load_le32(seed + 8),
                          load_le32(seed + 12)};
    if ((rng->x | rng->y | rng->z | rng->w) == 0) {
        *rng = (xorshift_rng){0x0bad5eed, 0x0bad5eed, 0x0bad5eed, 0x0bad5eed};
    }
}

uint32_t cuzk_xorshift_u32(xorshift_rng *rng) {
    uint32_t t = rng->x ^ rng->x << 11;
    rng->x = rng->y;
    rng->y = rng->z;
    rng->z = rng->w;
    rng->w ^= rng->w >> 19 ^ t ^ t >> 8;
    return rng->w;
}

uint64_t cuzk_xorshift_u64(xorshift_rng *rng) {
    uint64_t low = cuzk_xorshift_u32(rng);
    return (uint64_t)cuzk_xorshift_u32(rng) << 32 | low;
}

/* rand_core's fill_bytes_via_next: a rest of 1..4 bytes takes one u32, of 5..7 one u64. */
void cuzk_xorshift_fill(xorshift_rng *rng, uint8_t *out, size_t len_bytes) {
    uint8_t word[8];
    for (; len_bytes >= sizeof word; out += sizeof word, len_bytes -= sizeof word) {
        store_le64(out, cuzk_xorshift_u64(rng));
    }
    if (len_bytes > 4) {
        store_le64(word, cuzk_xorshift_u64(rng));
        memcpy(out, word, len_bytes);
    } else if (len_bytes > 0) {
        store_le32(word, cuzk_xorshift_u32(rng));
        memcpy(out, word, len_bytes);
    }
}

static inline uint32_t rotl32(uint32_t x, unsigned k) { return x << k | x >> (32 - k); }

static inline void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *a += *b;
    *d = rotl32(*d ^ *a, 16);
    *c += *d;
    *b = rotl32(*b ^ *c, 12);
    *a += *b;
    *d = rotl32(*d ^ *a, 8);
    *c += *d;
    *b = rotl32(*b ^ *c, 7);
}

/* One block of keystream. RFC 8439, section 2.3; tail: words 12..15, that is counter and nonce. */
static void chacha_block(uint32_t out[16], unsigned rounds, const uint32_t key[8],
                         const uint32_t tail[4]) {
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t x[16];
    memcpy(in + 4, key, 8 * sizeof *key);
    memcpy(in + 12, tail, 4 * sizeof *tail);
    memcpy(x, in, sizeof x);
    for (unsigned i = 0; i < rounds; i += 2) {
        for (int j = 0; j < 4; j++) {
            quarter_round(&x[j], &x[4 + j], &x[8 + j], &x[12 + j]);
        }
        for (int j = 0; j < 4; j++) {
            quarter_round(&x[j], &x[4 + (j + 1) % 4], &x[8 + (j + 2) % 4], &x[12 + (j + 3) % 4]);
        }
    }
    for (int i = 0; i < 16; i++) {
        out[i] = x[i] + in[i];
    }
}

static void load_key(uint32_t words[8], const uint8_t key[32]) {
    for (int i = 0; i < 8; i++) {
        words[i] = load_le32(key + 4 * i);
    }
}

void cuzk_chacha_init(chacha_rng *rng, unsigned rounds, const uint8_t key[32]) {
    CUZK_ASSERT(rounds == 8 || rounds == 20);
    *rng = (chacha_rng){.rounds = rounds, .used_words = 16};
    load_key(rng->key, key);
}

void cuzk_chacha20_seed_u64(chacha_rng *rng, uint64_t seed) {
    uint8_t key[32];
    for (int i = 0; i < 8; i++) {
        seed = seed * 6364136223846793005u + 11634580027462260723u;
        uint32_t x = (uint32_t)((seed >> 18 ^ seed) >> 27);
        unsigned rotate = (unsigned)(seed >> 59);
        store_le32(key + 4 * i, x >> rotate | x << ((32 - rotate) % 32));
    }
    cuzk_chacha_init(rng, 20, key);
}

uint32_t cuzk_chacha_u32(chacha_rng *rng) {
    if (rng->used_words == 16) {
        const uint32_t tail[4] = {(uint32_t)rng->block, (uint32_t)(rng->block >> 32), 0, 0};
        chacha_block(rng->buffer, rng->rounds, rng->key, tail);
        rng->block++;
        rng->used_words = 0;
    }
    return rng->buffer[rng->used_words++];
}

uint64_t cuzk_chacha_u64(chacha_rng *rng) {
    uint64_t low = cuzk_chacha_u32(rng);
    return (uint64_t)cuzk_chacha_u32(rng) << 32 | low;
}

void cuzk_chacha_fill(chacha_rng *rng, uint8_t *out, size_t len_bytes) {
    uint8_t word[4];
    for (; len_bytes >= sizeof word; out += sizeof word, len_bytes -= sizeof word) {
        store_le32(out, cuzk_chacha_u32(rng));
    }
    if (len_bytes > 0) {
        store_le32(word, cuzk_chacha_u32(rng));
        memcpy(out, word, len_bytes);
    }
}

void cuzk_chacha20_ietf_stream(uint8_t *out, size_t len_bytes, uint64_t offset,
                               const uint8_t key[32], const uint8_t nonce[12]) {
    uint32_t key_words[8], block[16];
    uint8_t bytes[64];
    load_key(key_words, key);
    CUZK_ASSERT(offset <= (uint64_t)64 << 32 && len_bytes <= ((uint64_t)64 << 32) - offset);
    while (len_bytes > 0) {
        const uint32_t tail[4] = {(uint32_t)(offset / 64), load_le32(nonce), load_le32(nonce + 4),
                                  load_le32(nonce + 8)};
        chacha_block(block, 20, key_words, tail);
        for (int i = 0; i < 16; i++) {
            store_le32(bytes + 4 * i, block[i]);
        }
        size_t skip = offset % 64;
        size_t n = 64 - skip < len_bytes ? 64 - skip : len_bytes;
        memcpy(out, bytes + skip, n);
        out += n;
        len_bytes -= n;
        offset += n;
    }
}

static uint64_t xorshift_next(void *self) { return cuzk_xorshift_u64(self); }
static void xorshift_fill(void *self, uint8_t *out, size_t len_bytes) {
    cuzk_xorshift_fill(self, out, len_bytes);
}
static uint64_t chacha_next(void *self) { return cuzk_chacha_u64(self); }
static void chacha_fill(void *self, uint8_t *out, size_t len_bytes) {
    cuzk_chacha_fill(self, out, len_bytes);
}

rng_source cuzk_rng_from_xorshift(xorshift_rng *rng) {
    return (rng_source){rng, xorshift_next, xorshift_fill};
}
rng_source cuzk_rng_from_chacha(chacha_rng *rng) {
    return (rng_source){rng, chacha_next, chacha_fill};
}
