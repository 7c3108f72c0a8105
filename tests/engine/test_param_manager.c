/* LABELS: tsan */
/* Parameters in memory: one load for all who want them, counted use, eviction, and what each kind
 * of bad file is called. */
#include "engine/param_manager.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cuzk_unstable.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/param_files.h"
#include "support/key_files.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)
#define CIRCUIT "wpost-2k"

static char made[64];
static param_set set;
static param_files files;

static int set_up(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("off", false, NULL), CUZK_OK);
    key_files_folder(made);
    key_files_make(made, CIRCUIT);
    assert_int_equal(cuzk_param_set_by_id(&set, CIRCUIT, NULL), CUZK_OK);
    assert_int_equal(cuzk_param_files_init(&files, made, &set, true, NULL), CUZK_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    key_files_remove(made);
    return 0;
}

/* ---- managers ---- */

typedef struct world {
    cuzk_pool *pool;
    budget *budget;
    param_manager *m;
    param_manager_options options;
    _Atomic uint64_t now_ns;
} world;

static uint64_t fake_now(void *arg) { return atomic_load((_Atomic uint64_t *)arg); }

static size_t evict(void *arg, size_t bytes, bool even_recent) {
    const world *w = arg;
    return cuzk_param_evict_idle(w->m, bytes, even_recent);
}

static world *start(size_t budget_bytes, const char *const *hot, size_t n_hot) {
    world *w = calloc(1, sizeof *w);
    w->now_ns = NS_PER_S;
    assert_int_equal(cuzk_pool_create(&w->pool, 2, NULL), CUZK_OK);
    const budget_options b = {.total_bytes = budget_bytes, .evict = evict, .evict_arg = w};
    assert_int_equal(cuzk_budget_create(&w->budget, &b, NULL), CUZK_OK);
    w->options = (param_manager_options){.pool = w->pool,
                                         .budget = w->budget,
                                         .directory = made,
                                         .allow_local = true,
                                         .keep_hot = hot,
                                         .n_keep_hot = n_hot,
                                         .min_idle_ns = 300 * NS_PER_S,
                                         .now_ns = fake_now,
                                         .clock_arg = &w->now_ns};
    assert_int_equal(cuzk_param_manager_create(&w->m, &w->options, NULL), CUZK_OK);
    return w;
}

static void end(world *w) {
    cuzk_param_manager_destroy(w->m);
    assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
    cuzk_budget_destroy(w->budget);
    cuzk_pool_destroy(w->pool);
    free(w);
}

static const cuzk_ctx normal = {.priority = CUZK_NORMAL};

static void use_once(world *w) {
    param_use use;
    cuzk_error err;
    if (cuzk_param_acquire(w->m, &use, &normal, &set, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    cuzk_param_release(w->m, &use);
}

/* Acquiring fails with these words. */
static void refused(world *w, const param_set *s, cuzk_status status, const char *text) {
    param_use use;
    cuzk_error err;
    assert_int_equal(cuzk_param_acquire(w->m, &use, &normal, s, &err), status);
    if (strstr(err.text, text) == NULL) {
        fail_msg("\"%s\": %s", text, err.text);
    }
    assert_null(use.entry);
    assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);
}

/* ---- use ---- */

static void kept_until_evicted(void **state) {
    (void)state;
    world *w = start(1024 * MIB, NULL, 0);
    param_use a, b;
    bool already, was_loaded;
    uint64_t ns, freed;
    assert_false(cuzk_param_is_resident(w->m, &set));
    assert_int_equal(cuzk_param_acquire(w->m, &a, &normal, &set, NULL), CUZK_OK);
    assert_int_equal(cuzk_param_acquire(w->m, &b, &normal, &set, NULL), CUZK_OK);
    assert_ptr_equal(a.pk, b.pk);
    assert_true(a.local);
    assert_int_equal(a.pk->dims.n_inputs, set.n_inputs);
    param_report report;
    assert_int_equal(cuzk_param_look(w->m, &report, 1), 1);
    assert_int_equal(report.n_users, 2);
    assert_false(report.evictable);
    assert_string_equal(report.circuit_id, CIRCUIT);
    assert_int_equal(report.bytes, cuzk_budget_look(w->budget).kept_bytes);
    assert_int_equal(cuzk_param_evict_idle(w->m, 1, true), 0);
    cuzk_param_release(w->m, &a);
    /* Told to go while in use: they go with the last user. */
    assert_int_equal(cuzk_param_evict(w->m, &was_loaded, &freed, CIRCUIT, NULL), CUZK_OK);
    assert_true(was_loaded);
    assert_int_equal(freed, 0);
    assert_false(cuzk_param_is_resident(w->m, &set));
    cuzk_param_release(w->m, &b);
    assert_int_equal(cuzk_budget_look(w->budget).used_bytes, 0);

    assert_int_equal(cuzk_param_preload(w->m, &already, &ns, &normal, "WPOST-2KiB", NULL), CUZK_OK);
    assert_false(already);
    assert_int_equal(cuzk_param_preload(w->m, &already, &ns, &normal, CIRCUIT, NULL), CUZK_OK);
    assert_true(already);
    assert_int_equal(ns, 0);
    assert_int_equal(cuzk_param_evict(w->m, &was_loaded, &freed, CIRCUIT, NULL), CUZK_OK);
    assert_true(was_loaded);
    assert_int_equal(freed, report.bytes);
    assert_int_equal(cuzk_param_evict(w->m, &was_loaded, &freed, CIRCUIT, NULL), CUZK_OK);
    assert_false(was_loaded);
    cuzk_error err;
    assert_int_equal(cuzk_param_evict(w->m, &was_loaded, &freed, "wpost-3k", &err), CUZK_E_RANGE);
    assert_string_equal(err.text, "unknown circuit ID: wpost-3k");
    assert_int_equal(cuzk_param_preload(w->m, &already, &ns, &normal, "", &err), CUZK_E_RANGE);
    assert_int_equal(cuzk_param_count(w->m).n_loads, 2);
    assert_int_equal(cuzk_param_count(w->m).n_evictions, 2);
    end(w);
}

static void idle_ones_go_but_hot_ones_stay(void **state) {
    (void)state;
    world *w = start(1024 * MIB, NULL, 0);
    use_once(w);
    assert_int_equal(cuzk_param_evict_idle(w->m, 1, false), 0);
    atomic_fetch_add(&w->now_ns, 299 * NS_PER_S);
    assert_int_equal(cuzk_param_evict_idle(w->m, 1, false), 0);
    atomic_fetch_add(&w->now_ns, NS_PER_S);
    assert_true(cuzk_param_evict_idle(w->m, 1, false) > 0);
    use_once(w);
    assert_true(cuzk_param_evict_idle(w->m, 1, true) > 0);
    end(w);
    static const char *const hot[] = {CIRCUIT};
    w = start(1024 * MIB, hot, 1);
    use_once(w);
    atomic_fetch_add(&w->now_ns, 3600 * NS_PER_S);
    assert_int_equal(cuzk_param_evict_idle(w->m, 1, true), 0);
    assert_true(cuzk_param_is_resident(w->m, &set));
    end(w);
    static const char *const none[] = {"porep-3k"};
    const param_manager_options bad = {.directory = made, .keep_hot = none, .n_keep_hot = 1};
    param_manager *m;
    assert_int_equal(cuzk_param_manager_create(&m, &bad, NULL), CUZK_E_RANGE);
}

/* ---- many at once ---- */

#define N_THREADS 4

typedef struct caller {
    world *w;
    pthread_t thread;
    unsigned n_rounds;
    cuzk_status status;
} caller;

static void *call(void *arg) {
    caller *c = arg;
    for (unsigned i = 0; i < c->n_rounds && c->status == CUZK_OK; i++) {
        param_use use;
        cuzk_error err;
        c->status = cuzk_param_acquire(c->w->m, &use, &normal, &set, &err);
        if (c->status == CUZK_OK) {
            cuzk_param_release(c->w->m, &use);
        }
        if (c->n_rounds > 1) {
            cuzk_param_evict_idle(c->w->m, 1, true);
        }
    }
    return NULL;
}

static void call_at_once(world *w, caller callers[N_THREADS], unsigned n_rounds) {
    for (size_t i = 0; i < N_THREADS; i++) {
        callers[i] = (caller){.w = w, .n_rounds = n_rounds};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        pthread_join(callers[i].thread, NULL);
    }
}

static void one_load_for_all(void **state) {
    (void)state;
    world *w = start(1024 * MIB, NULL, 0);
    caller callers[N_THREADS];
    call_at_once(w, callers, 1);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(callers[i].status, CUZK_OK);
    }
    assert_int_equal(cuzk_param_count(w->m).n_loads, 1);
    call_at_once(w, callers, 12);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(callers[i].status, CUZK_OK);
    }
    end(w);
}

static void cancelled_before(void **state) {
    (void)state;
    world *w = start(1024 * MIB, NULL, 0);
    cuzk_cancel cancel = {0};
    const cuzk_ctx ctx = {.priority = CUZK_NORMAL, .cancel = &cancel};
    param_use use;
    cuzk_cancel_set(&cancel);
    assert_int_equal(cuzk_param_acquire(w->m, &use, &ctx, &set, NULL), CUZK_E_CANCELLED);
    end(w);
}

/* ---- bad files ---- */

static void copy(const char *to, const char *from, size_t less, size_t flipped) {
    size_t len;
    uint8_t *bytes = test_read_file(from, &len);
    if (flipped != 0) {
        bytes[flipped] ^= 1;
    }
    FILE *f = fopen(to, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len - less, f), len - less);
    assert_int_equal(fclose(f), 0);
    free(bytes);
}

static void bad_files_are_told_apart(void **state) {
    (void)state;
    param_files bad, other;
    param_set winning;
    char folder[64];
    key_files_folder(folder);
    assert_int_equal(cuzk_param_set_by_id(&winning, "winning-2k", NULL), CUZK_OK);
    assert_int_equal(cuzk_param_files_init(&bad, folder, &set, true, NULL), CUZK_OK);
    assert_int_equal(cuzk_param_files_init(&other, folder, &winning, true, NULL), CUZK_OK);
    world *w = start(1024 * MIB, NULL, 0);
    cuzk_param_manager_destroy(w->m);
    w->options.directory = folder;
    assert_int_equal(cuzk_param_manager_create(&w->m, &w->options, NULL), CUZK_OK);

    char text[300];
    snprintf(text, sizeof text, "SRS param file not found for wpost-2k: %.200s", bad.params_path);
    refused(w, &set, CUZK_E_NO_PARAMS, text);
    copy(bad.params_path, files.params_path, 0, 0);
    snprintf(text, sizeof text, "SRS param file not found for wpost-2k: %.200s", bad.vk_path);
    refused(w, &set, CUZK_E_NO_PARAMS, text);
    copy(bad.vk_path, files.vk_path, 0, 0);
    copy(bad.note_path, files.note_path, 0, 0);
    use_once(w);
    assert_true(cuzk_param_evict_idle(w->m, 1, true) > 0);

    copy(bad.params_path, files.params_path, 1, 0);
    refused(w, &set, CUZK_E_BAD_PARAMS, "truncated: ");
    copy(bad.params_path, files.params_path, 0, 100000);
    refused(w, &set, CUZK_E_BAD_PARAMS, "digest ");
    refused(w, &set, CUZK_E_BAD_PARAMS, " expected, ");

    copy(other.params_path, files.params_path, 0, 0);
    size_t len;
    uint8_t *vk = test_read_vector("params/v28-proof-of-spacetime-fallback-merkletree-"
                                   "poseidon_hasher-8-0-0-"
                                   "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9"
                                   "e.vk",
                                   &len);
    FILE *f = fopen(other.vk_path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(vk, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
    free(vk);
    refused(w, &winning, CUZK_E_BAD_PARAMS,
            "the parameters of wpost-2k in the place of those of winning-2k: ");
    end(w);
    key_files_remove(folder);
}

/* ---- settings ---- */

/* The manager anew, by the world's options. */
static void restart(world *w) {
    cuzk_param_manager_destroy(w->m);
    assert_int_equal(cuzk_param_manager_create(&w->m, &w->options, NULL), CUZK_OK);
}

static uint64_t bytes_in_tier(world *w, cuzk_tier tier) {
    param_report report;
    w->options.tier = tier;
    restart(w);
    use_once(w);
    assert_int_equal(cuzk_param_look(w->m, &report, 1), 1);
    return report.bytes;
}

/* A world whose budget is the first, from that many bytes in steps of 1 MiB, with which some tier
 * will do. */
static world *start_with_least_memory(size_t budget_bytes) {
    param_use use;
    world *w = start(budget_bytes, NULL, 0);
    while (cuzk_param_acquire(w->m, &use, &normal, &set, NULL) != CUZK_OK) {
        assert_true(budget_bytes < 1024 * MIB);
        end(w);
        budget_bytes += MIB;
        w = start(budget_bytes, NULL, 0);
    }
    cuzk_param_release(w->m, &use);
    return w;
}

/* A tier that was chosen is taken, and no other in its place. */
static void tiers_can_be_chosen(void **state) {
    (void)state;
    world *w = start(1024 * MIB, NULL, 0);
    const uint64_t resident = bytes_in_tier(w, CUZK_TIER_RESIDENT),
                   mapped = bytes_in_tier(w, CUZK_TIER_MAPPED),
                   streamed = bytes_in_tier(w, CUZK_TIER_STREAMED);
    assert_int_equal(bytes_in_tier(w, CUZK_TIER_AUTO), resident);
    assert_true(mapped < resident && mapped < streamed);
    assert_true(resident > mapped + MIB);
    end(w);
    w = start_with_least_memory(mapped);
    w->options.tier = CUZK_TIER_RESIDENT;
    restart(w);
    refused(w, &set, CUZK_E_NO_MEMORY, "wpost-2k with its parameters needs ");
    end(w);
}

static void digests_can_be_trusted(void **state) {
    (void)state;
    param_files bad;
    char folder[64];
    key_files_folder(folder);
    assert_int_equal(cuzk_param_files_init(&bad, folder, &set, true, NULL), CUZK_OK);
    copy(bad.params_path, files.params_path, 0, 100000);
    copy(bad.vk_path, files.vk_path, 0, 0);
    copy(bad.note_path, files.note_path, 0, 0);
    world *w = start(1024 * MIB, NULL, 0);
    w->options.directory = folder;
    w->options.tier = CUZK_TIER_MAPPED; /* points are not decoded before they are needed */
    restart(w);
    refused(w, &set, CUZK_E_BAD_PARAMS, " expected, ");
    w->options.trust_params = true;
    restart(w);
    use_once(w);
    end(w);
    key_files_remove(folder);
}

static void too_big_for_the_budget(void **state) {
    (void)state;
    world *w = start(1 * MIB, NULL, 0);
    refused(w, &set, CUZK_E_NO_MEMORY, "wpost-2k with its parameters needs ");
    refused(w, &set, CUZK_E_NO_MEMORY, "budget is 0.00 GiB");
    end(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_until_evicted),
        cmocka_unit_test(idle_ones_go_but_hot_ones_stay),
        cmocka_unit_test(one_load_for_all),
        cmocka_unit_test(cancelled_before),
        cmocka_unit_test(bad_files_are_told_apart),
        cmocka_unit_test(tiers_can_be_chosen),
        cmocka_unit_test(digests_can_be_trusted),
        cmocka_unit_test(too_big_for_the_budget),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
