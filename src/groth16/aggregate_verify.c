/* Checking an aggregate: the seven equations of groth16.md 5.6 in one product of pairings. */
#include <stdlib.h>

#include "base/entropy.h"
#include "curve/curve_kernels.h"
#include "curve/pairing.h"
#include "field/field_kernels.h"
#include "groth16/aggregate_internal.h"
#include "msm/msm.h"

/* Weights of the equations between pairings but 7: 1; 2 twice; 3 twice; 5 twice; 6 twice. */
enum { W_Z, W_T, W_U, W_TC, W_UC, W_V0, W_V1, W_W0, W_W1, N_WEIGHTS };
enum { N_PAIRS = 18, N_POWERS_MAX = 5 + 10 * AGGREGATE_MAX_ROUNDS };

typedef struct verification {
    const aggregate_srs *srs;
    const groth16_vk *vk;
    const aggregate_proof *proof;
    const fr_plain *x;
    size_t n_x;
    aggregate_challenges ch;
    fr weight[N_WEIGHTS];
    /* The product that has to be 1: pairings and powers in Gt. */
    size_t n_pairs;
    g1_jac p[N_PAIRS];
    g2_jac q[N_PAIRS];
    size_t n_powers;
    fp12 gt[N_POWERS_MAX];
    fr_plain exponent[N_POWERS_MAX];
    /* Equation 7. */
    fr *r_powers;           /* n_proofs: r^j */
    fr_plain *input_weight; /* n_x + 1: sum_j r^j x_j[i], ONE first */
    size_t input_part;
} verification;

static cuzk_status draw_weights(fr weight[N_WEIGHTS], cuzk_error *err) {
    for (int i = 0; i < N_WEIGHTS;) {
        uint8_t bytes[FR_BYTES];
        cuzk_status status = cuzk_entropy(bytes, sizeof bytes, err);
        if (status != CUZK_OK) {
            return status;
        }
        bytes[31] &= 0x7f;
        if (cuzk_fr_read_le(&weight[i], bytes) && !fr_is_zero(&weight[i])) {
            i++;
        }
    }
    return CUZK_OK;
}

static void g1_mul(g1_jac *r, const g1_jac *p, const fr *k) {
    fr_plain plain;
    fr_to_plain(&plain, k);
    cuzk_g1_jac_mul(r, p, &plain);
}

/* The product times e(p, q)^weight; weight NULL: 1. */
static void add_pair(verification *v, const g1_jac *p, const g2_jac *q, const fr *weight) {
    CUZK_ASSERT(v->n_pairs < N_PAIRS);
    if (weight != NULL) {
        g1_mul(&v->p[v->n_pairs], p, weight);
    } else {
        v->p[v->n_pairs] = *p;
    }
    v->q[v->n_pairs++] = *q;
}
static void add_affine_pair(verification *v, const g1_affine *p, const g2_affine *q,
                            const fr *weight) {
    g1_jac pj;
    g2_jac qj;
    g1_jac_from_affine(&pj, p);
    g2_jac_from_affine(&qj, q);
    add_pair(v, &pj, &qj, weight);
}

/* The product times a^-exponent. */
static void divide_power(verification *v, const fp12 *a, const fr *exponent) {
    CUZK_ASSERT(v->n_powers < N_POWERS_MAX);
    fp12_conj(&v->gt[v->n_powers], a);
    fr_to_plain(&v->exponent[v->n_powers++], exponent);
}

/* The right sides of equations 1 to 3: the sent values, folded by the challenges, to the powers of
 * the weights; and that of equation 7, ip_ab. */
static void add_folded(verification *v) {
    const aggregate_proof *proof = v->proof;
    const fr one = FR_ONE;
    fr t;
    fr_add(&t, &v->weight[W_Z], &one);
    divide_power(v, &proof->ip_ab, &t);
    divide_power(v, &proof->com_ab.t, &v->weight[W_T]);
    divide_power(v, &proof->com_ab.u, &v->weight[W_U]);
    divide_power(v, &proof->com_c.t, &v->weight[W_TC]);
    divide_power(v, &proof->com_c.u, &v->weight[W_UC]);
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        const aggregate_round *round = &proof->rounds[i];
        const fp12 *left[5] = {&round->zab_l, &round->tab_l.t, &round->tab_l.u, &round->tuc_l.t,
                               &round->tuc_l.u};
        const fp12 *right[5] = {&round->zab_r, &round->tab_r.t, &round->tab_r.u, &round->tuc_r.t,
                                &round->tuc_r.u};
        for (int j = 0; j < 5; j++) {
            fr_mul(&t, &v->weight[W_Z + j], &v->ch.c[i]);
            divide_power(v, left[j], &t);
            fr_mul(&t, &v->weight[W_Z + j], &v->ch.c_inv[i]);
            divide_power(v, right[j], &t);
        }
    }
}

/* Equations 1 to 3, left sides. */
static void add_final_values(verification *v) {
    const aggregate_proof *proof = v->proof;
    add_affine_pair(v, &proof->a, &proof->b, &v->weight[W_Z]);
    for (int i = 0; i < 2; i++) {
        add_affine_pair(v, &proof->a, &proof->v[i], &v->weight[W_T + i]);
        add_affine_pair(v, &proof->w[i], &proof->b, &v->weight[W_T + i]);
        add_affine_pair(v, &proof->c, &proof->v[i], &v->weight[W_TC + i]);
    }
}

/* Equations 5 and 6: e(-g, v - [fv(z)] h) e(power_g - [z] g, v_opening) = 1 and
 * e(w - [fw(z)] g, -h) e(w_opening, power_h - [z] h) = 1 for both halves of the keys. */
static void add_openings(verification *v) {
    const aggregate_proof *proof = v->proof;
    const aggregate_srs *srs = v->srs;
    const g1_affine *power_g[2] = {&srs->ga[1], &srs->gb[1]};
    const g2_affine *power_h[2] = {&srs->ha[1], &srs->hb[1]};
    fr fv, fw, t;
    cuzk_aggregate_key_value(&fv, v->ch.c_inv, proof->n_rounds, &v->ch.z);
    cuzk_fr_inv(&t, &v->ch.r);
    fr_mul(&t, &t, &v->ch.z);
    cuzk_aggregate_key_value(&fw, v->ch.c, proof->n_rounds, &t);
    t = v->ch.z; /* z^n, n = 2^n_rounds */
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        fr_sqr(&t, &t);
    }
    fr_mul(&fw, &fw, &t);

    g1_jac g, minus_g, minus_zg, minus_fg, p;
    g2_jac h, minus_h, minus_zh, minus_fh, q;
    fr_plain k;
    g1_jac_from_affine(&g, &srs->ga[0]);
    g2_jac_from_affine(&h, &srs->ha[0]);
    g1_jac_neg(&minus_g, &g);
    g2_jac_neg(&minus_h, &h);
    g1_mul(&minus_zg, &minus_g, &v->ch.z);
    g1_mul(&minus_fg, &minus_g, &fw);
    fr_to_plain(&k, &v->ch.z);
    cuzk_g2_jac_mul(&minus_zh, &minus_h, &k);
    fr_to_plain(&k, &fv);
    cuzk_g2_jac_mul(&minus_fh, &minus_h, &k);
    for (int i = 0; i < 2; i++) {
        g2_jac_add_affine(&q, &minus_fh, &proof->v[i]);
        add_pair(v, &minus_g, &q, &v->weight[W_V0 + i]);
        g1_jac_add_affine(&p, &minus_zg, power_g[i]);
        g2_jac_from_affine(&q, &proof->v_opening[i]);
        add_pair(v, &p, &q, &v->weight[W_V0 + i]);

        g1_jac_add_affine(&p, &minus_fg, &proof->w[i]);
        add_pair(v, &p, &minus_h, &v->weight[W_W0 + i]);
        g1_jac_from_affine(&p, &proof->w_opening[i]);
        g2_jac_add_affine(&q, &minus_zh, power_h[i]);
        add_pair(v, &p, &q, &v->weight[W_W0 + i]);
    }
}

/* input_weight[i + 1] = sum_j r^j x_j[i] for a part of the inputs */
static void weigh_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    verification *v = arg;
    const size_t first = index * v->input_part;
    const size_t end = v->n_x - first < v->input_part ? v->n_x : first + v->input_part;
    for (size_t i = first; i < end; i++) {
        fr sum = FR_ZERO;
        for (size_t j = 0; j < v->proof->n_proofs; j++) {
            fr x;
            memcpy(&x, &v->x[j * v->n_x + i], sizeof x);
            fr_mul(&x, &x, &v->r_powers[j]); /* plain times Montgomery: plain */
            fr_add(&sum, &sum, &x);
        }
        memcpy(&v->input_weight[i + 1], &sum, sizeof sum);
    }
}

/* Equation 7: e([R] alpha, beta) e(IC, gamma) e(agg_c, delta) = ip_ab, R = sum_j r^j */
static cuzk_status add_statement(const cuzk_ctx *ctx, verification *v, cuzk_error *err) {
    const size_t n = v->proof->n_proofs;
    const fr one = FR_ONE;
    fr sum = FR_ZERO;
    cuzk_field_kernels()->fr_powers(v->r_powers, &one, &v->ch.r, n);
    for (size_t j = 0; j < n; j++) {
        fr_add(&sum, &sum, &v->r_powers[j]);
    }
    fr_to_plain(&v->input_weight[0], &sum);
    v->input_part = ((size_t)1 << 18) / n + 1;
    cuzk_status status =
        cuzk_pool_run(ctx, (v->n_x + v->input_part - 1) / v->input_part, weigh_part, v, err);
    g1_jac ic, alpha;
    if (status == CUZK_OK) {
        status = cuzk_msm_g1(ctx, &ic, v->vk->ic, v->input_weight, v->vk->n_ic, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    g2_jac q;
    g1_jac_from_affine(&alpha, &v->vk->alpha_g1);
    g2_jac_from_affine(&q, &v->vk->beta_g2);
    add_pair(v, &alpha, &q, &sum);
    g2_jac_from_affine(&q, &v->vk->gamma_g2);
    add_pair(v, &ic, &q, NULL);
    add_affine_pair(v, &v->proof->agg_c, &v->vk->delta_g2, NULL);
    return CUZK_OK;
}

/* Equation 4: [rv] C = agg_c + sum_i [c_i] zc_l + [1/c_i] zc_r, where rv is what the powers of r
 * fold to. */
static bool c_holds(const verification *v) {
    const aggregate_proof *proof = v->proof;
    fr rv;
    g1_jac left, right, t;
    cuzk_aggregate_key_value(&rv, v->ch.c_inv, proof->n_rounds, &v->ch.r);
    g1_jac_from_affine(&left, &proof->c);
    g1_mul(&left, &left, &rv);
    g1_jac_from_affine(&right, &proof->agg_c);
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        g1_jac_from_affine(&t, &proof->rounds[i].zc_l);
        g1_mul(&t, &t, &v->ch.c[i]);
        g1_jac_add(&right, &right, &t);
        g1_jac_from_affine(&t, &proof->rounds[i].zc_r);
        g1_mul(&t, &t, &v->ch.c_inv[i]);
        g1_jac_add(&right, &right, &t);
    }
    return cuzk_g1_jac_eq(&left, &right);
}

/* gt[first part of a group] = the product of the group's powers */
static void power_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    verification *v = arg;
    const size_t at = index * GT_GROUP;
    const size_t n = v->n_powers - at < GT_GROUP ? v->n_powers - at : GT_GROUP;
    cuzk_curve_kernels()->gt_powers(&v->gt[at], &v->gt[at], &v->exponent[at], n);
}

/* Whether the product of the pairings and powers is 1. */
static cuzk_status product_holds(const cuzk_ctx *ctx, verification *v, bool *holds,
                                 cuzk_error *err) {
    g1_affine p[N_PAIRS];
    g2_affine q[N_PAIRS];
    fp12 product;
    cuzk_status status =
        cuzk_pool_run(ctx, (v->n_powers + GT_GROUP - 1) / GT_GROUP, power_part, v, err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_curve_kernels()->g1_to_affine(p, v->p, v->n_pairs);
    cuzk_curve_kernels()->g2_to_affine(q, v->q, v->n_pairs);
    cuzk_pairing_product(&product, p, q, v->n_pairs);
    for (size_t i = 0; i < v->n_powers; i += GT_GROUP) {
        fp12_mul(&product, &product, &v->gt[i]);
    }
    *holds = fp12_is_one(&product);
    return CUZK_OK;
}

static cuzk_status check_arguments(const verification *v, size_t n, cuzk_error *err) {
    if (v->vk->n_ic == 0 || v->n_x != v->vk->n_ic - 1) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "the key takes %zu public inputs, %zu are given",
                         v->vk->n_ic == 0 ? 0 : v->vk->n_ic - 1, v->n_x);
    }
    if (n != v->proof->n_proofs) {
        return cuzk_fail(err, CUZK_E_ARGUMENT,
                         "the aggregate is of %zu proofs, public inputs are given for %zu",
                         v->proof->n_proofs, n);
    }
    if (v->srs->n_ga < 2 || v->srs->n_gb < 2 || v->srs->n_ha < 2 || v->srs->n_hb < 2) {
        return cuzk_fail(err, CUZK_E_BAD_PARAMS, "the aggregation SRS has less than two powers");
    }
    return CUZK_OK;
}

cuzk_status cuzk_aggregate_verify(const cuzk_ctx *ctx, const aggregate_srs *srs,
                                  const groth16_vk *vk, const aggregate_proof *proof,
                                  const fr_plain *x, size_t n_x, size_t n,
                                  aggregate_version version, const uint8_t *include,
                                  size_t include_len_bytes, cuzk_error *err) {
    verification *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to verify an aggregate");
    }
    v->srs = srs;
    v->vk = vk;
    v->proof = proof;
    v->x = x;
    v->n_x = n_x;
    bool holds = false;
    cuzk_status status = check_arguments(v, n, err);
    if (status == CUZK_OK) {
        v->r_powers = calloc(n, sizeof *v->r_powers);
        v->input_weight = calloc(vk->n_ic, sizeof *v->input_weight);
        if (v->r_powers == NULL || v->input_weight == NULL) {
            status = cuzk_fail(err, CUZK_E_NO_MEMORY,
                               "no memory to verify an aggregate of %zu proofs", n);
        }
    }
    if (status == CUZK_OK) {
        status = draw_weights(v->weight, err);
    }
    if (status == CUZK_OK) {
        cuzk_aggregate_challenges(&v->ch, proof, version, include, include_len_bytes);
        add_folded(v);
        add_final_values(v);
        add_openings(v);
        status = add_statement(ctx, v, err);
    }
    if (status == CUZK_OK) {
        status = product_holds(ctx, v, &holds, err);
    }
    if (status == CUZK_OK && !(c_holds(v) && holds)) {
        status = cuzk_fail(err, CUZK_E_PROOF_INVALID, "the aggregate does not verify");
    }
    free(v->r_powers);
    free(v->input_weight);
    free(v);
    return status;
}
