/* The memory budget: who may take how much of the account's limit, who waits, what must go
 * (engine.md 15). It does not allocate: a job's blocks are charged to an account of their own,
 * whose limit is what was taken here. Thread-safe. */
#ifndef CUZK_ENGINE_BUDGET_H
#define CUZK_ENGINE_BUDGET_H

#include "base/pool.h"

typedef struct budget budget;

typedef struct budget_options {
    size_t total_bytes;
    size_t critical_bytes; /* of the total: only for CUZK_CRITICAL */
    size_t request_bytes;  /* of the total, beside those: only for the bytes of requests */
    /* Frees cached things and gives back what they held, at least `bytes` if there is that much;
     * returns the bytes freed. even_recent: also what was used a moment ago, since without it
     * nothing would ever go on. Called without a lock, by one thread at a time. May be NULL. */
    size_t (*evict)(void *arg, size_t bytes, bool even_recent);
    void *evict_arg;
} budget_options;

cuzk_status cuzk_budget_create(budget **b, const budget_options *options, cuzk_error *err);
void cuzk_budget_destroy(budget *b); /* accepts NULL; asserts that everything was given back */

/* A part of the budget in somebody's hands; zeroed: nothing. */
typedef struct budget_hold {
    budget *budget;
    size_t len_bytes;
    bool critical, kept, request, overflow;
} budget_hold;

/* Takes n bytes. If they are not free: evicts, then waits. Those who wait are served by priority,
 * then in the order they came; nobody overtakes, so a large request is not starved by small ones.
 * Fails, leaving *hold empty: CUZK_E_NO_MEMORY at once if n could never fit ("WHAT needs N GiB,
 * budget is M GiB"; below CUZK_CRITICAL without critical_bytes), CUZK_E_CANCELLED (after `cancel`,
 * which may be NULL, was set and cuzk_budget_poke called). */
cuzk_status cuzk_budget_acquire(budget *b, budget_hold *hold, size_t n, cuzk_priority priority,
                                const cuzk_cancel *cancel, const char *what, cuzk_error *err);
/* Takes n bytes if they are free and nobody waits before; evicts nothing. */
bool cuzk_budget_try(budget *b, budget_hold *hold, size_t n, cuzk_priority priority);
/* Takes n bytes for a request, as kept: from their share, or if that is used up and the request may
 * overflow, from what is free for CUZK_CRITICAL, unless work of that priority waits for it; at most
 * critical_bytes / 2 by all such requests, so that work always finds the rest. Never waits; false
 * if there is no room, *hold is empty then. */
bool cuzk_budget_take_request(budget *b, budget_hold *hold, size_t n, bool may_overflow);
/* Whether n bytes could ever be taken; fails as cuzk_budget_acquire. */
cuzk_status cuzk_budget_check(const budget *b, size_t n, cuzk_priority priority, const char *what,
                              cuzk_error *err);
/* Gives back n of what is held. */
void cuzk_budget_release(budget_hold *hold, size_t n);
/* Gives back all of it; accepts an empty one. */
void cuzk_budget_drop(budget_hold *hold);
/* From now on held by something that stays (a cache, a request's bytes), not by work that ends:
 * waiting for it alone would be in vain. */
void cuzk_budget_keep(budget_hold *hold);
/* Those who wait look again: at their cancel flag, and at what can be evicted. */
void cuzk_budget_poke(budget *b);

typedef struct budget_report {
    size_t total_bytes, used_bytes, peak_bytes;
    size_t kept_bytes;    /* part of used_bytes */
    size_t request_bytes; /* part of kept_bytes: of their share */
    unsigned n_waiting;
} budget_report;
budget_report cuzk_budget_look(budget *b);

#endif
