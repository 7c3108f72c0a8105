/* A proof request of any kind. */
#include "engine/proof_job.h"

#include <string.h>

#include "base/rss.h"
#include "engine/post_job.h"
#include "engine/seal_job.h"
#include "engine/update_job.h"

static cuzk_status run_kind(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                            cuzk_error *err) {
    switch (request->kind) {
    case CUZK_POREP:
        return cuzk_seal_prove(prover, result, request, err);
    case CUZK_SNAP:
        return cuzk_update_prove(prover, result, request, err);
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        return cuzk_post_prove(prover, result, request, err);
    }
    return cuzk_fail(err, CUZK_E_ARGUMENT, "unknown proof kind %d", (int)request->kind);
}

cuzk_status cuzk_proof_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                           cuzk_error *err) {
    memset(result, 0, sizeof *result);
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    if (status == CUZK_OK) {
        status = run_kind(prover, result, request, err);
        result->peak_rss_bytes = cuzk_rss_stop(peak);
    }
    if (status != CUZK_OK) {
        cuzk_result_clear(result);
    }
    return status;
}
