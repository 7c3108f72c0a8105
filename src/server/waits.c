/* Waiting calls.
 *
 * Locks: the engine calls `notify` under its own and takes ours inside; so does the transport with
 * a call's. We call neither under ours. */
#include "server/waits.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

struct call_wait {
    waits *all;
    rpc_call *call;
    wait_answer answer;
    job_waiter waiter;
    char job_id[JOB_ID_MAX + 1];
    uint64_t until_ns;
    bool notified, gone; /* what has come; looked at once it is among the started ones */
    engine_outcome outcome;
    cuzk_status copied;     /* whether the outcome could be */
    call_wait *prev, *next; /* among the started ones */
};

struct waits {
    engine *engine;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    call_wait *first; /* started, and not being answered */
    bool news;        /* flags have been set: look through all */
    bool stopping;
};

/* ---- what comes, from other threads ---- */

static void on_notify(void *arg, const job *j) {
    call_wait *x = arg;
    engine_outcome outcome = {0};
    cuzk_status copied = cuzk_core_outcome_of(&outcome, j, NULL);
    pthread_mutex_lock(&x->all->mutex);
    x->outcome = outcome;
    x->copied = copied;
    strcpy(x->job_id, j->id);
    x->notified = true;
    x->all->news = true;
    pthread_cond_signal(&x->all->changed);
    pthread_mutex_unlock(&x->all->mutex);
}

static void on_gone(void *arg) {
    call_wait *x = arg;
    pthread_mutex_lock(&x->all->mutex);
    x->gone = true;
    x->all->news = true;
    pthread_cond_signal(&x->all->changed);
    pthread_mutex_unlock(&x->all->mutex);
}

/* ---- the thread ---- */

static void leave_list(call_wait *x) {
    *(x->prev != NULL ? &x->prev->next : &x->all->first) = x->next;
    if (x->next != NULL) {
        x->next->prev = x->prev;
    }
}

/* Without the lock; x is in no list. */
static void finish(call_wait *x) {
    waits *w = x->all;
    cuzk_core_leave(w->engine, &x->waiter); /* after it, no notify */
    pthread_mutex_lock(&w->mutex);
    bool notified = x->notified, gone = x->gone;
    pthread_mutex_unlock(&w->mutex);
    if (!notified && gone) {
        cuzk_rpc_fail(x->call, RPC_CANCELLED, "the client has gone away");
    } else if (!notified) {
        x->answer(x->call, x->job_id, NULL);
    } else if (x->copied != CUZK_OK) {
        cuzk_rpc_fail(x->call, RPC_INTERNAL, "no memory for the result of job %s", x->job_id);
    } else if (x->outcome.turned_away) {
        cuzk_rpc_fail(x->call, RPC_UNAVAILABLE, "%s", x->outcome.error.text);
    } else {
        x->answer(x->call, x->job_id, &x->outcome);
    }
    cuzk_core_outcome_clear(&x->outcome);
    free(x);
}

/* One that can be answered, out of the list; or *next_ns, when one's time is up. */
static call_wait *find_due(waits *w, uint64_t now_ns, uint64_t *next_ns) {
    *next_ns = CLOCK_NEVER;
    for (call_wait *x = w->first; x != NULL; x = x->next) {
        if (x->notified || x->gone || x->until_ns <= now_ns) {
            leave_list(x);
            return x;
        }
        *next_ns = x->until_ns < *next_ns ? x->until_ns : *next_ns;
    }
    return NULL;
}

static void sleep_until(waits *w, uint64_t until_ns) {
    if (until_ns == CLOCK_NEVER) {
        pthread_cond_wait(&w->changed, &w->mutex);
        return;
    }
    const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                                   .tv_nsec = (long)(until_ns % NS_PER_S)};
    pthread_cond_timedwait(&w->changed, &w->mutex, &until);
}

static void *run(void *arg) {
    waits *w = arg;
    pthread_mutex_lock(&w->mutex);
    while (!w->stopping) {
        uint64_t next_ns;
        w->news = false;
        call_wait *due = find_due(w, cuzk_wall_ns(), &next_ns);
        if (due != NULL) {
            pthread_mutex_unlock(&w->mutex);
            finish(due);
            pthread_mutex_lock(&w->mutex);
        } else if (!w->news) {
            sleep_until(w, next_ns);
        }
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* ---- waits ---- */

cuzk_status cuzk_wait_prepare(call_wait **started, waits *w, rpc_call *call, wait_answer answer,
                              cuzk_error *err) {
    call_wait *x = calloc(1, sizeof *x);
    *started = NULL;
    if (x == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a call");
    }
    x->all = w;
    x->call = call;
    x->answer = answer;
    x->waiter = (job_waiter){.notify = on_notify, .arg = x};
    if (!rpc_on_gone(call, on_gone, x)) {
        cuzk_rpc_fail(call, RPC_CANCELLED, "the client has gone away");
        free(x);
        return CUZK_OK;
    }
    *started = x;
    return CUZK_OK;
}

job_waiter *cuzk_wait_waiter(call_wait *started) { return &started->waiter; }

void cuzk_wait_start(call_wait *x, const char *job_id, uint64_t timeout_ns) {
    waits *w = x->all;
    pthread_mutex_lock(&w->mutex);
    x->until_ns = clock_after(cuzk_wall_ns(), timeout_ns);
    if (!x->notified) {
        strcpy(x->job_id, job_id);
    }
    x->next = w->first;
    if (x->next != NULL) {
        x->next->prev = x;
    }
    w->first = x;
    w->news = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

void cuzk_wait_abandon(call_wait *x, rpc_code code, const char *text) {
    cuzk_rpc_fail(x->call, code, "%s", text); /* after it, no on_gone */
    free(x);
}

cuzk_status cuzk_waits_create(waits **w, engine *e, cuzk_error *err) {
    waits *new = calloc(1, sizeof *new);
    *w = new;
    if (new == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a server");
    }
    new->engine = e;
    pthread_mutex_init(&new->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&new->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    int failure = pthread_create(&new->thread, NULL, run, new);
    if (failure != 0) {
        pthread_cond_destroy(&new->changed);
        pthread_mutex_destroy(&new->mutex);
        free(new);
        *w = NULL;
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "cannot start a thread: %s", strerror(failure));
    }
    return CUZK_OK;
}

void cuzk_waits_destroy(waits *w) {
    if (w == NULL) {
        return;
    }
    pthread_mutex_lock(&w->mutex);
    CUZK_ASSERT(w->first == NULL);
    w->stopping = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}
