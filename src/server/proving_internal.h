/* What the files of the proving service share. */
#ifndef CUZK_SERVER_PROVING_INTERNAL_H
#define CUZK_SERVER_PROVING_INTERNAL_H

#include <pthread.h>

#include "server/proving_service.h"
#include "server/waits.h"

#define PROVING_LOADS_MAX 16 /* clients that wait for parameters at once; each has a thread */

struct proving_service {
    proving_backing backing;
    waits *waits;
    cuzk_cancel stopped; /* of loads */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned n_loads;
};

/* Ends a call with what a failed function says. */
void cuzk_fail_call(rpc_call *call, const cuzk_error *err);

/* Handlers of calls; arg is the service. */
void cuzk_call_get_status(void *arg, rpc_call *call, rpc_bytes *bytes);
void cuzk_call_get_metrics(void *arg, rpc_call *call, rpc_bytes *bytes);
void cuzk_call_preload_srs(void *arg, rpc_call *call, rpc_bytes *bytes);
void cuzk_call_evict_srs(void *arg, rpc_call *call, rpc_bytes *bytes);

void cuzk_wait_for_loads(proving_service *s);

#endif
