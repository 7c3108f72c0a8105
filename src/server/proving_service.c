/* SubmitProof, AwaitProof, Prove, CancelProof; what the others need is in status_calls.c and
 * params_calls.c. */
#include "server/proving_service.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "cuzk/v1/proving.pb-c.h"
#include "engine/proof_kinds.h"
#include "server/messages.h"
#include "server/proving_internal.h"
#include "server/proving_request.h"

/* ---- failures ---- */

/* The code that says what a failed function means to a client. */
static rpc_code code_of(cuzk_status status) {
    switch (status) {
    case CUZK_E_INPUT:
    case CUZK_E_RANGE:
        return RPC_INVALID_ARGUMENT;
    case CUZK_E_NO_MEMORY:
        return RPC_RESOURCE_EXHAUSTED;
    case CUZK_E_CANCELLED:
        return RPC_UNAVAILABLE; /* the engine is shutting down */
    default:
        return RPC_INTERNAL;
    }
}

void cuzk_fail_call(rpc_call *call, const cuzk_error *err) {
    cuzk_rpc_fail(call, code_of(err->status), "%s", err->text);
}

/* ---- results ---- */

typedef Cuzk__V1__AwaitProofResponse await_response;

static void reply_result(rpc_call *call, const await_response *response, bool in_prove_response) {
    if (in_prove_response) {
        Cuzk__V1__ProveResponse outer = CUZK__V1__PROVE_RESPONSE__INIT;
        outer.result = (await_response *)response;
        cuzk_reply_message(call, &outer.base);
    } else {
        cuzk_reply_message(call, &response->base);
    }
}

static void answer(rpc_call *call, const char *job_id, const engine_outcome *outcome,
                   bool in_prove_response) {
    await_response response = CUZK__V1__AWAIT_PROOF_RESPONSE__INIT;
    char text[sizeof outcome->error.text];
    response.job_id = (char *)job_id;
    response.status = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT;
    if (outcome != NULL) {
        response.queue_wait_ms = outcome->timings.queue_wait_ms;
        response.srs_load_ms = outcome->timings.srs_load_ms;
        response.synthesis_ms = outcome->timings.synthesis_ms;
        response.gpu_compute_ms = outcome->timings.gpu_compute_ms;
        response.total_ms = outcome->timings.total_ms;
        if (outcome->state == JOB_COMPLETED) {
            response.status = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
            response.proof.data = outcome->proof;
            response.proof.len = outcome->proof_bytes;
        } else if (outcome->state == JOB_FAILED) {
            const char *why = outcome->error.text[0] != 0 ? outcome->error.text
                                                          : cuzk_status_text(outcome->error.status);
            cuzk_rpc_clean_text(text, sizeof text, why, strlen(why));
            response.status = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED;
            response.error_message = text;
        } else {
            response.status = CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED;
        }
    }
    reply_result(call, &response, in_prove_response);
}

static void answer_await(rpc_call *call, const char *job_id, const engine_outcome *outcome) {
    answer(call, job_id, outcome, false);
}

static void answer_prove(rpc_call *call, const char *job_id, const engine_outcome *outcome) {
    answer(call, job_id, outcome, true);
}

/* ---- submitting ---- */

/* Reads a request and charges what it takes. */
static cuzk_status take_request(proving_service *s, proving_request **r, rpc_bytes *bytes,
                                bool in_prove_request, cuzk_error *err) {
    cuzk_status status = cuzk_proving_request_read(r, bytes, in_prove_request, err);
    if (status != CUZK_OK) {
        return status;
    }
    const size_t cost_bytes = (*r)->cost_bytes;
    const bool urgent = (*r)->request.kind == CUZK_WINNING_POST; /* whatever priority it claims */
    if (!cuzk_budget_take_request(s->backing.budget, &(*r)->hold, cost_bytes, urgent)) {
        budget_report memory = cuzk_budget_look(s->backing.budget);
        cuzk_proving_request_free(*r);
        return cuzk_fail(err, CUZK_E_NO_MEMORY,
                         "no room for a request of %zu bytes: unfinished ones have %zu", cost_bytes,
                         memory.request_bytes);
    }
    return CUZK_OK;
}

/* Takes the request over, also on failure. */
static cuzk_status submit(proving_service *s, engine_receipt *receipt, proving_request *r,
                          bool keeps_going, job_waiter *waiter, cuzk_error *err) {
    const engine_submission submission = {.request_id = r->request_id,
                                          .priority = r->priority,
                                          .keeps_going = keeps_going,
                                          .request = &r->request,
                                          .release = cuzk_proving_request_free,
                                          .owner = r,
                                          .waiter = waiter,
                                          .fault = r->faulty ? &r->fault : NULL};
    static const char *const origins[] = {
        [JOB_NEW] = "new", [JOB_ATTACHED] = "attached", [JOB_RETAINED] = "retained"};
    cuzk_proof_kind kind = r->request.kind;
    size_t len_bytes = r->bytes.len_bytes;
    if (r->cleared_randomness) {
        cuzk_log(CUZK_LOG_WARN, "rpc", CUZK_LOG_FIELDS(log_text("request_id", r->request_id)),
                 "the two top bits of the randomness were set: cleared");
    }
    cuzk_status status = cuzk_core_submit(s->backing.engine, receipt, &submission, err);
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "rpc",
                 CUZK_LOG_FIELDS(log_text("job_id", receipt->id),
                                 log_text("kind", cuzk_kind_names[kind].status),
                                 log_text("origin", origins[receipt->origin]),
                                 log_number("bytes", len_bytes)),
                 "request taken");
    }
    return status;
}

static void submit_proof(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    proving_request *r;
    engine_receipt receipt;
    cuzk_error err;
    cuzk_status status = take_request(s, &r, bytes, false, &err);
    if (status == CUZK_OK) {
        status = submit(s, &receipt, r, true, NULL, &err);
    }
    if (status != CUZK_OK) {
        cuzk_fail_call(call, &err);
        return;
    }
    Cuzk__V1__SubmitProofResponse response = CUZK__V1__SUBMIT_PROOF_RESPONSE__INIT;
    response.job_id = receipt.id;
    response.queue_position = (uint32_t)receipt.queue_position;
    cuzk_reply_message(call, &response.base);
}

static void prove(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    proving_request *r;
    call_wait *wait;
    engine_receipt receipt;
    cuzk_error err;
    cuzk_status status = take_request(s, &r, bytes, true, &err);
    if (status != CUZK_OK) {
        cuzk_fail_call(call, &err);
        return;
    }
    status = cuzk_wait_prepare(&wait, s->waits, call, answer_prove, &err);
    if (status != CUZK_OK || wait == NULL) {
        cuzk_proving_request_free(r);
        if (status != CUZK_OK) {
            cuzk_fail_call(call, &err);
        }
        return;
    }
    status = submit(s, &receipt, r, false, cuzk_wait_waiter(wait), &err);
    if (status == CUZK_OK) {
        cuzk_wait_start(wait, receipt.id, CLOCK_NEVER);
    } else {
        cuzk_wait_abandon(wait, code_of(status), err.text);
    }
}

/* ---- existing jobs ---- */

static void await_proof(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    Cuzk__V1__AwaitProofRequest *q =
        cuzk_unpack_request(call, bytes, &cuzk__v1__await_proof_request__descriptor);
    if (q == NULL) {
        return;
    }
    call_wait *wait;
    cuzk_error err;
    uint64_t timeout_ns = q->timeout_ms == 0 || q->timeout_ms > CLOCK_NEVER / NS_PER_MS
                              ? CLOCK_NEVER
                              : q->timeout_ms * NS_PER_MS;
    cuzk_status status = cuzk_wait_prepare(&wait, s->waits, call, answer_await, &err);
    if (status != CUZK_OK) {
        cuzk_fail_call(call, &err);
    } else if (wait != NULL) {
        status = cuzk_core_watch(s->backing.engine, cuzk_wait_waiter(wait), q->job_id, &err);
        if (status == CUZK_OK) {
            cuzk_wait_start(wait, q->job_id, timeout_ns);
        } else {
            cuzk_wait_abandon(wait, status == CUZK_E_INPUT ? RPC_NOT_FOUND : code_of(status),
                              err.text);
        }
    }
    cuzk__v1__await_proof_request__free_unpacked(q, NULL);
}

static void cancel_proof(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    Cuzk__V1__CancelProofRequest *q =
        cuzk_unpack_request(call, bytes, &cuzk__v1__cancel_proof_request__descriptor);
    if (q == NULL) {
        return;
    }
    bool was_running = false;
    cuzk_core_cancel(s->backing.engine, q->job_id, &was_running);
    cuzk_log(CUZK_LOG_INFO, "rpc", CUZK_LOG_FIELDS(log_text("job_id", q->job_id)),
             "cancelled by a client");
    Cuzk__V1__CancelProofResponse response = CUZK__V1__CANCEL_PROOF_RESPONSE__INIT;
    response.was_running = was_running;
    cuzk_reply_message(call, &response.base);
    cuzk__v1__cancel_proof_request__free_unpacked(q, NULL);
}

/* ---- the service ---- */

cuzk_status cuzk_proving_service_create(proving_service **s, const proving_backing *backing,
                                        cuzk_error *err) {
    proving_service *new = calloc(1, sizeof *new);
    *s = new;
    if (new == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a server");
    }
    new->backing = *backing;
    pthread_mutex_init(&new->mutex, NULL);
    pthread_cond_init(&new->changed, NULL);
    cuzk_status status = cuzk_waits_create(&new->waits, backing->engine, err);
    if (status != CUZK_OK) {
        cuzk_proving_service_destroy(new);
        *s = NULL;
    }
    return status;
}

void cuzk_proving_service_destroy(proving_service *s) {
    if (s == NULL) {
        return;
    }
    cuzk_proving_service_stop(s);
    cuzk_wait_for_loads(s);
    cuzk_waits_destroy(s->waits);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

void cuzk_proving_methods(rpc_method methods[PROVING_METHODS], proving_service *s) {
    static const rpc_method all[PROVING_METHODS] = {
        {.path = "/cuzk.v1.ProvingEngine/SubmitProof", .bulk = true, .handle = submit_proof},
        {.path = "/cuzk.v1.ProvingEngine/AwaitProof", .handle = await_proof},
        {.path = "/cuzk.v1.ProvingEngine/Prove", .bulk = true, .handle = prove},
        {.path = "/cuzk.v1.ProvingEngine/CancelProof", .handle = cancel_proof},
        {.path = "/cuzk.v1.ProvingEngine/GetStatus", .handle = cuzk_call_get_status},
        {.path = "/cuzk.v1.ProvingEngine/GetMetrics", .handle = cuzk_call_get_metrics},
        {.path = "/cuzk.v1.ProvingEngine/PreloadSRS", .handle = cuzk_call_preload_srs},
        {.path = "/cuzk.v1.ProvingEngine/EvictSRS", .bulk = true, .handle = cuzk_call_evict_srs},
    };
    for (size_t i = 0; i < PROVING_METHODS; i++) {
        methods[i] = all[i];
        methods[i].arg = s;
    }
}
