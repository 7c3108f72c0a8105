/* Jobs: which requests are the same, how far each is, who waits for it, what is kept of it
 * (engine.md 10). Plain bookkeeping without threads or clock: the owner's lock covers every call on
 * a table and its jobs, and `now_ns` is the owner's monotonic time. */
#ifndef CUZK_ENGINE_JOB_TABLE_H
#define CUZK_ENGINE_JOB_TABLE_H

#include "base/pool.h"
#include "groth16/groth16.h"

#define JOB_DIGEST_BYTES 32
#define JOB_REQUEST_ID_MAX 1024 /* bytes, without the final zero */
#define JOB_ID_MAX (JOB_REQUEST_ID_MAX + 1 + 2 * JOB_DIGEST_BYTES)
#define JOB_PARTITIONS_MAX 1024
#define JOB_LIVING_MAX 4096 /* jobs that have not ended */
#define JOB_KINDS 5         /* arrays indexed by cuzk_proof_kind */

/* BLAKE2b, first 32 bytes, of what decides the proof: everything in *request but names of inputs.
 * Each part is preceded by its length, so that no two requests give the same bytes. */
void cuzk_job_digest(uint8_t digest[JOB_DIGEST_BYTES], const cuzk_request *request);

/* In the order in which a job goes through them; from VERIFYING also back to RUNNING. */
typedef enum job_state {
    JOB_RECEIVED,
    JOB_QUEUED,
    JOB_BATCHING,
    JOB_PARSING,
    JOB_RUNNING,
    JOB_VERIFYING,
    JOB_COMPLETED, /* this and what follows: the job has ended */
    JOB_FAILED,
    JOB_CANCELLED
} job_state;

typedef enum partition_state {
    PARTITION_PENDING,
    PARTITION_SYNTHESIZING,
    PARTITION_SYNTH_DONE,
    PARTITION_PROVING,
    PARTITION_DONE,
    PARTITION_FAILED
} partition_state;
/* As status documents spell it: "pending", "synthesizing", "synth_done", "gpu", "done", "failed".
 */
const char *cuzk_partition_state_name(partition_state state);

typedef struct job_partition {
    partition_state state;
    uint64_t synth_start_ns, prove_start_ns; /* when it entered the stage */
    uint64_t synth_ns, prove_ns;             /* how long the stage took; 0 until it is over */
    uint64_t verify_start_ns; /* within proving: when its proof came to be verified; 0: not yet */
} job_partition;

typedef struct job job;
typedef struct job_table job_table;
typedef struct job_queue job_queue;

/* Somebody who wants to know how a job ends; the caller's storage. `notify` is called exactly once,
 * under the owner's lock (so it must be short and not call back), unless cuzk_job_leave came first.
 */
typedef struct job_waiter {
    void (*notify)(void *arg, const job *job);
    void *arg;
    job *job; /* NULL: not waiting */
    struct job_waiter *prev, *next;
} job_waiter;

/* Read freely; written by the functions below, but for what is marked. */
struct job {
    uint64_t serial; /* 1, 2, ... by submission */
    char *id;        /* what clients call it; see cuzk_job_submit */
    char *request_id;
    uint8_t digest[JOB_DIGEST_BYTES];
    cuzk_proof_kind kind;
    cuzk_priority priority;
    bool keeps_going; /* even if nobody waits for it */
    job_state state;

    unsigned n_partitions; /* 0 until it is known */
    job_partition *partitions;
    uint8_t *proof;   /* n_partitions * GROTH16_PROOF_BYTES; valid when JOB_COMPLETED */
    cuzk_error error; /* of JOB_FAILED and JOB_CANCELLED */

    uint64_t submitted_ns, parsing_ns, ended_ns;      /* 0: not yet */
    uint64_t parameters_ns, synthesis_ns, proving_ns; /* sums; parameters_ns is the owner's */
    uint64_t unwatched_since_ns;                      /* valid without waiters */
    job_waiter *waiters;

    bool turned_away;             /* the owner's: cancelled because the engine is shutting down */
    bool started;                 /* the owner's: its first partition has begun */
    unsigned n_uses;              /* the owner's: above 0, the table keeps the job */
    void *work;                   /* the owner's */
    job_queue *queue;             /* the one it is in; NULL: none */
    job *queue_prev, *queue_next; /* in it */
    job *older, *newer;           /* in the table */
};

static inline bool job_ended(const job *j) { return j->state >= JOB_COMPLETED; }

/* ---- lists of jobs; a job is in at most one ---- */

/* Zeroed: an empty one. */
struct job_queue {
    job *first, *last;
    size_t length;
};
/* Out of the queue it is in, if any. */
void cuzk_job_queue_append(job_queue *queue, job *j);
void cuzk_job_queue_leave(job *j);

/* ---- the table ---- */

/* Ended jobs stay for result_ttl_ns after their end, and at most max_results of them. */
cuzk_status cuzk_job_table_create(job_table **table, uint64_t result_ttl_ns, size_t max_results,
                                  cuzk_error *err);
/* Accepts NULL. Nobody may wait for a job. */
void cuzk_job_table_destroy(job_table *table);

/* What a submission says of itself; borrowed for the call. */
typedef struct job_ticket {
    const char *request_id; /* NULL or "": none */
    uint8_t digest[JOB_DIGEST_BYTES];
    cuzk_proof_kind kind;
    cuzk_priority priority;
    bool keeps_going;
} job_ticket;

typedef enum job_origin { JOB_NEW, JOB_ATTACHED, JOB_RETAINED } job_origin;

/* *j: the job that answers the ticket.
 *   JOB_ATTACHED  a living one of the same request id and digest; its priority is raised to the
 *                 ticket's
 *   JOB_RETAINED  a completed one of the same request id and digest
 *   JOB_NEW       a new one, JOB_RECEIVED; also when the same request failed before
 * The id of a new job is the request id, or "REQUEST_ID#1a2b3c4d" (of the digest, lengthened until
 * it is nobody's) if the table knows another payload of that request id, or a random UUID if there
 * is no request id.
 * Fails: CUZK_E_INPUT for a request id above JOB_REQUEST_ID_MAX bytes, CUZK_E_NO_MEMORY (also for
 * a new job when JOB_LIVING_MAX live), CUZK_E_IO (no entropy). */
cuzk_status cuzk_job_submit(job_table *table, job **j, job_origin *origin, const job_ticket *ticket,
                            uint64_t now_ns, cuzk_error *err);

/* The newest job of that id; NULL if there is none. */
job *cuzk_job_find(const job_table *table, const char *id);
/* All jobs, oldest first: cuzk_job_oldest, then ->newer. */
job *cuzk_job_oldest(const job_table *table);

/* Forgets ended jobs that are too old or too many, those submitted first before others; jobs in use
 * stay. */
void cuzk_job_table_expire(job_table *table, uint64_t now_ns);
/* A living job that has not reached JOB_PARSING, that nobody waits for since grace_ns or longer,
 * and that does not keep going by itself; NULL if there is none. */
job *cuzk_job_abandoned(const job_table *table, uint64_t now_ns, uint64_t grace_ns);

/* ---- a job's way ---- */

/* To a state in which it has not ended. */
void cuzk_job_enter(job *j, job_state state, uint64_t now_ns);
/* Sets the number of partitions, all pending. Fails: CUZK_E_RANGE unless 1 <= n_partitions <=
 * JOB_PARTITIONS_MAX, CUZK_E_NO_MEMORY. */
cuzk_status cuzk_job_split(job *j, unsigned n_partitions, cuzk_error *err);
/* To any state but PARTITION_DONE, in order; PARTITION_FAILED from any. */
void cuzk_job_partition_enter(job *j, unsigned partition, partition_state state, uint64_t now_ns);
/* Puts a partition's proof into its slot, which makes it PARTITION_DONE. Fails: CUZK_E_INTERNAL for
 * a partition that does not exist, is not being proved, or a wrong length. */
cuzk_status cuzk_job_place_proof(job *j, unsigned partition, const uint8_t *proof,
                                 size_t proof_bytes, uint64_t now_ns, cuzk_error *err);
/* The same of a proof that was made before: its partition is pending. */
void cuzk_job_place_stored(job *j, unsigned partition, const uint8_t proof[GROTH16_PROOF_BYTES]);
bool cuzk_job_all_placed(const job *j);
/* How many partitions are in that state. */
unsigned cuzk_job_count_partitions(const job *j, partition_state state);

/* The ends: state, counters, then every waiter is notified. The job must not have ended. */
void cuzk_job_complete(job_table *table, job *j, uint64_t now_ns); /* all proofs are placed */
void cuzk_job_fail(job_table *table, job *j, const cuzk_error *error, uint64_t now_ns);
void cuzk_job_cancel(job_table *table, job *j, const cuzk_error *error, uint64_t now_ns);

/* ---- waiting ---- */

/* Notifies at once if the job has ended. waiter->notify and ->arg are set, ->job is NULL. */
void cuzk_job_watch(job *j, job_waiter *waiter);
/* Does nothing if it is not waiting any more. */
void cuzk_job_leave(job_waiter *waiter, uint64_t now_ns);

/* ---- reports ---- */

/* Milliseconds, up to now or the job's end (engine.md 10.5). */
typedef struct job_timings {
    uint64_t queue_wait_ms, srs_load_ms, synthesis_ms, gpu_compute_ms, total_ms;
} job_timings;
job_timings cuzk_job_timings(const job *j, uint64_t now_ns);

/* Since the table was made, by kind; `pending` and `in_progress` are of now: jobs that have not
 * started, and those that have and did not end. */
typedef struct job_counters {
    uint64_t completed[JOB_KINDS], failed[JOB_KINDS], cancelled[JOB_KINDS];
    uint64_t completed_ns[JOB_KINDS]; /* sum of total times of completed jobs */
    uint64_t attached, retained;      /* submissions answered by a job of another */
    uint64_t pending[JOB_KINDS], in_progress[JOB_KINDS];
} job_counters;
void cuzk_job_count(job_counters *counters, const job_table *table);

#endif
