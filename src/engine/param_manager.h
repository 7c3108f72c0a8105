/* Parameters in memory: loaded when a job needs them, shared by all that do, kept until their
 * memory is needed or they are told to go (engine.md 16). Thread-safe. */
#ifndef CUZK_ENGINE_PARAM_MANAGER_H
#define CUZK_ENGINE_PARAM_MANAGER_H

#include "engine/budget.h"
#include "filecoin/param_set.h"
#include "groth16/groth16_backend.h"

typedef struct param_manager param_manager;

typedef struct param_manager_options {
    cuzk_pool *pool; /* borrowed, as all pointers here, until destroy; strings are copied */
    budget *budget;
    const groth16_backend *backend; /* NULL: the CPU */
    const char *directory;          /* of .params and .vk */
    bool allow_local;
    bool trust_params; /* see srs/accept.h; TRUST_PARAMS in the environment does the same */
    cuzk_tier tier;    /* of all circuits; CUZK_TIER_AUTO: see param_load.h */
    const char *const *keep_hot; /* ids of circuits that do not go for want of memory */
    size_t n_keep_hot;
    uint64_t min_idle_ns;          /* unused for so long, or longer, before they go */
    uint64_t (*now_ns)(void *arg); /* monotonic; NULL: the system's */
    void *clock_arg;
} param_manager_options;

/* Fails: CUZK_E_NO_MEMORY, CUZK_E_RANGE (an id in keep_hot is none). */
cuzk_status cuzk_param_manager_create(param_manager **m, const param_manager_options *options,
                                      cuzk_error *err);
/* Nobody may use parameters any more. Accepts NULL. */
void cuzk_param_manager_destroy(param_manager *m);

/* ---- use ---- */

/* What a circuit's proofs need, as long as it is held. */
typedef struct param_use {
    const param_set *set;
    const groth16_pk *pk;
    const groth16_pvk *pvk;
    const r1cs_densities *densities;
    groth16_attached *key; /* pk on the manager's back end */
    bool local;            /* made on this machine, insecure */
    size_t work_bytes;     /* most memory of one partition, from its synthesis to its proof: on the
                            * manager's back end, or on the CPU with kernels of the next lower level */
    void *entry;           /* the manager's */
} param_use;

/* Loads the set's parameters unless they are there. Of ctx: priority, cancel. Those who want
 * different circuits load at once; those who want one share its load, and its failure. Nobody
 * overtakes one of the same or a higher priority that waits for memory.
 * Fails: CUZK_E_NO_PARAMS ("SRS param file not found for ID: PATH"), CUZK_E_BAD_PARAMS (truncated,
 * damaged, of another circuit), CUZK_E_NO_MEMORY ("... needs N GiB, budget is M GiB", at once),
 * CUZK_E_IO, CUZK_E_CANCELLED. */
cuzk_status cuzk_param_acquire(param_manager *m, param_use *use, const cuzk_ctx *ctx,
                               const param_set *set, cuzk_error *err);
void cuzk_param_release(param_manager *m, param_use *use);

/* Whether they could be acquired without loading. Quick. */
bool cuzk_param_is_resident(param_manager *m, const param_set *set);

/* ---- orders from outside ---- */

/* Loads the parameters of the circuit of that id; those of WinningPoSt as CUZK_CRITICAL. *already:
 * they were there; *load_ns: how long it took. Fails: CUZK_E_RANGE ("unknown circuit ID: ID"), or
 * as cuzk_param_acquire. */
cuzk_status cuzk_param_preload(param_manager *m, bool *already, uint64_t *load_ns,
                               const cuzk_ctx *ctx, const char *id, cuzk_error *err);
/* Frees them: *was_loaded, *freed_bytes. In use, they go when their last user does: *freed_bytes is
 * 0. Fails: CUZK_E_RANGE ("unknown circuit ID: ID"). */
cuzk_status cuzk_param_evict(param_manager *m, bool *was_loaded, uint64_t *freed_bytes,
                             const char *id, cuzk_error *err);
/* Replaces param_manager_options.min_idle_ns. */
void cuzk_param_set_min_idle(param_manager *m, uint64_t min_idle_ns);
/* budget_options.evict, with the manager as its argument: parameters that nobody uses, those unused
 * for longest first. */
size_t cuzk_param_evict_idle(void *manager, size_t bytes, bool even_recent);

/* ---- reports ---- */

typedef struct param_report {
    char circuit_id[PARAM_ID_CHARS];
    uint64_t bytes;   /* of the budget */
    uint64_t idle_ns; /* since the last use; 0 in use */
    unsigned n_users; /* proofs under way */
    bool evictable;
} param_report;
/* Fills the first `room` of the parameters in memory; returns how many there are. */
size_t cuzk_param_look(param_manager *m, param_report *reports, size_t room);

typedef struct param_counters {
    uint64_t n_loads, load_ns, n_evictions;
} param_counters;
param_counters cuzk_param_count(param_manager *m);

#endif
