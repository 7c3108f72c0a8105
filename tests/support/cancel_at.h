/* Cancelling a call at its n-th task, for n = 1, 2, 3 ... until it completes.
 *
 * Programs whose name ends in _cancel are linked so that all calls of cuzk_pool_run from other
 * files come here first (cmake/tests.cmake). */
#ifndef CUZK_TESTS_CANCEL_AT_H
#define CUZK_TESTS_CANCEL_AT_H

#include "base/pool.h"
#include "support/support.h"

/* A call to cancel. It judges its result when the status is CUZK_OK, and gives everything back in
 * any case. */
typedef cuzk_status (*cancel_call)(void *arg, const cuzk_ctx *ctx, cuzk_error *err);

/* Runs the call whole, then cancelled before it begins, then at the start of every of its tasks (of
 * some thirty of them with a pool), then whole again. Each cancelled run must end with
 * CUZK_E_CANCELLED, start no further task, and leave nothing charged to the account of ctx. The
 * last n_late tasks, and with a pool as many as other workers may have claimed already, may also
 * come too late to cancel anything. Returns the number of tasks. */
size_t check_cancel_everywhere(cuzk_pool *pool, cancel_call call, void *arg, size_t n_late);

/* Counts as a task, for callbacks of loops that are not the pool's. */
void cancel_step(void);

#endif
