/* The engine: requests in, verified proofs out, in order of urgency, partitions overlapping, within
 * a budget of memory (engine.md 10 to 20). No transport, no globals: several may live in a process.
 * Every function may be called from any thread. */
#ifndef CUZK_ENGINE_ENGINE_H
#define CUZK_ENGINE_ENGINE_H

#include "engine/budget.h"
#include "engine/job_table.h"
#include "engine/work.h"

typedef struct engine engine;

/* What happens to a partition. */
typedef enum engine_event_kind {
    ENGINE_SYNTH_START,
    ENGINE_SYNTH_END,
    ENGINE_PROVE_QUEUE, /* its witness waits for a prover */
    ENGINE_PROVE_PICKUP,
    ENGINE_PROVE_START, /* of each attempt */
    ENGINE_PROVE_END    /* verified, or given up */
} engine_event_kind;

typedef struct engine_event {
    engine_event_kind kind;
    const char *job_id;
    uint64_t serial;
    cuzk_proof_kind proof_kind;
    unsigned partition, prover; /* as engine_report.provers counts; synthesis: 0 */
    uint64_t at_ns;             /* since the engine was made */
    uint64_t took_ns;           /* of the ENDs: since the matching START or PICKUP */
    /* Of PROVE_END: the last attempt's, as far as known; else NULL and 0. */
    const groth16_timing *timing;
    uint64_t verify_ns;
} engine_event;

/* Everything is borrowed until cuzk_core_destroy. */
typedef struct engine_options {
    cuzk_pool *pool;
    budget *budget;
    const engine_work *work;
    uint64_t (*now_ns)(void *arg); /* monotonic; NULL: the system's */
    void *clock_arg;
    uint64_t result_ttl_ns; /* how long, and how many, ended jobs are remembered */
    size_t max_results;
    uint64_t grace_ns; /* a job that has not begun and that nobody waits for is dropped after it */
    size_t max_batch;  /* see collector.h */
    uint64_t max_batch_wait_ns;
    bool prefer_resident; /* see scheduler.h */
    unsigned max_open;    /* jobs of a class or above that are read while partitions of them wait */
    unsigned n_synthesis; /* partitions synthesised at once, at most, below CUZK_CRITICAL */
    unsigned max_waiting; /* of them that wait for a prover, as the pacer aims for; 0: no pacer */
    unsigned n_retries;   /* of a partition whose proof is bad */
    /* NULL, or told of events as they happen, from several threads, under no lock: what it takes,
     * the stage takes. */
    void (*on_event)(void *arg, const engine_event *event);
    void *event_arg;
} engine_options;

/* No batches, an hour, 4096 results, 30 s grace, 2 open jobs, 1 synthesis, 2 retries. */
void cuzk_core_options_init(engine_options *options);

cuzk_status cuzk_core_create(engine **e, const engine_options *options, cuzk_error *err);
/* Shuts down without draining first. Accepts NULL. */
void cuzk_core_destroy(engine *e);

/* ---- jobs ---- */

typedef struct engine_submission {
    const char *request_id; /* NULL or "": none. Copied */
    cuzk_priority priority;
    bool keeps_going; /* runs even if nobody waits for it */
    /* Kept with all it points to until `release`, which is called exactly once, also when
     * submitting fails; from any thread, under no lock. */
    const cuzk_request *request;
    void (*release)(void *owner);
    void *owner;
    job_waiter *waiter;      /* NULL, or who is told of the end: see cuzk_core_watch */
    const cuzk_error *fault; /* NULL, or why the request can only fail: a new job ends with it at
                              * once */
} engine_submission;

typedef struct engine_receipt {
    char id[JOB_ID_MAX + 1];
    job_origin origin;
    size_t queue_position; /* jobs that waited before it */
} engine_receipt;

/* Returns at once but for hashing the request. What is wrong with a request ends its job as failed.
 * Fails: CUZK_E_CANCELLED (shutting down), CUZK_E_INPUT (the kind, the request id),
 * CUZK_E_NO_MEMORY, CUZK_E_IO. */
cuzk_status cuzk_core_submit(engine *e, engine_receipt *receipt,
                             const engine_submission *submission, cuzk_error *err);

/* How a job stands or ended; a copy. */
typedef struct engine_outcome {
    job_state state;
    bool turned_away; /* cancelled because the engine is shutting down */
    job_timings timings;
    uint8_t *proof; /* of JOB_COMPLETED, else NULL */
    size_t proof_bytes;
    cuzk_error error; /* of JOB_FAILED and JOB_CANCELLED */
} engine_outcome;
void cuzk_core_outcome_clear(engine_outcome *outcome);

/* Waits until the job has ended, or timeout_ns (UINT64_MAX: for ever) have passed: then the state
 * says how far it is. Fails: CUZK_E_INPUT "job not found: ID". */
cuzk_status cuzk_core_await(engine *e, engine_outcome *outcome, const char *id, uint64_t timeout_ns,
                            cuzk_error *err);
/* The same by a call: waiter->notify under the engine's lock (short, calling nothing of the
 * engine but cuzk_core_outcome_of), at once if the job has ended. Fails: as await. */
cuzk_status cuzk_core_watch(engine *e, job_waiter *waiter, const char *id, cuzk_error *err);
/* After it, notify is not called any more. */
void cuzk_core_leave(engine *e, job_waiter *waiter);
/* For use in notify. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_core_outcome_of(engine_outcome *outcome, const job *j, cuzk_error *err);

/* Ends a job: at once for those who wait, within one kernel step for what runs. *was_running: it
 * had been taken up; false for an unknown or ended one. */
void cuzk_core_cancel(engine *e, const char *id, bool *was_running);

/* Other engine_options.max_waiting from now on. */
void cuzk_core_set_max_waiting(engine *e, unsigned max_waiting);

/* ---- the whole ---- */

/* No new jobs; those that have not begun are cancelled; the others may finish within drain_ns,
 * then they are cancelled too. Returns when nothing runs. */
void cuzk_core_shutdown(engine *e, uint64_t drain_ns);
/* For clocks that jump: everything that waits for a time looks at the clock. */
void cuzk_core_wake(engine *e);

/* One thread that proves. */
typedef struct engine_prover_report {
    bool critical;   /* works for CUZK_CRITICAL jobs only */
    uint64_t serial; /* of the job it works on; 0: idle */
    unsigned partition;
    uint64_t busy_ns;
} engine_prover_report;
#define ENGINE_PROVERS 2

typedef struct engine_report {
    job_counters counters;
    uint64_t uptime_ns;
    size_t queue_depth;                         /* jobs not taken up yet */
    unsigned synthesizing, synth_done, proving; /* partitions */
    unsigned n_held;                            /* jobs whose input is in memory, ended ones too */
    uint64_t n_retries;
    engine_prover_report provers[ENGINE_PROVERS];
} engine_report;
void cuzk_core_look(engine *e, engine_report *report);
#define ENGINE_RUNNING_CHARS 1024
/* out = ids of the jobs that threads are at work on, separated by ", ": as many as have room, each
 * cut to 63 bytes, with '_' for what is not printable ASCII or would need an escape. Takes no lock
 * and is async-signal-safe: for a last word. Returns its length. */
size_t cuzk_core_running(const engine *e, char out[ENGINE_RUNNING_CHARS]);
/* Shows every job the engine remembers, oldest first, under its lock: fn must be short and not call
 * back. */
void cuzk_core_visit(engine *e, void (*fn)(void *arg, const job *j, uint64_t now_ns), void *arg);

#endif
