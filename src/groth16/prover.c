/* Proofs from keys and assignments: checks, the back end's two calls, assembly. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "groth16/groth16_backend.h"

/* ---- does the key fit ---- */

static cuzk_status same_number(const char *what, uint64_t key, uint64_t circuit, cuzk_error *err) {
    if (key == circuit) {
        return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_E_BAD_PARAMS,
                     "the key has %" PRIu64 " %s, the circuit needs %" PRIu64, key, what, circuit);
}

groth16_dims cuzk_groth16_dims_of(const r1cs_densities *d) {
    return (groth16_dims){.log2_domain = d->dims.log2_domain,
                          .n_inputs = d->dims.n_inputs,
                          .n_aux = d->dims.n_aux,
                          .n_h = ((uint64_t)1 << d->dims.log2_domain) - 1,
                          .n_l = d->dims.n_aux,
                          .n_a = d->dims.n_inputs + d->a_aux.n_set,
                          .n_b = d->b_input.n_set + d->b_aux.n_set};
}

cuzk_status cuzk_groth16_key_fits(const groth16_dims *key, const r1cs_densities *d,
                                  cuzk_error *err) {
    const groth16_dims circuit = cuzk_groth16_dims_of(d);
    const struct {
        const char *what;
        uint64_t key, circuit;
    } numbers[] = {
        {"inputs", key->n_inputs, circuit.n_inputs},
        {"aux variables", key->n_aux, circuit.n_aux},
        {"domain bits", key->log2_domain, circuit.log2_domain},
        {"points in section h", key->n_h, circuit.n_h},
        {"points in section l", key->n_l, circuit.n_l},
        {"points in section a", key->n_a, circuit.n_a},
        {"points in section b", key->n_b, circuit.n_b},
    };
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < sizeof numbers / sizeof numbers[0]; i++) {
        status = same_number(numbers[i].what, numbers[i].key, numbers[i].circuit, err);
    }
    return status;
}

static cuzk_status assignment_fits(const r1cs_densities *d, const r1cs_assignment *w,
                                   cuzk_error *err) {
    if (w->n_inputs != d->dims.n_inputs || w->n_aux != d->dims.n_aux ||
        w->n_rows != d->dims.n_constraints + d->dims.n_inputs) {
        return cuzk_fail(err, CUZK_E_ARGUMENT,
                         "the assignment belongs to another circuit than the densities");
    }
    return CUZK_OK;
}

static cuzk_status check_deltas(const groth16_vk *vk, cuzk_error *err) {
    if (g1_affine_is_infinity(&vk->delta_g1) || g2_affine_is_infinity(&vk->delta_g2)) {
        return cuzk_fail(err, CUZK_E_BAD_PARAMS, "delta of the key is infinity");
    }
    return CUZK_OK;
}

/* ---- assembly ---- */

/* r += [k] p */
static void g1_add_multiple(g1_jac *r, const g1_jac *p, const fr_plain *k) {
    g1_jac t;
    cuzk_g1_jac_mul(&t, p, k);
    g1_jac_add(r, r, &t);
}
static void g2_add_multiple(g2_jac *r, const g2_jac *p, const fr_plain *k) {
    g2_jac t;
    cuzk_g2_jac_mul(&t, p, k);
    g2_jac_add(r, r, &t);
}

/* -r s */
static void minus_product(fr_plain *out, const fr_plain *r, const fr_plain *s) {
    fr x, y;
    fr_from_plain(&x, r);
    fr_from_plain(&y, s);
    fr_mul(&x, &x, &y);
    fr_neg(&x, &x);
    fr_to_plain(out, &x);
}

/* A = alpha + a + [r] delta; B = beta + b + [s] delta in both groups; C = h + l + [s] A + [r] B -
 * [r s] delta. */
void cuzk_groth16_assemble(groth16_proof *proof, const groth16_vk *vk, const groth16_sums *sums,
                           const groth16_blinding *blinding) {
    g1_jac delta_g1, a, b_g1, c;
    g2_jac delta_g2, b_g2;
    g1_jac_from_affine(&delta_g1, &vk->delta_g1);
    g2_jac_from_affine(&delta_g2, &vk->delta_g2);

    g1_jac_add_affine(&a, &sums->a, &vk->alpha_g1);
    g1_add_multiple(&a, &delta_g1, &blinding->r);
    g1_jac_add_affine(&b_g1, &sums->b_g1, &vk->beta_g1);
    g1_add_multiple(&b_g1, &delta_g1, &blinding->s);
    g2_jac_add_affine(&b_g2, &sums->b_g2, &vk->beta_g2);
    g2_add_multiple(&b_g2, &delta_g2, &blinding->s);

    fr_plain minus_rs;
    minus_product(&minus_rs, &blinding->r, &blinding->s);
    g1_jac_add(&c, &sums->h, &sums->l);
    g1_add_multiple(&c, &a, &blinding->s);
    g1_add_multiple(&c, &b_g1, &blinding->r);
    g1_add_multiple(&c, &delta_g1, &minus_rs);

    cuzk_g1_jac_to_affine(&proof->a, &a);
    cuzk_g2_jac_to_affine(&proof->b, &b_g2);
    cuzk_g1_jac_to_affine(&proof->c, &c);
}

/* ---- proofs ---- */

static cuzk_status check_inputs(const groth16_pk *pk, const groth16_inputs *in, cuzk_error *err) {
    CUZK_ASSERT(in->n > 0);
    cuzk_status status = cuzk_groth16_key_fits(&pk->dims, in->densities, err);
    for (size_t i = 0; status == CUZK_OK && i < in->n; i++) {
        status = assignment_fits(in->densities, in->w[i], err);
    }
    if (status == CUZK_OK) {
        status = check_deltas(pk->vk, err);
    }
    return status;
}

cuzk_status cuzk_groth16_prove_on(groth16_attached *key, const cuzk_ctx *ctx, groth16_proof *proofs,
                                  groth16_timing *timing, const groth16_inputs *in,
                                  const groth16_blinding *blinding, cuzk_error *err) {
    groth16_job *job = NULL;
    groth16_sums *sums = NULL;
    cuzk_status status = check_inputs(key->pk, in, err);
    if (status != CUZK_OK) {
        return status;
    }
    sums = calloc(in->n, sizeof *sums);
    if (sums == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the sums of %zu proofs", in->n);
    }
    status = key->backend->start(key, &job, ctx, in, err);
    if (status == CUZK_OK) {
        status = key->backend->finish(job, sums, timing, err);
    }
    const uint64_t wall_ns = cuzk_wall_ns(), cpu_ns = cuzk_thread_cpu_ns();
    for (size_t i = 0; status == CUZK_OK && i < in->n; i++) {
        cuzk_groth16_assemble(&proofs[i], key->pk->vk, &sums[i], &blinding[i]);
    }
    if (status == CUZK_OK && timing != NULL) {
        timing->assemble = (groth16_time){.wall_ns = cuzk_wall_ns() - wall_ns,
                                          .cpu_ns = cuzk_thread_cpu_ns() - cpu_ns};
    }
    free(sums);
    return status;
}

size_t cuzk_groth16_prove_bytes(const cuzk_ctx *ctx, const groth16_pk *pk) {
    groth16_need need;
    cuzk_groth16_cpu_backend.need(&cuzk_groth16_cpu_backend, &need, ctx, pk, 1, 0);
    return need.key_bytes + need.job_bytes;
}

cuzk_status cuzk_groth16_prove(const cuzk_ctx *ctx, groth16_proof *proof, groth16_timing *timing,
                               const groth16_pk *pk, const r1cs_densities *densities,
                               const r1cs_assignment *w, const fr_plain *r, const fr_plain *s,
                               cuzk_error *err) {
    groth16_attached *key;
    cuzk_status status =
        cuzk_groth16_cpu_backend.key_attach(&cuzk_groth16_cpu_backend, &key, ctx, pk, err);
    if (status != CUZK_OK) {
        return status;
    }
    const groth16_inputs in = {.densities = densities, .n = 1, .w = &w};
    const groth16_blinding blinding = {*r, *s};
    status = cuzk_groth16_prove_on(key, ctx, proof, timing, &in, &blinding, err);
    cuzk_groth16_cpu_backend.key_detach(key);
    return status;
}
