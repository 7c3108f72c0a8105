/* GetStatus and GetMetrics: what the engine, the budget and the parameters say of themselves. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cuzk/v1/proving.pb-c.h"
#include "engine/proof_kinds.h"
#include "server/messages.h"
#include "server/proving_internal.h"

#define RESIDENTS_MAX 64 /* more than there are circuits in use anywhere */

/* A message of which repeated fields point to parts of it. */
typedef struct status_parts {
    Cuzk__V1__GPUStatus gpu;
    Cuzk__V1__GPUStatus *gpus[1];
    char job_id[JOB_ID_MAX + 1];
    Cuzk__V1__SRSStatus srs[RESIDENTS_MAX];
    Cuzk__V1__SRSStatus *srs_list[RESIDENTS_MAX];
    param_report residents[RESIDENTS_MAX];
    Cuzk__V1__QueueStatus queues[JOB_KINDS];
    Cuzk__V1__QueueStatus *queue_list[JOB_KINDS];
} status_parts;

/* ---- the device: this machine's processor ---- */

typedef struct sought {
    uint64_t serial;
    char *job_id;
    cuzk_proof_kind kind;
    bool found;
} sought;

static void seek(void *arg, const job *j, uint64_t now_ns) {
    (void)now_ns;
    sought *x = arg;
    if (j->serial == x->serial) {
        strcpy(x->job_id, j->id);
        x->kind = j->kind;
        x->found = true;
    }
}

/* The one job that is shown of those being proved: an ordinary one if there is one. */
static uint64_t current_serial(const engine_report *report) {
    uint64_t serial = 0;
    for (size_t i = 0; i < ENGINE_PROVERS; i++) {
        const engine_prover_report *p = &report->provers[i];
        if (p->serial != 0 && (serial == 0 || !p->critical)) {
            serial = p->serial;
        }
    }
    return serial;
}

static void fill_gpu(status_parts *p, Cuzk__V1__GetStatusResponse *response, engine *e,
                     const engine_report *report) {
    cuzk__v1__gpustatus__init(&p->gpu);
    p->gpu.name = (char *)"cpu";
    sought x = {.serial = current_serial(report), .job_id = p->job_id};
    if (x.serial != 0) {
        cuzk_core_visit(e, seek, &x);
    }
    if (x.found) {
        p->gpu.current_job_id = p->job_id;
        p->gpu.current_proof_kind = (char *)cuzk_kind_names[x.kind].status;
    }
    p->gpus[0] = &p->gpu;
    response->n_gpus = 1;
    response->gpus = p->gpus;
}

/* ---- parameters, queues ---- */

static void fill_srs(status_parts *p, Cuzk__V1__GetStatusResponse *response,
                     const proving_backing *backing) {
    size_t n = backing->look(backing->arg, p->residents, RESIDENTS_MAX);
    n = n < RESIDENTS_MAX ? n : RESIDENTS_MAX;
    for (size_t i = 0; i < n; i++) {
        cuzk__v1__srsstatus__init(&p->srs[i]);
        p->srs[i].circuit_id = p->residents[i].circuit_id;
        p->srs[i].tier = CUZK__V1__SRSSTATUS__TIER__HOT;
        p->srs[i].size_bytes = p->residents[i].bytes;
        p->srs[i].ref_count = p->residents[i].n_users;
        p->srs_list[i] = &p->srs[i];
    }
    response->n_loaded_srs = n;
    response->loaded_srs = p->srs_list;
}

static void fill_queues(status_parts *p, Cuzk__V1__GetStatusResponse *response,
                        const job_counters *counters) {
    for (size_t kind = 0; kind < JOB_KINDS; kind++) {
        uint64_t pending = counters->pending[kind], in_progress = counters->in_progress[kind];
        if (cuzk_kind_names[kind].status == NULL || pending + in_progress == 0) {
            continue;
        }
        Cuzk__V1__QueueStatus *queue = &p->queues[kind];
        cuzk__v1__queue_status__init(queue);
        queue->proof_kind = (char *)cuzk_kind_names[kind].status;
        queue->pending = (uint32_t)pending;
        queue->in_progress = (uint32_t)in_progress;
        p->queue_list[response->n_queues++] = queue;
    }
    response->queues = p->queue_list;
}

void cuzk_call_get_status(void *arg, rpc_call *call, rpc_bytes *bytes) {
    const proving_service *s = arg;
    cuzk_rpc_bytes_free(bytes); /* whatever it says */
    status_parts *p = calloc(1, sizeof *p);
    if (p == NULL) {
        cuzk_rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory for a reply");
        return;
    }
    Cuzk__V1__GetStatusResponse response = CUZK__V1__GET_STATUS_RESPONSE__INIT;
    engine_report report;
    cuzk_core_look(s->backing.engine, &report);
    budget_report memory = cuzk_budget_look(s->backing.budget);
    fill_gpu(p, &response, s->backing.engine, &report);
    fill_srs(p, &response, &s->backing);
    fill_queues(p, &response, &report.counters);
    response.total_proofs_completed = cuzk_kind_sum(report.counters.completed);
    response.total_proofs_failed = cuzk_kind_sum(report.counters.failed);
    response.uptime_seconds = report.uptime_ns / NS_PER_S;
    response.pinned_memory_bytes = memory.used_bytes;
    response.pinned_memory_limit_bytes = memory.total_bytes;
    cuzk_reply_message(call, &response.base);
    free(p);
}

void cuzk_call_get_metrics(void *arg, rpc_call *call, rpc_bytes *bytes) {
    const proving_service *s = arg;
    cuzk_rpc_bytes_free(bytes);
    Cuzk__V1__GetMetricsResponse response = CUZK__V1__GET_METRICS_RESPONSE__INIT;
    size_t len_bytes;
    cuzk_error err;
    if (s->backing.metrics(s->backing.arg, &response.prometheus_text, &len_bytes, &err) !=
        CUZK_OK) {
        cuzk_fail_call(call, &err);
        return;
    }
    cuzk_reply_message(call, &response.base);
    free(response.prometheus_text);
}
