/* Making an aggregate: groth16.md 5.5. */
#include <stdlib.h>

#include "field/field_kernels.h"
#include "groth16/aggregate_internal.h"
#include "msm/msm.h"

/* The vectors that the rounds halve, in place. */
typedef struct folding {
    size_t n;
    g1_affine *a, *c, *w[2];
    g2_affine *b, *v[2];
    fr *rv;         /* r^i, folded */
    fr_plain *k;    /* scalars of a step, 2 n */
    fr *polynomial; /* of an opening, 2 n; until then scratch */
} folding;

static void folding_clear(folding *f) {
    free(f->a);
    free(f->b);
    free(f->c);
    for (int i = 0; i < 2; i++) {
        free(f->v[i]);
        free(f->w[i]);
    }
    free(f->rv);
    free(f->k);
    free(f->polynomial);
}

static cuzk_status folding_init(folding *f, const aggregate_srs *srs, const groth16_proof *proofs,
                                size_t n, cuzk_error *err) {
    *f = (folding){.n = n};
    f->a = calloc(n, sizeof *f->a);
    f->b = calloc(n, sizeof *f->b);
    f->c = calloc(n, sizeof *f->c);
    for (int i = 0; i < 2; i++) {
        f->v[i] = calloc(n, sizeof *f->v[i]);
        f->w[i] = calloc(n, sizeof *f->w[i]);
    }
    f->rv = calloc(n, sizeof *f->rv);
    f->k = calloc(2 * n, sizeof *f->k);
    f->polynomial = calloc(2 * n, sizeof *f->polynomial);
    if (f->a == NULL || f->b == NULL || f->c == NULL || f->v[0] == NULL || f->v[1] == NULL ||
        f->w[0] == NULL || f->w[1] == NULL || f->rv == NULL || f->k == NULL ||
        f->polynomial == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to aggregate %zu proofs", n);
    }
    for (size_t i = 0; i < n; i++) {
        f->a[i] = proofs[i].a;
        f->b[i] = proofs[i].b;
        f->c[i] = proofs[i].c;
    }
    memcpy(f->v[0], srs->ha, n * sizeof *f->v[0]);
    memcpy(f->v[1], srs->hb, n * sizeof *f->v[1]);
    memcpy(f->w[0], srs->ga + n, n * sizeof *f->w[0]);
    memcpy(f->w[1], srs->gb + n, n * sizeof *f->w[1]);
    return CUZK_OK;
}

/* prod e(A_i, v_i) e(w_i, B_i) for both halves of the keys; the ranges begin at the offsets. */
static void commit_pair(pair_product out[2], aggregate_commitment *com, const folding *f,
                        size_t ab_at, size_t bb_at, size_t v_at, size_t w_at, size_t n) {
    fp12 *parts[2] = {&com->t, &com->u};
    for (int i = 0; i < 2; i++) {
        out[i] = (pair_product){
            parts[i], {{f->a + ab_at, f->v[i] + v_at, n}, {f->w[i] + w_at, f->b + bb_at, n}}};
    }
}

/* prod e(C_i, v_i) */
static void commit_single(pair_product out[2], aggregate_commitment *com, const folding *f,
                          size_t c_at, size_t v_at, size_t n) {
    fp12 *parts[2] = {&com->t, &com->u};
    for (int i = 0; i < 2; i++) {
        out[i] = (pair_product){parts[i], {{f->c + c_at, f->v[i] + v_at, n}, {NULL, NULL, 0}}};
    }
}

/* sum [rv_i] C_i */
static cuzk_status sum_c(const cuzk_ctx *ctx, g1_affine *r, folding *f, size_t rv_at, size_t c_at,
                         size_t n, cuzk_error *err) {
    cuzk_field_kernels()->fr_to_plain(f->k, f->rv + rv_at, n);
    g1_jac sum;
    cuzk_status status = cuzk_msm_g1(ctx, &sum, f->c + c_at, f->k, n, err);
    if (status == CUZK_OK) {
        cuzk_g1_jac_to_affine(r, &sum);
    }
    return status;
}

static cuzk_status commit(const cuzk_ctx *ctx, aggregate_proof *proof, const folding *f,
                          cuzk_error *err) {
    pair_product products[4];
    commit_pair(products, &proof->com_ab, f, 0, 0, 0, 0, f->n);
    commit_single(products + 2, &proof->com_c, f, 0, 0, f->n);
    return cuzk_pair_products(ctx, products, 4, err);
}

/* B_i = [r^i] B_i, w_i = [r^-i] w_i, rv; ip_ab and agg_c */
static cuzk_status apply_r(const cuzk_ctx *ctx, aggregate_proof *proof, folding *f, const fr *r,
                           cuzk_error *err) {
    const size_t n = f->n;
    const field_kernels *kernels = cuzk_field_kernels();
    const fr one = FR_ONE;
    fr inverse;
    cuzk_fr_inv(&inverse, r);
    kernels->fr_powers(f->rv, &one, r, n);
    kernels->fr_to_plain(f->k, f->rv, n);
    kernels->fr_powers(f->polynomial, &one, &inverse, n);
    kernels->fr_to_plain(f->k + n, f->polynomial, n);
    const point_step steps[] = {{.g2 = f->b, .n = n, .k = f->k},
                                {.g1 = f->w[0], .n = n, .k = f->k + n},
                                {.g1 = f->w[1], .n = n, .k = f->k + n}};
    cuzk_status status = cuzk_point_steps(ctx, steps, 3, err);
    if (status == CUZK_OK) {
        const pair_product product = {&proof->ip_ab, {{f->a, f->b, n}, {NULL, NULL, 0}}};
        status = cuzk_pair_products(ctx, &product, 1, err);
    }
    return status == CUZK_OK ? sum_c(ctx, &proof->agg_c, f, 0, 0, n, err) : status;
}

static cuzk_status round_messages(const cuzk_ctx *ctx, aggregate_round *round, folding *f,
                                  size_t half, cuzk_error *err) {
    pair_product products[10];
    commit_pair(products, &round->tab_l, f, half, 0, 0, half, half);
    commit_pair(products + 2, &round->tab_r, f, 0, half, half, 0, half);
    commit_single(products + 4, &round->tuc_l, f, half, 0, half);
    commit_single(products + 6, &round->tuc_r, f, 0, half, half);
    products[8] = (pair_product){&round->zab_l, {{f->a + half, f->b, half}, {NULL, NULL, 0}}};
    products[9] = (pair_product){&round->zab_r, {{f->a, f->b + half, half}, {NULL, NULL, 0}}};
    cuzk_status status = cuzk_pair_products(ctx, products, 10, err);
    if (status == CUZK_OK) {
        status = sum_c(ctx, &round->zc_l, f, 0, half, half, err);
    }
    return status == CUZK_OK ? sum_c(ctx, &round->zc_r, f, half, 0, half, err) : status;
}

/* A, C, w: left + [c] right; B, v, rv: left + [1/c] right */
static cuzk_status fold(const cuzk_ctx *ctx, folding *f, size_t half, const fr *c, const fr *c_inv,
                        cuzk_error *err) {
    fr_plain k, k_inv;
    fr_to_plain(&k, c);
    fr_to_plain(&k_inv, c_inv);
    const point_step steps[] = {
        {.g1 = f->a, .n = half, .folds = true, .k = &k},
        {.g1 = f->c, .n = half, .folds = true, .k = &k},
        {.g1 = f->w[0], .n = half, .folds = true, .k = &k},
        {.g1 = f->w[1], .n = half, .folds = true, .k = &k},
        {.g2 = f->b, .n = half, .folds = true, .k = &k_inv},
        {.g2 = f->v[0], .n = half, .folds = true, .k = &k_inv},
        {.g2 = f->v[1], .n = half, .folds = true, .k = &k_inv},
    };
    for (size_t i = 0; i < half; i++) {
        fr t;
        fr_mul(&t, &f->rv[half + i], c_inv);
        fr_add(&f->rv[i], &f->rv[i], &t);
    }
    return cuzk_point_steps(ctx, steps, sizeof steps / sizeof steps[0], err);
}

/* Coefficients of x^shift prod_j (1 + k[n_rounds - 1 - j] (s x)^(2^j)), shift + 2^n_rounds of them.
 */
static void key_polynomial(fr *out, size_t shift, const fr *k, unsigned n_rounds, const fr *s) {
    for (size_t i = 0; i < shift; i++) {
        out[i] = FR_ZERO;
    }
    out += shift;
    out[0] = FR_ONE;
    fr power = *s, t;
    for (unsigned j = 0; j < n_rounds; j++) {
        fr_mul(&t, &k[n_rounds - 1 - j], &power);
        for (size_t i = 0; i < (size_t)1 << j; i++) {
            fr_mul(&out[((size_t)1 << j) + i], &out[i], &t);
        }
        fr_sqr(&power, &power);
    }
}

/* Coefficients of (f(x) - f(z)) / (x - z), n - 1 of them, from the n of f. */
static void divide(fr_plain *q, const fr *f, size_t n, const fr *z) {
    fr t = FR_ZERO;
    for (size_t i = n - 1; i > 0; i--) {
        fr_mul(&t, &t, z);
        fr_add(&t, &t, &f[i]);
        fr_to_plain(&q[i - 1], &t);
    }
}

/* The quotients of the key polynomials at z, committed. */
static cuzk_status open_keys(const cuzk_ctx *ctx, aggregate_proof *proof, folding *f,
                             const aggregate_srs *srs, const aggregate_challenges *ch,
                             cuzk_error *err) {
    const size_t n = f->n;
    const fr one = FR_ONE;
    const g2_affine *h[2] = {srs->ha, srs->hb};
    const g1_affine *g[2] = {srs->ga, srs->gb};
    cuzk_status status = CUZK_OK;
    key_polynomial(f->polynomial, 0, ch->c_inv, proof->n_rounds, &one);
    divide(f->k, f->polynomial, n, &ch->z);
    for (int i = 0; i < 2 && status == CUZK_OK; i++) {
        g2_jac t;
        status = cuzk_msm_g2(ctx, &t, h[i], f->k, n - 1, err);
        if (status == CUZK_OK) {
            cuzk_g2_jac_to_affine(&proof->v_opening[i], &t);
        }
    }
    fr r_inv;
    cuzk_fr_inv(&r_inv, &ch->r);
    key_polynomial(f->polynomial, n, ch->c, proof->n_rounds, &r_inv);
    divide(f->k, f->polynomial, 2 * n, &ch->z);
    for (int i = 0; i < 2 && status == CUZK_OK; i++) {
        g1_jac t;
        status = cuzk_msm_g1(ctx, &t, g[i], f->k, 2 * n - 1, err);
        if (status == CUZK_OK) {
            cuzk_g1_jac_to_affine(&proof->w_opening[i], &t);
        }
    }
    return status;
}

static void take_final(aggregate_proof *proof, const folding *f) {
    proof->a = f->a[0];
    proof->b = f->b[0];
    proof->c = f->c[0];
    for (int i = 0; i < 2; i++) {
        proof->v[i] = f->v[i][0];
        proof->w[i] = f->w[i][0];
    }
}

static cuzk_status check_sizes(const aggregate_srs *srs, size_t n, cuzk_error *err) {
    if (!aggregate_count_is_possible(n)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT,
                         "the number of proofs to aggregate is a power of two, not %zu", n);
    }
    if (srs->n_ga < 2 * n || srs->n_gb < 2 * n || srs->n_ha < 2 * n || srs->n_hb < 2 * n) {
        return cuzk_fail(err, CUZK_E_BAD_PARAMS,
                         "aggregating %zu proofs takes an SRS of %zu powers, this one has %zu", n,
                         2 * n, srs->n_ga);
    }
    return CUZK_OK;
}

cuzk_status cuzk_aggregate_prove(const cuzk_ctx *ctx, aggregate_proof *proof,
                                 const aggregate_srs *srs, const groth16_proof *proofs, size_t n,
                                 aggregate_version version, const uint8_t *include,
                                 size_t include_len_bytes, cuzk_error *err) {
    cuzk_status status = check_sizes(srs, n, err);
    if (status != CUZK_OK) {
        return status;
    }
    folding f;
    aggregate_challenges ch;
    proof->n_proofs = n;
    proof->n_rounds = aggregate_rounds_of(n);
    status = folding_init(&f, srs, proofs, n, err);
    if (status == CUZK_OK) {
        status = commit(ctx, proof, &f, err);
    }
    if (status == CUZK_OK) {
        cuzk_aggregate_challenge_start(&ch, proof, include, include_len_bytes);
        status = apply_r(ctx, proof, &f, &ch.r, err);
    }
    for (unsigned i = 0; i < proof->n_rounds && status == CUZK_OK; i++) {
        const size_t half = n >> (i + 1);
        cuzk_ctx_progress(ctx, "aggregate", i, proof->n_rounds);
        status = round_messages(ctx, &proof->rounds[i], &f, half, err);
        if (status == CUZK_OK) {
            cuzk_aggregate_challenge_round(&ch, proof, i, version);
            status = fold(ctx, &f, half, &ch.c[i], &ch.c_inv[i], err);
        }
    }
    if (status == CUZK_OK) {
        take_final(proof, &f);
        cuzk_aggregate_challenge_end(&ch, proof, version);
        status = open_keys(ctx, proof, &f, srs, &ch, err);
    }
    folding_clear(&f);
    return status;
}
