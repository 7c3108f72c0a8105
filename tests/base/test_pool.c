/* LABELS: tsan */
/* The thread pool: every task once, worker indices, nesting, callers at once, priorities,
 * cancellation. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "support/support.h"

#define MAX_TASKS 2000

static cuzk_pool *make_pool(unsigned n) {
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, n, NULL), CUZK_OK);
    return pool;
}

static void sleep_ms(unsigned ms) {
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

/* Counts runs of each task, and users of each worker index. */
typedef struct counts {
    const cuzk_ctx *ctx;
    atomic_uint runs[MAX_TASKS];
    atomic_uint users[64];
    atomic_uint faults;
} counts;

static void count_task(void *arg, size_t index, unsigned worker) {
    counts *c = arg;
    if (worker >= cuzk_ctx_workers(c->ctx) || atomic_fetch_add(&c->users[worker], 1) != 0) {
        atomic_fetch_add(&c->faults, 1);
    }
    atomic_fetch_add(&c->runs[index], 1);
    atomic_fetch_sub(&c->users[worker], 1);
}

static void check_counts(const cuzk_ctx *ctx, size_t n) {
    counts *c = calloc(1, sizeof *c);
    c->ctx = ctx;
    assert_int_equal(cuzk_pool_run(ctx, n, count_task, c, NULL), CUZK_OK);
    for (size_t i = 0; i < MAX_TASKS; i++) {
        assert_int_equal(atomic_load(&c->runs[i]), i < n);
    }
    assert_int_equal(atomic_load(&c->faults), 0);
    free(c);
}

static void every_task_once(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 7, 64, 1999};
    cuzk_ctx alone = {0};
    assert_int_equal(cuzk_ctx_workers(&alone), 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_counts(&alone, sizes[i]);
    }
    for (unsigned workers = 1; workers <= 9; workers += 4) {
        cuzk_ctx ctx = {.pool = make_pool(workers)};
        assert_int_equal(cuzk_ctx_workers(&ctx), workers);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_counts(&ctx, sizes[i]);
        }
        cuzk_pool_destroy(ctx.pool);
    }
    cuzk_pool_destroy(NULL);
}

static void worker_counts(void **state) {
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    cuzk_ctx ctx = {.pool = make_pool(0)};
    assert_int_equal(cuzk_ctx_workers(&ctx), CPU_COUNT(&set));
    cuzk_pool_destroy(ctx.pool);
    cuzk_error err;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 1025, &err), CUZK_E_RANGE);
    assert_null(pool);
}

/* Three loops inside each other, all on one pool; each level checks its worker indices. */
#define LEVELS 3
#define WIDTH 6
typedef struct nest {
    const cuzk_ctx *ctx;
    unsigned depth;
    atomic_uint *leaves;
    atomic_uint *faults;
    atomic_uint users[64];
} nest;

static void nest_task(void *arg, size_t index, unsigned worker) {
    nest *n = arg;
    (void)index;
    if (atomic_fetch_add(&n->users[worker], 1) != 0) {
        atomic_fetch_add(n->faults, 1);
    }
    if (n->depth == LEVELS) {
        atomic_fetch_add(n->leaves, 1);
    } else {
        nest inner = {
            .ctx = n->ctx, .depth = n->depth + 1, .leaves = n->leaves, .faults = n->faults};
        if (cuzk_pool_run(n->ctx, WIDTH, nest_task, &inner, NULL) != CUZK_OK) {
            atomic_fetch_add(n->faults, 1);
        }
    }
    atomic_fetch_sub(&n->users[worker], 1);
}

static void run_nest(const cuzk_ctx *ctx) {
    atomic_uint leaves = 0, faults = 0;
    nest outer = {.ctx = ctx, .depth = 1, .leaves = &leaves, .faults = &faults};
    assert_int_equal(cuzk_pool_run(ctx, WIDTH, nest_task, &outer, NULL), CUZK_OK);
    assert_int_equal(leaves, WIDTH * WIDTH * WIDTH);
    assert_int_equal(faults, 0);
}

static void nested_loops(void **state) {
    (void)state;
    cuzk_ctx alone = {0};
    run_nest(&alone);
    for (unsigned workers = 1; workers <= 5; workers++) {
        cuzk_ctx ctx = {.pool = make_pool(workers)};
        for (int i = 0; i < 5; i++) {
            run_nest(&ctx);
        }
        cuzk_pool_destroy(ctx.pool);
    }
}

/* Many threads, each running flat and nested loops of every priority. */
static void *caller_main(void *arg) {
    cuzk_ctx ctx = {.pool = arg};
    for (int round = 0; round < 20; round++) {
        ctx.priority = (cuzk_priority)(round % 4);
        check_counts(&ctx, 50);
        run_nest(&ctx);
    }
    return NULL;
}

static void many_callers(void **state) {
    (void)state;
    cuzk_pool *pool = make_pool(4);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, caller_main, pool), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
    }
    cuzk_pool_destroy(pool);
}

/* A loop on a second pool from inside a task of the first. */
static void other_pool_task(void *arg, size_t index, unsigned worker) {
    (void)index, (void)worker;
    check_counts(arg, 20);
}

static void two_pools(void **state) {
    (void)state;
    cuzk_ctx first = {.pool = make_pool(2)}, second = {.pool = make_pool(3)};
    assert_int_equal(cuzk_pool_run(&first, 10, other_pool_task, &second, NULL), CUZK_OK);
    cuzk_pool_destroy(first.pool);
    cuzk_pool_destroy(second.pool);
}

/* Priorities: a long loop records how many of its tasks start while a late, more urgent loop has
 * tasks left. */
typedef struct race {
    const cuzk_ctx *ctx;
    atomic_size_t slow_started, urgent_started, overtaken;
    size_t n_urgent;
} race;

static void slow_task(void *arg, size_t index, unsigned worker) {
    race *r = arg;
    (void)index, (void)worker;
    atomic_fetch_add(&r->slow_started, 1);
    size_t urgent = atomic_load(&r->urgent_started);
    if (urgent > 0 && urgent < r->n_urgent) {
        atomic_fetch_add(&r->overtaken, 1);
    }
    sleep_ms(1);
}

static void urgent_task(void *arg, size_t index, unsigned worker) {
    race *r = arg;
    (void)index, (void)worker;
    atomic_fetch_add(&r->urgent_started, 1);
    sleep_ms(1);
}

static void *slow_main(void *arg) {
    race *r = arg;
    assert_int_equal(cuzk_pool_run(r->ctx, 400, slow_task, r, NULL), CUZK_OK);
    return NULL;
}

static void critical_overtakes(void **state) {
    (void)state;
    enum { WORKERS = 4 };
    cuzk_ctx low = {.pool = make_pool(WORKERS), .priority = CUZK_LOW};
    cuzk_ctx critical = {.pool = low.pool, .priority = CUZK_CRITICAL};
    race r = {.ctx = &low, .n_urgent = 40};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, slow_main, &r), 0);
    while (atomic_load(&r.slow_started) < 8) {
        sleep_ms(1);
    }
    assert_int_equal(cuzk_pool_run(&critical, r.n_urgent, urgent_task, &r, NULL), CUZK_OK);
    assert_true(atomic_load(&r.slow_started) < 400);
    /* A worker between its look at the priorities and its next task may start one more. */
    assert_true(atomic_load(&r.overtaken) <= WORKERS);
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&r.slow_started), 400);
    cuzk_pool_destroy(low.pool);
}

/* Order on one worker: while it is held, loops of all priorities queue up. */
typedef struct order {
    cuzk_ctx ctx;
    int name;
    atomic_int *n_done;
    int *done;
    pthread_t thread;
} order;

static void order_task(void *arg, size_t index, unsigned worker) {
    order *o = arg;
    (void)index, (void)worker;
    o->done[atomic_fetch_add(o->n_done, 1)] = o->name;
}

static void *order_main(void *arg) {
    order *o = arg;
    assert_int_equal(cuzk_pool_run(&o->ctx, 2, order_task, o, NULL), CUZK_OK);
    return NULL;
}

static void hold_task(void *arg, size_t index, unsigned worker) {
    (void)index, (void)worker;
    atomic_int *step = arg;
    atomic_store(step, 1);
    while (atomic_load(step) != 2) {
        sleep_ms(1);
    }
}

static void *hold_main(void *arg) {
    cuzk_ctx ctx = {.pool = ((void **)arg)[0], .priority = CUZK_CRITICAL};
    assert_int_equal(cuzk_pool_run(&ctx, 1, hold_task, ((void **)arg)[1], NULL), CUZK_OK);
    return NULL;
}

static void order_of_loops(void **state) {
    (void)state;
    cuzk_pool *pool = make_pool(1);
    atomic_int step = 0, n_done = 0;
    int done[12];
    void *hold_arg[2] = {pool, &step};
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_main, hold_arg), 0);
    while (atomic_load(&step) != 1) {
        sleep_ms(1);
    }
    static const cuzk_priority priorities[6] = {CUZK_LOW,  CUZK_HIGH,     CUZK_NORMAL,
                                                CUZK_HIGH, CUZK_CRITICAL, CUZK_LOW};
    static const int expected[6] = {4, 1, 3, 2, 0, 5};
    order loops[6];
    for (int i = 0; i < 6; i++) {
        loops[i] = (order){.ctx = {.pool = pool, .priority = priorities[i]},
                           .name = i,
                           .n_done = &n_done,
                           .done = done};
        assert_int_equal(pthread_create(&loops[i].thread, NULL, order_main, &loops[i]), 0);
        sleep_ms(20); /* older before younger */
    }
    atomic_store(&step, 2);
    pthread_join(holder, NULL);
    for (int i = 0; i < 6; i++) {
        pthread_join(loops[i].thread, NULL);
    }
    for (int i = 0; i < 12; i++) {
        assert_int_equal(done[i], expected[i / 2]);
    }
    cuzk_pool_destroy(pool);
}

/* Cancellation by task `at`: on one worker exactly the tasks up to it run; on several at most one
 * more each. */
typedef struct cut {
    cuzk_cancel cancel;
    size_t at;
    atomic_size_t n_started, n_ended;
} cut;

static void cut_task(void *arg, size_t index, unsigned worker) {
    cut *c = arg;
    (void)worker;
    atomic_fetch_add(&c->n_started, 1);
    if (index == c->at) {
        cuzk_cancel_set(&c->cancel);
    }
    atomic_fetch_add(&c->n_ended, 1);
}

static void cancelled_at_every_task(void **state) {
    (void)state;
    enum { TASKS = 25 };
    for (unsigned workers = 0; workers <= 4; workers++) {
        cuzk_pool *pool = workers == 0 ? NULL : make_pool(workers);
        for (size_t at = 0; at <= TASKS; at++) {
            cut c = {.at = at};
            cuzk_ctx ctx = {.pool = pool, .cancel = &c.cancel};
            cuzk_error err;
            cuzk_status status = cuzk_pool_run(&ctx, TASKS, cut_task, &c, &err);
            size_t started = atomic_load(&c.n_started);
            assert_int_equal(started, atomic_load(&c.n_ended));
            assert_int_equal(status, started == TASKS ? CUZK_OK : CUZK_E_CANCELLED);
            if (workers <= 1) {
                assert_int_equal(started, at < TASKS ? at + 1 : TASKS);
            }
            if (status != CUZK_OK) {
                assert_int_equal(err.status, CUZK_E_CANCELLED);
                /* Nothing starts any more. */
                assert_int_equal(cuzk_pool_run(&ctx, TASKS, cut_task, &c, NULL), CUZK_E_CANCELLED);
                assert_int_equal(started, atomic_load(&c.n_started));
            }
        }
        cuzk_pool_destroy(pool);
    }
}

/* An inner loop is cancelled; the outer one, with another flag, is not. */
static void inner_cut_task(void *arg, size_t index, unsigned worker) {
    (void)worker;
    cuzk_ctx ctx = *(const cuzk_ctx *)arg;
    cut c = {.at = index};
    ctx.cancel = &c.cancel;
    cuzk_pool_run(&ctx, 10, cut_task, &c, NULL);
}

static void inner_cancellation_stays_inside(void **state) {
    (void)state;
    cuzk_ctx ctx = {.pool = make_pool(3)};
    for (int i = 0; i < 20; i++) {
        assert_int_equal(cuzk_pool_run(&ctx, 10, inner_cut_task, &ctx, NULL), CUZK_OK);
    }
    cuzk_pool_destroy(ctx.pool);
}

/* A cancelled loop returns although all workers are busy with a more urgent one. */
static void cancelled_while_overtaken(void **state) {
    (void)state;
    cuzk_pool *pool = make_pool(1);
    atomic_int step = 0;
    void *hold_arg[2] = {pool, &step};
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_main, hold_arg), 0);
    while (atomic_load(&step) != 1) {
        sleep_ms(1);
    }
    cut c = {.at = SIZE_MAX};
    cuzk_cancel_set(&c.cancel);
    cuzk_ctx ctx = {.pool = pool, .cancel = &c.cancel};
    assert_int_equal(cuzk_pool_run(&ctx, 5, cut_task, &c, NULL), CUZK_E_CANCELLED);
    assert_int_equal(atomic_load(&c.n_started), 0);
    assert_int_equal(atomic_load(&step), 1);
    atomic_store(&step, 2);
    pthread_join(holder, NULL);
    cuzk_pool_destroy(pool);
}

static void create_and_destroy(void **state) {
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        cuzk_ctx ctx = {.pool = make_pool(1 + i % 6)};
        if (i % 3 != 0) {
            check_counts(&ctx, i);
        }
        cuzk_pool_destroy(ctx.pool);
    }
}

/* A caller's limit of the level of kernels is that of its tasks, also inside, and of no others. */
typedef struct level_check {
    const cuzk_ctx *ctx;
    cuzk_cpu_level expected;
    atomic_uint n_wrong;
    bool inner;
} level_check;

static void level_task(void *arg, size_t index, unsigned worker) {
    level_check *c = arg;
    (void)index;
    (void)worker;
    atomic_fetch_add(&c->n_wrong, cuzk_cpu_level_now() != c->expected);
    if (!c->inner) {
        level_check inner = {.ctx = c->ctx, .expected = c->expected, .inner = true};
        atomic_init(&inner.n_wrong, 0);
        assert_int_equal(cuzk_pool_run(c->ctx, 4, level_task, &inner, NULL), CUZK_OK);
        atomic_fetch_add(&c->n_wrong, atomic_load(&inner.n_wrong));
    }
}

static void level_limit_goes_with_tasks(void **state) {
    (void)state;
    const cuzk_cpu_level full = cuzk_cpu_level_now();
    cuzk_pool *pool = make_pool(3);
    const cuzk_ctx ctx = {.pool = pool};
    for (int round = 0; round < 20; round++) {
        level_check c = {.ctx = &ctx, .expected = round % 2 == 0 ? CUZK_CPU_PORTABLE : full};
        atomic_init(&c.n_wrong, 0);
        const cuzk_cpu_level before =
            cuzk_cpu_limit(round % 2 == 0 ? CUZK_CPU_PORTABLE : CUZK_CPU_LEVELS);
        assert_int_equal(cuzk_pool_run(&ctx, 50, level_task, &c, NULL), CUZK_OK);
        cuzk_cpu_limit(before);
        assert_int_equal(atomic_load(&c.n_wrong), 0);
    }
    assert_int_equal(cuzk_cpu_level_now(), full);
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(worker_counts),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(many_callers),
        cmocka_unit_test(two_pools),
        cmocka_unit_test(critical_overtakes),
        cmocka_unit_test(order_of_loops),
        cmocka_unit_test(cancelled_at_every_task),
        cmocka_unit_test(inner_cancellation_stays_inside),
        cmocka_unit_test(cancelled_while_overtaken),
        cmocka_unit_test(level_limit_goes_with_tasks),
        cmocka_unit_test(create_and_destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
