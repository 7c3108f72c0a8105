/* Times transforms: JSON lines of the ops
 *   fr_butterfly    of a transform in cache
 *   ntt             forward, natural order in and out
 *   ntt_reordered   forward, bit-reversed out */
#include "ntt/ntt.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/harness.h"

#define IN_CACHE_LOG2 9
#define N_ROUNDS 32

typedef struct ntt_run {
    const cuzk_ctx *ctx;
    ntt_domain *domain;
    cuzk_block block;
    ntt_order order;
    unsigned n_rounds;
} ntt_run;

static void check(cuzk_status status, const cuzk_error *err) {
    if (status != CUZK_OK) {
        fprintf(stderr, "bench-ntt: %s\n", err->text);
        exit(1);
    }
}

static void create(ntt_run *r, const bench *b, unsigned log2_n) {
    cuzk_error err;
    uint64_t state = BENCH_RNG_START;
    size_t n = (size_t)1 << log2_n;
    *r = (ntt_run){.ctx = &b->ctx, .n_rounds = 1};
    check(cuzk_ntt_domain_create(&r->domain, &b->ctx, log2_n, &err), &err);
    check(cuzk_block_alloc(&r->block, NULL, n * sizeof(fr_plain), "vector", &err), &err);
    bench_scalars(r->block.data, n, &state);
}

static void destroy(ntt_run *r) {
    cuzk_block_free(&r->block);
    cuzk_ntt_domain_destroy(r->domain);
}

static void run_forward(void *arg) {
    const ntt_run *r = arg;
    cuzk_error err;
    for (unsigned i = 0; i < r->n_rounds; i++) {
        check(cuzk_ntt(r->ctx, r->domain, r->block.data, NTT_FORWARD, r->order, &err), &err);
    }
}

int main(int argc, char **argv) {
    bench b;
    ntt_run r;
    bench_init(&b, argc, argv);

    create(&r, &b, IN_CACHE_LOG2);
    r.order = NTT_OUT_REORDERED;
    r.n_rounds = N_ROUNDS;
    double n_butterflies = (double)N_ROUNDS * IN_CACHE_LOG2 * ((size_t)1 << (IN_CACHE_LOG2 - 1));
    bench_run(&b, "fr_butterfly", 1, n_butterflies, run_forward, &r);
    destroy(&r);

    for (unsigned log2_n = b.min_log2; log2_n <= b.max_log2; log2_n += 2) {
        create(&r, &b, log2_n);
        r.order = NTT_NATURAL;
        bench_run(&b, "ntt", (uint64_t)1 << log2_n, 1, run_forward, &r);
        r.order = NTT_OUT_REORDERED;
        bench_run(&b, "ntt_reordered", (uint64_t)1 << log2_n, 1, run_forward, &r);
        destroy(&r);
    }
    bench_clear(&b);
    return 0;
}
