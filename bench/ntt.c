/* Times transforms: JSON lines of the ops
 *   fr_butterfly    of a transform in cache
 *   ntt             forward, natural order in and out
 *   ntt_reordered   forward, bit-reversed out: in natural order at one end, as quotients use it
 *   quotient        six transforms from rows of bits and int8, one in 100 of them wide
 *   quotient_dense  from rows of field elements */
#include "ntt/ntt.h"

#include <stdio.h>
#include <stdlib.h>

#include "groth16/quotient.h"
#include "support/harness.h"

#define IN_CACHE_LOG2 9
#define N_ROUNDS 32

typedef struct ntt_bench {
    const cuzk_ctx *ctx;
    ntt_domain *domain;
    cuzk_block block;
    ntt_order order;
    unsigned n_rounds;
} ntt_bench;

static void check(cuzk_status status, const cuzk_error *err) {
    if (status != CUZK_OK) {
        fprintf(stderr, "bench-ntt: %s\n", err->text);
        exit(1);
    }
}

static void create(ntt_bench *r, const bench *b, unsigned log2_n) {
    cuzk_error err;
    uint64_t state = BENCH_RNG_START;
    size_t n = (size_t)1 << log2_n;
    *r = (ntt_bench){.ctx = &b->ctx, .n_rounds = 1};
    check(cuzk_ntt_domain_create(&r->domain, &b->ctx, log2_n, &err), &err);
    check(cuzk_block_alloc(&r->block, NULL, n * sizeof(fr_plain), "vector", &err), &err);
    bench_scalars(r->block.data, n, &state);
}

static void destroy(ntt_bench *r) {
    cuzk_block_free(&r->block);
    cuzk_ntt_domain_destroy(r->domain);
}

static void run_forward(void *arg) {
    const ntt_bench *r = arg;
    cuzk_error err;
    for (unsigned i = 0; i < r->n_rounds; i++) {
        check(cuzk_ntt(r->ctx, r->domain, r->block.data, NTT_FORWARD, r->order, &err), &err);
    }
}

/* ---- quotients ---- */

#define WIDE_EVERY 100

typedef struct quotient_bench {
    const cuzk_ctx *ctx;
    ntt_domain *domain;
    cuzk_block h, work, a, b, small, wide_at;
    r1cs_row_segment rows;
    r1cs_assignment w;
} quotient_bench;

static void *take(cuzk_block *block, size_t n, size_t size) {
    cuzk_error err;
    check(cuzk_block_alloc(block, NULL, n * size, "rows", &err), &err);
    return block->data;
}

/* Rows in number 3/4 of the domain, as many as a large circuit has. */
static void create_quotient(quotient_bench *q, const bench *b, unsigned log2_n, bool dense) {
    cuzk_error err;
    uint64_t state = BENCH_RNG_START;
    size_t n = (size_t)1 << log2_n, n_rows = n / 4 * 3;
    size_t n_wide = dense ? 0 : n_rows / WIDE_EVERY, n_values = dense ? n_rows : n_wide;
    *q = (quotient_bench){.ctx = &b->ctx};
    check(cuzk_ntt_domain_create(&q->domain, &b->ctx, log2_n, &err), &err);
    take(&q->h, n, sizeof(fr_plain));
    take(&q->work, n, sizeof(fr_plain));
    fr_plain *wide_a = take(&q->a, n_values, sizeof(fr_plain));
    fr_plain *wide_b = take(&q->b, n_values, sizeof(fr_plain));
    int8_t *small = take(&q->small, dense ? 2 : 2 * n_rows, 1);
    uint32_t *wide_at = take(&q->wide_at, n_wide + 1, sizeof *wide_at);
    bench_scalars(wide_a->l, n_values, &state);
    bench_scalars(wide_b->l, n_values, &state);
    for (size_t i = 0; i < 2 * n_rows && !dense; i++) {
        small[i] = (int8_t)(bench_rng(&state) % 4) - 1;
    }
    for (size_t i = 0; i < n_wide; i++) {
        wide_at[i] = (uint32_t)(i * WIDE_EVERY + bench_rng(&state) % WIDE_EVERY);
        small[wide_at[i]] = small[n_rows + wide_at[i]] = 0;
    }
    q->rows = (r1cs_row_segment){.count = n_rows,
                                 .kind = dense ? R1CS_DENSE : R1CS_BITS,
                                 .a = small,
                                 .b = small + n_rows,
                                 .n_wide = n_wide,
                                 .wide_at = wide_at,
                                 .wide_a = wide_a,
                                 .wide_b = wide_b,
                                 .dense_a = wide_a,
                                 .dense_b = wide_b};
    q->w = (r1cs_assignment){.n_rows = n_rows, .n_row_segments = 1, .rows = &q->rows};
}

static void destroy_quotient(quotient_bench *q) {
    cuzk_block *blocks[] = {&q->h, &q->work, &q->a, &q->b, &q->small, &q->wide_at};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        cuzk_block_free(blocks[i]);
    }
    cuzk_ntt_domain_destroy(q->domain);
}

static void run_quotient(void *arg) {
    quotient_bench *q = arg;
    cuzk_error err;
    check(cuzk_groth16_quotient(q->ctx, q->h.data, q->work.data, q->domain, &q->w, &err), &err);
}

static void time_quotient(const bench *b, const char *op, unsigned log2_n, bool dense) {
    if (bench_wants(b, op)) {
        quotient_bench q;
        create_quotient(&q, b, log2_n, dense);
        bench_run(b, op, (uint64_t)1 << log2_n, 1, run_quotient, &q);
        destroy_quotient(&q);
    }
}

int main(int argc, char **argv) {
    bench b;
    ntt_bench r;
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
        time_quotient(&b, "quotient", log2_n, false);
        time_quotient(&b, "quotient_dense", log2_n, true);
    }
    bench_clear(&b);
    return 0;
}
