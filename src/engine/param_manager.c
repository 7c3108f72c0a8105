/* Who holds which parameters, who waits for them, and what goes. How one circuit's are loaded:
 * param_load.c. */
#include "engine/param_manager.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/param_load.h"

#define LOOK_NS (100 * NS_PER_MS) /* how often who waits looks at its cancel flag */

typedef enum entry_state { LOADING, READY, FAILED } entry_state;

/* One circuit's parameters. */
typedef struct entry {
    param_set set;
    entry_state state;
    param_load load;
    budget_hold hold;
    size_t planned_bytes;          /* of the hold, from when it is asked for */
    size_t work_bytes;             /* of load, once it is planned */
    bool hot, doomed;              /* doomed: goes with its last user */
    unsigned n_users, n_joined;    /* joined: waiting for the load of somebody else */
    uint64_t last_used_ns, idle_s; /* idle_s: when it was told to make room */
    cuzk_error error;              /* of FAILED, which is in no list */
    struct entry *next;
} entry;

/* One call of acquire. */
typedef struct seeker {
    cuzk_priority priority;
    bool wants_memory;
    struct seeker *next;
} seeker;

struct param_manager {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    param_manager_options options;
    char *directory;
    param_set *hot;
    entry *entries;
    seeker *seekers; /* by priority, then arrival */
    param_counters counters;
};

static uint64_t now_ns(const param_manager *m) {
    return m->options.now_ns != NULL ? m->options.now_ns(m->options.clock_arg) : cuzk_wall_ns();
}

/* ---- creating and destroying ---- */

static cuzk_status copy_options(param_manager *m, const param_manager_options *options,
                                cuzk_error *err) {
    m->options = *options;
    if (m->options.backend == NULL) {
        m->options.backend = &cuzk_groth16_cpu_backend;
    }
    m->directory = strdup(options->directory);
    m->hot = calloc(options->n_keep_hot + 1, sizeof *m->hot);
    if (m->directory == NULL || m->hot == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for parameters");
    }
    m->options.directory = m->directory;
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < options->n_keep_hot; i++) {
        status = cuzk_param_set_by_id(&m->hot[i], options->keep_hot[i], err);
    }
    return status;
}

cuzk_status cuzk_param_manager_create(param_manager **created, const param_manager_options *options,
                                      cuzk_error *err) {
    param_manager *m = calloc(1, sizeof *m);
    *created = NULL;
    if (m == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for parameters");
    }
    pthread_mutex_init(&m->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&m->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    cuzk_status status = copy_options(m, options, err);
    if (status != CUZK_OK) {
        cuzk_param_manager_destroy(m);
        return status;
    }
    *created = m;
    return CUZK_OK;
}

/* Without the lock. */
static void destroy_entry(entry *e) {
    cuzk_param_unload(&e->load);
    cuzk_budget_drop(&e->hold);
    free(e);
}

static void destroy_list(entry *list) {
    while (list != NULL) {
        entry *e = list;
        list = e->next;
        destroy_entry(e);
    }
}

void cuzk_param_manager_destroy(param_manager *m) {
    if (m == NULL) {
        return;
    }
    for (const entry *e = m->entries; e != NULL; e = e->next) {
        CUZK_ASSERT(e->state == READY && e->n_users == 0);
    }
    destroy_list(m->entries);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->mutex);
    free(m->hot);
    free(m->directory);
    free(m);
}

/* ---- entries; under the lock from here on, unless said otherwise ---- */

static entry *find(const param_manager *m, const param_set *set) {
    entry *e = m->entries;
    while (e != NULL && strcmp(e->set.id, set->id) != 0) {
        e = e->next;
    }
    return e;
}

static void unlink_entry(param_manager *m, entry *e) {
    entry **at = &m->entries;
    while (*at != e) {
        at = &(*at)->next;
    }
    *at = e->next;
    e->next = NULL;
}

static bool is_hot(const param_manager *m, const param_set *set) {
    for (size_t i = 0; i < m->options.n_keep_hot; i++) {
        if (strcmp(m->hot[i].id, set->id) == 0) {
            return true;
        }
    }
    return false;
}

/* Nobody uses it, or is about to, having waited for its load. */
static bool is_unused(const entry *e) {
    return e->state == READY && e->n_users == 0 && e->n_joined == 0;
}

static uint64_t idle_ns(const param_manager *m, const entry *e) {
    return is_unused(e) ? now_ns(m) - e->last_used_ns : 0;
}

/* Sleeps until something changes, or it is time to look at a cancel flag. */
static void sleep_on(param_manager *m) {
    const uint64_t until = cuzk_wall_ns() + LOOK_NS;
    const struct timespec t = {.tv_sec = (time_t)(until / NS_PER_S),
                               .tv_nsec = (long)(until % NS_PER_S)};
    pthread_cond_timedwait(&m->changed, &m->mutex, &t);
}

static cuzk_status fail_cancelled(const param_set *set, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled while waiting for the parameters of %s",
                     set->id);
}

/* ---- order ---- */

static void enqueue(param_manager *m, seeker *self) {
    seeker **at = &m->seekers;
    while (*at != NULL && (*at)->priority >= self->priority) {
        at = &(*at)->next;
    }
    self->next = *at;
    *at = self;
}

static void dequeue(param_manager *m, const seeker *self) {
    seeker **at = &m->seekers;
    while (*at != self) {
        at = &(*at)->next;
    }
    *at = self->next;
    pthread_cond_broadcast(&m->changed);
}

/* Whether somebody of the same or a higher priority waits for memory. Who took parameters
 * meanwhile could come to wait for memory behind him, and he for those parameters. */
static bool must_wait(const param_manager *m, const seeker *self) {
    for (const seeker *s = m->seekers; s != NULL; s = s->next) {
        if (s != self && s->wants_memory && s->priority >= self->priority) {
            return true;
        }
    }
    return false;
}

/* The same for those who wait for memory themselves: one after the other. */
static bool is_behind(const param_manager *m, const seeker *self) {
    for (const seeker *s = m->seekers; s != self; s = s->next) {
        if (s->wants_memory) {
            return true;
        }
    }
    return false;
}

/* ---- room ---- */

/* Whether e may be used beside what cannot be evicted: the sum of those parameters and the memory
 * of the largest partition that is proved with any of them must fit, since else their users could
 * wait for each other. hot_alone: if nobody used any. Fails: CUZK_E_NO_MEMORY. */
static cuzk_status has_room(const param_manager *m, const entry *e, size_t n,
                            cuzk_priority priority, bool hot_alone, cuzk_error *err) {
    size_t ordinary = n, all = n, work = e->work_bytes;
    char what[80];
    for (const entry *o = m->entries; o != NULL; o = o->next) {
        const bool used = !hot_alone && (o->n_users != 0 || o->state == LOADING);
        if (o != e && (o->hot || used)) {
            const size_t held = size_larger(o->hold.len_bytes, o->planned_bytes);
            all += held;
            ordinary += o->hold.critical ? 0 : held;
            work = size_larger(work, used ? o->work_bytes : 0);
        }
    }
    snprintf(what, sizeof what, "%s with its parameters%s", e->set.id,
             hot_alone ? " beside those kept hot" : "");
    cuzk_status status = cuzk_budget_check(m->options.budget, all + work, CUZK_CRITICAL, what, err);
    return status == CUZK_OK && priority != CUZK_CRITICAL
               ? cuzk_budget_check(m->options.budget, ordinary + work, priority, what, err)
               : status;
}

/* Takes the memory of e, if need be after those who use other parameters. The budget, where nobody
 * overtakes, is asked only when there is room beside them: else they could come to wait there
 * behind this. Fails: CUZK_E_NO_MEMORY when it could never fit, CUZK_E_CANCELLED. */
static cuzk_status take_memory(param_manager *m, seeker *self, entry *e, size_t n,
                               const cuzk_ctx *ctx, cuzk_error *err) {
    char what[64];
    snprintf(what, sizeof what, "the parameters of %s", e->set.id);
    cuzk_status status = has_room(m, e, n, self->priority, true, err);
    if (status != CUZK_OK) {
        return status;
    }
    self->wants_memory = true;
    while (!cuzk_ctx_cancelled(ctx) &&
           (is_behind(m, self) || has_room(m, e, n, self->priority, false, NULL) != CUZK_OK)) {
        sleep_on(m);
    }
    if (cuzk_ctx_cancelled(ctx)) {
        status = fail_cancelled(&e->set, err);
    } else {
        budget_hold hold;
        e->planned_bytes = n;
        pthread_mutex_unlock(&m->mutex);
        status = cuzk_budget_acquire(m->options.budget, &hold, n, self->priority, ctx->cancel, what,
                                     err);
        cuzk_budget_keep(&hold);
        pthread_mutex_lock(&m->mutex);
        e->hold = hold;
    }
    self->wants_memory = false;
    pthread_cond_broadcast(&m->changed);
    return status;
}

/* ---- loading ---- */

/* Without the lock but for the memory. */
static cuzk_status load_entry(param_manager *m, seeker *self, entry *e, const cuzk_ctx *ctx,
                              cuzk_error *err) {
    pthread_mutex_unlock(&m->mutex);
    size_t n;
    cuzk_status status =
        cuzk_param_load_plan(&e->load, &n, ctx, &m->options, &e->set, self->priority, err);
    pthread_mutex_lock(&m->mutex);
    if (status == CUZK_OK) {
        e->work_bytes = e->load.work_bytes;
        status = take_memory(m, self, e, n, ctx, err);
    }
    pthread_mutex_unlock(&m->mutex);
    if (status == CUZK_OK) {
        status = cuzk_param_load_run(&e->load, ctx, &m->options, &e->set, err);
    }
    pthread_mutex_lock(&m->mutex);
    return status;
}

/* The load failed: those who joined it fail likewise, except that one who gives up speaks for
 * himself alone. */
static void fail_entry(param_manager *m, entry *e, cuzk_status status, const cuzk_error *error) {
    unlink_entry(m, e);
    e->state = FAILED;
    e->error = *error;
    e->error.status = status;
    pthread_mutex_unlock(&m->mutex);
    cuzk_param_unload(&e->load);
    cuzk_budget_drop(&e->hold);
    pthread_mutex_lock(&m->mutex);
    pthread_cond_broadcast(&m->changed);
    while (e->n_joined != 0) {
        pthread_cond_wait(&m->changed, &m->mutex);
    }
    free(e);
}

static cuzk_status load(param_manager *m, entry **loaded, seeker *self, const cuzk_ctx *ctx,
                        const param_set *set, cuzk_error *err) {
    entry *e = calloc(1, sizeof *e);
    cuzk_error error;
    *loaded = NULL;
    if (e == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for parameters");
    }
    e->set = *set;
    e->hot = is_hot(m, set);
    e->next = m->entries;
    m->entries = e;
    const uint64_t start_ns = now_ns(m);
    cuzk_status status = load_entry(m, self, e, ctx, &error);
    if (status != CUZK_OK) {
        fail_entry(m, e, status, &error);
        if (err != NULL) {
            *err = error;
        }
        return status;
    }
    e->state = READY;
    e->last_used_ns = now_ns(m);
    m->counters.n_loads++;
    m->counters.load_ns += now_ns(m) - start_ns;
    pthread_cond_broadcast(&m->changed);
    *loaded = e;
    return CUZK_OK;
}

/* Waits for somebody else's load. */
static cuzk_status join(param_manager *m, entry *e, const cuzk_ctx *ctx, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    e->n_joined++;
    while (e->state == LOADING && !cuzk_ctx_cancelled(ctx)) {
        sleep_on(m);
    }
    if (e->state == FAILED && e->error.status != CUZK_E_CANCELLED) {
        status = e->error.status;
        if (err != NULL) {
            *err = e->error;
        }
    }
    e->n_joined--;
    if (is_unused(e)) {
        cuzk_budget_poke(m->options.budget); /* if this one gives up, it may be evicted now */
    }
    pthread_cond_broadcast(&m->changed);
    return status;
}

/* ---- use ---- */

static void give(param_use *use, entry *e) {
    const param_load *load = &e->load;
    e->n_users++;
    *use = (param_use){.set = &e->set,
                       .pk = cuzk_srs_params_pk(load->keys.params),
                       .pvk = load->keys.pvk,
                       .densities = &load->keys.densities,
                       .key = load->key,
                       .local = load->keys.local,
                       .work_bytes = load->work_bytes,
                       .entry = e};
}

/* Takes what is there, if there is room for its use. *use stays empty if not yet. */
static cuzk_status take_ready(param_manager *m, param_use *use, seeker *self, entry *e,
                              cuzk_error *err) {
    const size_t n = e->hold.len_bytes;
    if (e->n_users != 0 || has_room(m, e, n, self->priority, false, NULL) == CUZK_OK) {
        give(use, e);
        return CUZK_OK;
    }
    self->wants_memory = true;
    return has_room(m, e, n, self->priority, true, err);
}

static cuzk_status seek(param_manager *m, param_use *use, seeker *self, const cuzk_ctx *ctx,
                        const param_set *set, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    while (status == CUZK_OK && use->entry == NULL) {
        entry *e = find(m, set);
        if (cuzk_ctx_cancelled(ctx)) {
            return fail_cancelled(set, err);
        }
        if (self->wants_memory ? is_behind(m, self) : must_wait(m, self)) {
            sleep_on(m);
        } else if (e == NULL) {
            self->wants_memory = false;
            status = load(m, &e, self, ctx, set, err);
            if (status == CUZK_OK) { /* its turn has come: who waits must not take it away */
                give(use, e);
            }
        } else if (e->state == LOADING) {
            self->wants_memory = false;
            status = join(m, e, ctx, err);
        } else if (e->doomed && e->n_users != 0) {
            sleep_on(m);
        } else {
            status = take_ready(m, use, self, e, err);
            if (status == CUZK_OK && use->entry == NULL) {
                sleep_on(m);
            }
        }
    }
    return status;
}

cuzk_status cuzk_param_acquire(param_manager *m, param_use *use, const cuzk_ctx *ctx,
                               const param_set *set, cuzk_error *err) {
    seeker self = {.priority = ctx->priority};
    *use = (param_use){0};
    pthread_mutex_lock(&m->mutex);
    enqueue(m, &self);
    cuzk_status status = seek(m, use, &self, ctx, set, err);
    dequeue(m, &self);
    pthread_mutex_unlock(&m->mutex);
    return status;
}

void cuzk_param_release(param_manager *m, param_use *use) {
    entry *e = use->entry;
    if (e == NULL) {
        return;
    }
    pthread_mutex_lock(&m->mutex);
    CUZK_ASSERT(e->n_users != 0);
    e->last_used_ns = now_ns(m);
    const bool last = --e->n_users == 0;
    const bool goes = e->doomed && is_unused(e);
    if (goes) {
        unlink_entry(m, e);
        m->counters.n_evictions++;
    }
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
    if (goes) {
        destroy_entry(e);
    }
    if (last) {
        cuzk_budget_poke(m->options.budget); /* who waits there may have it evicted now */
    }
    *use = (param_use){0};
}

bool cuzk_param_is_resident(param_manager *m, const param_set *set) {
    pthread_mutex_lock(&m->mutex);
    const entry *e = find(m, set);
    const bool resident = e != NULL && e->state == READY && !e->doomed;
    pthread_mutex_unlock(&m->mutex);
    return resident;
}

/* ---- orders from outside ---- */

static cuzk_status find_set(param_set *set, const char *id, cuzk_error *err) {
    return cuzk_param_set_by_id(set, id, NULL) == CUZK_OK
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_RANGE, "unknown circuit ID: %s", id);
}

cuzk_status cuzk_param_preload(param_manager *m, bool *already, uint64_t *load_ns,
                               const cuzk_ctx *ctx, const char *id, cuzk_error *err) {
    param_set set;
    param_use use;
    *already = false;
    *load_ns = 0;
    cuzk_status status = find_set(&set, id, err);
    if (status == CUZK_OK) {
        const uint64_t start_ns = now_ns(m);
        cuzk_ctx own = *ctx;
        own.priority = set.kind == CIRCUIT_WINNING ? CUZK_CRITICAL : ctx->priority;
        *already = cuzk_param_is_resident(m, &set);
        status = cuzk_param_acquire(m, &use, &own, &set, err);
        *load_ns = *already ? 0 : now_ns(m) - start_ns;
    }
    if (status == CUZK_OK) {
        cuzk_param_release(m, &use);
    }
    return status;
}

cuzk_status cuzk_param_evict(param_manager *m, bool *was_loaded, uint64_t *freed_bytes,
                             const char *id, cuzk_error *err) {
    param_set set;
    *was_loaded = false;
    *freed_bytes = 0;
    cuzk_status status = find_set(&set, id, err);
    if (status != CUZK_OK) {
        return status;
    }
    entry *gone = NULL;
    pthread_mutex_lock(&m->mutex);
    entry *e = find(m, &set);
    if (e != NULL && is_unused(e)) {
        unlink_entry(m, e);
        m->counters.n_evictions++;
        *freed_bytes = e->hold.len_bytes;
        gone = e;
    } else if (e != NULL) {
        e->doomed = true;
    }
    *was_loaded = e != NULL;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
    destroy_list(gone);
    return CUZK_OK;
}

void cuzk_param_set_min_idle(param_manager *m, uint64_t min_idle_ns) {
    pthread_mutex_lock(&m->mutex);
    m->options.min_idle_ns = min_idle_ns;
    pthread_mutex_unlock(&m->mutex);
}

static bool may_go(const param_manager *m, const entry *e, bool even_recent) {
    return is_unused(e) && !e->hot && (even_recent || idle_ns(m, e) >= m->options.min_idle_ns);
}

/* The one unused for longest that may go; NULL if there is none. */
static entry *next_victim(const param_manager *m, bool even_recent) {
    entry *oldest = NULL;
    for (entry *e = m->entries; e != NULL; e = e->next) {
        if (may_go(m, e, even_recent) &&
            (oldest == NULL || e->last_used_ns < oldest->last_used_ns)) {
            oldest = e;
        }
    }
    return oldest;
}

/* Without the lock. */
static void log_victim(const entry *e) {
    cuzk_log(CUZK_LOG_INFO, "engine",
             CUZK_LOG_FIELDS(log_text("circuit", e->set.id), log_number("bytes", e->hold.len_bytes),
                             log_number("idle_s", e->idle_s)),
             "parameters make room");
}

size_t cuzk_param_evict_idle(void *manager, size_t bytes, bool even_recent) {
    param_manager *m = manager;
    size_t freed = 0;
    entry *victims = NULL, *e;
    pthread_mutex_lock(&m->mutex);
    while (freed < bytes && (e = next_victim(m, even_recent)) != NULL) {
        freed += e->hold.len_bytes;
        e->idle_s = idle_ns(m, e) / NS_PER_S;
        unlink_entry(m, e);
        m->counters.n_evictions++;
        e->next = victims;
        victims = e;
    }
    pthread_mutex_unlock(&m->mutex);
    for (const entry *v = victims; v != NULL; v = v->next) {
        log_victim(v);
    }
    destroy_list(victims);
    return freed;
}

/* ---- reports ---- */

size_t cuzk_param_look(param_manager *m, param_report *reports, size_t room) {
    size_t n = 0;
    pthread_mutex_lock(&m->mutex);
    for (const entry *e = m->entries; e != NULL; e = e->next) {
        if (e->state == READY && n++ < room) {
            param_report *r = &reports[n - 1];
            *r = (param_report){.bytes = e->hold.len_bytes,
                                .idle_ns = idle_ns(m, e),
                                .n_users = e->n_users,
                                .evictable = may_go(m, e, false)};
            memcpy(r->circuit_id, e->set.id, sizeof r->circuit_id);
        }
    }
    pthread_mutex_unlock(&m->mutex);
    return n;
}

param_counters cuzk_param_count(param_manager *m) {
    pthread_mutex_lock(&m->mutex);
    const param_counters counters = m->counters;
    pthread_mutex_unlock(&m->mutex);
    return counters;
}
