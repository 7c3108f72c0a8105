/* Times sums and multiples with the inputs of peers/README.md: points P_0 = generator, P_(i+1) = 2
 * P_i + generator, random scalars and bits. Operations msm_g1, msm_g2, g1_bitsum, and of our own
 * msm_g1_whole, msm_g2_whole (any points of the curves), g1_multiples, g2_multiples (of one
 * point). */
#include <stdlib.h>

#include "curve/curve_kernels.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include "support/harness.h"

typedef struct msm_bench {
    const cuzk_ctx *ctx;
    size_t n;
    g1_affine *g1;
    g2_affine *g2;
    fr_plain *scalars;
    uint64_t *bits;
    fixed_base_g1 *g1_table;
    fixed_base_g2 *g2_table;
} msm_bench;

static void must(cuzk_status status) { CUZK_ASSERT(status == CUZK_OK); }

static void *allocate(size_t n, size_t size) {
    void *p = aligned_alloc(1 << 21, size_round_up(n * size, 1 << 21));
    CUZK_ASSERT(p != NULL);
    return p;
}

#define STEP 1024

static void make_g1(g1_affine *r, size_t n) {
    static g1_jac step[STEP];
    g1_jac p;
    g1_jac_from_affine(&p, &cuzk_g1_generator);
    for (size_t i = 0; i < n; i += STEP) {
        for (size_t j = 0; j < STEP; j++) {
            step[j] = p;
            g1_jac_dbl(&p, &p);
            g1_jac_add_affine(&p, &p, &cuzk_g1_generator);
        }
        cuzk_curve_kernels()->g1_to_affine(r + i, step, STEP);
    }
}

static void make_g2(g2_affine *r, size_t n) {
    static g2_jac step[STEP];
    g2_jac p;
    g2_jac_from_affine(&p, &cuzk_g2_generator);
    for (size_t i = 0; i < n; i += STEP) {
        for (size_t j = 0; j < STEP; j++) {
            step[j] = p;
            g2_jac_dbl(&p, &p);
            g2_jac_add_affine(&p, &p, &cuzk_g2_generator);
        }
        cuzk_curve_kernels()->g2_to_affine(r + i, step, STEP);
    }
}

/* run_msm_G: points of the subgroup; run_msm_G_whole: any points of the curve. */
#define GROUP_SUMS(g)                                                                              \
    static void run_msm_##g(void *arg) {                                                           \
        msm_bench *m = arg;                                                                        \
        g##_jac r;                                                                                 \
        msm_##g *sum;                                                                              \
        must(cuzk_msm_##g##_open(&sum, m->ctx, MSM_POINTS_IN_SUBGROUP, m->n, NULL));               \
        must(cuzk_msm_##g##_add(sum, m->ctx, m->g, m->scalars, NULL, m->n, NULL));                 \
        must(cuzk_msm_##g##_value(sum, m->ctx, &r, NULL));                                         \
        cuzk_msm_##g##_close(sum);                                                                 \
    }                                                                                              \
    static void run_msm_##g##_whole(void *arg) {                                                   \
        msm_bench *m = arg;                                                                        \
        g##_jac r;                                                                                 \
        must(cuzk_msm_##g(m->ctx, &r, m->g, m->scalars, m->n, NULL));                              \
    }
GROUP_SUMS(g1)
GROUP_SUMS(g2)

static void run_bitsum(void *arg) {
    msm_bench *m = arg;
    g1_jac r;
    msm_g1 *sum;
    must(cuzk_msm_g1_open(&sum, m->ctx, MSM_POINTS_IN_SUBGROUP, 0, NULL));
    must(cuzk_msm_g1_add_bits(sum, m->ctx, m->g1, m->bits, m->n, NULL));
    must(cuzk_msm_g1_value(sum, m->ctx, &r, NULL));
    cuzk_msm_g1_close(sum);
}
/* The points are overwritten: multiples come last. */
static void run_g1_multiples(void *arg) {
    msm_bench *m = arg;
    must(cuzk_fixed_base_g1_mul(m->g1_table, m->ctx, m->g1, m->scalars, m->n, NULL));
}
static void run_g2_multiples(void *arg) {
    msm_bench *m = arg;
    must(cuzk_fixed_base_g2_mul(m->g2_table, m->ctx, m->g2, m->scalars, m->n, NULL));
}

/* Runs fn at every even power of two; one call does all. */
static void each_size(const bench *b, const char *op, msm_bench *m, bench_fn fn) {
    for (unsigned k = b->min_log2 + b->min_log2 % 2; k <= b->max_log2 && bench_wants(b, op);
         k += 2) {
        m->n = (size_t)1 << k;
        bench_run(b, op, m->n, 1, fn, m);
    }
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    size_t n = (size_t)1 << (b.max_log2 < 10 ? 10 : b.max_log2);
    msm_bench m = {.ctx = &b.ctx};
    uint64_t state = BENCH_RNG_START;
    m.scalars = allocate(n, sizeof *m.scalars);
    bench_scalars(m.scalars->l, n, &state);
    state = BENCH_RNG_START;
    m.bits = allocate(n / 64, sizeof *m.bits);
    for (size_t i = 0; i < n / 64; i++) {
        m.bits[i] = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            m.bits[i] |= bench_rng(&state) >> 63 << bit;
        }
    }
    bool g1_multiples = bench_wants(&b, "g1_multiples"),
         g2_multiples = bench_wants(&b, "g2_multiples");
    if (bench_wants(&b, "msm_g1") || bench_wants(&b, "msm_g1_whole") ||
        bench_wants(&b, "g1_bitsum") || g1_multiples) {
        m.g1 = allocate(n, sizeof *m.g1);
        make_g1(m.g1, n);
    }
    each_size(&b, "msm_g1", &m, run_msm_g1);
    each_size(&b, "msm_g1_whole", &m, run_msm_g1_whole);
    each_size(&b, "g1_bitsum", &m, run_bitsum);
    if (g1_multiples) {
        must(cuzk_fixed_base_g1_create(&m.g1_table, m.ctx, &cuzk_g1_generator, n, NULL));
        each_size(&b, "g1_multiples", &m, run_g1_multiples);
        cuzk_fixed_base_g1_destroy(m.g1_table);
    }
    free(m.g1);
    if (bench_wants(&b, "msm_g2") || bench_wants(&b, "msm_g2_whole") || g2_multiples) {
        m.g2 = allocate(n, sizeof *m.g2);
        make_g2(m.g2, n);
    }
    each_size(&b, "msm_g2", &m, run_msm_g2);
    each_size(&b, "msm_g2_whole", &m, run_msm_g2_whole);
    if (g2_multiples) {
        must(cuzk_fixed_base_g2_create(&m.g2_table, m.ctx, &cuzk_g2_generator, n, NULL));
        each_size(&b, "g2_multiples", &m, run_g2_multiples);
        cuzk_fixed_base_g2_destroy(m.g2_table);
    }
    free(m.g2);
    free(m.scalars);
    free(m.bits);
    bench_clear(&b);
    return 0;
}
