/* LABELS: tsan */
/* The memory budget: taking, order of waiting, eviction, the critical share, cancellation. */
#include "engine/budget.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/support.h"

static budget *make_budget(size_t total, size_t critical) {
    budget *b;
    const budget_options options = {.total_bytes = total, .critical_bytes = critical};
    assert_int_equal(cuzk_budget_create(&b, &options, NULL), CUZK_OK);
    return b;
}

static budget_hold take(budget *b, size_t n, cuzk_priority priority) {
    budget_hold hold;
    assert_int_equal(cuzk_budget_acquire(b, &hold, n, priority, NULL, "test", NULL), CUZK_OK);
    return hold;
}

static void sleep_ms(unsigned ms) {
    struct timespec t = {.tv_nsec = (long)ms * 1000000};
    nanosleep(&t, NULL);
}

/* A thread that wants n bytes. */
typedef struct taker {
    budget *b;
    size_t n;
    cuzk_priority priority;
    cuzk_cancel cancel;
    pthread_t thread;
    budget_hold hold;
    cuzk_status status;
    cuzk_error err;
    atomic_uint *turn; /* counts those that were served */
    atomic_uint served;
} taker;

static void *run_taker(void *arg) {
    taker *t = arg;
    t->status =
        cuzk_budget_acquire(t->b, &t->hold, t->n, t->priority, &t->cancel, "taker", &t->err);
    atomic_store(&t->served, atomic_fetch_add(t->turn, 1) + 1);
    return NULL;
}

/* Starts it and returns when it waits. */
static void start_waiting(taker *t) {
    unsigned before = cuzk_budget_look(t->b).n_waiting;
    assert_int_equal(pthread_create(&t->thread, NULL, run_taker, t), 0);
    while (cuzk_budget_look(t->b).n_waiting == before) {
        sleep_ms(1);
    }
}

static void wait_served(taker *t, unsigned turn) {
    pthread_join(t->thread, NULL);
    assert_int_equal(t->status, CUZK_OK);
    assert_int_equal(atomic_load(&t->served), turn);
}

static void takes_and_gives_back(void **state) {
    (void)state;
    budget *b = make_budget(100, 0);
    budget_hold a = take(b, 60, CUZK_NORMAL), none = take(b, 0, CUZK_NORMAL), c;
    cuzk_budget_drop(&none);
    assert_false(cuzk_budget_try(b, &c, 41, CUZK_CRITICAL));
    assert_int_equal(c.len_bytes, 0);
    assert_true(cuzk_budget_try(b, &c, 40, CUZK_LOW));
    assert_int_equal(cuzk_budget_look(b).used_bytes, 100);
    cuzk_budget_release(&a, 50);
    assert_int_equal(a.len_bytes, 10);
    assert_int_equal(cuzk_budget_look(b).used_bytes, 50);
    cuzk_budget_keep(&c);
    assert_int_equal(cuzk_budget_look(b).kept_bytes, 40);
    cuzk_budget_release(&c, 10);
    assert_int_equal(cuzk_budget_look(b).kept_bytes, 30);
    cuzk_budget_drop(&a);
    cuzk_budget_drop(&a);
    assert_int_equal(cuzk_budget_look(b).used_bytes, 30);
    cuzk_budget_drop(&c);
    budget_report r = cuzk_budget_look(b);
    assert_int_equal(r.used_bytes, 0);
    assert_int_equal(r.kept_bytes, 0);
    assert_int_equal(r.peak_bytes, 100);
    cuzk_budget_destroy(b);
    cuzk_budget_destroy(NULL);
}

static void too_large_fails_at_once(void **state) {
    (void)state;
    const size_t gib = (size_t)1 << 30;
    budget *b = make_budget(10 * gib, gib / 2);
    budget_hold hold;
    cuzk_error err;
    assert_int_equal(
        cuzk_budget_acquire(b, &hold, 47 * gib, CUZK_CRITICAL, NULL, "porep-32g", &err),
        CUZK_E_NO_MEMORY);
    assert_non_null(strstr(err.text, "porep-32g needs 47.00 GiB, budget is 10.00 GiB"));
    assert_int_equal(cuzk_budget_acquire(b, &hold, 10 * gib, CUZK_HIGH, NULL, "snap-32g", &err),
                     CUZK_E_NO_MEMORY);
    assert_non_null(strstr(err.text, "snap-32g needs 10.00 GiB, budget is 9.50 GiB"));
    assert_int_equal(hold.len_bytes, 0);
    assert_int_equal(cuzk_budget_check(b, SIZE_MAX, CUZK_CRITICAL, "all", &err), CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_budget_check(b, 10 * gib, CUZK_CRITICAL, "all", &err), CUZK_OK);
    assert_false(cuzk_budget_try(b, &hold, SIZE_MAX, CUZK_CRITICAL));
    cuzk_budget_destroy(b);
}

static void a_share_is_kept_for_critical_work(void **state) {
    (void)state;
    budget *b = make_budget(100, 20);
    budget_hold a, c, d;
    assert_false(cuzk_budget_try(b, &a, 81, CUZK_HIGH));
    assert_true(cuzk_budget_try(b, &a, 80, CUZK_HIGH));
    assert_true(cuzk_budget_try(b, &c, 20, CUZK_CRITICAL));
    assert_false(cuzk_budget_try(b, &d, 1, CUZK_CRITICAL));
    cuzk_budget_drop(&a);
    /* Critical work may use the rest too. */
    assert_true(cuzk_budget_try(b, &d, 80, CUZK_CRITICAL));
    assert_false(cuzk_budget_try(b, &a, 1, CUZK_HIGH));
    cuzk_budget_drop(&c);
    assert_true(cuzk_budget_try(b, &a, 20, CUZK_HIGH));
    cuzk_budget_drop(&a);
    cuzk_budget_drop(&d);
    cuzk_budget_destroy(b);
}

static void waiters_are_served_in_order(void **state) {
    (void)state;
    budget *b = make_budget(100, 0);
    budget_hold all = take(b, 100, CUZK_NORMAL), late;
    atomic_uint turn = 0;
    taker large = {.b = b, .n = 90, .priority = CUZK_NORMAL, .turn = &turn};
    taker small = {.b = b, .n = 10, .priority = CUZK_NORMAL, .turn = &turn};
    taker low = {.b = b, .n = 5, .priority = CUZK_LOW, .turn = &turn};
    taker urgent = {.b = b, .n = 10, .priority = CUZK_CRITICAL, .turn = &turn};
    start_waiting(&low);
    start_waiting(&large);
    start_waiting(&small);
    start_waiting(&urgent);
    /* Enough for the small ones, but only the most urgent may go before the large one. */
    cuzk_budget_release(&all, 20);
    wait_served(&urgent, 1);
    sleep_ms(20);
    assert_int_equal(atomic_load(&turn), 1);
    assert_false(cuzk_budget_try(b, &late, 1, CUZK_NORMAL));
    assert_true(cuzk_budget_try(b, &late, 1, CUZK_HIGH));
    cuzk_budget_drop(&late);
    cuzk_budget_drop(&all);
    wait_served(&large, 2);
    sleep_ms(20);
    assert_int_equal(atomic_load(&turn), 2);
    cuzk_budget_drop(&urgent.hold);
    wait_served(&small, 3);
    cuzk_budget_drop(&large.hold);
    wait_served(&low, 4);
    cuzk_budget_drop(&small.hold);
    cuzk_budget_drop(&low.hold);
    cuzk_budget_destroy(b);
}

static void waiting_can_be_cancelled(void **state) {
    (void)state;
    budget *b = make_budget(100, 0);
    budget_hold all = take(b, 100, CUZK_NORMAL);
    atomic_uint turn = 0;
    taker first = {.b = b, .n = 50, .priority = CUZK_HIGH, .turn = &turn};
    taker second = {.b = b, .n = 10, .priority = CUZK_NORMAL, .turn = &turn};
    start_waiting(&first);
    start_waiting(&second);
    cuzk_budget_release(&all, 10); /* enough for the second, which may not overtake */
    cuzk_cancel_set(&first.cancel);
    cuzk_budget_poke(b);
    pthread_join(first.thread, NULL);
    assert_int_equal(first.status, CUZK_E_CANCELLED);
    assert_int_equal(first.hold.len_bytes, 0);
    pthread_join(second.thread, NULL);
    assert_int_equal(second.status, CUZK_OK);
    cuzk_budget_drop(&second.hold);
    cuzk_budget_drop(&all);
    cuzk_budget_destroy(b);
}

/* ---- eviction ---- */

/* Two cached things: one idle for long, one used a moment ago. */
typedef struct cache {
    budget_hold old, recent;
    unsigned n_calls;
    size_t asked;
} cache;

static size_t evict(void *arg, size_t bytes, bool even_recent) {
    cache *c = arg;
    c->n_calls++;
    c->asked = bytes;
    budget_hold *hold = c->old.len_bytes != 0 ? &c->old : even_recent ? &c->recent : NULL;
    size_t n = hold != NULL ? hold->len_bytes : 0;
    if (n != 0) {
        cuzk_budget_drop(hold);
    }
    return n;
}

static void caches_make_room(void **state) {
    (void)state;
    cache c = {0};
    budget *b;
    const budget_options options = {.total_bytes = 100, .evict = evict, .evict_arg = &c};
    assert_int_equal(cuzk_budget_create(&b, &options, NULL), CUZK_OK);
    c.old = take(b, 30, CUZK_NORMAL);
    c.recent = take(b, 60, CUZK_NORMAL);
    cuzk_budget_keep(&c.old);
    cuzk_budget_keep(&c.recent);
    budget_hold a = take(b, 10, CUZK_NORMAL), d;
    assert_int_equal(c.n_calls, 0);
    assert_false(cuzk_budget_try(b, &d, 20, CUZK_NORMAL));
    assert_int_equal(c.n_calls, 0);
    d = take(b, 20, CUZK_NORMAL);
    assert_int_equal(c.n_calls, 1);
    assert_int_equal(c.asked, 20);
    assert_int_equal(c.old.len_bytes, 0);
    assert_int_equal(c.recent.len_bytes, 60);
    /* While work is under way, what was just used stays. */
    atomic_uint turn = 0;
    taker t = {.b = b, .n = 50, .priority = CUZK_NORMAL, .turn = &turn};
    start_waiting(&t);
    sleep_ms(20);
    assert_int_equal(atomic_load(&turn), 0);
    cuzk_budget_drop(&a);
    sleep_ms(20);
    assert_int_equal(atomic_load(&turn), 0);
    /* Without any, it goes: nothing else would ever come free. */
    cuzk_budget_keep(&d);
    wait_served(&t, 1);
    assert_int_equal(c.recent.len_bytes, 0);
    cuzk_budget_drop(&t.hold);
    cuzk_budget_drop(&d);
    cuzk_budget_destroy(b);
}

/* ---- many threads ---- */

#define N_THREADS 6
#define N_ROUNDS 400

typedef struct crowd {
    budget *b;
    uint64_t seed;
    atomic_size_t *used, *faults;
} crowd;

static void *run_crowd(void *arg) {
    crowd *c = arg;
    test_rng rng = {c->seed};
    for (unsigned i = 0; i < N_ROUNDS; i++) {
        size_t n = 1 + test_rng_u64(&rng) % 60;
        budget_hold hold = {0};
        if (i % 4 == 0) {
            cuzk_budget_try(c->b, &hold, n, (cuzk_priority)(i % 3));
        } else if (cuzk_budget_acquire(c->b, &hold, n, (cuzk_priority)(i % 4), NULL, "crowd",
                                       NULL) != CUZK_OK) {
            atomic_fetch_add(c->faults, 1);
        }
        n = hold.len_bytes;
        if (atomic_fetch_add(c->used, n) + n > 100) {
            atomic_fetch_add(c->faults, 1);
        }
        sched_yield();
        atomic_fetch_sub(c->used, n);
        cuzk_budget_release(&hold, n / 2);
        cuzk_budget_drop(&hold);
    }
    return NULL;
}

static void requests_have_a_share(void **state) {
    (void)state;
    budget *b;
    const budget_options options = {.total_bytes = 100, .critical_bytes = 10, .request_bytes = 20};
    assert_int_equal(cuzk_budget_create(&b, &options, NULL), CUZK_OK);
    budget_hold work, critical, first, second, third, fourth, none;
    assert_false(cuzk_budget_try(b, &none, 71, CUZK_NORMAL));
    assert_false(cuzk_budget_try(b, &none, 81, CUZK_CRITICAL));
    assert_true(cuzk_budget_try(b, &work, 70, CUZK_NORMAL));
    assert_true(cuzk_budget_take_request(b, &first, 15, false));
    assert_false(cuzk_budget_take_request(b, &second, 6, false));
    assert_int_equal(second.len_bytes, 0);
    assert_true(cuzk_budget_take_request(b, &second, 5, true));
    assert_false(cuzk_budget_take_request(b, &third, 6, true)); /* half of the critical share */
    assert_int_equal(third.len_bytes, 0);
    assert_true(cuzk_budget_take_request(b, &third, 4, true));
    assert_false(cuzk_budget_take_request(b, &fourth, 2, true));
    assert_false(cuzk_budget_take_request(b, &fourth, 1, false));
    assert_false(cuzk_budget_try(b, &none, 7, CUZK_CRITICAL));
    assert_true(cuzk_budget_try(b, &critical, 6, CUZK_CRITICAL));
    assert_false(cuzk_budget_take_request(b, &fourth, 1, true)); /* nothing is free */
    budget_report r = cuzk_budget_look(b);
    assert_int_equal(r.used_bytes, 100);
    assert_int_equal(r.kept_bytes, 24);
    assert_int_equal(r.request_bytes, 20);
    cuzk_budget_drop(&first);
    cuzk_budget_drop(&third);
    assert_int_equal(cuzk_budget_look(b).request_bytes, 5);
    assert_false(cuzk_budget_try(b, &none, 5, CUZK_CRITICAL));
    assert_true(cuzk_budget_take_request(b, &first, 15, false));
    assert_true(cuzk_budget_take_request(b, &third, 4, true)); /* given back, there is room again */
    cuzk_budget_drop(&third);
    cuzk_budget_drop(&first);
    cuzk_budget_drop(&second);
    cuzk_budget_drop(&work);
    cuzk_budget_drop(&critical);
    assert_int_equal(cuzk_budget_look(b).used_bytes, 0);
    cuzk_budget_destroy(b);
}

/* Ordinary work that waits is no reason to refuse an urgent request, critical work is. */
static void requests_overtake_no_critical_work(void **state) {
    (void)state;
    budget *b;
    const budget_options options = {.total_bytes = 100, .critical_bytes = 40, .request_bytes = 10};
    assert_int_equal(cuzk_budget_create(&b, &options, NULL), CUZK_OK);
    budget_hold work = take(b, 50, CUZK_NORMAL), share, over, none;
    atomic_uint turn = 0;
    taker ordinary = {.b = b, .n = 30, .priority = CUZK_NORMAL, .turn = &turn};
    taker critical = {.b = b, .n = 60, .priority = CUZK_CRITICAL, .turn = &turn};
    assert_true(cuzk_budget_take_request(b, &share, 10, true));
    start_waiting(&ordinary);
    assert_true(cuzk_budget_take_request(b, &over, 10, true));
    start_waiting(&critical);
    assert_false(cuzk_budget_take_request(b, &none, 10, true));
    cuzk_budget_drop(&work);
    wait_served(&critical, 1);
    cuzk_budget_drop(&critical.hold);
    wait_served(&ordinary, 2);
    cuzk_budget_drop(&ordinary.hold);
    cuzk_budget_drop(&share);
    cuzk_budget_drop(&over);
    assert_int_equal(cuzk_budget_look(b).used_bytes, 0);
    cuzk_budget_destroy(b);
}

static void no_byte_is_lost(void **state) {
    (void)state;
    budget *b = make_budget(100, 10);
    atomic_size_t used = 0, faults = 0;
    pthread_t threads[N_THREADS];
    crowd crowds[N_THREADS];
    for (size_t i = 0; i < N_THREADS; i++) {
        crowds[i] = (crowd){.b = b, .seed = i + 1, .used = &used, .faults = &faults};
        assert_int_equal(pthread_create(&threads[i], NULL, run_crowd, &crowds[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(atomic_load(&faults), 0);
    budget_report r = cuzk_budget_look(b);
    assert_int_equal(r.used_bytes, 0);
    assert_int_equal(r.n_waiting, 0);
    assert_true(r.peak_bytes <= 100);
    cuzk_budget_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_gives_back),
        cmocka_unit_test(too_large_fails_at_once),
        cmocka_unit_test(a_share_is_kept_for_critical_work),
        cmocka_unit_test(waiters_are_served_in_order),
        cmocka_unit_test(waiting_can_be_cancelled),
        cmocka_unit_test(caches_make_room),
        cmocka_unit_test(requests_have_a_share),
        cmocka_unit_test(requests_overtake_no_critical_work),
        cmocka_unit_test(no_byte_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
