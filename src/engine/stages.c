/* What is done with a job between its place in the queue and its end: it is opened, its partitions
 * are synthesised, proved and verified. Each step is called under the engine's lock, which it gives
 * up while it works. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/engine_internal.h"
#include "engine/proof_kinds.h"

static bool belongs(const job *j, bool critical) {
    return (j->priority == CUZK_CRITICAL) == critical;
}

static void show_job(worker *w, const job *j) {
    size_t n = 0;
    for (; j->id[n] != '\0' && n < sizeof w->shown_id - 1; n++) {
        const char c = j->id[n];
        w->shown_id[n] = c < ' ' || c > '~' || c == '"' || c == '\\' ? '_' : c;
    }
    w->shown_id[n] = '\0';
    atomic_store(&w->shown, true);
}

static void begin_step(worker *w, job *j, unsigned partition) {
    show_job(w, j);
    task_of(j)->n_steps++;
    w->job = j;
    w->partition = partition;
    w->since_ns = cuzk_engine_now(w->engine);
}

static cuzk_ctx context(const worker *w, cuzk_account *account) {
    return (cuzk_ctx){.pool = w->engine->options.pool,
                      .priority = w->job->priority,
                      .cancel = &task_of(w->job)->cancel,
                      .account = account};
}

/* Where the time of an attempt at a proof went. */
typedef struct attempt_times {
    groth16_timing proof;
    uint64_t verify_ns;
} attempt_times;

/* Without the lock. took_ns: 0, or how long what ends here has taken; times: NULL, or of what. */
static void tell(const worker *w, engine_event_kind kind, uint64_t took_ns,
                 const attempt_times *times) {
    const engine *e = w->engine;
    if (e->options.on_event == NULL) {
        return;
    }
    const engine_event event = {.kind = kind,
                                .job_id = w->job->id,
                                .serial = w->job->serial,
                                .proof_kind = w->job->kind,
                                .partition = w->partition,
                                .prover =
                                    kind >= ENGINE_PROVE_PICKUP ? (unsigned)(w - e->workers) : 0,
                                .at_ns = cuzk_engine_now(e) - e->created_ns,
                                .took_ns = took_ns,
                                .timing = times != NULL ? &times->proof : NULL,
                                .verify_ns = times != NULL ? times->verify_ns : 0};
    e->options.on_event(e->options.event_arg, &event);
}

/* Without the lock: how a step of a partition ended. */
static void log_step(const worker *w, cuzk_status status, const char *step, uint64_t took_ns,
                     const cuzk_error *error) {
    const cuzk_log_field fields[] = {log_text("job_id", w->job->id),
                                     log_number("partition", w->partition),
                                     log_number("took_ms", took_ns / NS_PER_MS)};
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "engine", fields, 3, "partition %s complete", step);
    } else if (status != CUZK_E_CANCELLED) {
        cuzk_log(CUZK_LOG_WARN, "engine", fields, 3, "partition %s failed: %s", step, error->text);
    }
}

/* ---- opening ---- */

static job *pick_ready(const engine *e, bool critical) {
    uint64_t now_ns = cuzk_engine_now(e);
    job *best = NULL;
    for (job *j = e->ready.first; j != NULL; j = j->queue_next) {
        if (belongs(j, critical) && (best == NULL || cuzk_job_before(j, best, now_ns))) {
            best = j;
        }
    }
    return best;
}

/* Splits the opened job, if there can be so many partitions and they can ever have their memory. */
static cuzk_status plan_job(const engine *e, job *j, cuzk_error *err) {
    task *t = task_of(j);
    cuzk_status status = cuzk_budget_check(e->options.budget, t->plan.partition_bytes, j->priority,
                                           "a partition", err);
    if (status == CUZK_OK) {
        status = cuzk_job_split(j, t->plan.n_partitions, err);
    }
    if (status == CUZK_OK) {
        t->slots = calloc(t->plan.n_partitions, sizeof *t->slots);
        status =
            t->slots != NULL ? CUZK_OK : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    return status;
}

/* ---- partitions that were finished before ---- */

/* Proofs of an earlier process, for a job of several partitions; zeroed: none. */
typedef struct recalled {
    unsigned n;
    bool *found;     /* n */
    uint8_t *proofs; /* n * GROTH16_PROOF_BYTES */
} recalled;

static bool has_store(const worker *w, unsigned n_partitions) {
    return w->engine->options.work->recall != NULL && n_partitions > 1 &&
           n_partitions <= JOB_PARTITIONS_MAX;
}

static void clear_recalled(recalled *r) {
    free(r->found);
    free(r->proofs);
}

/* Without the lock. Whether there is a good one, which *proof is then. */
static bool recall_one(const worker *w, uint8_t proof[GROTH16_PROOF_BYTES], const cuzk_ctx *ctx,
                       unsigned partition) {
    const engine_work *work = w->engine->options.work;
    void *opened = task_of(w->job)->opened;
    cuzk_error error;
    if (!work->recall(work->arg, proof, opened, w->job->digest, partition)) {
        return false;
    }
    const cuzk_status status = work->verify(work->arg, ctx, opened, partition, proof, &error);
    const cuzk_log_field fields[] = {log_text("job_id", w->job->id),
                                     log_number("partition", partition)};
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "engine", fields, 2, "partition finished before");
    } else if (status != CUZK_E_CANCELLED) {
        cuzk_log(CUZK_LOG_WARN, "engine", fields, 2, "a stored partition is bad: %s", error.text);
        work->forget(work->arg, opened, w->job->digest, partition);
    }
    return status == CUZK_OK;
}

/* Without the lock. Without memory for it, everything is proved. */
static void recall_all(const worker *w, recalled *r, const cuzk_ctx *ctx) {
    const unsigned n = task_of(w->job)->plan.n_partitions;
    if (!has_store(w, n)) {
        return;
    }
    r->found = calloc(n, sizeof *r->found);
    r->proofs = calloc(n, GROTH16_PROOF_BYTES);
    for (unsigned i = 0; r->found != NULL && r->proofs != NULL && i < n; i++) {
        r->found[i] = recall_one(w, r->proofs + (size_t)i * GROTH16_PROOF_BYTES, ctx, i);
        r->n = n;
    }
}

/* Without the lock: the job's proof is complete. */
static void forget_all(const worker *w) {
    const engine_work *work = w->engine->options.work;
    const job *j = w->job;
    for (unsigned i = 0; has_store(w, j->n_partitions) && i < j->n_partitions; i++) {
        work->forget(work->arg, task_of(j)->opened, j->digest, i);
    }
}

/* Gives the lock up meanwhile; the worker's step keeps the job. */
static void log_completed(const worker *w) {
    const job *j = w->job;
    const cuzk_log_field fields[] = {
        log_text("job_id", j->id), log_number("num_partitions", j->n_partitions),
        log_number("total_ms", (j->ended_ns - j->submitted_ns) / NS_PER_MS)};
    pthread_mutex_unlock(&w->engine->mutex);
    cuzk_log(CUZK_LOG_INFO, "engine", fields, 3,
             "all partitions complete, proof assembled; %s proof self-check PASSED",
             cuzk_kind_names[j->kind].title);
    forget_all(w);
    pthread_mutex_lock(&w->engine->mutex);
}

/* Of a job that has just been split. */
static void place_recalled(const worker *w, const recalled *r) {
    job *j = w->job;
    for (unsigned i = 0; i < r->n; i++) {
        if (r->found[i]) {
            cuzk_job_place_stored(j, i, r->proofs + (size_t)i * GROTH16_PROOF_BYTES);
        }
    }
    if (cuzk_job_all_placed(j)) {
        cuzk_engine_complete_job(w->engine, j);
        log_completed(w);
    }
}

bool cuzk_engine_open_step(worker *w) {
    engine *e = w->engine;
    job *j = pick_ready(e, w->critical);
    if (j == NULL) {
        return false;
    }
    const engine_work *work = e->options.work;
    task *t = task_of(j);
    cuzk_error error;
    begin_step(w, j, 0);
    cuzk_job_queue_append(&e->open, j);
    cuzk_job_enter(j, JOB_PARSING, w->since_ns);
    cuzk_ctx ctx = context(w, NULL);
    pthread_mutex_unlock(&e->mutex);
    cuzk_status status = work->open(work->arg, &t->opened, &ctx, t->request, &error);
    uint64_t opened_ns = cuzk_engine_now(e);
    if (status == CUZK_OK) {
        status = work->load(work->arg, &t->plan, &ctx, t->opened, &error);
    }
    const uint64_t loaded_ns = cuzk_engine_now(e);
    recalled before = {0};
    if (status == CUZK_OK) {
        recall_all(w, &before, &ctx);
    }
    pthread_mutex_lock(&e->mutex);
    j->parameters_ns = loaded_ns - opened_ns;
    if (!job_ended(j)) {
        if (status == CUZK_OK) {
            status = plan_job(e, j, &error);
        }
        if (status == CUZK_OK) {
            cuzk_job_enter(j, JOB_RUNNING, cuzk_engine_now(e));
            place_recalled(w, &before);
        } else {
            cuzk_engine_fail_job(e, j, &error);
        }
    }
    cuzk_engine_end_step(w);
    clear_recalled(&before);
    return true;
}

/* ---- partitions ---- */

/* The first unclaimed partition of a job in that state; false if there is none. */
static bool first_partition(const job *j, unsigned *partition, partition_state state) {
    const slot *slots = task_of(j)->slots;
    for (unsigned i = 0; i < j->n_partitions; i++) {
        if (j->partitions[i].state == state && !slots[i].claimed) {
            *partition = i;
            return true;
        }
    }
    return false;
}

bool cuzk_engine_pick(engine *e, engine_item *item, bool critical, partition_state state) {
    uint64_t now_ns = cuzk_engine_now(e);
    *item = (engine_item){0};
    for (job *j = e->open.first; j != NULL; j = j->queue_next) {
        unsigned partition;
        if (belongs(j, critical) && (item->job == NULL || cuzk_job_before(j, item->job, now_ns)) &&
            first_partition(j, &partition, state)) {
            *item = (engine_item){j, partition};
        }
    }
    return item->job != NULL;
}

/* Partitions between the beginning of synthesis and the end of proving. */
static unsigned count_on_their_way(const engine *e, bool critical) {
    unsigned n = 0;
    for (const job *j = e->open.first; j != NULL; j = j->queue_next) {
        for (unsigned i = 0; belongs(j, critical) && i < j->n_partitions; i++) {
            partition_state state = j->partitions[i].state;
            n += task_of(j)->slots[i].claimed ||
                 (state > PARTITION_PENDING && state < PARTITION_DONE);
        }
    }
    return n;
}

/* Partitions that wait for a prover which is not for critical jobs. */
static unsigned count_waiting(const engine *e) {
    unsigned n = 0;
    for (const job *j = e->open.first; j != NULL; j = j->queue_next) {
        for (unsigned i = 0; belongs(j, false) && i < j->n_partitions; i++) {
            n += j->partitions[i].state == PARTITION_SYNTH_DONE;
        }
    }
    return n;
}

/* Whether the pacer lets a partition go; if not, who waits is told when it will. */
static bool may_go(worker *w, unsigned n_on_their_way) {
    engine *e = w->engine;
    const uint64_t now_ns = cuzk_engine_now(e);
    const uint64_t due_ns = w->critical ? 0 : cuzk_pacer_due_ns(&e->pacer, now_ns, n_on_their_way);
    if (due_ns <= now_ns) {
        return true;
    }
    if (e->paced_until_ns != due_ns) {
        e->paced_until_ns = due_ns;
        pthread_cond_broadcast(&e->changed);
    }
    return false;
}

static void claim(worker *w, const engine_item *item) {
    begin_step(w, item->job, item->partition);
    task_of(item->job)->slots[item->partition].claimed = true;
}

static void unclaim(worker *w, slot *s) {
    s->claimed = false;
    cuzk_engine_end_step(w);
}

/* ---- synthesis ---- */

/* Fails: CUZK_E_CANCELLED when there is something more urgent, or nothing to do any more. */
static cuzk_status take_memory(worker *w, slot *s, cuzk_error *err) {
    engine *e = w->engine;
    size_t n = task_of(w->job)->plan.partition_bytes;
    atomic_store(&w->yield.flag, false);
    w->wait_class = cuzk_job_class(w->job, cuzk_engine_now(e));
    w->waits_for_memory = true;
    pthread_mutex_unlock(&e->mutex);
    cuzk_status status = cuzk_budget_acquire(e->options.budget, &s->hold, n, w->wait_class,
                                             &w->yield, "a partition", err);
    if (status == CUZK_OK) {
        status = cuzk_account_create(&s->account, n, err);
    }
    pthread_mutex_lock(&e->mutex);
    w->waits_for_memory = false;
    return status;
}

static cuzk_status synthesise(worker *w, slot *s, cuzk_error *err) {
    engine *e = w->engine;
    const engine_work *work = e->options.work;
    job *j = w->job;
    void *opened = task_of(j)->opened;
    uint64_t start_ns = cuzk_engine_now(e);
    j->started = true;
    cuzk_job_partition_enter(j, w->partition, PARTITION_SYNTHESIZING, start_ns);
    cuzk_ctx ctx = context(w, s->account);
    pthread_mutex_unlock(&e->mutex);
    tell(w, ENGINE_SYNTH_START, 0, NULL);
    cuzk_status status = work->synthesise(work->arg, &s->witness, &ctx, opened, w->partition, err);
    uint64_t took_ns = cuzk_engine_now(e) - start_ns;
    tell(w, ENGINE_SYNTH_END, took_ns, NULL);
    log_step(w, status, "synthesis", took_ns, err);
    if (status == CUZK_OK) {
        tell(w, ENGINE_PROVE_QUEUE, 0, NULL);
    } else {
        cuzk_error_prefix(err, "partition %u synthesis failed: ", w->partition);
    }
    pthread_mutex_lock(&e->mutex);
    return status;
}

bool cuzk_engine_synthesis_step(worker *w) {
    engine *e = w->engine;
    engine_item item;
    if (!cuzk_engine_pick(e, &item, w->critical, PARTITION_PENDING)) {
        return false;
    }
    const unsigned n_on_their_way = count_on_their_way(e, w->critical);
    if (n_on_their_way > task_of(item.job)->plan.lookahead || !may_go(w, n_on_their_way)) {
        return false;
    }
    slot *s = &task_of(item.job)->slots[item.partition];
    cuzk_error error;
    claim(w, &item);
    cuzk_status status = take_memory(w, s, &error);
    bool made_way = status == CUZK_E_CANCELLED;
    if (!made_way && !w->critical) {
        cuzk_pacer_released(&e->pacer, cuzk_engine_now(e), count_waiting(e));
    }
    if (status == CUZK_OK && !job_ended(item.job)) {
        status = synthesise(w, s, &error);
    }
    if (!job_ended(item.job) && status == CUZK_OK) {
        cuzk_job_partition_enter(item.job, item.partition, PARTITION_SYNTH_DONE,
                                 cuzk_engine_now(e));
    } else if (!job_ended(item.job) && !made_way) {
        error.partition = item.partition;
        cuzk_engine_fail_job(e, item.job, &error);
    }
    unclaim(w, s);
    return true;
}

/* ---- proving and verifying ---- */

/* Without the lock, of the partition that is being proved; its job is verified when all its other
 * partitions are. */
static void show_verifying(worker *w, bool verifying) {
    engine *e = w->engine;
    job *j = w->job;
    pthread_mutex_lock(&e->mutex);
    j->partitions[w->partition].verify_start_ns = verifying ? cuzk_engine_now(e) : 0;
    if (j->state == (verifying ? JOB_RUNNING : JOB_VERIFYING) &&
        cuzk_job_count_partitions(j, PARTITION_DONE) + 1 == j->n_partitions) {
        cuzk_job_enter(j, verifying ? JOB_VERIFYING : JOB_RUNNING, cuzk_engine_now(e));
    }
    pthread_mutex_unlock(&e->mutex);
}

/* Without the lock. */
static void count_retry(engine *e) {
    pthread_mutex_lock(&e->mutex);
    e->n_retries++;
    pthread_mutex_unlock(&e->mutex);
}

static void log_bad(const worker *w, unsigned attempt, const cuzk_error *error) {
    cuzk_log(CUZK_LOG_WARN, "engine",
             CUZK_LOG_FIELDS(log_text("job_id", w->job->id), log_number("partition", w->partition),
                             log_number("attempt", attempt + 1)),
             "partition proof is bad, proving it again: %s", error->text);
}

static cuzk_status attempt_proof(worker *w, uint8_t proof[GROTH16_PROOF_BYTES],
                                 attempt_times *times, const cuzk_ctx *ctx, void *witness,
                                 bool last, cuzk_error *err) {
    const engine_work *work = w->engine->options.work;
    void *opened = task_of(w->job)->opened;
    tell(w, ENGINE_PROVE_START, 0, NULL);
    *times = (attempt_times){0};
    cuzk_status status =
        work->prove(work->arg, proof, &times->proof, ctx, opened, witness, w->partition, last, err);
    if (status != CUZK_OK) {
        cuzk_error_prefix(err, "partition %u GPU prove failed: ", w->partition);
        return status;
    }
    show_verifying(w, true);
    const uint64_t start_ns = cuzk_engine_now(w->engine);
    status = work->verify(work->arg, ctx, opened, w->partition, proof, err);
    times->verify_ns = cuzk_engine_now(w->engine) - start_ns;
    if (status != CUZK_OK) {
        cuzk_error_prefix(err, "%s proof self-check failed: partition %u: ",
                          cuzk_kind_names[w->job->kind].title, w->partition);
    }
    return status;
}

/* Without the lock. No back end makes a good proof: *err says whether the input is why. */
static void diagnose(const worker *w, const cuzk_ctx *ctx, const void *witness, cuzk_error *err) {
    const engine_work *work = w->engine->options.work;
    cuzk_error found;
    if (work->diagnose == NULL) {
        return;
    }
    const cuzk_status status =
        work->diagnose(work->arg, ctx, task_of(w->job)->opened, witness, w->partition, &found);
    const char *why =
        status == CUZK_OK ? "input and witness are good, the prover is at fault" : found.text;
    const cuzk_error bad = *err;
    cuzk_fail(err, bad.status, "%.380s; %.380s", bad.text, why);
}

/* Without the lock. The same witness again while the proof is bad or the prover at fault. */
static cuzk_status prove_and_verify(worker *w, uint8_t proof[GROTH16_PROOF_BYTES],
                                    attempt_times *times, const cuzk_ctx *ctx, void *witness,
                                    cuzk_error *err) {
    unsigned n_retries = w->engine->options.n_retries;
    for (unsigned attempt = 0;; attempt++) {
        bool last = attempt == n_retries && attempt != 0;
        cuzk_status status = attempt_proof(w, proof, times, ctx, witness, last, err);
        const bool bad = status == CUZK_E_PROOF_INVALID || status == CUZK_E_INTERNAL;
        if (!bad || attempt == n_retries) {
            if (status == CUZK_E_PROOF_INVALID || status == CUZK_E_INCONSISTENT) {
                diagnose(w, ctx, witness, err);
            }
            return status;
        }
        log_bad(w, attempt, err);
        count_retry(w->engine);
        show_verifying(w, false);
    }
}

static void place_proof(engine *e, job *j, unsigned partition, const uint8_t *proof) {
    cuzk_error error;
    cuzk_status status =
        cuzk_job_place_proof(j, partition, proof, GROTH16_PROOF_BYTES, cuzk_engine_now(e), &error);
    if (status != CUZK_OK) {
        cuzk_engine_fail_job(e, j, &error);
    } else if (cuzk_job_all_placed(j)) {
        cuzk_engine_complete_job(e, j);
    }
}

/* Without the lock. Whether the partition is the last that its job waits for. */
static bool is_last(const worker *w) {
    const job *j = w->job;
    pthread_mutex_lock(&w->engine->mutex);
    const bool last =
        !job_ended(j) && cuzk_job_count_partitions(j, PARTITION_DONE) + 1 == j->n_partitions;
    pthread_mutex_unlock(&w->engine->mutex);
    return last;
}

/* Without the lock. The last one completes the job: nothing of it is needed any more then. */
static void keep_proof(const worker *w, const uint8_t proof[GROTH16_PROOF_BYTES]) {
    const engine_work *work = w->engine->options.work;
    const task *t = task_of(w->job);
    if (has_store(w, t->plan.n_partitions) && !is_last(w)) {
        work->keep(work->arg, t->opened, w->job->digest, w->partition, proof);
    }
}

bool cuzk_engine_proving_step(worker *w) {
    engine *e = w->engine;
    engine_item item;
    if (!cuzk_engine_pick(e, &item, w->critical, PARTITION_SYNTH_DONE)) {
        return false;
    }
    job *j = item.job;
    slot *s = &task_of(j)->slots[item.partition];
    uint8_t proof[GROTH16_PROOF_BYTES];
    cuzk_error error;
    claim(w, &item);
    cuzk_job_partition_enter(j, item.partition, PARTITION_PROVING, w->since_ns);
    cuzk_ctx ctx = context(w, s->account);
    pthread_mutex_unlock(&e->mutex);
    tell(w, ENGINE_PROVE_PICKUP, 0, NULL);
    attempt_times times;
    cuzk_status status = prove_and_verify(w, proof, &times, &ctx, s->witness, &error);
    uint64_t took_ns = cuzk_engine_now(e) - w->since_ns;
    tell(w, ENGINE_PROVE_END, took_ns, &times);
    if (status == CUZK_OK) {
        keep_proof(w, proof);
    }
    log_step(w, status, "GPU prove", took_ns, &error);
    cuzk_engine_clear_slot(e, s);
    pthread_mutex_lock(&e->mutex);
    if (!w->critical) {
        cuzk_pacer_proved(&e->pacer, cuzk_engine_now(e), count_waiting(e), took_ns);
    }
    if (!job_ended(j) && status == CUZK_OK) {
        place_proof(e, j, item.partition, proof);
        if (j->state == JOB_COMPLETED) {
            log_completed(w);
        }
    } else if (!job_ended(j)) {
        error.partition = item.partition;
        cuzk_engine_fail_job(e, j, &error);
    }
    unclaim(w, s);
    return true;
}
