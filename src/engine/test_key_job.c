/* The partitions of a request, proved with a test key. */
#include "engine/test_key_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rss.h"
#include "engine/proof_job.h"
#include "engine/structure_cache.h"
#include "groth16/test_key.h"

#define TEST_KEY_SEED 1

/* Such a proof hides nothing: whoever has the logarithms can compute the sums of the values. */
static const groth16_blinding blinding = {.r = {{27134, 0, 0, 0}}, .s = {{17146, 0, 0, 0}}};

typedef struct test_key_run {
    cuzk_ctx ctx;
    cuzk_result *result;
    const partition_source *source;
    cuzk_rss_sampler *peak;
    r1cs_densities densities;
    groth16_test_key *key;
    groth16_attached *attached;
    cuzk_error *err;
} test_key_run;

static cuzk_status make_key(test_key_run *run) {
    phase_clock clock = {.result = run->result};
    char cache[CACHE_PATH_CHARS];
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_structure_of(&run->densities, &run->ctx, &run->source->set,
                                           cuzk_cache_directory(cache) ? cache : NULL, run->err);
    cuzk_phase_end(&clock, "structure");
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_phase_start(&clock);
    const groth16_dims dims = cuzk_groth16_dims_of(&run->densities);
    status = cuzk_groth16_test_key_create(&run->key, &run->ctx, &dims, TEST_KEY_SEED, run->err);
    cuzk_phase_end(&clock, "made points");
    if (status == CUZK_OK) {
        status = cuzk_groth16_cpu_backend.key_attach(&cuzk_groth16_cpu_backend, &run->attached,
                                                     &run->ctx, cuzk_groth16_test_key_pk(run->key),
                                                     run->err);
    }
    return status;
}

/* The phases of a proof without the CPU time of making points, which is a phase of its own (its
 * wall time is part of theirs). before: what making points had cost. */
static void add_phases(test_key_run *run, const groth16_timing *timing,
                       const uint64_t before[GROTH16_SECTIONS]) {
    groth16_timing proof = *timing;
    groth16_time making = {0};
    uint64_t cost[GROTH16_SECTIONS];
    cuzk_groth16_test_key_cost(run->key, cost);
    for (int s = 0; s < GROTH16_SECTIONS; s++) {
        proof.sections[s].cpu_ns -= cost[s] - before[s];
        making.cpu_ns += cost[s] - before[s];
    }
    cuzk_phase_add_proof(run->result, &proof);
    cuzk_phase_add(run->result, "made points", &making);
}

static cuzk_status prove_witness(test_key_run *run, uint8_t proof[GROTH16_PROOF_BYTES],
                                 const r1cs_witness *witness) {
    groth16_timing timing = {0};
    uint64_t before[GROTH16_SECTIONS];
    cuzk_groth16_test_key_cost(run->key, before);
    cuzk_status status = cuzk_partition_prove(proof, &timing, &run->ctx, run->attached,
                                              &run->densities, witness, &blinding, run->err);
    if (status == CUZK_OK) {
        add_phases(run, &timing, before);
        const size_t peak = cuzk_rss_peak(run->peak);
        if (peak > run->result->peak_rss_bytes) {
            run->result->peak_rss_bytes = peak;
        }
    }
    return status;
}

/* From its bytes. */
static cuzk_status check_proof(test_key_run *run, const uint8_t bytes[GROTH16_PROOF_BYTES],
                               const r1cs_witness *witness) {
    phase_clock clock = {.result = run->result};
    groth16_proof proof;
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_groth16_proof_read(&proof, bytes, run->err);
    if (status == CUZK_OK) {
        status =
            cuzk_groth16_test_key_check(run->key, &run->ctx, &proof, &run->densities,
                                        &witness->assignment, &blinding.r, &blinding.s, run->err);
    }
    cuzk_phase_end(&clock, "log check");
    cuzk_rss_restart(run->peak);
    return status;
}

static cuzk_status prove_partition(test_key_run *run, uint8_t *proof, unsigned partition) {
    r1cs_witness witness = {0};
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_partition_synthesise(&witness, &run->ctx, run->source, partition, run->err);
    cuzk_phase_end(&clock, "synthesis");
    if (status == CUZK_OK) {
        status = prove_witness(run, proof, &witness);
    }
    if (status == CUZK_OK) {
        status = check_proof(run, proof, &witness);
    }
    cuzk_r1cs_witness_clear(&witness);
    return cuzk_partition_name(run->err, run->source, partition, status);
}

static cuzk_status prove_partitions(const cuzk_ctx *ctx, cuzk_result *result,
                                    const cuzk_request *request, const partition_source *source,
                                    cuzk_rss_sampler *peak, cuzk_error *err) {
    test_key_run run = {.ctx = *ctx, .result = result, .source = source, .peak = peak, .err = err};
    unsigned first;
    cuzk_status status = cuzk_partitions_chosen(&first, &result->n_partitions, source,
                                                request->only_one, request->only_partition, err);
    if (status != CUZK_OK) {
        return status;
    }
    result->local_params = true; /* no verifier accepts it */
    snprintf(result->circuit, sizeof result->circuit, "%s", source->set.id);
    result->proof_bytes = (size_t)result->n_partitions * GROTH16_PROOF_BYTES;
    result->proof = malloc(result->proof_bytes);
    if (result->proof == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the proof");
    }
    if (status == CUZK_OK) {
        status = make_key(&run);
    }
    for (unsigned i = 0; status == CUZK_OK && i < result->n_partitions; i++) {
        status = prove_partition(&run, result->proof + (size_t)i * GROTH16_PROOF_BYTES, first + i);
    }
    cuzk_groth16_cpu_backend.key_detach(run.attached);
    cuzk_groth16_test_key_destroy(run.key);
    cuzk_r1cs_densities_clear(&run.densities);
    return status;
}

cuzk_status cuzk_test_key_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                              cuzk_error *err) {
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    if (status == CUZK_OK) {
        const cuzk_ctx ctx = cuzk_prover_ctx(prover);
        partition_source source;
        status = cuzk_request_open(&source, &ctx, result, request, err);
        if (status == CUZK_OK) {
            status = prove_partitions(&ctx, result, request, &source, peak, err);
            cuzk_partition_source_close(&source);
        }
        cuzk_rss_stop(peak);
    }
    if (status != CUZK_OK) {
        cuzk_result_clear(result);
    }
    return status;
}
