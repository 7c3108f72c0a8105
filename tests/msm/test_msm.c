/* Sums against multiples of the generator, on one thread. LABELS: levels */
#include "groups.h"

static const cuzk_ctx inline_ctx;

static void test_tiny(void **state) {
    (void)state;
    static const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 40};
    g1_check_patterns(&inline_ctx, lengths, 8);
    g2_check_patterns(&inline_ctx, lengths, 8);
}

/* Around borders of parts, batches and queues. */
static void test_medium(void **state) {
    (void)state;
    static const size_t g1_lengths[] = {1025, 2049};
    static const size_t g2_lengths[] = {1500};
    g1_check_patterns(&inline_ctx, g1_lengths, 2);
    g2_check_patterns(&inline_ctx, g2_lengths, 1);
}

/* More than one piece, windows with several rows of buckets. */
static void test_large(void **state) {
    (void)state;
    static const size_t lengths[] = {(1 << 17) + 1};
    g1_check_sums(&inline_ctx, POINTS_CHAIN, SCALARS_RANDOM, lengths, 1);
    static const size_t g2_lengths[] = {(1 << 15) + 1};
    g2_check_sums(&inline_ctx, POINTS_CHAIN, SCALARS_RANDOM, g2_lengths, 1);
}

static void test_images(void **state) {
    (void)state;
    static const fr_plain z_square = {{0x0000000100000000, 0xac45a4010001a402}},
                          z = {{0xd201000000010000}};
    g1_check_images(cuzk_msm_g1_kernels(), &z_square);
    g2_check_images(cuzk_msm_g2_kernels(), &z);
}

/* The largest windows, where a batch is filled while another runs. */
static void test_large_windows(void **state) {
    (void)state;
    g1_check_large_windows(&inline_ctx, POINTS_CHAIN, SCALARS_TURNS, 20000, 1 << 24);
    g1_check_large_windows(&inline_ctx, POINTS_CHAIN, SCALARS_RANDOM, 20000, 1 << 24);
    g1_check_large_windows(&inline_ctx, POINTS_CHAIN, SCALARS_FULL_QUEUE, 20000, 1 << 24);
    g1_check_large_windows(&inline_ctx, POINTS_EQUAL, SCALARS_RANDOM, 20000, 1 << 24);
    g1_check_large_windows(&inline_ctx, POINTS_INFINITY, SCALARS_TURNS, 20000, 1 << 24);
    g2_check_large_windows(&inline_ctx, POINTS_PROGRESSION, SCALARS_TURNS, 10000, 1 << 21);
    g2_check_large_windows(&inline_ctx, POINTS_CHAIN, SCALARS_RANDOM, 10000, 1 << 21);
    g2_check_large_windows(&inline_ctx, POINTS_CHAIN, SCALARS_FULL_QUEUE, 20000, 1 << 21);
}

static void test_chunks(void **state) {
    (void)state;
    g1_check_chunks(&inline_ctx, MSM_POINTS_ON_CURVE, POINTS_CHAIN, 5000);
    g1_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 5000);
    g1_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 40009); /* large tasks */
    g1_check_chunks(&inline_ctx, MSM_POINTS_ON_CURVE, POINTS_CHAIN, 64);
    g1_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 64);
    g2_check_chunks(&inline_ctx, MSM_POINTS_ON_CURVE, POINTS_CHAIN, 3001);
    g2_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, POINTS_CHAIN, 3001);
    for (int points = 0; points < POINT_PATTERNS; points++) {
        g1_check_chunks(&inline_ctx, MSM_POINTS_ON_CURVE, (point_pattern)points, 1500);
        g1_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, (point_pattern)points, 1500);
        g2_check_chunks(&inline_ctx, MSM_POINTS_ON_CURVE, (point_pattern)points, 700);
        g2_check_chunks(&inline_ctx, MSM_POINTS_IN_SUBGROUP, (point_pattern)points, 700);
    }
}

/* Multiples of one point outside the subgroup, and of its negative and infinity, in a sum. */
static void check_other_point(const g1_affine *p) {
    enum { N = 200 };
    g1_affine points[N];
    fr_plain k[N];
    uint64_t bits[N / 64 + 1];
    make_scalars(k, SCALARS_RANDOM, N);
    make_scalars(k, SCALARS_MINUS_ONE, 3);
    memset(bits, 0xff, sizeof bits);
    g1_jac base, t, got, expected, all;
    g1_jac_set_infinity(&expected);
    g1_jac_set_infinity(&all);
    for (int i = 0; i < N; i++) {
        points[i] = *p;
        if (i % 5 == 3) {
            g1_affine_neg(&points[i], p);
        } else if (i % 5 == 4) {
            g1_affine_set_infinity(&points[i]);
        }
        g1_jac_from_affine(&base, &points[i]);
        g1_jac_add(&all, &all, &base);
        cuzk_g1_jac_mul(&t, &base, &k[i]);
        g1_jac_add(&expected, &expected, &t);
    }
    assert_int_equal(cuzk_msm_g1(&inline_ctx, &got, points, k, N, NULL), CUZK_OK);
    g1_check_equal(&got, &expected, "outside the subgroup", N);

    msm_g1 *sum;
    assert_int_equal(cuzk_msm_g1_open(&sum, &inline_ctx, MSM_POINTS_ON_CURVE, 0, NULL), CUZK_OK);
    assert_int_equal(cuzk_msm_g1_add_bits(sum, &inline_ctx, points, bits, N, NULL), CUZK_OK);
    assert_int_equal(cuzk_msm_g1_value(sum, &inline_ctx, &got, NULL), CUZK_OK);
    g1_check_equal(&got, &all, "outside the subgroup, by bits", N);
    cuzk_msm_g1_close(sum);
}

/* Outside the subgroup [k] P depends on k, not on k mod r. */
static void test_other_points(void **state) {
    (void)state;
    const fp one = FP_ONE;
    fp four;
    fp_dbl(&four, &one);
    fp_dbl(&four, &four);
    g1_affine p = {FP_ZERO, FP_ZERO};
    fp_dbl(&p.y, &one); /* of order 3, and not infinity in spite of x = 0 */
    check_other_point(&p);
    for (;;) {
        fp t;
        fp_add(&p.x, &p.x, &one);
        fp_sqr(&t, &p.x);
        fp_mul(&t, &t, &p.x);
        fp_add(&t, &t, &four);
        if (cuzk_fp_sqrt(&p.y, &t) && !cuzk_g1_in_subgroup(&p)) {
            break;
        }
    }
    check_other_point(&p);
}

/* An expectation that is far off changes the speed only. */
static void test_wrong_expectation(void **state) {
    (void)state;
    enum { N = 3000 };
    static g1_affine p[N];
    static fr logs[N];
    static fr_plain k[N];
    g1_make_points(p, logs, POINTS_CHAIN, N);
    make_scalars(k, SCALARS_RANDOM, N);
    g1_jac got, expected;
    g1_expected_sum(&expected, logs, k, N);
    static const uint64_t expectations[] = {0, 1, 100, 1 << 18, 1 << 24, UINT64_MAX};
    for (int i = 0; i < 6; i++) {
        for (int of = MSM_POINTS_ON_CURVE; of <= MSM_POINTS_IN_SUBGROUP; of++) {
            g1_sum_of_all(&inline_ctx, &got, (msm_points)of, expectations[i], p, k, N);
            g1_check_equal(&got, &expected, "expected another number of points", N);
        }
    }
}

static void test_account(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    static const uint64_t expectations[] = {0, 10, 5000, 1 << 20};
    for (int i = 0; i < 4; i++) {
        size_t g1_bytes = cuzk_msm_g1_bytes(&ctx, MSM_POINTS_IN_SUBGROUP, expectations[i]);
        size_t g2_bytes = cuzk_msm_g2_bytes(&ctx, MSM_POINTS_ON_CURVE, expectations[i]);
        assert_int_equal(cuzk_account_create(&ctx.account, g1_bytes + g2_bytes, NULL), CUZK_OK);
        msm_g1 *g1;
        msm_g2 *g2;
        assert_int_equal(cuzk_msm_g1_open(&g1, &ctx, MSM_POINTS_IN_SUBGROUP, expectations[i], NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_account_used(ctx.account), g1_bytes);
        assert_int_equal(cuzk_msm_g2_open(&g2, &ctx, MSM_POINTS_ON_CURVE, expectations[i], NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_account_used(ctx.account), g1_bytes + g2_bytes);
        msm_g1 *none;
        cuzk_error err;
        assert_int_equal(cuzk_msm_g1_open(&none, &ctx, MSM_POINTS_ON_CURVE, expectations[i], &err),
                         CUZK_E_NO_MEMORY);
        assert_int_equal(err.status, CUZK_E_NO_MEMORY);
        cuzk_msm_g1_close(g1);
        cuzk_msm_g2_close(g2);
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        cuzk_account_destroy(ctx.account);
        ctx.account = NULL;
    }
    cuzk_msm_g1_close(NULL);
    cuzk_msm_g2_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),          cmocka_unit_test(test_medium),
        cmocka_unit_test(test_large),         cmocka_unit_test(test_images),
        cmocka_unit_test(test_large_windows), cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_other_points),  cmocka_unit_test(test_wrong_expectation),
        cmocka_unit_test(test_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
