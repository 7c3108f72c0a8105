/* LABELS: tsan */
/* The engine with made-up work: overlap, urgency, identity, retries, failures, memory,
 * cancellation, draining; and many jobs with faults from many threads. */
#include "engine/engine.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "support/support.h"

#define SECOND ((uint64_t)1000000000)
#define MINUTE (60 * SECOND)

/* ---- made-up work ---- */

enum stage { OPEN, LOAD, SYNTHESISE, PROVE, VERIFY, N_STAGES };
#define NO_PARTITION UINT32_MAX

/* A request's only input. Its bytes are hashed: start from zeroes. */
typedef struct script {
    uint32_t number; /* tells requests apart */
    uint32_t n_partitions, lookahead;
    uint64_t partition_bytes;
    uint32_t bad_partition, n_bad; /* its first n_bad proofs are bad */
    uint32_t failing_stage;        /* fails, in the last partition; 0 (OPEN) if `fails` */
    uint32_t fails;                /* cuzk_status */
} script;

#define MAX_SCRIPTS 64
#define MAX_EVENTS 4096

/* What happened, and what may not go on. */
#define MAX_STORED 8
typedef struct world {
    pthread_mutex_t mutex;
    bool stored[MAX_STORED]; /* partitions, of whatever job */
    uint8_t stored_proofs[MAX_STORED][GROTH16_PROOF_BYTES];
    unsigned n_forgotten;
    pthread_cond_t changed;
    bool closed[N_STAGES][MAX_SCRIPTS]; /* a stage of that number waits */
    bool deaf;                          /* and does not look whether it is cancelled */
    unsigned entered[N_STAGES][MAX_SCRIPTS];
    struct {
        enum stage stage;
        uint32_t number, partition;
    } events[MAX_EVENTS];
    unsigned n_events;
    unsigned n_witnesses, max_witnesses, n_opened, n_last_attempts;
    _Atomic uint64_t now_ns;
    engine_work work;
    budget *budget;
    engine *engine;
    engine_options options;
} world;

typedef struct fake_witness {
    cuzk_account *account;
    size_t len_bytes;
} fake_witness;

typedef struct fake_job {
    script s;
    unsigned n_bad_left;
} fake_job;

/* Records the stage and waits while it is closed. */
static cuzk_status enter(world *w, enum stage stage, const script *s, uint32_t partition,
                         const cuzk_ctx *ctx, cuzk_error *err) {
    pthread_mutex_lock(&w->mutex);
    if (w->n_events < MAX_EVENTS) {
        w->events[w->n_events].stage = stage;
        w->events[w->n_events].number = s->number;
        w->events[w->n_events++].partition = partition;
    }
    w->entered[stage][s->number]++;
    pthread_cond_broadcast(&w->changed);
    while (w->closed[stage][s->number] && (w->deaf || !cuzk_ctx_cancelled(ctx))) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 2000000;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&w->changed, &w->mutex, &t);
    }
    pthread_mutex_unlock(&w->mutex);
    if (cuzk_ctx_cancelled(ctx)) {
        return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
    }
    if (s->fails != 0 && s->failing_stage == stage &&
        (partition == NO_PARTITION || partition + 1 == s->n_partitions)) {
        return cuzk_fail(err, (cuzk_status)s->fails, "as the script says");
    }
    return CUZK_OK;
}

static cuzk_status fake_open(void *arg, void **opened, const cuzk_ctx *ctx,
                             const cuzk_request *request, cuzk_error *err) {
    world *w = arg;
    fake_job *j = calloc(1, sizeof *j);
    memcpy(&j->s, request->inputs[0].data, sizeof j->s);
    j->n_bad_left = j->s.n_bad;
    cuzk_status status = enter(w, OPEN, &j->s, NO_PARTITION, ctx, err);
    if (status != CUZK_OK) {
        free(j);
        return status;
    }
    pthread_mutex_lock(&w->mutex);
    w->n_opened++;
    pthread_mutex_unlock(&w->mutex);
    *opened = j;
    return CUZK_OK;
}

static cuzk_status fake_load(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                             cuzk_error *err) {
    const script *s = &((fake_job *)opened)->s;
    *plan = (work_plan){.n_partitions = s->n_partitions,
                        .partition_bytes = s->partition_bytes,
                        .lookahead = s->lookahead};
    return enter(arg, LOAD, s, NO_PARTITION, ctx, err);
}

static cuzk_status fake_synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                                   unsigned partition, cuzk_error *err) {
    world *w = arg;
    const script *s = &((fake_job *)opened)->s;
    cuzk_status status = enter(w, SYNTHESISE, s, partition, ctx, err);
    if (status == CUZK_OK) {
        status = cuzk_account_reserve(ctx->account, s->partition_bytes, "witness", err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    fake_witness *made = calloc(1, sizeof *made);
    *made = (fake_witness){.account = ctx->account, .len_bytes = s->partition_bytes};
    *witness = made;
    pthread_mutex_lock(&w->mutex);
    w->n_witnesses++;
    w->max_witnesses = w->n_witnesses > w->max_witnesses ? w->n_witnesses : w->max_witnesses;
    pthread_mutex_unlock(&w->mutex);
    return CUZK_OK;
}

static void fake_drop(void *arg, void *witness) {
    world *w = arg;
    fake_witness *made = witness;
    cuzk_account_release(made->account, made->len_bytes);
    free(made);
    pthread_mutex_lock(&w->mutex);
    w->n_witnesses--;
    pthread_mutex_unlock(&w->mutex);
}

static uint8_t proof_byte(const script *s, unsigned partition) {
    return (uint8_t)(16 * s->number + partition + 1);
}

#define PROOF_NS 7 /* that a made-up proof says it took */

static cuzk_status fake_prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                              const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                              bool last_attempt, cuzk_error *err) {
    timing->assemble.wall_ns = PROOF_NS;
    world *w = arg;
    fake_job *j = opened;
    (void)witness;
    cuzk_status status = enter(w, PROVE, &j->s, partition, ctx, err);
    memset(proof, proof_byte(&j->s, partition), GROTH16_PROOF_BYTES);
    pthread_mutex_lock(&w->mutex);
    w->n_last_attempts += last_attempt;
    if (partition == j->s.bad_partition && j->n_bad_left != 0) {
        j->n_bad_left--;
        proof[100] ^= 1;
    }
    pthread_mutex_unlock(&w->mutex);
    return status;
}

static cuzk_status fake_verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                               const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    const script *s = &((fake_job *)opened)->s;
    cuzk_status status = enter(arg, VERIFY, s, partition, ctx, err);
    for (size_t i = 0; status == CUZK_OK && i < GROTH16_PROOF_BYTES; i++) {
        if (proof[i] != proof_byte(s, partition)) {
            status = cuzk_fail(err, CUZK_E_PROOF_INVALID, "the pairing is not one");
        }
    }
    return status;
}

static void fake_close(void *arg, void *opened) {
    world *w = arg;
    free(opened);
    pthread_mutex_lock(&w->mutex);
    w->n_opened--;
    pthread_mutex_unlock(&w->mutex);
}

static bool fake_recall(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], void *opened,
                        const uint8_t *job_digest, unsigned partition) {
    (void)opened, (void)job_digest;
    world *w = arg;
    pthread_mutex_lock(&w->mutex);
    const bool found = w->stored[partition];
    memcpy(proof, w->stored_proofs[partition], GROTH16_PROOF_BYTES);
    pthread_mutex_unlock(&w->mutex);
    return found;
}

static void fake_keep(void *arg, void *opened, const uint8_t *job_digest, unsigned partition,
                      const uint8_t proof[GROTH16_PROOF_BYTES]) {
    (void)opened, (void)job_digest;
    world *w = arg;
    pthread_mutex_lock(&w->mutex);
    w->stored[partition] = true;
    memcpy(w->stored_proofs[partition], proof, GROTH16_PROOF_BYTES);
    pthread_mutex_unlock(&w->mutex);
}

static void fake_forget(void *arg, void *opened, const uint8_t *job_digest, unsigned partition) {
    (void)opened, (void)job_digest;
    world *w = arg;
    pthread_mutex_lock(&w->mutex);
    w->n_forgotten += w->stored[partition];
    w->stored[partition] = false;
    pthread_mutex_unlock(&w->mutex);
}

static bool fake_resident(void *arg, const cuzk_request *request) {
    (void)arg;
    return request->kind == CUZK_SNAP;
}

static uint64_t fake_now(void *arg) { return atomic_load((_Atomic uint64_t *)arg); }

/* ---- engines ---- */

#define BUDGET_BYTES 1000
#define CRITICAL_BYTES 100

static world *make_world(void) {
    world *w = calloc(1, sizeof *w);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->now_ns = SECOND;
    w->work = (engine_work){.arg = w,
                            .resident = fake_resident,
                            .open = fake_open,
                            .load = fake_load,
                            .synthesise = fake_synthesise,
                            .prove = fake_prove,
                            .verify = fake_verify,
                            .drop = fake_drop,
                            .close = fake_close};
    const budget_options b = {.total_bytes = BUDGET_BYTES, .critical_bytes = CRITICAL_BYTES};
    assert_int_equal(cuzk_budget_create(&w->budget, &b, NULL), CUZK_OK);
    cuzk_core_options_init(&w->options);
    w->options.budget = w->budget;
    w->options.work = &w->work;
    w->options.now_ns = fake_now;
    w->options.clock_arg = &w->now_ns;
    return w;
}

static void start(world *w) {
    assert_int_equal(cuzk_core_create(&w->engine, &w->options, NULL), CUZK_OK);
}

static world *start_world(void) {
    world *w = make_world();
    start(w);
    return w;
}

static void end_world(world *w) {
    cuzk_core_destroy(w->engine);
    assert_int_equal(w->n_witnesses, 0);
    assert_int_equal(w->n_opened, 0);
    assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
    cuzk_budget_destroy(w->budget);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

static void set_gate(world *w, enum stage stage, uint32_t number, bool closed) {
    pthread_mutex_lock(&w->mutex);
    w->closed[stage][number] = closed;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

static void wait_entered(world *w, enum stage stage, uint32_t number, unsigned n) {
    pthread_mutex_lock(&w->mutex);
    while (w->entered[stage][number] < n) {
        pthread_cond_wait(&w->changed, &w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
}

static unsigned n_entered(world *w, enum stage stage, uint32_t number) {
    pthread_mutex_lock(&w->mutex);
    unsigned n = w->entered[stage][number];
    pthread_mutex_unlock(&w->mutex);
    return n;
}

/* Index of the first such event; asserts that there is one. */
static unsigned event_index(world *w, enum stage stage, uint32_t number, uint32_t partition) {
    pthread_mutex_lock(&w->mutex);
    unsigned i = 0;
    while (i < w->n_events && (w->events[i].stage != stage || w->events[i].number != number ||
                               w->events[i].partition != partition)) {
        i++;
    }
    bool found = i < w->n_events;
    pthread_mutex_unlock(&w->mutex);
    assert_true(found);
    return i;
}

static void advance(world *w, uint64_t ns) {
    atomic_fetch_add(&w->now_ns, ns);
    cuzk_core_wake(w->engine);
}

static void sleep_ms(unsigned ms) {
    struct timespec t = {.tv_nsec = (long)ms * 1000000};
    nanosleep(&t, NULL);
}

/* ---- submissions ---- */

static script script_of(uint32_t number, uint32_t n_partitions) {
    script s;
    memset(&s, 0, sizeof s);
    s.number = number;
    s.n_partitions = n_partitions;
    s.lookahead = 1;
    s.partition_bytes = 10;
    return s;
}

/* A request that owns what it points to. */
typedef struct owned {
    cuzk_request request;
    cuzk_input input;
    script s;
    atomic_uint *n_released;
} owned;

static void release_owned(void *owner) {
    owned *o = owner;
    if (o->n_released != NULL) {
        atomic_fetch_add(o->n_released, 1);
    }
    free(o);
}

static engine_submission submission_of(const script *s, const char *id, cuzk_proof_kind kind,
                                       atomic_uint *n_released) {
    static const cuzk_priority priorities[] = {CUZK_NORMAL, CUZK_NORMAL, CUZK_NORMAL, CUZK_HIGH,
                                               CUZK_CRITICAL};
    owned *o = calloc(1, sizeof *o);
    memcpy(&o->s, s, sizeof o->s);
    o->input = (cuzk_input){(const uint8_t *)&o->s, sizeof o->s, "script"};
    o->request = (cuzk_request){.kind = kind, .inputs = &o->input, .n_inputs = 1};
    o->n_released = n_released;
    return (engine_submission){.request_id = id,
                               .priority = priorities[kind],
                               .keeps_going = true,
                               .request = &o->request,
                               .release = release_owned,
                               .owner = o};
}

static engine_receipt submit(world *w, const script *s, const char *id, cuzk_proof_kind kind) {
    engine_receipt receipt;
    engine_submission sub = submission_of(s, id, kind, NULL);
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    return receipt;
}

static engine_outcome await(world *w, const char *id) {
    engine_outcome o;
    assert_int_equal(cuzk_core_await(w->engine, &o, id, UINT64_MAX, NULL), CUZK_OK);
    return o;
}

static void expect_proof(world *w, const char *id, const script *s) {
    engine_outcome o = await(w, id);
    assert_int_equal(o.state, JOB_COMPLETED);
    assert_int_equal(o.proof_bytes, s->n_partitions * GROTH16_PROOF_BYTES);
    for (size_t i = 0; i < o.proof_bytes; i++) {
        assert_int_equal(o.proof[i], proof_byte(s, (unsigned)(i / GROTH16_PROOF_BYTES)));
    }
    cuzk_core_outcome_clear(&o);
}

static void expect_end(world *w, const char *id, job_state state, cuzk_status status,
                       const char *text) {
    engine_outcome o = await(w, id);
    assert_int_equal(o.state, state);
    assert_null(o.proof);
    assert_int_equal(o.error.status, status);
    assert_int_equal(o.turned_away, strcmp(text, "the engine is shutting down") == 0);
    assert_string_equal(o.error.text, text);
    cuzk_core_outcome_clear(&o);
}

static engine_report look(world *w) {
    engine_report r;
    cuzk_core_look(w->engine, &r);
    return r;
}

static void wait_until_nothing_is_held(world *w) {
    while (look(w).n_held != 0) {
        sleep_ms(1);
    }
}

static job_state state_of(world *w, const char *id) {
    engine_outcome o;
    assert_int_equal(cuzk_core_await(w->engine, &o, id, 0, NULL), CUZK_OK);
    job_state state = o.state;
    cuzk_core_outcome_clear(&o);
    return state;
}

static void wait_state(world *w, const char *id, job_state state) {
    while (state_of(w, id) != state) {
        sleep_ms(1);
    }
}

/* ---- the pipeline ---- */

static void a_job_runs(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 10);
    atomic_uint n_released = 0;
    engine_submission sub = submission_of(&s, "porep-1-1", CUZK_POREP, &n_released);
    engine_receipt receipt;
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    assert_string_equal(receipt.id, "porep-1-1");
    assert_int_equal(receipt.origin, JOB_NEW);
    assert_int_equal(receipt.queue_position, 0);
    expect_proof(w, "porep-1-1", &s);
    wait_until_nothing_is_held(w);
    assert_int_equal(atomic_load(&n_released), 1);
    assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
    engine_report r = look(w);
    assert_int_equal(r.counters.completed[CUZK_POREP], 1);
    assert_int_equal(r.queue_depth, 0);
    assert_int_equal(r.n_retries, 0);
    /* Unknown jobs. */
    engine_outcome o;
    cuzk_error err;
    assert_int_equal(cuzk_core_await(w->engine, &o, "nobody", 0, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "job not found: nobody");
    end_world(w);
}

static void synthesis_overlaps_proving(void **state) {
    (void)state;
    for (uint32_t lookahead = 0; lookahead < 2; lookahead++) {
        world *w = start_world();
        script s = script_of(1, 4);
        s.lookahead = lookahead;
        set_gate(w, PROVE, 1, true);
        submit(w, &s, "a", CUZK_POREP);
        wait_entered(w, PROVE, 1, 1);
        if (lookahead == 1) {
            wait_entered(w, SYNTHESISE, 1, 2);
        }
        sleep_ms(20);
        assert_int_equal(n_entered(w, SYNTHESISE, 1), 1 + lookahead);
        engine_report r = look(w);
        assert_int_equal(r.proving, 1);
        assert_int_equal(r.synth_done, lookahead);
        assert_int_equal(r.counters.in_progress[CUZK_POREP], 1);
        assert_int_equal(r.provers[0].serial, 1);
        assert_int_equal(r.provers[1].serial, 0);
        set_gate(w, PROVE, 1, false);
        expect_proof(w, "a", &s);
        assert_int_equal(w->max_witnesses, 1 + lookahead);
        end_world(w);
    }
}

/* Partitions go into synthesis as the pacer lets them, critical ones at once. */
static void the_pacer_holds_back(void **state) {
    (void)state;
    world *w = make_world();
    w->options.max_waiting = 3;
    start(w);
    script s = script_of(1, 4), winning = script_of(2, 1), after = script_of(3, 1);
    s.lookahead = 4;
    set_gate(w, PROVE, 1, true);
    submit(w, &s, "a", CUZK_POREP);
    wait_entered(w, PROVE, 1, 1);
    for (unsigned n = 1; n <= 3; n++) {
        wait_entered(w, SYNTHESISE, 1, n);
        advance(w, 2 * SECOND);
        sleep_ms(5);
        assert_int_equal(n_entered(w, SYNTHESISE, 1), n);
        advance(w, SECOND);
    }
    advance(w, MINUTE); /* none before one is proved */
    sleep_ms(5);
    assert_int_equal(n_entered(w, SYNTHESISE, 1), 3);
    submit(w, &winning, "winning", CUZK_WINNING_POST);
    expect_proof(w, "winning", &winning);
    /* What it waits for is cancelled: others go on. */
    bool was_running;
    cuzk_core_cancel(w->engine, "a", &was_running);
    assert_true(was_running);
    submit(w, &after, "after", CUZK_POREP);
    expect_proof(w, "after", &after);
    end_world(w);
}

/* Counts events, by kind, and checks what they say. */
typedef struct event_counts {
    pthread_mutex_t mutex;
    unsigned n[ENGINE_PROVE_END + 1], n_wrong;
} event_counts;

static void count_event(void *arg, const engine_event *event) {
    event_counts *c = arg;
    bool critical = event->proof_kind == CUZK_WINNING_POST;
    bool end = event->kind == ENGINE_SYNTH_END || event->kind == ENGINE_PROVE_END;
    pthread_mutex_lock(&c->mutex);
    c->n[event->kind]++;
    c->n_wrong += strcmp(event->job_id, critical ? "winning" : "porep") != 0 ||
                  event->partition > 2 || (!end && event->took_ns != 0) ||
                  event->prover != (critical && event->kind >= ENGINE_PROVE_PICKUP) ||
                  (event->timing != NULL) != (event->kind == ENGINE_PROVE_END) ||
                  (event->timing != NULL && event->timing->assemble.wall_ns != PROOF_NS);
    pthread_mutex_unlock(&c->mutex);
}

static void events_are_told(void **state) {
    (void)state;
    event_counts c = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    world *w = make_world();
    w->options.on_event = count_event;
    w->options.event_arg = &c;
    start(w);
    script porep = script_of(1, 3), winning = script_of(2, 1);
    porep.n_bad = 1;
    submit(w, &porep, "porep", CUZK_POREP);
    submit(w, &winning, "winning", CUZK_WINNING_POST);
    expect_proof(w, "porep", &porep);
    expect_proof(w, "winning", &winning);
    end_world(w);
    for (size_t kind = ENGINE_SYNTH_START; kind <= ENGINE_PROVE_END; kind++) {
        assert_int_equal(c.n[kind], kind == ENGINE_PROVE_START ? 5 : 4);
    }
    assert_int_equal(c.n_wrong, 0);
}

/* For a last word: ids without a lock, cut and cleaned, each once. */
static void jobs_at_work_are_known(void **state) {
    (void)state;
    char running[ENGINE_RUNNING_CHARS], id[81];
    world *w = make_world();
    w->options.n_synthesis = 2;
    start(w);
    assert_int_equal(cuzk_core_running(w->engine, running), 0);
    assert_string_equal(running, "");
    memset(id, 'x', 80);
    memcpy(id, "a\"\n\\", 4);
    id[80] = 0;
    script one = script_of(1, 4), other = script_of(2, 1);
    one.lookahead = 4;
    set_gate(w, SYNTHESISE, 1, true);
    set_gate(w, PROVE, 2, true);
    submit(w, &one, id, CUZK_POREP);
    wait_entered(w, SYNTHESISE, 1, 2);
    submit(w, &other, "winning", CUZK_WINNING_POST);
    wait_entered(w, PROVE, 2, 1);
    cuzk_core_running(w->engine, running);
    id[63] = 0;
    memcpy(id, "a___", 4);
    assert_non_null(strstr(running, "winning"));
    assert_non_null(strstr(running, id));
    assert_int_equal(strlen(running), strlen("winning, ") + 63);
    set_gate(w, SYNTHESISE, 1, false);
    set_gate(w, PROVE, 2, false);
    expect_proof(w, "winning", &other);
    wait_until_nothing_is_held(w);
    end_world(w);
}

/* ---- partitions that were finished before ---- */

static world *make_world_with_store(void) {
    world *w = make_world();
    w->work.recall = fake_recall;
    w->work.keep = fake_keep;
    w->work.forget = fake_forget;
    return w;
}

static unsigned count_stored(world *w) {
    unsigned n = 0;
    pthread_mutex_lock(&w->mutex);
    for (size_t i = 0; i < MAX_STORED; i++) {
        n += w->stored[i];
    }
    pthread_mutex_unlock(&w->mutex);
    return n;
}

/* A job ends before its last partition, and so does the engine; another takes the same request. */
static void finished_partitions_outlive_an_engine(void **state) {
    (void)state;
    world *w = make_world_with_store();
    start(w);
    script s = script_of(1, 4);
    s.fails = CUZK_E_NO_MEMORY;
    s.failing_stage = PROVE;
    submit(w, &s, "porep", CUZK_POREP);
    engine_outcome o = await(w, "porep");
    assert_int_equal(o.state, JOB_FAILED);
    wait_until_nothing_is_held(w);
    assert_int_equal(count_stored(w), 3);
    cuzk_core_destroy(w->engine);
    assert_int_equal(count_stored(w), 3);

    s.fails = 0;
    start(w);
    submit(w, &s, "porep", CUZK_POREP);
    expect_proof(w, "porep", &s);
    wait_until_nothing_is_held(w);
    assert_int_equal(n_entered(w, PROVE, 1), 4 + 1);
    assert_int_equal(n_entered(w, VERIFY, 1), 3 + 3 + 1);
    assert_int_equal(count_stored(w), 0);
    assert_int_equal(w->n_forgotten, 3); /* the last was not stored */
    end_world(w);
}

/* All of them are there: nothing is proved. One is bad: it is. */
static void stored_partitions_are_verified(void **state) {
    (void)state;
    world *w = make_world_with_store();
    start(w);
    script s = script_of(1, 3), bad = script_of(2, 3);
    for (unsigned i = 0; i < 3; i++) {
        w->stored[i] = true;
        memset(w->stored_proofs[i], proof_byte(&s, i), GROTH16_PROOF_BYTES);
    }
    submit(w, &s, "a", CUZK_POREP);
    expect_proof(w, "a", &s);
    wait_until_nothing_is_held(w);
    assert_int_equal(n_entered(w, PROVE, 1), 0);
    assert_int_equal(n_entered(w, VERIFY, 1), 3);
    assert_int_equal(count_stored(w), 0);
    for (unsigned i = 0; i < 3; i++) {
        w->stored[i] = true;
        memset(w->stored_proofs[i], proof_byte(&bad, i), GROTH16_PROOF_BYTES);
    }
    w->stored_proofs[1][100] ^= 1;
    submit(w, &bad, "b", CUZK_POREP);
    expect_proof(w, "b", &bad);
    wait_until_nothing_is_held(w);
    assert_int_equal(n_entered(w, PROVE, 2), 1);
    end_world(w);
}

static void critical_jobs_pass(void **state) {
    (void)state;
    world *w = start_world();
    script porep = script_of(1, 3), winning = script_of(2, 1);
    porep.partition_bytes = 450; /* two of them fill all but the critical share */
    winning.partition_bytes = 100;
    set_gate(w, PROVE, 1, true);
    submit(w, &porep, "porep", CUZK_POREP);
    for (uint32_t i = 0; i < 12; i++) {
        char id[16];
        script more = script_of(10 + i, 2);
        snprintf(id, sizeof id, "more-%u", i);
        submit(w, &more, id, CUZK_POREP);
    }
    wait_entered(w, SYNTHESISE, 1, 2);
    submit(w, &winning, "winning", CUZK_WINNING_POST);
    expect_proof(w, "winning", &winning); /* while the PoRep is still being proved */
    assert_int_equal(state_of(w, "porep"), JOB_RUNNING);
    set_gate(w, PROVE, 1, false);
    expect_proof(w, "porep", &porep);
    for (uint32_t i = 0; i < 12; i++) {
        char id[16];
        script more = script_of(10 + i, 2);
        snprintf(id, sizeof id, "more-%u", i);
        expect_proof(w, id, &more);
    }
    end_world(w);
}

static void urgent_partitions_go_first(void **state) {
    (void)state;
    world *w = start_world();
    script porep = script_of(1, 4), second = script_of(2, 1), window = script_of(3, 1);
    set_gate(w, PROVE, 1, true);
    submit(w, &porep, "porep", CUZK_POREP);
    wait_entered(w, SYNTHESISE, 1, 1); /* else the second might be read first, and begin */
    submit(w, &second, "second", CUZK_POREP);
    wait_entered(w, SYNTHESISE, 1, 2);
    engine_receipt r = submit(w, &window, "window", CUZK_WINDOW_POST);
    assert_true(r.queue_position <= 1);
    wait_state(w, "window", JOB_RUNNING);
    set_gate(w, PROVE, 1, false);
    expect_proof(w, "porep", &porep);
    expect_proof(w, "second", &second);
    expect_proof(w, "window", &window);
    /* Before the partitions that had not begun; the two jobs of a class one after the other. */
    assert_true(event_index(w, SYNTHESISE, 3, 0) < event_index(w, SYNTHESISE, 1, 2));
    assert_true(event_index(w, SYNTHESISE, 1, 3) < event_index(w, SYNTHESISE, 2, 0));
    end_world(w);
}

static void what_is_resident_goes_first(void **state) {
    (void)state;
    world *w = make_world();
    w->options.prefer_resident = true;
    w->options.max_open = 1;
    start(w);
    script first = script_of(1, 1), porep = script_of(2, 1), snap = script_of(3, 1);
    set_gate(w, OPEN, 1, true);
    submit(w, &first, "first", CUZK_POREP);
    wait_entered(w, OPEN, 1, 1);
    assert_int_equal(submit(w, &porep, "porep", CUZK_POREP).queue_position, 0);
    assert_int_equal(submit(w, &snap, "snap", CUZK_SNAP).queue_position, 1);
    assert_int_equal(look(w).queue_depth, 2);
    set_gate(w, OPEN, 1, false);
    expect_proof(w, "porep", &porep);
    expect_proof(w, "snap", &snap);
    assert_true(event_index(w, OPEN, 3, NO_PARTITION) < event_index(w, OPEN, 2, NO_PARTITION));
    end_world(w);
}

static void batches_wait_for_their_timer(void **state) {
    (void)state;
    world *w = make_world();
    w->options.max_batch = 2;
    w->options.max_batch_wait_ns = 30 * SECOND;
    start(w);
    script s[4];
    for (uint32_t i = 0; i < 4; i++) {
        s[i] = script_of(i, 1);
    }
    submit(w, &s[0], "0", CUZK_POREP);
    submit(w, &s[1], "1", CUZK_POREP);
    expect_proof(w, "0", &s[0]);
    expect_proof(w, "1", &s[1]);
    submit(w, &s[2], "2", CUZK_POREP);
    wait_state(w, "2", JOB_BATCHING);
    advance(w, 30 * SECOND - 1);
    sleep_ms(10);
    assert_int_equal(state_of(w, "2"), JOB_BATCHING);
    advance(w, 1);
    engine_outcome o = await(w, "2");
    assert_int_equal(o.timings.queue_wait_ms, 30000);
    cuzk_core_outcome_clear(&o);
    /* A WinningPoSt does not wait for the timer, and takes the batch along. */
    submit(w, &s[3], "3", CUZK_POREP);
    wait_state(w, "3", JOB_BATCHING);
    submit(w, &s[0], "winning", CUZK_WINNING_POST);
    expect_proof(w, "winning", &s[0]);
    expect_proof(w, "3", &s[3]);
    end_world(w);
}

/* ---- identity ---- */

static void equal_requests_are_computed_once(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 2), other = script_of(2, 2);
    atomic_uint n_released = 0;
    engine_receipt r[4];
    set_gate(w, PROVE, 1, true);
    for (size_t i = 0; i < 3; i++) {
        engine_submission sub = submission_of(i == 2 ? &other : &s, "wdpost-1-0-[1 2 3]",
                                              CUZK_WINDOW_POST, &n_released);
        assert_int_equal(cuzk_core_submit(w->engine, &r[i], &sub, NULL), CUZK_OK);
    }
    assert_int_equal(r[0].origin, JOB_NEW);
    assert_int_equal(r[1].origin, JOB_ATTACHED);
    assert_int_equal(r[2].origin, JOB_NEW);
    assert_string_equal(r[0].id, r[1].id);
    assert_string_not_equal(r[0].id, r[2].id);
    assert_int_equal(atomic_load(&n_released), 1);
    set_gate(w, PROVE, 1, false);
    expect_proof(w, r[0].id, &s);
    expect_proof(w, r[2].id, &other);
    r[3] = submit(w, &s, "wdpost-1-0-[1 2 3]", CUZK_WINDOW_POST);
    assert_int_equal(r[3].origin, JOB_RETAINED);
    expect_proof(w, r[3].id, &s);
    assert_int_equal(n_entered(w, PROVE, 1), 2);
    /* Forgotten after an hour. */
    advance(w, 61 * MINUTE);
    assert_int_equal(submit(w, &s, "wdpost-1-0-[1 2 3]", CUZK_WINDOW_POST).origin, JOB_NEW);
    end_world(w);
}

/* ---- bad proofs and failures ---- */

static void only_bad_partitions_are_proved_again(void **state) {
    (void)state;
    world *w = start_world();
    for (uint32_t n_bad = 1; n_bad <= 2; n_bad++) {
        script s = script_of(n_bad, 4);
        s.bad_partition = 2;
        s.n_bad = n_bad;
        char id[8];
        snprintf(id, sizeof id, "%u", n_bad);
        submit(w, &s, id, CUZK_POREP);
        expect_proof(w, id, &s);
        assert_int_equal(n_entered(w, PROVE, n_bad), 4 + n_bad);
        assert_int_equal(n_entered(w, SYNTHESISE, n_bad), 4);
        assert_int_equal(w->n_last_attempts, n_bad == 2);
    }
    assert_int_equal(look(w).n_retries, 3);
    end_world(w);
}

static void proofs_that_stay_bad_fail(void **state) {
    (void)state;
    static const char *const texts[] = {
        "", "PoRep proof self-check failed: partition 1: the pairing is not one",
        "SnapDeals proof self-check failed: partition 1: the pairing is not one",
        "WindowPoSt proof self-check failed: partition 1: the pairing is not one",
        "WinningPoSt proof self-check failed: partition 1: the pairing is not one"};
    world *w = start_world();
    for (uint32_t kind = CUZK_POREP; kind <= CUZK_WINNING_POST; kind++) {
        script s = script_of(kind, 2);
        s.bad_partition = 1;
        s.n_bad = 100;
        char id[8];
        snprintf(id, sizeof id, "%u", kind);
        submit(w, &s, id, (cuzk_proof_kind)kind);
        expect_end(w, id, JOB_FAILED, CUZK_E_PROOF_INVALID, texts[kind]);
        assert_int_equal(n_entered(w, VERIFY, kind), 1 + 3);
        assert_int_equal(look(w).counters.failed[kind], 1);
    }
    end_world(w);
}

static void failures_say_where(void **state) {
    (void)state;
    static const char *const texts[] = {"as the script says", "as the script says",
                                        "partition 2 synthesis failed: as the script says",
                                        "partition 2 GPU prove failed: as the script says",
                                        "PoRep proof self-check failed: partition 2: as the script "
                                        "says"};
    world *w = start_world();
    for (uint32_t stage = OPEN; stage < N_STAGES; stage++) {
        script s = script_of(stage, 3), good = script_of(20 + stage, 2);
        s.failing_stage = stage;
        s.fails = CUZK_E_NO_MEMORY;
        char id[8], good_id[16];
        snprintf(id, sizeof id, "%u", stage);
        snprintf(good_id, sizeof good_id, "good-%u", stage);
        submit(w, &s, id, CUZK_POREP);
        submit(w, &good, good_id, CUZK_POREP);
        expect_end(w, id, JOB_FAILED, CUZK_E_NO_MEMORY, texts[stage]);
        expect_proof(w, good_id, &good);
        wait_until_nothing_is_held(w);
        assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
    }
    /* A fault of the prover itself is worth another try. */
    script s = script_of(40, 1);
    s.failing_stage = PROVE;
    s.fails = CUZK_E_INTERNAL;
    submit(w, &s, "internal", CUZK_POREP);
    expect_end(w, "internal", JOB_FAILED, CUZK_E_INTERNAL,
               "partition 0 GPU prove failed: as the script says");
    assert_int_equal(n_entered(w, PROVE, 40), 3);
    end_world(w);
}

static void plans_have_a_range(void **state) {
    (void)state;
    static const uint32_t n_partitions[] = {0, 1025, UINT32_MAX};
    static const char *const texts[] = {"0 partitions, but a job has 1 to 1024",
                                        "1025 partitions, but a job has 1 to 1024",
                                        "4294967295 partitions, but a job has 1 to 1024"};
    world *w = start_world();
    for (uint32_t i = 0; i < 3; i++) {
        script s = script_of(i, n_partitions[i]);
        char id[8];
        snprintf(id, sizeof id, "%u", i);
        submit(w, &s, id, CUZK_WINDOW_POST);
        expect_end(w, id, JOB_FAILED, CUZK_E_RANGE, texts[i]);
    }
    end_world(w);
}

static void a_failure_drops_the_other_partitions(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 4);
    s.failing_stage = SYNTHESISE; /* in the last; the first is still being proved */
    s.fails = CUZK_E_INCONSISTENT;
    s.lookahead = 4;
    set_gate(w, PROVE, 1, true); /* never opened: the failure stops it */
    submit(w, &s, "a", CUZK_POREP);
    expect_end(w, "a", JOB_FAILED, CUZK_E_INCONSISTENT,
               "partition 3 synthesis failed: as the script says");
    wait_until_nothing_is_held(w);
    assert_true(n_entered(w, PROVE, 1) <= 1);
    end_world(w);
}

/* ---- memory ---- */

static void jobs_wait_for_memory(void **state) {
    (void)state;
    world *w = start_world();
    script a = script_of(1, 3), b = script_of(2, 3), huge = script_of(3, 1);
    a.partition_bytes = 500; /* the budget has room for one at a time */
    b.partition_bytes = 600;
    huge.partition_bytes = BUDGET_BYTES - CRITICAL_BYTES + 1;
    submit(w, &a, "a", CUZK_POREP);
    submit(w, &b, "b", CUZK_SNAP);
    submit(w, &huge, "huge", CUZK_POREP);
    expect_proof(w, "a", &a);
    expect_proof(w, "b", &b);
    engine_outcome o = await(w, "huge");
    assert_int_equal(o.state, JOB_FAILED);
    assert_int_equal(o.error.status, CUZK_E_NO_MEMORY);
    assert_non_null(strstr(o.error.text, "901 of 900 bytes"));
    assert_int_equal(w->max_witnesses, 1);
    assert_true(cuzk_budget_look(w->budget).peak_bytes <= 900);
    end_world(w);
}

static void waiting_for_memory_makes_way(void **state) {
    (void)state;
    world *w = start_world();
    script porep = script_of(1, 2), window = script_of(2, 1), doomed = script_of(3, 1);
    porep.partition_bytes = 700;
    window.partition_bytes = 200;
    doomed.partition_bytes = 700;
    set_gate(w, PROVE, 1, true);
    submit(w, &porep, "porep", CUZK_POREP);
    wait_entered(w, PROVE, 1, 1);
    while (cuzk_budget_look(w->budget).n_waiting == 0) {
        sleep_ms(1); /* the second partition */
    }
    submit(w, &window, "window", CUZK_WINDOW_POST);
    wait_entered(w, SYNTHESISE, 2, 1);
    while (cuzk_budget_look(w->budget).n_waiting != 0) {
        sleep_ms(1);
    }
    assert_int_equal(n_entered(w, SYNTHESISE, 1), 1);
    set_gate(w, PROVE, 1, false);
    expect_proof(w, "window", &window);
    expect_proof(w, "porep", &porep);

    /* One that is cancelled while it waits leaves the queue at once. */
    set_gate(w, PROVE, 4, true);
    script holder = script_of(4, 1);
    holder.partition_bytes = 700;
    submit(w, &holder, "holder", CUZK_POREP);
    wait_entered(w, PROVE, 4, 1);
    submit(w, &doomed, "doomed", CUZK_POREP);
    while (cuzk_budget_look(w->budget).n_waiting == 0) {
        sleep_ms(1);
    }
    bool was_running;
    cuzk_core_cancel(w->engine, "doomed", &was_running);
    expect_end(w, "doomed", JOB_CANCELLED, CUZK_E_CANCELLED, "cancelled");
    while (cuzk_budget_look(w->budget).n_waiting != 0) {
        sleep_ms(1);
    }
    set_gate(w, PROVE, 4, false);
    expect_proof(w, "holder", &holder);
    end_world(w);
}

static void a_raised_priority_counts_at_once(void **state) {
    (void)state;
    world *w = start_world();
    script holder = script_of(1, 1), raised = script_of(2, 2);
    holder.partition_bytes = 700;
    raised.partition_bytes = 250; /* fits beside it only with the critical share */
    set_gate(w, PROVE, 1, true);
    submit(w, &holder, "holder", CUZK_POREP);
    wait_entered(w, PROVE, 1, 1);
    submit(w, &raised, "raised", CUZK_POREP);
    while (cuzk_budget_look(w->budget).n_waiting == 0) {
        sleep_ms(1);
    }
    engine_submission sub = submission_of(&raised, "raised", CUZK_POREP, NULL);
    sub.priority = CUZK_CRITICAL;
    engine_receipt receipt;
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    assert_int_equal(receipt.origin, JOB_ATTACHED);
    expect_proof(w, "raised", &raised); /* while the other is still being proved */
    set_gate(w, PROVE, 1, false);
    expect_proof(w, "holder", &holder);
    end_world(w);
}

/* ---- cancelling, leaving, draining ---- */

static void jobs_are_cancelled_anywhere(void **state) {
    (void)state;
    world *w = make_world();
    w->options.max_open = 1;
    start(w);
    bool was_running = true;
    cuzk_core_cancel(w->engine, "nobody", &was_running);
    assert_false(was_running);
    for (uint32_t stage = OPEN; stage < N_STAGES; stage++) {
        script s = script_of(stage, 3), waiting = script_of(20 + stage, 1);
        char id[8], waiting_id[16];
        snprintf(id, sizeof id, "%u", stage);
        snprintf(waiting_id, sizeof waiting_id, "waiting-%u", stage);
        set_gate(w, (enum stage)stage, stage, true);
        submit(w, &s, id, CUZK_POREP);
        wait_entered(w, (enum stage)stage, stage, 1);
        if (stage == OPEN) {
            submit(w, &waiting, waiting_id, CUZK_POREP);
            cuzk_core_cancel(w->engine, waiting_id, &was_running);
            assert_false(was_running);
            expect_end(w, waiting_id, JOB_CANCELLED, CUZK_E_CANCELLED, "cancelled");
            assert_int_equal(n_entered(w, OPEN, 20), 0);
        }
        cuzk_core_cancel(w->engine, id, &was_running);
        assert_true(was_running);
        expect_end(w, id, JOB_CANCELLED, CUZK_E_CANCELLED, "cancelled");
        wait_until_nothing_is_held(w);
        assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
        cuzk_core_cancel(w->engine, id, &was_running);
        assert_false(was_running);
        /* The same request may run again. */
        set_gate(w, (enum stage)stage, stage, false);
        assert_int_equal(submit(w, &s, id, CUZK_POREP).origin, JOB_NEW);
        expect_proof(w, id, &s);
    }
    engine_report r = look(w);
    assert_int_equal(r.counters.cancelled[CUZK_POREP], N_STAGES + 1);
    assert_int_equal(r.counters.completed[CUZK_POREP], N_STAGES);
    end_world(w);
}

static void count_call(void *arg, const job *j) {
    (void)j;
    atomic_fetch_add((atomic_uint *)arg, 1);
}

static void clients_leave(void **state) {
    (void)state;
    world *w = make_world();
    w->options.max_open = 1;
    start(w);
    script running = script_of(1, 1), waiting = script_of(2, 1);
    atomic_uint n_calls = 0;
    job_waiter first = {.notify = count_call, .arg = &n_calls}, second = first;
    engine_receipt receipt;
    engine_submission sub = submission_of(&running, "running", CUZK_POREP, NULL);
    sub.keeps_going = false;
    sub.waiter = &first;
    set_gate(w, OPEN, 1, true);
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    wait_entered(w, OPEN, 1, 1);
    sub = submission_of(&waiting, "waiting", CUZK_POREP, NULL);
    sub.keeps_going = false;
    sub.waiter = &second;
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    cuzk_core_leave(w->engine, &first);
    cuzk_core_leave(w->engine, &second);
    advance(w, 29 * SECOND);
    sleep_ms(10);
    assert_int_equal(look(w).counters.cancelled[CUZK_POREP], 0);
    /* A wait of limited time puts the grace off. */
    engine_outcome o;
    assert_int_equal(cuzk_core_await(w->engine, &o, "waiting", 0, NULL), CUZK_OK);
    assert_true(o.state < JOB_PARSING);
    advance(w, 29 * SECOND);
    sleep_ms(10);
    assert_int_equal(look(w).counters.cancelled[CUZK_POREP], 0);
    advance(w, SECOND);
    while (look(w).counters.cancelled[CUZK_POREP] == 0) {
        sleep_ms(1);
    }
    expect_end(w, "waiting", JOB_CANCELLED, CUZK_E_CANCELLED, "nobody waited for it any more");
    /* What has begun runs to its end, for the retry. */
    set_gate(w, OPEN, 1, false);
    expect_proof(w, "running", &running);
    job_waiter late = {.notify = count_call, .arg = &n_calls};
    assert_int_equal(cuzk_core_watch(w->engine, &late, "running", NULL), CUZK_OK);
    assert_int_equal(atomic_load(&n_calls), 1);
    assert_int_equal(cuzk_core_watch(w->engine, &late, "nobody", NULL), CUZK_E_INPUT);
    end_world(w);
}

typedef struct drain {
    world *w;
    uint64_t drain_ns;
} drain;

static void *run_shutdown(void *arg) {
    drain *d = arg;
    cuzk_core_shutdown(d->w->engine, d->drain_ns);
    return NULL;
}

static void shutdown_drains(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        world *w = make_world();
        w->options.max_open = 1;
        start(w);
        script running = script_of(1, 3), queued = script_of(2, 1);
        set_gate(w, PROVE, 1, true);
        submit(w, &running, "running", CUZK_POREP);
        wait_entered(w, PROVE, 1, 1);
        submit(w, &queued, "queued", CUZK_POREP);
        drain d = {w, 120 * SECOND};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, run_shutdown, &d), 0);
        expect_end(w, "queued", JOB_CANCELLED, CUZK_E_CANCELLED, "the engine is shutting down");
        engine_receipt receipt;
        atomic_uint n_released = 0;
        engine_submission sub = submission_of(&queued, "new", CUZK_POREP, &n_released);
        cuzk_error err;
        assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, &err), CUZK_E_CANCELLED);
        assert_int_equal(atomic_load(&n_released), 1);
        assert_int_equal(state_of(w, "running"), JOB_RUNNING);
        if (late) {
            advance(w, 120 * SECOND);
            expect_end(w, "running", JOB_CANCELLED, CUZK_E_CANCELLED,
                       "the engine is shutting down");
        } else {
            set_gate(w, PROVE, 1, false);
            expect_proof(w, "running", &running);
        }
        pthread_join(thread, NULL);
        assert_int_equal(look(w).n_held, 0);
        end_world(w);
    }
    cuzk_core_destroy(NULL);
}

static void count_job(void *arg, const job *j, uint64_t now_ns) {
    unsigned *n = arg;
    *n += j->submitted_ns <= now_ns;
}

static void bad_submissions_are_refused(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 1);
    atomic_uint n_released = 0;
    engine_receipt receipt;
    cuzk_error err;
    engine_submission sub = submission_of(&s, "a", CUZK_POREP, &n_released);
    ((owned *)sub.owner)->request.kind = (cuzk_proof_kind)7;
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "invalid proof_kind: 7");
    assert_int_equal(atomic_load(&n_released), 1);
    submit(w, &s, "a", CUZK_POREP);
    submit(w, &s, NULL, CUZK_POREP);
    unsigned n_jobs = 0;
    cuzk_core_visit(w->engine, count_job, &n_jobs);
    assert_int_equal(n_jobs, 2);
    end_world(w); /* with jobs that run */
}

static void faulty_requests_fail_at_once(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 1);
    atomic_uint n_released = 0;
    engine_submission sub = submission_of(&s, "snap-1-1", CUZK_SNAP, &n_released);
    engine_receipt receipt;
    cuzk_error fault;
    cuzk_fail(&fault, CUZK_E_INPUT, "comm_r_old must be exactly 32 bytes, got 3");
    sub.fault = &fault;
    assert_int_equal(cuzk_core_submit(w->engine, &receipt, &sub, NULL), CUZK_OK);
    assert_int_equal(atomic_load(&n_released), 1);
    expect_end(w, "snap-1-1", JOB_FAILED, CUZK_E_INPUT, fault.text);
    assert_int_equal(look(w).counters.failed[CUZK_SNAP], 1);
    assert_int_equal(look(w).queue_depth, 0);
    assert_int_equal(n_entered(w, OPEN, 1), 0);
    end_world(w);
}

/* Standard error becomes a pipe that takes no more. Returns its other end; *kept: what it was. */
static int stop_up_log(int *kept) {
    int ends[2];
    char block[4096];
    memset(block, '.', sizeof block);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    for (size_t n = sizeof block; n != 0; n /= 2) {
        while (write(ends[1], block, n) > 0) {
        }
    }
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
    *kept = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    return ends[0];
}

/* Everything until that word. */
static void drain_until(int fd, const char *word) {
    char text[8192];
    size_t have = 0;
    for (;;) {
        ssize_t n = read(fd, text + have, sizeof text - 1 - have);
        assert_true(n > 0);
        have += (size_t)n;
        text[have] = 0;
        if (strstr(text, word) != NULL) {
            return;
        }
        const size_t keep = have < 200 ? have : 200; /* the word may come in two pieces */
        memmove(text, text + have - keep, keep);
        have = keep;
    }
}

/* Whoever writes lines waits, and nobody else. */
static void a_log_may_stand_still(void **state) {
    (void)state;
    world *w = start_world();
    script s = script_of(1, 1);
    s.fails = CUZK_E_INPUT;
    int kept;
    cuzk_log_setup("warn", false, NULL);
    const int reader = stop_up_log(&kept);
    submit(w, &s, "a", CUZK_POREP);
    expect_end(w, "a", JOB_FAILED, CUZK_E_INPUT, "as the script says");
    assert_int_equal(look(w).counters.failed[CUZK_POREP], 1);
    s.fails = 0;
    submit(w, &s, "b", CUZK_WINNING_POST);
    expect_proof(w, "b", &s);
    drain_until(reader, "job failed: as the script says");
    dup2(kept, STDERR_FILENO);
    close(kept);
    end_world(w);
    close(reader);
    cuzk_log_setup("off", false, NULL);
}

static void the_systems_clock_runs(void **state) {
    (void)state;
    world *w = make_world();
    w->options.now_ns = NULL;
    w->options.result_ttl_ns = SECOND;
    start(w);
    script s = script_of(1, 1);
    set_gate(w, PROVE, 1, true);
    submit(w, &s, "a", CUZK_POREP);
    wait_entered(w, PROVE, 1, 1);
    engine_outcome o;
    assert_int_equal(cuzk_core_await(w->engine, &o, "a", SECOND / 50, NULL), CUZK_OK);
    assert_int_equal(o.state, JOB_RUNNING);
    assert_true(o.timings.total_ms >= 20);
    set_gate(w, PROVE, 1, false);
    assert_int_equal(cuzk_core_await(w->engine, &o, "a", UINT64_MAX, NULL), CUZK_OK);
    assert_int_equal(o.state, JOB_COMPLETED);
    cuzk_core_outcome_clear(&o);
    /* Forgotten without anybody asking. */
    unsigned n_jobs;
    do {
        sleep_ms(1);
        n_jobs = 0;
        cuzk_core_visit(w->engine, count_job, &n_jobs);
    } while (n_jobs != 0);
    end_world(w);
}

/* A job has ended and is old enough to be forgotten, but a step on it goes on. */
static void steps_may_outlive_their_job(void **state) {
    (void)state;
    for (uint32_t stage = OPEN; stage < N_STAGES; stage++) {
        world *w = make_world();
        w->options.now_ns = NULL;
        w->options.result_ttl_ns = 0;
        w->deaf = true;
        start(w);
        script s = script_of(stage, 2), next = script_of(20, 1);
        bool was_running;
        set_gate(w, (enum stage)stage, stage, true);
        submit(w, &s, "a", CUZK_POREP);
        wait_entered(w, (enum stage)stage, stage, 1);
        cuzk_core_cancel(w->engine, "a", &was_running);
        assert_true(was_running);
        sleep_ms(5);
        unsigned n_jobs = 0;
        cuzk_core_visit(w->engine, count_job, &n_jobs);
        assert_int_equal(n_jobs, 1);
        assert_int_equal(look(w).n_held, 1);
        set_gate(w, (enum stage)stage, stage, false);
        wait_until_nothing_is_held(w);
        submit(w, &next, "next", CUZK_POREP);
        wait_entered(w, VERIFY, 20, 1);
        end_world(w);
    }
}

/* ---- many ---- */

#define N_CLIENTS 4
#define JOBS_EACH 150

typedef struct client {
    world *w;
    uint32_t number;
    atomic_uint *n_released;
    unsigned n_wrong, n_failed;
} client;

/* One job of a client: what it should come to depends on `draw`. */
static void run_one(client *c, uint32_t i, uint64_t draw) {
    script s = script_of(c->number, 1 + draw % 4);
    char id[32];
    snprintf(id, sizeof id, "client-%u-%u", c->number, i);
    bool fails = draw % 20 == 0;
    s.partition_bytes = draw / 20 % 300;
    s.bad_partition = (uint32_t)(draw / 7000 % 5);
    s.n_bad = (uint32_t)(draw / 50000 % 3);
    s.fails = fails ? CUZK_E_NO_MEMORY : 0;
    s.failing_stage = (uint32_t)(draw / 200000 % N_STAGES);
    cuzk_proof_kind kind = (cuzk_proof_kind)(1 + draw / 1000000 % 4);
    if (kind == CUZK_WINNING_POST) {
        s.partition_bytes /= 3;
    }
    engine_submission sub = submission_of(&s, id, kind, c->n_released);
    engine_receipt receipt;
    engine_outcome o;
    if (cuzk_core_submit(c->w->engine, &receipt, &sub, NULL) != CUZK_OK ||
        cuzk_core_await(c->w->engine, &o, receipt.id, UINT64_MAX, NULL) != CUZK_OK) {
        c->n_wrong++;
        return;
    }
    bool right = o.state == (fails ? JOB_FAILED : JOB_COMPLETED) &&
                 o.proof_bytes == (fails ? 0 : s.n_partitions * GROTH16_PROOF_BYTES);
    for (size_t k = 0; k < o.proof_bytes; k++) {
        right = right && o.proof[k] == proof_byte(&s, (unsigned)(k / GROTH16_PROOF_BYTES));
    }
    c->n_wrong += !right;
    c->n_failed += fails;
    cuzk_core_outcome_clear(&o);
}

static void *run_client(void *arg) {
    client *c = arg;
    test_rng rng = {c->number + 1};
    for (uint32_t i = 0; i < JOBS_EACH; i++) {
        run_one(c, i, test_rng_u64(&rng) >> 8);
    }
    return NULL;
}

static void none_of_many_is_lost(void **state) {
    (void)state;
    world *w = start_world();
    atomic_uint n_released = 0;
    client clients[N_CLIENTS];
    pthread_t threads[N_CLIENTS];
    for (uint32_t i = 0; i < N_CLIENTS; i++) {
        clients[i] = (client){.w = w, .number = i, .n_released = &n_released};
        assert_int_equal(pthread_create(&threads[i], NULL, run_client, &clients[i]), 0);
    }
    unsigned n_failed = 0;
    for (size_t i = 0; i < N_CLIENTS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(clients[i].n_wrong, 0);
        n_failed += clients[i].n_failed;
    }
    assert_true(n_failed > 0);
    wait_until_nothing_is_held(w);
    engine_report r = look(w);
    uint64_t completed = 0, failed = 0, left = 0;
    for (size_t k = 0; k < JOB_KINDS; k++) {
        completed += r.counters.completed[k];
        failed += r.counters.failed[k];
        left += r.counters.pending[k] + r.counters.in_progress[k] + r.counters.cancelled[k];
    }
    assert_int_equal(completed, N_CLIENTS * JOBS_EACH - n_failed);
    assert_int_equal(failed, n_failed);
    assert_int_equal(left, 0);
    assert_true(r.n_retries > 0);
    assert_int_equal(atomic_load(&n_released), N_CLIENTS * JOBS_EACH);
    end_world(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_runs),
        cmocka_unit_test(synthesis_overlaps_proving),
        cmocka_unit_test(the_pacer_holds_back),
        cmocka_unit_test(events_are_told),
        cmocka_unit_test(jobs_at_work_are_known),
        cmocka_unit_test(finished_partitions_outlive_an_engine),
        cmocka_unit_test(stored_partitions_are_verified),
        cmocka_unit_test(critical_jobs_pass),
        cmocka_unit_test(urgent_partitions_go_first),
        cmocka_unit_test(what_is_resident_goes_first),
        cmocka_unit_test(batches_wait_for_their_timer),
        cmocka_unit_test(equal_requests_are_computed_once),
        cmocka_unit_test(only_bad_partitions_are_proved_again),
        cmocka_unit_test(proofs_that_stay_bad_fail),
        cmocka_unit_test(failures_say_where),
        cmocka_unit_test(plans_have_a_range),
        cmocka_unit_test(a_failure_drops_the_other_partitions),
        cmocka_unit_test(jobs_wait_for_memory),
        cmocka_unit_test(waiting_for_memory_makes_way),
        cmocka_unit_test(a_raised_priority_counts_at_once),
        cmocka_unit_test(jobs_are_cancelled_anywhere),
        cmocka_unit_test(clients_leave),
        cmocka_unit_test(shutdown_drains),
        cmocka_unit_test(bad_submissions_are_refused),
        cmocka_unit_test(faulty_requests_fail_at_once),
        cmocka_unit_test(a_log_may_stand_still),
        cmocka_unit_test(the_systems_clock_runs),
        cmocka_unit_test(steps_may_outlive_their_job),
        cmocka_unit_test(none_of_many_is_lost),
    };
    cuzk_log_setup("off", false, NULL); /* bad proofs are many here, and meant */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
