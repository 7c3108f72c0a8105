/* LABELS: levels tsan */
/* Setups byte for byte against the reference, and what they refuse. */
#include "curve/point_encoding.h"
#include "hash/blake2.h"
#include "hash/sha256.h"
#include "r1cs/constraint_system.h"
#include "support/key_bytes.h"
#include "support/known_answers.h"
#include "support/toy_setups.h"

#include <stdio.h>
#include <stdlib.h>

static known_answers *answers;

static const char *key_of(const char *prefix, const char *name) {
    static char key[128];
    snprintf(key, sizeof key, "%s.%s", prefix, name);
    return key;
}

static void make(key_bytes *bytes, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                 const groth16_toxic *toxic) {
    *bytes = (key_bytes){0};
    const groth16_sink sink = key_bytes_sink(bytes);
    cuzk_error err;
    cuzk_status status = cuzk_groth16_setup(ctx, &sink, circuit, toxic, &err);
    if (status != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static void check_hash(const uint8_t *data, size_t len, const char *prefix, const char *sha256,
                       const char *digest) {
    uint8_t got[BLAKE2B_BYTES], expected[SHA256_BYTES];
    cuzk_sha256(got, data, len);
    known_answers_exact(answers, key_of(prefix, sha256), expected, SHA256_BYTES);
    assert_memory_equal(got, expected, SHA256_BYTES);
    cuzk_blake2b(got, data, len);
    known_answers_exact(answers, key_of(prefix, digest), expected, 16);
    assert_memory_equal(got, expected, 16);
}

/* Lengths and digests, and all bytes where the vectors have them. */
static void check_key(const key_bytes *key, const char *prefix) {
    assert_int_equal(key->len_bytes,
                     known_answers_number(answers, key_of(prefix, "lengths"), "params_len"));
    assert_int_equal(key->vk_len_bytes,
                     known_answers_number(answers, key_of(prefix, "lengths"), "vk_len"));
    if (known_answers_has(answers, key_of(prefix, "params"))) {
        size_t len;
        uint8_t *expected = known_answers_bytes(answers, key_of(prefix, "params"), &len);
        assert_int_equal(len, key->len_bytes);
        assert_memory_equal(key->data, expected, len);
        free(expected);
    }
    check_hash(key->data, key->len_bytes, prefix, "params_sha256", "params_digest");
    check_hash(key->data, key->vk_len_bytes, prefix, "vk_sha256", "vk_digest");
}

static void check_setup(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                        const groth16_toxic *toxic, const char *prefix) {
    key_bytes key;
    make(&key, ctx, circuit, toxic);
    check_key(&key, prefix);
    key_bytes_clear(&key);
}

static void test_draws(void **state) {
    (void)state;
    xorshift_rng rng;
    groth16_toxic toxic;
    toy_setup_seeded(&toxic, &rng);
    g1_affine g1;
    g2_affine g2;
    known_answers_g1(answers, "xorshift.setup.g1", &g1);
    known_answers_g2(answers, "xorshift.setup.g2", &g2);
    assert_true(cuzk_g1_affine_eq(&g1, &toxic.g1));
    assert_true(cuzk_g2_affine_eq(&g2, &toxic.g2));
    const struct {
        const char *key;
        const fr *value;
    } draws[] = {{"xorshift.setup.fr_be_alpha", &toxic.alpha},
                 {"xorshift.setup.fr_be_beta", &toxic.beta},
                 {"xorshift.setup.fr_be_gamma", &toxic.gamma},
                 {"xorshift.setup.fr_be_delta", &toxic.delta},
                 {"xorshift.setup.fr_be_tau", &toxic.tau}};
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        fr expected;
        known_answers_fr_be(answers, draws[i].key, &expected);
        assert_true(fr_eq(&expected, draws[i].value));
    }
}

static void test_known_keys(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    xorshift_rng rng;
    groth16_toxic seeded, fixed;
    toy_setup_seeded(&seeded, &rng);
    toy_setup_fixed(&fixed);
    const xor_demo xor = {0};
    const density_demo density = {0};
    const r1cs_circuit xor_circuit = xor_demo_circuit(&xor),
                       density_circuit = density_demo_circuit(&density);
    check_setup(&ctx, &xor_circuit, &seeded, "xor_seed");
    check_setup(&ctx, &xor_circuit, &fixed, "xor_fixed");
    check_setup(&ctx, &density_circuit, &fixed, "dens");

    mimc_setup mimc;
    mimc_setup_init(&mimc);
    fr expected;
    known_answers_fr_be(answers, "mimc.fr_be_c0", &expected);
    assert_true(fr_eq(&expected, &mimc.constants[0]));
    known_answers_fr_be(answers, "mimc.fr_be_c321", &expected);
    assert_true(fr_eq(&expected, &mimc.constants[321]));
    const mimc_demo demo = {.constants = mimc.constants};
    const r1cs_circuit circuit = mimc_demo_circuit(&demo);
    for (unsigned n_workers = 0; n_workers <= 4; n_workers += 2) {
        if (n_workers > 0) {
            assert_int_equal(cuzk_pool_create(&ctx.pool, n_workers, NULL), CUZK_OK);
        }
        check_setup(&ctx, &circuit, &mimc.toxic, "mimc");
        cuzk_pool_destroy(ctx.pool);
        ctx.pool = NULL;
    }
}

/* [u_i] G1 in a, [v_i] G1 in b, [(beta u_i + alpha v_i + w_i) / delta] G1 in l, from u, v, w at
 * tau. */
static void test_polynomials_at_tau(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const xor_demo demo = {0};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    groth16_memory_key *key;
    assert_int_equal(cuzk_groth16_memory_key_create(&key, &ctx, &circuit, &toxic, NULL), CUZK_OK);
    const groth16_pk *pk = cuzk_groth16_memory_key_pk(key);
    const groth16_dims dims = {3, 2, 2, 7, 2, 4, 2};
    assert_int_equal(pk->dims.log2_domain, dims.log2_domain);
    assert_int_equal(pk->dims.n_inputs, dims.n_inputs);
    assert_int_equal(pk->dims.n_aux, dims.n_aux);
    assert_int_equal(pk->dims.n_h, dims.n_h);
    assert_int_equal(pk->dims.n_l, dims.n_l);
    assert_int_equal(pk->dims.n_a, dims.n_a);
    assert_int_equal(pk->dims.n_b, dims.n_b);

    groth16_chunk a, b, l;
    const groth16_source *source = &pk->source;
    assert_int_equal(source->acquire(source->self, &ctx, &a, GROTH16_A, 0, 4, NULL), CUZK_OK);
    assert_int_equal(source->acquire(source->self, &ctx, &b, GROTH16_B_G1, 0, 2, NULL), CUZK_OK);
    assert_int_equal(source->acquire(source->self, &ctx, &l, GROTH16_L, 0, 2, NULL), CUZK_OK);
    fr delta_inv;
    cuzk_fr_inv(&delta_inv, &toxic.delta);
    for (int i = 0; i < 4; i++) {
        char name[64];
        fr u, v, w, k;
        snprintf(name, sizeof name, "xor_fixed.fr_be_u%d_at_tau", i);
        known_answers_fr_be(answers, name, &u);
        snprintf(name, sizeof name, "xor_fixed.fr_be_v%d_at_tau", i);
        known_answers_fr_be(answers, name, &v);
        snprintf(name, sizeof name, "xor_fixed.fr_be_w%d_at_tau", i);
        known_answers_fr_be(answers, name, &w);
        fr_mul(&k, &toxic.beta, &u);
        fr t;
        fr_mul(&t, &toxic.alpha, &v);
        fr_add(&k, &k, &t);
        fr_add(&k, &k, &w);
        fr_mul(&k, &k, &delta_inv);
        const fr *const logs[3] = {&u, &v, &k};
        const g1_affine *const points[3] = {&a.g1[i], i < 2 ? NULL : &b.g1[i - 2],
                                            i < 2 ? NULL : &l.g1[i - 2]};
        for (int j = 0; j < 3; j++) {
            if (points[j] == NULL) {
                continue;
            }
            g1_jac expected;
            g1_affine affine;
            fr_plain log;
            fr_to_plain(&log, logs[j]);
            g1_jac_from_affine(&expected, &cuzk_g1_generator);
            cuzk_g1_jac_mul(&expected, &expected, &log);
            cuzk_g1_jac_to_affine(&affine, &expected);
            assert_true(cuzk_g1_affine_eq(&affine, points[j]));
        }
    }
    source->release(source->self, &a);
    source->release(source->self, &b);
    source->release(source->self, &l);
    cuzk_groth16_memory_key_destroy(key);
}

/* Single points that the vectors name. */
static void test_known_points(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const xor_demo demo = {0};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    groth16_memory_key *key;
    assert_int_equal(cuzk_groth16_memory_key_create(&key, &ctx, &circuit, &toxic, NULL), CUZK_OK);
    const groth16_pk *pk = cuzk_groth16_memory_key_pk(key);
    static const struct {
        groth16_section section;
        const char *name;
        size_t n;
    } sections[] = {{GROTH16_H, "h", 7},
                    {GROTH16_L, "l", 2},
                    {GROTH16_A, "a", 4},
                    {GROTH16_B_G1, "b_g1", 2},
                    {GROTH16_B_G2, "b_g2", 2}};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        groth16_chunk chunk;
        assert_int_equal(pk->source.acquire(pk->source.self, &ctx, &chunk, sections[i].section, 0,
                                            sections[i].n, NULL),
                         CUZK_OK);
        for (size_t j = 0; j < sections[i].n; j++) {
            char name[64];
            snprintf(name, sizeof name, "xor_fixed.%s_%zu", sections[i].name, j);
            if (sections[i].section == GROTH16_B_G2) {
                g2_affine expected;
                known_answers_g2(answers, name, &expected);
                assert_true(cuzk_g2_affine_eq(&expected, &chunk.g2[j]));
            } else {
                g1_affine expected;
                known_answers_g1(answers, name, &expected);
                assert_true(cuzk_g1_affine_eq(&expected, &chunk.g1[j]));
            }
        }
        pk->source.release(pk->source.self, &chunk);
    }
    for (size_t j = 0; j < 2; j++) {
        g1_affine expected;
        known_answers_g1(answers, j == 0 ? "xor_fixed.ic_0" : "xor_fixed.ic_1", &expected);
        assert_true(cuzk_g1_affine_eq(&expected, &pk->vk->ic[j]));
    }
    cuzk_groth16_memory_key_destroy(key);
}

/* The smallest key of the reference's own tests: a b = c, 2136 bytes. */
static void test_smallest_key(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const product_demo demo = {0};
    const r1cs_circuit circuit = product_demo_circuit(&demo);
    key_bytes key;
    make(&key, &ctx, &circuit, &toxic);
    assert_int_equal(key.len_bytes, 2136);
    key_bytes_clear(&key);
}

/* aux 1 of three is in no constraint. */
static cuzk_status loose_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)self;
    (void)err;
    const fr_plain v = {{5, 0, 0, 0}};
    r1cs_var a = cuzk_cs_alloc(cs, &v);
    cuzk_cs_alloc(cs, &v);
    r1cs_var c = cuzk_cs_alloc(cs, &v);
    cuzk_cs_row(cs, &v, &v, LC({a, COEFF_ONE}), LC({c, COEFF_ONE}), LC_ZERO);
    return cs->status;
}

static cuzk_status empty_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)self;
    (void)err;
    return cs->status;
}

static void test_refusals(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const r1cs_circuit loose = {NULL, loose_synthesize};
    key_bytes key = {0};
    groth16_sink sink = key_bytes_sink(&key);
    cuzk_error err;
    assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &loose, &toxic, &err), CUZK_E_INCONSISTENT);
    assert_non_null(strstr(err.text, "aux variable 1 "));
    assert_int_equal(key.len_bytes, 0);

    const xor_demo demo = {0};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    groth16_toxic bad = toxic;
    bad.gamma = FR_ZERO;
    assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &circuit, &bad, &err), CUZK_E_ARGUMENT);
    bad = toxic;
    bad.delta = FR_ZERO;
    assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &circuit, &bad, &err), CUZK_E_ARGUMENT);
    assert_int_equal(key.len_bytes, 0);

    /* the sink's failure ends the setup: vk, five counts, five runs */
    for (int i = 1; i <= 11; i++) {
        key.calls_before_failure = i;
        assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &circuit, &toxic, &err), CUZK_E_IO);
    }
    key.calls_before_failure = 12;
    assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &circuit, &toxic, &err), CUZK_OK);
    key_bytes_clear(&key);
}

/* tau in the domain: the Lagrange formula divides by zero, the values are 0 and 1, h is infinity
 * throughout. */
static void test_tau_in_domain(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const r1cs_circuit empty = {NULL, empty_synthesize};
    toxic.tau = FR_ONE;
    groth16_memory_key *key;
    cuzk_error err;
    assert_int_equal(cuzk_groth16_memory_key_create(&key, &ctx, &empty, &toxic, &err), CUZK_OK);
    const groth16_pk *pk = cuzk_groth16_memory_key_pk(key);
    assert_int_equal(pk->dims.log2_domain, 0);
    assert_int_equal(pk->dims.n_a, 1);
    groth16_chunk chunk;
    assert_int_equal(pk->source.acquire(pk->source.self, &ctx, &chunk, GROTH16_A, 0, 1, NULL),
                     CUZK_OK);
    assert_true(cuzk_g1_affine_eq(&chunk.g1[0], &cuzk_g1_generator)); /* u_0 = L_0 = 1 */
    pk->source.release(pk->source.self, &chunk);
    cuzk_groth16_memory_key_destroy(key);
}

static void cancel_at(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)phase;
    (void)done;
    (void)total;
    void **args = arg;
    int *calls = args[1];
    if (--*calls == 0) {
        cuzk_cancel_set(args[0]);
    }
}

static void test_cancel(void **state) {
    (void)state;
    cuzk_cancel cancel = {0};
    cuzk_account *account;
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    int calls;
    void *args[2] = {&cancel, &calls};
    const cuzk_ctx ctx = {
        .cancel = &cancel, .account = account, .progress = cancel_at, .progress_arg = args};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const xor_demo demo = {0};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    groth16_memory_key *key;
    for (int i = 1; i <= 4; i++) {
        calls = i;
        atomic_store(&cancel.flag, false);
        assert_int_equal(cuzk_groth16_memory_key_create(&key, &ctx, &circuit, &toxic, NULL),
                         CUZK_E_CANCELLED);
        assert_int_equal(cuzk_account_used(account), 0);
    }
    cuzk_account_destroy(account);
}

int main(void) {
    answers = known_answers_open("groth16-vectors.txt");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),         cmocka_unit_test(test_known_keys),
        cmocka_unit_test(test_known_points),  cmocka_unit_test(test_polynomials_at_tau),
        cmocka_unit_test(test_smallest_key),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_tau_in_domain), cmocka_unit_test(test_cancel),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
