/* The CPU back end with faults, for tests: wrong proofs, failed allocations, errors, and waiting.
 */
#ifndef CUZK_TESTS_FAULT_BACKEND_H
#define CUZK_TESTS_FAULT_BACKEND_H

#include <pthread.h>

#include "groth16/groth16_backend.h"

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_WRONG,  /* a sum that is not the right one */
    FAULT_MEMORY, /* CUZK_E_NO_MEMORY */
    FAULT_DEVICE, /* CUZK_E_INTERNAL */
    FAULT_WAIT    /* starts only when it is let go or cancelled */
} fault_kind;

/* One back end; its own storage. */
typedef struct fault_backend {
    groth16_backend backend;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    fault_kind fault;
    unsigned n_faults; /* the next so many proofs have it */
    unsigned n_started, n_finished, n_waiting;
} fault_backend;

void fault_backend_init(fault_backend *f);
void fault_backend_clear(fault_backend *f);
/* The next n proofs. Lets go those that wait. */
void fault_backend_set(fault_backend *f, fault_kind fault, unsigned n);
/* Returns when one waits. */
void fault_backend_await_waiting(fault_backend *f);
/* Proofs started since the last call. */
unsigned fault_backend_take_started(fault_backend *f);

#endif
