/* A PoRep request: read, check, load parameters, then synthesise, prove and verify one partition
 * after the other. */
#include "engine/seal_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/entropy.h"
#include "base/rss.h"
#include "circuits/porep_circuit.h"
#include "engine/param_files.h"
#include "filecoin/c1_reader.h"
#include "filecoin/porep_check.h"
#include "groth16/groth16.h"
#include "hash/rng.h"
#include "r1cs/witness.h"

/* Everything a request needs until its last partition is done. */
typedef struct seal_job {
    cuzk_prover *prover;
    cuzk_ctx ctx;
    const cuzk_request *request;
    cuzk_result *result;
    porep_proof vanilla;
    porep_statement statement;
    porep_shape shape;
    param_set set;
    param_files files;
    srs_params *params;
    groth16_pvk *pvk;
    r1cs_densities densities;
    cuzk_error *err;
} seal_job;

/* ---- read and check ---- */

static cuzk_status read_input(seal_job *job) {
    const cuzk_input *c1 = &job->request->inputs[0];
    phase_clock clock = {.result = job->result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_c1_read(&job->vanilla, &job->ctx, c1->data, c1->len_bytes,
                                      c1->name != NULL ? c1->name : "c1.json", job->err);
    cuzk_phase_end(&clock, "read");
    return status;
}

static cuzk_status check_input(seal_job *job) {
    const cuzk_request *q = job->request;
    if (!q->has_sector_number && !job->vanilla.has_sector_number) {
        return cuzk_fail(job->err, CUZK_E_INPUT,
                         "the sector number is neither in the request nor in the document");
    }
    porep_request request = {.miner_id = q->miner_id,
                             .sector_number = q->has_sector_number ? q->sector_number
                                                                   : job->vanilla.sector_number,
                             .has_registered_proof = q->registered_proof != 0,
                             .registered_proof = q->registered_proof};
    phase_clock clock = {.result = job->result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_porep_check(&job->ctx, &job->vanilla, &request, job->err);
    cuzk_phase_end(&clock, "check");
    if (status == CUZK_OK && q->only_one && q->only_partition >= job->vanilla.n_partitions) {
        status = cuzk_fail(job->err, CUZK_E_INPUT, "partition %u >= vanilla_proofs.len() %u",
                           q->only_partition, job->vanilla.n_partitions);
    }
    if (status != CUZK_OK) {
        if (job->err != NULL && q->inputs[0].name != NULL && status != CUZK_E_CANCELLED) {
            cuzk_error_at_file(job->err, q->inputs[0].name, CUZK_NOWHERE);
        }
        return status;
    }
    job->statement = cuzk_porep_statement_of(&job->vanilla, &request);
    job->shape = cuzk_porep_shape_of(job->vanilla.type->size);
    job->shape.n_challenges = job->vanilla.n_challenges;
    job->result->sector_number = request.sector_number;
    return CUZK_OK;
}

/* ---- parameters ---- */

static cuzk_status find_set(param_set *set, const seal_proof_type *type, cuzk_error *err) {
    if (!cuzk_param_set_of(set, CIRCUIT_POREP, type->size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there is no PoRep circuit for %s sectors",
                         type->size->name);
    }
    return CUZK_OK;
}

static cuzk_status load_parameters(seal_job *job) {
    phase_clock clock = {.result = job->result};
    cuzk_phase_start(&clock);
    cuzk_status status = find_set(&job->set, job->vanilla.type, job->err);
    if (status == CUZK_OK) {
        snprintf(job->result->circuit, sizeof job->result->circuit, "%s", job->set.id);
        status = cuzk_param_files_init(&job->files, job->prover->param_cache, &job->set,
                                       job->prover->allow_local_params, job->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_srs_load_params(&job->params, &job->result->local_params, &job->ctx,
                                      &job->files.srs, NULL, job->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&job->pvk, cuzk_srs_params_pk(job->params)->vk, job->err);
    }
    cuzk_phase_end(&clock, "parameters");
    return status;
}

static cuzk_status bind_circuit(seal_job *job) {
    phase_clock clock = {.result = job->result};
    cuzk_phase_start(&clock);
    porep_circuit blank;
    cuzk_status status = cuzk_porep_circuit_init(&blank, &job->shape, NULL, 0, job->err);
    if (status == CUZK_OK) {
        r1cs_circuit circuit = cuzk_porep_circuit(&blank);
        status = cuzk_r1cs_densities(&job->densities, &job->ctx, &circuit, job->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_key_fits(&cuzk_srs_params_pk(job->params)->dims, &job->densities,
                                       job->err);
        if (status != CUZK_OK && job->err != NULL) {
            cuzk_error_at_file(job->err, job->files.params_path, CUZK_NOWHERE);
        }
    }
    cuzk_phase_end(&clock, "structure");
    return status;
}

/* ---- one partition ---- */

/* Uniform below r: 32 bytes from the system, two top bits cleared, until below. */
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

static cuzk_status choose_blinding(seal_job *job, fr_plain *r, fr_plain *s) {
    if (job->request->insecure_test_r != NULL) {
        if (!cuzk_fr_plain_read_le(r, job->request->insecure_test_r) ||
            !cuzk_fr_plain_read_le(s, job->request->insecure_test_s)) {
            return cuzk_fail(job->err, CUZK_E_INPUT,
                             "the fixed blinding is not below the field modulus");
        }
        return CUZK_OK;
    }
    cuzk_status status = draw_scalar(r, job->err);
    return status == CUZK_OK ? draw_scalar(s, job->err) : status;
}

static cuzk_status prove_assignment(seal_job *job, groth16_proof *proof, const r1cs_assignment *w) {
    fr_plain r, s;
    groth16_timing timing = {0};
    cuzk_status status = choose_blinding(job, &r, &s);
    if (status == CUZK_OK) {
        status = cuzk_groth16_prove(&job->ctx, proof, &timing, cuzk_srs_params_pk(job->params),
                                    &job->densities, w, &r, &s, job->err);
    }
    cuzk_wipe(&r, sizeof r);
    cuzk_wipe(&s, sizeof s);
    if (status == CUZK_OK) {
        cuzk_phase_add(job->result, "quotient", timing.quotient_wall_ns, timing.quotient_cpu_ns);
        cuzk_phase_add(job->result, "sums", timing.sums_wall_ns, timing.sums_cpu_ns);
        cuzk_phase_add(job->result, "h sum", timing.h_wall_ns, timing.h_cpu_ns);
    }
    return status;
}

/* The public inputs come from the statement, never from the assignment: what a verifier will use.
 */
static cuzk_status verify_partition(cuzk_ctx *ctx, const groth16_pvk *pvk,
                                    const porep_statement *statement, unsigned partition,
                                    const groth16_proof *proof, cuzk_error *err) {
    size_t n = porep_input_count(statement->type);
    fr_plain *inputs = malloc(n * sizeof *inputs);
    if (inputs == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for public inputs");
    }
    cuzk_status status = cuzk_porep_inputs(inputs, statement, partition, err);
    if (status == CUZK_OK) {
        status = cuzk_groth16_verify(ctx, pvk, proof, inputs, n, err);
    }
    free(inputs);
    return status;
}

static cuzk_status synthesise(seal_job *job, r1cs_witness *witness, unsigned partition) {
    phase_clock clock = {.result = job->result};
    cuzk_phase_start(&clock);
    porep_circuit filled;
    cuzk_status status =
        cuzk_porep_circuit_init(&filled, &job->shape, &job->vanilla, partition, job->err);
    if (status == CUZK_OK) {
        r1cs_circuit circuit = cuzk_porep_circuit(&filled);
        status = cuzk_r1cs_witness_create(witness, &job->ctx, &circuit, job->err);
    }
    cuzk_phase_end(&clock, "synthesis");
    return status;
}

static cuzk_status prove_partition(seal_job *job, uint8_t bytes[GROTH16_PROOF_BYTES],
                                   unsigned partition) {
    r1cs_witness witness = {0};
    groth16_proof proof;
    cuzk_status status = synthesise(job, &witness, partition);
    if (status == CUZK_OK) {
        status = prove_assignment(job, &proof, &witness.assignment);
    }
    cuzk_r1cs_witness_clear(&witness);
    if (status == CUZK_OK) {
        /* From its bytes, so that what is checked is what leaves. */
        groth16_proof read_back;
        phase_clock clock = {.result = job->result};
        cuzk_phase_start(&clock);
        cuzk_groth16_proof_write(bytes, &proof);
        status = cuzk_groth16_proof_read(&read_back, bytes, job->err);
        if (status == CUZK_OK) {
            status = verify_partition(&job->ctx, job->pvk, &job->statement, partition, &read_back,
                                      job->err);
        } else {
            status = CUZK_E_PROOF_INVALID; /* infinity in it: no verifier would accept it */
            if (job->err != NULL) {
                job->err->status = status;
            }
        }
        cuzk_phase_end(&clock, "verify");
    }
    if (status != CUZK_OK && status != CUZK_E_CANCELLED && job->err != NULL) {
        cuzk_error_prefix(job->err, "partition %u: ", partition);
        job->err->partition = partition;
    }
    return status;
}

static cuzk_status prove_partitions(seal_job *job) {
    const cuzk_request *q = job->request;
    cuzk_result *result = job->result;
    unsigned first = q->only_one ? q->only_partition : 0;
    result->n_partitions = q->only_one ? 1 : job->vanilla.n_partitions;
    result->proof_bytes = (size_t)result->n_partitions * GROTH16_PROOF_BYTES;
    result->proof = malloc(result->proof_bytes);
    if (result->proof == NULL) {
        return cuzk_fail(job->err, CUZK_E_NO_MEMORY, "no memory for the proof");
    }
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < result->n_partitions && status == CUZK_OK; i++) {
        status = prove_partition(job, result->proof + (size_t)i * GROTH16_PROOF_BYTES, first + i);
    }
    return status;
}

static void clear_job(seal_job *job) {
    cuzk_r1cs_densities_clear(&job->densities);
    cuzk_groth16_pvk_destroy(job->pvk);
    cuzk_srs_params_close(job->params);
    cuzk_porep_proof_clear(&job->vanilla);
    free(job);
}

cuzk_status cuzk_seal_prove(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                            cuzk_error *err) {
    memset(result, 0, sizeof *result);
    seal_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    job->prover = prover;
    job->ctx = cuzk_prover_ctx(prover);
    job->request = request;
    job->result = result;
    job->err = err;
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    static cuzk_status (*const steps[])(seal_job *) = {read_input, check_input, load_parameters,
                                                       bind_circuit, prove_partitions};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == CUZK_OK; i++) {
        status = steps[i](job);
    }
    if (peak != NULL) {
        result->peak_rss_bytes = cuzk_rss_stop(peak);
    }
    clear_job(job);
    if (status != CUZK_OK) {
        cuzk_result_clear(result);
    }
    return status;
}

/* ---- verifying ---- */

cuzk_status cuzk_seal_statement_read(cuzk_seal_statement *statement, const cuzk_input *c1,
                                     cuzk_error *err) {
    const cuzk_ctx ctx = {0};
    porep_proof vanilla;
    cuzk_status status = cuzk_c1_read(&vanilla, &ctx, c1->data, c1->len_bytes,
                                      c1->name != NULL ? c1->name : "c1.json", err);
    if (status != CUZK_OK) {
        return status;
    }
    memset(statement, 0, sizeof *statement);
    statement->registered_proof = vanilla.type->number;
    statement->sector_number = vanilla.sector_number;
    memcpy(statement->comm_r, &vanilla.comm_r, 32);
    memcpy(statement->comm_d, &vanilla.comm_d, 32);
    memcpy(statement->ticket, &vanilla.ticket, 32);
    memcpy(statement->seed, &vanilla.seed, 32);
    cuzk_porep_proof_clear(&vanilla);
    return CUZK_OK;
}

static cuzk_status verify_partitions(cuzk_ctx *ctx, const groth16_pvk *pvk,
                                     const porep_statement *statement, const uint8_t *proof,
                                     unsigned n, unsigned first, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < n && status == CUZK_OK; i++) {
        groth16_proof p;
        status = cuzk_groth16_proof_read(&p, proof + (size_t)i * GROTH16_PROOF_BYTES, err);
        if (status == CUZK_OK) {
            status = verify_partition(ctx, pvk, statement, first + i, &p, err);
        }
        if ((status == CUZK_E_PROOF_INVALID || status == CUZK_E_INPUT) && err != NULL) {
            cuzk_error_prefix(err, "partition %u: ", first + i);
            err->partition = first + i;
        }
    }
    return status;
}

cuzk_status cuzk_seal_verify(cuzk_prover *prover, const cuzk_seal_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    porep_statement s = {.type = cuzk_seal_proof_by_number(statement->registered_proof),
                         .miner_id = statement->miner_id,
                         .sector_number = statement->sector_number};
    if (s.type == NULL) {
        return cuzk_fail(err, CUZK_E_INPUT, "unknown registered proof %llu",
                         (unsigned long long)statement->registered_proof);
    }
    memcpy(&s.comm_r, statement->comm_r, 32);
    memcpy(&s.comm_d, statement->comm_d, 32);
    memcpy(&s.ticket, statement->ticket, 32);
    memcpy(&s.seed, statement->seed, 32);
    cuzk_status status = cuzk_porep_statement_check(&s, err);
    if (status != CUZK_OK) {
        return status;
    }
    unsigned n = only_one ? 1 : s.type->n_partitions;
    if (only_one && only_partition >= s.type->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT, "partition %u: %s has %u", only_partition, s.type->name,
                         s.type->n_partitions);
    }
    if (proof_bytes != (size_t)n * GROTH16_PROOF_BYTES) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "the proof is %zu bytes long, expected %zu: %u of %d each", proof_bytes,
                         (size_t)n * GROTH16_PROOF_BYTES, n, GROTH16_PROOF_BYTES);
    }
    param_set set;
    param_files files;
    srs_vk key = {0};
    groth16_pvk *pvk = NULL;
    bool local = false;
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    status = find_set(&set, s.type, err);
    if (status == CUZK_OK) {
        status = cuzk_param_files_init(&files, prover->param_cache, &set,
                                       prover->allow_local_params, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_srs_load_vk(&key, &local, &ctx, &files.srs, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_groth16_pvk_create(&pvk, &key.vk, err);
    }
    if (status == CUZK_OK) {
        status = verify_partitions(&ctx, pvk, &s, proof, n, only_one ? only_partition : 0, err);
    }
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_srs_vk_clear(&key);
    return status;
}
