/* Waiting, order and eviction on top of an account. */
#include "engine/budget.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* One thread in cuzk_budget_acquire. */
typedef struct waiter {
    cuzk_priority priority;
    struct waiter *next;
} waiter;

struct budget {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    budget_options options;
    cuzk_account *account; /* counts what is used against the total */
    size_t ordinary_bytes; /* of it, below CUZK_CRITICAL */
    size_t kept_bytes;     /* of it, by what stays */
    size_t request_bytes;  /* of that, of the share for requests */
    size_t overflow_bytes; /* of what is kept, by requests beyond their share */
    waiter *waiters;       /* in order of service */
    unsigned n_waiting;
    uint64_t n_changes; /* releases and pokes */
};

cuzk_status cuzk_budget_create(budget **b, const budget_options *options, cuzk_error *err) {
    CUZK_ASSERT(options->critical_bytes <= options->total_bytes &&
                options->request_bytes <= options->total_bytes - options->critical_bytes);
    budget *new = calloc(1, sizeof *new);
    *b = new;
    if (new == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a budget");
    }
    cuzk_status status = cuzk_account_create(&new->account, options->total_bytes, err);
    if (status != CUZK_OK) {
        free(new);
        *b = NULL;
        return status;
    }
    new->options = *options;
    pthread_mutex_init(&new->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&new->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return CUZK_OK;
}

void cuzk_budget_destroy(budget *b) {
    if (b == NULL) {
        return;
    }
    CUZK_ASSERT(b->waiters == NULL && b->kept_bytes == 0);
    cuzk_account_destroy(b->account);
    cuzk_blocks_trim(0);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    free(b);
}

/* ---- taking and giving back, under the lock ---- */

/* What work of a priority may use in all. */
static size_t share(const budget *b, cuzk_priority priority) {
    size_t total = b->options.total_bytes - b->options.request_bytes;
    return priority == CUZK_CRITICAL ? total : total - b->options.critical_bytes;
}

/* Of what work may use, the bytes that are free. */
static size_t free_for(const budget *b, cuzk_priority priority) {
    size_t work_bytes = cuzk_account_used(b->account) - b->request_bytes;
    size_t free_bytes = share(b, CUZK_CRITICAL) - work_bytes;
    size_t ordinary = share(b, CUZK_NORMAL) - b->ordinary_bytes;
    return priority != CUZK_CRITICAL && ordinary < free_bytes ? ordinary : free_bytes;
}

/* n bytes that are free; memory that freed blocks left makes room. */
static void charge(budget *b, size_t n) {
    CUZK_ASSERT(cuzk_account_reserve(b->account, n, "budget", NULL) == CUZK_OK);
    cuzk_blocks_trim(b->options.total_bytes - cuzk_account_used(b->account));
}

static bool take(budget *b, budget_hold *hold, size_t n, cuzk_priority priority) {
    bool critical = priority == CUZK_CRITICAL;
    if (n > free_for(b, priority)) {
        return false;
    }
    charge(b, n);
    b->ordinary_bytes += critical ? 0 : n;
    *hold = (budget_hold){.budget = b, .len_bytes = n, .critical = critical};
    return true;
}

static void give_back(budget_hold *hold, size_t n) {
    budget *b = hold->budget;
    CUZK_ASSERT(n <= hold->len_bytes);
    cuzk_account_release(b->account, n);
    hold->len_bytes -= n;
    b->ordinary_bytes -= hold->critical || hold->request ? 0 : n;
    b->request_bytes -= hold->request ? n : 0;
    b->overflow_bytes -= hold->overflow ? n : 0;
    b->kept_bytes -= hold->kept ? n : 0;
    b->n_changes++;
    pthread_cond_broadcast(&b->changed);
}

/* ---- waiting ---- */

static void enqueue(budget *b, waiter *w) {
    waiter **at = &b->waiters;
    while (*at != NULL && (*at)->priority >= w->priority) {
        at = &(*at)->next;
    }
    w->next = *at;
    *at = w;
    b->n_waiting++;
}

static void dequeue(budget *b, const waiter *w) {
    waiter **at = &b->waiters;
    while (*at != w) {
        at = &(*at)->next;
    }
    *at = w->next;
    b->n_waiting--;
    pthread_cond_broadcast(&b->changed); /* the next one's turn */
}

/* Sleeps until something changes; at most a second, after which cached things may have become old
 * enough to go. */
static void sleep_on(budget *b) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    pthread_cond_timedwait(&b->changed, &b->mutex, &until);
}

/* Asks the evictor, without the lock. Whether it is worth trying again at once. */
static bool evict(budget *b, size_t n, cuzk_priority priority) {
    if (b->options.evict == NULL) {
        return false;
    }
    size_t missing = n - free_for(b, priority);
    bool nothing_ends = cuzk_account_used(b->account) == b->kept_bytes;
    uint64_t n_changes = b->n_changes;
    pthread_mutex_unlock(&b->mutex);
    size_t freed = b->options.evict(b->options.evict_arg, missing, nothing_ends);
    pthread_mutex_lock(&b->mutex);
    return freed != 0 || b->n_changes != n_changes;
}

/* The head of the queue goes on until it has its bytes; the others sleep. */
static cuzk_status wait_for(budget *b, budget_hold *hold, const waiter *w, size_t n,
                            const cuzk_cancel *cancel, const char *what, cuzk_error *err) {
    const cuzk_ctx flag = {.cancel = cancel};
    while (!cuzk_ctx_cancelled(&flag)) {
        if (b->waiters != w) {
            sleep_on(b);
        } else if (take(b, hold, n, w->priority)) {
            return CUZK_OK;
        } else if (!evict(b, n, w->priority)) {
            sleep_on(b);
        }
    }
    return cuzk_fail(err, CUZK_E_CANCELLED, "%s: cancelled while waiting for memory", what);
}

#define GIB 1073741824.0

cuzk_status cuzk_budget_check(const budget *b, size_t n, cuzk_priority priority, const char *what,
                              cuzk_error *err) {
    size_t most = share(b, priority);
    if (n > most) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY,
                         "%s needs %.2f GiB, budget is %.2f GiB (%zu of %zu bytes)", what,
                         (double)n / GIB, (double)most / GIB, n, most);
    }
    return CUZK_OK;
}

cuzk_status cuzk_budget_acquire(budget *b, budget_hold *hold, size_t n, cuzk_priority priority,
                                const cuzk_cancel *cancel, const char *what, cuzk_error *err) {
    *hold = (budget_hold){0};
    cuzk_status status = cuzk_budget_check(b, n, priority, what, err);
    if (status != CUZK_OK || n == 0) {
        return status;
    }
    waiter self = {.priority = priority};
    pthread_mutex_lock(&b->mutex);
    enqueue(b, &self);
    status = wait_for(b, hold, &self, n, cancel, what, err);
    dequeue(b, &self);
    pthread_mutex_unlock(&b->mutex);
    return status;
}

/* Under the lock. */
static bool try_to_take(budget *b, budget_hold *hold, size_t n, cuzk_priority priority) {
    bool first = b->waiters == NULL || b->waiters->priority < priority;
    return first && take(b, hold, n, priority);
}

bool cuzk_budget_try(budget *b, budget_hold *hold, size_t n, cuzk_priority priority) {
    *hold = (budget_hold){0};
    if (n == 0) {
        return true;
    }
    pthread_mutex_lock(&b->mutex);
    bool taken = try_to_take(b, hold, n, priority);
    pthread_mutex_unlock(&b->mutex);
    return taken;
}

/* Under the lock. */
static bool take_overflow(budget *b, budget_hold *hold, size_t n) {
    if (n > b->options.critical_bytes / 2 - b->overflow_bytes ||
        !try_to_take(b, hold, n, CUZK_CRITICAL)) {
        return false;
    }
    hold->overflow = true;
    b->overflow_bytes += n;
    return true;
}

bool cuzk_budget_take_request(budget *b, budget_hold *hold, size_t n, bool may_overflow) {
    *hold = (budget_hold){0};
    if (n == 0) {
        return true;
    }
    pthread_mutex_lock(&b->mutex);
    bool taken = n <= b->options.request_bytes - b->request_bytes;
    if (taken) {
        charge(b, n);
        b->request_bytes += n;
        *hold = (budget_hold){.budget = b, .len_bytes = n, .request = true};
    } else if (may_overflow) {
        taken = take_overflow(b, hold, n);
    }
    if (taken) {
        hold->kept = true;
        b->kept_bytes += n;
    }
    pthread_mutex_unlock(&b->mutex);
    return taken;
}

void cuzk_budget_release(budget_hold *hold, size_t n) {
    if (n != 0) {
        budget *b = hold->budget;
        pthread_mutex_lock(&b->mutex);
        give_back(hold, n);
        pthread_mutex_unlock(&b->mutex);
    }
}

void cuzk_budget_drop(budget_hold *hold) {
    cuzk_budget_release(hold, hold->len_bytes);
    *hold = (budget_hold){0};
}

void cuzk_budget_keep(budget_hold *hold) {
    if (hold->len_bytes == 0 || hold->kept) {
        return;
    }
    budget *b = hold->budget;
    pthread_mutex_lock(&b->mutex);
    hold->kept = true;
    b->kept_bytes += hold->len_bytes;
    b->n_changes++;
    pthread_cond_broadcast(&b->changed); /* perhaps nothing ends any more */
    pthread_mutex_unlock(&b->mutex);
}

void cuzk_budget_poke(budget *b) {
    pthread_mutex_lock(&b->mutex);
    b->n_changes++;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

budget_report cuzk_budget_look(budget *b) {
    pthread_mutex_lock(&b->mutex);
    budget_report report = {.total_bytes = b->options.total_bytes,
                            .used_bytes = cuzk_account_used(b->account),
                            .peak_bytes = cuzk_account_peak(b->account),
                            .kept_bytes = b->kept_bytes,
                            .request_bytes = b->request_bytes,
                            .n_waiting = b->n_waiting};
    pthread_mutex_unlock(&b->mutex);
    return report;
}
