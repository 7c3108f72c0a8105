/* Proofs made with a test key, checked by scalars: the logarithms of A, B and C are sums of known
 * logarithms times the values, and h is checked against the rows at one point. */
#include "base/bytes.h"
#include "base/entropy.h"
#include "field/field_kernels.h"
#include "groth16/lagrange.h"
#include "groth16/quotient.h"
#include "groth16/test_key_internal.h"

/* Values handled at once. */
#define CHECK_BLOCK LAGRANGE_BLOCK

/* ---- sums over the points of a section ---- */

/* sum_i (row[i / GRID_COLUMNS] + column[i % GRID_COLUMNS]) v_i, fed in order of points: values add
 * up by row and by column, so that a value costs two additions. */
typedef struct log_sum {
    const fr *row_logs, *column_logs;
    size_t row, column;
    fr_plain of_row, total; /* total: of the rows that are done */
    fr_plain columns[GRID_COLUMNS];
} log_sum;

static void log_sum_end_row(log_sum *s) {
    fr_plain product;
    fr_mul_plain(&product, &s->row_logs[s->row++], &s->of_row);
    fr_plain_add(&s->total, &s->total, &product);
    s->of_row = (fr_plain){{0}};
    s->column = 0;
}

static void log_sum_add(log_sum *s, const fr_plain *v) {
    if (s->column == GRID_COLUMNS) {
        log_sum_end_row(s);
    }
    if (!fr_plain_is_zero(v)) {
        fr_plain_add(&s->of_row, &s->of_row, v);
        fr_plain_add(&s->columns[s->column], &s->columns[s->column], v);
    }
    s->column++;
}

static void log_sum_end(log_sum *s, fr *value) {
    log_sum_end_row(s);
    for (size_t i = 0; i < GRID_COLUMNS; i++) {
        fr_plain product;
        fr_mul_plain(&product, &s->column_logs[i], &s->columns[i]);
        fr_plain_add(&s->total, &s->total, &product);
    }
    fr_from_plain(value, &s->total);
}

/* ---- the check ---- */

typedef struct checker {
    const groth16_test_key *key;
    const cuzk_ctx *ctx;
    const r1cs_densities *d;
    const r1cs_assignment *w;
    log_sum *sums;                             /* h, l, a, b */
    fr_plain *values, *more_values, *products; /* CHECK_BLOCK each */
    fr *lagrange_values;
    fr_plain *h, *work; /* domain */
    fr log[GROTH16_B_G2];
} checker;

static cuzk_status check_cancelled(const checker *c, cuzk_error *err) {
    return cuzk_ctx_cancelled(c->ctx) ? cuzk_fail(err, CUZK_E_CANCELLED, "cancelled") : CUZK_OK;
}

static bool is_dense(const bit_vector *density, uint64_t i) {
    return density->words[i / 64] >> (i % 64) & 1;
}

/* The sections l, a, b: inputs first, then aux variables, each where its density says. */
static cuzk_status sum_witness(checker *c, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < c->w->n_inputs; i++) {
        log_sum_add(&c->sums[GROTH16_A], &c->w->inputs[i]);
        if (is_dense(&c->d->b_input, i)) {
            log_sum_add(&c->sums[GROTH16_B_G1], &c->w->inputs[i]);
        }
    }
    for (uint64_t first = 0; status == CUZK_OK && first < c->w->n_aux; first += CHECK_BLOCK) {
        const uint64_t left = c->w->n_aux - first;
        const size_t n = left < CHECK_BLOCK ? (size_t)left : CHECK_BLOCK;
        cuzk_r1cs_aux_expand(c->w, first, n, c->values);
        for (size_t i = 0; i < n; i++) {
            log_sum_add(&c->sums[GROTH16_L], &c->values[i]);
            if (is_dense(&c->d->a_aux, first + i)) {
                log_sum_add(&c->sums[GROTH16_A], &c->values[i]);
            }
            if (is_dense(&c->d->b_aux, first + i)) {
                log_sum_add(&c->sums[GROTH16_B_G1], &c->values[i]);
            }
        }
        cuzk_ctx_progress(c->ctx, "check", first + n, c->w->n_aux);
        status = check_cancelled(c, err);
    }
    return status;
}

static cuzk_status make_quotient(checker *c, cuzk_error *err) {
    ntt_domain *domain;
    cuzk_status status = cuzk_ntt_domain_create(&domain, c->ctx, c->key->pk.dims.log2_domain, err);
    if (status == CUZK_OK) {
        status = cuzk_groth16_quotient(c->ctx, c->h, c->work, domain, c->w, err);
        cuzk_ntt_domain_destroy(domain);
    }
    return status;
}

static void sum_h(checker *c) {
    for (uint64_t i = 0; i < c->key->pk.dims.n_h; i++) {
        log_sum_add(&c->sums[GROTH16_H], &c->h[i]);
    }
}

/* *sum += sum_i values[i] weights[i]; values are overwritten. */
static void weigh(fr_plain *sum, fr_plain *values, const fr *weights, size_t n) {
    cuzk_field_kernels()->fr_mul((fr *)values, (const fr *)values, weights, n);
    for (size_t i = 0; i < n; i++) {
        fr_plain_add(sum, sum, &values[i]);
    }
}

/* a(x), b(x), c(x) of the polynomials that have the rows as values on the domain. */
static cuzk_status evaluate_rows(checker *c, fr value[3], const fr *x, cuzk_error *err) {
    lagrange l;
    fr_plain sum[3] = {{{0}}};
    cuzk_status status = CUZK_OK;
    cuzk_lagrange_init(&l, c->ctx, x, c->key->pk.dims.log2_domain, c->lagrange_values);
    for (uint64_t first = 0; status == CUZK_OK && first < c->w->n_rows; first += CHECK_BLOCK) {
        const uint64_t left = c->w->n_rows - first;
        const size_t n = left < CHECK_BLOCK ? (size_t)left : CHECK_BLOCK;
        status = cuzk_lagrange_seek(&l, first, err);
        if (status == CUZK_OK) {
            cuzk_r1cs_rows_expand(c->w, R1CS_A, first, n, c->values);
            cuzk_r1cs_rows_expand(c->w, R1CS_B, first, n, c->more_values);
            /* of plain residues: a b / 2^256 */
            cuzk_field_kernels()->fr_mul((fr *)c->products, (const fr *)c->values,
                                         (const fr *)c->more_values, n);
            weigh(&sum[0], c->values, l.values, n);
            weigh(&sum[1], c->more_values, l.values, n);
            weigh(&sum[2], c->products, l.values, n);
        }
    }
    for (int i = 0; i < 3; i++) {
        fr_from_plain(&value[i], &sum[i]);
    }
    fr_from_plain(&value[2], (const fr_plain *)&value[2]); /* times 2^256 */
    return status;
}

static void evaluate_quotient(const checker *c, fr *value, const fr *x) {
    fr_plain h = {{0}};
    for (uint64_t i = c->key->pk.dims.n_h; i-- > 0;) {
        fr_mul_plain(&h, x, &h);
        fr_plain_add(&h, &h, &c->h[i]);
    }
    fr_from_plain(value, &h);
}

/* x: 31 random bytes. */
static cuzk_status draw_point(fr *x, cuzk_error *err) {
    uint8_t bytes[FR_BYTES] = {0};
    cuzk_status status = cuzk_entropy(bytes, sizeof bytes - 1, err);
    CUZK_ASSERT(cuzk_fr_read_le(x, bytes));
    return status;
}

static cuzk_status check_quotient(checker *c, cuzk_error *err) {
    fr x, rows[3], h, z;
    cuzk_status status = draw_point(&x, err);
    if (status == CUZK_OK) {
        status = evaluate_rows(c, rows, &x, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    evaluate_quotient(c, &h, &x);
    cuzk_vanishing_at(&z, &x, c->key->pk.dims.log2_domain);
    fr_mul(&h, &h, &z);
    fr_mul(&rows[0], &rows[0], &rows[1]);
    fr_sub(&rows[0], &rows[0], &rows[2]);
    return fr_eq(&h, &rows[0])
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_PROOF_INVALID, "the quotient does not divide a b - c");
}

static bool g1_has_log(const g1_affine *p, const fr *log) {
    fr_plain k;
    g1_jac generator, expected, got;
    fr_to_plain(&k, log);
    g1_jac_from_affine(&generator, &cuzk_g1_generator);
    cuzk_g1_jac_mul(&expected, &generator, &k);
    g1_jac_from_affine(&got, p);
    return cuzk_g1_jac_eq(&expected, &got);
}

static bool g2_has_log(const g2_affine *p, const fr *log) {
    fr_plain k;
    g2_jac generator, expected, got;
    fr_to_plain(&k, log);
    g2_jac_from_affine(&generator, &cuzk_g2_generator);
    cuzk_g2_jac_mul(&expected, &generator, &k);
    g2_jac_from_affine(&got, p);
    return cuzk_g2_jac_eq(&expected, &got);
}

/* A = alpha + a + r delta, B = beta + b + s delta, C = h + l + s A + r B - r s delta. */
static cuzk_status check_elements(const checker *c, const groth16_proof *proof,
                                  const fr_plain *r_plain, const fr_plain *s_plain,
                                  cuzk_error *err) {
    fr r, s, a, b, sum, t;
    fr_from_plain(&r, r_plain);
    fr_from_plain(&s, s_plain);
    fr_mul(&t, &r, &c->key->delta);
    fr_add(&a, &c->key->alpha, &c->log[GROTH16_A]);
    fr_add(&a, &a, &t);
    fr_mul(&t, &s, &c->key->delta);
    fr_add(&b, &c->key->beta, &c->log[GROTH16_B_G1]);
    fr_add(&b, &b, &t);
    fr_mul(&t, &t, &r);
    fr_add(&sum, &c->log[GROTH16_H], &c->log[GROTH16_L]);
    fr_sub(&sum, &sum, &t);
    fr_mul(&t, &s, &a);
    fr_add(&sum, &sum, &t);
    fr_mul(&t, &r, &b);
    fr_add(&sum, &sum, &t);
    const char *wrong = !g1_has_log(&proof->a, &a)     ? "A"
                        : !g2_has_log(&proof->b, &b)   ? "B"
                        : !g1_has_log(&proof->c, &sum) ? "C"
                                                       : NULL;
    return wrong == NULL ? CUZK_OK
                         : cuzk_fail(err, CUZK_E_PROOF_INVALID,
                                     "element %s is not the sum of the known logarithms", wrong);
}

static cuzk_status run(checker *c, const groth16_proof *proof, const fr_plain *r, const fr_plain *s,
                       cuzk_error *err) {
    cuzk_status status = sum_witness(c, err);
    if (status == CUZK_OK) {
        status = make_quotient(c, err);
    }
    if (status == CUZK_OK) {
        status = check_quotient(c, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    sum_h(c);
    for (int i = GROTH16_H; i < GROTH16_B_G2; i++) {
        log_sum_end(&c->sums[i], &c->log[i]);
    }
    return check_elements(c, proof, r, s, err);
}

cuzk_status cuzk_groth16_test_key_check(const groth16_test_key *key, const cuzk_ctx *ctx,
                                        const groth16_proof *proof, const r1cs_densities *densities,
                                        const r1cs_assignment *w, const fr_plain *r,
                                        const fr_plain *s, cuzk_error *err) {
    cuzk_status status = cuzk_groth16_key_fits(&key->pk.dims, densities, err);
    if (status != CUZK_OK) {
        return status;
    }
    const size_t n_domain = (size_t)1 << key->pk.dims.log2_domain;
    cuzk_block block;
    status = cuzk_block_alloc(&block, ctx->account,
                              scratch_need(GROTH16_B_G2, sizeof(log_sum)) +
                                  4 * scratch_need(CHECK_BLOCK, sizeof(fr)) +
                                  2 * scratch_need(n_domain, sizeof(fr_plain)),
                              "the check of a test proof", err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(&block);
    checker c = {.key = key, .ctx = ctx, .d = densities, .w = w};
    c.sums = scratch_take(&scratch, GROTH16_B_G2, sizeof(log_sum));
    c.values = scratch_take(&scratch, CHECK_BLOCK, sizeof(fr_plain));
    c.more_values = scratch_take(&scratch, CHECK_BLOCK, sizeof(fr_plain));
    c.products = scratch_take(&scratch, CHECK_BLOCK, sizeof(fr_plain));
    c.lagrange_values = scratch_take(&scratch, CHECK_BLOCK, sizeof(fr));
    c.h = scratch_take(&scratch, n_domain, sizeof(fr_plain));
    c.work = scratch_take(&scratch, n_domain, sizeof(fr_plain));
    for (int i = GROTH16_H; i < GROTH16_B_G2; i++) {
        c.sums[i].row_logs = key->row_logs[i];
        c.sums[i].column_logs = key->column_logs;
    }
    status = run(&c, proof, r, s, err);
    cuzk_block_free(&block);
    return status;
}
