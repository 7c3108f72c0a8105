/* The engine's lock, its jobs from submission to end, and the dispatcher. What is done with a job
 * between: stages.c. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/engine_internal.h"

/* ---- time and waking ---- */

uint64_t cuzk_engine_now(const engine *e) {
    return e->options.now_ns != NULL ? e->options.now_ns(e->options.clock_arg) : cuzk_wall_ns();
}

/* Whether a synthesis that waits for memory should make way. */
static bool must_yield(engine *e, const worker *w) {
    uint64_t now_ns = cuzk_engine_now(e);
    engine_item other;
    return job_ended(w->job) || cuzk_job_class(w->job, now_ns) != w->wait_class ||
           (cuzk_engine_pick(e, &other, w->critical, PARTITION_PENDING) &&
            cuzk_job_before(other.job, w->job, now_ns));
}

void cuzk_engine_changed(engine *e) {
    for (unsigned i = 0; i < e->n_workers; i++) {
        worker *w = &e->workers[i];
        if (w->waits_for_memory && must_yield(e, w)) {
            cuzk_cancel_set(&w->yield);
            cuzk_budget_poke(e->options.budget);
        }
    }
    pthread_cond_broadcast(&e->changed);
}

/* Sleeps until something changes or the engine's clock reaches due_ns. */
static void sleep_until(engine *e, uint64_t due_ns) {
    uint64_t now_ns = cuzk_engine_now(e);
    if (due_ns == CLOCK_NEVER) {
        pthread_cond_wait(&e->changed, &e->mutex);
    } else if (due_ns > now_ns) {
        uint64_t until = clock_after(cuzk_wall_ns(), due_ns - now_ns);
        struct timespec t = {.tv_sec = (time_t)(until / NS_PER_S),
                             .tv_nsec = (long)(until % NS_PER_S)};
        pthread_cond_timedwait(&e->changed, &e->mutex, &t);
    }
}

void cuzk_core_wake(engine *e) {
    pthread_mutex_lock(&e->mutex);
    cuzk_engine_changed(e);
    pthread_mutex_unlock(&e->mutex);
}

/* ---- a task's way ---- */

/* Hands an ended job's task to the dispatcher when no thread is at work on it. */
static void retire(engine *e, job *j) {
    task *t = task_of(j);
    if (t == NULL || !job_ended(j) || t->n_steps != 0) {
        return;
    }
    j->work = NULL;
    j->n_uses = 0;
    t->next_dead = e->dead;
    e->dead = t;
    pthread_cond_broadcast(&e->changed);
}

static void after_end(engine *e, job *j) {
    task *t = task_of(j);
    cuzk_cancel_set(&t->cancel);
    cuzk_job_queue_leave(j);
    cuzk_engine_changed(e);
    retire(e, j);
}

/* Without the lock: where lines go may stand still. */
static void log_failure(const char *job_id, const cuzk_error *error) {
    cuzk_log(CUZK_LOG_WARN, "engine", CUZK_LOG_FIELDS(log_text("job_id", job_id)), "%s: %s",
             error->status == CUZK_E_PROOF_INVALID
                 ? "proof self-check FAILED — proof will NOT be returned to caller"
                 : "job failed",
             error->text);
}

void cuzk_engine_fail_job(engine *e, job *j, const cuzk_error *error) {
    CUZK_ASSERT(task_of(j)->n_steps != 0);
    cuzk_job_fail(e->table, j, error, cuzk_engine_now(e));
    after_end(e, j);
    pthread_mutex_unlock(&e->mutex);
    log_failure(j->id, error);
    pthread_mutex_lock(&e->mutex);
}

void cuzk_engine_cancel_job(engine *e, job *j, const cuzk_error *error) {
    cuzk_job_cancel(e->table, j, error, cuzk_engine_now(e));
    after_end(e, j);
}

void cuzk_engine_complete_job(engine *e, job *j) {
    cuzk_job_complete(e->table, j, cuzk_engine_now(e));
    after_end(e, j);
}

void cuzk_engine_end_step(worker *w) {
    job *j = w->job;
    w->job = NULL;
    atomic_store(&w->shown, false);
    task_of(j)->n_steps--;
    retire(w->engine, j);
    cuzk_engine_changed(w->engine);
}

void cuzk_engine_clear_slot(const engine *e, slot *s) {
    if (s->witness != NULL) {
        e->options.work->drop(e->options.work->arg, s->witness);
        s->witness = NULL;
    }
    cuzk_account_destroy(s->account);
    s->account = NULL;
    cuzk_budget_drop(&s->hold);
}

/* Without the lock. */
static void destroy_task(const engine *e, task *t) {
    for (unsigned i = 0; t->slots != NULL && i < t->plan.n_partitions; i++) {
        cuzk_engine_clear_slot(e, &t->slots[i]);
    }
    free(t->slots);
    if (t->opened != NULL) {
        e->options.work->close(e->options.work->arg, t->opened);
    }
    t->release(t->owner);
    free(t);
}

/* ---- the dispatcher ---- */

static void free_dead(engine *e) {
    while (e->dead != NULL) {
        task *t = e->dead;
        e->dead = t->next_dead;
        pthread_mutex_unlock(&e->mutex);
        destroy_task(e, t);
        pthread_mutex_lock(&e->mutex);
        e->n_tasks--;
        pthread_cond_broadcast(&e->changed);
    }
}

/* Whether all of a taken-up job's partitions have been taken up too. */
static bool all_taken_up(const job *j) {
    return j->n_partitions != 0 && cuzk_job_count_partitions(j, PARTITION_PENDING) == 0;
}

/* Jobs that are served before or beside j and still have partitions waiting. */
static unsigned count_ahead(const engine *e, const job *j, uint64_t now_ns) {
    cuzk_priority class = cuzk_job_class(j, now_ns);
    unsigned n = 0;
    for (const job *o = e->ready.first; o != NULL; o = o->queue_next) {
        n += cuzk_job_class(o, now_ns) >= class;
    }
    for (const job *o = e->open.first; o != NULL; o = o->queue_next) {
        n += cuzk_job_class(o, now_ns) >= class && !all_taken_up(o);
    }
    return n;
}

static void take_ready(engine *e, const job_queue *released) {
    while (released->first != NULL) {
        cuzk_job_queue_append(&e->ready, released->first);
        cuzk_engine_changed(e);
    }
}

static void dispatch(engine *e) {
    uint64_t now_ns = cuzk_engine_now(e);
    job_queue released = {0};
    cuzk_collector_tick(&e->collector, &released, now_ns);
    take_ready(e, &released);
    job *j;
    while ((j = cuzk_scheduler_peek(&e->scheduler, now_ns)) != NULL &&
           count_ahead(e, j, now_ns) < e->options.max_open) {
        cuzk_collector_add(&e->collector, &released, j, now_ns);
        take_ready(e, &released);
    }
}

static void drop_abandoned(engine *e) {
    job *j;
    while ((j = cuzk_job_abandoned(e->table, cuzk_engine_now(e), e->options.grace_ns)) != NULL) {
        cuzk_error error;
        cuzk_fail(&error, CUZK_E_CANCELLED, "nobody waited for it any more");
        cuzk_engine_cancel_job(e, j, &error);
    }
}

static void keep_earlier(uint64_t *due_ns, uint64_t other_ns) {
    *due_ns = other_ns < *due_ns ? other_ns : *due_ns;
}

/* When the dispatcher has something to do, if nothing changes before: an ended job in use changes
 * once more, when its last step ends. */
static uint64_t next_due(const engine *e) {
    uint64_t due_ns = cuzk_collector_due_ns(&e->collector);
    if (e->paced_until_ns != 0) {
        keep_earlier(&due_ns, e->paced_until_ns);
    }
    for (const job *j = cuzk_job_oldest(e->table); j != NULL; j = j->newer) {
        if (job_ended(j) && j->n_uses == 0) {
            keep_earlier(&due_ns, clock_after(j->ended_ns, e->options.result_ttl_ns));
        } else if (j->state < JOB_PARSING && !j->keeps_going && j->waiters == NULL) {
            keep_earlier(&due_ns, clock_after(j->unwatched_since_ns, e->options.grace_ns));
        }
    }
    return due_ns;
}

/* Those who synthesise look again when the time has come that the pacer gave. */
static void end_pause(engine *e) {
    if (e->paced_until_ns != 0 && e->paced_until_ns <= cuzk_engine_now(e)) {
        e->paced_until_ns = 0;
        pthread_cond_broadcast(&e->changed);
    }
}

static void *run_dispatcher(void *arg) {
    engine *e = arg;
    pthread_mutex_lock(&e->mutex);
    while (!e->stopping) {
        free_dead(e);
        drop_abandoned(e);
        cuzk_job_table_expire(e->table, cuzk_engine_now(e));
        dispatch(e);
        end_pause(e);
        if (e->dead == NULL && !e->stopping) {
            sleep_until(e, next_due(e));
        }
    }
    pthread_mutex_unlock(&e->mutex);
    return NULL;
}

static void *run_worker(void *arg) {
    worker *w = arg;
    engine *e = w->engine;
    pthread_mutex_lock(&e->mutex);
    while (!e->stopping) {
        if (!w->step(w)) {
            pthread_cond_wait(&e->changed, &e->mutex);
        }
    }
    pthread_mutex_unlock(&e->mutex);
    return NULL;
}

/* ---- creating and destroying ---- */

void cuzk_core_options_init(engine_options *options) {
    *options = (engine_options){.result_ttl_ns = 3600 * NS_PER_S,
                                .max_results = 4096,
                                .grace_ns = 30 * NS_PER_S,
                                .max_batch = 1,
                                .max_open = 2,
                                .n_synthesis = 1,
                                .n_retries = 2};
}

static bool request_resident(void *arg, const job *j) {
    const engine *e = arg;
    return e->options.work->resident(e->options.work->arg, task_of(j)->request);
}

static void init_engine(engine *e, const engine_options *options) {
    e->options = *options;
    e->collector.max_batch = options->max_batch;
    e->collector.max_wait_ns = options->max_batch_wait_ns;
    cuzk_pacer_init(&e->pacer, options->max_waiting, 1);
    if (options->prefer_resident && options->work->resident != NULL) {
        e->scheduler.resident = request_resident;
        e->scheduler.resident_arg = e;
    }
    e->created_ns = cuzk_engine_now(e);
    pthread_mutex_init(&e->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&e->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void stop_threads(engine *e, unsigned n_started, bool dispatcher) {
    pthread_mutex_lock(&e->mutex);
    e->stopping = true;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->mutex);
    for (unsigned i = 0; i < n_started; i++) {
        pthread_join(e->workers[i].thread, NULL);
    }
    if (dispatcher) {
        pthread_join(e->dispatcher, NULL);
    }
}

static void free_engine(engine *e) {
    cuzk_job_table_destroy(e->table);
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->mutex);
    free(e->workers);
    free(e);
}

static cuzk_status start_threads(engine *e, cuzk_error *err) {
    if (pthread_create(&e->dispatcher, NULL, run_dispatcher, e) != 0) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "the system gives no thread to the engine");
    }
    for (unsigned i = 0; i < e->n_workers; i++) {
        if (pthread_create(&e->workers[i].thread, NULL, run_worker, &e->workers[i]) != 0) {
            stop_threads(e, i, true);
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "the system gives no thread to the engine");
        }
    }
    return CUZK_OK;
}

/* The provers first, as reports list them; one of each kind is for critical jobs. */
static void set_workers(engine *e) {
    worker *w = e->workers;
    for (unsigned i = 0; i < ENGINE_PROVERS; i++) {
        *w++ = (worker){.engine = e, .critical = i == 1, .step = cuzk_engine_proving_step};
    }
    for (unsigned i = 0; i <= e->options.n_synthesis; i++) {
        *w++ = (worker){.engine = e, .critical = i == 0, .step = cuzk_engine_synthesis_step};
    }
    for (unsigned i = 0; i <= e->options.max_open; i++) {
        *w++ = (worker){.engine = e, .critical = i == 0, .step = cuzk_engine_open_step};
    }
}

cuzk_status cuzk_core_create(engine **out, const engine_options *options, cuzk_error *err) {
    CUZK_ASSERT(options->max_open != 0 && options->n_synthesis != 0);
    engine *e = calloc(1, sizeof *e);
    *out = NULL;
    if (e == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an engine");
    }
    init_engine(e, options);
    e->n_workers = ENGINE_PROVERS + options->n_synthesis + 1 + options->max_open + 1;
    e->workers = calloc(e->n_workers, sizeof *e->workers);
    cuzk_status status =
        e->workers != NULL
            ? cuzk_job_table_create(&e->table, options->result_ttl_ns, options->max_results, err)
            : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an engine");
    if (status == CUZK_OK) {
        set_workers(e);
        status = start_threads(e, err);
    }
    if (status != CUZK_OK) {
        free_engine(e);
        return status;
    }
    *out = e;
    return CUZK_OK;
}

void cuzk_core_destroy(engine *e) {
    if (e == NULL) {
        return;
    }
    cuzk_core_shutdown(e, 0);
    stop_threads(e, e->n_workers, true);
    free_engine(e);
}

/* ---- submission ---- */

/* Jobs not taken up yet. */
static size_t queue_depth(const engine *e) {
    return e->scheduler.waiting.length + e->collector.pending.length + e->ready.length;
}

static void adopt(engine *e, job *j, task *t, const engine_submission *s) {
    *t = (task){.request = s->request, .release = s->release, .owner = s->owner};
    j->work = t;
    j->n_uses = 1;
    e->n_tasks++;
    cuzk_job_enter(j, JOB_QUEUED, cuzk_engine_now(e));
    cuzk_scheduler_push(&e->scheduler, j);
}

/* *used: t was. */
static cuzk_status submit_locked(engine *e, engine_receipt *receipt, task *t, bool *used,
                                 const job_ticket *ticket, const engine_submission *s,
                                 cuzk_error *err) {
    job *j;
    if (e->closing) {
        return cuzk_fail(err, CUZK_E_CANCELLED, "the engine is shutting down");
    }
    cuzk_job_table_expire(e->table, cuzk_engine_now(e));
    cuzk_status status =
        cuzk_job_submit(e->table, &j, &receipt->origin, ticket, cuzk_engine_now(e), err);
    if (status != CUZK_OK) {
        return status;
    }
    receipt->queue_position = queue_depth(e);
    strcpy(receipt->id, j->id);
    if (receipt->origin == JOB_NEW && s->fault != NULL) {
        cuzk_job_fail(e->table, j, s->fault, cuzk_engine_now(e));
    } else if (receipt->origin == JOB_NEW) {
        adopt(e, j, t, s);
        *used = true;
    }
    if (s->waiter != NULL) {
        cuzk_job_watch(j, s->waiter);
    }
    cuzk_engine_changed(e);
    return CUZK_OK;
}

cuzk_status cuzk_core_submit(engine *e, engine_receipt *receipt, const engine_submission *s,
                             cuzk_error *err) {
    task *t = calloc(1, sizeof *t);
    bool used = false;
    cuzk_status status = CUZK_OK;
    if (t == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    } else if (s->request->kind < CUZK_POREP || s->request->kind > CUZK_WINNING_POST) {
        status = cuzk_fail(err, CUZK_E_INPUT, "invalid proof_kind: %d", (int)s->request->kind);
    }
    if (status == CUZK_OK) {
        job_ticket ticket = {.request_id = s->request_id,
                             .kind = s->request->kind,
                             .priority = s->priority,
                             .keeps_going = s->keeps_going};
        cuzk_job_digest(ticket.digest, s->request);
        pthread_mutex_lock(&e->mutex);
        status = submit_locked(e, receipt, t, &used, &ticket, s, err);
        pthread_mutex_unlock(&e->mutex);
    }
    if (status == CUZK_OK && receipt->origin == JOB_NEW && s->fault != NULL) {
        log_failure(receipt->id, s->fault);
    }
    if (!used) {
        free(t);
        s->release(s->owner);
    }
    return status;
}

/* ---- waiting ---- */

void cuzk_core_outcome_clear(engine_outcome *outcome) {
    free(outcome->proof);
    *outcome = (engine_outcome){0};
}

static cuzk_status copy_outcome(engine_outcome *outcome, const job *j, uint64_t now_ns,
                                cuzk_error *err) {
    *outcome = (engine_outcome){.state = j->state,
                                .turned_away = j->turned_away,
                                .timings = cuzk_job_timings(j, now_ns),
                                .error = j->error};
    if (j->state != JOB_COMPLETED) {
        return CUZK_OK;
    }
    outcome->proof_bytes = (size_t)j->n_partitions * GROTH16_PROOF_BYTES;
    outcome->proof = malloc(outcome->proof_bytes);
    if (outcome->proof == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the proof");
    }
    memcpy(outcome->proof, j->proof, outcome->proof_bytes);
    return CUZK_OK;
}

cuzk_status cuzk_core_outcome_of(engine_outcome *outcome, const job *j, cuzk_error *err) {
    CUZK_ASSERT(job_ended(j));
    return copy_outcome(outcome, j, j->ended_ns, err);
}

static cuzk_status find_job(const engine *e, job **j, const char *id, cuzk_error *err) {
    *j = cuzk_job_find(e->table, id);
    return *j != NULL ? CUZK_OK : cuzk_fail(err, CUZK_E_INPUT, "job not found: %s", id);
}

/* Somebody in cuzk_core_await. */
typedef struct await_call {
    engine *engine;
    engine_outcome *outcome;
    cuzk_error *err;
    cuzk_status status;
    bool done;
} await_call;

static void await_done(void *arg, const job *j) {
    await_call *call = arg;
    call->status = cuzk_core_outcome_of(call->outcome, j, call->err);
    call->done = true;
    pthread_cond_broadcast(&call->engine->changed);
}

cuzk_status cuzk_core_await(engine *e, engine_outcome *outcome, const char *id, uint64_t timeout_ns,
                            cuzk_error *err) {
    *outcome = (engine_outcome){0};
    job *j;
    pthread_mutex_lock(&e->mutex);
    cuzk_status status = find_job(e, &j, id, err);
    if (status == CUZK_OK) {
        await_call call = {.engine = e, .outcome = outcome, .err = err};
        job_waiter waiter = {.notify = await_done, .arg = &call};
        uint64_t due_ns = clock_after(cuzk_engine_now(e), timeout_ns);
        cuzk_job_watch(j, &waiter);
        while (!call.done && cuzk_engine_now(e) < due_ns) {
            sleep_until(e, due_ns);
        }
        status = call.status;
        if (!call.done) {
            cuzk_job_leave(&waiter, cuzk_engine_now(e));
            status = copy_outcome(outcome, j, cuzk_engine_now(e), err);
            pthread_cond_broadcast(&e->changed); /* the dispatcher counts from here */
        }
    }
    pthread_mutex_unlock(&e->mutex);
    return status;
}

cuzk_status cuzk_core_watch(engine *e, job_waiter *waiter, const char *id, cuzk_error *err) {
    job *j;
    pthread_mutex_lock(&e->mutex);
    cuzk_status status = find_job(e, &j, id, err);
    if (status == CUZK_OK) {
        cuzk_job_watch(j, waiter);
    }
    pthread_mutex_unlock(&e->mutex);
    return status;
}

void cuzk_core_leave(engine *e, job_waiter *waiter) {
    pthread_mutex_lock(&e->mutex);
    cuzk_job_leave(waiter, cuzk_engine_now(e));
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->mutex);
}

void cuzk_core_cancel(engine *e, const char *id, bool *was_running) {
    pthread_mutex_lock(&e->mutex);
    job *j = cuzk_job_find(e->table, id);
    *was_running = false;
    if (j != NULL && !job_ended(j)) {
        cuzk_error error;
        cuzk_fail(&error, CUZK_E_CANCELLED, "cancelled");
        *was_running = j->state >= JOB_PARSING;
        cuzk_engine_cancel_job(e, j, &error);
    }
    pthread_mutex_unlock(&e->mutex);
}

void cuzk_core_set_max_waiting(engine *e, unsigned max_waiting) {
    pthread_mutex_lock(&e->mutex);
    cuzk_pacer_set_target(&e->pacer, cuzk_engine_now(e), max_waiting);
    e->paced_until_ns = 0;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->mutex);
}

/* ---- the whole ---- */

static bool any_alive(const engine *e) {
    for (const job *j = cuzk_job_oldest(e->table); j != NULL; j = j->newer) {
        if (!job_ended(j)) {
            return true;
        }
    }
    return false;
}

/* All living jobs, or those that have not begun. */
static void cancel_living(engine *e, bool begun_too) {
    cuzk_error error;
    cuzk_fail(&error, CUZK_E_CANCELLED, "the engine is shutting down");
    for (job *j = cuzk_job_oldest(e->table); j != NULL; j = j->newer) {
        if (!job_ended(j) && (begun_too || !j->started)) {
            j->turned_away = true;
            cuzk_engine_cancel_job(e, j, &error);
        }
    }
}

void cuzk_core_shutdown(engine *e, uint64_t drain_ns) {
    pthread_mutex_lock(&e->mutex);
    e->closing = true;
    uint64_t due_ns = clock_after(cuzk_engine_now(e), drain_ns);
    cancel_living(e, false);
    while (any_alive(e) && cuzk_engine_now(e) < due_ns) {
        sleep_until(e, due_ns);
    }
    cancel_living(e, true);
    while (e->n_tasks != 0) {
        pthread_cond_wait(&e->changed, &e->mutex);
    }
    pthread_mutex_unlock(&e->mutex);
}

void cuzk_core_look(engine *e, engine_report *report) {
    pthread_mutex_lock(&e->mutex);
    uint64_t now_ns = cuzk_engine_now(e);
    *report = (engine_report){.uptime_ns = now_ns - e->created_ns,
                              .queue_depth = queue_depth(e),
                              .n_held = e->n_tasks,
                              .n_retries = e->n_retries};
    cuzk_job_count(&report->counters, e->table);
    for (const job *j = e->open.first; j != NULL; j = j->queue_next) {
        report->synthesizing += cuzk_job_count_partitions(j, PARTITION_SYNTHESIZING);
        report->synth_done += cuzk_job_count_partitions(j, PARTITION_SYNTH_DONE);
        report->proving += cuzk_job_count_partitions(j, PARTITION_PROVING);
    }
    for (unsigned i = 0; i < ENGINE_PROVERS; i++) {
        const worker *w = &e->workers[i];
        report->provers[i] = (engine_prover_report){.critical = w->critical};
        if (w->job != NULL) {
            report->provers[i].serial = w->job->serial;
            report->provers[i].partition = w->partition;
            report->provers[i].busy_ns = now_ns - w->since_ns;
        }
    }
    pthread_mutex_unlock(&e->mutex);
}

/* Whether a worker before the i-th works on the same job. */
static bool shown_before(const engine *e, unsigned i) {
    for (unsigned k = 0; k < i; k++) {
        if (atomic_load(&e->workers[k].shown) &&
            strcmp(e->workers[k].shown_id, e->workers[i].shown_id) == 0) {
            return true;
        }
    }
    return false;
}

size_t cuzk_core_running(const engine *e, char out[ENGINE_RUNNING_CHARS]) {
    size_t len = 0;
    for (unsigned i = 0; i < e->n_workers && e->workers != NULL; i++) {
        const worker *w = &e->workers[i];
        const size_t n = strnlen(w->shown_id, sizeof w->shown_id - 1);
        if (!atomic_load(&w->shown) || shown_before(e, i) || len + n + 3 > ENGINE_RUNNING_CHARS) {
            continue;
        }
        if (len != 0) {
            memcpy(out + len, ", ", 2);
            len += 2;
        }
        memcpy(out + len, w->shown_id, n);
        len += n;
    }
    out[len] = '\0';
    return len;
}

void cuzk_core_visit(engine *e, void (*fn)(void *arg, const job *j, uint64_t now_ns), void *arg) {
    pthread_mutex_lock(&e->mutex);
    uint64_t now_ns = cuzk_engine_now(e);
    for (const job *j = cuzk_job_oldest(e->table); j != NULL; j = j->newer) {
        fn(arg, j, now_ns);
    }
    pthread_mutex_unlock(&e->mutex);
}
