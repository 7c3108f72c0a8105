/* The quotient polynomial. */
#include "groth16/quotient.h"

#include <string.h>

#include "ntt/ntt_kernels.h"

#define LINE_ELEMENTS ((size_t)1 << 14)

/* ---- elementwise work, in tasks of LINE_ELEMENTS ---- */

typedef struct line_job {
    const ntt_kernels *kernels;
    const r1cs_assignment *w;
    r1cs_side side;
    fr_plain *x;
    const fr_plain *a;
    size_t n;
    const fr *factor;
} line_job;

static size_t line_length(const line_job *job, size_t from) {
    return job->n - from < LINE_ELEMENTS ? job->n - from : LINE_ELEMENTS;
}

static void expand_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    size_t from = index * LINE_ELEMENTS;
    (void)worker;
    cuzk_r1cs_rows_expand(job->w, job->side, from, line_length(job, from), job->x + from);
}

static void multiply_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    size_t from = index * LINE_ELEMENTS;
    (void)worker;
    job->kernels->multiply(job->x + from, job->x + from, job->a + from, line_length(job, from));
}

static void subtract_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    size_t from = index * LINE_ELEMENTS;
    (void)worker;
    job->kernels->subtract(job->x + from, job->a + from, line_length(job, from));
}

static void factor_task(void *arg, size_t index, unsigned worker) {
    const line_job *job = arg;
    const fr one = FR_ONE;
    size_t from = index * LINE_ELEMENTS;
    (void)worker;
    job->kernels->scale(job->x + from, job->factor, &one, line_length(job, from));
}

static cuzk_status run_lines(const cuzk_ctx *ctx, cuzk_task_fn fn, line_job *job, cuzk_error *err) {
    job->kernels = cuzk_ntt_kernels();
    return cuzk_pool_run(ctx, (job->n + LINE_ELEMENTS - 1) / LINE_ELEMENTS, fn, job, err);
}

size_t cuzk_groth16_quotient_bytes(const cuzk_ctx *ctx, unsigned log2_n) {
    return cuzk_ntt_domain_bytes(log2_n) + cuzk_ntt_bytes(ctx, log2_n);
}

/* ---- constants of a domain ---- */

typedef struct quotient_constants {
    fr one, coset, coset_inverse, n_inverse;
    fr montgomery; /* 2^256 in Montgomery form: undoes the factor of a product of two plain residues
                    */
    fr z_inverse;  /* 1 / (7^N - 1) */
} quotient_constants;

static void find_constants(quotient_constants *q, unsigned log2_n) {
    const fr r2 = {FR_R2};
    fr t;
    q->one = FR_ONE;
    q->coset = (fr){FR_GENERATOR_MONT};
    cuzk_fr_inv(&q->coset_inverse, &q->coset);
    fr_from_u64(&t, (uint64_t)1 << log2_n);
    cuzk_fr_inv(&q->n_inverse, &t);
    q->montgomery = r2;
    t = q->coset;
    for (unsigned i = 0; i < log2_n; i++) {
        fr_sqr(&t, &t);
    }
    fr_sub(&t, &t, &q->one);
    cuzk_fr_inv(&q->z_inverse, &t);
}

/* ---- the fast form ---- */

/* x = values on the coset of the polynomial with the values of `side` on the domain. */
static cuzk_status side_on_coset(const cuzk_ctx *ctx, fr_plain *x, r1cs_side side,
                                 const ntt_domain *domain, const quotient_constants *q,
                                 const r1cs_assignment *w, cuzk_error *err) {
    line_job job = {.w = w, .side = side, .x = x, .n = (size_t)1 << cuzk_ntt_domain_log2(domain)};
    cuzk_status status = run_lines(ctx, expand_task, &job, err);
    if (status == CUZK_OK) {
        status =
            cuzk_ntt_scaled(ctx, domain, x, true, NTT_OUT_REORDERED, &q->n_inverse, &q->coset, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt_scaled(ctx, domain, x, false, NTT_IN_REORDERED, &q->one, &q->one, err);
    }
    return status;
}

cuzk_status cuzk_groth16_quotient(const cuzk_ctx *ctx, fr_plain *h, fr_plain *work,
                                  const ntt_domain *domain, const r1cs_assignment *w,
                                  cuzk_error *err) {
    unsigned log2_n = cuzk_ntt_domain_log2(domain);
    size_t n = (size_t)1 << log2_n;
    quotient_constants q;
    fr product_scale, c_scale;
    find_constants(&q, log2_n);
    fr_mul(&c_scale, &q.n_inverse, &q.z_inverse);
    fr_mul(&product_scale, &c_scale, &q.montgomery);

    cuzk_status status = side_on_coset(ctx, h, R1CS_A, domain, &q, w, err);
    if (status == CUZK_OK) {
        status = side_on_coset(ctx, work, R1CS_B, domain, &q, w, err);
    }
    if (status == CUZK_OK) {
        line_job job = {.x = h, .a = work, .n = n};
        status = run_lines(ctx, multiply_task, &job, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt_scaled(ctx, domain, h, true, NTT_NATURAL, &product_scale,
                                 &q.coset_inverse, err);
    }
    if (status == CUZK_OK) {
        line_job job = {.w = w, .side = R1CS_C, .x = work, .n = n};
        status = run_lines(ctx, expand_task, &job, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt_scaled(ctx, domain, work, true, NTT_NATURAL, &c_scale, &q.one, err);
    }
    if (status == CUZK_OK) {
        line_job job = {.x = h, .a = work, .n = n};
        status = run_lines(ctx, subtract_task, &job, err);
    }
    if (status == CUZK_OK && !fr_plain_is_zero(&h[n - 1])) {
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
    line_job product = {.x = a, .a = b, .n = n};
    line_job restore = {.x = a, .n = n, .factor = &q.montgomery};
    line_job difference = {.x = a, .a = c, .n = n};
    line_job divide = {.x = a, .n = n, .factor = &q.z_inverse};
    if (status == CUZK_OK) {
        status = run_lines(ctx, multiply_task, &product, err);
    }
    if (status == CUZK_OK) {
        status = run_lines(ctx, factor_task, &restore, err);
    }
    if (status == CUZK_OK) {
        status = run_lines(ctx, subtract_task, &difference, err);
    }
    if (status == CUZK_OK) {
        status = run_lines(ctx, factor_task, &divide, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_ntt(ctx, domain, a, NTT_COSET_INVERSE, NTT_NATURAL, err);
    }
    if (status == CUZK_OK && h != a) {
        memcpy(h, a, n * sizeof *h);
    }
    return status;
}
