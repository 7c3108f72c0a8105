/* Calls that wait for the end of a job: each is answered once, by what comes first: the job's end,
 * the caller's time limit, or the caller's going away. One thread gives all answers, so neither the
 * engine nor the transport ever waits for them. */
#ifndef CUZK_SERVER_WAITS_H
#define CUZK_SERVER_WAITS_H

#include "engine/engine.h"
#include "server/rpc.h"

typedef struct waits waits;

/* How a wait ended: outcome NULL, the time was up. */
typedef void (*wait_answer)(rpc_call *call, const char *job_id, const engine_outcome *outcome);

cuzk_status cuzk_waits_create(waits **w, engine *e, cuzk_error *err);
/* Nothing may wait any more. Accepts NULL. */
void cuzk_waits_destroy(waits *w);

typedef struct call_wait call_wait;
/* A wait of a call, which it ends with `answer`, or as cancelled or unavailable. *started NULL: the
 * client has gone already, and the call is ended. Fails: CUZK_E_NO_MEMORY, with the call still to
 * be ended. */
cuzk_status cuzk_wait_prepare(call_wait **started, waits *w, rpc_call *call, wait_answer answer,
                              cuzk_error *err);
/* For an engine to tell: of cuzk_core_submit or cuzk_core_watch. */
job_waiter *cuzk_wait_waiter(call_wait *started);
/* After the engine has taken the waiter. timeout_ns: UINT64_MAX: none. job_id is copied. The wait
 * is not the caller's any more. */
void cuzk_wait_start(call_wait *started, const char *job_id, uint64_t timeout_ns);
/* If the engine has not: ends the call with that failure. */
void cuzk_wait_abandon(call_wait *started, rpc_code code, const char *text);

#endif
