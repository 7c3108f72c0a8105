/* What one cuzk_prover owns: threads, account, parameter directory, cancel flag; and how a call
 * measures itself. */
#ifndef CUZK_ENGINE_HANDLE_H
#define CUZK_ENGINE_HANDLE_H

#include "base/pool.h"
#include "groth16/groth16.h"

struct cuzk_prover {
    cuzk_pool *pool;
    cuzk_account *account;
    cuzk_cancel cancel;
    char *param_cache; /* directory of parameters */
    bool allow_local_params;
    size_t memory_limit_bytes; /* of the account; SIZE_MAX: none */
    cuzk_tier tier;
    cuzk_progress_callback progress;
    void *progress_arg;
};

/* The context of a call on this prover. */
cuzk_ctx cuzk_prover_ctx(const cuzk_prover *prover);
/* The reference's default parameter directory. */
#define PARAM_CACHE_DEFAULT "/var/tmp/filecoin-proof-parameters"
/* `named`, or if NULL what FIL_PROOFS_PARAMETER_CACHE says, or the default. */
const char *cuzk_param_directory(const char *named);

/* The phases of a call: start one, end it; times go into the result, and to standard error if
 * CUZK_TIMING says so (timing_lines.h). */
typedef struct phase_clock {
    cuzk_result *result;
    uint64_t wall_ns, cpu_ns;
} phase_clock;
void cuzk_phase_start(phase_clock *clock);
/* Adds the time since the start to the phase of that name (a constant), which is appended if it is
 * new. */
void cuzk_phase_end(phase_clock *clock, const char *name);
/* Adds times measured elsewhere. */
void cuzk_phase_add(cuzk_result *result, const char *name, const groth16_time *time);
/* Those of a proof, or of several made together. */
void cuzk_phase_add_proof(cuzk_result *result, const groth16_timing *timing);

#endif
