/* Counting tasks, and setting the cancel flag at one of them. One check at a time. */
#include "support/cancel_at.h"

static struct {
    cuzk_cancel cancel;
    atomic_size_t n_started;
    size_t cancel_at; /* 0: never */
} current;

void cancel_step(void) {
    if (atomic_fetch_add(&current.n_started, 1) + 1 == current.cancel_at) {
        cuzk_cancel_set(&current.cancel);
    }
}

typedef struct counted_loop {
    cuzk_task_fn fn;
    void *arg;
} counted_loop;

static void counted_task(void *arg, size_t index, unsigned worker) {
    const counted_loop *loop = arg;
    cancel_step();
    loop->fn(loop->arg, index, worker);
}

cuzk_status __real_cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                                 cuzk_error *err);
cuzk_status __wrap_cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                                 cuzk_error *err);
cuzk_status __wrap_cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                                 cuzk_error *err) {
    counted_loop loop = {fn, arg};
    return __real_cuzk_pool_run(ctx, n_tasks, counted_task, &loop, err);
}

/* Returns the number of tasks started. */
static size_t run_once(cuzk_status *status, cuzk_pool *pool, cancel_call call, void *arg,
                       bool before, size_t at) {
    cuzk_error err;
    cuzk_ctx ctx = {.pool = pool, .cancel = &current.cancel};
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    atomic_store(&current.cancel.flag, before);
    atomic_store(&current.n_started, 0);
    current.cancel_at = at;
    cuzk_error_clear(&err);
    *status = call(arg, &ctx, &err);
    if (*status != CUZK_OK && *status != CUZK_E_CANCELLED) {
        fail_msg("at task %zu: %s", at, err.text);
    }
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
    return atomic_load(&current.n_started);
}

size_t check_cancel_everywhere(cuzk_pool *pool, cancel_call call, void *arg, size_t n_late) {
    cuzk_status status;
    const cuzk_ctx ctx = {.pool = pool};
    const size_t n_others = cuzk_ctx_workers(&ctx) - 1;
    const size_t n_tasks = run_once(&status, pool, call, arg, false, 0);
    assert_int_equal(status, CUZK_OK);
    assert_true(n_tasks > n_late);
    assert_int_equal(run_once(&status, pool, call, arg, true, 0), 0);
    assert_int_equal(status, CUZK_E_CANCELLED);
    for (size_t at = 1; at < n_tasks; at += pool == NULL ? 1 : 1 + n_tasks / 32) {
        const size_t n_started = run_once(&status, pool, call, arg, false, at);
        if (status == CUZK_OK) {
            assert_true(at + n_late + n_others >= n_tasks);
        } else if (n_started > at + n_others) {
            fail_msg("cancelled at task %zu of %zu, ended after task %zu", at, n_tasks, n_started);
        }
    }
    assert_int_equal(run_once(&status, pool, call, arg, false, 0), n_tasks);
    assert_int_equal(status, CUZK_OK);
    return n_tasks;
}
