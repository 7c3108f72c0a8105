/* Laws of one group against the chord-and-tangent rule in affine coordinates. test_group.c includes
 * this for each group and defines the names of curve/group_template.h with CG(name) = cuzk_g1_name,
 * CF(name) = cuzk_fp_name and RANDOM(r, rng) a random field element, FB b of the curve. */

#define AFFINE GT(affine)
#define JAC GT(jac)
#define XYZZ GT(xyzz)
#define N_POINTS 10

static void G(slow_add)(AFFINE *r, const AFFINE *p, const AFFINE *q) {
    if (G(affine_is_infinity)(p) || G(affine_is_infinity)(q)) {
        *r = G(affine_is_infinity)(p) ? *q : *p;
        return;
    }
    F slope, t, x, y;
    if (FN(eq)(&p->x, &q->x)) {
        FN(add)(&t, &p->y, &q->y);
        if (FN(is_zero)(&t)) {
            memset(r, 0, sizeof *r);
            return;
        }
        FN(sqr)(&slope, &p->x);
        FN(dbl)(&x, &slope);
        FN(add)(&slope, &slope, &x);
    } else {
        FN(sub)(&t, &q->x, &p->x);
        FN(sub)(&slope, &q->y, &p->y);
    }
    CF(inv)(&t, &t);
    FN(mul)(&slope, &slope, &t);
    FN(sqr)(&x, &slope);
    FN(sub)(&x, &x, &p->x);
    FN(sub)(&x, &x, &q->x);
    FN(sub)(&y, &p->x, &x);
    FN(mul)(&y, &y, &slope);
    FN(sub)(&r->y, &y, &p->y);
    r->x = x;
}

static void G(slow_mul)(AFFINE *r, const AFFINE *p, const fr_plain *k) {
    AFFINE base = *p, sum;
    memset(&sum, 0, sizeof sum);
    for (int i = 255; i >= 0; i--) {
        G(slow_add)(&sum, &sum, &sum);
        if (k->l[i / 64] >> (i % 64) & 1) {
            G(slow_add)(&sum, &sum, &base);
        }
    }
    *r = sum;
}

/* A point of the curve, nearly always outside the subgroup. */
static void G(random_point)(AFFINE *p, test_rng *rng) {
    static const F b = FB;
    F t;
    do {
        RANDOM(&p->x, rng);
        FN(sqr)(&t, &p->x);
        FN(mul)(&t, &t, &p->x);
        FN(add)(&t, &t, &b);
    } while (!CF(sqrt)(&p->y, &t));
}

/* The same point with another z. */
static void G(blind)(JAC *r, const AFFINE *p, test_rng *rng) {
    F z, z2;
    G(jac_from_affine)(r, p);
    if (G(affine_is_infinity)(p)) {
        RANDOM(&r->x, rng); /* x and y of infinity do not matter */
        RANDOM(&r->y, rng);
        return;
    }
    RANDOM(&z, rng);
    FN(sqr)(&z2, &z);
    FN(mul)(&r->x, &r->x, &z2);
    FN(mul)(&z2, &z2, &z);
    FN(mul)(&r->y, &r->y, &z2);
    r->z = z;
}
static void G(blind_xyzz)(XYZZ *r, const AFFINE *p, test_rng *rng) {
    JAC t;
    G(blind)(&t, p, rng);
    r->x = t.x;
    r->y = t.y;
    FN(sqr)(&r->zz, &t.z);
    FN(mul)(&r->zzz, &r->zz, &t.z);
}

static void G(check_jac)(const JAC *p, const AFFINE *expected) {
    AFFINE a;
    JAC e;
    CG(jac_to_affine)(&a, p);
    assert_true(CG(affine_eq)(&a, expected));
    G(jac_from_affine)(&e, expected);
    assert_true(CG(jac_eq)(p, &e));
    assert_true(CG(jac_eq)(&e, p));
    assert_int_equal(G(jac_is_infinity)(p), G(affine_is_infinity)(expected));
}
static void G(check_xyzz)(const XYZZ *p, const AFFINE *expected) {
    JAC t;
    G(jac_from_xyzz)(&t, p);
    G(check_jac)(&t, expected);
}

static void G(points)(AFFINE p[N_POINTS], test_rng *rng) {
    memset(p, 0, N_POINTS * sizeof *p);
    p[1] = CG(generator);
    G(affine_neg)(&p[2], &p[1]);
    G(slow_add)(&p[3], &p[1], &p[1]);
    fr_plain k;
    for (int i = 4; i < 7; i++) {
        test_rng_fr_plain(&k, rng);
        G(slow_mul)(&p[i], &p[1], &k);
    }
    G(random_point)(&p[7], rng);
    G(affine_neg)(&p[8], &p[7]);
    G(random_point)(&p[9], rng);
}

static void G(test_sums)(void **state) {
    (void)state;
    test_rng rng = {7};
    AFFINE p[N_POINTS], sum;
    G(points)(p, &rng);
    for (int i = 0; i < N_POINTS; i++) {
        assert_true(CG(on_curve)(&p[i]));
        for (int j = 0; j < N_POINTS; j++) {
            JAC a, b, r;
            XYZZ ax, bx, rx;
            G(slow_add)(&sum, &p[i], &p[j]);
            assert_true(CG(on_curve)(&sum));
            G(blind)(&a, &p[i], &rng);
            G(blind)(&b, &p[j], &rng);
            assert_int_equal(CG(jac_eq)(&a, &b), i == j);
            assert_int_equal(CG(affine_eq)(&p[i], &p[j]), i == j);
            G(jac_add)(&r, &a, &b);
            G(check_jac)(&r, &sum);
            r = a;
            G(jac_add)(&r, &r, &b);
            G(check_jac)(&r, &sum);
            r = b;
            G(jac_add)(&r, &a, &r);
            G(check_jac)(&r, &sum);
            G(jac_add_affine)(&r, &a, &p[j]);
            G(check_jac)(&r, &sum);
            G(jac_add_affine)(&a, &a, &p[j]);
            G(check_jac)(&a, &sum);
            G(blind_xyzz)(&ax, &p[i], &rng);
            G(blind_xyzz)(&bx, &p[j], &rng);
            G(xyzz_add)(&rx, &ax, &bx);
            G(check_xyzz)(&rx, &sum);
            G(xyzz_add_affine)(&rx, &ax, &p[j]);
            G(check_xyzz)(&rx, &sum);
            G(xyzz_add_affine)(&ax, &ax, &p[j]);
            G(check_xyzz)(&ax, &sum);
        }
        JAC a;
        XYZZ ax;
        G(slow_add)(&sum, &p[i], &p[i]);
        G(blind)(&a, &p[i], &rng);
        G(jac_dbl)(&a, &a);
        G(check_jac)(&a, &sum);
        G(blind)(&a, &p[i], &rng);
        G(jac_add)(&a, &a, &a);
        G(check_jac)(&a, &sum);
        G(blind_xyzz)(&ax, &p[i], &rng);
        G(xyzz_dbl)(&ax, &ax);
        G(check_xyzz)(&ax, &sum);
        G(blind)(&a, &p[i], &rng);
        G(jac_neg)(&a, &a);
        G(affine_neg)(&sum, &p[i]);
        G(check_jac)(&a, &sum);
    }
}

static void G(test_multiples)(void **state) {
    (void)state;
    test_rng rng = {8};
    const uint64_t all = UINT64_MAX;
    static const uint64_t r_limbs[4] = FR_MODULUS;
    fr_plain k[] = {{{0, 0, 0, 0}},
                    {{1, 0, 0, 0}},
                    {{2, 0, 0, 0}},
                    {{31, 0, 0, 0}},
                    {{32, 0, 0, 0}},
                    {{0, 0, 0, 1}},
                    {{all, all, all, all}},
                    {{r_limbs[0], r_limbs[1], r_limbs[2], r_limbs[3]}},
                    {{r_limbs[0] - 1, r_limbs[1], r_limbs[2], r_limbs[3]}},
                    {{0, 0, 0, 1ull << 63}},
                    {{0}}};
    AFFINE p[3], expected;
    p[0] = CG(generator);
    G(random_point)(&p[1], &rng);
    G(affine_set_infinity)(&p[2]);
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        if (i + 1 == sizeof k / sizeof k[0]) {
            test_rng_fr_plain(&k[i], &rng);
        }
        for (int j = 0; j < 3; j++) {
            JAC t;
            G(blind)(&t, &p[j], &rng);
            G(slow_mul)(&expected, &p[j], &k[i]);
            CG(jac_mul)(&t, &t, &k[i]);
            G(check_jac)(&t, &expected);
        }
    }
    JAC t;
    G(jac_from_affine)(&t, &p[0]);
    CG(jac_mul)(&t, &t, &k[7]);
    assert_true(G(jac_is_infinity)(&t));
}

/* In the subgroup exactly when [r] p is infinity. */
static void G(test_subgroup)(void **state) {
    (void)state;
    test_rng rng = {9};
    const fr_plain r = {FR_MODULUS};
    AFFINE p[12];
    G(points)(p, &rng);
    G(slow_mul)(&p[10], &p[9], &r); /* no part in the subgroup at all */
    G(slow_add)(&p[11], &p[10], &p[1]);
    assert_false(G(affine_is_infinity)(&p[10]));
    AFFINE inside[12];
    size_t n_inside = 0;
    for (int i = 0; i < 12; i++) {
        AFFINE t;
        G(slow_mul)(&t, &p[i], &r);
        bool expected = G(affine_is_infinity)(&t);
        assert_int_equal(CG(in_subgroup)(&p[i]), expected);
        assert_int_equal(expected, i < 7);
        if (expected) {
            inside[n_inside++] = p[i];
        }
    }
    for (cuzk_cpu_level level = CUZK_CPU_PORTABLE; level < CUZK_CPU_LEVELS; level++) {
        const curve_kernels *kernels = cuzk_curve_kernels_at(level);
        if (kernels != NULL) {
            assert_int_equal(kernels->KERNEL(subgroup)(p, 12), 7);
            assert_int_equal(kernels->KERNEL(subgroup)(inside, n_inside), n_inside);
        }
    }
}

static void G(test_batch_to_affine)(void **state) {
    (void)state;
    test_rng rng = {10};
    AFFINE p[N_POINTS], out[N_POINTS];
    JAC jac[N_POINTS];
    G(points)(p, &rng);
    for (int i = 0; i < N_POINTS; i++) {
        G(blind)(&jac[i], &p[i], &rng);
    }
    for (cuzk_cpu_level level = CUZK_CPU_PORTABLE; level < CUZK_CPU_LEVELS; level++) {
        const curve_kernels *kernels = cuzk_curve_kernels_at(level);
        for (size_t n = 0; kernels != NULL && n <= N_POINTS; n++) {
            for (size_t first = 0; first + n <= N_POINTS; first++) {
                memset(out, 0xff, sizeof out);
                kernels->KERNEL(to_affine)(out, jac + first, n);
                for (size_t i = 0; i < n; i++) {
                    assert_true(CG(affine_eq)(&out[i], &p[first + i]));
                }
            }
        }
    }
}

#undef AFFINE
#undef JAC
#undef XYZZ
#undef N_POINTS
