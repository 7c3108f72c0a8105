/* The thread pool: one list of running loops ordered by priority, then age; workers take one task
 * at a time from the first loop that has any left. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WORKERS 1024

/* One call of cuzk_pool_run; lives on its caller's stack. All members are guarded by the pool's
 * mutex. */
typedef struct loop {
    cuzk_task_fn fn;
    void *arg;
    size_t n_tasks, n_started, n_running;
    cuzk_priority priority;
    const cuzk_cancel *cancel;
    bool cancelled;
    pthread_cond_t ended;
    struct loop *next; /* in the pool's list */
} loop;

struct cuzk_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work; /* a loop was added, or the pool ends */
    loop *loops;         /* those that may have tasks left, in the order workers serve them */
    bool ending;
    unsigned n_workers;
    pthread_t threads[];
};

/* The pool and index of the worker that runs on this thread. */
static _Thread_local const cuzk_pool *own_pool;
static _Thread_local unsigned own_index;

/* Caller holds the mutex, here and below. */
static void list_insert(cuzk_pool *pool, loop *l) {
    loop **at = &pool->loops;
    while (*at != NULL && (*at)->priority >= l->priority) {
        at = &(*at)->next;
    }
    l->next = *at;
    *at = l;
}

static void list_remove(cuzk_pool *pool, const loop *l) {
    loop **at = &pool->loops;
    while (*at != NULL && *at != l) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = l->next;
    }
}

/* Takes the next task; false when the loop has none left, which takes it off the list. */
static bool take_task(cuzk_pool *pool, loop *l, size_t *index) {
    if (!l->cancelled && l->n_started < l->n_tasks && l->cancel != NULL &&
        atomic_load_explicit(&l->cancel->flag, memory_order_relaxed)) {
        l->cancelled = true;
    }
    if (l->cancelled || l->n_started == l->n_tasks) {
        list_remove(pool, l);
        if (l->n_running == 0) {
            pthread_cond_signal(&l->ended);
        }
        return false;
    }
    *index = l->n_started++;
    l->n_running++;
    if (l->n_started == l->n_tasks) {
        list_remove(pool, l);
    }
    return true;
}

/* Runs one task without the mutex. */
static void run_task(cuzk_pool *pool, loop *l, size_t index, unsigned worker) {
    cuzk_task_fn fn = l->fn;
    void *arg = l->arg;
    pthread_mutex_unlock(&pool->mutex);
    fn(arg, index, worker);
    pthread_mutex_lock(&pool->mutex);
    l->n_running--;
    if (l->n_running == 0 && (l->cancelled || l->n_started == l->n_tasks)) {
        pthread_cond_signal(&l->ended);
    }
}

typedef struct worker_start {
    cuzk_pool *pool;
    unsigned index;
} worker_start;

static void *worker_main(void *arg) {
    worker_start start = *(worker_start *)arg;
    free(arg);
    cuzk_pool *pool = start.pool;
    own_pool = pool;
    own_index = start.index;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->ending) {
        loop *l = pool->loops;
        size_t index;
        if (l == NULL) {
            pthread_cond_wait(&pool->work, &pool->mutex);
        } else if (take_task(pool, l, &index)) {
            run_task(pool, l, index, start.index);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static unsigned cpus_of_process(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : (unsigned)n;
}

cuzk_status cuzk_pool_create(cuzk_pool **pool, unsigned n_workers, cuzk_error *err) {
    *pool = NULL;
    if (n_workers > MAX_WORKERS) {
        return cuzk_fail(err, CUZK_E_RANGE, "%u threads wanted, at most %d are possible", n_workers,
                         MAX_WORKERS);
    }
    unsigned wanted = n_workers == 0 ? cpus_of_process() : n_workers;
    cuzk_pool *p = calloc(1, sizeof *p + wanted * sizeof p->threads[0]);
    if (p == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a thread pool");
    }
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->work, NULL);
    for (unsigned i = 0; i < wanted; i++) {
        worker_start *start = malloc(sizeof *start);
        if (start != NULL) {
            *start = (worker_start){.pool = p, .index = i};
        }
        if (start == NULL || pthread_create(&p->threads[i], NULL, worker_main, start) != 0) {
            free(start);
            cuzk_pool_destroy(p);
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "cannot start thread %u of %u", i + 1, wanted);
        }
        p->n_workers = i + 1;
    }
    *pool = p;
    return CUZK_OK;
}

void cuzk_pool_destroy(cuzk_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    CUZK_ASSERT(pool->loops == NULL);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->n_workers; i++) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned cuzk_ctx_workers(const cuzk_ctx *ctx) {
    return ctx->pool == NULL ? 1 : ctx->pool->n_workers;
}

static cuzk_status fail_cancelled(cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
}

cuzk_status cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                          cuzk_error *err) {
    cuzk_pool *pool = ctx->pool;
    if (pool == NULL) {
        for (size_t i = 0; i < n_tasks; i++) {
            if (cuzk_ctx_cancelled(ctx)) {
                return fail_cancelled(err);
            }
            fn(arg, i, 0);
        }
        return CUZK_OK;
    }
    if (n_tasks == 0) {
        return CUZK_OK;
    }
    loop l = {
        .fn = fn, .arg = arg, .n_tasks = n_tasks, .priority = ctx->priority, .cancel = ctx->cancel};
    pthread_cond_init(&l.ended, NULL);
    pthread_mutex_lock(&pool->mutex);
    list_insert(pool, &l);
    if (n_tasks == 1) {
        pthread_cond_signal(&pool->work);
    } else {
        pthread_cond_broadcast(&pool->work);
    }
    if (own_pool == pool) {
        size_t index;
        while (take_task(pool, &l, &index)) {
            run_task(pool, &l, index, own_index);
        }
    }
    while (l.n_running != 0 || (!l.cancelled && l.n_started < l.n_tasks)) {
        pthread_cond_wait(&l.ended, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    pthread_cond_destroy(&l.ended);
    return l.cancelled ? fail_cancelled(err) : CUZK_OK;
}
