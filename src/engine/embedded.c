/* An engine for a host program. */
#include "engine/embedded.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/proof_job.h"

_Static_assert(CUZK_JOB_ID_CHARS == JOB_ID_MAX + 1, "the interface's length of job ids");

struct cuzk_engine {
    service *service;
};

cuzk_status cuzk_embedded_create(cuzk_engine **created, const cuzk_engine_options *options,
                                 cuzk_error *err) {
    service_options s;
    cuzk_service_options_init(&s);
    s.n_threads = options->n_threads;
    s.budget_bytes = options->memory_budget_bytes;
    s.margin_bytes = options->safety_margin_bytes;
    s.param_dir = options->param_cache;
    s.allow_local = options->allow_local_params;
    s.min_idle_ns = options->eviction_min_idle_ms * NS_PER_MS;
    s.engine.result_ttl_ns = options->result_ttl_ms * NS_PER_MS;
    s.engine.max_results = options->max_results;
    s.engine.n_retries = options->n_retries;
    if (options->keep_hot != NULL) {
        s.keep_hot = options->keep_hot;
        s.n_keep_hot = options->n_keep_hot;
    }
    *created = NULL;
    cuzk_engine *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an engine");
    }
    cuzk_status status = cuzk_service_create(&e->service, &s, err);
    if (status != CUZK_OK) {
        free(e);
        return status;
    }
    *created = e;
    return CUZK_OK;
}

void cuzk_embedded_destroy(cuzk_engine *e) {
    if (e != NULL) {
        cuzk_service_destroy(e->service);
        free(e);
    }
}

service *cuzk_embedded_service(cuzk_engine *e) { return e->service; }

/* ---- requests ---- */

/* A copy of a request in one piece of memory, which it begins with. */
typedef struct owned_request {
    cuzk_request request;
    uint8_t bytes[]; /* inputs, then what they and the request point to */
} owned_request;

/* Puts a copy of len bytes into the piece, or counts them if there is none. */
static const uint8_t *keep(uint8_t *base, size_t *used, const void *data, size_t len) {
    uint8_t *at = base != NULL ? base + *used : NULL;
    *used += len;
    if (at == NULL || data == NULL) {
        return NULL;
    }
    memcpy(at, data, len);
    return at;
}

static const uint8_t *keep_32(uint8_t *base, size_t *used, const uint8_t *data) {
    return data != NULL ? keep(base, used, data, 32) : NULL;
}

/* Lays out a copy in base, or counts its bytes if that is NULL. */
static size_t lay_out(cuzk_request *copy, uint8_t *base, const cuzk_request *q) {
    size_t used = 0;
    cuzk_input *inputs = (cuzk_input *)base;
    *copy = *q;
    used += q->n_inputs * sizeof *inputs;
    copy->randomness = keep_32(base, &used, q->randomness);
    copy->comm_r_old = keep_32(base, &used, q->comm_r_old);
    copy->comm_r_new = keep_32(base, &used, q->comm_r_new);
    copy->comm_d_new = keep_32(base, &used, q->comm_d_new);
    for (size_t i = 0; i < q->n_inputs; i++) {
        const cuzk_input *from = &q->inputs[i];
        cuzk_input made = {.len_bytes = from->len_bytes};
        made.data = keep(base, &used, from->data, from->len_bytes);
        if (from->name != NULL) {
            made.name = (const char *)keep(base, &used, from->name, strlen(from->name) + 1);
        }
        if (inputs != NULL) {
            inputs[i] = made;
        }
    }
    copy->inputs = inputs;
    return used;
}

static cuzk_status copy_request(owned_request **copy, const cuzk_request *q, cuzk_error *err) {
    cuzk_request counted;
    const size_t len = lay_out(&counted, NULL, q);
    *copy = malloc(sizeof **copy + len);
    if (*copy == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a request of %zu bytes", len);
    }
    lay_out(&(*copy)->request, (*copy)->bytes, q);
    return CUZK_OK;
}

static cuzk_priority priority_of(const cuzk_request *q, cuzk_urgency urgency) {
    static const cuzk_priority of_kind[JOB_KINDS] = {[CUZK_POREP] = CUZK_NORMAL,
                                                     [CUZK_SNAP] = CUZK_NORMAL,
                                                     [CUZK_WINDOW_POST] = CUZK_HIGH,
                                                     [CUZK_WINNING_POST] = CUZK_CRITICAL};
    switch (urgency) {
    case CUZK_URGENCY_LOW:
        return CUZK_LOW;
    case CUZK_URGENCY_NORMAL:
        return CUZK_NORMAL;
    case CUZK_URGENCY_HIGH:
        return CUZK_HIGH;
    case CUZK_URGENCY_CRITICAL:
        return CUZK_CRITICAL;
    default:
        return of_kind[q->kind];
    }
}

cuzk_status cuzk_embedded_submit(cuzk_engine *e, char job_id[CUZK_JOB_ID_CHARS],
                                 const cuzk_request *request, const char *request_id,
                                 cuzk_urgency urgency, cuzk_error *err) {
    owned_request *own;
    engine_receipt receipt;
    cuzk_status status = cuzk_request_check(request, err);
    if (status == CUZK_OK && (request->insecure_test_r != NULL || request->only_one)) {
        status = cuzk_fail(err, CUZK_E_ARGUMENT,
                           "an engine draws its blinding and proves all partitions");
    }
    if (status == CUZK_OK) {
        status = copy_request(&own, request, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    const engine_submission s = {.request_id = request_id,
                                 .priority = priority_of(request, urgency),
                                 .keeps_going = true,
                                 .request = &own->request,
                                 .release = free,
                                 .owner = own};
    status = cuzk_core_submit(cuzk_service_engine(e->service), &receipt, &s, err);
    if (status == CUZK_OK) {
        memcpy(job_id, receipt.id, sizeof receipt.id);
    }
    return status;
}

/* ---- outcomes ---- */

static cuzk_job_state state_of(job_state state) {
    switch (state) {
    case JOB_COMPLETED:
        return CUZK_JOB_COMPLETED;
    case JOB_FAILED:
        return CUZK_JOB_FAILED;
    case JOB_CANCELLED:
        return CUZK_JOB_CANCELLED;
    default:
        return state < JOB_PARSING ? CUZK_JOB_WAITING : CUZK_JOB_RUNNING;
    }
}

cuzk_status cuzk_embedded_await(cuzk_engine *e, cuzk_job_outcome *outcome, const char *job_id,
                                uint64_t timeout_ms, cuzk_error *err) {
    engine_outcome found;
    const uint64_t timeout_ns =
        timeout_ms < UINT64_MAX / NS_PER_MS ? timeout_ms * NS_PER_MS : UINT64_MAX;
    cuzk_status status =
        cuzk_core_await(cuzk_service_engine(e->service), &found, job_id, timeout_ns, err);
    if (status != CUZK_OK) {
        return status;
    }
    *outcome = (cuzk_job_outcome){.state = state_of(found.state),
                                  .proof = found.proof,
                                  .proof_bytes = found.proof_bytes,
                                  .error = found.error,
                                  .queue_wait_ms = found.timings.queue_wait_ms,
                                  .parameters_ms = found.timings.srs_load_ms,
                                  .synthesis_ms = found.timings.synthesis_ms,
                                  .proving_ms = found.timings.gpu_compute_ms,
                                  .total_ms = found.timings.total_ms};
    return CUZK_OK;
}

void cuzk_embedded_cancel(cuzk_engine *e, const char *job_id, bool *was_running) {
    cuzk_core_cancel(cuzk_service_engine(e->service), job_id, was_running);
}
