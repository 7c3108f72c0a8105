/* Real proofs behind the engine's table of functions (work.h): requests of every kind, parameters
 * from the manager, the heavy steps on a back end. */
#ifndef CUZK_ENGINE_PROOF_WORK_H
#define CUZK_ENGINE_PROOF_WORK_H

#include "engine/param_manager.h"
#include "engine/partition_store.h"
#include "engine/work.h"

typedef struct proof_work {
    param_manager *params;
    const groth16_backend *backend; /* the manager's */
    /* For the last attempt at a proof that is bad. NULL: the CPU, if the other is not; else the CPU
     * with the kernels of the next lower level. */
    const groth16_backend *last_backend;
    partition_store *store; /* NULL: finished partitions are not kept */
    const char *directory;  /* the manager's; for the store */
} proof_work;

/* The table; self is borrowed as long as it is used. A WindowPoSt request is taken as one
 * partition, whatever it says; two bits too many in randomness are cleared. Non-interactive PoRep
 * is refused. */
engine_work cuzk_proof_work(proof_work *self);

#endif
