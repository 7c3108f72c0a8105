/* Trusted setup, groth16.md 3.1. Never holds the matrices: every pass synthesises the circuit,
 * weighs each row with its Lagrange value and adds it to one accumulator a variable. Passes: count;
 * K = beta u + alpha v + w; u; v. */
#include "groth16/setup.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "base/entropy.h"
#include "field/field_kernels.h"
#include "groth16/lagrange.h"
#include "groth16/random_point.h"
#include "msm/fixed_base.h"

/* Points made and handed to the sink at once. */
#define SETUP_CHUNK ((size_t)1 << 16)
/* Largest domain, as the reference's. */
#define SETUP_MAX_LOG2 31

void cuzk_fr_random(fr *r, const rng_source *rng) {
    uint8_t bytes[FR_BYTES];
    do {
        for (int i = 0; i < 4; i++) {
            uint64_t word = rng->next_u64(rng->self);
            store_le64(bytes + 8 * i, i < 3 ? word : word & (UINT64_MAX >> 1));
        }
    } while (!cuzk_fr_read_le(r, bytes));
    cuzk_wipe(bytes, sizeof bytes);
}

void cuzk_groth16_toxic_draw(groth16_toxic *toxic, const rng_source *rng) {
    cuzk_g1_random(&toxic->g1, rng);
    cuzk_g2_random(&toxic->g2, rng);
    cuzk_fr_random(&toxic->alpha, rng);
    cuzk_fr_random(&toxic->beta, rng);
    cuzk_fr_random(&toxic->gamma, rng);
    cuzk_fr_random(&toxic->delta, rng);
    cuzk_fr_random(&toxic->tau, rng);
}

typedef struct setup {
    const cuzk_ctx *ctx;
    const groth16_sink *sink;
    const r1cs_circuit *circuit;
    const groth16_toxic *toxic;
    r1cs_dims dims;
    fr *sums; /* one for each input, then one for each aux variable */
    lagrange lagrange;
    fixed_base_g1 *g1;
    fixed_base_g2 *g2;
    fr *values; /* SETUP_CHUNK: the multiples being made */
    fr_plain *multiples;
    g1_affine *g1_points;
    g2_affine *g2_points;
} setup;

/* ---- passes over the rows ---- */

/* How a row's combinations count: sums += factor[side] L_row side. NULL: not at all. */
typedef struct row_weights {
    setup *s;
    const fr *factor[3]; /* R1CS_A, R1CS_B, R1CS_C */
} row_weights;

/* sums[variable] += coefficient * weight for every term. */
static void add_combination(setup *s, lc_view lc, const r1cs_coeffs *coeffs, const fr *weight) {
    fr *const aux = s->sums + s->dims.n_inputs;
    fr twice, product;
    fr_dbl(&twice, weight);
    for (size_t i = 0; i < lc.n; i++) {
        const r1cs_var var = lc.terms[i].var;
        fr *sum = var & R1CS_INPUT ? s->sums + (var & ~R1CS_INPUT) : aux + var;
        switch (lc.terms[i].coeff) {
        case COEFF_ONE:
            fr_add(sum, sum, weight);
            break;
        case COEFF_MINUS_ONE:
            fr_sub(sum, sum, weight);
            break;
        case COEFF_TWO:
            fr_add(sum, sum, &twice);
            break;
        case COEFF_MINUS_TWO:
            fr_sub(sum, sum, &twice);
            break;
        default:
            fr_mul(&product, &coeffs->values[lc.terms[i].coeff], weight);
            fr_add(sum, sum, &product);
            break;
        }
    }
}

static cuzk_status weigh_row(void *arg, uint64_t index, const r1cs_row *row,
                             const r1cs_coeffs *coeffs, cuzk_error *err) {
    const row_weights *weights = arg;
    const fr *value;
    cuzk_status status = lagrange_value(&weights->s->lagrange, index, &value, err);
    if (status != CUZK_OK) {
        return status;
    }
    const lc_view side[3] = {row->a, row->b, row->c};
    for (int i = 0; i < 3; i++) {
        if (weights->factor[i] != NULL && side[i].n > 0) {
            fr weight;
            fr_mul(&weight, weights->factor[i], value);
            add_combination(weights->s, side[i], coeffs, &weight);
        }
    }
    return CUZK_OK;
}

static cuzk_status pass(setup *s, const fr *a, const fr *b, const fr *c, cuzk_error *err) {
    row_weights weights = {s, {a, b, c}};
    r1cs_dims dims;
    memset(s->sums, 0, (s->dims.n_inputs + s->dims.n_aux) * sizeof *s->sums);
    cuzk_status status = cuzk_r1cs_stream(s->ctx, s->circuit, weigh_row, &weights, &dims, err);
    if (status == CUZK_OK) {
        CUZK_ASSERT(dims.n_constraints == s->dims.n_constraints &&
                    dims.n_inputs == s->dims.n_inputs && dims.n_aux == s->dims.n_aux);
    }
    return status;
}

/* ---- multiples of the base points ---- */

enum { CONVERT_PART = 4096 };

typedef struct convert {
    const setup *s;
    const fr *scale;
    size_t n;
} convert;

static void convert_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const convert *job = arg;
    const size_t from = index * CONVERT_PART;
    const size_t n = job->n - from < CONVERT_PART ? job->n - from : CONVERT_PART;
    if (job->scale != NULL) {
        cuzk_field_kernels()->fr_scale(job->s->values + from, job->scale, n);
    }
    cuzk_field_kernels()->fr_to_plain(job->s->multiples + from, job->s->values + from, n);
}

/* multiples[i] = scale values[i]; scale NULL: 1. */
static cuzk_status make_multiples(setup *s, const fr *scale, size_t n, cuzk_error *err) {
    convert job = {s, scale, n};
    return cuzk_pool_run(s->ctx, (n + CONVERT_PART - 1) / CONVERT_PART, convert_part, &job, err);
}

/* Hands on [scale values[i]] base for n values of a section. */
static cuzk_status emit(setup *s, groth16_section section, const fr *scale, size_t n,
                        cuzk_error *err) {
    cuzk_status status = make_multiples(s, scale, n, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (section == GROTH16_B_G2) {
        status = cuzk_fixed_base_g2_mul(s->g2, s->ctx, s->g2_points, s->multiples, n, err);
        return status == CUZK_OK ? s->sink->g2(s->sink->self, s->g2_points, n, err) : status;
    }
    status = cuzk_fixed_base_g1_mul(s->g1, s->ctx, s->g1_points, s->multiples, n, err);
    return status == CUZK_OK ? s->sink->g1(s->sink->self, s->g1_points, n, err) : status;
}

static const char *section_phase(groth16_section section) {
    static const char *const phases[GROTH16_SECTIONS] = {"setup h", "setup l", "setup a",
                                                         "setup b_g1", "setup b_g2"};
    return phases[section];
}

/* [tau^i (tau^N - 1) / delta] G1, i = 0 .. N - 2 */
static cuzk_status emit_h(setup *s, const fr *delta_inv, cuzk_error *err) {
    const uint64_t n_points = ((uint64_t)1 << s->dims.log2_domain) - 1;
    fr first;
    cuzk_vanishing_at(&first, &s->toxic->tau, s->dims.log2_domain);
    fr_mul(&first, &first, delta_inv);
    cuzk_status status = s->sink->section(s->sink->self, GROTH16_H, n_points, err);
    for (uint64_t done = 0; status == CUZK_OK && done < n_points;) {
        size_t n = n_points - done < SETUP_CHUNK ? (size_t)(n_points - done) : SETUP_CHUNK;
        cuzk_field_kernels()->fr_powers(s->values, &first, &s->toxic->tau, n);
        fr_mul(&first, &s->values[n - 1], &s->toxic->tau);
        status = emit(s, GROTH16_H, NULL, n, err);
        done += n;
        cuzk_ctx_progress(s->ctx, section_phase(GROTH16_H), done, n_points);
    }
    return status;
}

/* [scale sum] base for the sums that are not zero, in order. */
static cuzk_status emit_sums(setup *s, groth16_section section, const fr *sums, uint64_t n_sums,
                             const fr *scale, cuzk_error *err) {
    uint64_t n_points = 0;
    for (uint64_t i = 0; i < n_sums; i++) {
        n_points += !fr_is_zero(&sums[i]);
    }
    cuzk_status status = s->sink->section(s->sink->self, section, n_points, err);
    for (uint64_t i = 0; status == CUZK_OK && i < n_sums;) {
        size_t n = 0;
        for (; i < n_sums && n < SETUP_CHUNK; i++) {
            if (!fr_is_zero(&sums[i])) {
                s->values[n++] = sums[i];
            }
        }
        if (n > 0) {
            status = emit(s, section, scale, n, err);
        }
        cuzk_ctx_progress(s->ctx, section_phase(section), i, n_sums);
    }
    return status;
}

/* ---- the verifying key ---- */

static cuzk_status make_ic(setup *s, g1_affine *ic, const fr *gamma_inv, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (uint64_t done = 0; status == CUZK_OK && done < s->dims.n_inputs;) {
        size_t n =
            s->dims.n_inputs - done < SETUP_CHUNK ? (size_t)(s->dims.n_inputs - done) : SETUP_CHUNK;
        memcpy(s->values, s->sums + done, n * sizeof *s->values);
        status = make_multiples(s, gamma_inv, n, err);
        if (status == CUZK_OK) {
            status = cuzk_fixed_base_g1_mul(s->g1, s->ctx, ic + done, s->multiples, n, err);
        }
        done += n;
    }
    return status;
}

static cuzk_status make_fixed_points(setup *s, groth16_vk *vk, cuzk_error *err) {
    const groth16_toxic *t = s->toxic;
    const fr *const of_g1[3] = {&t->alpha, &t->beta, &t->delta};
    const fr *const of_g2[3] = {&t->beta, &t->gamma, &t->delta};
    fr_plain k1[3], k2[3];
    g1_affine p[3];
    g2_affine q[3];
    for (int i = 0; i < 3; i++) {
        fr_to_plain(&k1[i], of_g1[i]);
        fr_to_plain(&k2[i], of_g2[i]);
    }
    cuzk_status status = cuzk_fixed_base_g1_mul(s->g1, s->ctx, p, k1, 3, err);
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g2_mul(s->g2, s->ctx, q, k2, 3, err);
    }
    if (status == CUZK_OK) {
        vk->alpha_g1 = p[0];
        vk->beta_g1 = p[1];
        vk->delta_g1 = p[2];
        vk->beta_g2 = q[0];
        vk->gamma_g2 = q[1];
        vk->delta_g2 = q[2];
    }
    cuzk_wipe(k1, sizeof k1);
    cuzk_wipe(k2, sizeof k2);
    return status;
}

static cuzk_status emit_vk(setup *s, const fr *gamma_inv, cuzk_error *err) {
    groth16_vk vk = {.n_ic = (size_t)s->dims.n_inputs};
    cuzk_block block;
    cuzk_status status =
        cuzk_block_alloc(&block, s->ctx->account, vk.n_ic * sizeof *vk.ic, "verifying key", err);
    vk.ic = block.data;
    if (status == CUZK_OK) {
        status = make_fixed_points(s, &vk, err);
    }
    if (status == CUZK_OK) {
        status = make_ic(s, vk.ic, gamma_inv, err);
    }
    if (status == CUZK_OK) {
        status = s->sink->vk(s->sink->self, &vk, err);
    }
    cuzk_block_free(&block);
    return status;
}

/* ---- the whole ---- */

/* A variable of no constraint, or one whose polynomials cancel at tau, leaves the key unsound. */
static cuzk_status check_constrained(const setup *s, cuzk_error *err) {
    const fr *aux = s->sums + s->dims.n_inputs;
    for (uint64_t i = 0; i < s->dims.n_aux; i++) {
        if (fr_is_zero(&aux[i])) {
            return cuzk_fail(err, CUZK_E_INCONSISTENT, "aux variable %" PRIu64 " is unconstrained",
                             i);
        }
    }
    return CUZK_OK;
}

static cuzk_status make_key(setup *s, cuzk_error *err) {
    const groth16_toxic *t = s->toxic;
    const uint64_t n_inputs = s->dims.n_inputs, n_aux = s->dims.n_aux;
    const fr one = FR_ONE;
    fr gamma_inv, delta_inv;
    cuzk_fr_inv(&gamma_inv, &t->gamma);
    cuzk_fr_inv(&delta_inv, &t->delta);

    cuzk_status status = pass(s, &t->beta, &t->alpha, &one, err);
    if (status == CUZK_OK) {
        status = check_constrained(s, err);
    }
    if (status == CUZK_OK) {
        status = emit_vk(s, &gamma_inv, err);
    }
    if (status == CUZK_OK) {
        status = emit_h(s, &delta_inv, err);
    }
    if (status == CUZK_OK) {
        status = emit_sums(s, GROTH16_L, s->sums + n_inputs, n_aux, &delta_inv, err);
    }
    if (status == CUZK_OK) {
        status = pass(s, &one, NULL, NULL, err);
    }
    if (status == CUZK_OK) {
        status = emit_sums(s, GROTH16_A, s->sums, n_inputs + n_aux, NULL, err);
    }
    if (status == CUZK_OK) {
        status = pass(s, NULL, &one, NULL, err);
    }
    if (status == CUZK_OK) {
        status = emit_sums(s, GROTH16_B_G1, s->sums, n_inputs + n_aux, NULL, err);
    }
    if (status == CUZK_OK) {
        status = emit_sums(s, GROTH16_B_G2, s->sums, n_inputs + n_aux, NULL, err);
    }
    cuzk_wipe(&gamma_inv, sizeof gamma_inv);
    cuzk_wipe(&delta_inv, sizeof delta_inv);
    return status;
}

static cuzk_status count_row(void *arg, uint64_t index, const r1cs_row *row,
                             const r1cs_coeffs *coeffs, cuzk_error *err) {
    (void)arg;
    (void)index;
    (void)row;
    (void)coeffs;
    (void)err;
    return CUZK_OK;
}

static cuzk_status count(setup *s, cuzk_error *err) {
    if (fr_is_zero(&s->toxic->gamma) || fr_is_zero(&s->toxic->delta)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "gamma and delta of a setup must not be zero");
    }
    cuzk_status status = cuzk_r1cs_stream(s->ctx, s->circuit, count_row, NULL, &s->dims, err);
    if (status == CUZK_OK && s->dims.log2_domain > SETUP_MAX_LOG2) {
        status = cuzk_fail(err, CUZK_E_RANGE, "the circuit needs a domain of 2^%u, more than 2^%d",
                           s->dims.log2_domain, SETUP_MAX_LOG2);
    }
    return status;
}

static cuzk_status make_tables(setup *s, cuzk_error *err) {
    uint64_t n_g1 = ((uint64_t)1 << s->dims.log2_domain) + 3 * s->dims.n_aux;
    cuzk_status status = cuzk_fixed_base_g1_create(&s->g1, s->ctx, &s->toxic->g1, n_g1, err);
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g2_create(&s->g2, s->ctx, &s->toxic->g2, s->dims.n_aux, err);
    }
    return status;
}

/* Everything a setup holds besides the tables, in one block. */
static cuzk_status take_memory(setup *s, cuzk_block *block, cuzk_error *err) {
    const size_t n_variables = (size_t)(s->dims.n_inputs + s->dims.n_aux);
    size_t len = scratch_need(n_variables, sizeof *s->sums) +
                 scratch_need(LAGRANGE_BLOCK, sizeof(fr)) +
                 scratch_need(SETUP_CHUNK, sizeof *s->values) +
                 scratch_need(SETUP_CHUNK, sizeof *s->multiples) +
                 scratch_need(SETUP_CHUNK, sizeof *s->g1_points) +
                 scratch_need(SETUP_CHUNK, sizeof *s->g2_points);
    cuzk_status status = cuzk_block_alloc(block, s->ctx->account, len, "a setup", err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(block);
    s->sums = scratch_take(&scratch, n_variables, sizeof *s->sums);
    s->values = scratch_take(&scratch, SETUP_CHUNK, sizeof *s->values);
    s->multiples = scratch_take(&scratch, SETUP_CHUNK, sizeof *s->multiples);
    s->g1_points = scratch_take(&scratch, SETUP_CHUNK, sizeof *s->g1_points);
    s->g2_points = scratch_take(&scratch, SETUP_CHUNK, sizeof *s->g2_points);
    cuzk_lagrange_init(&s->lagrange, s->ctx, &s->toxic->tau, s->dims.log2_domain,
                       scratch_take(&scratch, LAGRANGE_BLOCK, sizeof(fr)));
    return CUZK_OK;
}

cuzk_status cuzk_groth16_setup(const cuzk_ctx *ctx, const groth16_sink *sink,
                               const r1cs_circuit *circuit, const groth16_toxic *toxic,
                               cuzk_error *err) {
    setup s = {.ctx = ctx, .sink = sink, .circuit = circuit, .toxic = toxic};
    cuzk_block block = {0};
    cuzk_status status = count(&s, err);
    if (status == CUZK_OK) {
        status = make_tables(&s, err);
    }
    if (status == CUZK_OK) {
        status = take_memory(&s, &block, err);
    }
    if (status == CUZK_OK) {
        status = make_key(&s, err);
    }
    cuzk_fixed_base_g1_destroy(s.g1);
    cuzk_fixed_base_g2_destroy(s.g2);
    cuzk_wipe(&s, sizeof s);
    cuzk_block_free(&block);
    return status;
}
