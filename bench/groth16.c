/* Times whole proofs of the synthetic circuit of the peer benchmark (2^k rows; 90 % of the
 * variables are bits, 10 % full field elements), its setup, and verification with few and with many
 * public inputs. Every proof made here is verified once before it is timed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "curve/curve_kernels.h"
#include "groth16/setup.h"
#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"
#include "support/harness.h"

static void must(cuzk_status status, const cuzk_error *err) {
    if (status != CUZK_OK) {
        fprintf(stderr, "bench-groth16: %s\n", err->text);
        exit(1);
    }
}

/* ---- the circuit ---- */

/* n = 2^k - 2 constraints and aux variables, one input X = 3; groups of ten, the last one cut
 * short. */
typedef struct synthetic {
    uint64_t n;
} synthetic;

enum { GROUP = 10, INPUT_X = 3 };

/* The bits of a group: t 0 to 3 random, 4 to 6 xors, 7 and 8 ands of those four and three places
 * before. */
static void bits_of_group(r1cs_cs *cs, r1cs_var var[GROUP], uint64_t n, uint32_t random) {
    const unsigned n_random = n < 4 ? (unsigned)n : 4;
    const uint32_t xors = random ^ random >> 1;
    const r1cs_var first = cuzk_cs_booleans(cs, n_random, random);
    for (unsigned t = 0; t < n_random; t++) {
        var[t] = first + t;
    }
    if (n <= 4) {
        return;
    }
    cuzk_cs_xor(cs, var + 4, n < 7 ? (1u << (n - 4)) - 1 : 7, random, random >> 1, var, var + 1);
    const bool bit[6] = {0, 0, 0, random >> 3 & 1, xors & 1, xors >> 1 & 1};
    for (unsigned t = 7; t < 9 && t < n; t++) {
        const cs_bit p = {var[t - 4], bit[t - 4]}, q = {var[t - 3], bit[t - 3]};
        var[t] = cuzk_cs_and(cs, p, false, q, false);
    }
}

static cuzk_status synthetic_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const uint64_t n = ((const synthetic *)self)->n;
    const fr_plain x = {{INPUT_X, 0, 0, 0}};
    uint64_t state = BENCH_RNG_START;
    fr f, one = FR_ONE;
    fr_from_plain(&f, &x);
    r1cs_var f_var = cuzk_cs_alloc_input(cs, &x), var[GROUP];
    for (uint64_t done = 0; done < n && cuzk_cs_go_on(cs); done += GROUP) {
        const uint64_t left = n - done;
        uint32_t random = 0;
        for (unsigned t = 0; t < 4 && t < left; t++) {
            random |= (uint32_t)(bench_rng(&state) >> 63) << t;
        }
        bits_of_group(cs, var, left, random);
        if (left < GROUP) {
            break;
        }
        fr sum = f, product;
        if (random & 1) {
            fr_add(&sum, &f, &one);
        }
        fr_mul(&product, &f, &sum);
        fr_plain a, b, c;
        fr_to_plain(&a, &f);
        fr_to_plain(&b, &sum);
        fr_to_plain(&c, &product);
        var[9] = cuzk_cs_alloc(cs, &c);
        cuzk_cs_row(cs, &a, &b, LC({f_var, COEFF_ONE}), LC({f_var, COEFF_ONE}, {var[0], COEFF_ONE}),
                    LC({var[9], COEFF_ONE}));
        f_var = var[9];
        f = product;
    }
    if (cs->status != CUZK_OK && err != NULL) {
        *err = cs->error;
    }
    return cs->status;
}

/* ---- proofs ---- */

typedef struct proof_bench {
    const cuzk_ctx *ctx;
    r1cs_circuit circuit;
    const groth16_toxic *toxic;
    groth16_memory_key *key;
    r1cs_densities densities;
    r1cs_witness witness;
    groth16_proof proof;
    groth16_timing timing;
} proof_bench;

static void synthesise(void *arg) {
    proof_bench *p = arg;
    cuzk_error err;
    cuzk_r1cs_witness_clear(&p->witness);
    must(cuzk_r1cs_witness_create(&p->witness, p->ctx, &p->circuit, &err), &err);
}

static void prove(void *arg) {
    proof_bench *p = arg;
    cuzk_error err;
    const fr_plain r = {{1, 2, 3, 4}}, s = {{5, 6, 7, 8}};
    must(cuzk_groth16_prove(p->ctx, &p->proof, &p->timing, cuzk_groth16_memory_key_pk(p->key),
                            &p->densities, &p->witness.assignment, &r, &s, &err),
         &err);
}

static void synthesise_and_prove(void *arg) {
    synthesise(arg);
    prove(arg);
}

static void set_up(void *arg) {
    proof_bench *p = arg;
    cuzk_error err;
    cuzk_groth16_memory_key_destroy(p->key);
    must(cuzk_groth16_memory_key_create(&p->key, p->ctx, &p->circuit, p->toxic, &err), &err);
}

static void verify_once(proof_bench *p) {
    cuzk_error err;
    groth16_pvk *pvk;
    const fr_plain x = {{INPUT_X, 0, 0, 0}};
    must(cuzk_groth16_pvk_create(&pvk, cuzk_groth16_memory_key_pk(p->key)->vk, &err), &err);
    must(cuzk_groth16_verify(p->ctx, pvk, &p->proof, &x, 1, &err), &err);
    cuzk_groth16_pvk_destroy(pvk);
}

static void print_phases(const proof_bench *p, uint64_t size) {
    const groth16_timing *t = &p->timing;
    fprintf(stderr, "2^%d: quotient %.3f, l a b %.3f, h %.3f CPU s\n", __builtin_ctzll(size),
            (double)t->quotient.cpu_ns * 1e-9, (double)groth16_witness_cpu_ns(t) * 1e-9,
            (double)t->sections[GROTH16_H].cpu_ns * 1e-9);
}

static bool wants_proofs(const bench *b) {
    return bench_wants(b, "groth16_synthesis") || bench_wants(b, "groth16_prove") ||
           bench_wants(b, "groth16_total");
}

static void bench_size(const bench *b, unsigned log2_n, const groth16_toxic *toxic) {
    const uint64_t size = (uint64_t)1 << log2_n;
    const synthetic shape = {size - 2};
    proof_bench p = {.ctx = &b->ctx, .circuit = {&shape, synthetic_synthesize}, .toxic = toxic};
    cuzk_error err;
    must(cuzk_r1cs_densities(&p.densities, p.ctx, &p.circuit, &err), &err);
    set_up(&p);
    bench_run(b, "groth16_setup", size, 1, set_up, &p);
    if (wants_proofs(b)) {
        synthesise_and_prove(&p);
        verify_once(&p);
        bench_run(b, "groth16_synthesis", size, 1, synthesise, &p);
        bench_run(b, "groth16_prove", size, 1, prove, &p);
        print_phases(&p, size);
        bench_run(b, "groth16_total", size, 1, synthesise_and_prove, &p);
    }
    cuzk_r1cs_witness_clear(&p.witness);
    cuzk_r1cs_densities_clear(&p.densities);
    cuzk_groth16_memory_key_destroy(p.key);
}

/* ---- verification ---- */

/* Public inputs of a 32 GiB WindowPoSt partition: of eleven, one is full and ten have 30 bits. */
#define WINDOW_INPUTS 25840

typedef struct verify_bench {
    const cuzk_ctx *ctx;
    groth16_pvk *pvk;
    groth16_proof proof;
    fr_plain *x;
    size_t n_x;
} verify_bench;

/* The proof is no proof; the work is the same. */
static void verify(void *arg) {
    verify_bench *v = arg;
    cuzk_error err;
    if (cuzk_groth16_verify(v->ctx, v->pvk, &v->proof, v->x, v->n_x, &err) !=
        CUZK_E_PROOF_INVALID) {
        fprintf(stderr, "bench-groth16: %s\n", err.text);
        exit(1);
    }
}

static void bench_verify(const bench *b, size_t n_x) {
    cuzk_error err;
    groth16_vk vk = {.alpha_g1 = cuzk_g1_generator,
                     .beta_g1 = cuzk_g1_generator,
                     .delta_g1 = cuzk_g1_generator,
                     .beta_g2 = cuzk_g2_generator,
                     .gamma_g2 = cuzk_g2_generator,
                     .delta_g2 = cuzk_g2_generator,
                     .n_ic = n_x + 1};
    g1_jac *chain = malloc(vk.n_ic * sizeof *chain);
    vk.ic = malloc(vk.n_ic * sizeof *vk.ic);
    verify_bench v = {.ctx = &b->ctx,
                      .proof = {cuzk_g1_generator, cuzk_g2_generator, cuzk_g1_generator},
                      .x = malloc(n_x * sizeof *v.x),
                      .n_x = n_x};
    if (chain == NULL || vk.ic == NULL || v.x == NULL) {
        fprintf(stderr, "bench-groth16: no memory\n");
        exit(1);
    }
    g1_jac_from_affine(&chain[0], &cuzk_g1_generator);
    for (size_t i = 1; i < vk.n_ic; i++) {
        g1_jac_dbl(&chain[i], &chain[i - 1]);
        g1_jac_add_affine(&chain[i], &chain[i], &cuzk_g1_generator);
    }
    cuzk_curve_kernels()->g1_to_affine(vk.ic, chain, vk.n_ic);
    uint64_t state = BENCH_RNG_START;
    for (size_t i = 0; i < n_x; i++) {
        bench_scalars(v.x[i].l, 1, &state);
        if (i % 11 != 0) {
            v.x[i] = (fr_plain){{v.x[i].l[0] & 0x3fffffff, 0, 0, 0}};
        }
    }
    must(cuzk_groth16_pvk_create(&v.pvk, &vk, &err), &err);
    bench_run(b, "groth16_verify", n_x, 1, verify, &v);
    cuzk_groth16_pvk_destroy(v.pvk);
    free(v.x);
    free(vk.ic);
    free(chain);
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    groth16_toxic toxic = {.g1 = cuzk_g1_generator, .g2 = cuzk_g2_generator};
    fr_from_u64(&toxic.alpha, 48577);
    fr_from_u64(&toxic.beta, 22580);
    fr_from_u64(&toxic.gamma, 53332);
    fr_from_u64(&toxic.delta, 5481);
    fr_from_u64(&toxic.tau, 3673);
    if (bench_wants(&b, "groth16_verify")) {
        bench_verify(&b, 1);
        bench_verify(&b, WINDOW_INPUTS);
    }
    const bool sizes = wants_proofs(&b) || bench_wants(&b, "groth16_setup");
    for (unsigned log2_n = b.min_log2; sizes && log2_n <= b.max_log2; log2_n += 2) {
        bench_size(&b, log2_n, &toxic);
    }
    bench_clear(&b);
    return 0;
}
