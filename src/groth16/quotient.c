/* The quotient polynomial.
 *
 * The inverse transforms of a, b, c read rows where they lie; coefficients are in natural order,
 * values on the coset bit-reversed. With A' = N A and so on, without the factors 1/N:
 *
 *     A', B'           values on the coset, from the rows of a and b
 *     A' B' / 2^256    pointwise, a Montgomery product
 *     P                N times its coefficients: P = N^3 2^-256 (C + (7^N - 1) h)
 *     C'               from the rows of c
 *     h = P x_scale - C' y_scale */
#include "groth16/quotient.h"

#include <string.h>

#include "field/field_kernels.h"
#include "groth16/row_source.h"

/* ---- work on every element, in tasks of LINE_ELEMENTS ---- */

#define LINE_ELEMENTS ((size_t)1 << 14)
/* What stays in the first-level cache between two steps. */
#define PIECE_ELEMENTS ((size_t)1 << 8)

typedef struct line_job {
    const field_kernels *kernels;
    fr_plain *x;
    fr_plain *y;
    size_t n;
    fr x_scale, y_scale;
} line_job;

static size_t line_length(const line_job *job, size_t from, size_t most) {
    return job->n - from < most ? job->n - from : most;
}

/* x = x y / 2^256 */
static void multiply_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    size_t from = index * LINE_ELEMENTS;
    (void)worker;
    fr *x = (fr *)job->x + from;
    job->kernels->fr_mul(x, x, (const fr *)job->y + from, line_length(job, from, LINE_ELEMENTS));
}

/* x = x x_scale - y y_scale; y is overwritten. A plain residue times a Montgomery constant is a
 * plain residue. */
static void combine_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    size_t first = index * LINE_ELEMENTS, end = first + line_length(job, first, LINE_ELEMENTS);
    (void)worker;
    for (size_t from = first; from < end; from += PIECE_ELEMENTS) {
        size_t n = end - from < PIECE_ELEMENTS ? end - from : PIECE_ELEMENTS;
        fr *x = (fr *)job->x + from, *y = (fr *)job->y + from;
        job->kernels->fr_scale(x, &job->x_scale, n);
        job->kernels->fr_scale(y, &job->y_scale, n);
        for (size_t i = 0; i < n; i++) {
            fr_sub(&x[i], &x[i], &y[i]);
        }
    }
}

static cuzk_status run_lines(const cuzk_ctx *ctx, cuzk_task_fn fn, line_job *job, cuzk_error *err) {
    job->kernels = cuzk_field_kernels();
    return cuzk_pool_run(ctx, (job->n + LINE_ELEMENTS - 1) / LINE_ELEMENTS, fn, job, err);
}

size_t cuzk_groth16_quotient_bytes(const cuzk_ctx *ctx, unsigned log2_n) {
    size_t transform = cuzk_ntt_bytes(ctx, log2_n), first = cuzk_ntt_source_bytes(ctx, log2_n);
    return cuzk_ntt_domain_bytes(log2_n) + (first > transform ? first : transform);
}

/* ---- constants of a domain ---- */

typedef struct quotient_constants {
    fr n_inverse;
    fr z_inverse;  /* 1 / (7^N - 1) */
    fr montgomery; /* 2^256: undoes the factor of a product of two plain residues */
} quotient_constants;

static void find_constants(quotient_constants *q, unsigned log2_n) {
    const fr one = FR_ONE;
    fr t;
    fr_from_u64(&t, (uint64_t)1 << log2_n);
    cuzk_fr_inv(&q->n_inverse, &t);
    t = (fr){FR_GENERATOR_MONT};
    for (unsigned i = 0; i < log2_n; i++) {
        fr_sqr(&t, &t);
    }
    fr_sub(&t, &t, &one);
    cuzk_fr_inv(&q->z_inverse, &t);
    q->montgomery = (fr){FR_R2};
}

/* ---- the fast form ---- */

/* x = N times the coefficients of the polynomial with the rows' values on the domain. */
static cuzk_status coefficients(const cuzk_ctx *ctx, fr_plain *x, r1cs_side side,
                                const ntt_domain *domain, const r1cs_assignment *w,
                                cuzk_error *err) {
    row_source rows;
    cuzk_row_source_init(&rows, w, side);
    return cuzk_ntt_source(ctx, domain, x, &rows.source, NTT_INVERSE_TIMES_N, err);
}

/* x = N times that polynomial's values on the coset, bit-reversed. */
static cuzk_status values_on_coset(const cuzk_ctx *ctx, fr_plain *x, r1cs_side side,
                                   const ntt_domain *domain, const r1cs_assignment *w,
                                   cuzk_error *err) {
    cuzk_status status = coefficients(ctx, x, side, domain, w, err);
    if (status == CUZK_OK) {
        status = cuzk_ntt(ctx, domain, x, NTT_COSET, NTT_OUT_REORDERED, err);
    }
    return status;
}

cuzk_status cuzk_groth16_quotient(const cuzk_ctx *ctx, fr_plain *h, fr_plain *work,
                                  const ntt_domain *domain, const r1cs_assignment *w,
                                  cuzk_error *err) {
    unsigned log2_n = cuzk_ntt_domain_log2(domain);
    quotient_constants q;
    find_constants(&q, log2_n);
    line_job job = {.x = h, .y = work, .n = (size_t)1 << log2_n};
    fr_mul(&job.y_scale, &q.n_inverse, &q.z_inverse);
    fr_mul(&job.x_scale, &job.y_scale, &q.n_inverse);
    fr_mul(&job.x_scale, &job.x_scale, &q.n_inverse);
    fr_mul(&job.x_scale, &job.x_scale, &q.montgomery);

    cuzk_status status = values_on_coset(ctx, h, R1CS_A, domain, w, err);
    if (status == CUZK_OK) {
        status = values_on_coset(ctx, work, R1CS_B, domain, w, err);
    }
    if (status == CUZK_OK) {
        status = run_lines(ctx, multiply_task, &job, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt(ctx, domain, h, NTT_COSET_INVERSE_TIMES_N, NTT_IN_REORDERED, err);
    }
    if (status == CUZK_OK) {
        status = coefficients(ctx, work, R1CS_C, domain, w, err);
    }
    if (status == CUZK_OK) {
        status = run_lines(ctx, combine_task, &job, err);
    }
    if (status == CUZK_OK && !fr_plain_is_zero(&h[job.n - 1])) {
        status =
            cuzk_fail(err, CUZK_E_INCONSISTENT,
                      "the assignment does not satisfy the circuit: the quotient's coefficient of "
                      "degree N - 1 is not 0");
    }
    return status;
}

/* ---- the reference ---- */

cuzk_status cuzk_groth16_quotient_reference(const cuzk_ctx *ctx, fr_plain *h, fr_plain *a,
                                            fr_plain *b, fr_plain *c, const ntt_domain *domain,
                                            cuzk_error *err) {
    unsigned log2_n = cuzk_ntt_domain_log2(domain);
    size_t n = (size_t)1 << log2_n;
    quotient_constants q;
    find_constants(&q, log2_n);
    fr_plain *const sides[] = {a, b, c};
    cuzk_status status = CUZK_OK;
    for (int i = 0; i < 3 && status == CUZK_OK; i++) {
        status = cuzk_ntt(ctx, domain, sides[i], NTT_INVERSE, NTT_NATURAL, err);
        if (status == CUZK_OK) {
            status = cuzk_ntt(ctx, domain, sides[i], NTT_COSET, NTT_NATURAL, err);
        }
    }
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        fr x, y, z;
        fr_from_plain(&x, &a[i]);
        fr_from_plain(&y, &b[i]);
        fr_from_plain(&z, &c[i]);
        fr_mul(&x, &x, &y);
        fr_sub(&x, &x, &z);
        fr_mul(&x, &x, &q.z_inverse);
        fr_to_plain(&a[i], &x);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt(ctx, domain, a, NTT_COSET_INVERSE, NTT_NATURAL, err);
    }
    if (status == CUZK_OK && h != a) {
        memcpy(h, a, n * sizeof *h);
    }
    return status;
}
