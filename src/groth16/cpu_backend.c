/* The CPU back end. start: h = (ab - c)/z for every proof, and one pass over l, a, b_g1, b_g2,
 * after which the assignments are no longer needed; finish: one pass over h. Where only some
 * quotients fit, start also passes over h for all but the last of them.
 *
 * The pass waits for the disk where the transforms compute, so with a key that is read ahead both
 * run at once, the pass on a thread of its own whose loops go first.
 *
 * A job reserves its peak from the caller's account at once and spends it
 * through an account of its own, so that nothing is refused midway. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/thread.h"
#include "groth16/quotient.h"
#include "groth16/section_sum.h"
#include "msm/msm.h"

typedef struct cpu_job {
    groth16_job base;
    cuzk_ctx ctx; /* the caller's, with the job's own account */
    cuzk_account *caller_account;
    size_t reserved_bytes;
    size_t n;              /* proofs */
    size_t n_h;            /* quotients at once */
    size_t first_h, n_now; /* those that are there: of proofs first_h .. first_h + n_now - 1 */
    cuzk_block *h;         /* n_h polynomials of 2^log2_domain coefficients */
    g1_jac *g1;            /* sums: see g1_sums */
    g2_jac *b_g2;
    groth16_timing timing;
    atomic_uint_fast64_t cpu_ns;
} cpu_job;

/* The sums of a section, one for each proof. */
static g1_jac *g1_sums(const cpu_job *job, groth16_section section) {
    return job->g1 + (size_t)section * job->n;
}

/* ---- memory ---- */

static size_t domain_bytes(const groth16_dims *dims) {
    return sizeof(fr_plain) << dims->log2_domain;
}

/* What a sum is opened for: the expected number of full-size scalars, rounded
 * up to a power of two so that there are few plans, whose memory sums_bytes can
 * bound. */
static uint64_t planned_points(uint64_t n_full, uint64_t n_points) {
    uint64_t planned = 1;
    while (planned < n_full && planned < n_points) {
        planned *= 2;
    }
    return planned < n_points ? planned : n_points;
}

/* Most memory of the open sums of a section of n_g1 or n_g2 points, whatever
 * they are opened for. */
static size_t sums_bytes(const cuzk_ctx *ctx, uint64_t n_g1, uint64_t n_g2, size_t n) {
    size_t most = 0;
    for (uint64_t full = 1;; full *= 2) {
        most = size_larger(
            most, cuzk_msm_g1_bytes(ctx, MSM_POINTS_IN_SUBGROUP, planned_points(full, n_g1)));
        most = size_larger(
            most, cuzk_msm_g2_bytes(ctx, MSM_POINTS_IN_SUBGROUP, planned_points(full, n_g2)));
        if (full >= n_g1 && full >= n_g2) {
            return n * most;
        }
    }
}

static size_t ranks_need(uint64_t n_aux) {
    const bit_vector aux = {.n = n_aux};
    return scratch_need(point_space_ranks(&aux), sizeof(uint64_t));
}

/* Scratch of witness_sums. */
static size_t witness_scratch_bytes(const groth16_pk *pk, size_t n) {
    return n * scratch_need(pk->dims.n_inputs, sizeof(fr_plain)) +
           2 * scratch_need(n, sizeof(fr_plain *)) + 2 * ranks_need(pk->dims.n_aux) +
           cuzk_section_scratch_bytes(pk, n);
}

/* Scratch of h_sums. */
static size_t h_scratch_bytes(const groth16_pk *pk, size_t n) {
    return scratch_need(n, sizeof(fr_plain *)) + cuzk_section_scratch_bytes(pk, n);
}

/* Whether transforms and witness sums run at once. */
static bool overlaps(const cuzk_ctx *ctx, const groth16_pk *pk) {
    return pk->source.will_need != NULL && cuzk_ctx_workers(ctx) > 1;
}

static size_t quotients_at_once(size_t n, size_t n_h) { return n_h == 0 || n_h > n ? n : n_h; }

/* Peak of a job of n proofs. The polynomials stay over its phases. */
static size_t job_bytes(const cuzk_ctx *ctx, const groth16_pk *pk, size_t n, size_t n_h) {
    const groth16_dims *d = &pk->dims;
    size_t quotient = domain_bytes(d) + cuzk_groth16_quotient_bytes(ctx, d->log2_domain);
    size_t witness = witness_scratch_bytes(pk, n) +
                     sums_bytes(ctx, d->n_a > d->n_l ? d->n_a : d->n_l, d->n_b, n);
    size_t h = h_scratch_bytes(pk, n_h) + sums_bytes(ctx, d->n_h, 0, n_h);
    size_t start = overlaps(ctx, pk) ? quotient + witness : size_larger(quotient, witness);
    return n_h * domain_bytes(d) + size_larger(start, h);
}

static void cpu_need(const groth16_backend *backend, groth16_need *out, const cuzk_ctx *ctx,
                     const groth16_pk *pk, size_t n, size_t n_h) {
    (void)backend;
    *out = (groth16_need){.job_bytes = job_bytes(ctx, pk, n, quotients_at_once(n, n_h))};
}

/* ---- keys ---- */

static cuzk_status cpu_key_attach(const groth16_backend *backend, groth16_attached **key,
                                  const cuzk_ctx *ctx, const groth16_pk *pk, cuzk_error *err) {
    (void)ctx;
    *key = malloc(sizeof **key);
    if (*key == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a key");
    }
    **key = (groth16_attached){backend, pk};
    return CUZK_OK;
}

static void cpu_key_detach(groth16_attached *key) { free(key); }

/* ---- jobs ---- */

static void drop_quotients(cpu_job *job) {
    for (size_t j = 0; job->h != NULL && j < job->n_h; j++) {
        cuzk_block_free(&job->h[j]);
    }
}

static void job_destroy(cpu_job *job) {
    drop_quotients(job);
    cuzk_account_destroy(job->ctx.account);
    cuzk_account_release(job->caller_account, job->reserved_bytes);
    free(job->h);
    free(job->g1);
    free(job->b_g2);
    free(job);
}

static cuzk_status job_create(cpu_job **created, groth16_attached *key, const cuzk_ctx *ctx,
                              const groth16_inputs *in, cuzk_error *err) {
    const size_t n = in->n;
    cpu_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a proof job");
    }
    job->base.key = key;
    job->ctx = *ctx;
    job->ctx.account = NULL;
    job->caller_account = ctx->account;
    job->ctx.cpu_ns = &job->cpu_ns;
    job->n = n;
    job->n_h = quotients_at_once(n, in->n_h);
    job->h = calloc(job->n_h, sizeof *job->h);
    job->g1 = calloc(GROTH16_B_G2 * n, sizeof *job->g1);
    job->b_g2 = calloc(n, sizeof *job->b_g2);
    cuzk_status status = CUZK_OK;
    if (job->h == NULL || job->g1 == NULL || job->b_g2 == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a proof job");
    }
    const size_t peak = job_bytes(ctx, key->pk, n, job->n_h);
    if (status == CUZK_OK) {
        status = cuzk_account_reserve(ctx->account, peak, "a proof", err);
    }
    if (status == CUZK_OK) {
        job->reserved_bytes = peak;
        status = cuzk_account_create(&job->ctx.account, peak, err);
    }
    if (status != CUZK_OK) {
        job_destroy(job);
        return status;
    }
    *created = job;
    return CUZK_OK;
}

/* One step, done by the calling thread and by workers for a context. */
typedef struct stopwatch {
    const cuzk_ctx *ctx;
    const groth16_source *source;
    groth16_time from;
} stopwatch;

static groth16_time time_now(const stopwatch *s) {
    return (groth16_time){.wall_ns = cuzk_wall_ns(),
                          .cpu_ns = cuzk_thread_cpu_ns() + atomic_load(s->ctx->cpu_ns),
                          .wait_ns = groth16_source_waited_ns(s->source)};
}

static stopwatch stopwatch_start(const cuzk_ctx *ctx, const groth16_pk *pk) {
    stopwatch s = {.ctx = ctx, .source = &pk->source};
    s.from = time_now(&s);
    return s;
}

static void stopwatch_stop(const stopwatch *s, groth16_time *time) {
    const groth16_time now = time_now(s);
    const groth16_time passed = {.wall_ns = now.wall_ns - s->from.wall_ns,
                                 .cpu_ns = now.cpu_ns - s->from.cpu_ns,
                                 .wait_ns = now.wait_ns - s->from.wait_ns};
    groth16_time_add(time, &passed);
}

/* ---- quotients and witness sums ---- */

static cuzk_status one_quotient(cpu_job *job, cuzk_block *h, fr_plain *work,
                                const ntt_domain *domain, const r1cs_assignment *w,
                                cuzk_error *err) {
    const size_t len = domain_bytes(&job->base.key->pk->dims);
    cuzk_status status =
        cuzk_block_alloc_unset(h, job->ctx.account, len, "quotient polynomial", err);
    if (status != CUZK_OK) {
        return status;
    }
    return cuzk_groth16_quotient(&job->ctx, h->data, work, domain, w, err);
}

/* Those of proofs first .. first + n - 1, n <= n_h, in the place of those before. */
static cuzk_status quotients(cpu_job *job, const groth16_inputs *in, size_t first, size_t n,
                             cuzk_error *err) {
    const groth16_pk *pk = job->base.key->pk;
    const stopwatch watch = stopwatch_start(&job->ctx, pk);
    ntt_domain *domain = NULL;
    cuzk_block work = {0};
    cuzk_status status = cuzk_ntt_domain_create(&domain, &job->ctx, pk->dims.log2_domain, err);
    if (status == CUZK_OK) {
        status = cuzk_block_alloc_unset(&work, job->ctx.account, domain_bytes(&pk->dims),
                                        "quotient work", err);
    }
    job->first_h = first;
    job->n_now = n;
    for (size_t j = 0; status == CUZK_OK && j < n; j++) {
        status = one_quotient(job, &job->h[j], work.data, domain, in->w[first + j], err);
        cuzk_ctx_progress(&job->ctx, "quotient", first + j + 1, job->n);
    }
    cuzk_block_free(&work);
    cuzk_ntt_domain_destroy(domain);
    /* Reading is not what this waits for. */
    groth16_time time = {0};
    stopwatch_stop(&watch, &time);
    time.wait_ns = 0;
    groth16_time_add(&job->timing.quotient, &time);
    return status;
}

/* The values of the inputs that b's density names. */
static const fr_plain *chosen_inputs(cuzk_scratch *scratch, const bit_vector *density,
                                     const r1cs_assignment *w) {
    fr_plain *chosen = scratch_take(scratch, w->n_inputs, sizeof *chosen);
    size_t n = 0;
    for (size_t i = 0; i < w->n_inputs; i++) {
        if (density->words[i / 64] >> (i % 64) & 1) {
            chosen[n++] = w->inputs[i];
        }
    }
    return chosen;
}

/* Aux values that may be of full size. */
static uint64_t full_size_aux(const r1cs_assignment *w) {
    uint64_t n = 0;
    for (size_t i = 0; i < w->n_aux_segments; i++) {
        n += w->aux[i].kind == R1CS_DENSE ? w->aux[i].count : w->aux[i].n_wide;
    }
    return n;
}

/* The four sections that the witness multiplies, in file order. */
static cuzk_status witness_walks(cpu_job *job, const cuzk_ctx *ctx, const groth16_inputs *in,
                                 cuzk_scratch *scratch, cuzk_error *err) {
    const r1cs_densities *d = in->densities;
    const groth16_pk *pk = job->base.key->pk;
    const size_t n = in->n, n_inputs = (size_t)pk->dims.n_inputs;
    const fr_plain **inputs_a = scratch_take(scratch, n, sizeof *inputs_a);
    const fr_plain **inputs_b = scratch_take(scratch, n, sizeof *inputs_b);
    uint64_t n_full = 0;
    for (size_t j = 0; j < n; j++) {
        inputs_a[j] = in->w[j]->inputs;
        inputs_b[j] = chosen_inputs(scratch, &d->b_input, in->w[j]);
        uint64_t full = n_inputs + full_size_aux(in->w[j]);
        n_full = full > n_full ? full : n_full;
    }
    point_space l, a, b;
    cuzk_point_space_init(&l, NULL, 0, NULL, pk->dims.n_aux, NULL);
    cuzk_point_space_init(&a, NULL, n_inputs, &d->a_aux, pk->dims.n_aux,
                          scratch_take(scratch, point_space_ranks(&d->a_aux), sizeof(uint64_t)));
    cuzk_point_space_init(&b, &d->b_input, n_inputs, &d->b_aux, pk->dims.n_aux,
                          scratch_take(scratch, point_space_ranks(&d->b_aux), sizeof(uint64_t)));
    const struct {
        groth16_section section;
        const point_space *space;
        const fr_plain *const *inputs;
    } walks[] = {{GROTH16_L, &l, inputs_a},
                 {GROTH16_A, &a, inputs_a},
                 {GROTH16_B_G1, &b, inputs_b},
                 {GROTH16_B_G2, &b, inputs_b}};

    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < sizeof walks / sizeof walks[0]; i++) {
        section_task task = {.pk = pk,
                             .section = walks[i].section,
                             .n_points = walks[i].space->n_points,
                             .n = n,
                             .space = walks[i].space,
                             .inputs = walks[i].inputs,
                             .w = in->w};
        task.n_full = planned_points(n_full, task.n_points);
        const stopwatch watch = stopwatch_start(ctx, pk);
        status = task.section == GROTH16_B_G2
                     ? cuzk_section_sum_g2(&task, ctx, job->b_g2, scratch, err)
                     : cuzk_section_sum_g1(&task, ctx, g1_sums(job, task.section), scratch, err);
        stopwatch_stop(&watch, &job->timing.sections[task.section]);
    }
    return status;
}

static cuzk_status witness_sums(cpu_job *job, const cuzk_ctx *ctx, const groth16_inputs *in,
                                cuzk_error *err) {
    cuzk_block block;
    cuzk_status status = cuzk_block_alloc_unset(
        &block, ctx->account, witness_scratch_bytes(job->base.key->pk, in->n), "witness sums", err);
    if (status == CUZK_OK) {
        cuzk_scratch scratch = cuzk_block_scratch(&block);
        status = witness_walks(job, ctx, in, &scratch, err);
    }
    cuzk_block_free(&block);
    return status;
}

/* ---- h ---- */

static cuzk_status h_walk(cpu_job *job, cuzk_scratch *scratch, cuzk_error *err) {
    const groth16_pk *pk = job->base.key->pk;
    const fr_plain **scalars = scratch_take(scratch, job->n_now, sizeof *scalars);
    for (size_t j = 0; j < job->n_now; j++) {
        scalars[j] = job->h[j].data;
    }
    const section_task task = {.pk = pk,
                               .section = GROTH16_H,
                               .n_points = pk->dims.n_h,
                               .n = job->n_now,
                               .scalars = scalars,
                               .n_full = pk->dims.n_h};
    return cuzk_section_sum_g1(&task, &job->ctx, g1_sums(job, GROTH16_H) + job->first_h, scratch,
                               err);
}

static cuzk_status h_sums(cpu_job *job, cuzk_error *err) {
    const groth16_pk *pk = job->base.key->pk;
    const stopwatch watch = stopwatch_start(&job->ctx, pk);
    cuzk_block block;
    cuzk_status status = cuzk_block_alloc_unset(&block, job->ctx.account,
                                                h_scratch_bytes(pk, job->n_now), "h sum", err);
    if (status == CUZK_OK) {
        cuzk_scratch scratch = cuzk_block_scratch(&block);
        status = h_walk(job, &scratch, err);
    }
    cuzk_block_free(&block);
    stopwatch_stop(&watch, &job->timing.sections[GROTH16_H]);
    return status;
}

/* ---- both at once ---- */

/* The witness sums on a thread of their own. */
typedef struct side_walk {
    cpu_job *job;
    const groth16_inputs *in;
    cuzk_ctx ctx; /* the job's, with its own CPU time, and going first */
    atomic_uint_fast64_t cpu_ns;
    cuzk_cpu_level limit; /* of the thread that both sides serve */
    cuzk_cancel stop;     /* when one side fails, the other need not go on */
    cuzk_status status;
    cuzk_error err;
    /* Progress comes from both sides, and is handed on one call at a time. */
    pthread_mutex_t mutex;
    cuzk_progress_fn progress;
    void *progress_arg;
} side_walk;

static void *side_walk_main(void *arg) {
    side_walk *side = arg;
    cuzk_cpu_limit(side->limit);
    side->status = witness_sums(side->job, &side->ctx, side->in, &side->err);
    if (side->status != CUZK_OK) {
        cuzk_cancel_set(&side->stop);
    }
    return NULL;
}

static void side_progress(void *arg, const char *phase, uint64_t done, uint64_t total) {
    side_walk *side = arg;
    pthread_mutex_lock(&side->mutex);
    side->progress(side->progress_arg, phase, done, total);
    pthread_mutex_unlock(&side->mutex);
}

static cuzk_status quotients_beside_sums(cpu_job *job, const groth16_inputs *in, cuzk_error *err) {
    const cuzk_ctx before = job->ctx;
    CUZK_ASSERT(before.cancel_too == NULL);
    side_walk side = {
        .job = job, .in = in, .progress = before.progress, .progress_arg = before.progress_arg};
    pthread_t thread;
    pthread_mutex_init(&side.mutex, NULL);
    side.limit = cuzk_cpu_limit(CUZK_CPU_LEVELS);
    cuzk_cpu_limit(side.limit);
    if (before.progress != NULL) {
        job->ctx.progress = side_progress;
        job->ctx.progress_arg = &side;
    }
    job->ctx.cancel_too = &side.stop;
    side.ctx = job->ctx;
    side.ctx.goes_first = true;
    side.ctx.cpu_ns = &side.cpu_ns;
    cuzk_status status = CUZK_OK;
    const int reason = cuzk_thread_start(&thread, side_walk_main, &side);
    if (reason != 0) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no thread for the sums: %s", strerror(reason));
    } else {
        status = quotients(job, in, 0, job->n_h, err);
        if (status != CUZK_OK) {
            cuzk_cancel_set(&side.stop);
        }
        pthread_join(thread, NULL);
        /* Of two failures, the one that is not just the other's stop. */
        if (side.status != CUZK_OK && (status == CUZK_OK || status == CUZK_E_CANCELLED)) {
            status = side.status;
            if (err != NULL) {
                *err = side.err;
            }
        }
    }
    pthread_mutex_destroy(&side.mutex);
    job->ctx = before;
    return status;
}

/* ---- start ---- */

static cuzk_status first_quotients(cpu_job *job, const groth16_inputs *in, cuzk_error *err) {
    const groth16_pk *pk = job->base.key->pk;
    groth16_source_will_need(&pk->source, GROTH16_L);
    if (overlaps(&job->ctx, pk)) {
        return quotients_beside_sums(job, in, err);
    }
    cuzk_status status = quotients(job, in, 0, job->n_h, err);
    return status == CUZK_OK ? witness_sums(job, &job->ctx, in, err) : status;
}

static cuzk_status start(cpu_job *job, const groth16_inputs *in, cuzk_error *err) {
    cuzk_status status = first_quotients(job, in, err);
    for (size_t first = job->n_h; status == CUZK_OK && first < job->n; first += job->n_h) {
        status = h_sums(job, err);
        if (status == CUZK_OK) {
            const size_t left = job->n - first;
            groth16_source_will_need(&job->base.key->pk->source, GROTH16_H);
            drop_quotients(job);
            status = quotients(job, in, first, left < job->n_h ? left : job->n_h, err);
        }
    }
    return status;
}

static cuzk_status cpu_start(groth16_attached *key, groth16_job **started, const cuzk_ctx *ctx,
                             const groth16_inputs *in, cuzk_error *err) {
    cpu_job *job = NULL;
    cuzk_status status = job_create(&job, key, ctx, in, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = start(job, in, err);
    if (status != CUZK_OK) {
        job_destroy(job);
        return status;
    }
    *started = &job->base;
    return CUZK_OK;
}

/* ---- finish ---- */

static cuzk_status cpu_finish(groth16_job *base, groth16_sums *sums, groth16_timing *timing,
                              cuzk_error *err) {
    cpu_job *job = (cpu_job *)base;
    cuzk_status status = h_sums(job, err);
    for (size_t j = 0; status == CUZK_OK && j < job->n; j++) {
        sums[j] = (groth16_sums){.h = g1_sums(job, GROTH16_H)[j],
                                 .l = g1_sums(job, GROTH16_L)[j],
                                 .a = g1_sums(job, GROTH16_A)[j],
                                 .b_g1 = g1_sums(job, GROTH16_B_G1)[j],
                                 .b_g2 = job->b_g2[j]};
    }
    if (timing != NULL) {
        *timing = job->timing;
    }
    job_destroy(job);
    return status;
}

static void cpu_cancel(groth16_job *job) {
    if (job != NULL) {
        job_destroy((cpu_job *)job);
    }
}

const groth16_backend cuzk_groth16_cpu_backend = {.name = "cpu",
                                                  .need = cpu_need,
                                                  .key_attach = cpu_key_attach,
                                                  .key_detach = cpu_key_detach,
                                                  .start = cpu_start,
                                                  .finish = cpu_finish,
                                                  .cancel = cpu_cancel};
