/* A proof request of any kind. */
#include "engine/proof_job.h"

#include "base/rss.h"
#include "engine/post_job.h"
#include "engine/seal_job.h"
#include "engine/update_job.h"

/* ---- arguments ---- */

static cuzk_status check_inputs(const cuzk_request *request, cuzk_error *err) {
    if (request->kind == CUZK_POREP && request->n_inputs != 1) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "a PoRep request has one input document");
    }
    if (request->n_inputs > 0 && request->inputs == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_request: NULL inputs");
    }
    for (size_t i = 0; i < request->n_inputs; i++) {
        if (request->inputs[i].data == NULL) {
            return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_request: input %zu is NULL", i);
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_request_check(const cuzk_request *request, cuzk_error *err) {
    if (request->kind < CUZK_POREP || request->kind > CUZK_WINNING_POST) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "unknown proof kind %d", (int)request->kind);
    }
    bool post = request->kind == CUZK_WINDOW_POST || request->kind == CUZK_WINNING_POST;
    if (post && request->randomness == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "a PoSt request needs randomness");
    }
    if (request->kind == CUZK_SNAP && (request->comm_r_old == NULL || request->comm_r_new == NULL ||
                                       request->comm_d_new == NULL)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT,
                         "an update request needs comm_r_old, comm_r_new and comm_d_new");
    }
    if ((request->insecure_test_r == NULL) != (request->insecure_test_s == NULL)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "fixed blinding needs both r and s");
    }
    return check_inputs(request, err);
}

/* ---- running ---- */

cuzk_status cuzk_request_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                              const cuzk_request *request, cuzk_error *err) {
    switch (request->kind) {
    case CUZK_POREP:
        return cuzk_seal_open(source, ctx, result, request, err);
    case CUZK_SNAP:
        return cuzk_update_open(source, ctx, result, request, err);
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        return cuzk_post_open(source, ctx, result, request, err);
    }
    *source = (partition_source){0};
    return cuzk_fail(err, CUZK_E_ARGUMENT, "unknown proof kind %d", (int)request->kind);
}

static cuzk_status prove(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                         cuzk_error *err) {
    const cuzk_ctx ctx = cuzk_prover_ctx(prover);
    partition_source source;
    cuzk_status status = cuzk_request_open(&source, &ctx, result, request, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_partitions_prove(prover, result, request, &source, err);
    if (status != CUZK_OK && err != NULL && source.sector != CUZK_NOWHERE) {
        err->sector = source.sector;
    }
    cuzk_partition_source_close(&source);
    return status;
}

cuzk_status cuzk_proof_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                           cuzk_error *err) {
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    if (status == CUZK_OK) {
        status = prove(prover, result, request, err);
        result->peak_rss_bytes = cuzk_rss_stop(peak);
    }
    if (status != CUZK_OK) {
        cuzk_result left = {.bad_sectors = result->bad_sectors,
                            .n_bad_sectors = result->n_bad_sectors};
        result->bad_sectors = NULL;
        cuzk_result_clear(result);
        *result = left;
    }
    return status;
}
