/* Arithmetic on canonical residues against the same in Montgomery form. */
#include "support/support.h"

static void assert_same(const fr_plain *found, const fr *expected) {
    fr_plain plain;
    fr_to_plain(&plain, expected);
    assert_memory_equal(found, &plain, sizeof plain);
}

static void test_operations(void **state) {
    (void)state;
    test_rng rng = {9};
    fr_plain edges[8];
    for (int i = 0; i < 8; i++) {
        edges[i] = i < 4 ? fr_plain_of_int(i - 2) : (fr_plain){{0}};
        if (i >= 4) {
            test_rng_fr_plain(&edges[i], &rng);
        }
    }
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 8; k++) {
            fr x, y, r;
            fr_plain plain;
            fr_from_plain(&x, &edges[i]);
            fr_from_plain(&y, &edges[k]);
            fr_add(&r, &x, &y);
            fr_plain_add(&plain, &edges[i], &edges[k]);
            assert_same(&plain, &r);
            fr_sub(&r, &x, &y);
            fr_plain_sub(&plain, &edges[i], &edges[k]);
            assert_same(&plain, &r);
            fr_mul(&r, &x, &y);
            fr_plain_mul(&plain, &edges[i], &edges[k]);
            assert_same(&plain, &r);
            fr_mul_plain(&plain, &x, &edges[k]);
            assert_same(&plain, &r);
            plain = edges[i];
            fr_plain_mul(&plain, &plain, &edges[k]);
            assert_same(&plain, &r);
        }
    }
}

static void test_integers(void **state) {
    (void)state;
    static const int64_t values[] = {0, 1, -1, 2, -2, 127, -128, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        fr x;
        fr_from_u64(&x, values[i] < 0 ? 0 - (uint64_t)values[i] : (uint64_t)values[i]);
        if (values[i] < 0) {
            fr_neg(&x, &x);
        }
        const fr_plain plain = fr_plain_of_int(values[i]);
        assert_same(&plain, &x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
