/* The ADX operations on single elements against the portable ones: edges, limb borders, random
 * values, aliasing. */
#include "base/cpu.h"
#include "support/support.h"

#ifdef CUZK_HAVE_X86

void cuzk_fp_sqr_adx(fp *r, const fp *a);
void cuzk_fp2_mul_adx(fp2 *r, const fp2 *a, const fp2 *b);
void cuzk_fp2_sqr_adx(fp2 *r, const fp2 *a);
void cuzk_fp_mul_adx(fp *r, const fp *a, const fp *b);
void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b);
void cuzk_fr_split_adx(fr *u, fr *v, const fr *w, size_t n, size_t step, size_t w_step);
void cuzk_fr_merge_adx(fr *u, fr *v, const fr *w, size_t n, size_t step, size_t w_step);
void cuzk_fr_cross_adx(fr *u, fr *v, size_t n, size_t step);
#include "field/fp_adx.h"
#include "field/fr_adx.h"

enum { N_EDGES = 20 };

static const uint64_t fp_p[6] = FP_MODULUS;
static const uint64_t fr_r[4] = FR_MODULUS;

/* limbs of value[k] below the modulus m: 0, 1, m - 1, m - 2, (m - 1) / 2, borders of limbs, random
 */
static void edge(uint64_t *out, const uint64_t *m, int n, int k, test_rng *rng) {
    memset(out, 0, (size_t)n * sizeof *out);
    if (k < 3) {
        out[0] = (uint64_t)k;
    } else if (k < 5) {
        memcpy(out, m, (size_t)n * sizeof *out);
        out[0] -= (uint64_t)k - 2;
    } else if (k == 5) {
        for (int i = 0; i < n; i++) {
            out[i] = m[i] >> 1 | (i + 1 < n ? m[i + 1] << 63 : 0);
        }
    } else if (k < 5 + n) {
        out[k - 5] = 1;
    } else if (k < 4 + 2 * n) {
        for (int i = 0; i <= k - 5 - n; i++) {
            out[i] = UINT64_MAX;
        }
    } else {
        for (int i = 0; i < n; i++) {
            out[i] = test_rng_u64(rng);
        }
        out[n - 1] %= m[n - 1];
    }
}

static void fp_sums(void **state) {
    (void)state;
    test_rng rng = {1};
    fp v[N_EDGES], expected, r;
    for (int i = 0; i < N_EDGES; i++) {
        edge(v[i].l, fp_p, 6, i, &rng);
    }
    for (int i = 0; i < N_EDGES; i++) {
        for (int j = 0; j < N_EDGES; j++) {
            fp_add(&expected, &v[i], &v[j]);
            fp_add_adx(&r, &v[i], &v[j]);
            assert_true(fp_eq(&r, &expected));
            r = v[i];
            fp_add_adx(&r, &r, &v[j]);
            assert_true(fp_eq(&r, &expected));
            r = v[j];
            fp_add_adx(&r, &v[i], &r);
            assert_true(fp_eq(&r, &expected));
            fp_sub(&expected, &v[i], &v[j]);
            fp_sub_adx(&r, &v[i], &v[j]);
            assert_true(fp_eq(&r, &expected));
            r = v[i];
            fp_sub_adx(&r, &r, &v[j]);
            assert_true(fp_eq(&r, &expected));
            r = v[j];
            fp_sub_adx(&r, &v[i], &r);
            assert_true(fp_eq(&r, &expected));
        }
        r = v[i];
        fp_sub_adx(&r, &r, &r);
        assert_true(fp_is_zero(&r));
        fp_add(&expected, &v[i], &v[i]);
        r = v[i];
        fp_add_adx(&r, &r, &r);
        assert_true(fp_eq(&r, &expected));
    }
}

static void fp_squares(void **state) {
    (void)state;
    test_rng rng = {4};
    for (int i = 0; i < 100000; i++) {
        fp a, expected, r;
        if (i < N_EDGES) {
            edge(a.l, fp_p, 6, i, &rng);
        } else {
            test_rng_fp(&a, &rng);
            for (int j = 0; j < 5; j++) { /* runs of zeros and ones */
                const uint64_t choice = test_rng_u64(&rng);
                a.l[j] = choice % 5 == 0 ? 0 : choice % 5 == 1 ? UINT64_MAX : a.l[j];
            }
        }
        fp_mul(&expected, &a, &a);
        cuzk_fp_sqr_adx(&r, &a);
        assert_true(fp_eq(&r, &expected));
        r = a;
        cuzk_fp_sqr_adx(&r, &r);
        assert_true(fp_eq(&r, &expected));
    }
}

static void fr_sums(void **state) {
    (void)state;
    test_rng rng = {2};
    fr v[N_EDGES], expected, r;
    for (int i = 0; i < N_EDGES; i++) {
        edge(v[i].l, fr_r, 4, i, &rng);
    }
    for (int i = 0; i < N_EDGES; i++) {
        for (int j = 0; j < N_EDGES; j++) {
            fr_add(&expected, &v[i], &v[j]);
            fr_add_adx(&r, &v[i], &v[j]);
            assert_true(fr_eq(&r, &expected));
            r = v[i];
            fr_add_adx(&r, &r, &v[j]);
            assert_true(fr_eq(&r, &expected));
            r = v[j];
            fr_add_adx(&r, &v[i], &r);
            assert_true(fr_eq(&r, &expected));
            fr_sub(&expected, &v[i], &v[j]);
            fr_sub_adx(&r, &v[i], &v[j]);
            assert_true(fr_eq(&r, &expected));
            r = v[i];
            fr_sub_adx(&r, &r, &v[j]);
            assert_true(fr_eq(&r, &expected));
            r = v[j];
            fr_sub_adx(&r, &v[i], &r);
            assert_true(fr_eq(&r, &expected));
        }
        r = v[i];
        fr_sub_adx(&r, &r, &r);
        assert_true(fr_is_zero(&r));
        fr_add(&expected, &v[i], &v[i]);
        r = v[i];
        fr_add_adx(&r, &r, &r);
        assert_true(fr_eq(&r, &expected));
    }
}

static void check_fp2(const fp2 *a, const fp2 *b) {
    fp2 expected, r;
    fp2_mul(&expected, a, b);
    cuzk_fp2_mul_adx(&r, a, b);
    assert_true(fp2_eq(&r, &expected));
    r = *a;
    cuzk_fp2_mul_adx(&r, &r, b);
    assert_true(fp2_eq(&r, &expected));
    r = *b;
    cuzk_fp2_mul_adx(&r, a, &r);
    assert_true(fp2_eq(&r, &expected));
}

static void fp2_products(void **state) {
    (void)state;
    test_rng rng = {3};
    enum { N = N_EDGES * N_EDGES };
    static fp2 v[N];
    for (int i = 0; i < N; i++) {
        edge(v[i].c0.l, fp_p, 6, i / N_EDGES, &rng);
        edge(v[i].c1.l, fp_p, 6, i % N_EDGES, &rng);
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j += 1 + i % 3) {
            check_fp2(&v[i], &v[j]);
        }
        fp2 expected, r;
        fp2_sqr(&expected, &v[i]);
        cuzk_fp2_sqr_adx(&r, &v[i]);
        assert_true(fp2_eq(&r, &expected));
        r = v[i];
        cuzk_fp2_sqr_adx(&r, &r);
        assert_true(fp2_eq(&r, &expected));
        r = v[i];
        cuzk_fp2_mul_adx(&r, &r, &r);
        assert_true(fp2_eq(&r, &expected));
    }
    for (int i = 0; i < 20000; i++) {
        fp2 a, b;
        test_rng_fp(&a.c0, &rng);
        test_rng_fp(&a.c1, &rng);
        test_rng_fp(&b.c0, &rng);
        test_rng_fp(&b.c1, &rng);
        check_fp2(&a, &b);
    }
}

/* r = a + m: the other name of a below 2 m */
static void plus_modulus(uint64_t *r, const uint64_t *a, const uint64_t *m, int n) {
    word_carry carry = 0;
    for (int i = 0; i < n; i++) {
        r[i] = word_add(a[i], m[i], &carry);
    }
}

static void second_factor_above_the_modulus(void **state) {
    (void)state;
    test_rng rng = {5};
    for (int i = 0; i < N_EDGES; i++) {
        for (int j = 0; j < N_EDGES; j++) {
            fp a, b, expected, r;
            edge(a.l, fp_p, 6, i, &rng);
            edge(b.l, fp_p, 6, j, &rng);
            cuzk_fp_mul_portable(&expected, &a, &b);
            plus_modulus(b.l, b.l, fp_p, 6);
            cuzk_fp_mul_adx(&r, &a, &b);
            assert_true(fp_eq(&r, &expected));
            fr c, d, fr_expected, s;
            edge(c.l, fr_r, 4, i, &rng);
            edge(d.l, fr_r, 4, j, &rng);
            cuzk_fr_mul_portable(&fr_expected, &c, &d);
            plus_modulus(d.l, d.l, fr_r, 4);
            cuzk_fr_mul_adx(&s, &c, &d);
            assert_true(fr_eq(&s, &fr_expected));
        }
    }
}

/* x is below 2 r and x mod r is expected */
static void assert_lazy(const fr *x, const fr *expected) {
    fr t;
    fr_reduce_once(t.l, x->l);
    assert_true(fr_eq(&t, expected));
}

/* Runs of two butterflies of each kind, on all names of u and v, with steps. */
static void check_butterflies(const fr *u, const fr *v, const fr *w) {
    fr product, sum, difference, split_u, split_v, merged;
    cuzk_fr_mul_portable(&product, w, v);
    fr_add(&split_u, u, &product);
    fr_sub(&split_v, u, &product);
    fr_add(&sum, u, v);
    fr_sub(&difference, u, v);
    cuzk_fr_mul_portable(&merged, &difference, w);
    for (int names = 0; names < 4; names++) {
        fr a = *u, b = *v;
        if ((names & 1) != 0) {
            plus_modulus(a.l, u->l, fr_r, 4);
        }
        if ((names & 2) != 0) {
            plus_modulus(b.l, v->l, fr_r, 4);
        }
        fr x[6] = {a, FR_ZERO, a}, y[6] = {b, FR_ZERO, b}, ws[4] = {*w, FR_ZERO, FR_ZERO, *w};
        cuzk_fr_split_adx(x, y, ws, 2, 2 * sizeof(fr), 3 * sizeof(fr));
        for (int i = 0; i < 4; i += 2) {
            assert_lazy(&x[i], &split_u);
            assert_lazy(&y[i], &split_v);
            assert_true(fr_is_zero(&x[i + 1]) && fr_is_zero(&y[i + 1]));
            x[i] = a;
            y[i] = b;
        }
        cuzk_fr_merge_adx(x, y, ws, 2, 2 * sizeof(fr), 3 * sizeof(fr));
        for (int i = 0; i < 4; i += 2) {
            assert_lazy(&x[i], &sum);
            assert_lazy(&y[i], &merged);
            assert_true(fr_is_zero(&x[i + 1]) && fr_is_zero(&y[i + 1]));
            x[i] = a;
            y[i] = b;
        }
        cuzk_fr_cross_adx(x, y, 2, 2 * sizeof(fr));
        for (int i = 0; i < 4; i += 2) {
            assert_lazy(&x[i], &sum);
            assert_lazy(&y[i], &difference);
            assert_true(fr_is_zero(&x[i + 1]) && fr_is_zero(&y[i + 1]));
        }
    }
}

static void butterflies(void **state) {
    (void)state;
    test_rng rng = {6};
    fr edges[N_EDGES];
    for (int i = 0; i < N_EDGES; i++) {
        edge(edges[i].l, fr_r, 4, i, &rng);
    }
    for (int i = 0; i < N_EDGES; i++) {
        for (int j = 0; j < N_EDGES; j++) {
            for (int k = 0; k < N_EDGES; k++) {
                check_butterflies(&edges[i], &edges[j], &edges[k]);
            }
        }
    }
    for (int i = 0; i < 20000; i++) {
        fr u, v, w;
        test_rng_fr(&u, &rng);
        test_rng_fr(&v, &rng);
        test_rng_fr(&w, &rng);
        check_butterflies(&u, &v, &w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fp_sums),
        cmocka_unit_test(fp_squares),
        cmocka_unit_test(fr_sums),
        cmocka_unit_test(fp2_products),
        cmocka_unit_test(second_factor_above_the_modulus),
        cmocka_unit_test(butterflies),
    };
    if (cuzk_cpu_detected() < CUZK_CPU_ADX) {
        print_message("skipped: this CPU has no ADX\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    print_message("skipped: built without x86-64 kernels\n");
    return 77;
}

#endif
