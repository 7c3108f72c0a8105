/* Challenge derivation. All draws are hashes; none keeps state between calls. */
#include "filecoin/challenges.h"

#include "base/bytes.h"
#include "hash/blake2.h"
#include "hash/poseidon.h"
#include "hash/rng.h"
#include "hash/sha256.h"

/* (hash as 256-bit little-endian integer mod (n - 1)) + 1: node 0 is never challenged. */
static uint64_t to_node(const uint8_t hash[32], uint64_t n_nodes) {
    uint64_t rest = 0, m = n_nodes - 1;
    for (int i = 3; i >= 0; i--) {
        rest = (uint64_t)(((unsigned __int128)rest << 64 | load_le64(hash + 8 * i)) % m);
    }
    return rest + 1;
}

static void hashed_challenges(uint64_t *nodes, const seal_proof_type *type,
                              const sha256_state *prefix, unsigned partition) {
    for (unsigned i = 0; i < type->n_challenges; i++) {
        sha256_state s = *prefix;
        uint8_t number[4], hash[SHA256_BYTES];
        store_le32(number, type->n_challenges * partition + i);
        cuzk_sha256_update(&s, number, sizeof number);
        cuzk_sha256_final(&s, hash);
        nodes[i] = to_node(hash, type->size->nodes);
    }
}

/* A ChaCha20 keystream keyed by tag and two values. */
static void keystream(uint8_t *out, size_t len_bytes, uint64_t offset, const char *tag,
                      const digest *a, const digest *b) {
    static const uint8_t nonce[12] = "synth-porep"; /* the zero byte belongs to it */
    uint8_t key[32], data[2 * DIGEST_BYTES];
    memcpy(data, a->bytes, DIGEST_BYTES);
    memcpy(data + DIGEST_BYTES, b->bytes, DIGEST_BYTES);
    cuzk_blake2b_256_keyed(key, tag, strlen(tag), data, sizeof data);
    cuzk_chacha20_ietf_stream(out, len_bytes, offset, key, nonce);
}

void cuzk_synthetic_challenges(uint64_t *nodes, uint64_t first, size_t count, uint64_t n_nodes,
                               const digest *replica_id, const digest *comm_r) {
    for (size_t i = 0; i < count; i++) {
        uint8_t draw[32];
        keystream(draw, sizeof draw, 32 * (first + i), "filecoin.io|PoRep|1|Synthetic|1|Generation",
                  replica_id, comm_r);
        nodes[i] = to_node(draw, n_nodes);
    }
}

void cuzk_synthetic_selection(uint32_t *indexes, uint64_t first, size_t count, uint32_t n_synthetic,
                              const digest *replica_id, const digest *seed) {
    for (size_t i = 0; i < count; i++) {
        uint8_t draw[4];
        keystream(draw, sizeof draw, 4 * (first + i), "filecoin.io|PoRep|1|Synthetic|1|Selection",
                  replica_id, seed);
        indexes[i] = load_le32(draw) % n_synthetic;
    }
}

uint32_t cuzk_synthetic_count(uint64_t n_nodes) {
    return (uint32_t)(n_nodes < 1u << 18 ? n_nodes : 1u << 18);
}

void cuzk_porep_challenges(uint64_t *nodes, const porep_challenge_source *source,
                           unsigned partition) {
    const seal_proof_type *type = source->type;
    sha256_state prefix;
    cuzk_sha256_init(&prefix);
    switch (type->feature) {
    case POREP_INTERACTIVE:
        cuzk_sha256_update(&prefix, source->replica_id.bytes, DIGEST_BYTES);
        cuzk_sha256_update(&prefix, source->seed.bytes, DIGEST_BYTES);
        hashed_challenges(nodes, type, &prefix, partition);
        return;
    case POREP_NON_INTERACTIVE: {
        static const char tag[] = "filecoin.io|PoRep|1|NonInteractive|1";
        cuzk_sha256_update(&prefix, tag, strlen(tag));
        cuzk_sha256_update(&prefix, source->replica_id.bytes, DIGEST_BYTES);
        cuzk_sha256_update(&prefix, source->comm_r.bytes, DIGEST_BYTES);
        hashed_challenges(nodes, type, &prefix, partition);
        return;
    }
    case POREP_SYNTHETIC:
        for (unsigned i = 0; i < type->n_challenges; i++) {
            uint32_t index;
            cuzk_synthetic_selection(&index, (uint64_t)type->n_challenges * partition + i, 1,
                                     cuzk_synthetic_count(type->size->nodes), &source->replica_id,
                                     &source->seed);
            cuzk_synthetic_challenges(&nodes[i], index, 1, type->size->nodes, &source->replica_id,
                                      &source->comm_r);
        }
        return;
    }
}

/* First eight bytes of SHA-256(a || x... ), little-endian. */
static uint64_t hash_to_u64(const digest *a, const void *rest, size_t len_bytes) {
    sha256_state s;
    uint8_t hash[SHA256_BYTES];
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, a->bytes, DIGEST_BYTES);
    cuzk_sha256_update(&s, rest, len_bytes);
    cuzk_sha256_final(&s, hash);
    return load_le64(hash);
}

uint64_t cuzk_post_challenge(const digest *randomness, uint64_t sector_id, uint64_t index,
                             uint64_t n_nodes) {
    uint8_t rest[16];
    store_le64(rest, sector_id);
    store_le64(rest + 8, index);
    return hash_to_u64(randomness, rest, sizeof rest) % n_nodes;
}

uint64_t cuzk_post_challenge_index(porep_version version, uint64_t place, unsigned n_challenges,
                                   unsigned n) {
    return version == POREP_V1_2 ? n : place * n_challenges + n;
}

uint64_t cuzk_winning_sector(const digest *prover_id, const digest *randomness, uint64_t n,
                             uint64_t n_sectors) {
    uint8_t rest[DIGEST_BYTES + 8];
    memcpy(rest, randomness->bytes, DIGEST_BYTES);
    store_le64(rest + DIGEST_BYTES, n);
    return hash_to_u64(prover_id, rest, sizeof rest) % n_sectors;
}

/* bits start .. start + count - 1 of a, count at most 32 */
static uint64_t fr_bits(const fr_plain *a, unsigned start, unsigned count) {
    unsigned limb = start / 64, shift = start % 64;
    uint64_t v = a->l[limb] >> shift;
    if (shift + count > 64) {
        v |= a->l[limb + 1] << (64 - shift);
    }
    return v & ((1ull << count) - 1);
}

void cuzk_update_challenges(uint64_t *nodes, const param_set *set, const fr *comm_r_new,
                            unsigned partition) {
    const poseidon_constants *constants = cuzk_poseidon_constants(POSEIDON_GEN_2);
    const hash_kernels *kernels = cuzk_hash_kernels();
    unsigned random_bits = set->log2_nodes - (unsigned)__builtin_ctz(set->n_partitions);
    unsigned per_digest = 254 / random_bits;
    unsigned n_digests = (set->n_challenges + per_digest - 1) / per_digest;
    for (unsigned i = 0; i < set->n_challenges; i += per_digest) {
        fr in[2] = {*comm_r_new}, hash;
        fr_plain plain;
        fr_from_u64(&in[1], (uint64_t)partition * n_digests + i / per_digest);
        kernels->poseidon(&hash, constants, in);
        fr_to_plain(&plain, &hash);
        for (unsigned j = 0; j < per_digest && i + j < set->n_challenges; j++) {
            nodes[i + j] = fr_bits(&plain, j * random_bits, random_bits) | (uint64_t)partition
                                                                               << random_bits;
        }
    }
}
