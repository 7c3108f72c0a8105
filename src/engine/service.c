/* What a service is made of, and in which order. */
#include "engine/service.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/machine_memory.h"
#include "engine/handle.h"
#include "engine/metrics.h"
#include "engine/proof_work.h"
#include "engine/status_document.h"

#define MIB ((uint64_t)1 << 20)
#define MOST_CRITICAL_BYTES (768 * MIB)
#define MOST_STORED_PARTITIONS 4096 /* of 4 KiB each on most file systems */

struct service {
    cuzk_pool *pool;
    budget *budget;
    param_manager *params;
    partition_store *partitions;
    proof_work proofs;
    engine_work work;
    engine *engine;
    char *param_dir;
    unsigned n_synthesis;
};

void cuzk_service_options_init(service_options *options) {
    static const char *const winning[] = {"winning-32g"};
    *options = (service_options){.margin_bytes = 5 * 1024 * MIB,
                                 .keep_hot = winning,
                                 .n_keep_hot = 1,
                                 .min_idle_ns = 300 * NS_PER_S};
    cuzk_core_options_init(&options->engine);
}

static size_t evict(void *arg, size_t bytes, bool even_recent) {
    const service *s = arg;
    return cuzk_param_evict_idle(s->params, bytes, even_recent);
}

static cuzk_status make_budget(service *s, const service_options *options, cuzk_error *err) {
    uint64_t total = options->budget_bytes;
    if (total == 0) {
        const machine_memory memory = cuzk_machine_memory("");
        cuzk_status status = cuzk_machine_budget(&total, &memory, options->margin_bytes, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    uint64_t critical = options->critical_bytes;
    if (critical == 0) {
        critical = total / 8 < MOST_CRITICAL_BYTES ? total / 8 : MOST_CRITICAL_BYTES;
    }
    const uint64_t requests = options->request_bytes != 0 ? options->request_bytes : total / 20;
    if (critical > total || requests > total - critical) {
        return cuzk_fail(
            err, CUZK_E_RANGE, "shares of %llu and %llu bytes are more than the budget of %llu",
            (unsigned long long)critical, (unsigned long long)requests, (unsigned long long)total);
    }
    const budget_options b = {.total_bytes = total,
                              .critical_bytes = critical,
                              .request_bytes = requests,
                              .evict = evict,
                              .evict_arg = s};
    return cuzk_budget_create(&s->budget, &b, err);
}

static cuzk_status make_params(service *s, const service_options *options, cuzk_error *err) {
    s->param_dir = strdup(cuzk_param_directory(options->param_dir));
    if (s->param_dir == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a service");
    }
    const param_manager_options p = {.pool = s->pool,
                                     .budget = s->budget,
                                     .backend = options->backend,
                                     .directory = s->param_dir,
                                     .allow_local = options->allow_local,
                                     .trust_params = options->trust_params,
                                     .tier = options->tier,
                                     .keep_hot = options->keep_hot,
                                     .n_keep_hot = options->n_keep_hot,
                                     .min_idle_ns = options->min_idle_ns,
                                     .now_ns = options->engine.now_ns,
                                     .clock_arg = options->engine.clock_arg};
    return cuzk_param_manager_create(&s->params, &p, err);
}

static cuzk_status make_engine(service *s, const service_options *options, cuzk_error *err) {
    s->proofs = (proof_work){.params = s->params,
                             .backend = options->backend != NULL ? options->backend
                                                                 : &cuzk_groth16_cpu_backend,
                             .last_backend = options->last_backend,
                             .store = s->partitions,
                             .directory = s->param_dir};
    s->work = options->work != NULL ? *options->work : cuzk_proof_work(&s->proofs);
    engine_options e = options->engine;
    e.pool = s->pool;
    e.budget = s->budget;
    e.work = &s->work;
    s->n_synthesis = e.n_synthesis;
    return cuzk_core_create(&s->engine, &e, err);
}

cuzk_status cuzk_service_create(service **created, const service_options *options,
                                cuzk_error *err) {
    *created = NULL;
    cuzk_status status = cuzk_cpu_check(err);
    if (status != CUZK_OK) {
        return status;
    }
    service *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a service");
    }
    status = cuzk_pool_create(&s->pool, options->n_threads, err);
    if (status == CUZK_OK) {
        status = make_budget(s, options, err);
    }
    if (status == CUZK_OK) {
        status = make_params(s, options, err);
    }
    if (status == CUZK_OK && options->partition_dir != NULL) {
        status = cuzk_partition_store_open(&s->partitions, options->partition_dir,
                                           MOST_STORED_PARTITIONS, err);
    }
    if (status == CUZK_OK) {
        status = make_engine(s, options, err);
    }
    if (status != CUZK_OK) {
        cuzk_service_destroy(s);
        return status;
    }
    *created = s;
    return CUZK_OK;
}

void cuzk_service_destroy(service *s) {
    if (s == NULL) {
        return;
    }
    cuzk_core_destroy(s->engine);
    cuzk_param_manager_destroy(s->params);
    cuzk_partition_store_close(s->partitions);
    cuzk_budget_destroy(s->budget);
    cuzk_pool_destroy(s->pool);
    free(s->param_dir);
    free(s);
}

void cuzk_service_drain(service *s, uint64_t drain_ns) { cuzk_core_shutdown(s->engine, drain_ns); }

engine *cuzk_service_engine(service *s) { return s->engine; }
param_manager *cuzk_service_params(service *s) { return s->params; }
budget *cuzk_service_budget(service *s) { return s->budget; }
cuzk_pool *cuzk_service_pool(service *s) { return s->pool; }
const char *cuzk_service_param_dir(const service *s) { return s->param_dir; }

/* ---- reports ---- */

#define MOST_RESIDENTS 64 /* as many circuits as have ids, and more */

cuzk_status cuzk_service_status(char **text, size_t *len_bytes, service *s, cuzk_error *err) {
    param_report reports[MOST_RESIDENTS];
    status_resident residents[MOST_RESIDENTS];
    size_t n = cuzk_param_look(s->params, reports, MOST_RESIDENTS);
    n = n < MOST_RESIDENTS ? n : MOST_RESIDENTS;
    for (size_t i = 0; i < n; i++) {
        residents[i] = (status_resident){.circuit_id = reports[i].circuit_id,
                                         .bytes = reports[i].bytes,
                                         .idle_ns = reports[i].idle_ns,
                                         .evictable = reports[i].evictable};
    }
    const budget_report memory = cuzk_budget_look(s->budget);
    const status_extras extras = {.memory = &memory,
                                  .max_syntheses = s->n_synthesis + 1,
                                  .residents = residents,
                                  .n_residents = n};
    return cuzk_status_document(text, len_bytes, s->engine, &extras, err);
}

cuzk_status cuzk_service_metrics(char **text, size_t *len_bytes, service *s, cuzk_error *err) {
    engine_report report;
    cuzk_core_look(s->engine, &report);
    const budget_report memory = cuzk_budget_look(s->budget);
    return cuzk_metrics_text(text, len_bytes, &report, &memory, err);
}
