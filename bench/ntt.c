/* Transforms: JSON lines of op ntt (forward, natural order in, bit-reversed out). */
#include "ntt/ntt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

typedef struct ntt_run {
    const cuzk_ctx *ctx;
    const ntt_domain *domain;
    fr_plain *x;
} ntt_run;

static void run_forward(void *arg) {
    ntt_run *r = arg;
    cuzk_error err;
    if (cuzk_ntt(r->ctx, r->domain, r->x, NTT_FORWARD, NTT_OUT_REORDERED, &err) != CUZK_OK) {
        fprintf(stderr, "bench-ntt: %s\n", err.text);
        exit(1);
    }
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    for (unsigned log2_n = b.min_log2 < 16 ? 16 : b.min_log2; log2_n <= b.max_log2; log2_n += 2) {
        cuzk_error err;
        cuzk_block block;
        ntt_run r = {.ctx = &b.ctx};
        ntt_domain *domain;
        size_t n = (size_t)1 << log2_n;
        if (cuzk_ntt_domain_create(&domain, &b.ctx, log2_n, &err) != CUZK_OK ||
            cuzk_block_alloc(&block, NULL, n * sizeof(fr_plain), "vector", &err) != CUZK_OK) {
            fprintf(stderr, "bench-ntt: %s\n", err.text);
            return 1;
        }
        uint64_t state = BENCH_RNG_START;
        bench_scalars(block.data, n, &state);
        r.domain = domain;
        r.x = block.data;
        bench_run(&b, "ntt", n, 1, run_forward, &r);
        cuzk_block_free(&block);
        cuzk_ntt_domain_destroy(domain);
    }
    bench_clear(&b);
    return 0;
}
