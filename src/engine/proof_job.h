/* A proof request of any kind: what all kinds have in common. */
#ifndef CUZK_ENGINE_PROOF_JOB_H
#define CUZK_ENGINE_PROOF_JOB_H

#include "engine/partitions.h"

/* Refuses a request that breaks the interface's rules: CUZK_E_ARGUMENT. */
cuzk_status cuzk_request_check(const cuzk_request *request, cuzk_error *err);

/* Reads and judges a request of any kind; see cuzk_seal_open. */
cuzk_status cuzk_request_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                              const cuzk_request *request, cuzk_error *err);

/* cuzk_prove; arguments were checked, *result is zeroed. */
cuzk_status cuzk_proof_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                           cuzk_error *err);

#endif
