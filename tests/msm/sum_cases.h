/* Cases of one group: sums of points whose logarithms are known, so that one multiplication of the
 * generator gives the right value. The tests of this folder include this for each group and define
 * the names of curve/group_template.h with CG(name) = cuzk_g1_name, SUM(name) = cuzk_msm_g1_name
 * and SUM_ONCE = cuzk_msm_g1. */

#define AFFINE GT(affine)
#define JAC GT(jac)

static inline void G(make_points)(AFFINE *points, fr *logs, point_pattern pattern, size_t n) {
    JAC *jac = malloc((n + 1) * sizeof *jac);
    JAC sum;
    fr log;
    fr one = FR_ONE;
    assert_non_null(jac);
    G(jac_from_affine)(&sum, &CG(generator));
    log = one;
    for (size_t i = 0; i < n; i++) {
        jac[i] = sum;
        logs[i] = log;
        switch (pattern) {
        case POINTS_CHAIN: /* P_(i+1) = 2 P_i + generator */
            G(jac_dbl)(&sum, &sum);
            G(jac_add_affine)(&sum, &sum, &CG(generator));
            fr_dbl(&log, &log);
            fr_add(&log, &log, &one);
            break;
        case POINTS_PROGRESSION:
            G(jac_add_affine)(&sum, &sum, &CG(generator));
            fr_add(&log, &log, &one);
            break;
        case POINTS_EQUAL:
            break;
        case POINTS_ALTERNATING:
            G(jac_neg)(&sum, &sum);
            fr_neg(&log, &log);
            break;
        default: /* POINTS_INFINITY: every third, else a progression */
            if (i % 3 == 1) {
                G(jac_set_infinity)(&jac[i]);
                logs[i] = FR_ZERO;
            }
            G(jac_add_affine)(&sum, &sum, &CG(generator));
            fr_add(&log, &log, &one);
        }
    }
    cuzk_curve_kernels()->G(to_affine)(points, jac, n);
    free(jac);
}

/* sum of k[i] logs[i], as a point */
static inline void G(expected_sum)(JAC *r, const fr *logs, const fr_plain *k, size_t n) {
    fr log = FR_ZERO, t;
    for (size_t i = 0; i < n; i++) {
        fr_from_plain(&t, &k[i]);
        fr_mul(&t, &t, &logs[i]);
        fr_add(&log, &log, &t);
    }
    fr_plain plain;
    JAC base;
    fr_to_plain(&plain, &log);
    G(jac_from_affine)(&base, &CG(generator));
    CG(jac_mul)(r, &base, &plain);
}

static inline void G(check_equal)(const JAC *got, const JAC *expected, const char *what, size_t n) {
    if (!CG(jac_eq)(got, expected)) {
        fail_msg("wrong sum: %s, %zu points", what, n);
    }
}

/* An open sum that gets all points at once. */
static inline void G(sum_of_all)(const cuzk_ctx *ctx, JAC *r, msm_points of, uint64_t n_planned,
                                 const AFFINE *p, const fr_plain *k, size_t n) {
    SUM_TYPE *sum;
    assert_int_equal(SUM(open)(&sum, ctx, of, n_planned, NULL), CUZK_OK);
    assert_int_equal(SUM(add)(sum, ctx, p, k, NULL, n, NULL), CUZK_OK);
    assert_int_equal(SUM(value)(sum, ctx, r, NULL), CUZK_OK);
    SUM(close)(sum);
}

/* The sums of all prefixes of the given lengths, one-shot and with scalars in parts. */
static inline void G(check_sums)(const cuzk_ctx *ctx, point_pattern points, scalar_pattern scalars,
                                 const size_t *lengths, size_t n_lengths) {
    size_t n = lengths[n_lengths - 1];
    AFFINE *p = malloc((n + 1) * sizeof *p);
    fr *logs = malloc((n + 1) * sizeof *logs);
    fr_plain *k = malloc((n + 1) * sizeof *k);
    assert_true(p != NULL && logs != NULL && k != NULL);
    G(make_points)(p, logs, points, n);
    make_scalars(k, scalars, n);
    for (size_t i = 0; i < n_lengths; i++) {
        JAC got, expected;
        assert_int_equal(SUM_ONCE(ctx, &got, p, k, lengths[i], NULL), CUZK_OK);
        G(expected_sum)(&expected, logs, k, lengths[i]);
        G(check_equal)(&got, &expected, scalar_pattern_names[scalars], lengths[i]);
        G(sum_of_all)(ctx, &got, MSM_POINTS_IN_SUBGROUP, lengths[i], p, k, lengths[i]);
        G(check_equal)(&got, &expected, scalar_pattern_names[scalars], lengths[i]);
    }
    free(p);
    free(logs);
    free(k);
}

/* A sum that was opened for more points than it gets: with the windows of a large sum. */
static inline void G(check_large_windows)(const cuzk_ctx *ctx, point_pattern points,
                                          scalar_pattern scalars, size_t n, size_t n_planned) {
    AFFINE *p = malloc(n * sizeof *p);
    fr *logs = malloc(n * sizeof *logs);
    fr_plain *k = malloc(n * sizeof *k);
    assert_true(p != NULL && logs != NULL && k != NULL);
    G(make_points)(p, logs, points, n);
    make_scalars(k, scalars, n);
    JAC got, expected;
    G(expected_sum)(&expected, logs, k, n);
    G(sum_of_all)(ctx, &got, MSM_POINTS_ON_CURVE, n_planned, p, k, n);
    G(check_equal)(&got, &expected, scalar_pattern_names[scalars], n);
    /* the most for which scalars are taken in parts */
    while (SUM(plan)(MSM_POINTS_IN_SUBGROUP, n_planned) ==
           SUM(plan)(MSM_POINTS_ON_CURVE, n_planned)) {
        n_planned /= 2;
    }
    G(sum_of_all)(ctx, &got, MSM_POINTS_IN_SUBGROUP, n_planned, p, k, n);
    G(check_equal)(&got, &expected, scalar_pattern_names[scalars], n);
    free(p);
    free(logs);
    free(k);
}

/* Every pattern of points with every pattern of scalars. */
static inline void G(check_patterns)(const cuzk_ctx *ctx, const size_t *lengths, size_t n_lengths) {
    for (int points = 0; points < POINT_PATTERNS; points++) {
        for (int scalars = 0; scalars < SCALAR_PATTERNS; scalars++) {
            G(check_sums)(ctx, (point_pattern)points, (scalar_pattern)scalars, lengths, n_lengths);
        }
    }
}

/* Images are multiples by the powers of base, infinity included, any number of points. */
static inline void G(check_images)(const msm_kernels *k, const fr_plain *base) {
    enum { MOST = 19 };
    AFFINE p[MOST];
    fr logs[MOST];
    uint32_t index[MOST];
    AFFINE images[(MSM_MAX_PARTS - 1) * MOST];
    G(make_points)(p, logs, POINTS_INFINITY, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        index[i] = (i * 7 + 3) % MOST;
    }
    for (size_t n = 0; n <= MOST; n++) {
        memset(images, 0x5a, sizeof images);
        k->images(images, MOST, p, index, n);
        for (size_t i = 0; i < n; i++) {
            JAC expected, image;
            G(jac_from_affine)(&expected, &p[index[i]]);
            for (unsigned j = 1; j < k->n_scalar_parts; j++) {
                CG(jac_mul)(&expected, &expected, base);
                G(jac_from_affine)(&image, &images[(j - 1) * MOST + i]);
                G(check_equal)(&image, &expected, "an image", n);
            }
        }
    }
}

/* One sum of everything the interface offers, in pieces: scalars, indices and bits, valued in
 * between. */
static inline void G(check_chunks)(const cuzk_ctx *ctx, msm_points of, point_pattern points,
                                   size_t n) {
    AFFINE *p = malloc(n * sizeof *p);
    fr *logs = malloc(n * sizeof *logs);
    fr_plain *k = malloc(n * sizeof *k);
    uint32_t *at = malloc(n * sizeof *at);
    uint64_t *bits = calloc(n / 64 + 1, sizeof *bits);
    assert_true(p != NULL && logs != NULL && k != NULL && at != NULL && bits != NULL);
    G(make_points)(p, logs, points, n);
    make_scalars(k, SCALARS_RANDOM, n);
    SUM_TYPE *sum;
    JAC got, expected, part;
    G(jac_set_infinity)(&expected);
    assert_int_equal(SUM(open)(&sum, ctx, of, n, NULL), CUZK_OK);
    assert_int_equal(SUM(value)(sum, ctx, &got, NULL), CUZK_OK);
    G(check_equal)(&got, &expected, "of nothing", 0);

    size_t step = 1;
    for (size_t i = 0; i < n; i += step, step = step * 3 + 1) {
        size_t len = n - i < step ? n - i : step;
        assert_int_equal(SUM(add)(sum, ctx, p + i, k + i, NULL, len, NULL), CUZK_OK);
    }
    assert_int_equal(SUM(value)(sum, ctx, &got, NULL), CUZK_OK);
    G(expected_sum)(&expected, logs, k, n);
    G(check_equal)(&got, &expected, "in chunks", n);

    test_rng rng = {5};
    fr *chosen = malloc(n * sizeof *chosen);
    assert_non_null(chosen);
    for (size_t i = 0; i < n; i++) {
        at[i] = (uint32_t)(test_rng_u64(&rng) % n);
        chosen[i] = logs[at[i]];
    }
    assert_int_equal(SUM(add)(sum, ctx, p, k, at, n, NULL), CUZK_OK);
    assert_int_equal(SUM(value)(sum, ctx, &got, NULL), CUZK_OK);
    G(expected_sum)(&part, chosen, k, n);
    G(jac_add)(&expected, &expected, &part);
    G(check_equal)(&got, &expected, "at indices", n);

    fr_plain *zero_one = calloc(n, sizeof *zero_one);
    assert_non_null(zero_one);
    for (int pattern = 0; pattern < 4; pattern++) { /* none, all, few, about half */
        for (size_t i = 0; i < n; i++) {
            uint64_t v = test_rng_u64(&rng);
            uint64_t bit = pattern == 0 ? 0 : pattern == 1 ? 1 : pattern == 2 ? v % 97 == 0 : v & 1;
            bits[i / 64] = (bits[i / 64] & ~(1ull << (i % 64))) | bit << (i % 64);
            zero_one[i].l[0] = bit;
        }
        bits[n / 64] |=
            n % 64 == 0 ? 0 : UINT64_MAX << (n % 64); /* beyond the last: to be ignored */
        assert_int_equal(SUM(add_bits)(sum, ctx, p, bits, n, NULL), CUZK_OK);
        assert_int_equal(SUM(value)(sum, ctx, &got, NULL), CUZK_OK);
        G(expected_sum)(&part, logs, zero_one, n);
        G(jac_add)(&expected, &expected, &part);
        G(check_equal)(&got, &expected, "of bits", n);
    }
    SUM(close)(sum);
    free(p);
    free(logs);
    free(k);
    free(at);
    free(bits);
    free(chosen);
    free(zero_one);
}

#undef AFFINE
#undef JAC
