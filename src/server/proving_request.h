/* A proof request from the wire: its message's bytes stay where they are, and what the engine needs
 * points into them. */
#ifndef CUZK_SERVER_PROVING_REQUEST_H
#define CUZK_SERVER_PROVING_REQUEST_H

#include "engine/budget.h"
#include "server/rpc.h"

/* Vanilla proofs in one request. No partition has more sectors, no update more partitions. */
#define PROVING_INPUTS_MAX 16384
#define PROVING_NAME_CHARS 24
/* What a request takes beside its message's bytes: for each input, and for its job and itself. */
#define PROVING_INPUT_BYTES (sizeof(cuzk_input) + PROVING_NAME_CHARS)
#define PROVING_JOB_BYTES ((size_t)8 << 10)
#define PROVING_BESIDE_MAX (PROVING_JOB_BYTES + PROVING_INPUTS_MAX * PROVING_INPUT_BYTES)

typedef struct proving_request {
    cuzk_request request;
    char *request_id; /* "": none */
    cuzk_priority priority;
    bool faulty; /* `fault` is why the request can only fail */
    cuzk_error fault;
    bool cleared_randomness; /* its two top bits were set, and are not any more */
    rpc_bytes bytes;
    size_t cost_bytes; /* with all beside them; at most PROVING_BESIDE_MAX more */
    budget_hold hold;  /* for these; the owner's to fill */
    cuzk_input *inputs;
    char (*names)[PROVING_NAME_CHARS];
} proving_request;

/* Reads a SubmitProofRequest, or the one in a ProveRequest. Takes *bytes over, also on failure.
 * Fails: CUZK_E_INPUT (not such a message, "missing submit field", "invalid proof_kind: N", a
 * request id that is no text or too long, too many vanilla proofs), CUZK_E_NO_MEMORY. */
cuzk_status cuzk_proving_request_read(proving_request **r, rpc_bytes *bytes, bool in_prove_request,
                                      cuzk_error *err);
/* Frees it and gives back its memory; the release function of an engine's submission. */
void cuzk_proving_request_free(void *r);

#endif
