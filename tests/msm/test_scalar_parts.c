/* Scalars in parts: they give the scalar again, and are short. LABELS: quick */
#include "msm/scalar_parts.h"

#include "support/support.h"

#define Z_ABS 0xd201000000010000ull

static fr fr_of_part(const scalar_part *part) {
    const fr_plain plain = {{part->l[0], part->l[1], 0, 0}};
    fr r;
    fr_from_plain(&r, &plain);
    if (part->negative) {
        fr_neg(&r, &r);
    }
    return r;
}

static void check_parts(const scalar_part *parts, unsigned n, const fr *base, unsigned n_bits,
                        const fr_plain *k) {
    fr sum = FR_ZERO, expected;
    for (unsigned j = n; j-- > 0;) {
        const fr part = fr_of_part(&parts[j]);
        fr_mul(&sum, &sum, base);
        fr_add(&sum, &sum, &part);
        /* below 0.43 2^n_bits */
        const uint64_t top = n_bits == 128 ? parts[j].l[1] : parts[j].l[0];
        assert_true(top < (uint64_t)(0.43 * 18446744073709551616.0));
        assert_true(n_bits == 128 || parts[j].l[1] == 0);
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

/* Sums of small multiples of powers of z, halved or not, a little more or less. */
static void test_borders(void **state) {
    (void)state;
    fr z, half, two;
    fr_from_u64(&z, Z_ABS);
    fr_from_u64(&two, 2);
    cuzk_fr_inv(&half, &two);
    const int around[] = {-2, -1, 0, 1, 2};
    for (unsigned choice = 0; choice < 4 * 4 * 4 * 4; choice++) {
        fr value = FR_ZERO;
        for (unsigned j = 0; j < 4; j++) {
            const unsigned digit = choice >> (2 * j) & 3; /* 0, about |z| / 2, |z| - 1, |z| */
            fr part = FR_ZERO;
            fr_from_u64(&part, digit == 0   ? 0
                               : digit == 1 ? Z_ABS / 2
                               : digit == 2 ? Z_ABS - 1
                                            : Z_ABS);
            fr_mul(&value, &value, &z);
            fr_add(&value, &value, &part);
        }
        for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
            fr more, k;
            fr_plain plain;
            fr_from_u64(&more, (uint64_t)(around[i] < 0 ? -around[i] : around[i]));
            if (around[i] < 0) {
                fr_neg(&more, &more);
            }
            fr_add(&k, &value, &more);
            fr_to_plain(&plain, &k);
            check_scalar(&plain);
        }
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

static void test_ends(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        fr_plain small = {{i, 0, 0, 0}}, large = {FR_MODULUS};
        large.l[0] -= 1;
        large.l[1] -= large.l[0] < i;
        large.l[0] -= i;
        check_scalar(&small);
        check_scalar(&large);
        fr_plain above = {FR_MODULUS}; /* r and more, as far as msm_windows_takes */
        above.l[0] += i;
        above.l[2] = i % 3 == 0 ? UINT64_MAX : above.l[2];
        check_scalar(&above);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
