/* Scalars in parts: they give the scalar again, and are short. LABELS: quick */
#include "msm/scalar_parts.h"

#include "border_scalars.h"

/* The value, whose sign goes to *negative. */
static fr_plain magnitude_of(const scalar_part *part, bool *negative) {
    fr_plain plain = {{part->l[0], part->l[1], 0, 0}};
    *negative = part->l[1] >> 63 != 0;
    if (*negative) {
        plain.l[0] = 0 - part->l[0];
        plain.l[1] = ~part->l[1] + (part->l[0] == 0);
    }
    return plain;
}

static void check_parts(const scalar_part *parts, unsigned n, const fr *base, unsigned n_bits,
                        const fr_plain *k) {
    fr sum = FR_ZERO, expected;
    for (unsigned j = n; j-- > 0;) {
        bool negative;
        const fr_plain magnitude = magnitude_of(&parts[j], &negative);
        fr part;
        fr_from_plain(&part, &magnitude);
        if (negative) {
            fr_neg(&part, &part);
        }
        fr_mul(&sum, &sum, base);
        fr_add(&sum, &sum, &part);
        /* below 0.43 2^n_bits */
        assert_true(magnitude.l[n_bits / 64 - 1] < (uint64_t)(0.43 * 18446744073709551616.0));
        assert_true(n_bits == 128 || magnitude.l[1] == 0);
    }
    fr_from_plain(&expected, k);
    assert_true(fr_eq(&sum, &expected));
}

static void check_scalar(const fr_plain *k) {
    scalar_part parts[MSM_MAX_PARTS];
    fr z, z2;
    fr_from_u64(&z, Z_ABS);
    fr_sqr(&z2, &z);
    cuzk_scalar_parts_g1(parts, k);
    check_parts(parts, MSM_G1_PARTS, &z2, MSM_G1_PART_BITS, k);
    cuzk_scalar_parts_g2(parts, k);
    check_parts(parts, MSM_G2_PARTS, &z, MSM_G2_PART_BITS, k);
}

static void test_borders(void **state) {
    (void)state;
    fr_plain k[BORDER_SCALARS];
    make_border_scalars(k);
    for (size_t i = 0; i < BORDER_SCALARS; i++) {
        check_scalar(&k[i]);
    }
}

static void test_random(void **state) {
    (void)state;
    test_rng rng = {1};
    for (int i = 0; i < 20000; i++) {
        fr_plain k;
        test_rng_fr_plain(&k, &rng);
        check_scalar(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
