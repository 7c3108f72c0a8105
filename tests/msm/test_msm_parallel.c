/* Sums by several workers, and cancelled ones. LABELS: levels tsan */
#include <pthread.h>
#include <time.h>

#include "groups.h"

static void with_pool(unsigned n_workers, void (*check)(const cuzk_ctx *ctx)) {
    cuzk_ctx ctx = {0};
    assert_int_equal(cuzk_pool_create(&ctx.pool, n_workers, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    check(&ctx);
    cuzk_pool_destroy(ctx.pool);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
}

static void check_workers(const cuzk_ctx *ctx) {
    static const size_t lengths[] = {9, 700};
    g1_check_sums(ctx, POINTS_CHAIN, SCALARS_RANDOM, lengths, 2);
    g2_check_sums(ctx, POINTS_CHAIN, SCALARS_RANDOM, lengths, 2);
    g1_check_sums(ctx, POINTS_ALTERNATING, SCALARS_FEW, lengths, 2);
    g2_check_sums(ctx, POINTS_EQUAL, SCALARS_ZERO_ONE, lengths, 2);
    g1_check_chunks(ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 3000);
    g1_check_chunks(ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 20011);
}

static void test_workers(void **state) {
    (void)state;
    with_pool(1, check_workers);
    with_pool(2, check_workers);
    with_pool(5, check_workers);
}

/* Windows that are split among workers: enough points for several sets of buckets. */
static void check_sets(const cuzk_ctx *ctx) {
    enum { N = 6000 };
    static g1_affine p[N];
    static fr logs[N];
    static fr_plain k[N];
    g1_make_points(p, logs, POINTS_CHAIN, N);
    make_scalars(k, SCALARS_RANDOM, N);
    g1_jac got, expected;
    g1_expected_sum(&expected, logs, k, N);
    msm_g1 *sum;
    assert_int_equal(cuzk_msm_g1_open(&sum, ctx, MSM_POINTS_ON_CURVE, 1u << 25, NULL), CUZK_OK);
    enum { TIMES = 12 };
    static g1_affine many_p[TIMES * N];
    static fr_plain many_k[TIMES * N];
    for (int i = 0; i < TIMES; i++) {
        memcpy(many_p + i * N, p, sizeof p);
        memcpy(many_k + i * N, k, sizeof k);
    }
    assert_int_equal(cuzk_msm_g1_add(sum, ctx, many_p, many_k, NULL, TIMES * N, NULL), CUZK_OK);
    assert_int_equal(cuzk_msm_g1_value(sum, ctx, &got, NULL), CUZK_OK);
    static const fr_plain times = {{TIMES}};
    cuzk_g1_jac_mul(&expected, &expected, &times);
    g1_check_equal(&got, &expected, "in several sets of buckets", TIMES * N);
    cuzk_msm_g1_close(sum);
    g1_sum_of_all(ctx, &got, MSM_POINTS_IN_SUBGROUP, 1u << 19, many_p, many_k, TIMES * N);
    g1_check_equal(&got, &expected, "in parts, in several sets of buckets", TIMES * N);
}

/* G2 with scalars in four parts; 4 and 5 windows do not divide among three workers. */
static void check_g2_sets(const cuzk_ctx *ctx) {
    enum { N = 40000 };
    g2_check_sums(ctx, POINTS_CHAIN, SCALARS_RANDOM, (const size_t[]){N}, 1);
}

static void test_sets(void **state) {
    (void)state;
    with_pool(2, check_sets); /* 7 windows each, and one in two sets */
    with_pool(4, check_sets); /* 3 each, and three in four sets */
    with_pool(5, check_sets); /* 3 each */
    with_pool(3, check_g2_sets);
}

typedef struct cancel_later {
    cuzk_cancel cancel;
    long delay_ns;
} cancel_later;

static void *cancel_main(void *arg) {
    cancel_later *c = arg;
    nanosleep(&(struct timespec){.tv_nsec = c->delay_ns}, NULL);
    cuzk_cancel_set(&c->cancel);
    return NULL;
}

/* Cancelled sooner or later: either the right value or CUZK_E_CANCELLED, and all memory given back.
 */
static void check_cancel(const cuzk_ctx *pool_ctx) {
    enum { N = 3000 };
    static g1_affine p[N];
    static fr logs[N];
    static fr_plain k[N];
    g1_make_points(p, logs, POINTS_CHAIN, N);
    make_scalars(k, SCALARS_RANDOM, N);
    g1_jac got, expected;
    g1_expected_sum(&expected, logs, k, N);
    for (long delay_ns = 0; delay_ns < 60000000; delay_ns = delay_ns * 2 + 100000) {
        cancel_later later = {.cancel = {false}, .delay_ns = delay_ns};
        cuzk_ctx ctx = *pool_ctx;
        ctx.cancel = &later.cancel;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_main, &later), 0);
        cuzk_status status = cuzk_msm_g1(&ctx, &got, p, k, N, NULL);
        pthread_join(thread, NULL);
        if (status == CUZK_OK) {
            g1_check_equal(&got, &expected, "not cancelled in time", N);
        } else {
            assert_int_equal(status, CUZK_E_CANCELLED);
        }
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        status = cuzk_msm_g1(&ctx, &got, p, k, N, NULL);
        assert_int_equal(status, CUZK_E_CANCELLED);
    }
}

static void test_cancel(void **state) {
    (void)state;
    with_pool(2, check_cancel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
