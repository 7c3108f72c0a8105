/* Sums and multiples cancelled at every task. LABELS: levels tsan */
#include "groups.h"
#include "msm/fixed_base.h"
#include "support/cancel_at.h"

enum { N = 5000 };

static g1_affine g1_points[N];
static g2_affine g2_points[N];
static fr logs[N];
static fr_plain scalars[N];
static uint64_t bits[(N + 63) / 64];
static g1_jac g1_sum;
static g2_jac g2_sum;

static int make_inputs(void **state) {
    (void)state;
    g1_make_points(g1_points, logs, POINTS_CHAIN, N);
    g2_make_points(g2_points, logs, POINTS_CHAIN, N);
    make_scalars(scalars, SCALARS_RANDOM, N);
    g1_expected_sum(&g1_sum, logs, scalars, N);
    g2_expected_sum(&g2_sum, logs, scalars, N);
    memset(bits, 0x5a, sizeof bits);
    return 0;
}

static cuzk_status sum_g1(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    g1_jac got;
    cuzk_status status = cuzk_msm_g1(ctx, &got, g1_points, scalars, N, err);
    if (status == CUZK_OK) {
        g1_check_equal(&got, &g1_sum, "after cancelled ones", N);
    }
    return status;
}

static cuzk_status sum_g2(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    g2_jac got;
    cuzk_status status = cuzk_msm_g2(ctx, &got, g2_points, scalars, N, err);
    if (status == CUZK_OK) {
        g2_check_equal(&got, &g2_sum, "after cancelled ones", N);
    }
    return status;
}

/* Bits, then scalars, then minus the bits: the sum of the scalars again. */
static cuzk_status add_all(msm_g1 *sum, const cuzk_ctx *ctx, g1_affine *negative, g1_jac *got,
                           cuzk_error *err) {
    cuzk_status status = cuzk_msm_g1_add_bits(sum, ctx, g1_points, bits, N, err);
    if (status == CUZK_OK) {
        status = cuzk_msm_g1_add(sum, ctx, g1_points, scalars, NULL, N, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_msm_g1_add_bits(sum, ctx, negative, bits, N, err);
    }
    return status == CUZK_OK ? cuzk_msm_g1_value(sum, ctx, got, err) : status;
}

static cuzk_status open_sum(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    static g1_affine negative[N];
    for (size_t i = 0; i < N; i++) {
        g1_affine_neg(&negative[i], &g1_points[i]);
    }
    msm_g1 *sum;
    g1_jac got;
    cuzk_status status = cuzk_msm_g1_open(&sum, ctx, MSM_POINTS_IN_SUBGROUP, N, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = add_all(sum, ctx, negative, &got, err);
    cuzk_msm_g1_close(sum);
    if (status == CUZK_OK) {
        g1_check_equal(&got, &g1_sum, "open, after cancelled ones", N);
    }
    return status;
}

static cuzk_status multiples(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    enum { N_MULTIPLES = 1500 };
    static g1_affine got[N_MULTIPLES];
    fixed_base_g1 *table;
    cuzk_status status =
        cuzk_fixed_base_g1_create(&table, ctx, &cuzk_g1_generator, N_MULTIPLES, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_fixed_base_g1_mul(table, ctx, got, scalars, N_MULTIPLES, err);
    cuzk_fixed_base_g1_destroy(table);
    g1_jac expected, last;
    g1_jac_from_affine(&expected, &cuzk_g1_generator);
    cuzk_g1_jac_mul(&expected, &expected, &scalars[N_MULTIPLES - 1]);
    if (status == CUZK_OK) {
        g1_jac_from_affine(&last, &got[N_MULTIPLES - 1]);
        g1_check_equal(&last, &expected, "multiple, after cancelled ones", N_MULTIPLES);
    }
    return status;
}

static void test_cancel(void **state) {
    (void)state;
    static const cancel_call calls[] = {sum_g1, sum_g2, open_sum, multiples};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        check_cancel_everywhere(NULL, calls[i], NULL, 0);
        cuzk_pool *pool;
        assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
        check_cancel_everywhere(pool, calls[i], NULL, 0);
        cuzk_pool_destroy(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cancel)};
    return cmocka_run_group_tests(tests, make_inputs, NULL);
}
