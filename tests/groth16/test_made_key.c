/* LABELS: levels tsan */
/* Keys with known logarithms: every point, proofs equal to those with the same points in memory,
 * and what the check finds. */
#include "groth16/groth16_backend.h"
#include "groth16/test_key.h"
#include "msm/point_grid.h"
#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* An input x; bits; products of full values, whose factors A and B are different variables. More
 * than two rows of the key's grid. */
enum { N_WORDS = 280, N_PRODUCTS = 300, WORD_BITS = 32 };

static cuzk_status mixed_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const uint64_t *seed = self;
    test_rng rng = {*seed};
    fr_plain x, product;
    test_rng_fr_plain(&x, &rng);
    r1cs_var x_var = cuzk_cs_alloc_input(cs, &x), bits = 0;
    for (int i = 0; i < N_WORDS; i++) {
        bits = cuzk_cs_booleans(cs, WORD_BITS, (uint32_t)test_rng_u64(&rng));
    }
    r1cs_var previous_var = bits;
    fr_plain previous = {{0}};
    for (int i = 0; i < N_PRODUCTS; i++) {
        if (i == 0) {
            previous = x;
            previous_var = x_var;
        }
        fr_plain factor;
        test_rng_fr_plain(&factor, &rng);
        r1cs_var factor_var = cuzk_cs_alloc(cs, &factor);
        fr_plain_mul(&product, &previous, &factor);
        r1cs_var product_var = cuzk_cs_alloc(cs, &product);
        cuzk_cs_row(cs, &previous, &factor, LC({previous_var, COEFF_ONE}),
                    LC({factor_var, COEFF_ONE}), LC({product_var, COEFF_ONE}));
        previous = product;
        previous_var = product_var;
    }
    if (cs->status != CUZK_OK && err != NULL) {
        *err = cs->error;
    }
    return cs->status;
}

typedef struct fixture {
    uint64_t seed;
    r1cs_circuit circuit;
    r1cs_densities densities;
    r1cs_witness witness;
    groth16_dims dims;
    groth16_test_key *key;
} fixture;

static const fr_plain blind_r = {{27134, 1, 2, 3}}, blind_s = {{17146, 4, 5, 6}};

static void fixture_init(fixture *f, const cuzk_ctx *ctx) {
    *f = (fixture){.seed = 5};
    f->circuit = (r1cs_circuit){&f->seed, mixed_synthesize};
    assert_int_equal(cuzk_r1cs_densities(&f->densities, ctx, &f->circuit, NULL), CUZK_OK);
    assert_int_equal(cuzk_r1cs_witness_create(&f->witness, ctx, &f->circuit, NULL), CUZK_OK);
    f->dims = cuzk_groth16_dims_of(&f->densities);
    assert_true(f->dims.n_l > 2 * GRID_COLUMNS && f->dims.n_b < f->dims.n_a);
    assert_int_equal(cuzk_groth16_test_key_create(&f->key, ctx, &f->dims, 1, NULL), CUZK_OK);
}

static void fixture_clear(fixture *f) {
    cuzk_groth16_test_key_destroy(f->key);
    cuzk_r1cs_witness_clear(&f->witness);
    cuzk_r1cs_densities_clear(&f->densities);
}

static cuzk_status check(const fixture *f, const cuzk_ctx *ctx, const groth16_proof *proof,
                         const r1cs_assignment *w, const fr_plain *r, cuzk_error *err) {
    return cuzk_groth16_test_key_check(f->key, ctx, proof, &f->densities, w, r, &blind_s, err);
}

static void prove(const fixture *f, const cuzk_ctx *ctx, const groth16_pk *pk,
                  groth16_proof *proof) {
    cuzk_error err;
    groth16_timing timing;
    if (cuzk_groth16_prove(ctx, proof, &timing, pk, &f->densities, &f->witness.assignment, &blind_r,
                           &blind_s, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

/* ---- points ---- */

static void test_points(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    fixture f;
    fixture_init(&f, &ctx);
    const groth16_pk *pk = cuzk_groth16_test_key_pk(f.key);
    const uint64_t n[] = {f.dims.n_h, f.dims.n_l, f.dims.n_a, f.dims.n_b, f.dims.n_b};
    g1_jac g1;
    g2_jac g2;
    g1_jac_from_affine(&g1, &cuzk_g1_generator);
    g2_jac_from_affine(&g2, &cuzk_g2_generator);
    for (int s = 0; s < GROTH16_SECTIONS; s++) {
        groth16_chunk chunk;
        const uint64_t first = n[s] / 3;
        const size_t count = (size_t)(n[s] - first);
        assert_int_equal(pk->source.acquire(pk->source.self, &ctx, &chunk, s, first, count, NULL),
                         CUZK_OK);
        for (size_t i = 0; i < count; i += 251) {
            fr log;
            fr_plain k;
            cuzk_groth16_test_key_log(&log, f.key, s, first + i);
            fr_to_plain(&k, &log);
            if (s == GROTH16_B_G2) {
                g2_jac q;
                g2_affine expected;
                cuzk_g2_jac_mul(&q, &g2, &k);
                cuzk_g2_jac_to_affine(&expected, &q);
                assert_memory_equal(&chunk.g2[i], &expected, sizeof expected);
            } else {
                g1_jac p;
                g1_affine expected;
                cuzk_g1_jac_mul(&p, &g1, &k);
                cuzk_g1_jac_to_affine(&expected, &p);
                assert_memory_equal(&chunk.g1[i], &expected, sizeof expected);
            }
        }
        pk->source.release(pk->source.self, &chunk);
    }
    uint64_t cpu_ns[GROTH16_SECTIONS];
    cuzk_groth16_test_key_cost(f.key, cpu_ns);
    for (int s = 0; s < GROTH16_SECTIONS; s++) {
        assert_true(cpu_ns[s] > 0);
    }
    fixture_clear(&f);
}

/* ---- proofs ---- */

/* The points of a test key, held in memory. */
typedef struct copied_key {
    groth16_pk pk;
    g1_affine *g1[GROTH16_B_G2];
    g2_affine *g2;
} copied_key;

static cuzk_status copied_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                                  groth16_section section, uint64_t first, size_t count,
                                  cuzk_error *err) {
    (void)ctx;
    (void)count;
    (void)err;
    const copied_key *key = self;
    *chunk = (groth16_chunk){0};
    if (section == GROTH16_B_G2) {
        chunk->g2 = key->g2 + first;
    } else {
        chunk->g1 = key->g1[section] + first;
    }
    return CUZK_OK;
}

static void copied_release(void *self, groth16_chunk *chunk) {
    (void)self;
    (void)chunk;
}

static void copy_key(copied_key *copy, const cuzk_ctx *ctx, const groth16_pk *pk) {
    const uint64_t n[] = {pk->dims.n_h, pk->dims.n_l, pk->dims.n_a, pk->dims.n_b};
    groth16_chunk chunk;
    copy->pk = *pk;
    copy->pk.source = (groth16_source){
        .self = copy, .acquire = copied_acquire, .release = copied_release, .max_chunk = 1000};
    for (int s = 0; s < GROTH16_B_G2; s++) {
        copy->g1[s] = malloc(n[s] * sizeof(g1_affine));
        assert_int_equal(pk->source.acquire(pk->source.self, ctx, &chunk, s, 0, n[s], NULL),
                         CUZK_OK);
        memcpy(copy->g1[s], chunk.g1, n[s] * sizeof(g1_affine));
        pk->source.release(pk->source.self, &chunk);
    }
    copy->g2 = malloc(pk->dims.n_b * sizeof(g2_affine));
    assert_int_equal(
        pk->source.acquire(pk->source.self, ctx, &chunk, GROTH16_B_G2, 0, pk->dims.n_b, NULL),
        CUZK_OK);
    memcpy(copy->g2, chunk.g2, pk->dims.n_b * sizeof(g2_affine));
    pk->source.release(pk->source.self, &chunk);
}

static void copied_clear(copied_key *copy) {
    for (int s = 0; s < GROTH16_B_G2; s++) {
        free(copy->g1[s]);
    }
    free(copy->g2);
}

static void test_same_proof_as_from_memory(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    fixture f;
    fixture_init(&f, &ctx);
    copied_key copy;
    copy_key(&copy, &ctx, cuzk_groth16_test_key_pk(f.key));
    groth16_proof made, copied;
    prove(&f, &ctx, cuzk_groth16_test_key_pk(f.key), &made);
    prove(&f, &ctx, &copy.pk, &copied);
    assert_memory_equal(&made, &copied, sizeof made);
    cuzk_error err;
    if (check(&f, &ctx, &made, &f.witness.assignment, &blind_r, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    /* a key whose point is not what the logarithms say: the check is of the points, too */
    const size_t last = (size_t)f.dims.n_l - 1; /* of a full value */
    copy.g1[GROTH16_L][last] = copy.g1[GROTH16_L][last - 1];
    prove(&f, &ctx, &copy.pk, &copied);
    assert_int_equal(check(&f, &ctx, &copied, &f.witness.assignment, &blind_r, &err),
                     CUZK_E_PROOF_INVALID);
    copied_clear(&copy);
    fixture_clear(&f);
    cuzk_pool_destroy(ctx.pool);
}

static void test_wrong_is_found(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    fixture f;
    fixture_init(&f, &ctx);
    groth16_proof proof, wrong;
    cuzk_error err;
    prove(&f, &ctx, cuzk_groth16_test_key_pk(f.key), &proof);
    const r1cs_assignment *w = &f.witness.assignment;
    assert_int_equal(check(&f, &ctx, &proof, w, &blind_r, NULL), CUZK_OK);

    wrong = proof;
    wrong.a = cuzk_g1_generator;
    assert_int_equal(check(&f, &ctx, &wrong, w, &blind_r, &err), CUZK_E_PROOF_INVALID);
    assert_non_null(strstr(err.text, "element A"));
    wrong = proof;
    fp2_neg(&wrong.b.y, &wrong.b.y);
    assert_int_equal(check(&f, &ctx, &wrong, w, &blind_r, &err), CUZK_E_PROOF_INVALID);
    assert_non_null(strstr(err.text, "element B"));
    wrong = proof;
    wrong.c = proof.a;
    assert_int_equal(check(&f, &ctx, &wrong, w, &blind_r, &err), CUZK_E_PROOF_INVALID);
    assert_non_null(strstr(err.text, "element C"));
    assert_int_equal(check(&f, &ctx, &proof, w, &blind_s, &err), CUZK_E_PROOF_INVALID);

    /* one bit that is another one: L at least, and the rows no longer divide */
    r1cs_aux_segment *segments = malloc(w->n_aux_segments * sizeof *segments);
    memcpy(segments, w->aux, w->n_aux_segments * sizeof *segments);
    r1cs_assignment other = *w;
    other.aux = segments;
    assert_int_equal(segments[0].kind, R1CS_BITS);
    const size_t n_words = (size_t)(segments[0].count / 64 + 1);
    uint64_t *bits = malloc(n_words * sizeof *bits);
    memcpy(bits, segments[0].bits, n_words * sizeof *bits);
    segments[0].bits = bits;
    bits[100] ^= 1;
    assert_int_equal(check(&f, &ctx, &proof, &other, &blind_r, &err), CUZK_E_PROOF_INVALID);
    free(bits);
    free(segments);

    /* another circuit's densities */
    groth16_test_key *small;
    groth16_dims dims = f.dims;
    dims.n_a--;
    assert_int_equal(cuzk_groth16_test_key_create(&small, &ctx, &dims, 1, NULL), CUZK_OK);
    assert_int_equal(
        cuzk_groth16_test_key_check(small, &ctx, &proof, &f.densities, w, &blind_r, &blind_s, &err),
        CUZK_E_BAD_PARAMS);
    cuzk_groth16_test_key_destroy(small);
    fixture_clear(&f);
}

static void test_failures(void **state) {
    (void)state;
    cuzk_cancel cancel = {false};
    cuzk_ctx ctx = {.cancel = &cancel};
    fixture f;
    fixture_init(&f, &ctx);
    groth16_proof proof;
    prove(&f, &ctx, cuzk_groth16_test_key_pk(f.key), &proof);
    cuzk_ctx small = ctx;
    groth16_test_key *key = NULL;
    assert_int_equal(cuzk_account_create(&small.account, 1 << 16, NULL), CUZK_OK);
    assert_int_equal(cuzk_groth16_test_key_create(&key, &small, &f.dims, 1, NULL),
                     CUZK_E_NO_MEMORY);
    assert_null(key);
    assert_int_equal(check(&f, &small, &proof, &f.witness.assignment, &blind_r, NULL),
                     CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_account_used(small.account), 0);
    cuzk_account_destroy(small.account);
    cuzk_cancel_set(&cancel);
    assert_int_equal(cuzk_groth16_test_key_create(&key, &ctx, &f.dims, 1, NULL), CUZK_E_CANCELLED);
    assert_int_equal(check(&f, &ctx, &proof, &f.witness.assignment, &blind_r, NULL),
                     CUZK_E_CANCELLED);
    cuzk_groth16_test_key_destroy(NULL);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points), cmocka_unit_test(test_same_proof_as_from_memory),
        cmocka_unit_test(test_wrong_is_found), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
