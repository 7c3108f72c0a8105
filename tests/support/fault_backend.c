/* A table of functions around the CPU's. */
#include "support/fault_backend.h"

#include <stdlib.h>
#include <time.h>

/* The key and the job of the CPU behind ours. */
typedef struct fault_key {
    groth16_attached base;
    groth16_attached *inner;
} fault_key;

typedef struct fault_job {
    groth16_job base;
    groth16_job *inner;
    fault_kind fault;
    size_t n;
} fault_job;

static fault_backend *self_of(const groth16_backend *backend) { return backend->self; }

static void need(const groth16_backend *backend, groth16_need *out, const cuzk_ctx *ctx,
                 const groth16_pk *pk, size_t n, size_t n_h) {
    (void)backend;
    cuzk_groth16_cpu_backend.need(&cuzk_groth16_cpu_backend, out, ctx, pk, n, n_h);
}

static cuzk_status key_attach(const groth16_backend *backend, groth16_attached **key,
                              const cuzk_ctx *ctx, const groth16_pk *pk, cuzk_error *err) {
    fault_key *k = calloc(1, sizeof *k);
    k->base = (groth16_attached){backend, pk};
    *key = &k->base;
    return cuzk_groth16_cpu_backend.key_attach(&cuzk_groth16_cpu_backend, &k->inner, ctx, pk, err);
}

static void key_detach(groth16_attached *key) {
    if (key != NULL) {
        cuzk_groth16_cpu_backend.key_detach(((fault_key *)key)->inner);
        free(key);
    }
}

static void wait_let_go(fault_backend *f, const cuzk_ctx *ctx) {
    f->n_waiting++;
    pthread_cond_broadcast(&f->changed);
    while (f->fault == FAULT_WAIT && !cuzk_ctx_cancelled(ctx)) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 5000000;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&f->changed, &f->mutex, &t);
    }
    f->n_waiting--;
}

/* What happens to the proof that starts now. */
static fault_kind next_fault(fault_backend *f, const cuzk_ctx *ctx) {
    pthread_mutex_lock(&f->mutex);
    f->n_started++;
    fault_kind fault = FAULT_NONE;
    if (f->fault == FAULT_WAIT) {
        wait_let_go(f, ctx);
    } else if (f->n_faults != 0) {
        f->n_faults--;
        fault = f->fault;
    }
    pthread_mutex_unlock(&f->mutex);
    return fault;
}

static cuzk_status start(groth16_attached *key, groth16_job **job, const cuzk_ctx *ctx,
                         const groth16_inputs *in, cuzk_error *err) {
    fault_kind fault = next_fault(self_of(key->backend), ctx);
    if (fault == FAULT_MEMORY) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "injected: no memory");
    }
    if (fault == FAULT_DEVICE) {
        return cuzk_fail(err, CUZK_E_INTERNAL, "injected: the device is lost");
    }
    fault_job *j = calloc(1, sizeof *j);
    *j = (fault_job){.base = {key}, .fault = fault, .n = in->n};
    cuzk_status status =
        cuzk_groth16_cpu_backend.start(((fault_key *)key)->inner, &j->inner, ctx, in, err);
    if (status != CUZK_OK) {
        free(j);
        return status;
    }
    *job = &j->base;
    return CUZK_OK;
}

static cuzk_status finish(groth16_job *job, groth16_sums *sums, groth16_timing *timing,
                          cuzk_error *err) {
    fault_job *j = (fault_job *)job;
    cuzk_status status = cuzk_groth16_cpu_backend.finish(j->inner, sums, timing, err);
    for (size_t i = 0; status == CUZK_OK && j->fault == FAULT_WRONG && i < j->n; i++) {
        g1_jac_add(&sums[i].h, &sums[i].h, &sums[i].l);
    }
    fault_backend *f = self_of(job->key->backend);
    pthread_mutex_lock(&f->mutex);
    f->n_finished++;
    pthread_mutex_unlock(&f->mutex);
    free(j);
    return status;
}

static void cancel(groth16_job *job) {
    if (job != NULL) {
        cuzk_groth16_cpu_backend.cancel(((fault_job *)job)->inner);
        free(job);
    }
}

void fault_backend_init(fault_backend *f) {
    *f = (fault_backend){.backend = {.name = "faulty",
                                     .self = f,
                                     .need = need,
                                     .key_attach = key_attach,
                                     .key_detach = key_detach,
                                     .start = start,
                                     .finish = finish,
                                     .cancel = cancel}};
    pthread_mutex_init(&f->mutex, NULL);
    pthread_cond_init(&f->changed, NULL);
}

void fault_backend_clear(fault_backend *f) {
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->mutex);
}

void fault_backend_set(fault_backend *f, fault_kind fault, unsigned n) {
    pthread_mutex_lock(&f->mutex);
    f->fault = fault;
    f->n_faults = n;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->mutex);
}

void fault_backend_await_waiting(fault_backend *f) {
    pthread_mutex_lock(&f->mutex);
    while (f->n_waiting == 0) {
        pthread_cond_wait(&f->changed, &f->mutex);
    }
    pthread_mutex_unlock(&f->mutex);
}

unsigned fault_backend_take_started(fault_backend *f) {
    pthread_mutex_lock(&f->mutex);
    unsigned n = f->n_started;
    f->n_started = 0;
    pthread_mutex_unlock(&f->mutex);
    return n;
}
