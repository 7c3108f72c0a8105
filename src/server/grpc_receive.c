/* Who may receive, and for how long: slots for large messages, and those who wait for one.
 *
 * gRPC does not say how much of a message has come, so what counts is how long it takes: a sender
 * that stands still, or nearly, is cut off only when others wait for its slot. Some slots are kept
 * for when the others do not come free: a short message behind slow ones is soon let in there. */
#include <malloc.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/grpc_internal.h"

#define MOST_PATIENCE_NS NS_PER_S /* that a call has before it gets a spare slot */
#define SPARE_SHARE 4             /* one slot in so many is spare */
#define TRIM_DELAY_NS                                                                              \
    (NS_PER_S / 2) /* calls without a message cost a client nothing: not each trims */

/* ---- lists ---- */

void cuzk_rpc_list_insert(call_list *list, call *at, call *c) {
    c->list = list;
    c->next = at;
    c->prev = at != NULL ? at->prev : list->last;
    *(c->prev != NULL ? &c->prev->next : &list->first) = c;
    *(at != NULL ? &at->prev : &list->last) = c;
}

void cuzk_rpc_list_leave(call *c) {
    call_list *list = c->list;
    *(c->prev != NULL ? &c->prev->next : &list->first) = c->next;
    *(c->next != NULL ? &c->next->prev : &list->last) = c->prev;
    c->list = NULL;
    c->prev = c->next = NULL;
}

call *cuzk_rpc_list_take(call_list *list) {
    call *c = list->first;
    if (c != NULL) {
        cuzk_rpc_list_leave(c);
    }
    return c;
}

/* ---- slots; under the lock ---- */

void cuzk_rpc_slots_init(rpc_server *s, unsigned n_slots, uint64_t timeout_ns) {
    s->n_slots = n_slots;
    s->n_ordinary = n_slots > 1 ? n_slots - (n_slots + SPARE_SHARE - 1) / SPARE_SHARE : n_slots;
    s->receive_timeout_ns = timeout_ns == 0 ? CLOCK_NEVER : timeout_ns;
    s->patience_ns = s->receive_timeout_ns / 30;
    s->patience_ns = s->patience_ns < MOST_PATIENCE_NS ? s->patience_ns : MOST_PATIENCE_NS;
    s->trim_due_ns = CLOCK_NEVER;
}

static void give_slot(rpc_server *s, call *c) {
    s->n_receiving++;
    c->has_slot = true;
    c->since_ns = cuzk_wall_ns();
    cuzk_rpc_list_insert(&s->receiving, NULL, c);
}

/* The next call on hold, with a slot, if fewer than n of them are in use; else NULL. */
static call *let_in(rpc_server *s, unsigned n) {
    call *c = s->n_receiving < n ? cuzk_rpc_list_take(&s->held) : NULL;
    if (c != NULL) {
        give_slot(s, c);
    }
    return c;
}

/* ---- the calls ---- */

bool cuzk_rpc_take_slot(rpc_server *s, call *c) {
    pthread_mutex_lock(&s->mutex);
    const bool taken = s->n_receiving < s->n_ordinary;
    if (taken) {
        give_slot(s, c);
    } else {
        c->since_ns = cuzk_wall_ns();
        cuzk_rpc_list_insert(&s->held, NULL, c);
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    return taken;
}

void cuzk_rpc_free_slot(rpc_server *s, call *c) {
    call *next = NULL;
    pthread_mutex_lock(&s->mutex);
    if (c->list == &s->receiving) {
        cuzk_rpc_list_leave(c);
    }
    if (c->has_slot) {
        c->has_slot = false;
        s->n_receiving--;
        next = let_in(s, s->n_ordinary);
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    if (next != NULL) {
        cuzk_rpc_call_receive(next);
    }
}

void cuzk_rpc_queue_bulk(rpc_server *s, call *c) {
    size_t len_bytes = grpc_byte_buffer_length(c->incoming);
    pthread_mutex_lock(&s->mutex);
    if (c->list == &s->receiving) {
        cuzk_rpc_list_leave(c);
    }
    call *at = s->received.first;
    while (at != NULL && grpc_byte_buffer_length(at->incoming) <= len_bytes) {
        at = at->next;
    }
    cuzk_rpc_list_insert(&s->received, at, c);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void cuzk_rpc_trim_soon(rpc_server *s) {
    pthread_mutex_lock(&s->mutex);
    if (s->trim_due_ns == CLOCK_NEVER) {
        s->trim_due_ns = clock_after(cuzk_wall_ns(), TRIM_DELAY_NS);
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
}

/* ---- the watch over them ---- */

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* When somebody who waits is to be let in, somebody who receives cut off, or the heap trimmed. */
static uint64_t next_due(const rpc_server *s) {
    uint64_t due_ns = s->trim_due_ns;
    if (s->held.first != NULL && s->n_receiving < s->n_slots) {
        due_ns = clock_after(s->held.first->since_ns, s->patience_ns);
    }
    if (s->held.first != NULL && s->receiving.first != NULL) {
        due_ns = sooner(due_ns, clock_after(s->receiving.first->since_ns, s->receive_timeout_ns));
    }
    return due_ns;
}

static void sleep_until(rpc_server *s, uint64_t due_ns) {
    if (due_ns == CLOCK_NEVER) {
        pthread_cond_wait(&s->changed, &s->mutex);
    } else {
        const struct timespec t = {.tv_sec = (time_t)(due_ns / NS_PER_S),
                                   .tv_nsec = (long)(due_ns % NS_PER_S)};
        pthread_cond_timedwait(&s->changed, &s->mutex, &t);
    }
}

/* What is due, without the lock meanwhile. */
static void act(rpc_server *s, uint64_t now_ns) {
    call *held = s->held.first, *slow = s->receiving.first;
    if (now_ns >= s->trim_due_ns) {
        s->trim_due_ns = CLOCK_NEVER;
        pthread_mutex_unlock(&s->mutex);
        malloc_trim(0);
    } else if (s->n_receiving < s->n_slots &&
               now_ns >= clock_after(held->since_ns, s->patience_ns)) {
        held = let_in(s, s->n_slots);
        pthread_mutex_unlock(&s->mutex);
        cuzk_rpc_call_receive(held);
    } else {
        cuzk_rpc_list_leave(slow); /* cut off once */
        cuzk_rpc_call_keep(slow);
        pthread_mutex_unlock(&s->mutex);
        cuzk_rpc_call_cut_off(slow);
    }
    pthread_mutex_lock(&s->mutex);
}

void *cuzk_rpc_watch_receiving(void *arg) {
    rpc_server *s = arg;
    pthread_mutex_lock(&s->mutex);
    while (!s->stopping) {
        const uint64_t due_ns = next_due(s), now_ns = cuzk_wall_ns();
        if (due_ns > now_ns) {
            sleep_until(s, due_ns);
        } else {
            act(s, now_ns);
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}
