/* Every field kernel of every level this machine has against single portable products. */
#include <stdlib.h>

#include "field/field_cases.h"
#include "field/field_kernels.h"

enum { N_FR = 25, N_FP = 35 }; /* more than the edges */

/* all pairs of cases: a[i * n + k] = case i, b[i * n + k] = case k */
static fr fr_a[N_FR * N_FR], fr_b[N_FR * N_FR], fr_r[N_FR * N_FR];
static fp fp_a[N_FP * N_FP], fp_b[N_FP * N_FP], fp_r[N_FP * N_FP];

static int make_pairs(void **state) {
    (void)state;
    test_rng rng = {31};
    for (int i = 0; i < N_FR; i++) {
        fr v;
        fr_case(&v, &rng, i);
        for (int k = 0; k < N_FR; k++) {
            fr_a[i * N_FR + k] = fr_b[k * N_FR + i] = v;
        }
    }
    for (int i = 0; i < N_FP; i++) {
        fp v;
        fp_case(&v, &rng, i);
        for (int k = 0; k < N_FP; k++) {
            fp_a[i * N_FP + k] = fp_b[k * N_FP + i] = v;
        }
    }
    return 0;
}

static void products(const field_kernels *kernels) {
    test_rng rng = {32};
    for (int round = 0; round < 20; round++) {
        kernels->fr_mul(fr_r, fr_a, fr_b, N_FR * N_FR);
        for (int i = 0; i < N_FR * N_FR; i++) {
            fr t;
            cuzk_fr_mul_portable(&t, &fr_a[i], &fr_b[i]);
            assert_true(fr_eq(&t, &fr_r[i]));
        }
        kernels->fp_mul(fp_r, fp_a, fp_b, N_FP * N_FP);
        for (int i = 0; i < N_FP * N_FP; i++) {
            fp t;
            cuzk_fp_mul_portable(&t, &fp_a[i], &fp_b[i]);
            assert_true(fp_eq(&t, &fp_r[i]));
        }
        /* in place, then random pairs for the next round */
        memcpy(fr_r, fr_a, sizeof fr_r);
        memcpy(fp_r, fp_a, sizeof fp_r);
        kernels->fr_mul(fr_r, fr_r, fr_r, N_FR * N_FR);
        kernels->fp_mul(fp_r, fp_r, fp_r, N_FP * N_FP);
        for (int i = 0; i < N_FR * N_FR; i++) {
            fr t;
            cuzk_fr_mul_portable(&t, &fr_a[i], &fr_a[i]);
            assert_true(fr_eq(&t, &fr_r[i]));
            test_rng_fr(&fr_a[i], &rng);
            test_rng_fr(&fr_b[i], &rng);
        }
        for (int i = 0; i < N_FP * N_FP; i++) {
            fp t;
            cuzk_fp_mul_portable(&t, &fp_a[i], &fp_a[i]);
            assert_true(fp_eq(&t, &fp_r[i]));
            test_rng_fp(&fp_a[i], &rng);
            test_rng_fp(&fp_b[i], &rng);
        }
    }
    make_pairs(NULL);
}

static void conversions(const field_kernels *kernels) {
    fr_plain plain[N_FR];
    fr back[N_FR];
    kernels->fr_to_plain(plain, fr_b, N_FR);
    kernels->fr_from_plain(back, plain, N_FR);
    for (int i = 0; i < N_FR; i++) {
        fr_plain t;
        fr_to_plain(&t, &fr_b[i]);
        assert_memory_equal(&t, &plain[i], sizeof t);
        assert_true(fr_eq(&fr_b[i], &back[i]));
    }
}

static void inverses(const field_kernels *kernels) {
    for (size_t n = 0; n <= N_FR; n++) { /* a zero is among them */
        kernels->fr_inv(fr_r, fr_b, n);
        for (size_t i = 0; i < n; i++) {
            fr t;
            cuzk_fr_inv(&t, &fr_b[i]);
            assert_true(fr_eq(&t, &fr_r[i]));
        }
    }
    for (size_t n = 0; n <= N_FP; n++) {
        kernels->fp_inv(fp_r, fp_b, n);
        for (size_t i = 0; i < n; i++) {
            fp t;
            cuzk_fp_inv(&t, &fp_b[i]);
            assert_true(fp_eq(&t, &fp_r[i]));
        }
    }
}

static void powers_and_scale(const field_kernels *kernels) {
    test_rng rng = {33};
    fr first, step, expected;
    test_rng_fr(&first, &rng);
    test_rng_fr(&step, &rng);
    for (size_t n = 0; n <= 11; n++) {
        kernels->fr_powers(fr_r, &first, &step, n);
        expected = first;
        for (size_t i = 0; i < n; i++) {
            assert_true(fr_eq(&expected, &fr_r[i]));
            cuzk_fr_mul_portable(&expected, &expected, &step);
        }
    }
    memcpy(fr_r, fr_b, N_FR * sizeof(fr));
    kernels->fr_scale(fr_r, &step, N_FR);
    for (int i = 0; i < N_FR; i++) {
        cuzk_fr_mul_portable(&expected, &fr_b[i], &step);
        assert_true(fr_eq(&expected, &fr_r[i]));
    }
    const uint64_t e[3] = {0x0123456789abcdefull, 0, 0x10};
    fr power = FR_ONE;
    fp fp_power = FP_ONE, base;
    test_rng_fp(&base, &rng);
    for (int bit = 191; bit >= 0; bit--) {
        cuzk_fr_mul_portable(&power, &power, &power);
        cuzk_fp_mul_portable(&fp_power, &fp_power, &fp_power);
        if ((e[bit / 64] >> (bit % 64) & 1) != 0) {
            cuzk_fr_mul_portable(&power, &power, &first);
            cuzk_fp_mul_portable(&fp_power, &fp_power, &base);
        }
    }
    kernels->fr_pow(&first, &first, e, 3);
    kernels->fp_pow(&base, &base, e, 3);
    assert_true(fr_eq(&power, &first) && fp_eq(&fp_power, &base));
}

static void every_level(void **state) {
    (void)state;
    for (int level = 0; level < CUZK_CPU_LEVELS; level++) {
        const field_kernels *kernels = cuzk_field_kernels_at((cuzk_cpu_level)level);
        if (kernels != NULL) {
            print_message("level %s\n", cuzk_cpu_level_name((cuzk_cpu_level)level));
            products(kernels);
            conversions(kernels);
            inverses(kernels);
            powers_and_scale(kernels);
        }
    }
    assert_non_null(cuzk_field_kernels_at(CUZK_CPU_PORTABLE));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_level)};
    return cmocka_run_group_tests(tests, make_pairs, NULL);
}
