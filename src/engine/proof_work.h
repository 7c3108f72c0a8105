/* Real proofs behind the engine's table of functions (work.h): requests of every kind, parameters
 * from the manager, the heavy steps on its back end. */
#ifndef CUZK_ENGINE_PROOF_WORK_H
#define CUZK_ENGINE_PROOF_WORK_H

#include "engine/param_manager.h"
#include "engine/work.h"

typedef struct proof_work {
    param_manager *params;
    const groth16_backend *backend; /* the manager's */
} proof_work;

/* The table; self is borrowed as long as it is used. */
engine_work cuzk_proof_work(proof_work *self);

#endif
