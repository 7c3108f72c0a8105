/* libcuzk: Groth16 (BLS12-381) proving for Filecoin storage providers.
 *
 * The stable interface: bytes of a proof request in, verified proof bytes out. Everything a host
 * program needs; cuzk_unstable.h offers the parts for experiments.
 *
 * Conventions. Functions that can fail return a cuzk_status; outputs are valid only on CUZK_OK.
 * `err` may be NULL. Handles are opaque; what `create` gave goes back to `destroy`, which accepts
 * NULL. A const pointer is borrowed for the call unless its comment says that it is kept. Sizes are
 * in bytes where the name ends in _bytes. */
#ifndef CUZK_H
#define CUZK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CUZK_API __attribute__((visibility("default")))
#else
#define CUZK_API
#endif

#define CUZK_VERSION_MAJOR 0
#define CUZK_VERSION_MINOR 1
#define CUZK_VERSION_PATCH 0

/* Every status: name, text. The enum, cuzk_status_name() and cuzk_status_text() are made from this
 * one list. */
#define CUZK_STATUS_MAP(X)                                                                         \
    X(OK, "done")                                                                                  \
    X(E_ARGUMENT, "the caller broke the interface's rules")                                        \
    X(E_RANGE, "a size or number is outside its range")                                            \
    X(E_INPUT, "the input is malformed")                                                           \
    X(E_INCONSISTENT, "the input is well formed but does not hold together")                       \
    X(E_UNSUPPORTED, "this build or machine cannot do that")                                       \
    X(E_NO_MEMORY, "not enough memory")                                                            \
    X(E_IO, "a file could not be read or written")                                                 \
    X(E_NO_PARAMS, "parameters are missing")                                                       \
    X(E_BAD_PARAMS, "a parameter file is damaged or not the expected one")                         \
    X(E_PROOF_INVALID, "the proof does not verify")                                                \
    X(E_CANCELLED, "cancelled")                                                                    \
    X(E_INTERNAL, "a fault in this library")

typedef enum cuzk_status {
#define CUZK_STATUS_ENUM(name, text) CUZK_##name,
    CUZK_STATUS_MAP(CUZK_STATUS_ENUM)
#undef CUZK_STATUS_ENUM
} cuzk_status;

/* "CUZK_E_INPUT" and so on; never NULL. */
CUZK_API const char *cuzk_status_name(cuzk_status status);
/* One line for a person; never NULL. */
CUZK_API const char *cuzk_status_text(cuzk_status status);

#define CUZK_NOWHERE (-1) /* a place member of cuzk_error that does not apply */

/* What went wrong and where. `text` is complete in itself (it repeats the place); the members serve
 * programs. */
typedef struct cuzk_error {
    cuzk_status status;
    int64_t partition; /* CUZK_NOWHERE or the partition's number, from 0 */
    int64_t challenge; /* CUZK_NOWHERE or the challenge's number within the partition, from 0 */
    int64_t sector;    /* CUZK_NOWHERE or the sector number */
    int64_t offset;    /* CUZK_NOWHERE or the byte offset in `file` */
    char file[256];    /* "" or the name of the file (its end, if it is too long) */
    char text[768];    /* "" or one line without a newline */
} cuzk_error;

/* "0.1.0" */
CUZK_API const char *cuzk_version(void);

/* ---- a prover: threads, memory account, parameters ---- */

/* Work done and to do of the running phase; may come from any thread, one call at a time. */
typedef void (*cuzk_progress_callback)(void *arg, const char *phase, uint64_t done, uint64_t total);

/* Where the points of parameters are while a proof is made. */
typedef enum cuzk_tier {
    CUZK_TIER_AUTO,     /* as the memory limit, or half of the machine's memory, suggests */
    CUZK_TIER_RESIDENT, /* decoded in memory */
    CUZK_TIER_MAPPED,   /* read through the page cache when needed */
    CUZK_TIER_STREAMED  /* read ahead, past the page cache */
} cuzk_tier;

typedef struct cuzk_options {
    unsigned n_threads;        /* 0: one for each CPU this process may use */
    size_t memory_limit_bytes; /* SIZE_MAX: none */
    const char *param_cache; /* directory of .params and .vk; NULL: FIL_PROOFS_PARAMETER_CACHE, else
                              * /var/tmp/filecoin-proof-parameters */
    bool allow_local_params; /* accept parameters made by `cuzk setup` (insecure: tests only) */
    cuzk_tier tier;          /* within the limit, as many partitions share a pass as it allows */
    cuzk_progress_callback progress; /* NULL: silent */
    void *progress_arg;
} cuzk_options;

/* Fills in the defaults: all CPUs, no limit, default directory, no local parameters, tier by the
 * limit, silent. */
CUZK_API void cuzk_options_init(cuzk_options *options);

/* Any number of calls may run on one prover at once, from different threads; they share its threads
 * and its account. */
typedef struct cuzk_prover cuzk_prover;

/* Strings in options are copied. Fails: CUZK_E_UNSUPPORTED (CUZK_CPU names a level this machine
 * lacks), CUZK_E_NO_MEMORY. */
CUZK_API cuzk_status cuzk_prover_create(cuzk_prover **prover, const cuzk_options *options,
                                        cuzk_error *err);
/* No call may be running. */
CUZK_API void cuzk_prover_destroy(cuzk_prover *prover);
/* Makes every running and later call on this prover end with CUZK_E_CANCELLED. Async-signal-safe.
 */
CUZK_API void cuzk_prover_cancel(cuzk_prover *prover);

/* ---- proving ---- */

/* Numbers as in the wire contract. */
typedef enum cuzk_proof_kind {
    CUZK_POREP = 1,
    CUZK_SNAP = 2,
    CUZK_WINDOW_POST = 3,
    CUZK_WINNING_POST = 4
} cuzk_proof_kind;

/* One input document; `name` is what errors call it: NULL for a name made up, or none. */
typedef struct cuzk_input {
    const uint8_t *data;
    size_t len_bytes;
    const char *name;
} cuzk_input;

/* Everything is borrowed for the call. Start from {0}, then set what applies.
 *
 *   kind               inputs
 *   CUZK_POREP         one c1.json
 *   CUZK_WINNING_POST  one vanilla proof, binary
 *   CUZK_WINDOW_POST   one vanilla proof for each sector, binary, in the order of the public inputs
 *   CUZK_SNAP          one vanilla proof for each partition, binary, in order */
typedef struct cuzk_request {
    cuzk_proof_kind kind;
    uint64_t registered_proof; /* PoRep: 0, or what the input must say; else always needed */
    uint64_t miner_id;         /* actor id */
    uint64_t sector_number;    /* PoRep, SNAP (for error texts only) */
    bool has_sector_number;    /* PoRep: false: the input's own */
    const cuzk_input *inputs;
    size_t n_inputs;
    const uint8_t *randomness; /* PoSt: 32 bytes, little-endian below the field modulus (users of
                                * the chain's randomness clear the two top bits of the last byte) */
    const uint8_t *comm_r_old, *comm_r_new, *comm_d_new; /* SNAP: 32 bytes each */
    bool whole_partition; /* Window alone: the inputs are the sectors of partition number
                           * partition_index of a larger proof; more than it holds are refused.
                           * false: all sectors, split into partitions */
    unsigned partition_index;
    bool only_one; /* prove `only_partition` of the inputs' partitions alone */
    unsigned only_partition;
    /* Fixed blinding, for tests only: two proofs with equal blinding leak their witnesses. Both
     * NULL, or 32 bytes each, little-endian, below r. */
    const uint8_t *insecure_test_r, *insecure_test_s;
} cuzk_request;

/* A proof: "read", "check", "parameters", "structure", "synthesis"; "ntt" (the quotient), "l", "a",
 * "b_g1", "b_g2", "h" (the sums over these sections), "assemble"; "verify". "ntt" may run beside
 * "l" to "b_g2". An aggregate: "parameters", "inputs", "verify", "aggregate". */
typedef struct cuzk_phase {
    const char *name;
    double wall_s, cpu_s; /* CPU time of the threads at work for it */
    double wait_s;        /* of wall_s: waiting for parameters to be read from the disk */
} cuzk_phase;
#define CUZK_MAX_PHASES 20

typedef struct cuzk_result {
    uint8_t *proof; /* n_partitions * 192 bytes, in partition order; or an aggregate of so many */
    size_t proof_bytes;
    unsigned n_partitions;
    char circuit[40];       /* "porep-2k" */
    uint64_t sector_number; /* of the first sector */
    size_t n_sectors;
    bool local_params;     /* made with local, insecure parameters */
    size_t peak_rss_bytes; /* RssAnon + RssShmem during the call, sampled */
    /* A proof: how it was made, what that was expected to charge to the account beside what had
     * been charged before (the request), and the most that was charged in all. */
    cuzk_tier tier;
    unsigned n_at_once; /* partitions that shared a pass over the points */
    size_t planned_bytes, charged_bytes;
    unsigned n_phases;
    cuzk_phase phases[CUZK_MAX_PHASES];
    /* The one thing that a failed call fills in: every sector of a PoSt request whose vanilla proof
     * has a fault, ascending; NULL and 0 for other failures. The error's text lists those that fit
     * into it. */
    uint64_t *bad_sectors;
    size_t n_bad_sectors;
} cuzk_result;

/* Judges the input, loads parameters, proves, verifies: the proof returned has been verified.
 * Fails: CUZK_E_INPUT, CUZK_E_INCONSISTENT (the input, before any proving), CUZK_E_NO_PARAMS,
 * CUZK_E_BAD_PARAMS, CUZK_E_NO_MEMORY, CUZK_E_CANCELLED, CUZK_E_UNSUPPORTED, CUZK_E_PROOF_INVALID
 * (ours did not verify). */
CUZK_API cuzk_status cuzk_prove(cuzk_prover *prover, cuzk_result *result,
                                const cuzk_request *request, cuzk_error *err);
/* Frees what cuzk_prove put into a result; accepts a zeroed one, and one of a call that failed. */
CUZK_API void cuzk_result_clear(cuzk_result *result);

/* ---- an engine: many requests at once, parameters kept in memory ---- */

/* Proves requests as they come: by urgency, the synthesis of a partition beside the proof of
 * another, within a budget of memory. Every proof is verified before it is handed out; one that is
 * bad is made again. Any number of engines may live in a process. All functions on one may be
 * called at once, from any thread, but for cuzk_engine_destroy. */
typedef struct cuzk_engine cuzk_engine;

/* Start from cuzk_engine_options_init. Strings and lists are copied. */
typedef struct cuzk_engine_options {
    unsigned n_threads;           /* 0: one for each CPU this process may use */
    uint64_t memory_budget_bytes; /* for parameters and proofs together; 0: what the machine and its
                                   * control group allow, less safety_margin_bytes */
    uint64_t safety_margin_bytes;
    const char *param_cache;     /* as in cuzk_options */
    bool allow_local_params;     /* as in cuzk_options */
    const char *const *keep_hot; /* ids of circuits ("winning-32g") whose parameters stay in memory
                                  * once they are there; NULL: that one */
    size_t n_keep_hot;
    uint64_t eviction_min_idle_ms; /* others stay for so long after their last use, unless nothing
                                    * could go on otherwise */
    uint64_t result_ttl_ms;        /* how long, and how many, ended jobs are remembered */
    size_t max_results;
    unsigned n_retries; /* of a partition whose proof is bad; the last by other means, if there are
                         * any */
} cuzk_engine_options;

/* All CPUs, the machine's memory less 5 GiB, 5 minutes, results for an hour and at most 4096, two
 * retries. */
CUZK_API void cuzk_engine_options_init(cuzk_engine_options *options);
/* Loads no parameters yet: the first request of a circuit does. Fails: CUZK_E_UNSUPPORTED (CUZK_CPU
 * names a level this machine lacks), CUZK_E_RANGE (an id in keep_hot is none, or the margin leaves
 * no memory), CUZK_E_NO_MEMORY. */
CUZK_API cuzk_status cuzk_engine_create(cuzk_engine **engine, const cuzk_engine_options *options,
                                        cuzk_error *err);
/* Cancels what is not done; returns within the time of one kernel step. No call may be running. */
CUZK_API void cuzk_engine_destroy(cuzk_engine *engine);

/* How urgent a request is. CRITICAL ones have threads and memory of their own, and go first inside
 * a proof too. */
typedef enum cuzk_urgency {
    CUZK_URGENCY_OF_KIND, /* WinningPoSt CRITICAL, WindowPoSt HIGH, others NORMAL */
    CUZK_URGENCY_LOW,
    CUZK_URGENCY_NORMAL,
    CUZK_URGENCY_HIGH,
    CUZK_URGENCY_CRITICAL
} cuzk_urgency;

#define CUZK_JOB_ID_CHARS 1090 /* with the zero byte; most are those of request ids */

/* Queues a request, of which a copy is kept; returns at once but for that. What is wrong with the
 * input ends its job, not this call. A WindowPoSt is one partition: its inputs are the sectors of
 * partition_index, whole_partition need not be set. Non-interactive PoRep is refused.
 *
 * request_id: NULL or "": none; else at most 1024 bytes. The same id with the same content as a job
 * that lives or has succeeded is that job; with other content it is a job of its own. job_id: what
 * the other functions call the job: the request id, or that with the beginning of a digest, or a
 * random one. Fails: CUZK_E_ARGUMENT (also for fixed blinding and only_one), CUZK_E_INPUT (the
 * request id), CUZK_E_CANCELLED (shutting down), CUZK_E_NO_MEMORY, CUZK_E_IO (no entropy). */
CUZK_API cuzk_status cuzk_engine_submit(cuzk_engine *engine, char job_id[CUZK_JOB_ID_CHARS],
                                        const cuzk_request *request, const char *request_id,
                                        cuzk_urgency urgency, cuzk_error *err);

typedef enum cuzk_job_state {
    CUZK_JOB_WAITING,
    CUZK_JOB_RUNNING,
    CUZK_JOB_COMPLETED,
    CUZK_JOB_FAILED,
    CUZK_JOB_CANCELLED
} cuzk_job_state;

/* How a job stands or ended. */
typedef struct cuzk_job_outcome {
    cuzk_job_state state;
    uint8_t *proof; /* of a completed one: 192 bytes for each partition, in order; else NULL */
    size_t proof_bytes;
    cuzk_error error; /* of a failed or cancelled one */
    /* Up to now, or to its end. Synthesis and proving are sums over partitions. */
    uint64_t queue_wait_ms, parameters_ms, synthesis_ms, proving_ms, total_ms;
} cuzk_job_outcome;

/* Waits until the job has ended, or timeout_ms (UINT64_MAX: for ever) have passed: then the state
 * is WAITING or RUNNING. Any number of calls may wait for one job. Clear the outcome of an OK call.
 * Fails: CUZK_E_INPUT ("job not found: ID"), CUZK_E_NO_MEMORY. */
CUZK_API cuzk_status cuzk_engine_await(cuzk_engine *engine, cuzk_job_outcome *outcome,
                                       const char *job_id, uint64_t timeout_ms, cuzk_error *err);
/* Accepts NULL and a zeroed one. */
CUZK_API void cuzk_job_outcome_clear(cuzk_job_outcome *outcome);
/* Ends a job: at once for those who wait, within one kernel step for what runs. *was_running (may
 * be NULL): it had been taken up; false for an unknown or ended one. */
CUZK_API cuzk_status cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, bool *was_running,
                                        cuzk_error *err);
/* No more jobs; those that have not begun are cancelled, others may finish within drain_ms. Returns
 * when nothing runs. Results can still be had. */
CUZK_API cuzk_status cuzk_engine_shutdown(cuzk_engine *engine, uint64_t drain_ms, cuzk_error *err);

/* The engine's state as a JSON object, its counters as Prometheus text: zero-terminated; give *text
 * to cuzk_engine_text_free. Fails: CUZK_E_NO_MEMORY. */
CUZK_API cuzk_status cuzk_engine_status_json(cuzk_engine *engine, char **text, size_t *len_bytes,
                                             cuzk_error *err);
CUZK_API cuzk_status cuzk_engine_metrics_text(cuzk_engine *engine, char **text, size_t *len_bytes,
                                              cuzk_error *err);
CUZK_API void cuzk_engine_text_free(char *text); /* accepts NULL */

/* Loads a circuit's parameters ("porep-32g"); *already: they were in memory; *load_ms: how long it
 * took. Fails: CUZK_E_RANGE (unknown circuit), CUZK_E_NO_PARAMS, CUZK_E_BAD_PARAMS,
 * CUZK_E_NO_MEMORY (more than the budget), CUZK_E_IO. */
CUZK_API cuzk_status cuzk_engine_preload(cuzk_engine *engine, const char *circuit, bool *already,
                                         uint64_t *load_ms, cuzk_error *err);
/* Frees them: *was_loaded, *freed_bytes. In use, they go with their last user: *freed_bytes is 0.
 * Fails: CUZK_E_RANGE. */
CUZK_API cuzk_status cuzk_engine_evict(cuzk_engine *engine, const char *circuit, bool *was_loaded,
                                       uint64_t *freed_bytes, cuzk_error *err);

/* ---- verifying ---- */

/* What a verifier knows of a sealed sector. */
typedef struct cuzk_seal_statement {
    uint64_t registered_proof;
    uint64_t miner_id, sector_number;
    uint8_t comm_r[32], comm_d[32], ticket[32], seed[32];
} cuzk_seal_statement;

/* The public part of a c1.json (vanilla proofs are read but not judged). */
CUZK_API cuzk_status cuzk_seal_statement_from_c1(cuzk_seal_statement *statement,
                                                 const cuzk_input *c1, cuzk_error *err);

/* CUZK_OK: valid. proof: 192 bytes a partition, all partitions, or one (only_one) of them.
 * Fails: CUZK_E_PROOF_INVALID, CUZK_E_INPUT (not a proof: names the partition and element; a bad
 * statement), CUZK_E_NO_PARAMS and CUZK_E_BAD_PARAMS (the .vk file). */
CUZK_API cuzk_status cuzk_verify_seal(cuzk_prover *prover, const cuzk_seal_statement *statement,
                                      const uint8_t *proof, size_t proof_bytes, bool only_one,
                                      unsigned only_partition, cuzk_error *err);

/* ---- aggregates of seal proofs: SnarkPack ---- */

/* What an aggregate says: each of these sectors is sealed. Everything is borrowed for the call. */
typedef struct cuzk_aggregate_statement {
    const cuzk_seal_statement *sectors; /* in the aggregate's order (the chain wants sector numbers
                                         * rising); all of one registered proof, none twice */
    size_t n_sectors;
    unsigned version; /* 1 or 2; non-interactive PoRep: 2, and at most 65 sectors */
    const char *srs;  /* the .srs file; NULL: the published one in the parameter directory */
} cuzk_aggregate_statement;

/* The aggregate of proofs[i] of sectors[i]: 192 bytes for each of its partitions. At most 65,536
 * partitions in all. The same arguments give the same bytes. Every proof is verified before, and
 * the aggregate after it is made. `result` gets the aggregate as `proof` and the number of proofs
 * in it as `n_partitions`.
 * Fails: CUZK_E_INPUT (a statement or a proof that is none: names sector and partition),
 * CUZK_E_PROOF_INVALID (proofs that do not verify: names them), CUZK_E_NO_PARAMS and
 * CUZK_E_BAD_PARAMS (the .vk or .srs file), CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
CUZK_API cuzk_status cuzk_aggregate_seals(cuzk_prover *prover, cuzk_result *result,
                                          const cuzk_aggregate_statement *statement,
                                          const cuzk_input *proofs, cuzk_error *err);

/* CUZK_OK: valid. Bytes after the aggregate are ignored, as verifiers of the network do. Fails:
 * CUZK_E_PROOF_INVALID, CUZK_E_INPUT (not an aggregate of that many proofs, with the offset; a bad
 * statement), CUZK_E_NO_PARAMS and CUZK_E_BAD_PARAMS (the .vk or .srs file). */
CUZK_API cuzk_status cuzk_verify_aggregate(cuzk_prover *prover,
                                           const cuzk_aggregate_statement *statement,
                                           const uint8_t *aggregate, size_t aggregate_bytes,
                                           cuzk_error *err);

/* What a verifier knows of a sector that a PoSt opens. */
typedef struct cuzk_post_sector {
    uint64_t number;
    uint8_t comm_r[32];
} cuzk_post_sector;

/* What a verifier knows of a PoSt. `sectors` is borrowed: those challenged, in order. */
typedef struct cuzk_post_statement {
    cuzk_proof_kind kind;      /* CUZK_WINNING_POST or CUZK_WINDOW_POST */
    uint64_t registered_proof; /* of that kind */
    uint64_t miner_id;
    uint8_t randomness[32]; /* as in cuzk_request */
    const cuzk_post_sector *sectors;
    size_t n_sectors;
    bool whole_partition; /* as in cuzk_request */
    unsigned partition_index;
} cuzk_post_statement;

/* The public part of one PoSt vanilla proof (its paths are read but not judged). */
CUZK_API cuzk_status cuzk_post_sector_from_vanilla(cuzk_post_sector *sector,
                                                   uint64_t registered_proof,
                                                   const cuzk_input *vanilla, cuzk_error *err);

/* As cuzk_verify_seal: 192 bytes for each partition. */
CUZK_API cuzk_status cuzk_verify_post(cuzk_prover *prover, const cuzk_post_statement *statement,
                                      const uint8_t *proof, size_t proof_bytes, bool only_one,
                                      unsigned only_partition, cuzk_error *err);

/* What a verifier knows of a sector update. */
typedef struct cuzk_update_statement {
    uint64_t registered_proof;
    uint8_t comm_r_old[32], comm_r_new[32], comm_d_new[32];
} cuzk_update_statement;

/* As cuzk_verify_seal: 192 bytes for each partition. */
CUZK_API cuzk_status cuzk_verify_update(cuzk_prover *prover, const cuzk_update_statement *statement,
                                        const uint8_t *proof, size_t proof_bytes, bool only_one,
                                        unsigned only_partition, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
