/* A request's partitions, synthesised one after the other by the chosen way. */
#include "engine/synthesis_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/rss.h"
#include "engine/proof_job.h"
#include "r1cs/generic_rows.h"
#include "r1cs/vector_digests.h"
#include "r1cs/witness.h"

typedef struct synthesis_run {
    cuzk_synthesis *out;
    const cuzk_synthesis_options *options;
    cuzk_ctx ctx;
} synthesis_run;

static r1cs_lc_index index_of(cuzk_lc_index index) { return (r1cs_lc_index)(index - CUZK_LC_VEC); }

static double seconds(uint64_t from_ns, uint64_t to_ns) { return (double)(to_ns - from_ns) * 1e-9; }

/* ---- one partition ---- */

static cuzk_status digest_witness(synthesis_run *run, cuzk_partition_synthesis *p,
                                  const r1cs_circuit *circuit, const r1cs_assignment *w,
                                  cuzk_error *err) {
    const uint64_t start_ns = cuzk_wall_ns();
    r1cs_vector_digests digests;
    uint64_t first_unsatisfied;
    cuzk_status status =
        cuzk_r1cs_vector_digests(&digests, &first_unsatisfied, &run->ctx, circuit, w, err);
    if (status == CUZK_OK) {
        p->satisfied = first_unsatisfied == UINT64_MAX;
        memcpy(p->aux_digest, digests.aux, sizeof digests.aux);
        memcpy(p->a_digest, digests.a, sizeof digests.a);
        memcpy(p->b_digest, digests.b, sizeof digests.b);
        memcpy(p->c_digest, digests.c, sizeof digests.c);
        p->digests_wall_s = seconds(start_ns, cuzk_wall_ns());
    }
    return status;
}

/* a b = c in every row. Input rows, (input i)(0) = (0), hold as well. */
static bool rows_hold(const r1cs_generic_rows *g) {
    bool hold = true;
    for (uint64_t i = 0; i < g->a.n && hold; i++) {
        fr product;
        fr_mul(&product, &g->a.values[i], &g->b.values[i]);
        hold = fr_eq(&product, &g->c.values[i]);
    }
    return hold;
}

static void digest_generic(cuzk_partition_synthesis *p, const r1cs_generic_rows *g) {
    const uint64_t start_ns = cuzk_wall_ns();
    p->satisfied = rows_hold(g);
    cuzk_r1cs_digest_fr(p->aux_digest, g->aux.values, g->aux.n);
    cuzk_r1cs_digest_fr(p->a_digest, g->a.values, g->a.n);
    cuzk_r1cs_digest_fr(p->b_digest, g->b.values, g->b.n);
    cuzk_r1cs_digest_fr(p->c_digest, g->c.values, g->c.n);
    p->digests_wall_s = seconds(start_ns, cuzk_wall_ns());
}

/* Adds the partition's times up to now. */
static void take_times(synthesis_run *run, cuzk_partition_synthesis *p, uint64_t wall_ns,
                       uint64_t cpu_ns) {
    const uint64_t wall_now = cuzk_wall_ns(), cpu_now = cuzk_process_cpu_ns();
    p->wall_s = seconds(wall_ns, wall_now);
    p->cpu_s = seconds(cpu_ns, cpu_now);
    const groth16_time passed = {.wall_ns = wall_now - wall_ns, .cpu_ns = cpu_now - cpu_ns};
    cuzk_phase_add(&run->out->request, "synthesis", &passed);
}

/* By linear combinations; values come from the witness. */
static cuzk_status by_combinations(synthesis_run *run, cuzk_partition_synthesis *p,
                                   const r1cs_circuit *circuit, const r1cs_assignment *w,
                                   uint64_t wall_ns, uint64_t cpu_ns, cuzk_error *err) {
    const cuzk_synthesis_options *options = run->options;
    const r1cs_lc_index index = index_of(options->lc_index);
    const uint64_t rows_ns = cuzk_wall_ns(), rows_cpu_ns = cuzk_thread_cpu_ns();
    r1cs_generic_rows g;
    cuzk_status status =
        cuzk_r1cs_generic_rows(&g, &run->ctx, circuit, w, index, options->presize, err);
    if (status == CUZK_OK) {
        take_times(run, p, wall_ns, cpu_ns);
        p->rows_wall_s = seconds(rows_ns, cuzk_wall_ns());
        p->rows_cpu_s = seconds(rows_cpu_ns, cuzk_thread_cpu_ns());
        p->memory_bytes += g.charged_bytes;
        p->n_allocations = g.n_allocations;
        p->n_terms = g.n_terms;
        p->n_growths = g.n_growths;
        p->list_bytes = cuzk_r1cs_lc_index_bytes(index);
        if (options->digests) {
            digest_generic(p, &g);
        }
    }
    cuzk_r1cs_generic_rows_clear(&g);
    return status;
}

static cuzk_status synthesise_partition(synthesis_run *run, cuzk_partition_synthesis *p,
                                        const partition_source *source, cuzk_error *err) {
    const uint64_t wall_ns = cuzk_wall_ns(), cpu_ns = cuzk_process_cpu_ns();
    const cuzk_synthesis_options *options = run->options;
    any_circuit filled;
    const r1cs_circuit *circuit = &filled.circuit;
    r1cs_witness witness = {0};
    cuzk_status status = source->fill(source->arg, &filled, p->partition, err);
    if (status == CUZK_OK) {
        status = cuzk_r1cs_witness_create(&witness, &run->ctx, circuit, err);
    }
    if (status == CUZK_OK) {
        const r1cs_assignment *w = &witness.assignment;
        p->n_inputs = w->n_inputs;
        p->n_aux = w->n_aux;
        p->n_constraints = w->n_rows - w->n_inputs;
        p->memory_bytes = witness.block.len_bytes;
        if (options->lc_index != CUZK_LC_NONE) {
            status = by_combinations(run, p, circuit, w, wall_ns, cpu_ns, err);
        } else {
            take_times(run, p, wall_ns, cpu_ns);
            status = options->digests ? digest_witness(run, p, circuit, w, err) : CUZK_OK;
        }
    }
    cuzk_r1cs_witness_clear(&witness);
    return cuzk_partition_name(err, source, p->partition, status);
}

/* ---- all of them ---- */

static void log_partition(const synthesis_run *run, const cuzk_partition_synthesis *p) {
    if (run->options->job_id != NULL) {
        cuzk_log(CUZK_LOG_INFO, "engine",
                 CUZK_LOG_FIELDS(log_text("job_id", run->options->job_id),
                                 log_number("partition", p->partition),
                                 log_number("constraints", p->n_constraints),
                                 log_number("synth_ms", (uint64_t)(p->wall_s * 1e3))),
                 "partition synthesis complete");
    }
}

static void log_request(const synthesis_run *run, const char *event) {
    if (run->options->job_id != NULL) {
        cuzk_log(CUZK_LOG_INFO, "engine",
                 CUZK_LOG_FIELDS(log_text("job_id", run->options->job_id),
                                 log_text("circuit", run->out->request.circuit),
                                 log_number("num_partitions", run->out->request.n_partitions)),
                 "%s", event);
    }
}

static cuzk_status synthesise(synthesis_run *run, const cuzk_request *request,
                              const partition_source *source, cuzk_error *err) {
    cuzk_result *result = &run->out->request;
    unsigned first, n;
    cuzk_status status =
        cuzk_partitions_chosen(&first, &n, source, request->only_one, request->only_partition, err);
    if (status != CUZK_OK) {
        return status;
    }
    snprintf(result->circuit, sizeof result->circuit, "%s", source->set.id);
    result->n_partitions = n;
    run->out->partitions = calloc(n, sizeof *run->out->partitions);
    if (run->out->partitions == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    log_request(run, "synthesizing all circuits");
    for (unsigned i = 0; i < n && status == CUZK_OK; i++) {
        cuzk_partition_synthesis *p = &run->out->partitions[i];
        p->partition = first + i;
        status = synthesise_partition(run, p, source, err);
        if (status == CUZK_OK) {
            log_partition(run, p);
        }
    }
    if (status == CUZK_OK) {
        log_request(run, "batch synthesis complete");
    }
    return status;
}

cuzk_status cuzk_synthesis_run(cuzk_prover *prover, cuzk_synthesis *synthesis,
                               const cuzk_request *request, const cuzk_synthesis_options *options,
                               cuzk_error *err) {
    memset(synthesis, 0, sizeof *synthesis);
    synthesis_run run = {.out = synthesis, .options = options, .ctx = cuzk_prover_ctx(prover)};
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    if (status == CUZK_OK) {
        partition_source source;
        status = cuzk_request_open(&source, &run.ctx, &synthesis->request, request, err);
        if (status == CUZK_OK) {
            status = synthesise(&run, request, &source, err);
            cuzk_partition_source_close(&source);
        }
        synthesis->request.peak_rss_bytes = cuzk_rss_stop(peak);
    }
    if (status != CUZK_OK) {
        cuzk_synthesis_clear(synthesis);
    }
    return status;
}

void cuzk_synthesis_clear(cuzk_synthesis *synthesis) {
    cuzk_result_clear(&synthesis->request);
    free(synthesis->partitions);
    memset(synthesis, 0, sizeof *synthesis);
}
