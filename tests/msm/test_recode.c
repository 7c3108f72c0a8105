/* Digits that the kernels of a level make are those of the plain functions. LABELS: levels */
#include <stdlib.h>

#include "border_scalars.h"
#include "msm/msm_internal.h"

#define N_RANDOM 300
#define N_SCALARS (BORDER_SCALARS + N_RANDOM)

static void make_scalars(fr_plain k[N_SCALARS]) {
    test_rng rng = {5};
    make_border_scalars(k);
    for (size_t i = BORDER_SCALARS; i < N_SCALARS; i++) {
        test_rng_fr_plain(&k[i], &rng);
    }
}

typedef void split_function(scalar_part *parts, const fr_plain *k);

/* Any order, and any number: what is beyond stays. */
static void check(const msm_kernels *kernels, split_function *split, const msm_windows *windows,
                  const fr_plain *k, size_t first, size_t n) {
    const size_t stride = n + 3;
    const unsigned n_parts = windows->n_bits == 256 ? 1 : kernels->n_scalar_parts;
    const size_t n_digits = n_parts * windows->count * stride;
    int32_t *digits = malloc(n_digits * sizeof *digits),
            *expected = malloc(n_digits * sizeof *expected);
    uint16_t *which = malloc((n + (n == 0)) * sizeof *which); /* and no more */
    assert_true(digits != NULL && expected != NULL && which != NULL);
    memset(digits, 0x5a, n_digits * sizeof *digits);
    memset(expected, 0x5a, n_digits * sizeof *expected);
    for (size_t i = 0; i < n; i++) {
        which[i] = (uint16_t)((first + i * 7) % N_SCALARS);
        const fr_plain *scalar = &k[which[i]];
        scalar_part parts[MSM_MAX_PARTS];
        split(parts, scalar);
        for (unsigned j = 0; j < n_parts; j++) {
            msm_windows_recode(&expected[j * windows->count * stride + i], stride, windows,
                               n_parts == 1 ? scalar->l : parts[j].l);
        }
    }
    kernels->recode(digits, stride, windows, k, which, n);
    assert_memory_equal(digits, expected, n_digits * sizeof *digits);
    free(digits);
    free(expected);
    free(which);
}

static void check_counts(const msm_kernels *kernels, split_function *split, unsigned n_bits) {
    static fr_plain k[N_SCALARS];
    make_scalars(k);
    for (unsigned count = (n_bits + MSM_MAX_WIDTH - 1) / MSM_MAX_WIDTH;
         count <= msm_windows_most(n_bits); count++) {
        msm_windows windows;
        cuzk_msm_windows_init(&windows, n_bits, count);
        for (size_t n = 0; n <= 17; n++) {
            check(kernels, split, &windows, k, 3 + n * 131, n);
        }
        check(kernels, split, &windows, k, 0, N_SCALARS);
    }
}

static void test_g1(void **state) {
    (void)state;
    check_counts(cuzk_msm_g1_kernels(), cuzk_scalar_parts_g1, 256);
    check_counts(cuzk_msm_g1_kernels(), cuzk_scalar_parts_g1, MSM_G1_PART_BITS);
}

static void test_g2(void **state) {
    (void)state;
    check_counts(cuzk_msm_g2_kernels(), cuzk_scalar_parts_g2, 256);
    check_counts(cuzk_msm_g2_kernels(), cuzk_scalar_parts_g2, MSM_G2_PART_BITS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_g1),
        cmocka_unit_test(test_g2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
