/* Digest, synthesis, setup, quotient and proof of a small circuit, cancelled at every task.
 * LABELS: levels tsan */
#include <stdlib.h>

#include "groth16/quotient.h"
#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"
#include "support/cancel_at.h"
#include "support/toy_setups.h"

/* ---- a circuit in parts ---- */

enum { N_PARTS = 6, N_WORDS = 3 };

/* Words of 32 bits and their products with the first word, bit by bit. */
static void write_part(const void *arg, size_t index, r1cs_cs *cs) {
    (void)arg;
    if (cs->want_lc) { /* with values, the part is a task of the pool */
        cancel_step();
    }
    test_rng rng = {index + 1};
    const uint32_t first = (uint32_t)test_rng_u64(&rng);
    const r1cs_var first_var = cuzk_cs_booleans(cs, 32, first);
    for (unsigned i = 1; i < N_WORDS; i++) {
        const uint32_t word = (uint32_t)test_rng_u64(&rng);
        const r1cs_var var = cuzk_cs_booleans(cs, 32, word);
        for (unsigned bit = 0; bit < 32; bit++) {
            cuzk_cs_and(cs, (cs_bit){first_var + bit, first >> bit & 1}, false,
                        (cs_bit){var + bit, word >> bit & 1}, i & 1);
        }
    }
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)self;
    (void)err;
    cuzk_cs_parts(cs, R1CS_BITS, N_PARTS, write_part, NULL);
    return CUZK_OK;
}

static const r1cs_circuit circuit = {NULL, synthesize};

/* ---- what is made of it without cancelling ---- */

typedef struct fixture {
    uint8_t digest[32];
    groth16_toxic toxic;
    groth16_memory_key *key;
    r1cs_densities densities;
    r1cs_witness witness;
    ntt_domain *domain;
    fr_plain *h, *want_h, *work;
    size_t n_domain;
    uint8_t proof[GROTH16_PROOF_BYTES];
} fixture;

static fixture f;

static const fr_plain r = {{27134}}, s = {{17146}};

static cuzk_status prove(uint8_t *bytes, const cuzk_ctx *ctx, cuzk_error *err) {
    groth16_proof proof;
    cuzk_status status = cuzk_groth16_prove(ctx, &proof, NULL, cuzk_groth16_memory_key_pk(f.key),
                                            &f.densities, &f.witness.assignment, &r, &s, err);
    if (status == CUZK_OK) {
        cuzk_groth16_proof_write(bytes, &proof);
    }
    return status;
}

static int make_fixture(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    toy_setup_fixed(&f.toxic);
    f.n_domain = 1;
    bool good =
        cuzk_r1cs_digest(&ctx, f.digest, &circuit, &f.densities, NULL) == CUZK_OK &&
        cuzk_r1cs_witness_create(&f.witness, &ctx, &circuit, NULL) == CUZK_OK &&
        cuzk_groth16_memory_key_create(&f.key, &ctx, &circuit, &f.toxic, NULL) == CUZK_OK &&
        cuzk_ntt_domain_create(&f.domain, &ctx, f.densities.dims.log2_domain, NULL) == CUZK_OK;
    f.n_domain <<= f.densities.dims.log2_domain;
    f.h = calloc(3 * f.n_domain, sizeof *f.h);
    f.want_h = f.h + f.n_domain;
    f.work = f.want_h + f.n_domain;
    return good &&
                   cuzk_groth16_quotient(&ctx, f.want_h, f.work, f.domain, &f.witness.assignment,
                                         NULL) == CUZK_OK &&
                   prove(f.proof, &ctx, NULL) == CUZK_OK
               ? 0
               : -1;
}

static int clear_fixture(void **state) {
    (void)state;
    free(f.h);
    cuzk_ntt_domain_destroy(f.domain);
    cuzk_groth16_memory_key_destroy(f.key);
    cuzk_r1cs_witness_clear(&f.witness);
    cuzk_r1cs_densities_clear(&f.densities);
    return 0;
}

/* ---- calls ---- */

static cuzk_status digest_call(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    uint8_t digest[32];
    r1cs_densities densities;
    cuzk_status status = cuzk_r1cs_digest(ctx, digest, &circuit, &densities, err);
    if (status == CUZK_OK) {
        assert_memory_equal(digest, f.digest, sizeof digest);
        cuzk_r1cs_densities_clear(&densities);
    }
    return status;
}

static cuzk_status synthesis_call(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    r1cs_witness witness;
    cuzk_status status = cuzk_r1cs_witness_create(&witness, ctx, &circuit, err);
    if (status == CUZK_OK) {
        assert_int_equal(witness.assignment.n_aux, f.densities.dims.n_aux);
        cuzk_r1cs_witness_clear(&witness);
    }
    return status;
}

static cuzk_status setup_call(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    groth16_memory_key *key;
    cuzk_status status = cuzk_groth16_memory_key_create(&key, ctx, &circuit, &f.toxic, err);
    if (status == CUZK_OK) {
        const groth16_vk *vk = cuzk_groth16_memory_key_pk(key)->vk;
        assert_true(
            cuzk_g1_affine_eq(&vk->delta_g1, &cuzk_groth16_memory_key_pk(f.key)->vk->delta_g1));
        cuzk_groth16_memory_key_destroy(key);
    }
    return status;
}

static cuzk_status quotient_call(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    cuzk_status status =
        cuzk_groth16_quotient(ctx, f.h, f.work, f.domain, &f.witness.assignment, err);
    if (status == CUZK_OK) {
        assert_memory_equal(f.h, f.want_h, f.n_domain * sizeof *f.h);
    }
    return status;
}

static cuzk_status prove_call(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    (void)arg;
    uint8_t proof[GROTH16_PROOF_BYTES];
    cuzk_status status = prove(proof, ctx, err);
    if (status == CUZK_OK) {
        assert_memory_equal(proof, f.proof, sizeof proof);
    }
    return status;
}

static void check(cancel_call call, size_t n_late) {
    cuzk_pool *pool;
    check_cancel_everywhere(NULL, call, NULL, n_late);
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    check_cancel_everywhere(pool, call, NULL, n_late);
    cuzk_pool_destroy(pool);
}

/* A stream that is cancelled in its last part may end before anyone asks. */
static void test_digest(void **state) {
    (void)state;
    check(digest_call, 1);
}
static void test_synthesis(void **state) {
    (void)state;
    check(synthesis_call, 0);
}
static void test_setup(void **state) {
    (void)state;
    check(setup_call, 0);
}
static void test_quotient(void **state) {
    (void)state;
    check(quotient_call, 0);
}
static void test_prove(void **state) {
    (void)state;
    check(prove_call, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest), cmocka_unit_test(test_synthesis),
        cmocka_unit_test(test_setup),  cmocka_unit_test(test_quotient),
        cmocka_unit_test(test_prove),
    };
    return cmocka_run_group_tests(tests, make_fixture, clear_fixture);
}
