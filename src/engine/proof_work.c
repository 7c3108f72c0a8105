/* Requests to proofs, step by step as the engine asks. */
#include "engine/proof_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/log.h"
#include "engine/partitions.h"
#include "engine/proof_job.h"

/* A request that was read. */
typedef struct opened_request {
    partition_source source;
    param_use use;                    /* of its parameters, once they are loaded */
    char vk_digest[SRS_DIGEST_CHARS]; /* "": not known, nothing is stored */
} opened_request;

/* ---- reading ---- */

#define RANDOMNESS_TOP_BITS 0xc0

/* What the engine reads of a request, with the corrections that the header names. */
static cuzk_request corrected(const cuzk_request *request, uint8_t randomness[32]) {
    cuzk_request r = *request;
    r.whole_partition = r.kind == CUZK_WINDOW_POST;
    if (r.randomness != NULL) {
        memcpy(randomness, r.randomness, 32);
        if ((randomness[31] & RANDOMNESS_TOP_BITS) != 0) {
            randomness[31] &= (uint8_t)~RANDOMNESS_TOP_BITS;
            cuzk_log(CUZK_LOG_WARN, "engine", NULL, 0,
                     "randomness with its two top bits set: they are cleared");
        }
        r.randomness = randomness;
    }
    return r;
}

static cuzk_status refuse_aggregated(const partition_source *source, cuzk_error *err) {
    return source->aggregated
               ? cuzk_fail(err, CUZK_E_UNSUPPORTED,
                           "non-interactive PoRep is delivered as an aggregate, which is not made "
                           "here: use `cuzk prove`, then `cuzk aggregate`")
               : CUZK_OK;
}

static cuzk_status open_request(void *arg, void **opened, const cuzk_ctx *ctx,
                                const cuzk_request *request, cuzk_error *err) {
    (void)arg;
    uint8_t randomness[32];
    const cuzk_request r = corrected(request, randomness);
    cuzk_result facts = {0};
    opened_request *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    cuzk_status status = cuzk_request_check(&r, err);
    if (status == CUZK_OK) {
        status = cuzk_request_open(&o->source, ctx, &facts, &r, err);
    }
    if (status == CUZK_OK) {
        status = refuse_aggregated(&o->source, err);
    }
    cuzk_result_clear(&facts);
    if (status != CUZK_OK) {
        cuzk_partition_source_close(&o->source);
        free(o);
        return status;
    }
    *opened = o;
    return CUZK_OK;
}

/* ---- parameters and plan ---- */

static bool is_cpu(const groth16_backend *backend) { return backend == &cuzk_groth16_cpu_backend; }

/* The back end of a last attempt; *limit: the level of kernels for it. */
static const groth16_backend *last_backend(const proof_work *self, cuzk_cpu_level *limit) {
    const cuzk_cpu_level level = cuzk_cpu_level_now();
    *limit = CUZK_CPU_LEVELS;
    if (self->last_backend != NULL) {
        return self->last_backend;
    }
    if (is_cpu(self->backend) && level != CUZK_CPU_PORTABLE) {
        *limit = (cuzk_cpu_level)(level - 1);
    }
    return &cuzk_groth16_cpu_backend;
}

/* The digest under which partitions are stored. */
static void name_key(const proof_work *self, opened_request *o, const cuzk_ctx *ctx) {
    param_files *files = self->store != NULL ? calloc(1, sizeof *files) : NULL;
    if (files == NULL ||
        cuzk_param_files_init(files, self->directory, &o->source.set, true, NULL) != CUZK_OK ||
        cuzk_srs_digest_file(o->vk_digest, ctx, files->vk_path, NULL) != CUZK_OK) {
        o->vk_digest[0] = '\0';
    }
    free(files);
}

static cuzk_status load_parameters(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                                   cuzk_error *err) {
    const proof_work *self = arg;
    opened_request *o = opened;
    const param_set *set = &o->source.set;
    cuzk_status status = cuzk_param_acquire(self->params, &o->use, ctx, set, err);
    if (status != CUZK_OK) {
        return status;
    }
    name_key(self, o, ctx);
    const bool dense = set->kind == CIRCUIT_WINNING || set->kind == CIRCUIT_WINDOW;
    *plan = (work_plan){.n_partitions = o->source.n_partitions,
                        .partition_bytes = o->use.work_bytes,
                        .lookahead = dense ? 0 : 1};
    return CUZK_OK;
}

static param_set set_of(const cuzk_request *request, bool *known) {
    param_set set = {0};
    const post_proof_type *post;
    const seal_proof_type *seal;
    const update_proof_type *update;
    *known = false;
    switch (request->kind) {
    case CUZK_POREP: /* 0 may be any: the document says which */
        seal = cuzk_seal_proof_by_number(request->registered_proof);
        *known = request->registered_proof != 0 && seal != NULL &&
                 cuzk_param_set_of(&set, CIRCUIT_POREP, seal->size);
        break;
    case CUZK_SNAP:
        update = cuzk_update_proof_by_number(request->registered_proof);
        *known = update != NULL && cuzk_param_set_of(&set, CIRCUIT_UPDATE, update->size);
        break;
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        post = cuzk_post_proof_by_number(request->registered_proof);
        *known =
            post != NULL &&
            cuzk_param_set_of(&set, post->winning ? CIRCUIT_WINNING : CIRCUIT_WINDOW, post->size);
        break;
    }
    return set;
}

static bool resident(void *arg, const cuzk_request *request) {
    const proof_work *self = arg;
    bool known;
    const param_set set = set_of(request, &known);
    return known && cuzk_param_is_resident(self->params, &set);
}

/* ---- partitions ---- */

static cuzk_status synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                              unsigned partition, cuzk_error *err) {
    (void)arg;
    const opened_request *o = opened;
    r1cs_witness *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a witness");
    }
    cuzk_status status = cuzk_partition_synthesise(w, ctx, &o->source, partition, err);
    if (status != CUZK_OK) {
        cuzk_r1cs_witness_clear(w);
        free(w);
        return status;
    }
    *witness = w;
    return CUZK_OK;
}

static cuzk_status prove_on_last(const proof_work *self, uint8_t proof[GROTH16_PROOF_BYTES],
                                 groth16_timing *timing, const cuzk_ctx *ctx,
                                 const opened_request *o, const r1cs_witness *witness,
                                 cuzk_error *err) {
    cuzk_cpu_level limit;
    const groth16_backend *backend = last_backend(self, &limit);
    groth16_attached *key = NULL;
    limit = cuzk_cpu_limit(limit);
    cuzk_status status = backend->key_attach(backend, &key, ctx, o->use.pk, err);
    if (status == CUZK_OK) {
        status =
            cuzk_partition_prove(proof, timing, ctx, key, o->use.densities, witness, NULL, err);
    }
    backend->key_detach(key);
    cuzk_cpu_limit(limit);
    return status;
}

static cuzk_status prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                         const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                         bool last_attempt, cuzk_error *err) {
    (void)partition;
    const opened_request *o = opened;
    return last_attempt ? prove_on_last(arg, proof, timing, ctx, o, witness, err)
                        : cuzk_partition_prove(proof, timing, ctx, o->use.key, o->use.densities,
                                               witness, NULL, err);
}

static cuzk_status verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                          const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    (void)arg;
    const opened_request *o = opened;
    return cuzk_partition_check(ctx, o->use.pvk, &o->source, partition, proof, err);
}

static cuzk_status diagnose(void *arg, const cuzk_ctx *ctx, void *opened, const void *witness,
                            unsigned partition, cuzk_error *err) {
    (void)arg;
    const opened_request *o = opened;
    const r1cs_witness *w = witness;
    any_circuit circuit;
    uint64_t row = UINT64_MAX;
    cuzk_status status = o->source.check(o->source.arg, ctx, err);
    if (status == CUZK_OK) {
        status = o->source.fill(o->source.arg, &circuit, partition, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_r1cs_check(ctx, &circuit.circuit, &w->assignment, &row, NULL, err);
    }
    if (status == CUZK_OK && row != UINT64_MAX) {
        status = cuzk_fail(err, CUZK_E_INCONSISTENT, "constraint %llu of the circuit does not hold",
                           (unsigned long long)row);
    }
    return status;
}

/* ---- finished partitions ---- */

/* false: the request's are not stored. */
static bool find_key(partition_key *key, const opened_request *o, const uint8_t *job_digest,
                     unsigned partition) {
    *key = (partition_key){.partition = partition};
    memcpy(key->job, job_digest, sizeof key->job);
    memcpy(key->vk, o->vk_digest, sizeof key->vk);
    return o->vk_digest[0] != '\0';
}

static bool recall(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], void *opened,
                   const uint8_t *job_digest, unsigned partition) {
    const proof_work *self = arg;
    partition_key key;
    return find_key(&key, opened, job_digest, partition) &&
           cuzk_partition_store_load(self->store, proof, &key);
}

static void keep(void *arg, void *opened, const uint8_t *job_digest, unsigned partition,
                 const uint8_t proof[GROTH16_PROOF_BYTES]) {
    const proof_work *self = arg;
    partition_key key;
    if (find_key(&key, opened, job_digest, partition)) {
        cuzk_partition_store_save(self->store, &key, proof);
    }
}

static void forget(void *arg, void *opened, const uint8_t *job_digest, unsigned partition) {
    const proof_work *self = arg;
    partition_key key;
    if (find_key(&key, opened, job_digest, partition)) {
        cuzk_partition_store_remove(self->store, &key);
    }
}

static void drop(void *arg, void *witness) {
    (void)arg;
    cuzk_r1cs_witness_clear(witness);
    free(witness);
}

static void close_request(void *arg, void *opened) {
    const proof_work *self = arg;
    opened_request *o = opened;
    cuzk_param_release(self->params, &o->use);
    cuzk_partition_source_close(&o->source);
    free(o);
}

engine_work cuzk_proof_work(proof_work *self) {
    const bool stores = self->store != NULL;
    return (engine_work){.arg = self,
                         .recall = stores ? recall : NULL,
                         .keep = stores ? keep : NULL,
                         .forget = stores ? forget : NULL,
                         .resident = resident,
                         .open = open_request,
                         .load = load_parameters,
                         .synthesise = synthesise,
                         .prove = prove,
                         .verify = verify,
                         .diagnose = diagnose,
                         .drop = drop,
                         .close = close_request};
}
