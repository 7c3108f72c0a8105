/* LABELS: levels */
/* Transforms of two and three passes: what is known of large ones without the sum. */
#include <stdlib.h>

#include "base/cpu.h"
#include "ntt/ntt.h"
#include "support/support.h"

static const cuzk_ctx inline_ctx = {0};

/* Inverse after forward, and linearity of a sample: X[i] of x is compared with Horner's rule at
 * three places. */
static void inverse_undoes_forward(void **state) {
    (void)state;
    /* the first of three passes is 2^21, in lanes 2^23 */
    const unsigned sizes[] = {19, 21, 23};
    int n_sizes = cuzk_cpu_level_now() >= CUZK_CPU_AVX512IFMA ? 3 : 2;
    for (int s = 0; s < n_sizes; s++) {
        unsigned log2_n = sizes[s];
        size_t n = (size_t)1 << log2_n;
        test_rng rng = {log2_n};
        ntt_domain *domain;
        assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
        fr_plain *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
        for (size_t i = 0; i < n; i++) {
            test_rng_fr_plain(&x[i], &rng);
        }
        memcpy(y, x, n * sizeof *y);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_FORWARD, NTT_NATURAL, NULL), CUZK_OK);
        const uint64_t places[] = {1, n / 3, n - 1};
        for (int k = 0; k < 3; k++) {
            fr w, sum = FR_ZERO;
            fr_plain want;
            cuzk_fr_root_of_unity(&w, log2_n);
            cuzk_fr_pow(&w, &w, &places[k], 1);
            for (size_t j = n; j-- > 0;) { /* plain residues throughout */
                fr_mul(&sum, &sum, &w);
                fr_add(&sum, &sum, (const fr *)&x[j]);
            }
            memcpy(&want, &sum, sizeof want);
            assert_memory_equal(&y[places[k]], &want, sizeof want);
        }
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_INVERSE, NTT_NATURAL, NULL), CUZK_OK);
        assert_memory_equal(x, y, n * sizeof *x);
        free(y);
        free(x);
        cuzk_ntt_domain_destroy(domain);
    }
}

/* The tables of every size up to 2^32 are small. */
static void every_domain_exists(void **state) {
    (void)state;
    for (unsigned log2_n = 0; log2_n <= 32; log2_n++) {
        ntt_domain *domain;
        assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
        assert_int_equal(cuzk_ntt_domain_log2(domain), log2_n);
        assert_true(cuzk_ntt_domain_bytes(log2_n) < 1 << 20);
        cuzk_ntt_domain_destroy(domain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_undoes_forward),
        cmocka_unit_test(every_domain_exists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
