/* Verification, one proof (groth16.md 5.1) or many of one key (5.2). */
#include <stdlib.h>

#include "base/entropy.h"
#include "curve/curve_kernels.h"
#include "curve/pairing.h"
#include "groth16/groth16.h"
#include "msm/msm.h"

struct groth16_pvk {
    g1_affine alpha_g1;
    g2_affine beta_g2, gamma_g2, delta_g2, minus_gamma_g2, minus_delta_g2;
    fp12 alpha_beta; /* e(alpha, beta) */
    size_t n_ic;
    g1_affine ic[];
};

cuzk_status cuzk_groth16_pvk_create(groth16_pvk **created, const groth16_vk *vk, cuzk_error *err) {
    if (vk->n_ic == 0) {
        return cuzk_fail(err, CUZK_E_BAD_PARAMS, "the verifying key has no point for ONE");
    }
    size_t len;
    groth16_pvk *pvk = NULL;
    if (size_mul(&len, vk->n_ic, sizeof *vk->ic) && size_add(&len, len, sizeof *pvk)) {
        pvk = malloc(len);
    }
    if (pvk == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a verifying key of %zu points",
                         vk->n_ic);
    }
    pvk->alpha_g1 = vk->alpha_g1;
    pvk->beta_g2 = vk->beta_g2;
    pvk->gamma_g2 = vk->gamma_g2;
    pvk->delta_g2 = vk->delta_g2;
    g2_affine_neg(&pvk->minus_gamma_g2, &vk->gamma_g2);
    g2_affine_neg(&pvk->minus_delta_g2, &vk->delta_g2);
    cuzk_pairing_product(&pvk->alpha_beta, &vk->alpha_g1, &vk->beta_g2, 1);
    pvk->n_ic = vk->n_ic;
    memcpy(pvk->ic, vk->ic, vk->n_ic * sizeof *vk->ic);
    *created = pvk;
    return CUZK_OK;
}

void cuzk_groth16_pvk_destroy(groth16_pvk *pvk) { free(pvk); }

static cuzk_status check_n_inputs(const groth16_pvk *pvk, size_t n_x, cuzk_error *err) {
    if (n_x != pvk->n_ic - 1) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "the key takes %zu public inputs, %zu are given",
                         pvk->n_ic - 1, n_x);
    }
    return CUZK_OK;
}

static cuzk_status invalid(cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_PROOF_INVALID, "the proof does not verify");
}

/* FE(ML(A, B) ML(C, -delta) ML(acc, -gamma)) = e(alpha, beta), acc = ic[0] + sum x[i] ic[i + 1] */
cuzk_status cuzk_groth16_verify(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                const groth16_proof *proof, const fr_plain *x, size_t n_x,
                                cuzk_error *err) {
    cuzk_status status = check_n_inputs(pvk, n_x, err);
    g1_jac acc;
    if (status == CUZK_OK) {
        status = cuzk_msm_g1(ctx, &acc, pvk->ic + 1, x, n_x, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    g1_jac_add_affine(&acc, &acc, &pvk->ic[0]);
    g1_affine p[3] = {proof->a, proof->c};
    cuzk_g1_jac_to_affine(&p[2], &acc);
    const g2_affine q[3] = {proof->b, pvk->minus_delta_g2, pvk->minus_gamma_g2};
    fp12 value;
    cuzk_pairing_product(&value, p, q, 3);
    return fp12_eq(&value, &pvk->alpha_beta) ? CUZK_OK : invalid(err);
}

/* ---- several proofs ---- */

/* Proofs whose Miller loops one task does. */
enum { BATCH_PART = 4 };

typedef struct batch {
    const groth16_proof *proofs;
    const fr_plain *x;
    size_t n_x, n;
    fr_plain *z;            /* n weights below 2^128 */
    fr_plain *input_weight; /* n_x: sum_j z_j x_j[i] */
    g1_affine *a, *c;       /* n: [z_j] A_j; C_j */
    g2_affine *b;           /* n */
    fp12 *part;             /* product of Miller loops of each part */
} batch;

static size_t batch_parts(size_t n) { return (n + BATCH_PART - 1) / BATCH_PART; }

static void batch_clear(batch *t) {
    free(t->z);
    free(t->input_weight);
    free(t->a);
    free(t->c);
    free(t->b);
    free(t->part);
}

static cuzk_status batch_init(batch *t, cuzk_error *err) {
    t->z = calloc(t->n, sizeof *t->z);
    t->input_weight = calloc(t->n_x + 1, sizeof *t->input_weight);
    t->a = calloc(t->n, sizeof *t->a);
    t->c = calloc(t->n, sizeof *t->c);
    t->b = calloc(t->n, sizeof *t->b);
    t->part = calloc(batch_parts(t->n), sizeof *t->part);
    if (t->z == NULL || t->input_weight == NULL || t->a == NULL || t->c == NULL || t->b == NULL ||
        t->part == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to verify %zu proofs", t->n);
    }
    for (size_t j = 0; j < t->n; j++) {
        uint64_t random[2];
        cuzk_status status = cuzk_entropy(random, sizeof random, err);
        if (status != CUZK_OK) {
            return status;
        }
        t->z[j] = (fr_plain){{random[0], random[1], 0, 0}};
        t->b[j] = t->proofs[j].b;
        t->c[j] = t->proofs[j].c;
    }
    return CUZK_OK;
}

/* prod_j f([z_j] A_j, B_j) over a part */
static void miller_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    batch *t = arg;
    const size_t from = index * BATCH_PART;
    const size_t n = t->n - from < BATCH_PART ? t->n - from : BATCH_PART;
    g1_jac scaled[BATCH_PART];
    for (size_t i = 0; i < n; i++) {
        g1_jac_from_affine(&scaled[i], &t->proofs[from + i].a);
        cuzk_g1_jac_mul(&scaled[i], &scaled[i], &t->z[from + i]);
    }
    cuzk_curve_kernels()->g1_to_affine(t->a + from, scaled, n);
    cuzk_miller_loop(&t->part[index], t->a + from, t->b + from, n);
}

enum { INPUT_PART = 256 };

/* input_weight[i] = sum_j z_j x_j[i] for a part of the inputs */
static void weigh_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    batch *t = arg;
    const size_t end = (index + 1) * INPUT_PART < t->n_x ? (index + 1) * INPUT_PART : t->n_x;
    for (size_t i = index * INPUT_PART; i < end; i++) {
        fr sum = FR_ZERO;
        for (size_t j = 0; j < t->n; j++) {
            fr z, x;
            fr_from_plain(&z, &t->z[j]);
            memcpy(&x, &t->x[j * t->n_x + i], sizeof x);
            fr_mul(&x, &x, &z); /* plain times Montgomery: plain */
            fr_add(&sum, &sum, &x);
        }
        memcpy(&t->input_weight[i], &sum, sizeof sum);
    }
}

static void sum_weights(fr_plain *out, const batch *t) {
    fr sum = FR_ZERO, z;
    for (size_t j = 0; j < t->n; j++) {
        memcpy(&z, &t->z[j], sizeof z);
        fr_add(&sum, &sum, &z);
    }
    memcpy(out, &sum, sizeof sum);
}

/* The terms that the proofs share: -sum z_j C_j with delta, -G with gamma, -[zsum] alpha with beta,
 * where G = [zsum] ic[0] + sum_i input_weight[i] ic[i + 1]. */
static cuzk_status shared_terms(const cuzk_ctx *ctx, const groth16_pvk *pvk, const batch *t,
                                g1_affine p[3], cuzk_error *err) {
    g1_jac sum[3], term;
    fr_plain z_sum;
    sum_weights(&z_sum, t);
    cuzk_status status = cuzk_msm_g1(ctx, &sum[0], t->c, t->z, t->n, err);
    if (status == CUZK_OK) {
        status = cuzk_msm_g1(ctx, &sum[1], pvk->ic + 1, t->input_weight, t->n_x, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    g1_jac_from_affine(&term, &pvk->ic[0]);
    cuzk_g1_jac_mul(&term, &term, &z_sum);
    g1_jac_add(&sum[1], &sum[1], &term);
    g1_jac_from_affine(&sum[2], &pvk->alpha_g1);
    cuzk_g1_jac_mul(&sum[2], &sum[2], &z_sum);
    cuzk_curve_kernels()->g1_to_affine(p, sum, 3);
    for (int i = 0; i < 3; i++) {
        g1_affine_neg(&p[i], &p[i]);
    }
    return CUZK_OK;
}

/* prod_j e([z_j] A_j, B_j) e(p[0], delta) e(p[1], gamma) e(p[2], beta) = 1 */
static bool batch_holds(const groth16_pvk *pvk, const batch *t, const g1_affine p[3]) {
    const g2_affine q[3] = {pvk->delta_g2, pvk->gamma_g2, pvk->beta_g2};
    fp12 value;
    cuzk_miller_loop(&value, p, q, 3);
    for (size_t i = 0; i < batch_parts(t->n); i++) {
        fp12_mul(&value, &value, &t->part[i]);
    }
    cuzk_final_exponentiation(&value, &value);
    const fp12 one = FP12_ONE;
    return fp12_eq(&value, &one);
}

cuzk_status cuzk_groth16_verify_batch(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                      const groth16_proof *proofs, const fr_plain *x, size_t n_x,
                                      size_t n, cuzk_error *err) {
    cuzk_status status = check_n_inputs(pvk, n_x, err);
    if (status != CUZK_OK || n == 0) {
        return status;
    }
    if (n == 1) {
        return cuzk_groth16_verify(ctx, pvk, proofs, x, n_x, err);
    }
    batch t = {.proofs = proofs, .x = x, .n_x = n_x, .n = n};
    g1_affine shared[3];
    status = batch_init(&t, err);
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, batch_parts(n), miller_part, &t, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, (n_x + INPUT_PART - 1) / INPUT_PART, weigh_part, &t, err);
    }
    if (status == CUZK_OK) {
        status = shared_terms(ctx, pvk, &t, shared, err);
    }
    if (status == CUZK_OK && !batch_holds(pvk, &t, shared)) {
        status = invalid(err);
    }
    batch_clear(&t);
    return status;
}
