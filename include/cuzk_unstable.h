/* The parts of libcuzk that may change at any time: circuits, synthesis alone, setups, parameter
 * files, test inputs, looking into files, texts and files of programs, self-test. For the offline
 * tools and for experiments; only in the static archive. */
#ifndef CUZK_UNSTABLE_H
#define CUZK_UNSTABLE_H

#include "cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- circuits ---- */

/* A circuit this library knows: its sizes and its parameter files. */
typedef struct cuzk_circuit_info {
    char id[40]; /* "porep-2k" */
    uint64_t sector_bytes;
    uint64_t n_constraints; /* without the input rows */
    uint64_t n_inputs, n_aux;
    unsigned log2_domain;
    uint64_t params_bytes; /* size of its .params */
    char file_stem[256];   /* "v28-..." or "" for shapes without parameters */
    bool published;        /* parameters of a ceremony exist */
} cuzk_circuit_info;

/* Number of circuits; info of circuit i, i below that. */
size_t cuzk_circuit_count(void);
cuzk_status cuzk_circuit_get(cuzk_circuit_info *info, size_t i, cuzk_error *err);
/* By id or by the oracle's spelling, in any case. Fails: CUZK_E_INPUT with the nearest ids. */
cuzk_status cuzk_circuit_find(size_t *i, const char *name, cuzk_error *err);

/* What a whole pass over the constraints finds. */
typedef struct cuzk_r1cs_report {
    uint64_t n_constraints, n_inputs, n_aux;
    unsigned log2_domain;
    uint64_t a_aux_density, b_aux_density, b_input_density;
    uint64_t n_terms_a, n_terms_b, n_terms_c;
    uint8_t digest[32];    /* BLAKE2s-256 of the ordered constraints */
    bool has_reference;    /* the reference implementation's digest and counts are known ... */
    bool equals_reference; /* ... and these are they */
} cuzk_r1cs_report;
/* Bounded memory. */
cuzk_status cuzk_r1cs(cuzk_prover *prover, cuzk_r1cs_report *report, size_t circuit,
                      cuzk_error *err);

/* ---- synthesis alone ---- */

/* How the rows of a circuit come about. */
typedef enum cuzk_lc_index {
    CUZK_LC_NONE, /* as proofs are made: values of whole words, no linear combinations */
    /* by linear combinations, term by term, one thread; their lists of terms are */
    CUZK_LC_VEC,       /* vectors that grow: 4, then twice as many */
    CUZK_LC_SMALLVEC1, /* 1, 2 or 4 terms in place, more of them elsewhere */
    CUZK_LC_SMALLVEC2,
    CUZK_LC_SMALLVEC4
} cuzk_lc_index;

typedef struct cuzk_synthesis_options {
    cuzk_lc_index lc_index;
    bool presize;       /* with combinations: vectors of values and rows are made in full length;
                         * else they grow. Without, they never grow */
    bool digests;       /* digests of what comes out, and whether it satisfies the circuit */
    const char *job_id; /* what log lines on standard error call the job; NULL: none are written */
} cuzk_synthesis_options;

/* What became of one partition. */
typedef struct cuzk_partition_synthesis {
    unsigned partition;
    uint64_t n_constraints; /* without the input rows */
    uint64_t n_inputs, n_aux;
    double wall_s, cpu_s; /* CPU time of the whole process; without digests */
    /* of it, with combinations: for these and their rows; CPU time of their one thread */
    double rows_wall_s, rows_cpu_s;
    size_t memory_bytes;    /* values and rows */
    uint64_t n_allocations; /* with combinations: of lists of terms, */
    uint64_t n_terms;       /* terms in these, */
    uint64_t n_growths;     /* times a vector of values or rows grew, */
    size_t list_bytes;      /* size of a list; six of them a constraint */
    double digests_wall_s;  /* with digests: for these, */
    bool satisfied;         /* whether every constraint holds, */
    /* and BLAKE2s-256 of all values, 32 bytes little-endian each: aux variables; A w, B w, C w */
    uint8_t aux_digest[32], a_digest[32], b_digest[32], c_digest[32];
} cuzk_partition_synthesis;

typedef struct cuzk_synthesis {
    cuzk_result request; /* as cuzk_prove has it, without a proof; phases end with "synthesis" */
    cuzk_partition_synthesis *partitions; /* request.n_partitions */
} cuzk_synthesis;

/* Reads and judges the request, then synthesises its partitions, one after the other, each on all
 * threads: all of them, or request->only_partition. Needs no parameters. Fails: CUZK_E_INPUT,
 * CUZK_E_INCONSISTENT, CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_synthesize(cuzk_prover *prover, cuzk_synthesis *synthesis,
                            const cuzk_request *request, const cuzk_synthesis_options *options,
                            cuzk_error *err);
/* Frees what cuzk_synthesize put there; accepts a zeroed one, and one of a call that failed. */
void cuzk_synthesis_clear(cuzk_synthesis *synthesis);

/* ---- proofs without parameters ---- */

/* Reads, judges, synthesises and proves a request as cuzk_prove does, but with a key whose points
 * have known logarithms and are made when they are needed. Every proof is checked by these
 * logarithms; no verifier accepts it. For measuring any circuit without its parameter file. Phases
 * besides those of cuzk_prove: "made points" (CPU time that a proof from a file has not; wall time
 * of the sums includes it) and "log check". peak_rss_bytes is without the check. Fails: as
 * cuzk_prove; CUZK_E_PROOF_INVALID naming the wrong element. */
cuzk_status cuzk_prove_with_test_key(cuzk_prover *prover, cuzk_result *result,
                                     const cuzk_request *request, cuzk_error *err);

/* ---- memory ---- */

/* What proving n_partitions partitions of a circuit at once charges to the prover's account, with
 * its threads, beyond the request itself: exactly, whatever the values. n_quotients of them are
 * held at once (0: all); with fewer, the section h is passed over more often. tier: not
 * CUZK_TIER_AUTO. Fails: CUZK_E_ARGUMENT, CUZK_E_UNSUPPORTED (a circuit whose sizes are not known),
 * CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_prove_memory_bytes(cuzk_prover *prover, size_t *bytes, size_t circuit,
                                    unsigned n_partitions, unsigned n_quotients, cuzk_tier tier,
                                    cuzk_error *err);

/* ---- local parameters ---- */

/* Makes <stem>.params, .vk, .meta and .local.json in the prover's parameter directory. INSECURE:
 * for tests only. seed: 16 bytes for the reference's XorShiftRng, or NULL for secrets from the
 * system that are wiped. Never overwrites; refuses the default directory unless `directory` names
 * it. */
cuzk_status cuzk_setup(cuzk_prover *prover, size_t circuit, const uint8_t *seed,
                       const char *directory, cuzk_error *err);

/* Makes an .srs file for aggregates of up to n_proofs proofs, and a note about it beside it.
 * INSECURE: for tests only. seed: for the generator of the reference's tests, or NULL for secrets
 * from the system that are wiped. Never overwrites. */
cuzk_status cuzk_setup_srs(cuzk_prover *prover, const char *path, size_t n_proofs,
                           const uint64_t *seed, cuzk_error *err);

/* One file of a parameter directory, judged. */
typedef struct cuzk_param_state {
    char file[300];
    enum { CUZK_PARAM_GOOD, CUZK_PARAM_LOCAL, CUZK_PARAM_MISSING, CUZK_PARAM_BAD } state;
    char digest[33];   /* of the file, "" when missing */
    char expected[33]; /* published digest, "" when there is none */
    char text[300];    /* what is wrong */
} cuzk_param_state;
/* Digests of both files (0 .params, 1 .vk) of a circuit. every_point: also curve and subgroup of
 * all points (slow). */
cuzk_status cuzk_params_check(cuzk_prover *prover, cuzk_param_state state[2], size_t circuit,
                              const char *directory, bool every_point, cuzk_error *err);

/* ---- what proofs take ---- */

typedef struct cuzk_plan_phase {
    const char *name; /* "check", "synthesis", "quotient", "sums", "h sum", "decode" */
    double core_s;
} cuzk_plan_phase;
#define CUZK_PLAN_PHASES 6

/* What one partition of a circuit takes on this machine. */
typedef struct cuzk_plan {
    char circuit[40];
    unsigned n_partitions; /* of a whole proof */
    uint64_t n_constraints;
    uint64_t params_bytes, disk_free_bytes; /* the latter where parameters are looked for */
    bool params_present;
    uint64_t witness_bytes;
    /* By cuzk_tier (AUTO: 0): the most that one partition charges to the account. */
    uint64_t memory_bytes[CUZK_TIER_STREAMED + 1];
    uint64_t memory_limit_bytes; /* the prover's, else the machine's or control group's */
    unsigned n_threads;
    unsigned n_phases;
    cuzk_plan_phase phases[CUZK_PLAN_PHASES]; /* predicted */
    double core_s;                            /* of all phases; a resident key saves "decode" */
} cuzk_plan;
/* Plans for n circuits. Measures the kernels first, a few seconds. Fails: CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED, CUZK_E_UNSUPPORTED. */
cuzk_status cuzk_plan_circuits(cuzk_prover *prover, cuzk_plan *plans, const size_t *circuits,
                               size_t n, cuzk_error *err);

/* ---- test data ---- */

/* A consistent proving input of any size without a sector. For tests and benchmarks: no network
 * knows these sectors. The same values give the same bytes. */
typedef struct cuzk_fabrication {
    cuzk_proof_kind kind;
    uint64_t sector_bytes; /* 0: those of the registered proof */
    bool has_registered_proof;
    uint64_t registered_proof; /* else the newest one, interactive */
    uint64_t miner_id;
    uint64_t sector_number; /* Window: the first of consecutive ones */
    uint64_t n_sectors;     /* Window; 1 for the others */
    uint64_t seed;
    const char *directory;
} cuzk_fabrication;
/* What a request needs besides the payload; members that a kind has not are zero. */
typedef struct cuzk_fabricated {
    uint64_t registered_proof;
    unsigned n_partitions;
    uint8_t randomness[32];                                 /* PoSt */
    uint8_t comm_r_old[32], comm_r_new[32], comm_d_new[32]; /* updates */
} cuzk_fabricated;
/* WinningPoSt of sector 1 of miner 1000, seed 0; size and directory are the caller's to set. */
void cuzk_fabrication_init(cuzk_fabrication *fabrication);
/* Writes into the directory, which is made if need be, but not its parents:
 *   c1.json             PoRep: the request's payload
 *   vanilla.json        other kinds: the payload as a JSON array of base64 strings
 *   sector-N.vproof     PoSt: each of them in binary
 *   partition-K.vproof  updates: likewise
 *   manifest.json       last: what a request says besides, and the names of the payload's files
 * (docs/formats/manifest.md). Overwrites nothing. Resident memory stays below 10 MB whatever the
 * size and number of sectors, but for sealed ones of 8 MiB: 100 MB.
 * Fails: CUZK_E_RANGE, CUZK_E_UNSUPPORTED (synthetic and non-interactive PoRep above 8 MiB),
 * CUZK_E_IO, CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_fabricate(cuzk_prover *prover, cuzk_fabricated *made,
                           const cuzk_fabrication *fabrication, cuzk_error *err);

/* ---- looking into files ---- */

/* What a file holds and whether it is sound, as lines of text for a person. kind: "c1",
 * "statement", "vanilla", "vanilla list", "proof", "aggregate", "params", "vk", "srs", "unknown".
 */
typedef struct cuzk_inspection {
    char kind[16];
    bool sound;
    char text[8192];
} cuzk_inspection;
/* Fails only if the file cannot be read; an unsound file is CUZK_OK with sound = false and the
 * reason in text. */
cuzk_status cuzk_inspect(cuzk_prover *prover, cuzk_inspection *inspection, const char *path,
                         cuzk_error *err);

/* The vanilla proofs in a file: a JSON array of base64 strings, or one proof in binary. Zeroed is a
 * valid, empty list. */
typedef struct cuzk_vanilla_list {
    cuzk_input *proofs; /* of an array: named "FILE[0]" and so on */
    size_t n_proofs;
    uint8_t *bytes; /* what an array's proofs lie in */
    char *names;
} cuzk_vanilla_list;
/* A binary proof is borrowed from the file as long as the list is used. Proofs are not read
 * themselves. Fails: CUZK_E_INPUT naming file, proof and offset; CUZK_E_NO_MEMORY. */
cuzk_status cuzk_vanilla_read(cuzk_vanilla_list *list, const cuzk_input *file, cuzk_error *err);
void cuzk_vanilla_list_clear(cuzk_vanilla_list *list);

/* The public part of a seal as a JSON object: the members registered_proof, miner_id and
 * sector_number (numbers), ticket and seed (hex), comm_r and comm_d (hex or CID); others are
 * ignored. Fails: CUZK_E_INPUT naming the member. */
cuzk_status cuzk_seal_statement_from_json(cuzk_seal_statement *statement, const cuzk_input *json,
                                          cuzk_error *err);

/* A commitment as an operator writes it: 64 hex digits, or a CID of a sealed (comm_r) or unsealed
 * (comm_d) sector. */
cuzk_status cuzk_commitment_parse(uint8_t commitment[32], bool sealed, const char *text,
                                  cuzk_error *err);

/* ---- texts and files of programs ---- */

/* Exactly 2 * len_bytes hex digits, either case, after an optional "0x". */
bool cuzk_hex_parse(uint8_t *data, size_t len_bytes, const char *text);
/* text as a JSON string with its quotes and a final zero byte; bytes that are not UTF-8 become
 * U+FFFD. Returns the room that is always enough; writes nothing if `room` is less. */
size_t cuzk_json_string(char *out, size_t room, const char *text);
/* Ascending numbers as "101,115-117", with a final zero byte; ends in ",..." where `room`, 8 or
 * more, is too small. Returns the room that is enough; text may be NULL if room is 0. */
size_t cuzk_number_list(char *text, size_t room, const uint64_t *numbers, size_t n);
/* Writes a file under a temporary name, then renames it to `path`, in the place of a regular file
 * of that name. Fails: CUZK_E_IO. */
cuzk_status cuzk_output_write(const char *path, const void *data, size_t len_bytes,
                              cuzk_error *err);

/* Whether a file could be written there now: to ask before making what takes long. Fails as
 * cuzk_output_write. */
cuzk_status cuzk_output_probe(const char *path, cuzk_error *err);

/* ---- this machine ---- */

/* "portable", "adx", ...: the level of kernels in force. */
const char *cuzk_cpu_level_in_force(void);
/* Known answers of every kernel level this CPU has; `say` gets one line for each check. */
cuzk_status cuzk_selftest(void (*say)(void *arg, const char *line), void *arg, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
