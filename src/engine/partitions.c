/* Partitions of one circuit: parameters, synthesis, proof, verification. */
#include "engine/partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/entropy.h"
#include "engine/blank_circuit.h"
#include "engine/param_files.h"
#include "groth16/groth16.h"
#include "r1cs/witness.h"

/* Everything that is needed until the last partition is done. */
typedef struct partition_run {
    cuzk_prover *prover;
    cuzk_ctx ctx;
    const cuzk_request *request;
    cuzk_result *result;
    const partition_source *source;
    param_files files;
    srs_params *params;
    groth16_pvk *pvk;
    r1cs_densities densities;
    cuzk_error *err;
} partition_run;

static void name_partition(cuzk_error *err, const partition_source *source, unsigned partition) {
    const uint64_t number = (uint64_t)source->first_partition + partition;
    cuzk_error_prefix(err, "partition %llu: ", (unsigned long long)number);
    err->partition = (int64_t)number;
}

/* ---- parameters ---- */

static cuzk_status load_parameters(partition_run *run) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_param_files_init(&run->files, run->prover->param_cache, &run->source->set,
                              run->prover->allow_local_params, run->err);
    if (status == CUZK_OK) {
        status = cuzk_srs_load_params(&run->params, &run->result->local_params, &run->ctx,
                                      &run->files.srs, NULL, run->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&run->pvk, cuzk_srs_params_pk(run->params)->vk, run->err);
    }
    cuzk_phase_end(&clock, "parameters");
    return status;
}

static cuzk_status bind_circuit(partition_run *run) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    blank_circuit blank;
    cuzk_status status = cuzk_blank_circuit_init(&blank, &run->source->set, run->err);
    if (status == CUZK_OK) {
        status = cuzk_r1cs_densities(&run->densities, &run->ctx, &blank.circuit, run->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_key_fits(&cuzk_srs_params_pk(run->params)->dims, &run->densities,
                                       run->err);
        if (status != CUZK_OK && run->err != NULL) {
            cuzk_error_at_file(run->err, run->files.params_path, CUZK_NOWHERE);
        }
    }
    cuzk_phase_end(&clock, "structure");
    return status;
}

/* ---- one partition ---- */

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

static cuzk_status read_fixed_blinding(fr_plain *r, fr_plain *s, const cuzk_request *q,
                                       cuzk_error *err) {
    return cuzk_fr_plain_read_le(r, q->insecure_test_r) &&
                   cuzk_fr_plain_read_le(s, q->insecure_test_s)
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT, "the fixed blinding is not below the field modulus");
}

static cuzk_status choose_blinding(partition_run *run, fr_plain *r, fr_plain *s) {
    if (run->request->insecure_test_r != NULL) {
        return read_fixed_blinding(r, s, run->request, run->err);
    }
    cuzk_status status = draw_scalar(r, run->err);
    return status == CUZK_OK ? draw_scalar(s, run->err) : status;
}

static cuzk_status prove_assignment(partition_run *run, groth16_proof *proof,
                                    const r1cs_assignment *w) {
    fr_plain r, s;
    groth16_timing timing = {0};
    cuzk_status status = choose_blinding(run, &r, &s);
    if (status == CUZK_OK) {
        status = cuzk_groth16_prove(&run->ctx, proof, &timing, cuzk_srs_params_pk(run->params),
                                    &run->densities, w, &r, &s, run->err);
    }
    cuzk_wipe(&r, sizeof r);
    cuzk_wipe(&s, sizeof s);
    if (status == CUZK_OK) {
        cuzk_phase_add(run->result, "quotient", timing.quotient_wall_ns, timing.quotient_cpu_ns);
        cuzk_phase_add(run->result, "sums", timing.sums_wall_ns, timing.sums_cpu_ns);
        cuzk_phase_add(run->result, "h sum", timing.h_wall_ns, timing.h_cpu_ns);
    }
    return status;
}

/* The public inputs come from the source, never from the assignment: what a verifier will use. */
static cuzk_status verify_partition(cuzk_ctx *ctx, const groth16_pvk *pvk,
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

static cuzk_status synthesise(partition_run *run, r1cs_witness *witness, unsigned partition) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    r1cs_circuit circuit;
    cuzk_status status = run->source->fill(run->source->arg, &circuit, partition, run->err);
    if (status == CUZK_OK) {
        status = cuzk_r1cs_witness_create(witness, &run->ctx, &circuit, run->err);
    }
    cuzk_phase_end(&clock, "synthesis");
    return status;
}

static cuzk_status prove_partition(partition_run *run, uint8_t bytes[GROTH16_PROOF_BYTES],
                                   unsigned partition) {
    r1cs_witness witness = {0};
    groth16_proof proof;
    cuzk_status status = synthesise(run, &witness, partition);
    if (status == CUZK_OK) {
        status = prove_assignment(run, &proof, &witness.assignment);
    }
    cuzk_r1cs_witness_clear(&witness);
    if (status == CUZK_OK) {
        /* From its bytes, so that what is checked is what leaves. */
        groth16_proof read_back;
        phase_clock clock = {.result = run->result};
        cuzk_phase_start(&clock);
        cuzk_groth16_proof_write(bytes, &proof);
        status = cuzk_groth16_proof_read(&read_back, bytes, run->err);
        if (status == CUZK_OK) {
            status =
                verify_partition(&run->ctx, run->pvk, run->source, partition, &read_back, run->err);
        } else {
            status = CUZK_E_PROOF_INVALID; /* infinity in it: no verifier would accept it */
            if (run->err != NULL) {
                run->err->status = status;
            }
        }
        cuzk_phase_end(&clock, "verify");
    }
    if (status != CUZK_OK && status != CUZK_E_CANCELLED && run->err != NULL) {
        name_partition(run->err, run->source, partition);
    }
    return status;
}

static cuzk_status prove_partitions(partition_run *run) {
    const cuzk_request *q = run->request;
    cuzk_result *result = run->result;
    unsigned first = q->only_one ? q->only_partition : 0;
    result->n_partitions = q->only_one ? 1 : run->source->n_partitions;
    result->proof_bytes = (size_t)result->n_partitions * GROTH16_PROOF_BYTES;
    result->proof = malloc(result->proof_bytes);
    if (result->proof == NULL) {
        return cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for the proof");
    }
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < result->n_partitions && status == CUZK_OK; i++) {
        status = prove_partition(run, result->proof + (size_t)i * GROTH16_PROOF_BYTES, first + i);
    }
    return status;
}

cuzk_status cuzk_partitions_prove(cuzk_prover *prover, cuzk_result *result,
                                  const cuzk_request *request, const partition_source *source,
                                  cuzk_error *err) {
    if (request->only_one && request->only_partition >= source->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT, "partition %u: there are %u", request->only_partition,
                         source->n_partitions);
    }
    fr_plain r, s;
    if (request->insecure_test_r != NULL && read_fixed_blinding(&r, &s, request, err) != CUZK_OK) {
        return CUZK_E_INPUT;
    }
    partition_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    *run = (partition_run){.prover = prover,
                           .ctx = cuzk_prover_ctx(prover),
                           .request = request,
                           .result = result,
                           .source = source,
                           .err = err};
    snprintf(result->circuit, sizeof result->circuit, "%s", source->set.id);
    cuzk_status status = load_parameters(run);
    if (status == CUZK_OK) {
        status = bind_circuit(run);
    }
    if (status == CUZK_OK) {
        status = prove_partitions(run);
    }
    cuzk_r1cs_densities_clear(&run->densities);
    cuzk_groth16_pvk_destroy(run->pvk);
    cuzk_srs_params_close(run->params);
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
        if ((status == CUZK_E_PROOF_INVALID || status == CUZK_E_INPUT) && err != NULL) {
            name_partition(err, source, first + i);
        }
    }
    return status;
}

cuzk_status cuzk_partitions_verify(cuzk_prover *prover, const partition_source *source,
                                   const uint8_t *proof, size_t proof_bytes, bool only_one,
                                   unsigned only_partition, cuzk_error *err) {
    unsigned n = only_one ? 1 : source->n_partitions;
    if (only_one && only_partition >= source->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT, "partition %u: there are %u", only_partition,
                         source->n_partitions);
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
    cuzk_status status = cuzk_param_files_init(&files, prover->param_cache, &source->set,
                                               prover->allow_local_params, err);
    if (status == CUZK_OK) {
        status = cuzk_srs_load_vk(&key, &local, &ctx, &files.srs, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&pvk, &key.vk, err);
    }
    if (status == CUZK_OK) {
        status = verify_partitions(&ctx, pvk, source, proof, n, only_one ? only_partition : 0, err);
    }
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_srs_vk_clear(&key);
    return status;
}
