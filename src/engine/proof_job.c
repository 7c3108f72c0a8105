/* A proof request of any kind. */
#include "engine/proof_job.h"

#include <string.h>

#include "base/rss.h"
#include "engine/seal_job.h"

cuzk_status cuzk_proof_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                           cuzk_error *err) {
    memset(result, 0, sizeof *result);
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    if (status == CUZK_OK) {
        status = cuzk_seal_prove(prover, result, request, err);
        result->peak_rss_bytes = cuzk_rss_stop(peak);
    }
    if (status != CUZK_OK) {
        cuzk_result_clear(result);
    }
    return status;
}
