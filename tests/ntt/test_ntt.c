/* LABELS: levels tsan */
/* Transforms against the sum they stand for, in every kind and order; inverses; threads;
 * cancellation. */
#include "ntt/ntt.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "support/support.h"

static const cuzk_ctx inline_ctx = {0};

static fr_plain *random_vector(size_t n, uint64_t seed) {
    test_rng rng = {seed};
    fr_plain *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        test_rng_fr_plain(&x[i], &rng);
    }
    return x;
}

static fr_plain *copy_vector(const fr_plain *x, size_t n) {
    fr_plain *y = malloc(n * sizeof *y);
    memcpy(y, x, n * sizeof *y);
    return y;
}

static size_t reverse(size_t v, unsigned n_bits) {
    size_t r = 0;
    for (unsigned i = 0; i < n_bits; i++) {
        r = r << 1 | (v >> i & 1);
    }
    return r;
}

static void reorder(fr_plain *x, unsigned log2_n) {
    size_t n = (size_t)1 << log2_n;
    fr_plain *y = copy_vector(x, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = y[reverse(i, log2_n)];
    }
    free(y);
}

/* out[i] = sum_j x[j] (g w^i)^j, or its inverse, by Horner. */
static void naive(fr_plain *out, const fr_plain *x, unsigned log2_n, ntt_kind kind) {
    size_t n = (size_t)1 << log2_n;
    bool times_n = kind == NTT_INVERSE_TIMES_N || kind == NTT_COSET_INVERSE_TIMES_N;
    if (times_n) {
        kind = kind == NTT_INVERSE_TIMES_N ? NTT_INVERSE : NTT_COSET_INVERSE;
    }
    bool inverse = kind == NTT_INVERSE || kind == NTT_COSET_INVERSE;
    fr w, point = FR_ONE, n_inverse, coset_inverse, seven;
    cuzk_fr_root_of_unity(&w, log2_n);
    if (inverse) {
        cuzk_fr_inv(&w, &w);
    }
    fr_from_u64(&seven, 7);
    cuzk_fr_inv(&coset_inverse, &seven);
    fr_from_u64(&n_inverse, n);
    cuzk_fr_inv(&n_inverse, &n_inverse);
    fr power = FR_ONE;
    for (size_t i = 0; i < n; i++) {
        fr at = point, sum = FR_ZERO;
        if (kind == NTT_COSET) {
            fr_mul(&at, &at, &seven);
        }
        for (size_t j = n; j-- > 0;) {
            fr term;
            fr_from_plain(&term, &x[j]);
            fr_mul(&sum, &sum, &at);
            fr_add(&sum, &sum, &term);
        }
        if (inverse && !times_n) {
            fr_mul(&sum, &sum, &n_inverse);
        }
        if (kind == NTT_COSET_INVERSE) {
            fr_mul(&sum, &sum, &power);
            fr_mul(&power, &power, &coset_inverse);
        }
        fr_to_plain(&out[i], &sum);
        fr_mul(&point, &point, &w);
    }
}

static void equals_the_sum(void **state) {
    (void)state;
    for (unsigned log2_n = 0; log2_n <= 10; log2_n++) {
        size_t n = (size_t)1 << log2_n;
        ntt_domain *domain;
        assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
        fr_plain *x = random_vector(n, 100 + log2_n);
        fr_plain *want = malloc(n * sizeof *want);
        for (int kind = NTT_FORWARD; kind <= NTT_COSET_INVERSE_TIMES_N; kind++) {
            if (log2_n > 8 && kind != NTT_FORWARD && kind != NTT_COSET_INVERSE) {
                continue; /* the sum is slow */
            }
            naive(want, x, log2_n, (ntt_kind)kind);
            for (int order = NTT_NATURAL; order <= NTT_IN_REORDERED; order++) {
                fr_plain *y = copy_vector(x, n);
                if (order == NTT_IN_REORDERED) {
                    reorder(y, log2_n);
                }
                assert_int_equal(
                    cuzk_ntt(&inline_ctx, domain, y, (ntt_kind)kind, (ntt_order)order, NULL),
                    CUZK_OK);
                if (order == NTT_OUT_REORDERED) {
                    reorder(y, log2_n);
                }
                if (memcmp(y, want, n * sizeof *y) != 0) {
                    fail_msg("2^%u, kind %d, order %d", log2_n, kind, order);
                }
                free(y);
            }
        }
        free(want);
        free(x);
        cuzk_ntt_domain_destroy(domain);
    }
}

/* Sizes on both sides of each change of plan. */
static void inverses_undo(void **state) {
    (void)state;
    const unsigned sizes[] = {9, 10, 11, 12, 13, 16};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t n = (size_t)1 << sizes[s];
        ntt_domain *domain;
        assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, sizes[s], NULL), CUZK_OK);
        fr_plain *x = random_vector(n, sizes[s]);
        fr_plain *y = copy_vector(x, n);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_FORWARD, NTT_OUT_REORDERED, NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_INVERSE, NTT_IN_REORDERED, NULL),
                         CUZK_OK);
        assert_memory_equal(x, y, n * sizeof *x);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_COSET, NTT_NATURAL, NULL), CUZK_OK);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_COSET_INVERSE, NTT_NATURAL, NULL),
                         CUZK_OK);
        assert_memory_equal(x, y, n * sizeof *x);
        free(y);
        free(x);
        cuzk_ntt_domain_destroy(domain);
    }
}

/* f(7 X) by its coefficients, then forward, is the coset transform of f; and every mixed order
 * agrees. */
static void coset_shifts_coefficients(void **state) {
    (void)state;
    const unsigned log2_n = 12;
    const size_t n = (size_t)1 << log2_n;
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
    fr_plain *x = random_vector(n, 77);
    fr_plain *shifted = copy_vector(x, n);
    const fr seven = {FR_GENERATOR_MONT};
    fr power = FR_ONE;
    for (size_t i = 0; i < n; i++) {
        fr_mul((fr *)&shifted[i], (const fr *)&shifted[i], &power);
        fr_mul(&power, &power, &seven);
    }
    assert_int_equal(cuzk_ntt(&inline_ctx, domain, shifted, NTT_FORWARD, NTT_NATURAL, NULL),
                     CUZK_OK);
    for (int order = NTT_NATURAL; order <= NTT_IN_REORDERED; order++) {
        fr_plain *y = copy_vector(x, n);
        if (order == NTT_IN_REORDERED) {
            reorder(y, log2_n);
        }
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_COSET, (ntt_order)order, NULL),
                         CUZK_OK);
        if (order == NTT_OUT_REORDERED) {
            reorder(y, log2_n);
        }
        assert_memory_equal(y, shifted, n * sizeof *y);
        /* back, by the opposite order */
        if (order == NTT_OUT_REORDERED) {
            reorder(y, log2_n);
        }
        ntt_order back = order == NTT_OUT_REORDERED  ? NTT_IN_REORDERED
                         : order == NTT_IN_REORDERED ? NTT_OUT_REORDERED
                                                     : NTT_NATURAL;
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_COSET_INVERSE, back, NULL), CUZK_OK);
        if (back == NTT_OUT_REORDERED) {
            reorder(y, log2_n);
        }
        assert_memory_equal(y, x, n * sizeof *y);
        free(y);
    }
    free(shifted);
    free(x);
    cuzk_ntt_domain_destroy(domain);
}

/* All elements r - 1, and all 0: the largest lazy sums, and none. */
static void extreme_values(void **state) {
    (void)state;
    const unsigned log2_n = 11;
    const size_t n = (size_t)1 << log2_n;
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
    fr_plain *x = calloc(n, sizeof *x);
    fr_plain largest = {FR_MODULUS};
    largest.l[0]--;
    for (int order = NTT_NATURAL; order <= NTT_IN_REORDERED; order++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = largest;
        }
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, x, NTT_FORWARD, (ntt_order)order, NULL),
                         CUZK_OK);
        fr sum, t = FR_ZERO; /* -n at 0, else 0 */
        fr_plain want;
        fr_from_u64(&sum, n);
        fr_sub(&t, &t, &sum);
        fr_to_plain(&want, &t);
        assert_memory_equal(&x[0], &want, sizeof want);
        for (size_t i = 1; i < n; i++) {
            assert_true(fr_plain_is_zero(&x[i]));
        }
        for (size_t i = 0; i < n; i++) {
            x[i] = i % 2 == 0 ? largest : (fr_plain){{0}};
        }
        fr_plain *y = copy_vector(x, n);
        assert_int_equal(cuzk_ntt(&inline_ctx, domain, y, NTT_COSET, NTT_OUT_REORDERED, NULL),
                         CUZK_OK);
        assert_int_equal(
            cuzk_ntt(&inline_ctx, domain, y, NTT_COSET_INVERSE, NTT_IN_REORDERED, NULL), CUZK_OK);
        assert_memory_equal(x, y, n * sizeof *y);
        free(y);
    }
    free(x);
    cuzk_ntt_domain_destroy(domain);
}

/* The transform of X^m is w^(i m): every value of a large domain is known. */
static void monomials_give_powers(void **state) {
    (void)state;
    const unsigned log2_n = 14;
    const size_t n = (size_t)1 << log2_n, m = 5003;
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
    fr_plain *x = calloc(n, sizeof *x);
    x[m].l[0] = 1;
    assert_int_equal(cuzk_ntt(&inline_ctx, domain, x, NTT_FORWARD, NTT_NATURAL, NULL), CUZK_OK);
    fr w, step, power = FR_ONE;
    uint64_t e = m;
    cuzk_fr_root_of_unity(&w, log2_n);
    cuzk_fr_pow(&step, &w, &e, 1);
    for (size_t i = 0; i < n; i++) {
        fr_plain want;
        fr_to_plain(&want, &power);
        assert_memory_equal(&x[i], &want, sizeof want);
        fr_mul(&power, &power, &step);
    }
    free(x);
    cuzk_ntt_domain_destroy(domain);
}

/* Several tasks a pass, by any number of workers. */
static void threads_agree(void **state) {
    (void)state;
    const unsigned log2_n = 17;
    const size_t n = (size_t)1 << log2_n;
    fr_plain *x = random_vector(n, 7);
    fr_plain *want = copy_vector(x, n);
    fr_plain *y = malloc(n * sizeof *y);
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
    assert_int_equal(cuzk_ntt(&inline_ctx, domain, want, NTT_COSET, NTT_NATURAL, NULL), CUZK_OK);
    for (unsigned workers = 1; workers <= 3; workers++) {
        cuzk_ctx ctx = {0};
        memcpy(y, x, n * sizeof *y);
        assert_int_equal(cuzk_pool_create(&ctx.pool, workers, NULL), CUZK_OK);
        assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
        assert_int_equal(cuzk_ntt(&ctx, domain, y, NTT_COSET, NTT_NATURAL, NULL), CUZK_OK);
        assert_memory_equal(y, want, n * sizeof *y);
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        assert_int_equal(cuzk_account_peak(ctx.account), cuzk_ntt_bytes(&ctx, log2_n));
        cuzk_pool_destroy(ctx.pool);
        cuzk_account_destroy(ctx.account);
    }
    free(y);
    cuzk_ntt_domain_destroy(domain);
    free(want);
    free(x);
}

typedef struct cancel_later {
    cuzk_cancel cancel;
    long delay_ns;
} cancel_later;

static void *cancel_main(void *arg) {
    cancel_later *c = arg;
    nanosleep(&(struct timespec){.tv_nsec = c->delay_ns}, NULL);
    cuzk_cancel_set(&c->cancel);
    return NULL;
}

/* Cancelled at any time, a transform ends so or is complete, and gives its memory back. */
static void cancelled_anywhere(void **state) {
    (void)state;
    const unsigned log2_n = 16;
    const size_t n = (size_t)1 << log2_n;
    fr_plain *x = random_vector(n, 8);
    fr_plain *want = copy_vector(x, n);
    fr_plain *y = malloc(n * sizeof *y);
    ntt_domain *domain;
    cuzk_ctx ctx = {0};
    cuzk_error err;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
    assert_int_equal(cuzk_ntt(&inline_ctx, domain, want, NTT_FORWARD, NTT_NATURAL, NULL), CUZK_OK);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    unsigned n_cancelled = 0;
    for (long delay_ns = 0; delay_ns < 40000000; delay_ns = delay_ns * 2 + 20000) {
        cancel_later later = {.delay_ns = delay_ns};
        pthread_t thread;
        ctx.cancel = &later.cancel;
        memcpy(y, x, n * sizeof *y);
        if (delay_ns == 0) {
            cuzk_cancel_set(&later.cancel);
        }
        assert_int_equal(pthread_create(&thread, NULL, cancel_main, &later), 0);
        cuzk_status status = cuzk_ntt(&ctx, domain, y, NTT_FORWARD, NTT_NATURAL, &err);
        pthread_join(thread, NULL);
        if (status == CUZK_OK) {
            assert_memory_equal(y, want, n * sizeof *y);
        } else {
            assert_int_equal(status, CUZK_E_CANCELLED);
            n_cancelled++;
        }
        assert_int_equal(cuzk_account_used(ctx.account), 0);
    }
    assert_true(n_cancelled > 0);
    cuzk_pool_destroy(ctx.pool);
    cuzk_account_destroy(ctx.account);
    cuzk_ntt_domain_destroy(domain);
    free(y);
    free(want);
    free(x);
}

/* Too little memory is said, and nothing stays charged. */
static void memory_runs_out(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    ntt_domain *domain;
    cuzk_error err;
    fr_plain *x = random_vector(1 << 12, 9);
    size_t need = cuzk_ntt_domain_bytes(12) + cuzk_ntt_bytes(&ctx, 12);
    assert_int_equal(cuzk_account_create(&ctx.account, need, NULL), CUZK_OK);
    assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, 12, &err), CUZK_OK);
    assert_int_equal(cuzk_ntt(&ctx, domain, x, NTT_FORWARD, NTT_NATURAL, &err), CUZK_OK);
    assert_int_equal(cuzk_account_reserve(ctx.account, 1, "test", &err), CUZK_OK);
    assert_int_equal(cuzk_ntt(&ctx, domain, x, NTT_FORWARD, NTT_NATURAL, &err), CUZK_E_NO_MEMORY);
    cuzk_ntt_domain_destroy(domain);
    assert_int_equal(cuzk_account_reserve(ctx.account, need - 1, "test", &err), CUZK_OK);
    assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, 12, &err), CUZK_E_NO_MEMORY);
    assert_null(domain);
    cuzk_account_release(ctx.account, need);
    cuzk_account_destroy(ctx.account);
    free(x);
}

static void roots_are_the_reference_s(void **state) {
    (void)state;
    /* groth16.md 1.1: omega for N = 2^3 and 2^27, least significant limb first */
    static const struct {
        unsigned log2_n;
        fr_plain w;
    } roots[] = {{3,
                  {{0x7228fd3397743f7aull, 0xb38b21c28713b700ull, 0x8c0625cd70d77ce2ull,
                    0x345766f603fa66e7ull}}},
                 {27,
                  {{0xe2d0a7869f0319edull, 0xb94f1101b1d7a628ull, 0xece8ea224f31d25dull,
                    0x23397a9300f8f98bull}}}};
    for (int i = 0; i < 2; i++) {
        fr w;
        fr_plain plain;
        cuzk_fr_root_of_unity(&w, roots[i].log2_n);
        fr_to_plain(&plain, &w);
        assert_memory_equal(&plain, &roots[i].w, sizeof plain);
    }
    ntt_domain *domain;
    cuzk_error err;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, 33, &err), CUZK_E_RANGE);
    assert_null(domain);
}

/* ---- sources ---- */

typedef struct made_source {
    size_t n;
    int8_t *a, *b;
    fr_plain *values; /* of all elements */
} made_source;

/* What kind of run starts at an element: small, products of small, with wide ones, values, neither;
 * all elements of a block of NTT_RUN are of one kind. */
static unsigned kind_of(size_t first) { return (unsigned)(first / NTT_RUN * 2654435761u >> 7) % 5; }
static bool is_wide(size_t i) { return i % 11 == 3 || i % 64 == 0 || i % 64 == 63; }

static void made_find(const void *arg, ntt_run *run, uint64_t first, size_t n) {
    const made_source *m = arg;
    assert_true(n <= NTT_RUN && first + n <= m->n);
    assert_true(run->note_at == 0 || run->note_at < first + 1);
    *run = (ntt_run){.first = first, .note_at = first};
    unsigned kind = kind_of(first);
    run->a = kind < 3 ? m->a + first : NULL;
    run->b = kind == 1 ? m->b + first : NULL;
    run->values = kind == 3 ? m->values + first : NULL;
    for (size_t i = 0; i < n && kind == 2; i++) {
        run->wide |= (uint64_t)is_wide(first + i) << i;
    }
}
static void made_read(const void *arg, const ntt_run *run, size_t from, size_t n, fr_plain *out) {
    const made_source *m = arg;
    memcpy(out, m->values + run->first + from, n * sizeof *out);
}

/* Extremes: -128 and 127, their products, r - 1, 0. */
static void make_source(made_source *m, size_t n, uint64_t seed) {
    test_rng rng = {seed};
    fr_plain largest = {FR_MODULUS};
    largest.l[0]--;
    *m = (made_source){n, malloc(n), malloc(n), random_vector(n, seed + 1)};
    for (size_t i = 0; i < n; i++) {
        static const int8_t extremes[] = {-128, 127, 0, 1, -1};
        uint64_t random = test_rng_u64(&rng);
        m->a[i] = random % 4 == 0 ? extremes[random / 4 % 5] : (int8_t)(random >> 16);
        m->b[i] = random % 8 < 3 ? extremes[random / 64 % 5] : (int8_t)(random >> 24);
        unsigned kind = kind_of(i / NTT_RUN * NTT_RUN);
        if (kind < 2 || (kind == 2 && !is_wide(i))) {
            m->values[i] = fr_plain_of_int(kind == 1 ? m->a[i] * m->b[i] : m->a[i]);
        } else if (random % 16 == 0) {
            m->values[i] = random % 32 == 0 ? largest : (fr_plain){{0}};
        }
    }
}

/* Read from a source, a transform is that of its values. */
static void sources_agree(void **state) {
    (void)state;
    for (unsigned log2_n = 0; log2_n <= 14; log2_n++) {
        size_t n = (size_t)1 << log2_n;
        ntt_domain *domain;
        made_source m;
        make_source(&m, n, 500 + log2_n);
        const ntt_source source = {&m, made_find, made_read};
        assert_int_equal(cuzk_ntt_domain_create(&domain, &inline_ctx, log2_n, NULL), CUZK_OK);
        fr_plain *x = malloc(n * sizeof *x);
        const ntt_kind kinds[] = {NTT_INVERSE, NTT_COSET_INVERSE, NTT_INVERSE_TIMES_N,
                                  NTT_COSET_INVERSE_TIMES_N};
        for (int k = 0; k < 4; k++) {
            fr_plain *want = copy_vector(m.values, n);
            reorder(want, log2_n);
            assert_int_equal(cuzk_ntt(&inline_ctx, domain, want, kinds[k], NTT_IN_REORDERED, NULL),
                             CUZK_OK);
            cuzk_ctx ctx = {0};
            assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
            if (k == 1) {
                assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
            }
            memset(x, 0xff, n * sizeof *x);
            assert_int_equal(cuzk_ntt_source(&ctx, domain, x, &source, kinds[k], NULL), CUZK_OK);
            if (memcmp(x, want, n * sizeof *x) != 0) {
                fail_msg("2^%u, kind %d", log2_n, kinds[k]);
            }
            assert_int_equal(cuzk_account_used(ctx.account), 0);
            assert_int_equal(cuzk_account_peak(ctx.account), cuzk_ntt_source_bytes(&ctx, log2_n));
            cuzk_pool_destroy(ctx.pool);
            cuzk_account_destroy(ctx.account);
            free(want);
        }
        free(x);
        free(m.a);
        free(m.b);
        free(m.values);
        cuzk_ntt_domain_destroy(domain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_sum),
        cmocka_unit_test(inverses_undo),
        cmocka_unit_test(coset_shifts_coefficients),
        cmocka_unit_test(extreme_values),
        cmocka_unit_test(monomials_give_powers),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(sources_agree),
        cmocka_unit_test(cancelled_anywhere),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(roots_are_the_reference_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
