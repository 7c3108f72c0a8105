/* Digits of all windows give the scalar again, and fit their windows. LABELS: quick */
#include "msm/windows.h"

#include "msm/scalar_parts.h"
#include "support/support.h"

/* The sum of digit 2^shift over the windows. */
static fr value_of(const int32_t *digits, const msm_windows *windows) {
    fr sum = FR_ZERO;
    for (unsigned w = windows->count; w-- > 0;) {
        fr digit;
        for (unsigned i = 0; w + 1 < windows->count && i < windows->width[w]; i++) {
            fr_dbl(&sum, &sum);
        }
        fr_from_u64(&digit, (uint64_t)(digits[w] < 0 ? -(int64_t)digits[w] : digits[w]));
        if (digits[w] < 0) {
            fr_neg(&digit, &digit);
        }
        fr_add(&sum, &sum, &digit);
    }
    return sum;
}

/* k, n_bits, and -k. */
static void check(const msm_windows *windows, const uint64_t *k) {
    const unsigned n_words = windows->n_bits / 64;
    fr_plain plain = {{0}};
    uint64_t minus_k[4];
    fr expected;
    memcpy(plain.l, k, n_words * sizeof *k);
    fr_from_plain(&expected, &plain);
    unsigned char borrow = 0;
    for (unsigned i = 0; i < n_words; i++) {
        minus_k[i] = 0 - k[i] - borrow;
        borrow = borrow || k[i] != 0;
    }
    for (int negative = 0; negative < 2; negative++) {
        int32_t digits[MSM_MAX_WINDOWS];
        msm_windows_recode(digits, 1, windows, negative ? minus_k : k);
        for (unsigned w = 0; w < windows->count; w++) {
            const int32_t most = 1 << (windows->width[w] - 1);
            assert_true(digits[w] >= -most && digits[w] <= most);
        }
        const fr value = value_of(digits, windows);
        assert_true(fr_eq(&value, &expected));
        fr_neg(&expected, &expected);
    }
}

/* The largest k for which there are that many bits: r - 1, z^2 / 2 + 1, |z| / 2 + 1. */
static const uint64_t *largest(unsigned n_bits) {
    static const uint64_t modulus[4] = FR_MODULUS;
    static uint64_t k[4];
    memcpy(k, modulus, sizeof k);
    k[0]--;
    if (n_bits == MSM_G1_PART_BITS) {
        k[0] = 0x80000001;
        k[1] = 0x5622d2008000d201;
    } else if (n_bits == MSM_G2_PART_BITS) {
        k[0] = 0x6900800000008001;
    }
    return k;
}

static void test_recoding(void **state) {
    (void)state;
    test_rng rng = {1};
    for (unsigned n_bits = 64; n_bits <= 256; n_bits *= 2) {
        for (unsigned count = (n_bits + MSM_MAX_WIDTH - 1) / MSM_MAX_WIDTH;
             count <= msm_windows_most(n_bits); count++) {
            msm_windows windows;
            cuzk_msm_windows_init(&windows, n_bits, count);
            assert_int_equal(windows.shift[count - 1] + windows.width[count - 1], n_bits);
            check(&windows, largest(n_bits));
            for (int i = 0; i < 50; i++) {
                fr_plain k;
                test_rng_fr_plain(&k, &rng);
                if (n_bits < 256) { /* below a quarter, or small */
                    k.l[n_bits / 64 - 1] >>= i % 2 == 0 ? 2 : 40;
                }
                check(&windows, k.l);
            }
        }
    }
}

/* The choice is a count that may be, and what it costs rises with the points. */
static void test_choice(void **state) {
    (void)state;
    for (unsigned n_bits = 64; n_bits <= 256; n_bits *= 2) {
        double before = 0;
        for (uint64_t n = 1; n < UINT32_MAX; n *= 3) {
            double additions = 0;
            msm_windows windows;
            unsigned count = cuzk_msm_windows_for_sum(n, n_bits, &additions);
            cuzk_msm_windows_init(&windows, n_bits, count);
            assert_true(additions > before);
            before = additions;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recoding),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
