/* A prover: created from options, used by every call of the interface. */
#include "engine/handle.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "engine/timing_lines.h"

void cuzk_options_init(cuzk_options *options) {
    *options = (cuzk_options){.memory_limit_bytes = SIZE_MAX};
}

const char *cuzk_param_directory(const char *named) {
    if (named == NULL) {
        named = getenv("FIL_PROOFS_PARAMETER_CACHE");
        named = named != NULL && named[0] != '\0' ? named : PARAM_CACHE_DEFAULT;
    }
    return named;
}

cuzk_status cuzk_prover_create(cuzk_prover **prover, const cuzk_options *options, cuzk_error *err) {
    if (prover == NULL || options == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_prover_create: NULL argument");
    }
    *prover = NULL;
    cuzk_status status = cuzk_cpu_check(err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_prover *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a prover");
    }
    p->allow_local_params = options->allow_local_params;
    p->memory_limit_bytes = options->memory_limit_bytes;
    p->tier = options->tier;
    p->progress = options->progress;
    p->progress_arg = options->progress_arg;
    p->param_cache = strdup(cuzk_param_directory(options->param_cache));
    if (p->param_cache == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a prover");
    }
    if (status == CUZK_OK) {
        status = cuzk_account_create(&p->account, options->memory_limit_bytes, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_pool_create(&p->pool, options->n_threads, err);
    }
    if (status != CUZK_OK) {
        cuzk_prover_destroy(p);
        return status;
    }
    *prover = p;
    return CUZK_OK;
}

void cuzk_prover_destroy(cuzk_prover *prover) {
    if (prover == NULL) {
        return;
    }
    cuzk_pool_destroy(prover->pool);
    cuzk_account_destroy(prover->account);
    cuzk_blocks_trim(0);
    free(prover->param_cache);
    free(prover);
}

void cuzk_prover_cancel(cuzk_prover *prover) {
    if (prover != NULL) {
        cuzk_cancel_set(&prover->cancel);
    }
}

cuzk_ctx cuzk_prover_ctx(const cuzk_prover *prover) {
    return (cuzk_ctx){.pool = prover->pool,
                      .priority = CUZK_NORMAL,
                      .cancel = &prover->cancel,
                      .progress = prover->progress,
                      .progress_arg = prover->progress_arg,
                      .account = prover->account};
}

void cuzk_phase_start(phase_clock *clock) {
    clock->wall_ns = cuzk_wall_ns();
    clock->cpu_ns = cuzk_process_cpu_ns();
}

void cuzk_phase_end(phase_clock *clock, const char *name) {
    const groth16_time passed = {.wall_ns = cuzk_wall_ns() - clock->wall_ns,
                                 .cpu_ns = cuzk_process_cpu_ns() - clock->cpu_ns};
    cuzk_phase_add(clock->result, name, &passed);
}

void cuzk_phase_add(cuzk_result *result, const char *name, const groth16_time *time) {
    unsigned i = 0;
    while (i < result->n_phases && strcmp(result->phases[i].name, name) != 0) {
        i++;
    }
    if (i == result->n_phases) {
        CUZK_ASSERT(i < CUZK_MAX_PHASES);
        result->phases[i] = (cuzk_phase){.name = name};
        result->n_phases++;
    }
    result->phases[i].wall_s += (double)time->wall_ns / 1e9;
    result->phases[i].cpu_s += (double)time->cpu_ns / 1e9;
    result->phases[i].wait_s += (double)time->wait_ns / 1e9;
    cuzk_timing_line(name, time);
}

void cuzk_phase_add_proof(cuzk_result *result, const groth16_timing *timing) {
    timing_phase phases[TIMING_PROOF_PHASES];
    cuzk_timing_phases(phases, timing);
    for (size_t i = 0; i < TIMING_PROOF_PHASES; i++) {
        cuzk_phase_add(result, phases[i].name, &phases[i].time);
    }
}

void cuzk_result_clear(cuzk_result *result) {
    if (result != NULL) {
        free(result->proof);
        free(result->bad_sectors);
        memset(result, 0, sizeof *result);
    }
}
