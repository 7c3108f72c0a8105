/* The eight calls of cuzk.v1.ProvingEngine, on an engine. */
#ifndef CUZK_SERVER_PROVING_SERVICE_H
#define CUZK_SERVER_PROVING_SERVICE_H

#include "engine/engine.h"
#include "engine/param_manager.h"
#include "server/rpc.h"

typedef struct proving_service proving_service;

/* What stands behind it; borrowed until destroy. The functions are as those of param_manager.h and
 * service.h that they are named after; from any thread. */
typedef struct proving_backing {
    engine *engine;
    budget *budget; /* whose share for requests holds their bytes */
    void *arg;      /* of the functions */
    cuzk_status (*preload)(void *arg, bool *already, uint64_t *load_ns, const cuzk_ctx *ctx,
                           const char *id, cuzk_error *err);
    cuzk_status (*evict)(void *arg, bool *was_loaded, uint64_t *freed_bytes, const char *id,
                         cuzk_error *err);
    size_t (*look)(void *arg, param_report *reports, size_t room);
    cuzk_status (*metrics)(void *arg, char **text, size_t *len_bytes, cuzk_error *err);
} proving_backing;

/* Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_proving_service_create(proving_service **s, const proving_backing *backing,
                                        cuzk_error *err);
/* What loads for a client is given up; later loads fail. */
void cuzk_proving_service_stop(proving_service *s);
/* Stopped, and without calls: the transport is gone. Accepts NULL. */
void cuzk_proving_service_destroy(proving_service *s);

#define PROVING_METHODS 8
void cuzk_proving_methods(rpc_method methods[PROVING_METHODS], proving_service *s);

#endif
