/* Times native hashes: SHA-256 of 64 bytes, digests of 1 MiB, Poseidons of each arity, one by one
 * and many together, and a trace. */
#include <stdlib.h>

#include "hash/blake2.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "support/harness.h"

#define N_ROUNDS 64
#define LONG_BYTES ((size_t)1 << 20)

typedef struct hash_bench {
    poseidon_kind kind;
    fr in[POSEIDON_MAX_WIDTH], trace[POSEIDON_MAX_TRACE];
    fr many[N_ROUNDS * POSEIDON_MAX_WIDTH], results[N_ROUNDS];
    uint8_t node[64];
    uint8_t *content;
} hash_bench;

static void sha256_nodes(void *arg) {
    hash_bench *h = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        cuzk_sha256(h->node, h->node, sizeof h->node);
    }
}

static void sha256_long(void *arg) {
    hash_bench *h = arg;
    cuzk_sha256(h->node, h->content, LONG_BYTES);
}

static void blake2b_long(void *arg) {
    hash_bench *h = arg;
    cuzk_blake2b(h->node, h->content, LONG_BYTES);
}

static void poseidons(void *arg) {
    hash_bench *h = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        cuzk_poseidon(&h->in[0], h->kind, h->in);
    }
}

static void poseidons_together(void *arg) {
    hash_bench *h = arg;
    cuzk_poseidon_many(h->results, h->kind, h->many, N_ROUNDS);
}

static void traces(void *arg) {
    hash_bench *h = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        cuzk_poseidon_trace(h->trace, h->kind, h->in);
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"poseidon_2", "poseidon_4", "poseidon_8", "poseidon_11"};
    bench b;
    bench_init(&b, argc, argv);
    hash_bench h = {.content = calloc(1, LONG_BYTES)};
    CUZK_ASSERT(h.content != NULL);
    uint64_t state = BENCH_RNG_START;
    bench_scalars(h.in[0].l, POSEIDON_MAX_WIDTH, &state);
    bench_scalars(h.many[0].l, N_ROUNDS * POSEIDON_MAX_WIDTH, &state);
    bench_run(&b, "sha256", sizeof h.node, N_ROUNDS, sha256_nodes, &h);
    bench_run(&b, "sha256", LONG_BYTES, 1, sha256_long, &h);
    bench_run(&b, "blake2b", LONG_BYTES, 1, blake2b_long, &h);
    for (int kind = POSEIDON_2; kind <= POSEIDON_11; kind++) {
        h.kind = (poseidon_kind)kind;
        bench_run(&b, names[kind], 1, N_ROUNDS, poseidons, &h);
        bench_run(&b, names[kind], N_ROUNDS, N_ROUNDS, poseidons_together, &h);
    }
    h.kind = POSEIDON_8;
    bench_run(&b, "poseidon_trace_8", 1, N_ROUNDS, traces, &h);
    free(h.content);
    bench_clear(&b);
    return 0;
}
