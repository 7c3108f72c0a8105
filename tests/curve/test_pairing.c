/* Pairing, final exponentiation and Gt. LABELS: levels */
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#include "curve/curve_kernels.h"
#include "curve/pairing.h"
#include "support/known_answers.h"

static known_answers *answers;

static void multiple(g1_affine *r, const g1_affine *p, const fr_plain *k) {
    g1_jac t;
    g1_jac_from_affine(&t, p);
    cuzk_g1_jac_mul(&t, &t, k);
    cuzk_g1_jac_to_affine(r, &t);
}
static void multiple2(g2_affine *r, const g2_affine *p, const fr_plain *k) {
    g2_jac t;
    g2_jac_from_affine(&t, p);
    cuzk_g2_jac_mul(&t, &t, k);
    cuzk_g2_jac_to_affine(r, &t);
}

static void check_compressed(const fp12 *a, const char *key) {
    uint8_t bytes[GT_COMPRESSED_BYTES], expected[GT_COMPRESSED_BYTES];
    known_answers_exact(answers, key, expected, sizeof expected);
    assert_true(cuzk_gt_write_compressed(bytes, a));
    assert_memory_equal(bytes, expected, sizeof bytes);
    fp12 back;
    assert_true(cuzk_gt_read_compressed(&back, bytes));
    assert_true(fp12_eq(&back, a));
}

static void vectors(void **state) {
    (void)state;
    fp12 e;
    cuzk_pairing_product(&e, &cuzk_g1_generator, &cuzk_g2_generator, 1);
    uint8_t first[48];
    cuzk_fp_write_be(first, &e.c0.c0.c0);
    uint8_t expected[48];
    known_answers_hex(expected, 48,
                      "1250ebd871fc0a92a7b2d83168d0d727272d441befa15c503dd8e90ce98db3e7b6d194f60839"
                      "c508a84305aaca1789b6");
    assert_memory_equal(first, expected, 48); /* groth16.md 1.5: the cube */
    check_compressed(&e, "gt_gen.compressed");
    uint8_t bytes[GT_BYTES], digest[32], expected_digest[32];
    cuzk_gt_write(bytes, &e);
    known_answers_exact(answers, "gt_gen.bincode_first48", expected, 48);
    assert_memory_equal(bytes, expected, 48);
    SHA256(bytes, sizeof bytes, digest);
    known_answers_exact(answers, "gt_gen.bincode_sha256", expected_digest, 32);
    assert_memory_equal(digest, expected_digest, 32);

    g1_affine p;
    g2_affine q;
    known_answers_g1(answers, "chacha0.g1", &p);
    known_answers_g2(answers, "chacha0.g2", &q);
    cuzk_pairing_product(&e, &p, &q, 1);
    check_compressed(&e, "chacha0.gt_compressed");
}

static void bilinear(void **state) {
    (void)state;
    test_rng rng = {11};
    fr_plain a, b, ab;
    test_rng_fr_plain(&a, &rng);
    test_rng_fr_plain(&b, &rng);
    fr x, y;
    fr_from_plain(&x, &a);
    fr_from_plain(&y, &b);
    fr_mul(&x, &x, &y);
    fr_to_plain(&ab, &x);
    g1_affine p;
    g2_affine q;
    fp12 e, left, right;
    cuzk_pairing_product(&e, &cuzk_g1_generator, &cuzk_g2_generator, 1);
    multiple(&p, &cuzk_g1_generator, &a);
    multiple2(&q, &cuzk_g2_generator, &b);
    cuzk_pairing_product(&left, &p, &q, 1);
    cuzk_gt_pow(&right, &e, &ab);
    assert_true(fp12_eq(&left, &right));
    assert_true(cuzk_gt_in_subgroup(&left));
    cuzk_pairing_product(&left, &p, &cuzk_g2_generator, 1);
    cuzk_gt_pow(&right, &e, &a);
    assert_true(fp12_eq(&left, &right));
    /* order r, not 1 */
    const fr_plain r = {FR_MODULUS};
    assert_false(fp12_is_one(&e));
    cuzk_gt_pow(&right, &e, &r);
    assert_true(fp12_is_one(&right));
}

static void powers(void **state) {
    (void)state;
    enum { N = 11 };
    test_rng rng = {15};
    fp12 a[N], expected = FP12_ONE, t;
    fr_plain k[N];
    cuzk_pairing_product(&a[0], &cuzk_g1_generator, &cuzk_g2_generator, 1);
    for (size_t i = 0; i < N; i++) {
        test_rng_fr_plain(&k[i], &rng);
        if (i == 3) {
            k[i] = (fr_plain){{0, 0, 0, 0}};
        }
        if (i > 0) {
            cuzk_gt_pow(&a[i], &a[i - 1], &k[i - 1]);
        }
        t = FP12_ONE; /* square and multiply */
        for (int bit = 254; bit >= 0; bit--) {
            fp12_sqr(&t, &t);
            if (k[i].l[bit / 64] >> (bit % 64) & 1) {
                fp12_mul(&t, &t, &a[i]);
            }
        }
        fp12_mul(&expected, &expected, &t);
        cuzk_curve_kernels()->gt_powers(&t, a, k, i + 1);
        assert_true(fp12_eq(&t, &expected));
    }
    assert_true(fp12_is_one(&a[5])); /* a power with exponent 0 before */
}

static void products(void **state) {
    (void)state;
    enum { N = 35 }; /* more than two groups of the loop */
    test_rng rng = {12};
    static g1_affine p[N];
    static g2_affine q[N];
    fp12 product = FP12_ONE, e, all;
    for (size_t i = 0; i < N; i++) {
        fr_plain k;
        test_rng_fr_plain(&k, &rng);
        multiple(&p[i], &cuzk_g1_generator, &k);
        test_rng_fr_plain(&k, &rng);
        multiple2(&q[i], &cuzk_g2_generator, &k);
        if (i % 7 == 3) {
            g1_affine_set_infinity(&p[i]);
        }
        if (i % 11 == 5) {
            g2_affine_set_infinity(&q[i]);
        }
        cuzk_pairing_product(&e, &p[i], &q[i], 1);
        assert_int_equal(fp12_is_one(&e), i % 7 == 3 || i % 11 == 5);
        fp12_mul(&product, &product, &e);
        if (i < 3 || (i > 14 && i < 19) || i == N - 1) {
            cuzk_pairing_product(&all, p, q, i + 1);
            assert_true(fp12_eq(&all, &product));
        }
    }
    cuzk_pairing_product(&e, p, q, 0);
    assert_true(fp12_is_one(&e));
    /* e(p, q) e(-p, q) = 1 */
    g1_affine both[2] = {p[0], p[0]};
    g2_affine twice[2] = {q[0], q[0]};
    g1_affine_neg(&both[1], &p[0]);
    cuzk_pairing_product(&e, both, twice, 2);
    assert_true(fp12_is_one(&e));
}

static void pow_p(fp12 *r, const fp12 *a) {
    static const uint64_t p[6] = FP_MODULUS;
    fp12 base = *a, t = FP12_ONE;
    for (int bit = 380; bit >= 0; bit--) {
        fp12_sqr(&t, &t);
        if (p[bit / 64] >> (bit % 64) & 1) {
            fp12_mul(&t, &t, &base);
        }
    }
    *r = t;
}

static void gt_refused(void **state) {
    (void)state;
    fp12 one = FP12_ONE, e, f;
    uint8_t bytes[GT_COMPRESSED_BYTES], bad[GT_COMPRESSED_BYTES];
    assert_false(cuzk_gt_write_compressed(bytes, &one));
    cuzk_pairing_product(&e, &cuzk_g1_generator, &cuzk_g2_generator, 1);
    assert_true(cuzk_gt_write_compressed(bytes, &e));
    for (size_t i = 0; i < sizeof bytes;
         i += 5) { /* another element of norm 1, outside the subgroup; or not below p */
        memcpy(bad, bytes, sizeof bad);
        bad[i] ^= 0x10;
        assert_false(cuzk_gt_read_compressed(&f, bad));
    }
    memset(bad, 0, sizeof bad); /* -1, of order 2 */
    assert_false(cuzk_gt_read_compressed(&f, bad));
    memset(bad, 0xff, sizeof bad);
    assert_false(cuzk_gt_read_compressed(&f, bad));

    assert_true(cuzk_gt_in_subgroup(&one));
    memset(&f, 0, sizeof f);
    assert_false(cuzk_gt_in_subgroup(&f));
    f = e; /* not even of norm 1 */
    fp2_add(&f.c0.c1, &f.c0.c1, &FP2_ONE);
    assert_false(cuzk_gt_in_subgroup(&f));
    fp12 g, inverse; /* f^(p^6 - 1) is of norm 1, but not in the subgroup */
    fp12_inv(&inverse, &f);
    fp12_conj(&g, &f);
    fp12_mul(&g, &g, &inverse);
    assert_false(cuzk_gt_in_subgroup(&g));
    fp12 h; /* to the power p^2 + 1 as well: in the cyclotomic subgroup, but not of order r */
    pow_p(&h, &g);
    pow_p(&h, &h);
    fp12_mul(&g, &g, &h);
    pow_p(&h, &g); /* g^(p^4) g = g^(p^2) */
    pow_p(&h, &h);
    pow_p(&f, &h);
    pow_p(&f, &f);
    fp12_mul(&f, &f, &g);
    assert_true(fp12_eq(&f, &h));
    assert_false(cuzk_gt_in_subgroup(&g));
    assert_true(cuzk_gt_write_compressed(bytes, &g));
    assert_false(cuzk_gt_read_compressed(&f, bytes));
}

/* The tower's operations against each other: products by squares, inverses, sparse products. */
static void random_fp12(fp12 *r, test_rng *rng) {
    fp *c = (fp *)r;
    for (size_t i = 0; i < sizeof *r / sizeof *c; i++) {
        test_rng_fp(&c[i], rng);
    }
}

static void schoolbook(fp12 *r, const fp12 *a, const fp12 *b) {
    /* coefficients of w^0 .. w^5 over Fp2, w^6 = 1 + u */
    const fp2 *x[6] = {&a->c0.c0, &a->c1.c0, &a->c0.c1, &a->c1.c1, &a->c0.c2, &a->c1.c2};
    const fp2 *y[6] = {&b->c0.c0, &b->c1.c0, &b->c0.c1, &b->c1.c1, &b->c0.c2, &b->c1.c2};
    fp2 s[6], t;
    memset(s, 0, sizeof s);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            fp2_mul(&t, x[i], y[j]);
            if (i + j >= 6) {
                fp2_mul_nonresidue(&t, &t);
            }
            fp2_add(&s[(i + j) % 6], &s[(i + j) % 6], &t);
        }
    }
    *r = (fp12){{s[0], s[2], s[4]}, {s[1], s[3], s[5]}};
}

static void tower(void **state) {
    (void)state;
    test_rng rng = {13};
    for (int i = 0; i < 8; i++) {
        fp12 a, b, c, d;
        random_fp12(&a, &rng);
        random_fp12(&b, &rng);
        schoolbook(&c, &a, &b);
        fp12_mul(&d, &a, &b);
        assert_true(fp12_eq(&c, &d));
        d = a;
        fp12_mul(&d, &d, &b);
        assert_true(fp12_eq(&c, &d));
        schoolbook(&c, &a, &a);
        fp12_sqr(&d, &a);
        assert_true(fp12_eq(&c, &d));
        fp6 s, t;
        fp6_sqr(&s, &a.c0);
        fp6_mul(&t, &a.c0, &a.c0);
        assert_true(fp6_eq(&s, &t));
        fp12_inv(&d, &a);
        fp12_mul(&d, &d, &a);
        assert_true(fp12_is_one(&d));
        memset(&b, 0, sizeof b);
        random_fp12(&d, &rng);
        b.c0.c0 = d.c0.c0;
        b.c0.c1 = d.c0.c1;
        b.c1.c1 = d.c1.c1;
        fp12_mul(&c, &a, &b);
        d = a;
        fp12_mul_line(&d, &b.c0.c0, &b.c0.c1, &b.c1.c1);
        assert_true(fp12_eq(&c, &d));
        cuzk_final_exponentiation(&c, &a);
        assert_true(cuzk_gt_in_subgroup(&c));
        fp12_cyclotomic_sqr(&d, &c);
        fp12_sqr(&b, &c);
        assert_true(fp12_eq(&b, &d));
    }
}

static void levels_agree(void **state) {
    (void)state;
    const curve_kernels *portable = cuzk_curve_kernels_at(CUZK_CPU_PORTABLE);
    test_rng rng = {14};
    fp12 a, f, g;
    random_fp12(&a, &rng);
    for (cuzk_cpu_level level = CUZK_CPU_PORTABLE; level < CUZK_CPU_LEVELS; level++) {
        const curve_kernels *kernels = cuzk_curve_kernels_at(level);
        if (kernels == NULL) {
            continue;
        }
        portable->miller_loop(&f, &cuzk_g1_generator, &cuzk_g2_generator, 1);
        kernels->miller_loop(&g, &cuzk_g1_generator, &cuzk_g2_generator, 1);
        assert_true(fp12_eq(&f, &g));
        portable->final_exponentiation(&f, &a);
        kernels->final_exponentiation(&g, &a);
        assert_true(fp12_eq(&f, &g));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tower),        cmocka_unit_test(vectors),  cmocka_unit_test(bilinear),
        cmocka_unit_test(powers),       cmocka_unit_test(products), cmocka_unit_test(gt_refused),
        cmocka_unit_test(levels_agree),
    };
    answers = known_answers_open("groth16-vectors.txt");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
