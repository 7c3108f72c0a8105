/* The functions of cuzk.h: they check their arguments and call a module. cuzk_options_init,
 * cuzk_prover_* and cuzk_result_clear are in engine/handle.c, the texts of statuses in
 * base/status.c. */
#include <cuzk.h>

#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "engine/aggregate_job.h"
#include "engine/embedded.h"
#include "engine/post_job.h"
#include "engine/proof_job.h"
#include "engine/seal_job.h"
#include "engine/update_job.h"

cuzk_status cuzk_prove(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                       cuzk_error *err) {
    if (prover == NULL || result == NULL || request == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_prove: NULL argument");
    }
    *result = (cuzk_result){0};
    cuzk_status status = cuzk_request_check(request, err);
    return status == CUZK_OK ? cuzk_proof_run(prover, result, request, err) : status;
}

cuzk_status cuzk_seal_statement_from_c1(cuzk_seal_statement *statement, const cuzk_input *c1,
                                        cuzk_error *err) {
    if (statement == NULL || c1 == NULL || c1->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_seal_statement_from_c1: NULL argument");
    }
    return cuzk_seal_statement_read(statement, c1, err);
}

cuzk_status cuzk_verify_seal(cuzk_prover *prover, const cuzk_seal_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_seal: NULL argument");
    }
    return cuzk_seal_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}

static cuzk_status check_aggregate_statement(const cuzk_aggregate_statement *statement,
                                             cuzk_error *err) {
    if (statement->sectors == NULL || statement->n_sectors == 0) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "an aggregate has at least one sector");
    }
    if (statement->version != 1 && statement->version != 2) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "versions of aggregates are 1 and 2, not %u",
                         statement->version);
    }
    return CUZK_OK;
}

cuzk_status cuzk_aggregate_seals(cuzk_prover *prover, cuzk_result *result,
                                 const cuzk_aggregate_statement *statement,
                                 const cuzk_input *proofs, cuzk_error *err) {
    if (prover == NULL || result == NULL || statement == NULL || proofs == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_aggregate_seals: NULL argument");
    }
    *result = (cuzk_result){0};
    cuzk_status status = check_aggregate_statement(statement, err);
    for (size_t i = 0; status == CUZK_OK && i < statement->n_sectors; i++) {
        if (proofs[i].data == NULL && proofs[i].len_bytes > 0) {
            status = cuzk_fail(err, CUZK_E_ARGUMENT, "proof %zu of an aggregate is NULL", i);
        }
    }
    return status == CUZK_OK ? cuzk_aggregate_run(prover, result, statement, proofs, err) : status;
}

cuzk_status cuzk_verify_aggregate(cuzk_prover *prover, const cuzk_aggregate_statement *statement,
                                  const uint8_t *aggregate, size_t aggregate_bytes,
                                  cuzk_error *err) {
    if (prover == NULL || statement == NULL || aggregate == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_aggregate: NULL argument");
    }
    cuzk_status status = check_aggregate_statement(statement, err);
    return status == CUZK_OK
               ? cuzk_aggregate_judge(prover, statement, aggregate, aggregate_bytes, err)
               : status;
}

cuzk_status cuzk_post_sector_from_vanilla(cuzk_post_sector *sector, uint64_t registered_proof,
                                          const cuzk_input *vanilla, cuzk_error *err) {
    if (sector == NULL || vanilla == NULL || vanilla->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_post_sector_from_vanilla: NULL argument");
    }
    return cuzk_post_sector_known(sector, registered_proof, vanilla, err);
}

cuzk_status cuzk_verify_post(cuzk_prover *prover, const cuzk_post_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL ||
        (statement->n_sectors > 0 && statement->sectors == NULL)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_post: NULL argument");
    }
    if (statement->kind != CUZK_WINNING_POST && statement->kind != CUZK_WINDOW_POST) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "proof kind %d is no PoSt", (int)statement->kind);
    }
    return cuzk_post_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}

cuzk_status cuzk_verify_update(cuzk_prover *prover, const cuzk_update_statement *statement,
                               const uint8_t *proof, size_t proof_bytes, bool only_one,
                               unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_update: NULL argument");
    }
    return cuzk_update_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}

/* ---- engines ---- */

void cuzk_engine_options_init(cuzk_engine_options *options) {
    service_options s;
    if (options == NULL) {
        return;
    }
    cuzk_service_options_init(&s);
    *options = (cuzk_engine_options){.safety_margin_bytes = s.margin_bytes,
                                     .eviction_min_idle_ms = s.min_idle_ns / NS_PER_MS,
                                     .result_ttl_ms = s.engine.result_ttl_ns / NS_PER_MS,
                                     .max_results = s.engine.max_results,
                                     .n_retries = s.engine.n_retries};
}

cuzk_status cuzk_engine_create(cuzk_engine **e, const cuzk_engine_options *options,
                               cuzk_error *err) {
    if (e == NULL || options == NULL || (options->keep_hot == NULL && options->n_keep_hot != 0)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_create: NULL argument");
    }
    return cuzk_embedded_create(e, options, err);
}

void cuzk_engine_destroy(cuzk_engine *e) { cuzk_embedded_destroy(e); }

cuzk_status cuzk_engine_submit(cuzk_engine *e, char job_id[CUZK_JOB_ID_CHARS],
                               const cuzk_request *request, const char *request_id,
                               cuzk_urgency urgency, cuzk_error *err) {
    if (e == NULL || job_id == NULL || request == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_submit: NULL argument");
    }
    if (urgency < CUZK_URGENCY_OF_KIND || urgency > CUZK_URGENCY_CRITICAL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "there is no urgency %d", (int)urgency);
    }
    return cuzk_embedded_submit(e, job_id, request, request_id, urgency, err);
}

cuzk_status cuzk_engine_await(cuzk_engine *e, cuzk_job_outcome *outcome, const char *job_id,
                              uint64_t timeout_ms, cuzk_error *err) {
    if (e == NULL || outcome == NULL || job_id == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_await: NULL argument");
    }
    *outcome = (cuzk_job_outcome){0};
    return cuzk_embedded_await(e, outcome, job_id, timeout_ms, err);
}

void cuzk_job_outcome_clear(cuzk_job_outcome *outcome) {
    if (outcome != NULL) {
        free(outcome->proof);
        *outcome = (cuzk_job_outcome){0};
    }
}

cuzk_status cuzk_engine_cancel(cuzk_engine *e, const char *job_id, bool *was_running,
                               cuzk_error *err) {
    bool running;
    if (e == NULL || job_id == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_cancel: NULL argument");
    }
    cuzk_embedded_cancel(e, job_id, was_running != NULL ? was_running : &running);
    return CUZK_OK;
}

cuzk_status cuzk_engine_shutdown(cuzk_engine *e, uint64_t drain_ms, cuzk_error *err) {
    if (e == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_shutdown: NULL argument");
    }
    cuzk_service_drain(cuzk_embedded_service(e),
                       drain_ms < CLOCK_NEVER / NS_PER_MS ? drain_ms * NS_PER_MS : CLOCK_NEVER);
    return CUZK_OK;
}

cuzk_status cuzk_engine_status_json(cuzk_engine *e, char **text, size_t *len_bytes,
                                    cuzk_error *err) {
    if (e == NULL || text == NULL || len_bytes == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_status_json: NULL argument");
    }
    return cuzk_service_status(text, len_bytes, cuzk_embedded_service(e), err);
}

cuzk_status cuzk_engine_metrics_text(cuzk_engine *e, char **text, size_t *len_bytes,
                                     cuzk_error *err) {
    if (e == NULL || text == NULL || len_bytes == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_metrics_text: NULL argument");
    }
    return cuzk_service_metrics(text, len_bytes, cuzk_embedded_service(e), err);
}

void cuzk_engine_text_free(char *text) { free(text); }

cuzk_status cuzk_engine_preload(cuzk_engine *e, const char *circuit, bool *already,
                                uint64_t *load_ms, cuzk_error *err) {
    if (e == NULL || circuit == NULL || already == NULL || load_ms == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_preload: NULL argument");
    }
    const cuzk_ctx ctx = {.priority = CUZK_NORMAL};
    uint64_t load_ns;
    cuzk_status status = cuzk_param_preload(cuzk_service_params(cuzk_embedded_service(e)), already,
                                            &load_ns, &ctx, circuit, err);
    *load_ms = load_ns / NS_PER_MS;
    return status;
}

cuzk_status cuzk_engine_evict(cuzk_engine *e, const char *circuit, bool *was_loaded,
                              uint64_t *freed_bytes, cuzk_error *err) {
    if (e == NULL || circuit == NULL || was_loaded == NULL || freed_bytes == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_engine_evict: NULL argument");
    }
    return cuzk_param_evict(cuzk_service_params(cuzk_embedded_service(e)), was_loaded, freed_bytes,
                            circuit, err);
}
