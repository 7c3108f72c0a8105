/* What became of a request: the daemon's result, or why there is none; and how that is printed. */
#ifndef CUZK_PROGRAMS_CLIENT_OUTCOME_H
#define CUZK_PROGRAMS_CLIENT_OUTCOME_H

#include "cuzk_bench/client/daemon.h"
#include "cuzk_bench/client/submission.h"

/* Zeroed is valid to clear. */
typedef struct outcome {
    Cuzk__V1__AwaitProofResponse *result; /* NULL: the call failed as `fault` says */
    client_reply fault;
    void *message; /* that holds the result */
    double wall_s;
} outcome;

/* Proves on a connection of its own. */
void prove_remotely(outcome *o, const global_options *g, submission *s, const char *request_id,
                    bool drawn);
void outcome_clear(outcome *o);

/* COMPLETED, FAILED, CANCELLED, TIMEOUT, UNKNOWN; ERROR for a failed call. */
const char *outcome_status(const outcome *o);
bool outcome_completed(const outcome *o);
/* "" if completed; the daemon's text, or code and text of a failed call. `room` is overwritten. */
const char *outcome_error(const outcome *o, char *room, size_t room_bytes);

/* What became of a proof that was to be checked here. */
typedef struct check_report {
    bool done, valid;
    const char *text; /* why it is not valid */
} check_report;

/* The block "Proof Result", and the same as an object. `result` must be there; `check` may be NULL.
 */
void print_result(const outcome *o, const check_report *check);
void print_result_json(const outcome *o, const check_report *check);

#endif
