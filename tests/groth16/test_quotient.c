/* LABELS: levels tsan */
/* The six-transform quotient against the seven-transform one: equal coefficients where rows are
 * satisfied. */
#include "groth16/quotient.h"

#include <stdlib.h>

#include "support/support.h"

enum {
    N_ROWS = 3000,
    LOG2_N = 12,
    N = 1 << LOG2_N,
    N_SMALL = 1800,
    N_WIDE = 37,
    N_DERIVED = 150,
    N_DENSE = N_ROWS - N_SMALL - N_DERIVED,
    N_COEFFS = 4
};

/* Three segments: small rows with exceptions, dense ones, and ones by rules. c = a b by definition,
 * so any values satisfy. */
typedef struct rows_sample {
    int8_t a[N_SMALL], b[N_SMALL];
    uint32_t wide_at[N_WIDE];
    fr_plain wide_a[N_WIDE], wide_b[N_WIDE];
    fr_plain dense_a[N_DENSE], dense_b[N_DENSE];
    uint32_t ends[2 * N_DERIVED + 1];
    r1cs_rule_term terms[4 * N_DERIVED];
    fr coeffs[N_COEFFS];
    r1cs_row_rules rules;
    r1cs_row_segment segments[3];
    r1cs_assignment w;
} rows_sample;

static rows_sample *make_rows(void) {
    rows_sample *s = calloc(1, sizeof *s);
    test_rng rng = {4242};
    for (int i = 0; i < N_SMALL; i++) {
        bool small = i < N_SMALL / 2;
        s->a[i] = (int8_t)(small ? test_rng_u64(&rng) % 5 - 2 : test_rng_u64(&rng));
        s->b[i] = (int8_t)(small ? test_rng_u64(&rng) % 2 : test_rng_u64(&rng));
    }
    for (int i = 0; i < N_WIDE; i++) {
        s->wide_at[i] = (uint32_t)i * 47 + 3;
        s->a[s->wide_at[i]] = s->b[s->wide_at[i]] = 0;
        test_rng_fr_plain(&s->wide_a[i], &rng);
        test_rng_fr_plain(&s->wide_b[i], &rng);
    }
    for (int i = 0; i < N_DENSE; i++) {
        test_rng_fr_plain(&s->dense_a[i], &rng);
        test_rng_fr_plain(&s->dense_b[i], &rng);
    }
    s->a[1] = s->b[1] = s->a[N_SMALL - 1] = -128; /* the largest product */
    for (int i = 0; i < N_COEFFS; i++) {
        test_rng_fr(&s->coeffs[i], &rng);
    }
    for (uint32_t i = 0; i < 2 * N_DERIVED; i++) {
        s->ends[i] = 2 * i;
        s->terms[2 * i] = (r1cs_rule_term){(uint32_t)(test_rng_u64(&rng) % N_DENSE),
                                           (uint32_t)(test_rng_u64(&rng) % N_COEFFS)};
        s->terms[2 * i + 1] = (r1cs_rule_term){RULE_ONE, i % N_COEFFS};
    }
    s->ends[2 * N_DERIVED] = 4 * N_DERIVED;
    s->rules = (r1cs_row_rules){s->ends, s->terms, s->coeffs};
    s->segments[0] = (r1cs_row_segment){.count = N_SMALL,
                                        .kind = R1CS_BITS,
                                        .a = s->a,
                                        .b = s->b,
                                        .n_wide = N_WIDE,
                                        .wide_at = s->wide_at,
                                        .wide_a = s->wide_a,
                                        .wide_b = s->wide_b};
    s->segments[1] = (r1cs_row_segment){.first = N_SMALL,
                                        .count = N_DENSE,
                                        .kind = R1CS_DENSE,
                                        .dense_a = s->dense_a,
                                        .dense_b = s->dense_b};
    s->segments[2] = (r1cs_row_segment){.first = N_SMALL + N_DENSE,
                                        .count = N_DERIVED,
                                        .kind = R1CS_DERIVED,
                                        .rules = &s->rules,
                                        .part_aux = s->dense_a};
    s->w = (r1cs_assignment){.n_rows = N_ROWS, .n_row_segments = 3, .rows = s->segments};
    return s;
}

static void equals_the_reference(void **state) {
    (void)state;
    const cuzk_ctx inline_ctx = {0};
    rows_sample *s = make_rows();
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, LOG2_N, NULL), CUZK_OK);
    fr_plain *sides[3];
    for (int side = R1CS_A; side <= R1CS_C; side++) {
        sides[side] = malloc(N * sizeof(fr_plain));
        cuzk_r1cs_rows_expand(&s->w, (r1cs_side)side, 0, N, sides[side]);
    }
    fr_plain *want = malloc(N * sizeof *want);
    assert_int_equal(cuzk_groth16_quotient_reference(&inline_ctx, want, sides[0], sides[1],
                                                     sides[2], domain, NULL),
                     CUZK_OK);
    assert_true(fr_plain_is_zero(&want[N - 1]));
    fr_plain *h = malloc(N * sizeof *h);
    fr_plain *work = malloc(N * sizeof *work);
    for (unsigned workers = 0; workers <= 2; workers++) {
        cuzk_ctx ctx = {0};
        if (workers > 0) {
            assert_int_equal(cuzk_pool_create(&ctx.pool, workers, NULL), CUZK_OK);
        }
        assert_int_equal(cuzk_groth16_quotient(&ctx, h, work, domain, &s->w, NULL), CUZK_OK);
        assert_memory_equal(h, want, N * sizeof *h);
        cuzk_pool_destroy(ctx.pool);
    }
    for (int i = 0; i < 3; i++) {
        free(sides[i]);
    }
    free(work);
    free(h);
    free(want);
    free(s);
    cuzk_ntt_domain_destroy(domain);
}

/* Every small domain, full and with padding: tiles of rows of each shape. */
static void every_small_domain(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    rows_sample *s = make_rows();
    fr_plain *buffers[5];
    for (int i = 0; i < 5; i++) {
        buffers[i] = malloc(N * sizeof(fr_plain));
    }
    for (unsigned log2_n = 0; log2_n <= 11; log2_n++) {
        size_t n = (size_t)1 << log2_n;
        for (size_t n_rows = n / 2 + 1; n_rows <= n; n_rows = n_rows < n ? n : n + 1) {
            const r1cs_row_segment segment = {.count = n_rows < N_DENSE ? n_rows : 1000,
                                              .kind = R1CS_DENSE,
                                              .dense_a = s->dense_a,
                                              .dense_b = s->dense_b};
            const r1cs_assignment w = {
                .n_rows = segment.count, .n_row_segments = 1, .rows = &segment};
            ntt_domain *domain;
            assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, log2_n, NULL), CUZK_OK);
            for (int side = R1CS_A; side <= R1CS_C; side++) {
                cuzk_r1cs_rows_expand(&w, (r1cs_side)side, 0, n, buffers[side]);
            }
            assert_int_equal(cuzk_groth16_quotient_reference(&ctx, buffers[0], buffers[0],
                                                             buffers[1], buffers[2], domain, NULL),
                             CUZK_OK);
            assert_int_equal(cuzk_groth16_quotient(&ctx, buffers[3], buffers[4], domain, &w, NULL),
                             CUZK_OK);
            assert_memory_equal(buffers[0], buffers[3], n * sizeof(fr_plain));
            cuzk_ntt_domain_destroy(domain);
        }
    }
    for (int i = 0; i < 5; i++) {
        free(buffers[i]);
    }
    free(s);
}

/* One wrong c shows in the coefficient of degree N - 1: e w^k / (N (7^N - 1)), never 0. */
static void a_wrong_row_shows(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, 3, NULL), CUZK_OK);
    for (int wrong = 0; wrong < 8; wrong++) {
        fr_plain a[8] = {{{1}}, {{2}}, {{3}}};
        fr_plain b[8] = {{{4}}, {{5}}, {{6}}};
        fr_plain c[8] = {{{4}}, {{10}}, {{18}}};
        c[wrong].l[0]++;
        assert_int_equal(cuzk_groth16_quotient_reference(&ctx, a, a, b, c, domain, NULL), CUZK_OK);
        assert_false(fr_plain_is_zero(&a[7]));
    }
    cuzk_ntt_domain_destroy(domain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_reference),
        cmocka_unit_test(every_small_domain),
        cmocka_unit_test(a_wrong_row_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
