/* The thread pool. One list of running loops, ordered by priority and then age; a worker attaches
 * to the first loop with tasks left and claims tasks from its counter, without the mutex, until the
 * counter runs out or a loop of higher priority appears. Idle workers lie on a stack, each with its
 * own semaphore; who publishes a loop wakes a few, who wakes up wakes a few more, so that waking
 * many takes logarithmic time and no thread waits for another's mutex. */
#include "base/pool.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/thread.h"

#define MAX_WORKERS 1024
#define WAKE_FANOUT 3
#define SPINS 200                 /* a few microseconds before an idle thread goes to sleep */
#define CANCEL_PERIOD_NS 10000000 /* how often a sleeping caller looks at its cancel flag */
#define NO_RANK (-1)
#define CRITICAL_RANK (2 * (int)CUZK_CRITICAL)
/* A worker that has served a critical loop waits for the next one before it starts a task of a
 * lesser loop, which may last 50 ms: for LINGER_NS after the last critical loop and while one runs,
 * LINGER_MOST_NS in all. */
#define LINGER_NS 3000000
#define LINGER_MOST_NS 50000000

/* One call of cuzk_pool_run; lives on its caller's stack. It is complete when it is exhausted (next
 * >= n_tasks, which never changes back) and no thread is attached; nobody touches it after that. */
typedef struct loop {
    cuzk_task_fn fn;
    void *arg;
    size_t n_tasks;
    int rank;             /* of its priority, higher if it goes first */
    cuzk_cpu_level limit; /* the caller's, for its tasks */
    const cuzk_cancel *cancel, *cancel_too;
    atomic_uint_fast64_t *cpu_ns;
    atomic_size_t next; /* the first task not claimed; each failing claim raises it by one more */
    atomic_bool cut;    /* closed by its cancel flag before all tasks were claimed */
    sem_t ended;        /* posted by the worker that completes the loop */
    /* Guarded by the pool's mutex: */
    unsigned n_attached;
    bool listed;
    struct loop *after;
} loop;

typedef struct worker {
    cuzk_pool *pool;
    unsigned index;
    pthread_t thread;
    sem_t wake;
    struct worker *below; /* in the stack of idle workers */
} worker;

struct cuzk_pool {
    pthread_mutex_t mutex;
    loop *loops;  /* those that may have tasks left, in the order workers serve them */
    worker *idle; /* waiting or about to wait on their semaphores */
    bool ending;
    atomic_int top;                         /* rank of the first loop of the list, or NO_RANK */
    atomic_uint n_critical;                 /* calls with loops of CRITICAL_RANK and more */
    atomic_uint_fast64_t critical_ended_ns; /* the last of them, on the monotonic clock */
    unsigned n_workers;
    worker workers[];
};

/* The worker that runs on this thread. */
static _Thread_local worker *this_worker;

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool spin_for(sem_t *sem) {
    for (int i = 0; i < SPINS; i++) {
        if (sem_trywait(sem) == 0) {
            return true;
        }
        relax();
    }
    return false;
}

static void wait_for(sem_t *sem) {
    if (!spin_for(sem)) {
        while (sem_wait(sem) != 0) {
        }
    }
}

static bool is_exhausted(const loop *l) { return atomic_load(&l->next) >= l->n_tasks; }

static bool is_cancelled(const loop *l) {
    return cuzk_is_cancelled(l->cancel) || cuzk_is_cancelled(l->cancel_too);
}

/* No task is claimed after this. */
static void loop_close(loop *l) {
    if (atomic_exchange(&l->next, l->n_tasks) < l->n_tasks) {
        atomic_store(&l->cut, true);
    }
}

static bool claim_task(loop *l, size_t *index) {
    if (is_cancelled(l)) {
        loop_close(l);
        return false;
    }
    *index = atomic_fetch_add(&l->next, 1);
    return *index < l->n_tasks;
}

/* The functions from here to `attached_leave` want the pool's mutex held. */

static void set_top(cuzk_pool *pool) {
    atomic_store(&pool->top, pool->loops == NULL ? NO_RANK : pool->loops->rank);
}

static void list_insert(cuzk_pool *pool, loop *l) {
    loop **at = &pool->loops;
    while (*at != NULL && (*at)->rank >= l->rank) {
        at = &(*at)->after;
    }
    l->after = *at;
    *at = l;
    l->listed = true;
    set_top(pool);
}

static void list_remove(cuzk_pool *pool, loop *l) {
    if (!l->listed) {
        return;
    }
    loop **at = &pool->loops;
    while (*at != l) {
        at = &(*at)->after;
    }
    *at = l->after;
    l->listed = false;
    set_top(pool);
}

/* The loop to serve, or NULL; takes exhausted ones off the list. */
static loop *list_first(cuzk_pool *pool) {
    while (pool->loops != NULL && is_exhausted(pool->loops)) {
        list_remove(pool, pool->loops);
    }
    return pool->loops;
}

/* Takes up to `wanted` idle workers off their stack; returns how many. Each must get exactly one
 * post. */
static unsigned pop_idle(cuzk_pool *pool, worker *popped[WAKE_FANOUT], size_t wanted) {
    unsigned n = 0;
    while (n < WAKE_FANOUT && n < wanted && pool->idle != NULL) {
        popped[n++] = pool->idle;
        pool->idle = pool->idle->below;
    }
    return n;
}

/* Ends the part of one thread in a loop; true when that completes the loop. */
static bool attached_leave(cuzk_pool *pool, loop *l) {
    l->n_attached--;
    if (!is_exhausted(l)) {
        return false;
    }
    list_remove(pool, l);
    return l->n_attached == 0;
}

static void wake(worker *popped[WAKE_FANOUT], unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        sem_post(&popped[i]->wake);
    }
}

/* Serves one loop until it has no tasks left or another has a higher priority. */
static void serve(cuzk_pool *pool, loop *l, unsigned index) {
    size_t task;
    const cuzk_cpu_level before = cuzk_cpu_limit(l->limit);
    while (atomic_load_explicit(&pool->top, memory_order_relaxed) <= l->rank &&
           claim_task(l, &task)) {
        l->fn(l->arg, task, index);
    }
    cuzk_cpu_limit(before);
}

/* Waits as the constants say while there are only lesser loops; true when a critical one came. */
static bool linger(const cuzk_pool *pool) {
    const uint64_t from_ns = cuzk_wall_ns();
    uint64_t now_ns = from_ns;
    int top = atomic_load(&pool->top);
    while (top != NO_RANK && top < CRITICAL_RANK && now_ns - from_ns < LINGER_MOST_NS &&
           (atomic_load(&pool->n_critical) > 0 ||
            now_ns < atomic_load(&pool->critical_ended_ns) + LINGER_NS)) {
        for (int i = 0; i < SPINS; i++) {
            relax();
        }
        sched_yield(); /* the caller may need this CPU */
        now_ns = cuzk_wall_ns();
        top = atomic_load(&pool->top);
    }
    return top >= CRITICAL_RANK;
}

static void *worker_main(void *arg) {
    worker *self = arg;
    cuzk_pool *pool = self->pool;
    bool lingers = false;
    this_worker = self;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->ending) {
        loop *l = list_first(pool);
        if (lingers && l != NULL && l->rank < CRITICAL_RANK) {
            worker *others[WAKE_FANOUT]; /* who wait for this loop need not wait too */
            unsigned n_others = pop_idle(pool, others, WAKE_FANOUT);
            pthread_mutex_unlock(&pool->mutex);
            wake(others, n_others);
            lingers = linger(pool);
            pthread_mutex_lock(&pool->mutex);
            continue;
        }
        if (l == NULL) {
            self->below = pool->idle;
            pool->idle = self;
            pthread_mutex_unlock(&pool->mutex);
            wait_for(&self->wake);
            pthread_mutex_lock(&pool->mutex);
            continue;
        }
        l->n_attached++;
        lingers = l->rank >= CRITICAL_RANK;
        size_t next = atomic_load(&l->next);
        size_t n_left = l->after != NULL    ? WAKE_FANOUT
                        : next < l->n_tasks ? l->n_tasks - next - 1
                                            : 0;
        worker *popped[WAKE_FANOUT];
        unsigned n_popped = pop_idle(pool, popped, n_left);
        pthread_mutex_unlock(&pool->mutex);
        wake(popped, n_popped);
        const uint64_t from_ns = l->cpu_ns != NULL ? cuzk_thread_cpu_ns() : 0;
        serve(pool, l, self->index);
        if (l->cpu_ns != NULL) {
            atomic_fetch_add(l->cpu_ns, cuzk_thread_cpu_ns() - from_ns);
        }
        pthread_mutex_lock(&pool->mutex);
        if (attached_leave(pool, l)) {
            /* Under the mutex: a caller that finds its loop complete there may end it at once. */
            sem_post(&l->ended);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static unsigned cpus_of_process(void) {
    /* Room for more CPUs than MAX_WORKERS: the call fails when the set is smaller than the
     * system's. */
    size_t len_bytes = CPU_ALLOC_SIZE(1 << 16);
    cpu_set_t *set = CPU_ALLOC(1 << 16);
    if (set == NULL) {
        return 1;
    }
    int n = sched_getaffinity(0, len_bytes, set) == 0 ? CPU_COUNT_S(len_bytes, set) : 1;
    CPU_FREE(set);
    return n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : (unsigned)n;
}

cuzk_status cuzk_pool_create(cuzk_pool **pool, unsigned n_workers, cuzk_error *err) {
    *pool = NULL;
    if (n_workers > MAX_WORKERS) {
        return cuzk_fail(err, CUZK_E_RANGE, "%u threads wanted, at most %d are possible", n_workers,
                         MAX_WORKERS);
    }
    unsigned wanted = n_workers == 0 ? cpus_of_process() : n_workers;
    cuzk_pool *p = calloc(1, sizeof *p + wanted * sizeof p->workers[0]);
    if (p == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a thread pool");
    }
    pthread_mutex_init(&p->mutex, NULL);
    atomic_init(&p->top, NO_RANK);
    atomic_init(&p->n_critical, 0);
    atomic_init(&p->critical_ended_ns, 0);
    for (unsigned i = 0; i < wanted; i++) {
        worker *w = &p->workers[i];
        w->pool = p;
        w->index = i;
        sem_init(&w->wake, 0, 0);
        int result = cuzk_thread_start(&w->thread, worker_main, w);
        if (result != 0) {
            sem_destroy(&w->wake);
            cuzk_pool_destroy(p);
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "cannot start thread %u of %u: %s", i + 1,
                             wanted, strerror(result));
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
    worker *popped[WAKE_FANOUT];
    unsigned n;
    while ((n = pop_idle(pool, popped, WAKE_FANOUT)) > 0) {
        wake(popped, n);
    }
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->n_workers; i++) {
        pthread_join(pool->workers[i].thread, NULL);
        sem_destroy(&pool->workers[i].wake);
    }
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned cuzk_ctx_workers(const cuzk_ctx *ctx) {
    return ctx->pool == NULL ? 1 : ctx->pool->n_workers;
}

static cuzk_status fail_cancelled(cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
}

/* Without a pool: every task on the calling thread. */
static cuzk_status run_inline(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                              cuzk_error *err) {
    for (size_t i = 0; i < n_tasks; i++) {
        if (cuzk_ctx_cancelled(ctx)) {
            return fail_cancelled(err);
        }
        fn(arg, i, 0);
    }
    return CUZK_OK;
}

/* false after CANCEL_PERIOD_NS. */
static bool wait_ended_or_period(loop *l) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += CANCEL_PERIOD_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    while (sem_clockwait(&l->ended, CLOCK_MONOTONIC, &until) != 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Sleeps until the loop is complete. A cancelled loop is closed from here, so that it need not wait
 * until workers come back from loops of higher priority. */
static void wait_complete(cuzk_pool *pool, loop *l) {
    if (l->cancel == NULL && l->cancel_too == NULL) {
        wait_for(&l->ended);
        return;
    }
    if (spin_for(&l->ended)) {
        return;
    }
    while (!wait_ended_or_period(l) && !is_cancelled(l)) {
    }
    loop_close(l);
    /* The mutex also makes what the tasks wrote visible to the thread sanitizer, which does not
     * know sem_clockwait. */
    pthread_mutex_lock(&pool->mutex);
    list_remove(pool, l);
    bool complete = l->n_attached == 0;
    pthread_mutex_unlock(&pool->mutex);
    if (!complete) {
        wait_for(&l->ended);
    }
}

static cuzk_cpu_level current_limit(void) {
    const cuzk_cpu_level limit = cuzk_cpu_limit(CUZK_CPU_LEVELS);
    cuzk_cpu_limit(limit);
    return limit;
}

cuzk_status cuzk_pool_run(const cuzk_ctx *ctx, size_t n_tasks, cuzk_task_fn fn, void *arg,
                          cuzk_error *err) {
    cuzk_pool *pool = ctx->pool;
    if (pool == NULL) {
        return run_inline(ctx, n_tasks, fn, arg, err);
    }
    if (n_tasks == 0) {
        return CUZK_OK;
    }
    CUZK_ASSERT(n_tasks <= SIZE_MAX / 2);
    bool takes_part = this_worker != NULL && this_worker->pool == pool;
    bool is_critical = ctx->priority == CUZK_CRITICAL;
    loop l = {.fn = fn,
              .arg = arg,
              .n_tasks = n_tasks,
              .rank = 2 * (int)ctx->priority + (ctx->goes_first ? 1 : 0),
              .limit = current_limit(),
              .cancel = ctx->cancel,
              .cancel_too = ctx->cancel_too,
              .cpu_ns = ctx->cpu_ns,
              .n_attached = takes_part ? 1 : 0};
    atomic_init(&l.next, 0);
    atomic_init(&l.cut, false);
    sem_init(&l.ended, 0, 0);
    if (is_critical) {
        atomic_fetch_add(&pool->n_critical, 1);
    }
    worker *popped[WAKE_FANOUT];
    pthread_mutex_lock(&pool->mutex);
    list_insert(pool, &l);
    unsigned n_popped = pop_idle(pool, popped, takes_part ? n_tasks - 1 : n_tasks);
    pthread_mutex_unlock(&pool->mutex);
    wake(popped, n_popped);
    bool complete = false;
    if (takes_part) {
        size_t task;
        while (claim_task(&l, &task)) {
            fn(arg, task, this_worker->index);
        }
        pthread_mutex_lock(&pool->mutex);
        complete = attached_leave(pool, &l);
        pthread_mutex_unlock(&pool->mutex);
    }
    if (!complete) {
        wait_complete(pool, &l);
    }
    sem_destroy(&l.ended);
    if (is_critical) {
        atomic_store(&pool->critical_ended_ns, cuzk_wall_ns());
        atomic_fetch_sub(&pool->n_critical, 1);
    }
    return atomic_load(&l.cut) ? fail_cancelled(err) : CUZK_OK;
}
