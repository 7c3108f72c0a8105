/* Field operations against GMP, on edges and random values. */
#include <gmp.h>

#include "field/field_cases.h"

static void set(mpz_t r, const uint64_t *words, int n) {
    mpz_import(r, (size_t)n, -1, 8, 0, 0, words);
}

/* whether words, n of them, equal v */
static bool equal(const uint64_t *words, int n, const mpz_t v) {
    mpz_t t;
    mpz_init(t);
    set(t, words, n);
    bool result = mpz_cmp(t, v) == 0;
    mpz_clear(t);
    return result;
}

static void fr_against_gmp(void **state) {
    (void)state;
    test_rng rng = {21};
    mpz_t m, x, y, z, r_inverse;
    mpz_inits(m, x, y, z, r_inverse, NULL);
    set(m, fr_modulus, 4);
    mpz_setbit(r_inverse, 256);
    mpz_invert(r_inverse, r_inverse, m);
    for (int i = 0; i < FIELD_CASES; i++) {
        for (int k = 0; k < 25; k++) {
            fr a, b, c;
            fr_plain plain;
            fr_case(&a, &rng, i);
            fr_case(&b, &rng, k);
            set(x, a.l, 4);
            set(y, b.l, 4);
            mpz_add(z, x, y);
            mpz_mod(z, z, m);
            fr_add(&c, &a, &b);
            assert_true(equal(c.l, 4, z));
            mpz_sub(z, x, y);
            mpz_mod(z, z, m);
            fr_sub(&c, &a, &b);
            assert_true(equal(c.l, 4, z));
            mpz_mul(z, x, y);
            mpz_mul(z, z, r_inverse);
            mpz_mod(z, z, m);
            cuzk_fr_mul_portable(&c, &a, &b);
            assert_true(equal(c.l, 4, z));
            mpz_neg(z, x);
            mpz_mod(z, z, m);
            fr_neg(&c, &a);
            assert_true(equal(c.l, 4, z));
            mpz_mul(z, x, r_inverse);
            mpz_mod(z, z, m);
            fr_to_plain(&plain, &a);
            assert_true(equal(plain.l, 4, z));
            fr_from_plain(&c, &plain);
            assert_true(fr_eq(&a, &c));
            if (mpz_invert(z, z, m) != 0) {
                cuzk_fr_inv(&c, &a);
                fr_to_plain(&plain, &c);
                assert_true(equal(plain.l, 4, z));
            }
        }
    }
    mpz_clears(m, x, y, z, r_inverse, NULL);
}

static void fp_against_gmp(void **state) {
    (void)state;
    test_rng rng = {22};
    mpz_t m, x, y, z, r_inverse;
    mpz_inits(m, x, y, z, r_inverse, NULL);
    set(m, fp_modulus, 6);
    mpz_setbit(r_inverse, 384);
    mpz_invert(r_inverse, r_inverse, m);
    for (int i = 0; i < FIELD_CASES; i++) {
        for (int k = 0; k < 35; k++) {
            fp a, b, c, inverse;
            fp_case(&a, &rng, i);
            fp_case(&b, &rng, k);
            set(x, a.l, 6);
            set(y, b.l, 6);
            mpz_add(z, x, y);
            mpz_mod(z, z, m);
            fp_add(&c, &a, &b);
            assert_true(equal(c.l, 6, z));
            mpz_sub(z, x, y);
            mpz_mod(z, z, m);
            fp_sub(&c, &a, &b);
            assert_true(equal(c.l, 6, z));
            mpz_mul(z, x, y);
            mpz_mul(z, z, r_inverse);
            mpz_mod(z, z, m);
            cuzk_fp_mul_portable(&c, &a, &b);
            assert_true(equal(c.l, 6, z));
            mpz_neg(z, x);
            mpz_mod(z, z, m);
            fp_neg(&c, &a);
            assert_true(equal(c.l, 6, z));
            uint8_t bytes[FP_BYTES] = {0};
            mpz_mul(z, x, r_inverse);
            mpz_mod(z, z, m);
            cuzk_fp_write_le(bytes, &a);
            mpz_import(y, FP_BYTES, -1, 1, 0, 0, bytes);
            assert_int_equal(mpz_cmp(y, z), 0);
            mpz_mul_2exp(y, z, 1);
            assert_int_equal(cuzk_fp_is_larger(&a), mpz_cmp(y, m) > 0);
            if (mpz_invert(z, z, m) != 0) {
                cuzk_fp_inv(&inverse, &a);
                cuzk_fp_write_le(bytes, &inverse);
                mpz_import(y, FP_BYTES, -1, 1, 0, 0, bytes);
                assert_int_equal(mpz_cmp(y, z), 0);
            }
        }
    }
    mpz_clears(m, x, y, z, r_inverse, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fr_against_gmp),
        cmocka_unit_test(fp_against_gmp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
