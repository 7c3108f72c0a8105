/* Partitions of one circuit: parameters, synthesis, proof, verification. */
#include "engine/partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/entropy.h"
#include "base/machine_memory.h"
#include "engine/prove_memory.h"
#include "engine/structure_cache.h"

void cuzk_partition_source_close(partition_source *source) {
    if (source->close != NULL) {
        source->close(source->arg);
    }
    *source = (partition_source){0};
}

cuzk_status cuzk_partitions_chosen(unsigned *first, unsigned *n, const partition_source *source,
                                   bool only_one, unsigned only_partition, cuzk_error *err) {
    *first = only_one ? only_partition : 0;
    *n = only_one ? 1 : source->n_partitions;
    return *first < source->n_partitions
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT, "partition %u: there are %u", only_partition,
                           source->n_partitions);
}

cuzk_status cuzk_partition_name(cuzk_error *err, const partition_source *source, unsigned partition,
                                cuzk_status status) {
    if (status != CUZK_OK && status != CUZK_E_CANCELLED && err != NULL) {
        const uint64_t number = (uint64_t)source->first_partition + partition;
        cuzk_error_prefix(err, "partition %llu: ", (unsigned long long)number);
        err->partition = (int64_t)number;
    }
    return status;
}

/* ---- keys ---- */

cuzk_status cuzk_partition_keys_open(partition_keys *keys, const cuzk_ctx *ctx,
                                     const srs_params_options *options, cuzk_error *err) {
    cuzk_status status =
        cuzk_srs_load_params(&keys->params, &keys->local, ctx, &keys->files.srs, options, err);
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&keys->pvk, cuzk_srs_params_pk(keys->params)->vk, err);
    }
    return status;
}

cuzk_status cuzk_partition_keys_bind(partition_keys *keys, const cuzk_ctx *ctx,
                                     const param_set *set, cuzk_error *err) {
    char cache[CACHE_PATH_CHARS];
    cuzk_status status = CUZK_OK;
    if (keys->densities.dims.n_inputs == 0) {
        status = cuzk_structure_of(&keys->densities, ctx, set,
                                   cuzk_cache_directory(cache) ? cache : NULL, err);
    }
    if (status == CUZK_OK && keys->params != NULL) {
        status =
            cuzk_groth16_key_fits(&cuzk_srs_params_pk(keys->params)->dims, &keys->densities, err);
        if (status != CUZK_OK && err != NULL) {
            cuzk_error_at_file(err, keys->files.params_path, CUZK_NOWHERE);
        }
    }
    return status;
}

void cuzk_partition_keys_clear(partition_keys *keys) {
    cuzk_r1cs_densities_clear(&keys->densities);
    cuzk_groth16_pvk_destroy(keys->pvk);
    cuzk_srs_params_close(keys->params);
    memset(keys, 0, sizeof *keys);
}

/* ---- blinding ---- */

/* Uniform below r: 32 bytes from the system, the top bit cleared, until below. */
static cuzk_status draw_scalar(fr_plain *r, cuzk_error *err) {
    uint8_t bytes[FR_BYTES];
    cuzk_status status;
    do {
        status = cuzk_entropy(bytes, sizeof bytes, err);
        bytes[FR_BYTES - 1] &= 0x7f;
    } while (status == CUZK_OK && !cuzk_fr_plain_read_le(r, bytes));
    cuzk_wipe(bytes, sizeof bytes);
    return status;
}

static cuzk_status draw_blinding(groth16_blinding *blinding, cuzk_error *err) {
    cuzk_status status = draw_scalar(&blinding->r, err);
    return status == CUZK_OK ? draw_scalar(&blinding->s, err) : status;
}

static cuzk_status read_fixed_blinding(groth16_blinding *blinding, const cuzk_request *q,
                                       cuzk_error *err) {
    return cuzk_fr_plain_read_le(&blinding->r, q->insecure_test_r) &&
                   cuzk_fr_plain_read_le(&blinding->s, q->insecure_test_s)
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT, "the fixed blinding is not below the field modulus");
}

/* ---- the steps ---- */

cuzk_status cuzk_partition_synthesise(r1cs_witness *witness, const cuzk_ctx *ctx,
                                      const partition_source *source, unsigned partition,
                                      cuzk_error *err) {
    any_circuit circuit;
    cuzk_status status = source->fill(source->arg, &circuit, partition, err);
    return status == CUZK_OK ? cuzk_r1cs_witness_create(witness, ctx, &circuit.circuit, err)
                             : status;
}

cuzk_status cuzk_partition_prove(uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                                 const cuzk_ctx *ctx, groth16_attached *key,
                                 const r1cs_densities *densities, const r1cs_witness *witness,
                                 const groth16_blinding *blinding, cuzk_error *err) {
    const r1cs_assignment *w = &witness->assignment;
    const groth16_inputs in = {.densities = densities, .n = 1, .w = &w};
    return cuzk_partitions_prove_at_once(proof, timing, ctx, key, &in, blinding, err);
}

static cuzk_status draw_all(groth16_blinding *blinding, size_t n, const groth16_blinding *fixed,
                            cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        if (fixed != NULL) {
            blinding[i] = *fixed;
        } else {
            status = draw_blinding(&blinding[i], err);
        }
    }
    return status;
}

cuzk_status cuzk_partitions_prove_at_once(uint8_t *proofs, groth16_timing *timing,
                                          const cuzk_ctx *ctx, groth16_attached *key,
                                          const groth16_inputs *in, const groth16_blinding *fixed,
                                          cuzk_error *err) {
    groth16_blinding *blinding = calloc(in->n, sizeof *blinding);
    groth16_proof *elements = calloc(in->n, sizeof *elements);
    cuzk_status status = CUZK_OK;
    if (blinding == NULL || elements == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for proofs");
    }
    if (status == CUZK_OK) {
        status = draw_all(blinding, in->n, fixed, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_prove_on(key, ctx, elements, timing, in, blinding, err);
    }
    for (size_t i = 0; status == CUZK_OK && i < in->n; i++) {
        cuzk_groth16_proof_write(proofs + i * GROTH16_PROOF_BYTES, &elements[i]);
    }
    if (blinding != NULL) {
        cuzk_wipe(blinding, in->n * sizeof *blinding);
    }
    free(blinding);
    free(elements);
    return status;
}

/* The public inputs come from the source, never from the assignment: what a verifier will use. */
static cuzk_status verify_partition(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                    const partition_source *source, unsigned partition,
                                    const groth16_proof *proof, cuzk_error *err) {
    size_t n = source->set.n_inputs - 1;
    fr_plain *inputs = malloc(n * sizeof *inputs);
    if (inputs == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for public inputs");
    }
    cuzk_status status = source->inputs(source->arg, inputs, partition, err);
    if (status == CUZK_OK) {
        status = cuzk_groth16_verify(ctx, pvk, proof, inputs, n, err);
    }
    free(inputs);
    return status;
}

cuzk_status cuzk_partition_check(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                 const partition_source *source, unsigned partition,
                                 const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    groth16_proof elements;
    cuzk_status status = cuzk_groth16_proof_read(&elements, proof, err);
    if (status == CUZK_OK) {
        return verify_partition(ctx, pvk, source, partition, &elements, err);
    }
    if (err != NULL) {
        err->status = CUZK_E_PROOF_INVALID; /* infinity in it: no verifier would accept it */
    }
    return CUZK_E_PROOF_INVALID;
}

/* ---- all of them ---- */

/* Everything that is needed until the last partition is done. */
typedef struct partition_run {
    cuzk_ctx ctx;
    cuzk_result *result;
    const partition_source *source;
    groth16_blinding fixed;
    bool is_fixed; /* blinding is `fixed` */
    prove_plan plan;
    partition_keys keys;
    groth16_attached *key;
    cuzk_error *err;
} partition_run;

/* What is left of the limit; without one, of half of the machine's memory. */
static size_t budget_of(const cuzk_prover *prover) {
    size_t limit = prover->memory_limit_bytes;
    uint64_t budget = 0;
    if (limit == SIZE_MAX) {
        const machine_memory machine = cuzk_machine_memory("");
        limit =
            cuzk_machine_budget(&budget, &machine, 0, NULL) == CUZK_OK ? (size_t)(budget / 2) : 0;
    }
    const size_t used = cuzk_account_used(prover->account);
    return limit > used ? limit - used : 0;
}

static cuzk_status make_plan(partition_run *run, const cuzk_prover *prover, size_t n) {
    static const cuzk_tier names[] = {[SRS_MAPPED] = CUZK_TIER_MAPPED,
                                      [SRS_STREAMED] = CUZK_TIER_STREAMED,
                                      [SRS_RESIDENT] = CUZK_TIER_RESIDENT};
    cuzk_result *result = run->result;
    cuzk_status status = cuzk_prove_plan(&run->plan, &run->ctx, &run->source->set, n, prover->tier,
                                         budget_of(prover), run->err);
    if (status == CUZK_OK) {
        result->tier = names[run->plan.tier];
        result->n_at_once = (unsigned)run->plan.n_at_once;
        result->planned_bytes = run->plan.bytes;
    }
    return status;
}

static cuzk_status load_parameters(partition_run *run, const cuzk_prover *prover) {
    const srs_params_options options = {.tier = run->plan.tier};
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_param_files_init(&run->keys.files, prover->param_cache, &run->source->set,
                              prover->allow_local_params, run->err);
    if (status == CUZK_OK) {
        status = cuzk_partition_keys_open(&run->keys, &run->ctx, &options, run->err);
    }
    run->result->local_params = run->keys.local;
    cuzk_phase_end(&clock, "parameters");
    return status;
}

static cuzk_status bind_circuit(partition_run *run) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_partition_keys_bind(&run->keys, &run->ctx, &run->source->set, run->err);
    cuzk_phase_end(&clock, "structure");
    if (status == CUZK_OK) {
        status =
            cuzk_groth16_cpu_backend.key_attach(&cuzk_groth16_cpu_backend, &run->key, &run->ctx,
                                                cuzk_srs_params_pk(run->keys.params), run->err);
    }
    return status;
}

static cuzk_status synthesise(partition_run *run, r1cs_witness *witness, unsigned partition) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_partition_synthesise(witness, &run->ctx, run->source, partition, run->err);
    cuzk_phase_end(&clock, "synthesis");
    return status;
}

static cuzk_status prove(partition_run *run, uint8_t *proofs, const r1cs_witness *witnesses,
                         size_t n) {
    const r1cs_assignment **w = calloc(n, sizeof *w);
    if (w == NULL) {
        return cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for proofs");
    }
    for (size_t i = 0; i < n; i++) {
        w[i] = &witnesses[i].assignment;
    }
    const groth16_inputs in = {
        .densities = &run->keys.densities, .n = n, .w = w, .n_h = run->plan.n_quotients};
    groth16_timing timing = {0};
    cuzk_status status = cuzk_partitions_prove_at_once(
        proofs, &timing, &run->ctx, run->key, &in, run->is_fixed ? &run->fixed : NULL, run->err);
    if (status == CUZK_OK) {
        cuzk_phase_add_proof(run->result, &timing);
    }
    free(w);
    return status;
}

static cuzk_status check(partition_run *run, const uint8_t proof[GROTH16_PROOF_BYTES],
                         unsigned partition) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_partition_check(&run->ctx, run->keys.pvk, run->source, partition, proof, run->err);
    cuzk_phase_end(&clock, "verify");
    return status;
}

/* The same for a failure of several partitions at once: the first and the last. */
static cuzk_status name_pass(partition_run *run, unsigned first, size_t n, cuzk_status status) {
    if (n == 1) {
        return cuzk_partition_name(run->err, run->source, first, status);
    }
    if (status != CUZK_OK && status != CUZK_E_CANCELLED && run->err != NULL) {
        const uint64_t number = (uint64_t)run->source->first_partition + first;
        cuzk_error_prefix(run->err, "partitions %llu to %llu: ", (unsigned long long)number,
                          (unsigned long long)(number + n - 1));
    }
    return status;
}

/* Partitions first .. first + n - 1 with one pass over the key. */
static cuzk_status run_at_once(partition_run *run, uint8_t *proofs, unsigned first, size_t n) {
    r1cs_witness *witnesses = calloc(n, sizeof *witnesses);
    if (witnesses == NULL) {
        return cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for witnesses");
    }
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        const unsigned partition = first + (unsigned)i;
        status = cuzk_partition_name(run->err, run->source, partition,
                                     synthesise(run, &witnesses[i], partition));
    }
    if (status == CUZK_OK) {
        status = name_pass(run, first, n, prove(run, proofs, witnesses, n));
    }
    for (size_t i = 0; i < n; i++) {
        cuzk_r1cs_witness_clear(&witnesses[i]);
    }
    free(witnesses);
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        const unsigned partition = first + (unsigned)i;
        status = cuzk_partition_name(run->err, run->source, partition,
                                     check(run, proofs + i * GROTH16_PROOF_BYTES, partition));
    }
    return status;
}

static cuzk_status run_partitions(partition_run *run, unsigned first, unsigned n) {
    cuzk_result *result = run->result;
    result->n_partitions = n;
    result->proof_bytes = (size_t)n * GROTH16_PROOF_BYTES;
    result->proof = malloc(result->proof_bytes);
    if (result->proof == NULL) {
        return cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for the proof");
    }
    cuzk_status status = CUZK_OK;
    for (size_t done = 0; done < n && status == CUZK_OK;) {
        const size_t left = n - done;
        const size_t now = left < run->plan.n_at_once ? left : run->plan.n_at_once;
        status = run_at_once(run, result->proof + done * GROTH16_PROOF_BYTES,
                             first + (unsigned)done, now);
        done += now;
    }
    return status;
}

cuzk_status cuzk_partitions_prove(cuzk_prover *prover, cuzk_result *result,
                                  const cuzk_request *request, const partition_source *source,
                                  cuzk_error *err) {
    unsigned first, n;
    cuzk_status status =
        cuzk_partitions_chosen(&first, &n, source, request->only_one, request->only_partition, err);
    if (status != CUZK_OK) {
        return status;
    }
    partition_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    run->ctx = cuzk_prover_ctx(prover);
    run->result = result;
    run->source = source;
    run->is_fixed = request->insecure_test_r != NULL;
    run->err = err;
    snprintf(result->circuit, sizeof result->circuit, "%s", source->set.id);
    if (run->is_fixed) {
        status = read_fixed_blinding(&run->fixed, request, err);
    }
    if (status == CUZK_OK) {
        status = make_plan(run, prover, n);
    }
    if (status == CUZK_OK) {
        status = load_parameters(run, prover);
    }
    if (status == CUZK_OK) {
        status = bind_circuit(run);
    }
    if (status == CUZK_OK) {
        status = run_partitions(run, first, n);
    }
    result->charged_bytes = cuzk_account_peak(prover->account);
    cuzk_groth16_cpu_backend.key_detach(run->key);
    cuzk_partition_keys_clear(&run->keys);
    cuzk_wipe(&run->fixed, sizeof run->fixed);
    free(run);
    return status;
}

/* ---- verifying ---- */

static cuzk_status verify_partitions(cuzk_ctx *ctx, const groth16_pvk *pvk,
                                     const partition_source *source, const uint8_t *proof,
                                     unsigned n, unsigned first, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < n && status == CUZK_OK; i++) {
        groth16_proof p;
        status = cuzk_groth16_proof_read(&p, proof + (size_t)i * GROTH16_PROOF_BYTES, err);
        if (status == CUZK_OK) {
            status = verify_partition(ctx, pvk, source, first + i, &p, err);
        }
        if (status == CUZK_E_PROOF_INVALID || status == CUZK_E_INPUT) {
            cuzk_partition_name(err, source, first + i, status);
        }
    }
    return status;
}

cuzk_status cuzk_partitions_verify(cuzk_prover *prover, const partition_source *source,
                                   const uint8_t *proof, size_t proof_bytes, bool only_one,
                                   unsigned only_partition, cuzk_error *err) {
    unsigned first, n;
    cuzk_status status = cuzk_partitions_chosen(&first, &n, source, only_one, only_partition, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (proof_bytes != (size_t)n * GROTH16_PROOF_BYTES) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "the proof is %zu bytes long, expected %zu: %u of %d each", proof_bytes,
                         (size_t)n * GROTH16_PROOF_BYTES, n, GROTH16_PROOF_BYTES);
    }
    param_files files;
    srs_vk key = {0};
    groth16_pvk *pvk = NULL;
    bool local = false;
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    status = cuzk_param_files_init(&files, prover->param_cache, &source->set,
                                   prover->allow_local_params, err);
    if (status == CUZK_OK) {
        status = cuzk_srs_load_vk(&key, &local, &ctx, &files.srs, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&pvk, &key.vk, err);
    }
    if (status == CUZK_OK) {
        status = verify_partitions(&ctx, pvk, source, proof, n, first, err);
    }
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_srs_vk_clear(&key);
    return status;
}
