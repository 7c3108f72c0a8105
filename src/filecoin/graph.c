/* Parents: ChaCha8 draws for the DRG, a 3-round Feistel permutation for the expander. */
#include "filecoin/graph.h"

#include "base/bytes.h"
#include "hash/blake2.h"
#include "hash/rng.h"
#include "hash/sha256.h"

static void tagged_sha256(uint8_t out[SHA256_BYTES], const char *tag, const digest *porep_id) {
    sha256_state s;
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, tag, strlen(tag));
    cuzk_sha256_update(&s, porep_id->bytes, DIGEST_BYTES);
    cuzk_sha256_final(&s, out);
}

void cuzk_graph_init(porep_graph *graph, uint64_t nodes, porep_version version,
                     const digest *porep_id) {
    CUZK_ASSERT(nodes >= 8 && nodes <= 1ull << 32 && (nodes & (nodes - 1)) == 0);
    uint8_t hash[SHA256_BYTES];
    graph->nodes = nodes;
    graph->version = version;
    tagged_sha256(hash, "Filecoin_DRSample", porep_id);
    memcpy(graph->drg_seed, hash, sizeof graph->drg_seed);
    tagged_sha256(hash, "Filecoin_Feistel", porep_id);
    for (int i = 0; i < 3; i++) {
        graph->feistel_keys[i] = load_le64(hash + 8 * i);
    }
    graph->feistel_half_bits = 1;
    while (1ull << 2 * graph->feistel_half_bits < POREP_EXP_PARENTS * nodes) {
        graph->feistel_half_bits++;
    }
}

/* The graph is sampled over a graph of 5 v "metanodes", so that each node has in-degree 5 beside
 * its predecessor. */
static void drg_parents(const porep_graph *graph, uint64_t parents[POREP_DRG_PARENTS],
                        uint64_t node) {
    enum { METANODES = POREP_DRG_PARENTS - 1 };
    if (node <= 1) {
        memset(parents, 0, POREP_DRG_PARENTS * sizeof *parents);
        return;
    }
    uint8_t key[32];
    chacha_rng rng;
    memcpy(key, graph->drg_seed, sizeof graph->drg_seed);
    store_le32(key + sizeof graph->drg_seed, (uint32_t)node);
    cuzk_chacha_init(&rng, 8, key);

    uint64_t metanode = METANODES * node;
    unsigned n_buckets = 64 - (unsigned)__builtin_clzll(metanode - 1); /* ceil(log2(metanode)) */
    bool predecessor_first = graph->version != POREP_V1_0;
    uint64_t *drawn = parents + predecessor_first;
    for (int i = 0; i < METANODES; i++) {
        unsigned bucket = (unsigned)(cuzk_chacha_u64(&rng) % n_buckets) + 1;
        uint64_t high = 1ull << bucket < metanode ? 1ull << bucket : metanode;
        uint64_t low = high >> 1 > 2 ? high >> 1 : 2;
        uint64_t distance = low + cuzk_chacha_u64(&rng) % (high - low + 1);
        uint64_t parent = (metanode - distance) / METANODES;
        drawn[i] = parent == node ? node - 1 : parent;
    }
    parents[predecessor_first ? 0 : METANODES] = node - 1;
}

static uint64_t feistel_round(uint64_t x, uint64_t key, uint64_t mask) {
    uint8_t data[16], hash[BLAKE2B_BYTES];
    store_be64(data, x);
    store_be64(data + 8, key);
    cuzk_blake2b(hash, data, sizeof data);
    return load_be64(hash) & mask;
}

/* A permutation of 0 .. 8 nodes - 1: encrypt until the value falls into the domain. */
static uint64_t feistel_permute(const porep_graph *graph, uint64_t index) {
    unsigned half = graph->feistel_half_bits;
    uint64_t mask = (1ull << half) - 1;
    do {
        uint64_t left = index >> half, right = index & mask;
        for (int i = 0; i < 3; i++) {
            uint64_t next = left ^ feistel_round(right, graph->feistel_keys[i], mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= POREP_EXP_PARENTS * graph->nodes);
    return index;
}

void cuzk_graph_parents(const porep_graph *graph, uint64_t parents[POREP_PARENTS], uint64_t node) {
    CUZK_ASSERT(node < graph->nodes);
    drg_parents(graph, parents, node);
    for (unsigned i = 0; i < POREP_EXP_PARENTS; i++) {
        uint64_t edge = feistel_permute(graph, node * POREP_EXP_PARENTS + i);
        if (graph->version == POREP_V1_0) {
            edge = (uint32_t)edge; /* as the first version did */
        }
        parents[POREP_DRG_PARENTS + i] = edge / POREP_EXP_PARENTS;
    }
}

void cuzk_label(digest *label, const digest *replica_id, unsigned layer, uint64_t node,
                const digest *const *parents, unsigned n_parents) {
    uint8_t text[64 + LABEL_PARENTS * DIGEST_BYTES] = {0};
    memcpy(text, replica_id->bytes, DIGEST_BYTES);
    store_be32(text + 32, layer);
    store_be64(text + 36, node);
    size_t len = 64;
    if (n_parents != 0) {
        for (unsigned i = 0; i < LABEL_PARENTS; i++) {
            memcpy(text + len, parents[i % n_parents]->bytes, DIGEST_BYTES);
            len += DIGEST_BYTES;
        }
    }
    cuzk_sha256(label->bytes, text, len);
    label->bytes[DIGEST_BYTES - 1] &= 0x3f;
}
