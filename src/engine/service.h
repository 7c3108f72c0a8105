/* All of a prover that serves many requests, but for its transport: threads, budget, parameters and
 * engine, made and unmade together. */
#ifndef CUZK_ENGINE_SERVICE_H
#define CUZK_ENGINE_SERVICE_H

#include "engine/engine.h"
#include "engine/param_manager.h"

typedef struct service service;

typedef struct service_options {
    unsigned n_threads;      /* of the pool; 0: one for each CPU this process may use */
    uint64_t budget_bytes;   /* 0: what the machine has (base/machine_memory.h) less margin_bytes */
    uint64_t margin_bytes;   /* only then */
    uint64_t critical_bytes; /* of the budget, for WinningPoSt alone; 0: an eighth, at most 768 MiB
                              * (a 32 GiB one needs 0.2 GiB for parameters and 0.5 to prove) */
    uint64_t request_bytes;  /* of the budget, for the bytes of requests alone; 0: a twentieth */
    const char *param_dir;   /* NULL: as cuzk_options.param_cache. Copied */
    bool allow_local;        /* accept parameters made by a setup on this machine */
    bool trust_params;       /* see param_manager.h; so is tier */
    cuzk_tier tier;
    const char *const *keep_hot; /* see param_manager.h; copied */
    size_t n_keep_hot;
    uint64_t min_idle_ns;
    const char *partition_dir;           /* NULL: none, else see partition_store.h. Copied */
    const groth16_backend *backend;      /* NULL: the CPU. Borrowed until destroy */
    const groth16_backend *last_backend; /* see proof_work.h */
    const engine_work *work; /* NULL: real proofs; else what is done instead, for tests: borrowed */
    /* Orders of the engine; its pool, budget and work are not looked at. */
    engine_options engine;
} service_options;

/* Budget from the machine with a margin of 5 GiB, `winning-32g` kept hot, others 5 minutes, and
 * cuzk_core_options_init. */
void cuzk_service_options_init(service_options *options);

/* Fails: CUZK_E_UNSUPPORTED (CUZK_CPU names a level this machine lacks), CUZK_E_NO_MEMORY,
 * CUZK_E_RANGE (no memory left beside the margin; an unknown circuit in keep_hot), CUZK_E_IO (the
 * directory of partitions). */
cuzk_status cuzk_service_create(service **s, const service_options *options, cuzk_error *err);
/* Cancels what runs. Accepts NULL. */
void cuzk_service_destroy(service *s);
/* Takes no new jobs, ends those that have not begun, and lets others finish within drain_ns. */
void cuzk_service_drain(service *s, uint64_t drain_ns);

/* They live as long as the service. */
engine *cuzk_service_engine(service *s);
param_manager *cuzk_service_params(service *s);
budget *cuzk_service_budget(service *s);
cuzk_pool *cuzk_service_pool(service *s);
const char *cuzk_service_param_dir(const service *s);

/* `/status` and the metrics: *text is allocated, zero-terminated; the caller frees it. Fails:
 * CUZK_E_NO_MEMORY. */
cuzk_status cuzk_service_status(char **text, size_t *len_bytes, service *s, cuzk_error *err);
cuzk_status cuzk_service_metrics(char **text, size_t *len_bytes, service *s, cuzk_error *err);

#endif
