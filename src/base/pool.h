/* Threads: a pool that runs parallel loops of short tasks by priority, and the context that every
 * long function takes.
 *
 * Rule: a task lasts at most 50 ms, so that a loop of higher priority gets all workers within one
 * task, and a cancelled one stops within one task. */
#ifndef CUZK_BASE_POOL_H
#define CUZK_BASE_POOL_H

#include <stdatomic.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct cuzk_pool cuzk_pool;

/* n_workers threads (1..1024; 0 means one for each CPU this process may use). Several loops, also
 * nested ones and from several callers, may run at once. */
cuzk_status cuzk_pool_create(cuzk_pool **pool, unsigned n_workers, cuzk_error *err);
void cuzk_pool_destroy(cuzk_pool *pool); /* accepts NULL; no loop may be running */

typedef enum cuzk_priority { CUZK_LOW, CUZK_NORMAL, CUZK_HIGH, CUZK_CRITICAL } cuzk_priority;

typedef struct cuzk_cancel {
    atomic_bool flag;
} cuzk_cancel;
static inline void cuzk_cancel_set(cuzk_cancel *c) {
    atomic_store_explicit(&c->flag, true, memory_order_relaxed);
}

/* Called now and then with work done and to do, in any unit; may come from any worker, one call at
 * a time. */
typedef void (*cuzk_progress_fn)(void *arg, const char *phase, uint64_t done, uint64_t total);

/* What a long function needs from its caller, borrowed for the call. A zeroed context is valid: no
 * pool (everything runs on the calling thread), CUZK_LOW, not cancellable, silent, no scratch, no
 * account. Copy it to change a member. */
typedef struct cuzk_ctx {
    cuzk_pool *pool;
    cuzk_priority priority;
    bool goes_first; /* before other loops of its priority: for short loops with waits between */
    const cuzk_cancel *cancel;
    const cuzk_cancel *cancel_too; /* a second flag, of a part of the work */
    atomic_uint_fast64_t *cpu_ns;  /* NULL, or what workers add the CPU time of their tasks to */
    cuzk_progress_fn progress;
    void *progress_arg;
    cuzk_account *account; /* what big blocks are charged to */
} cuzk_ctx;

static inline bool cuzk_is_cancelled(const cuzk_cancel *cancel) {
    return cancel != NULL && atomic_load_explicit(&cancel->flag, memory_order_relaxed);
}
static inline bool cuzk_ctx_cancelled(const cuzk_ctx *ctx) {
    return cuzk_is_cancelled(ctx->cancel) || cuzk_is_cancelled(ctx->cancel_too);
}
static inline bool cuzk_ctx_can_be_cancelled(const cuzk_ctx *ctx) {
    return ctx->cancel != NULL || ctx->cancel_too != NULL;
}
static inline void cuzk_ctx_progress(const cuzk_ctx *ctx, const char *phase, uint64_t done,
                                     uint64_t total) {
    if (ctx->progress != NULL) {
        ctx->progress(ctx->progress_arg, phase, done, total);
    }
}

/* Number of different `worker` values a task may see: 1 without a pool. Scratch per worker is sized
 * by this. */
unsigned cuzk_ctx_workers(const cuzk_ctx *ctx);

/* One task: index in 0..n_tasks-1, worker in 0..cuzk_ctx_workers-1. No two tasks of one loop with
 * the same worker value run at once, so arrays indexed by it need no lock. */
typedef void (*cuzk_task_fn)(void *arg, size_t index, unsigned worker);

/* Runs fn(arg, i, worker) for every i below n_tasks, in no order, and returns when all have ended.
 * Called from inside a task, the calling worker runs tasks of this loop only, until it ends; else
 * the caller sleeps. A worker takes its next task from the running loop of highest priority that
 * has any left, of several one that goes first, then the oldest; so the time limit of a task
 * includes its inner loops. A worker that has served a critical loop
 * waits some milliseconds, 50 at most, for the next one before it takes a task of a lesser one.
 * Fails: CUZK_E_CANCELLED if the context was cancelled before the last task started; started tasks
 * have ended. */
cuzk_status cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                          cuzk_error *err);

#endif
