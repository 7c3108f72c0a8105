/* LABELS: tsan */
/* Calls that wait for jobs: the end, a time limit, clients that go, before and after; and all of it
 * at once from many threads. */
#include "server/waits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "support/support.h"

/* ---- a transport without a network ---- */

typedef struct fake_call {
    rpc_call base; /* first */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool gone, ended;
    void (*gone_fn)(void *arg);
    void *gone_arg;
    int code;         /* of the failure; 0: a reply */
    char reply[1024]; /* or the text of the failure */
} fake_call;

static void end_call(fake_call *c, int code, const char *text, size_t len_bytes) {
    pthread_mutex_lock(&c->mutex);
    assert_false(c->ended);
    c->ended = true;
    c->code = code;
    memcpy(c->reply, text, len_bytes);
    c->reply[len_bytes] = 0;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

static void fake_reply(rpc_call *call, const uint8_t *data, size_t len_bytes) {
    end_call((fake_call *)call, 0, (const char *)data, len_bytes);
}

static void fake_fail(rpc_call *call, rpc_code code, const char *text) {
    end_call((fake_call *)call, (int)code, text, strlen(text));
}

static bool fake_on_gone(rpc_call *call, void (*fn)(void *arg), void *arg) {
    fake_call *c = (fake_call *)call;
    pthread_mutex_lock(&c->mutex);
    bool here = !c->gone;
    c->gone_fn = fn;
    c->gone_arg = arg;
    pthread_mutex_unlock(&c->mutex);
    return here;
}

static void init_call(fake_call *c) {
    static const rpc_transport transport = {
        .reply = fake_reply, .fail = fake_fail, .on_gone = fake_on_gone};
    *c = (fake_call){.base.transport = &transport};
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->changed, NULL);
}

static void clear_call(fake_call *c) {
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->mutex);
}

static void go(fake_call *c) {
    pthread_mutex_lock(&c->mutex);
    c->gone = true;
    if (c->gone_fn != NULL && !c->ended) {
        c->gone_fn(c->gone_arg);
    }
    pthread_mutex_unlock(&c->mutex);
}

static void expect(fake_call *c, int code, const char *text) {
    pthread_mutex_lock(&c->mutex);
    while (!c->ended) {
        pthread_cond_wait(&c->changed, &c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
    assert_int_equal(c->code, code);
    assert_string_equal(c->reply, text);
}

/* ---- an engine whose jobs end when they are told to ---- */

typedef struct world {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool open;
    engine_work work;
    budget *budget;
    engine *engine;
    waits *waits;
} world;

static cuzk_status fake_open(void *arg, void **opened, const cuzk_ctx *ctx,
                             const cuzk_request *request, cuzk_error *err) {
    (void)ctx, (void)err;
    *opened = arg;
    if (request->sector_number == 13) {
        return cuzk_fail(err, CUZK_E_INPUT, "as it was told");
    }
    return CUZK_OK;
}

static cuzk_status fake_load(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                             cuzk_error *err) {
    (void)arg, (void)ctx, (void)opened, (void)err;
    *plan = (work_plan){.n_partitions = 1, .partition_bytes = 1};
    return CUZK_OK;
}

static cuzk_status fake_synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                                   unsigned partition, cuzk_error *err) {
    (void)ctx, (void)opened, (void)partition, (void)err;
    *witness = arg;
    return CUZK_OK;
}

/* Waits for the world to open; cancelling opens nothing. */
static cuzk_status fake_prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                              const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                              bool last_attempt, cuzk_error *err) {
    (void)timing;
    (void)ctx, (void)opened, (void)witness, (void)partition, (void)last_attempt, (void)err;
    world *w = arg;
    memset(proof, 'p', GROTH16_PROOF_BYTES);
    pthread_mutex_lock(&w->mutex);
    while (!w->open) {
        pthread_cond_wait(&w->changed, &w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
    return CUZK_OK;
}

static cuzk_status fake_verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                               const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    (void)arg, (void)ctx, (void)opened, (void)partition, (void)proof, (void)err;
    return CUZK_OK;
}

static void fake_end(void *arg, void *thing) { (void)arg, (void)thing; }

static void set_open(world *w, bool open) {
    pthread_mutex_lock(&w->mutex);
    w->open = open;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

static world *start_world(bool open) {
    world *w = calloc(1, sizeof *w);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->open = open;
    w->work = (engine_work){.arg = w,
                            .open = fake_open,
                            .load = fake_load,
                            .synthesise = fake_synthesise,
                            .prove = fake_prove,
                            .verify = fake_verify,
                            .drop = fake_end,
                            .close = fake_end};
    const budget_options memory = {.total_bytes = 100};
    assert_int_equal(cuzk_budget_create(&w->budget, &memory, NULL), CUZK_OK);
    engine_options options;
    cuzk_core_options_init(&options);
    options.budget = w->budget;
    options.work = &w->work;
    assert_int_equal(cuzk_core_create(&w->engine, &options, NULL), CUZK_OK);
    assert_int_equal(cuzk_waits_create(&w->waits, w->engine, NULL), CUZK_OK);
    return w;
}

static void end_world(world *w) {
    set_open(w, true);
    cuzk_waits_destroy(w->waits);
    cuzk_core_destroy(w->engine);
    cuzk_budget_destroy(w->budget);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

static cuzk_status submit(world *w, const char *id, uint64_t sector, job_waiter *waiter,
                          cuzk_error *err) {
    cuzk_request *request = malloc(sizeof *request);
    *request = (cuzk_request){.kind = CUZK_POREP, .sector_number = sector};
    const engine_submission submission = {.request_id = id,
                                          .priority = CUZK_NORMAL,
                                          .keeps_going = true,
                                          .request = request,
                                          .release = free,
                                          .owner = request,
                                          .waiter = waiter};
    engine_receipt receipt;
    return cuzk_core_submit(w->engine, &receipt, &submission, err);
}

static void answer(rpc_call *call, const char *job_id, const engine_outcome *outcome) {
    char text[900];
    size_t len = (size_t)snprintf(text, sizeof text, "%s %s %zu %s", job_id,
                                  outcome == NULL                   ? "timeout"
                                  : outcome->state == JOB_COMPLETED ? "completed"
                                  : outcome->state == JOB_FAILED    ? "failed"
                                                                    : "cancelled",
                                  outcome != NULL ? outcome->proof_bytes : 0,
                                  outcome != NULL ? outcome->error.text : "");
    rpc_reply(call, (const uint8_t *)text, len);
}

static void wait_for(world *w, fake_call *c, const char *id, uint64_t timeout_ns) {
    call_wait *wait;
    init_call(c);
    assert_int_equal(cuzk_wait_prepare(&wait, w->waits, &c->base, answer, NULL), CUZK_OK);
    assert_int_equal(cuzk_core_watch(w->engine, cuzk_wait_waiter(wait), id, NULL), CUZK_OK);
    cuzk_wait_start(wait, id, timeout_ns);
}

/* ---- one at a time ---- */

static void ends_are_told(void **state) {
    (void)state;
    world *w = start_world(false);
    fake_call first, second, third;
    call_wait *wait;
    init_call(&first);
    assert_int_equal(cuzk_wait_prepare(&wait, w->waits, &first.base, answer, NULL), CUZK_OK);
    assert_int_equal(submit(w, "job", 1, cuzk_wait_waiter(wait), NULL), CUZK_OK);
    cuzk_wait_start(wait, "job", CLOCK_NEVER);
    wait_for(w, &second, "job", CLOCK_NEVER);
    set_open(w, true);
    expect(&first, 0, "job completed 192 ");
    expect(&second, 0, "job completed 192 ");
    wait_for(w, &third, "job", 0); /* it has ended: no time is needed */
    expect(&third, 0, "job completed 192 ");
    clear_call(&third);
    assert_int_equal(submit(w, "other", 13, NULL, NULL), CUZK_OK);
    wait_for(w, &third, "other", CLOCK_NEVER);
    expect(&third, 0, "other failed 0 as it was told");
    clear_call(&first);
    clear_call(&second);
    clear_call(&third);
    end_world(w);
}

static void time_limits_pass(void **state) {
    (void)state;
    world *w = start_world(false);
    fake_call first, second;
    assert_int_equal(submit(w, "job", 1, NULL, NULL), CUZK_OK);
    wait_for(w, &first, "job", NS_PER_MS);
    wait_for(w, &second, "job", CLOCK_NEVER);
    expect(&first, 0, "job timeout 0 ");
    set_open(w, true);
    expect(&second, 0, "job completed 192 ");
    clear_call(&first);
    clear_call(&second);
    end_world(w);
}

static void clients_go(void **state) {
    (void)state;
    world *w = start_world(false);
    fake_call early, late, other;
    call_wait *wait;
    init_call(&early);
    go(&early);
    assert_int_equal(cuzk_wait_prepare(&wait, w->waits, &early.base, answer, NULL), CUZK_OK);
    assert_null(wait);
    expect(&early, RPC_CANCELLED, "the client has gone away");
    assert_int_equal(submit(w, "job", 1, NULL, NULL), CUZK_OK);
    wait_for(w, &late, "job", CLOCK_NEVER);
    wait_for(w, &other, "job", CLOCK_NEVER);
    go(&late);
    expect(&late, RPC_CANCELLED, "the client has gone away");
    set_open(w, true);
    expect(&other, 0, "job completed 192 ");
    go(&other); /* too late for anybody to care */
    clear_call(&early);
    clear_call(&late);
    clear_call(&other);
    end_world(w);
}

static void abandoned_waits_fail(void **state) {
    (void)state;
    world *w = start_world(true);
    fake_call c;
    call_wait *wait;
    init_call(&c);
    assert_int_equal(cuzk_wait_prepare(&wait, w->waits, &c.base, answer, NULL), CUZK_OK);
    assert_int_equal(cuzk_core_watch(w->engine, cuzk_wait_waiter(wait), "nobody", NULL),
                     CUZK_E_INPUT);
    cuzk_wait_abandon(wait, RPC_NOT_FOUND, "job not found: nobody");
    expect(&c, RPC_NOT_FOUND, "job not found: nobody");
    go(&c);
    clear_call(&c);
    end_world(w);
}

static void shutdown_turns_away(void **state) {
    (void)state;
    world *w = start_world(false);
    fake_call calls[8];
    char id[16];
    for (size_t i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "job-%zu", i);
        assert_int_equal(submit(w, id, i, NULL, NULL), CUZK_OK);
        wait_for(w, &calls[i], id, CLOCK_NEVER);
    }
    cuzk_core_cancel(w->engine, "job-7", &(bool){false});
    expect(&calls[7], 0, "job-7 cancelled 0 cancelled");
    set_open(w, true);
    cuzk_core_shutdown(w->engine, 0);
    for (size_t i = 0; i < 8; i++) {
        pthread_mutex_lock(&calls[i].mutex);
        while (!calls[i].ended) {
            pthread_cond_wait(&calls[i].changed, &calls[i].mutex);
        }
        pthread_mutex_unlock(&calls[i].mutex);
        assert_true(calls[i].code == 0 || calls[i].code == RPC_UNAVAILABLE);
        clear_call(&calls[i]);
    }
    end_world(w);
}

/* ---- at once ---- */

#define N_THREADS 4
#define N_ROUNDS 100

typedef struct crowd {
    world *world;
    unsigned number;
} crowd;

static void *run_crowd(void *arg) {
    const crowd *c = arg;
    char id[32];
    for (unsigned i = 0; i < N_ROUNDS; i++) {
        fake_call call;
        call_wait *wait;
        init_call(&call);
        snprintf(id, sizeof id, "job-%u-%u", c->number, i);
        CUZK_ASSERT(cuzk_wait_prepare(&wait, c->world->waits, &call.base, answer, NULL) == CUZK_OK);
        if (i % 5 == 4) {
            go(&call); /* before the engine has it */
        }
        CUZK_ASSERT(submit(c->world, id, c->number, cuzk_wait_waiter(wait), NULL) == CUZK_OK);
        cuzk_wait_start(wait, id, i % 3 == 0 ? NS_PER_MS / 50 : CLOCK_NEVER);
        if (i % 4 == 1) {
            bool was_running;
            cuzk_core_cancel(c->world->engine, id, &was_running);
        } else if (i % 4 == 2) {
            go(&call);
        }
        pthread_mutex_lock(&call.mutex);
        while (!call.ended) {
            pthread_cond_wait(&call.changed, &call.mutex);
        }
        pthread_mutex_unlock(&call.mutex);
        CUZK_ASSERT(call.code == 0 || call.code == RPC_CANCELLED);
        clear_call(&call);
    }
    return NULL;
}

static void each_call_ends_once(void **state) {
    (void)state;
    world *w = start_world(true);
    pthread_t threads[N_THREADS];
    crowd crowds[N_THREADS];
    for (unsigned i = 0; i < N_THREADS; i++) {
        crowds[i] = (crowd){.world = w, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_crowd, &crowds[i]), 0);
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    end_world(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_told),       cmocka_unit_test(time_limits_pass),
        cmocka_unit_test(clients_go),          cmocka_unit_test(abandoned_waits_fail),
        cmocka_unit_test(shutdown_turns_away), cmocka_unit_test(each_call_ends_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
