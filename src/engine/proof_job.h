/* A proof request of any kind: what all kinds have in common. */
#ifndef CUZK_ENGINE_PROOF_JOB_H
#define CUZK_ENGINE_PROOF_JOB_H

#include "engine/handle.h"

/* cuzk_prove; arguments were checked. */
cuzk_status cuzk_proof_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                           cuzk_error *err);

#endif
