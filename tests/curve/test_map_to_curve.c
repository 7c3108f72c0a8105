/* Field elements from 64 bytes, and inputs of the map. LABELS: levels */
#include "curve/map_to_curve.h"
#include "curve_constants.h"
#include "support/support.h"

/* By Horner's rule, a byte at a time. */
static void reduce_slowly(fp *r, const uint8_t bytes[64]) {
    fp byte;
    *r = FP_ZERO;
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 8; k++) {
            fp_dbl(r, r);
        }
        uint8_t be[FP_BYTES] = {0};
        be[FP_BYTES - 1] = bytes[i];
        assert_true(cuzk_fp_read_be(&byte, be));
        fp_add(r, r, &byte);
    }
}

static void test_reduction(void **state) {
    (void)state;
    test_rng rng = {21};
    for (int i = 0; i < 200; i++) {
        uint8_t bytes[64] = {0};
        if (i == 0) {
            memset(bytes, 0xff, sizeof bytes);
        } else if (i < 65) {
            bytes[i - 1] = 0x80;
        } else if (i > 66) {
            for (int j = 0; j < 64; j++) {
                bytes[j] = (uint8_t)test_rng_u64(&rng);
            }
        }
        fp expected, r;
        reduce_slowly(&expected, bytes);
        cuzk_fp_from_be64(&r, bytes);
        assert_true(fp_eq(&r, &expected));
    }
}

static void check_g1(const fp *u) {
    g1_affine p, q;
    fp minus;
    cuzk_g1_map_to_curve(&p, u);
    assert_true(cuzk_g1_on_curve(&p) && cuzk_g1_in_subgroup(&p));
    assert_false(g1_affine_is_infinity(&p));
    if (!fp_is_zero(u)) { /* -u has the same x and the other sign */
        fp_neg(&minus, u);
        cuzk_g1_map_to_curve(&q, &minus);
        g1_affine_neg(&q, &q);
        assert_true(cuzk_g1_affine_eq(&p, &q));
    }
}

static void check_g2(const fp2 *u) {
    g2_affine p, q;
    fp2 minus;
    cuzk_g2_map_to_curve(&p, u);
    assert_true(cuzk_g2_on_curve(&p) && cuzk_g2_in_subgroup(&p));
    assert_false(g2_affine_is_infinity(&p));
    if (!fp2_is_zero(u)) {
        fp2_neg(&minus, u);
        cuzk_g2_map_to_curve(&q, &minus);
        g2_affine_neg(&q, &q);
        assert_true(cuzk_g2_affine_eq(&p, &q));
    }
}

static void test_inputs(void **state) {
    (void)state;
    test_rng rng = {22};
    const fp z = G1_ISO_Z;
    const fp2 z2 = G2_ISO_Z;
    fp u = FP_ZERO;
    fp2 v = FP2_ZERO;
    check_g1(&u);
    check_g2(&v);
    for (int i = 0; i < 8; i++) {
        test_rng_fp(&u, &rng);
        check_g1(&u);
        test_rng_fp(&v.c0, &rng);
        test_rng_fp(&v.c1, &rng);
        check_g2(&v);
        v.c0 = FP_ZERO; /* the sign is then that of c1 */
        check_g2(&v);
        v.c1 = FP_ZERO;
        test_rng_fp(&v.c0, &rng);
        check_g2(&v);
    }
    /* Z u^2 = -1, where such u exist: the denominator of the map vanishes */
    cuzk_fp_inv(&u, &z);
    fp_neg(&u, &u);
    if (cuzk_fp_sqrt(&u, &u)) {
        check_g1(&u);
    }
    cuzk_fp2_inv(&v, &z2);
    fp2_neg(&v, &v);
    if (cuzk_fp2_sqrt(&v, &v)) {
        check_g2(&v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
