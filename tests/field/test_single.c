/* LABELS: levels */
/* Single elements of Fr, Fp and Fp2: inverses, powers, roots, encodings, on edges and random
 * values. */
#include "field/field_cases.h"

static void fr_inverse(void **state) {
    (void)state;
    test_rng rng = {11};
    fr a, b, one = FR_ONE;
    for (int i = 0; i < FIELD_CASES; i++) {
        fr_case(&a, &rng, i);
        cuzk_fr_inv(&b, &a);
        fr_mul(&b, &b, &a);
        assert_true(fr_is_zero(&a) ? fr_is_zero(&b) : fr_eq(&b, &one));
        cuzk_fr_inv(&a, &a);
        cuzk_fr_inv(&b, &a);
        cuzk_fr_inv(&b, &b);
        assert_true(fr_eq(&a, &b));
    }
}

static void fp_inverse(void **state) {
    (void)state;
    test_rng rng = {12};
    fp a, b, one = FP_ONE;
    for (int i = 0; i < FIELD_CASES; i++) {
        fp_case(&a, &rng, i);
        cuzk_fp_inv(&b, &a);
        fp_mul(&b, &b, &a);
        assert_true(fp_is_zero(&a) ? fp_is_zero(&b) : fp_eq(&b, &one));
        cuzk_fp_inv(&a, &a);
        cuzk_fp_inv(&b, &a);
        cuzk_fp_inv(&b, &b);
        assert_true(fp_eq(&a, &b));
    }
}

static void powers(void **state) {
    (void)state;
    test_rng rng = {13};
    uint64_t fr_minus_2[4], fp_minus_2[6];
    memcpy(fr_minus_2, fr_modulus, sizeof fr_minus_2);
    memcpy(fp_minus_2, fp_modulus, sizeof fp_minus_2);
    fr_minus_2[0] -= 2;
    fp_minus_2[0] -= 2;
    fr a, b, c;
    fp x, y, z;
    for (int i = 0; i < 20; i++) {
        fr_case(&a, &rng, i);
        fp_case(&x, &rng, i);
        cuzk_fr_pow(&b, &a, fr_minus_2, 4);
        cuzk_fr_inv(&c, &a);
        assert_true(fr_eq(&b, &c));
        cuzk_fp_pow(&y, &x, fp_minus_2, 6);
        cuzk_fp_inv(&z, &x);
        assert_true(fp_eq(&y, &z));
        /* a^(2^64 + 19) by hand, in place */
        const uint64_t e[2] = {19, 1};
        b = a;
        y = x;
        for (int k = 0; k < 64; k++) {
            fr_sqr(&b, &b);
            fp_sqr(&y, &y);
        }
        for (int k = 0; k < 19; k++) {
            fr_mul(&b, &b, &a);
            fp_mul(&y, &y, &x);
        }
        cuzk_fr_pow(&a, &a, e, 2);
        cuzk_fp_pow(&x, &x, e, 2);
        assert_true(fr_eq(&a, &b) && fp_eq(&x, &y));
    }
    const uint64_t zero[1] = {0};
    const fr fr_one = FR_ONE;
    const fp fp_one = FP_ONE;
    cuzk_fr_pow(&a, &a, zero, 1);
    cuzk_fr_pow(&b, &b, zero, 0);
    cuzk_fp_pow(&x, &x, zero, 1);
    assert_true(fr_eq(&a, &fr_one) && fr_eq(&b, &fr_one) && fp_eq(&x, &fp_one));
}

static void fr_roots_of_unity(void **state) {
    (void)state;
    /* groth16.md 1.1: 2^3 and 2^27, canonical */
    static const fr_plain omega_3 = {{0x7228fd3397743f7aull, 0xb38b21c28713b700ull,
                                      0x8c0625cd70d77ce2ull, 0x345766f603fa66e7ull}};
    static const fr_plain omega_27 = {{0xe2d0a7869f0319edull, 0xb94f1101b1d7a628ull,
                                       0xece8ea224f31d25dull, 0x23397a9300f8f98bull}};
    fr w, t;
    fr_plain plain;
    cuzk_fr_root_of_unity(&w, 3);
    fr_to_plain(&plain, &w);
    assert_memory_equal(&plain, &omega_3, sizeof plain);
    cuzk_fr_root_of_unity(&w, 27);
    fr_to_plain(&plain, &w);
    assert_memory_equal(&plain, &omega_27, sizeof plain);
    const fr one = FR_ONE;
    for (unsigned k = 0; k <= 32; k++) {
        cuzk_fr_root_of_unity(&w, k);
        for (unsigned i = 0; i < k; i++) {
            assert_false(fr_eq(&w, &one));
            fr_sqr(&w, &w);
        }
        assert_true(fr_eq(&w, &one));
    }
    fr_from_u64(&t, 7);
    const fr seven = {FR_GENERATOR_MONT};
    assert_true(fr_eq(&t, &seven));
}

static void fp_square_roots(void **state) {
    (void)state;
    test_rng rng = {14};
    fp a, square, root, minus;
    for (int i = 0; i < 60; i++) {
        fp_case(&a, &rng, i);
        fp_sqr(&square, &a);
        assert_true(cuzk_fp_sqrt(&root, &square));
        fp_neg(&minus, &a);
        assert_true(fp_eq(&root, &a) || fp_eq(&root, &minus));
        if (!fp_is_zero(&a)) {
            fp_neg(&square, &square); /* -1 is not a square */
            assert_false(cuzk_fp_sqrt(&root, &square));
            assert_true(cuzk_fp_is_larger(&a) != cuzk_fp_is_larger(&minus));
        } else {
            assert_false(cuzk_fp_is_larger(&a));
        }
    }
    const uint8_t half[FP_BYTES] = {0x0d, 0x00, 0x88, 0xf5, 0x1c, 0xbf, 0xf3, 0x4d, 0x25, 0x8d,
                                    0xd3, 0xdb, 0x21, 0xa5, 0xd6, 0x6b, 0xb2, 0x3b, 0xa5, 0xc2,
                                    0x79, 0xc2, 0x89, 0x5f, 0xb3, 0x98, 0x69, 0x50, 0x7b, 0x58,
                                    0x7b, 0x12, 0x0f, 0x55, 0xff, 0xff, 0x58, 0xa9, 0xff, 0xff,
                                    0xdc, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xd5, 0x55};
    assert_true(cuzk_fp_read_be(&a, half));
    assert_false(cuzk_fp_is_larger(&a));
    const fp one = FP_ONE;
    fp_add(&a, &a, &one);
    assert_true(cuzk_fp_is_larger(&a));
}

static void fp2_inverse_and_roots(void **state) {
    (void)state;
    test_rng rng = {15};
    for (int i = 0; i < 40; i++) {
        for (int kind = 0; kind < 3; kind++) {
            fp2 a, square, root, t, minus;
            const fp2 one = FP2_ONE;
            fp_case(&a.c0, &rng, i);
            test_rng_fp(&a.c1, &rng);
            if (kind == 1) {
                a.c1 = FP_ZERO;
            } else if (kind == 2) {
                a.c1 = a.c0;
                a.c0 = FP_ZERO;
            }
            cuzk_fp2_inv(&t, &a);
            fp2_mul(&t, &t, &a);
            assert_true(fp2_is_zero(&a) ? fp2_is_zero(&t) : fp2_eq(&t, &one));
            fp2_sqr(&square, &a);
            fp2_mul(&t, &a, &a);
            assert_true(fp2_eq(&square, &t));
            assert_true(cuzk_fp2_sqrt(&root, &square));
            fp2_neg(&minus, &a);
            assert_true(fp2_eq(&root, &a) || fp2_eq(&root, &minus));
            if (!fp2_is_zero(&a)) {
                assert_true(cuzk_fp2_is_larger(&a) != cuzk_fp2_is_larger(&minus));
                /* 1 + u is not a square */
                fp2_mul_nonresidue(&square, &square);
                assert_false(cuzk_fp2_sqrt(&root, &square));
            }
        }
    }
}

/* Sets a big-endian string to the modulus plus a small number. */
static void modulus_bytes(uint8_t *big_endian, const uint64_t *m, int n, int plus) {
    for (int i = 0; i < 8 * n; i++) {
        big_endian[8 * n - 1 - i] = (uint8_t)(m[i / 8] >> (8 * (i % 8)));
    }
    for (int i = 8 * n - 1; i >= 0 && plus != 0; i--) {
        int v = big_endian[i] + plus;
        big_endian[i] = (uint8_t)v;
        plus = v >> 8;
    }
}

static void encodings(void **state) {
    (void)state;
    test_rng rng = {16};
    uint8_t bytes[FP_BYTES], back[FP_BYTES], reversed[FP_BYTES];
    fp x, y;
    fr a, b;
    fr_plain plain;
    for (int plus = -3; plus <= 3; plus++) {
        modulus_bytes(bytes, fp_modulus, 6, plus);
        assert_int_equal(cuzk_fp_read_be(&x, bytes), plus < 0);
        if (plus < 0) {
            cuzk_fp_write_be(back, &x);
            assert_memory_equal(back, bytes, FP_BYTES);
        }
        for (int i = 0; i < FP_BYTES; i++) {
            reversed[i] = bytes[FP_BYTES - 1 - i];
        }
        assert_int_equal(cuzk_fp_read_le(&x, reversed), plus < 0);
        modulus_bytes(bytes, fr_modulus, 4, plus);
        for (int i = 0; i < FR_BYTES; i++) {
            reversed[i] = bytes[FR_BYTES - 1 - i];
        }
        assert_int_equal(cuzk_fr_read_le(&a, reversed), plus < 0);
        assert_int_equal(cuzk_fr_plain_read_le(&plain, reversed), plus < 0);
        if (plus < 0) {
            cuzk_fr_write_le(back, &a);
            assert_memory_equal(back, reversed, FR_BYTES);
            cuzk_fr_plain_write_le(back, &plain);
            assert_memory_equal(back, reversed, FR_BYTES);
        }
    }
    memset(bytes, 0xff, sizeof bytes);
    assert_false(cuzk_fp_read_be(&x, bytes));
    assert_false(cuzk_fp_read_le(&x, bytes));
    assert_false(cuzk_fr_read_le(&a, bytes));
    for (int i = 0; i < FIELD_CASES; i++) {
        fp_case(&x, &rng, i);
        fr_case(&a, &rng, i);
        cuzk_fp_write_be(bytes, &x);
        assert_true(cuzk_fp_read_be(&y, bytes));
        assert_true(fp_eq(&x, &y));
        cuzk_fp_write_le(reversed, &x);
        assert_true(cuzk_fp_read_le(&y, reversed));
        assert_true(fp_eq(&x, &y));
        for (int k = 0; k < FP_BYTES; k++) {
            assert_int_equal(bytes[k], reversed[FP_BYTES - 1 - k]);
        }
        cuzk_fr_write_le(bytes, &a);
        assert_true(cuzk_fr_read_le(&b, bytes));
        assert_true(fr_eq(&a, &b));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fr_inverse),      cmocka_unit_test(fp_inverse),
        cmocka_unit_test(powers),          cmocka_unit_test(fr_roots_of_unity),
        cmocka_unit_test(fp_square_roots), cmocka_unit_test(fp2_inverse_and_roots),
        cmocka_unit_test(encodings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
