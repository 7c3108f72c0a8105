/* LABELS: levels tsan */
/* Sums over sections against one scalar product: the points are P_i = [i + 1] G. */
#include "curve/curve_kernels.h"
#include "groth16/section_sum.h"
#include "support/random_assignment.h"

#include <stdlib.h>

/* A key whose sections all have the same points; `bad` is answered with infinity. */
typedef struct chain_key {
    groth16_pk pk;
    size_t n;
    g1_affine *g1;
    g2_affine *g2;
    uint64_t bad;
    cuzk_cancel *cancel;
    int acquires_before_cancel; /* -1: never */
    int held;
} chain_key;

static cuzk_status chain_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                                 groth16_section section, uint64_t first, size_t count,
                                 cuzk_error *err) {
    (void)ctx;
    (void)err;
    chain_key *key = self;
    assert_true(count <= key->pk.source.max_chunk && first + count <= key->n);
    if (key->acquires_before_cancel >= 0 && key->acquires_before_cancel-- == 0) {
        cuzk_cancel_set(key->cancel);
    }
    key->held++;
    /* a copy, so that a sanitizer sees use after release */
    if (section == GROTH16_B_G2) {
        g2_affine *p = malloc(count * sizeof *p);
        memcpy(p, key->g2 + first, count * sizeof *p);
        if (key->bad - first < count) {
            g2_affine_set_infinity(&p[key->bad - first]);
        }
        *chunk = (groth16_chunk){.g2 = p, .hold = p};
    } else {
        g1_affine *p = malloc(count * sizeof *p);
        memcpy(p, key->g1 + first, count * sizeof *p);
        if (key->bad - first < count) {
            g1_affine_set_infinity(&p[key->bad - first]);
        }
        *chunk = (groth16_chunk){.g1 = p, .hold = p};
    }
    return CUZK_OK;
}

static void chain_release(void *self, groth16_chunk *chunk) {
    ((chain_key *)self)->held--;
    free(chunk->hold);
}

static void chain_init(chain_key *key, size_t n, size_t max_chunk) {
    *key = (chain_key){.n = n, .bad = UINT64_MAX, .acquires_before_cancel = -1};
    key->pk.source = (groth16_source){
        .self = key, .acquire = chain_acquire, .release = chain_release, .max_chunk = max_chunk};
    g1_jac *p = malloc(n * sizeof *p);
    g2_jac *q = malloc(n * sizeof *q);
    g1_jac_from_affine(&p[0], &cuzk_g1_generator);
    g2_jac_from_affine(&q[0], &cuzk_g2_generator);
    for (size_t i = 1; i < n; i++) {
        g1_jac_add_affine(&p[i], &p[i - 1], &cuzk_g1_generator);
        g2_jac_add_affine(&q[i], &q[i - 1], &cuzk_g2_generator);
    }
    key->g1 = malloc(n * sizeof *key->g1);
    key->g2 = malloc(n * sizeof *key->g2);
    cuzk_curve_kernels()->g1_to_affine(key->g1, p, n);
    cuzk_curve_kernels()->g2_to_affine(key->g2, q, n);
    free(p);
    free(q);
}

static void chain_clear(chain_key *key) {
    assert_int_equal(key->held, 0);
    free(key->g1);
    free(key->g2);
}

/* sum += k (i + 1), all plain */
static void add_term(fr *sum, const fr_plain *k, uint64_t i) {
    fr t, x;
    fr_from_u64(&t, i + 1);
    memcpy(&x, k, sizeof x);
    fr_mul(&x, &x, &t);
    fr_add(sum, sum, &x);
}

static void expected_log(fr_plain *log, const sample *t, const point_space *space,
                         const fr_plain *inputs) {
    fr sum = FR_ZERO;
    uint64_t point = 0;
    for (; point < space->n_inputs; point++) {
        add_term(&sum, &inputs[point], point);
    }
    for (uint64_t i = 0; i < t->n_aux; i++) {
        if (space->aux == NULL || space->aux->words[i / 64] >> (i % 64) & 1) {
            add_term(&sum, &t->aux[i], point++);
        }
    }
    assert_int_equal(point, space->n_points);
    memcpy(log, &sum, sizeof *log);
}

static cuzk_scratch new_scratch(const groth16_pk *pk, size_t n) {
    size_t len = cuzk_section_scratch_bytes(pk, n);
    return (cuzk_scratch){aligned_alloc(CUZK_CACHE_LINE, len), len, 0};
}

enum { LANES = 2 };

/* Two assignments of one circuit in one pass, both groups. */
static void check_walk(uint64_t n_aux, unsigned percent, size_t max_chunk, const cuzk_ctx *ctx,
                       uint64_t seed) {
    test_rng rng = {seed};
    sample t[LANES];
    for (int j = 0; j < LANES; j++) {
        sample_init(&t[j], n_aux, percent, &rng);
    }
    chain_key key;
    chain_init(&key, n_aux + SAMPLE_INPUTS, max_chunk);
    uint64_t *ranks = malloc(point_space_ranks(&t[0].aux_density) * sizeof *ranks);
    point_space space;
    cuzk_point_space_init(&space, &t[0].input_density, SAMPLE_INPUTS, &t[0].aux_density, n_aux,
                          ranks);
    fr_plain chosen[LANES][SAMPLE_INPUTS];
    for (int j = 0; j < LANES; j++) {
        size_t n = 0;
        for (size_t i = 0; i < SAMPLE_INPUTS; i++) {
            if (t[0].input_density.words[i / 64] >> (i % 64) & 1) {
                chosen[j][n++] = t[j].inputs[i];
            }
        }
    }
    const fr_plain *const inputs[LANES] = {chosen[0], chosen[1]};
    const r1cs_assignment *const w[LANES] = {&t[0].w, &t[1].w};
    section_task task = {.pk = &key.pk,
                         .section = GROTH16_B_G1,
                         .n_points = space.n_points,
                         .n = LANES,
                         .space = &space,
                         .inputs = inputs,
                         .w = w,
                         .n_full = n_aux};
    cuzk_scratch scratch = new_scratch(&key.pk, LANES);
    g1_jac g1[LANES], generator_g1, expected_g1;
    g2_jac g2[LANES], generator_g2, expected_g2;
    assert_int_equal(cuzk_section_sum_g1(&task, ctx, g1, &scratch, NULL), CUZK_OK);
    task.section = GROTH16_B_G2;
    assert_int_equal(cuzk_section_sum_g2(&task, ctx, g2, &scratch, NULL), CUZK_OK);
    g1_jac_from_affine(&generator_g1, &cuzk_g1_generator);
    g2_jac_from_affine(&generator_g2, &cuzk_g2_generator);
    for (int j = 0; j < LANES; j++) {
        fr_plain log;
        expected_log(&log, &t[j], &space, chosen[j]);
        cuzk_g1_jac_mul(&expected_g1, &generator_g1, &log);
        cuzk_g2_jac_mul(&expected_g2, &generator_g2, &log);
        assert_true(cuzk_g1_jac_eq(&g1[j], &expected_g1));
        assert_true(cuzk_g2_jac_eq(&g2[j], &expected_g2));
    }
    free(scratch.base);
    free(ranks);
    chain_clear(&key);
    for (int j = 0; j < LANES; j++) {
        sample_clear(&t[j]);
    }
}

static void test_shared_pass(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    check_walk(300, 100, 64, &ctx, 1);
    check_walk(5000, 70, 1000, &ctx, 2);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 3, NULL), CUZK_OK);
    check_walk(9000, 99, 8200, &ctx, 3);
    cuzk_pool_destroy(ctx.pool);
}

/* The plain form: one scalar a point. */
static cuzk_status sum_plain(chain_key *key, const cuzk_ctx *ctx, const fr_plain *k, size_t n,
                             g1_jac *sum, cuzk_error *err) {
    const fr_plain *const scalars[1] = {k};
    const section_task task = {.pk = &key->pk,
                               .section = GROTH16_H,
                               .n_points = n,
                               .n = 1,
                               .scalars = scalars,
                               .n_full = n};
    cuzk_scratch scratch = new_scratch(&key->pk, 1);
    cuzk_status status = cuzk_section_sum_g1(&task, ctx, sum, &scratch, err);
    free(scratch.base);
    return status;
}

enum { N_PLAIN = 3000 };

static void test_plain_infinity_and_cancel(void **state) {
    (void)state;
    test_rng rng = {9};
    cuzk_cancel cancel = {0};
    cuzk_account *account;
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.cancel = &cancel, .account = account};
    chain_key key;
    chain_init(&key, N_PLAIN, 256);
    key.cancel = &cancel;
    fr_plain *k = malloc(N_PLAIN * sizeof *k);
    fr sum = FR_ZERO;
    for (size_t i = 0; i < N_PLAIN; i++) {
        test_rng_fr_plain(&k[i], &rng);
        add_term(&sum, &k[i], i);
    }
    fr_plain log;
    memcpy(&log, &sum, sizeof log);
    g1_jac got, expected;
    g1_jac_from_affine(&expected, &cuzk_g1_generator);
    cuzk_g1_jac_mul(&expected, &expected, &log);
    assert_int_equal(sum_plain(&key, &ctx, k, N_PLAIN, &got, NULL), CUZK_OK);
    assert_true(cuzk_g1_jac_eq(&got, &expected));

    cuzk_error err;
    key.bad = N_PLAIN - 1;
    assert_int_equal(sum_plain(&key, &ctx, k, N_PLAIN, &got, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "section h"));
    key.bad = UINT64_MAX;

    for (int i = 0; i < 12; i++) {
        key.acquires_before_cancel = i;
        assert_int_equal(sum_plain(&key, &ctx, k, N_PLAIN, &got, &err), CUZK_E_CANCELLED);
        assert_int_equal(cuzk_account_used(account), 0);
        assert_int_equal(key.held, 0);
        atomic_store(&cancel.flag, false);
    }
    free(k);
    chain_clear(&key);
    cuzk_account_destroy(account);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_pass),
        cmocka_unit_test(test_plain_infinity_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
