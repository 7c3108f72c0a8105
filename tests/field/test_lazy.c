/* Lazy differences and the chord step against reduced ones. In a build with x86-64 kernels this is
 * the assembly of the level ADX: the portable branches of fp_lazy.h are tested directly only in the
 * portable build, else through the sums at the portable level that use them. */
#ifdef CUZK_HAVE_X86
#define CUZK_LEVEL_ADX 1
#endif
#include "field/fp_lazy.h"

#include "base/cpu.h"
#include "support/support.h"

#define N_VALUES 24

/* Edges of the range and of words, then random values. */
static void make_values(fp values[N_VALUES]) {
    static const fp p = {FP_MODULUS};
    memset(values, 0, N_VALUES * sizeof values[0]);
    values[1].l[0] = 1;
    values[2] = p;
    values[2].l[0] -= 1;
    values[3] = p;
    values[3].l[0] -= 2;
    values[4].l[3] = 1;
    memset(values[5].l, 0xff, 40);
    values[6].l[5] = p.l[5];
    values[7] = p;
    values[7].l[5] -= 1;
    test_rng rng = {11};
    for (int i = 8; i < N_VALUES; i++) {
        test_rng_fp(&values[i], &rng);
    }
}

/* The product by `factor` forgets how far a lazy value is reduced. */
static void check_lazy(const fp *lazy, const fp *reduced, const fp *factor) {
    fp got, expected;
    fp_mul(&got, lazy, factor);
    cuzk_fp_mul_portable(&expected, reduced, factor);
    assert_memory_equal(&got, &expected, sizeof got);
    fp_mul(&got, lazy, lazy);
    cuzk_fp_mul_portable(&expected, reduced, reduced);
    assert_memory_equal(&got, &expected, sizeof got);
}

static void test_differences(void **state) {
    (void)state;
    static const uint64_t modulus[6] = FP_MODULUS;
    fp values[N_VALUES];
    make_values(values);
    for (int i = 0; i < N_VALUES; i++) {
        for (int j = 0; j < N_VALUES; j++) {
            fp lazy, difference;
            fp_sub_lazy(&lazy, &values[i], &values[j]);
            fp_sub(&difference, &values[i], &values[j]);
            check_lazy(&lazy, &difference, &values[9]);
            assert_int_equal(memcmp(&lazy, modulus, sizeof modulus) == 0, i == j);
            fp_sub_signed_lazy(&lazy, &values[i], false, &values[j]);
            check_lazy(&lazy, &difference, &values[9]);
            fp_sub_signed_lazy(&lazy, &values[i], true, &values[j]);
            fp_neg(&difference, &values[i]);
            fp_sub(&difference, &difference, &values[j]);
            check_lazy(&lazy, &difference, &values[9]);
        }
    }
}

static void test_chord(void **state) {
    (void)state;
    fp values[N_VALUES];
    make_values(values);
    for (int i = 0; i < N_VALUES; i++) {
        for (int j = 0; j < N_VALUES; j++) {
            for (int k = 0; k < N_VALUES; k++) {
                fp x = values[i], t = values[j], expected;
                fp_chord(&x, &t, &values[k]);
                fp_sub(&expected, &values[j], &values[i]);
                fp_sub(&expected, &expected, &values[k]);
                assert_memory_equal(&x, &expected, sizeof x);
                fp_sub(&expected, &values[i], &expected);
                check_lazy(&t, &expected, &values[10]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_chord),
    };
#ifdef CUZK_HAVE_X86
    if (cuzk_cpu_detected() < CUZK_CPU_ADX) {
        print_message("skipped: this CPU has no ADX\n");
        return 77;
    }
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
