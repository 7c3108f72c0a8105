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

typedef struct cuzk_options {
    unsigned n_threads;        /* 0: one for each CPU this process may use */
    size_t memory_limit_bytes; /* SIZE_MAX: none */
    const char *param_cache; /* directory of .params and .vk; NULL: FIL_PROOFS_PARAMETER_CACHE, else
                              * /var/tmp/filecoin-proof-parameters */
    bool allow_local_params; /* accept parameters made by `cuzk setup` (insecure: tests only) */
    cuzk_progress_callback progress; /* NULL: silent */
    void *progress_arg;
} cuzk_options;

/* Fills in the defaults: all CPUs, no limit, default directory, no local parameters, silent. */
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

/* One input document; `name` is what errors call it. */
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

typedef struct cuzk_phase {
    /* A proof: "read", "check", "parameters", "structure", "synthesis", "quotient", "sums", "h
     * sum", "verify"; an aggregate: "parameters", "inputs", "verify", "aggregate" */
    const char *name;
    double wall_s, cpu_s; /* CPU time of the whole process */
} cuzk_phase;
#define CUZK_MAX_PHASES 12

typedef struct cuzk_result {
    uint8_t *proof; /* n_partitions * 192 bytes, in partition order; or an aggregate of so many */
    size_t proof_bytes;
    unsigned n_partitions;
    char circuit[40];       /* "porep-2k" */
    uint64_t sector_number; /* of the first sector */
    size_t n_sectors;
    bool local_params;     /* made with local, insecure parameters */
    size_t peak_rss_bytes; /* RssAnon + RssShmem during the call, sampled */
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
