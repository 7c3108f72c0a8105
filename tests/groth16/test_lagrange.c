/* LABELS: levels */
/* Lagrange values against what defines them: sum_k L_k(tau) w^(j k) = tau^j for j below N. */
#include "groth16/lagrange.h"
#include "support/support.h"

#include <stdlib.h>

static void check_interpolation(unsigned log2_n, const fr *tau, uint64_t most_j) {
    const cuzk_ctx ctx = {0};
    fr *block = malloc(LAGRANGE_BLOCK * sizeof *block);
    lagrange l;
    cuzk_lagrange_init(&l, &ctx, tau, log2_n, block);
    const uint64_t n = (uint64_t)1 << log2_n;
    fr omega, omega_j = FR_ONE, tau_j = FR_ONE;
    cuzk_fr_root_of_unity(&omega, log2_n);
    for (uint64_t j = 0; j < n && j < most_j; j++) {
        fr sum = FR_ZERO, power = FR_ONE, term;
        for (uint64_t k = 0; k < n; k++) {
            const fr *value = NULL;
            assert_int_equal(lagrange_value(&l, k, &value, NULL), CUZK_OK);
            fr_mul(&term, value, &power);
            fr_add(&sum, &sum, &term);
            fr_mul(&power, &power, &omega_j);
        }
        assert_true(fr_eq(&sum, &tau_j));
        fr_mul(&omega_j, &omega_j, &omega);
        fr_mul(&tau_j, &tau_j, tau);
    }
    free(block);
}

static void test_random_points(void **state) {
    (void)state;
    test_rng rng = {1};
    for (unsigned log2_n = 0; log2_n <= 6; log2_n++) {
        fr tau;
        test_rng_fr(&tau, &rng);
        check_interpolation(log2_n, &tau, UINT64_MAX);
    }
    fr tau;
    test_rng_fr(&tau, &rng);
    check_interpolation(12, &tau, 3);
    check_interpolation(17, &tau, 3); /* two blocks */
}

static void test_zero_and_domain_points(void **state) {
    (void)state;
    const fr zero = FR_ZERO, one = FR_ONE;
    fr tau;
    check_interpolation(5, &zero, UINT64_MAX);
    check_interpolation(0, &one, UINT64_MAX);
    check_interpolation(5, &one, UINT64_MAX);
    cuzk_fr_root_of_unity(&tau, 5);
    check_interpolation(5, &tau, UINT64_MAX);
    check_interpolation(6, &tau, UINT64_MAX);
    check_interpolation(4, &tau, UINT64_MAX); /* not in this one */
}

static void test_vanishing(void **state) {
    (void)state;
    fr tau, z;
    cuzk_fr_root_of_unity(&tau, 5);
    cuzk_vanishing_at(&z, &tau, 5);
    assert_true(fr_is_zero(&z));
    cuzk_vanishing_at(&z, &tau, 4);
    assert_false(fr_is_zero(&z));
    fr_from_u64(&tau, 2);
    cuzk_vanishing_at(&z, &tau, 3);
    fr expected;
    fr_from_u64(&expected, 255);
    assert_true(fr_eq(&z, &expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_zero_and_domain_points),
        cmocka_unit_test(test_vanishing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
