/* LABELS: levels tsan */
/* Proofs byte for byte against the reference with fixed blinding; what the prover refuses;
 * cancelling it anywhere. */
#include "groth16/groth16_backend.h"
#include "groth16/quotient.h"
#include "r1cs/witness.h"
#include "support/known_answers.h"
#include "support/toy_setups.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static known_answers *answers;

/* A circuit with its key and densities. */
typedef struct fixture {
    groth16_memory_key *key;
    const groth16_pk *pk;
    r1cs_densities densities;
} fixture;

static void fixture_init(fixture *f, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                         const groth16_toxic *toxic) {
    assert_int_equal(cuzk_groth16_memory_key_create(&f->key, ctx, circuit, toxic, NULL), CUZK_OK);
    f->pk = cuzk_groth16_memory_key_pk(f->key);
    assert_int_equal(cuzk_r1cs_densities(&f->densities, ctx, circuit, NULL), CUZK_OK);
}

static void fixture_clear(fixture *f) {
    cuzk_r1cs_densities_clear(&f->densities);
    cuzk_groth16_memory_key_destroy(f->key);
}

static void prove_bytes(uint8_t *bytes, const fixture *f, const cuzk_ctx *ctx,
                        const r1cs_circuit *circuit, const fr_plain *r, const fr_plain *s) {
    r1cs_witness witness;
    groth16_proof proof;
    groth16_timing timing;
    cuzk_error err;
    uint64_t unsatisfied = 0;
    assert_int_equal(cuzk_r1cs_witness_create(&witness, ctx, circuit, NULL), CUZK_OK);
    assert_int_equal(cuzk_r1cs_check(ctx, circuit, &witness.assignment, &unsatisfied, NULL, NULL),
                     CUZK_OK);
    assert_int_equal(unsatisfied, UINT64_MAX);
    cuzk_status status = cuzk_groth16_prove(ctx, &proof, &timing, f->pk, &f->densities,
                                            &witness.assignment, r, s, &err);
    if (status != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    cuzk_groth16_proof_write(bytes, &proof);
    cuzk_r1cs_witness_clear(&witness);
}

static void check_proof(const char *key, const fixture *f, const cuzk_ctx *ctx,
                        const r1cs_circuit *circuit, const fr_plain *r, const fr_plain *s) {
    uint8_t got[GROTH16_PROOF_BYTES], expected[GROTH16_PROOF_BYTES];
    prove_bytes(got, f, ctx, circuit, r, s);
    known_answers_exact(answers, key, expected, sizeof expected);
    assert_memory_equal(got, expected, sizeof expected);
}

static const fr_plain zero = {{0, 0, 0, 0}}, fixed_r = {{27134, 0, 0, 0}},
                      fixed_s = {{17146, 0, 0, 0}};

static void test_fixed_xor(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    fixture f;
    for (int i = 0; i < 4; i++) {
        const xor_demo demo = {i / 2, i % 2};
        const r1cs_circuit circuit = xor_demo_circuit(&demo);
        fixture_init(&f, &ctx, &circuit, &toxic);
        char key[64];
        snprintf(key, sizeof key, "xor_fixed.a%db%d.proof_r27134_s17146", demo.a, demo.b);
        check_proof(key, &f, &ctx, &circuit, &fixed_r, &fixed_s);
        snprintf(key, sizeof key, "xor_fixed.a%db%d.proof_r0_s0", demo.a, demo.b);
        check_proof(key, &f, &ctx, &circuit, &zero, &zero);
        fixture_clear(&f);
    }
}

static void test_quotient_of_xor(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const xor_demo demo = {true, false};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    r1cs_witness witness;
    assert_int_equal(cuzk_r1cs_witness_create(&witness, &ctx, &circuit, NULL), CUZK_OK);
    ntt_domain *domain;
    assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, 3, NULL), CUZK_OK);
    fr_plain h[8], work[8];
    assert_int_equal(cuzk_groth16_quotient(&ctx, h, work, domain, &witness.assignment, NULL),
                     CUZK_OK);
    for (int i = 0; i < 7; i++) {
        char key[64];
        fr expected, got;
        snprintf(key, sizeof key, "xor_fixed.a1b0.fr_be_h%d", i);
        known_answers_fr_be(answers, key, &expected);
        fr_from_plain(&got, &h[i]);
        assert_true(fr_eq(&got, &expected));
    }
    assert_true(fr_plain_is_zero(&h[7]));
    cuzk_ntt_domain_destroy(domain);
    cuzk_r1cs_witness_clear(&witness);
}

static void test_density_circuit(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const density_demo demo = {3};
    const r1cs_circuit circuit = density_demo_circuit(&demo);
    fixture f;
    fixture_init(&f, &ctx, &circuit, &toxic);
    assert_int_equal(f.densities.b_input.words[0], 3); /* ONE and p */
    assert_int_equal(f.densities.a_aux.words[0], 1);
    assert_int_equal(f.densities.b_aux.words[0], 1);
    check_proof("dens.proof", &f, &ctx, &circuit, &fixed_r, &fixed_s);
    fixture_clear(&f);
}

static void draw(fr_plain *out, xorshift_rng *rng) {
    const rng_source source = cuzk_rng_from_xorshift(rng);
    fr v;
    cuzk_fr_random(&v, &source);
    fr_to_plain(out, &v);
}

/* The three proofs of the vectors, and the memory they may take. */
static void check_batch(const fixture *f, const groth16_inputs *in,
                        const groth16_blinding *blinding) {
    const groth16_backend *cpu = &cuzk_groth16_cpu_backend;
    cuzk_ctx ctx = {0};
    groth16_attached *key = NULL;
    groth16_proof proofs[3];
    groth16_need need;
    groth16_timing timing;
    cpu->need(cpu, &need, &ctx, f->pk, in->n, in->n_h);
    assert_int_equal(cuzk_account_create(&ctx.account, need.job_bytes, NULL), CUZK_OK);
    assert_int_equal(cpu->key_attach(cpu, &key, &ctx, f->pk, NULL), CUZK_OK);
    assert_int_equal(cuzk_groth16_prove_on(key, &ctx, proofs, &timing, in, blinding, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_account_peak(ctx.account), need.job_bytes);
    cpu->key_detach(key);
    cuzk_account_destroy(ctx.account);
    for (int i = 0; i < 3; i++) {
        char name[64];
        uint8_t got[GROTH16_PROOF_BYTES], expected[GROTH16_PROOF_BYTES];
        snprintf(name, sizeof name, "xor_seed.batch3_%d", i);
        known_answers_exact(answers, name, expected, sizeof expected);
        cuzk_groth16_proof_write(got, &proofs[i]);
        assert_memory_equal(got, expected, sizeof got);
    }
}

static void test_seeded_xor(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    xorshift_rng rng;
    groth16_toxic toxic;
    toy_setup_seeded(&toxic, &rng);
    const xor_demo demo = {true, false};
    const r1cs_circuit circuit = xor_demo_circuit(&demo);
    fixture f;
    fixture_init(&f, &ctx, &circuit, &toxic);
    xorshift_rng again = rng;
    fr_plain r, s;
    draw(&r, &again);
    draw(&s, &again);
    check_proof("xor_seed.proof", &f, &ctx, &circuit, &r, &s);

    /* a batch draws r of all, then s of all; three proofs share one pass over the key */
    groth16_blinding blinding[3];
    for (int i = 0; i < 3; i++) {
        draw(&blinding[i].r, &rng);
    }
    for (int i = 0; i < 3; i++) {
        draw(&blinding[i].s, &rng);
    }
    r1cs_witness witness;
    assert_int_equal(cuzk_r1cs_witness_create(&witness, &ctx, &circuit, NULL), CUZK_OK);
    const r1cs_assignment *const w[3] = {&witness.assignment, &witness.assignment,
                                         &witness.assignment};
    /* with room for the quotients of all of them, of 1 or 2 at once */
    for (size_t n_h = 0; n_h < 4; n_h++) {
        const groth16_inputs in = {.densities = &f.densities, .n = 3, .w = w, .n_h = n_h};
        check_batch(&f, &in, blinding);
    }
    cuzk_r1cs_witness_clear(&witness);
    fixture_clear(&f);
}

/* Eight proofs, with no pool and with pools of 1, 2 and 4 workers. */
static void test_mimc(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    mimc_setup m;
    mimc_setup_init(&m);
    const mimc_demo blank = {.constants = m.constants};
    const r1cs_circuit blank_circuit = mimc_demo_circuit(&blank);
    fixture f;
    fixture_init(&f, &ctx, &blank_circuit, &m.toxic);
    static const unsigned workers[8] = {0, 1, 2, 4, 4, 2, 1, 0};
    for (int i = 0; i < 8; i++) {
        mimc_demo demo;
        fr_plain r, s, image;
        char key[64];
        mimc_setup_next(&m, &demo, &r, &s);
        mimc_image(&image, &demo);
        fr expected, got;
        snprintf(key, sizeof key, "mimc.%d.fr_be_image", i);
        known_answers_fr_be(answers, key, &expected);
        fr_from_plain(&got, &image);
        assert_true(fr_eq(&got, &expected));

        const r1cs_circuit circuit = mimc_demo_circuit(&demo);
        if (workers[i] > 0) {
            assert_int_equal(cuzk_pool_create(&ctx.pool, workers[i], NULL), CUZK_OK);
        }
        snprintf(key, sizeof key, "mimc.%d.proof", i);
        check_proof(key, &f, &ctx, &circuit, &r, &s);
        cuzk_pool_destroy(ctx.pool);
        ctx.pool = NULL;
    }
    fixture_clear(&f);
}

/* ---- refusals ---- */

static void expect_misfit(const groth16_dims *dims, const r1cs_densities *d, const char *what) {
    cuzk_error err;
    assert_int_equal(cuzk_groth16_key_fits(dims, d, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, what));
}

static void test_misfits(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_toxic toxic;
    toy_setup_fixed(&toxic);
    const density_demo demo = {3};
    const r1cs_circuit circuit = density_demo_circuit(&demo);
    fixture f;
    fixture_init(&f, &ctx, &circuit, &toxic);
    assert_int_equal(cuzk_groth16_key_fits(&f.pk->dims, &f.densities, NULL), CUZK_OK);
    groth16_dims d = f.pk->dims;
    d.n_h++;
    expect_misfit(&d, &f.densities, "8 points in section h, the circuit needs 7");
    d = f.pk->dims;
    d.n_l--;
    expect_misfit(&d, &f.densities, "2 points in section l, the circuit needs 3");
    d = f.pk->dims;
    d.n_a++;
    expect_misfit(&d, &f.densities, "5 points in section a, the circuit needs 4");
    d = f.pk->dims;
    d.n_b--;
    expect_misfit(&d, &f.densities, "2 points in section b, the circuit needs 3");
    d = f.pk->dims;
    d.n_inputs++;
    expect_misfit(&d, &f.densities, "4 inputs, the circuit needs 3");

    /* another circuit's assignment; infinite delta */
    const xor_demo other = {0};
    const r1cs_circuit other_circuit = xor_demo_circuit(&other);
    r1cs_witness witness;
    groth16_proof proof;
    assert_int_equal(cuzk_r1cs_witness_create(&witness, &ctx, &other_circuit, NULL), CUZK_OK);
    assert_int_equal(cuzk_groth16_prove(&ctx, &proof, NULL, f.pk, &f.densities, &witness.assignment,
                                        &zero, &zero, NULL),
                     CUZK_E_ARGUMENT);
    cuzk_r1cs_witness_clear(&witness);
    assert_int_equal(cuzk_r1cs_witness_create(&witness, &ctx, &circuit, NULL), CUZK_OK);
    groth16_vk vk = *f.pk->vk;
    groth16_pk pk = *f.pk;
    pk.vk = &vk;
    g1_affine_set_infinity(&vk.delta_g1);
    assert_int_equal(cuzk_groth16_prove(&ctx, &proof, NULL, &pk, &f.densities, &witness.assignment,
                                        &zero, &zero, NULL),
                     CUZK_E_BAD_PARAMS);
    vk = *f.pk->vk;
    g2_affine_set_infinity(&vk.delta_g2);
    assert_int_equal(cuzk_groth16_prove(&ctx, &proof, NULL, &pk, &f.densities, &witness.assignment,
                                        &zero, &zero, NULL),
                     CUZK_E_BAD_PARAMS);
    cuzk_r1cs_witness_clear(&witness);
    fixture_clear(&f);
}

/* ---- memory and cancellation, on MiMC ---- */

/* A key whose source counts, and cancels at the n-th acquired chunk. */
typedef struct counting_source {
    groth16_source inner;
    cuzk_cancel *cancel;
    atomic_int acquired, held;
    int cancel_at, fail_at; /* 0: never */
    atomic_int n_announced[GROTH16_SECTIONS];
} counting_source;

static cuzk_status counting_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                                    groth16_section section, uint64_t first, size_t count,
                                    cuzk_error *err) {
    counting_source *source = self;
    assert_true(count <= 100);
    if (atomic_fetch_add(&source->acquired, 1) + 1 == source->cancel_at) {
        cuzk_cancel_set(source->cancel);
    }
    if (atomic_load(&source->acquired) == source->fail_at) {
        return cuzk_fail(err, CUZK_E_IO, "no such chunk");
    }
    atomic_fetch_add(&source->held, 1);
    return source->inner.acquire(source->inner.self, ctx, chunk, section, first, count, err);
}

static void counting_release(void *self, groth16_chunk *chunk) {
    counting_source *source = self;
    atomic_fetch_sub(&source->held, 1);
    source->inner.release(source->inner.self, chunk);
}

static void counting_will_need(void *self, groth16_section section) {
    atomic_fetch_add(&((counting_source *)self)->n_announced[section], 1);
}

typedef struct mimc_fixture {
    mimc_setup setup;
    mimc_demo demo;
    fr_plain r, s;
    r1cs_circuit circuit;
    fixture f;
    r1cs_witness witness;
    counting_source source;
    groth16_pk pk; /* in chunks of 100 points */
    cuzk_cancel cancel;
} mimc_fixture;

/* ahead: the key is read ahead, so that sums run beside transforms. */
static void mimc_fixture_init(mimc_fixture *m, bool ahead) {
    const cuzk_ctx ctx = {0};
    mimc_setup_init(&m->setup);
    mimc_setup_next(&m->setup, &m->demo, &m->r, &m->s);
    m->circuit = mimc_demo_circuit(&m->demo);
    fixture_init(&m->f, &ctx, &m->circuit, &m->setup.toxic);
    assert_int_equal(cuzk_r1cs_witness_create(&m->witness, &ctx, &m->circuit, NULL), CUZK_OK);
    m->pk = *m->f.pk;
    m->source = (counting_source){.inner = m->f.pk->source, .cancel = &m->cancel};
    m->pk.source = (groth16_source){.self = &m->source,
                                    .acquire = counting_acquire,
                                    .release = counting_release,
                                    .will_need = ahead ? counting_will_need : NULL,
                                    .max_chunk = 100};
    atomic_init(&m->cancel.flag, false);
}

static void mimc_fixture_clear(mimc_fixture *m) {
    assert_int_equal(atomic_load(&m->source.held), 0);
    cuzk_r1cs_witness_clear(&m->witness);
    fixture_clear(&m->f);
}

static cuzk_status mimc_prove(mimc_fixture *m, const cuzk_ctx *ctx, uint8_t *bytes,
                              cuzk_error *err) {
    groth16_proof proof;
    cuzk_status status = cuzk_groth16_prove(ctx, &proof, NULL, &m->pk, &m->f.densities,
                                            &m->witness.assignment, &m->r, &m->s, err);
    if (status == CUZK_OK) {
        cuzk_groth16_proof_write(bytes, &proof);
    }
    return status;
}

static void check_memory_limit(bool ahead) {
    mimc_fixture m;
    mimc_fixture_init(&m, ahead);
    uint8_t got[GROTH16_PROOF_BYTES], expected[GROTH16_PROOF_BYTES];
    known_answers_exact(answers, "mimc.0.proof", expected, sizeof expected);
    cuzk_ctx ctx = {0};
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    const size_t need = cuzk_groth16_prove_bytes(&ctx, &m.pk);
    for (int short_of = 0; short_of < 2; short_of++) {
        assert_int_equal(cuzk_account_create(&ctx.account, need - (size_t)short_of, NULL), CUZK_OK);
        cuzk_status status = mimc_prove(&m, &ctx, got, NULL);
        assert_int_equal(status, short_of ? CUZK_E_NO_MEMORY : CUZK_OK);
        if (status == CUZK_OK) {
            assert_memory_equal(got, expected, sizeof got);
            assert_int_equal(cuzk_account_peak(ctx.account), need);
        }
        cuzk_account_destroy(ctx.account);
    }
    assert_int_equal(atomic_load(&m.source.n_announced[GROTH16_L]), ahead ? 1 : 0);
    cuzk_pool_destroy(ctx.pool);
    mimc_fixture_clear(&m);
}

static void test_memory_limit(void **state) {
    (void)state;
    check_memory_limit(false);
    check_memory_limit(true);
}

static void check_every_chunk(bool ahead) {
    mimc_fixture m;
    mimc_fixture_init(&m, ahead);
    cuzk_ctx ctx = {.cancel = &m.cancel};
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    uint8_t bytes[GROTH16_PROOF_BYTES];
    assert_int_equal(mimc_prove(&m, &ctx, bytes, NULL), CUZK_OK);
    const int n_chunks = atomic_load(&m.source.acquired);
    assert_int_equal(n_chunks, 7 + 7 + 4 + 4 + 11); /* l, a, b_g1, b_g2, h */
    for (int i = 1; i <= n_chunks; i++) {
        atomic_store(&m.cancel.flag, false);
        atomic_store(&m.source.acquired, 0);
        m.source.cancel_at = i;
        assert_int_equal(mimc_prove(&m, &ctx, bytes, NULL), CUZK_E_CANCELLED);
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        assert_int_equal(atomic_load(&m.source.held), 0);
    }
    atomic_store(&m.cancel.flag, false);
    m.source.cancel_at = 0;
    for (int i = 1; i <= n_chunks; i++) {
        cuzk_error err;
        atomic_store(&m.source.acquired, 0);
        m.source.fail_at = i;
        assert_int_equal(mimc_prove(&m, &ctx, bytes, &err), CUZK_E_IO);
        assert_string_equal(err.text, "no such chunk");
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        assert_int_equal(atomic_load(&m.source.held), 0);
    }
    cuzk_pool_destroy(ctx.pool);
    cuzk_account_destroy(ctx.account);
    mimc_fixture_clear(&m);
}

static void test_every_chunk(void **state) {
    (void)state;
    check_every_chunk(false);
    check_every_chunk(true);
}

typedef struct late_cancel {
    cuzk_cancel *cancel;
    unsigned delay_us;
} late_cancel;

static void *cancel_later(void *arg) {
    const late_cancel *late = arg;
    usleep(late->delay_us);
    cuzk_cancel_set(late->cancel);
    return NULL;
}

static void check_any_time(bool ahead) {
    mimc_fixture m;
    mimc_fixture_init(&m, ahead);
    cuzk_ctx ctx = {.cancel = &m.cancel};
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    for (unsigned i = 0; i < 40; i++) {
        atomic_store(&m.cancel.flag, false);
        late_cancel late = {&m.cancel, 700 * i};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_later, &late), 0);
        uint8_t bytes[GROTH16_PROOF_BYTES];
        cuzk_status status = mimc_prove(&m, &ctx, bytes, NULL);
        pthread_join(thread, NULL);
        assert_true(status == CUZK_OK || status == CUZK_E_CANCELLED);
        assert_int_equal(cuzk_account_used(ctx.account), 0);
    }
    cuzk_pool_destroy(ctx.pool);
    cuzk_account_destroy(ctx.account);
    mimc_fixture_clear(&m);
}

static void test_cancel_at_any_time(void **state) {
    (void)state;
    check_any_time(false);
    check_any_time(true);
}

/* start and cancel without finish gives everything back. */
static void test_cancelled_job(void **state) {
    (void)state;
    mimc_fixture m;
    mimc_fixture_init(&m, false);
    cuzk_ctx ctx = {0};
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    const groth16_backend *cpu = &cuzk_groth16_cpu_backend;
    const r1cs_assignment *const w[1] = {&m.witness.assignment};
    const groth16_inputs in = {.densities = &m.f.densities, .n = 1, .w = w};
    groth16_attached *key = NULL;
    groth16_job *job = NULL;
    assert_int_equal(cpu->key_attach(cpu, &key, &ctx, &m.pk, NULL), CUZK_OK);
    assert_int_equal(cpu->start(key, &job, &ctx, &in, NULL), CUZK_OK);
    assert_true(cuzk_account_used(ctx.account) > 0);
    cpu->cancel(job);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cpu->cancel(NULL);
    cpu->key_detach(key);
    cpu->key_detach(NULL);
    cuzk_account_destroy(ctx.account);
    mimc_fixture_clear(&m);
}

int main(void) {
    answers = known_answers_open("groth16-vectors.txt");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotient_of_xor),
        cmocka_unit_test(test_fixed_xor),
        cmocka_unit_test(test_density_circuit),
        cmocka_unit_test(test_seeded_xor),
        cmocka_unit_test(test_mimc),
        cmocka_unit_test(test_misfits),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_every_chunk),
        cmocka_unit_test(test_cancel_at_any_time),
        cmocka_unit_test(test_cancelled_job),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
