/* What a job consists of, as functions the engine calls: the engine decides when and with how much
 * memory, this says what is done. Tests put fakes and faults behind it. */
#ifndef CUZK_ENGINE_WORK_H
#define CUZK_ENGINE_WORK_H

#include "base/pool.h"
#include "groth16/groth16.h"

typedef struct work_plan {
    unsigned n_partitions;  /* 1 to JOB_PARTITIONS_MAX (1024); else the job fails */
    size_t partition_bytes; /* what the functions charge for one partition, from its synthesis to
                             * its proof, together */
    unsigned lookahead; /* a partition is not synthesised while more than so many are on their way
                         * from synthesis to proof: 0 keeps one witness in memory, 1 two */
} work_plan;

/* Called without any lock, from several threads at once: for one `opened`, also for different
 * partitions at once. The context's account has room for plan.partition_bytes; open and load get
 * none. A function whose context is cancelled soon returns CUZK_E_CANCELLED. */
typedef struct engine_work {
    void *arg; /* first argument of every function */
    /* Whether the request's parameters are in memory. Quick: called under the engine's lock. May be
     * NULL: no preference. */
    bool (*resident)(void *arg, const cuzk_request *request);
    /* Reads and checks a request, which stays until close. */
    cuzk_status (*open)(void *arg, void **opened, const cuzk_ctx *ctx, const cuzk_request *request,
                        cuzk_error *err);
    /* Makes its parameters available; fills the plan. */
    cuzk_status (*load)(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                        cuzk_error *err);
    cuzk_status (*synthesise)(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                              unsigned partition, cuzk_error *err);
    /* last_attempt: on another back end than before, if there is one. *timing: zeroed before;
     * filled as far as it is known. */
    cuzk_status (*prove)(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                         const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                         bool last_attempt, cuzk_error *err);
    /* From public inputs of the request alone. Fails: CUZK_E_PROOF_INVALID. */
    cuzk_status (*verify)(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                          const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err);
    /* After the last proof of a witness was bad: what is wrong with the input, or OK if that is
     * good and the fault is the prover's. May take as long as a proof. May be NULL. */
    cuzk_status (*diagnose)(void *arg, const cuzk_ctx *ctx, void *opened, const void *witness,
                            unsigned partition, cuzk_error *err);
    /* Finished partitions that outlive the process; NULL, all three: none do. job_digest: the job's
     * (JOB_DIGEST_BYTES). recall: false if it has none; what it gives is verified before it is
     * used. keep: verified. forget: is not needed any more, or bad. */
    bool (*recall)(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], void *opened,
                   const uint8_t *job_digest, unsigned partition);
    void (*keep)(void *arg, void *opened, const uint8_t *job_digest, unsigned partition,
                 const uint8_t proof[GROTH16_PROOF_BYTES]);
    void (*forget)(void *arg, void *opened, const uint8_t *job_digest, unsigned partition);
    void (*drop)(void *arg, void *witness); /* gives back what the account was charged */
    void (*close)(void *arg, void *opened);
} engine_work;

#endif
