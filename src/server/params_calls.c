/* PreloadSRS and EvictSRS. A load takes minutes, so it has a thread of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cuzk/v1/proving.pb-c.h"
#include "server/messages.h"
#include "server/proving_internal.h"

static void fail_params(rpc_call *call, const cuzk_error *err) {
    if (err->status == CUZK_E_NO_PARAMS) {
        cuzk_rpc_fail(call, RPC_NOT_FOUND, "%s", err->text);
    } else if (err->status == CUZK_E_BAD_PARAMS) {
        cuzk_rpc_fail(call, RPC_FAILED_PRECONDITION, "%s", err->text);
    } else {
        cuzk_fail_call(call, err);
    }
}

typedef struct load {
    proving_service *service;
    rpc_call *call;
    Cuzk__V1__PreloadSrsRequest *request;
} load;

/* Takes one of the places for loads. */
static bool take_place(proving_service *s) {
    pthread_mutex_lock(&s->mutex);
    bool taken = s->n_loads < PROVING_LOADS_MAX;
    s->n_loads += taken;
    pthread_mutex_unlock(&s->mutex);
    return taken;
}

static void free_place(proving_service *s) {
    pthread_mutex_lock(&s->mutex);
    s->n_loads--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

static void *run_load(void *arg) {
    load *l = arg;
    proving_service *s = l->service;
    const cuzk_ctx ctx = {.priority = CUZK_NORMAL, .cancel = &s->stopped};
    Cuzk__V1__PreloadSrsResponse response = CUZK__V1__PRELOAD_SRS_RESPONSE__INIT;
    bool already = false;
    uint64_t load_ns = 0;
    cuzk_error err;
    cuzk_status status =
        s->backing.preload(s->backing.arg, &already, &load_ns, &ctx, l->request->circuit_id, &err);
    if (status == CUZK_OK) {
        response.already_loaded = already;
        response.load_time_ms = already ? 0 : load_ns / NS_PER_MS;
        cuzk_reply_message(l->call, &response.base);
    } else {
        fail_params(l->call, &err);
    }
    cuzk__v1__preload_srs_request__free_unpacked(l->request, NULL);
    free(l);
    free_place(s);
    return NULL;
}

/* The thread frees the load. */
static bool start_load(load *l) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attributes, run_load, l) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void cuzk_call_preload_srs(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    Cuzk__V1__PreloadSrsRequest *q =
        cuzk_unpack_request(call, bytes, &cuzk__v1__preload_srs_request__descriptor);
    if (q == NULL) {
        return;
    }
    if (!take_place(s)) {
        cuzk_rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "too many clients wait for parameters");
        cuzk__v1__preload_srs_request__free_unpacked(q, NULL);
        return;
    }
    load *l = calloc(1, sizeof *l);
    if (l != NULL) {
        *l = (load){.service = s, .call = call, .request = q};
    }
    if (l == NULL || !start_load(l)) {
        cuzk_rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no thread for a load");
        cuzk__v1__preload_srs_request__free_unpacked(q, NULL);
        free(l);
        free_place(s);
    }
}

void cuzk_call_evict_srs(void *arg, rpc_call *call, rpc_bytes *bytes) {
    proving_service *s = arg;
    Cuzk__V1__EvictSrsRequest *q =
        cuzk_unpack_request(call, bytes, &cuzk__v1__evict_srs_request__descriptor);
    if (q == NULL) {
        return;
    }
    Cuzk__V1__EvictSrsResponse response = CUZK__V1__EVICT_SRS_RESPONSE__INIT;
    bool was_loaded = false;
    cuzk_error err;
    cuzk_status status =
        s->backing.evict(s->backing.arg, &was_loaded, &response.freed_bytes, q->circuit_id, &err);
    response.was_loaded = was_loaded;
    if (status == CUZK_OK) {
        cuzk_reply_message(call, &response.base);
    } else {
        fail_params(call, &err);
    }
    cuzk__v1__evict_srs_request__free_unpacked(q, NULL);
}

void cuzk_proving_service_stop(proving_service *s) {
    cuzk_cancel_set(&s->stopped);
    cuzk_budget_poke(s->backing.budget);
}

void cuzk_wait_for_loads(proving_service *s) {
    pthread_mutex_lock(&s->mutex);
    while (s->n_loads != 0) {
        pthread_cond_wait(&s->changed, &s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
}
