/* LABELS: tsan */
/* The status document of an engine with jobs in every stage, and of an idle one. */
#include "engine/status_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/support.h"

#define MS ((uint64_t)1000000)

/* Work of two partitions whose proofs wait for `go`. */
typedef struct slow_work {
    atomic_bool go;
    _Atomic uint64_t now_ns;
} slow_work;

static cuzk_status do_open(void *arg, void **opened, const cuzk_ctx *ctx,
                           const cuzk_request *request, cuzk_error *err) {
    (void)ctx;
    *opened = arg;
    return request->kind != CUZK_SNAP ? CUZK_OK : cuzk_fail(err, CUZK_E_INPUT, "a bad \"input\"");
}

static cuzk_status do_load(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                           cuzk_error *err) {
    (void)arg, (void)ctx, (void)opened, (void)err;
    *plan = (work_plan){.n_partitions = 2, .partition_bytes = 10, .lookahead = 1};
    return CUZK_OK;
}

static cuzk_status do_synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                                 unsigned partition, cuzk_error *err) {
    (void)ctx, (void)opened, (void)partition, (void)err;
    *witness = arg;
    return CUZK_OK;
}

static void sleep_ms(unsigned ms) {
    struct timespec t = {.tv_nsec = (long)ms * 1000000};
    nanosleep(&t, NULL);
}

static cuzk_status do_prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                            const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                            bool last_attempt, cuzk_error *err) {
    (void)timing;
    (void)ctx, (void)opened, (void)witness, (void)partition, (void)last_attempt, (void)err;
    while (!atomic_load(&((slow_work *)arg)->go)) {
        sleep_ms(1);
    }
    memset(proof, 0, GROTH16_PROOF_BYTES);
    return CUZK_OK;
}

static cuzk_status do_verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                             const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    (void)arg, (void)ctx, (void)opened, (void)partition, (void)proof, (void)err;
    return CUZK_OK;
}

static void do_nothing(void *arg, void *thing) { (void)arg, (void)thing; }

static uint64_t clock_now(void *arg) { return atomic_load(&((slow_work *)arg)->now_ns); }

static void release_nothing(void *owner) { (void)owner; }

static void submit(engine *e, const char *id, const cuzk_request *request) {
    const engine_submission s = {.request_id = id,
                                 .priority = CUZK_NORMAL,
                                 .keeps_going = true,
                                 .request = request,
                                 .release = release_nothing};
    engine_receipt receipt;
    assert_int_equal(cuzk_core_submit(e, &receipt, &s, NULL), CUZK_OK);
}

static void check(engine *e, budget *b, const status_resident *residents, size_t n,
                  const char *expected) {
    const budget_report memory = cuzk_budget_look(b);
    const status_extras extras = {
        .memory = &memory, .max_syntheses = 2, .residents = residents, .n_residents = n};
    char *text;
    size_t len;
    assert_int_equal(cuzk_status_document(&text, &len, e, &extras, NULL), CUZK_OK);
    assert_string_equal(text, expected);
    assert_int_equal(len, strlen(expected));
    free(text);
}

#define IDLE "\"state\":\"idle\",\"current_job\":null,\"current_partition\":null,\"busy_secs\":null"

#define STARTED(synthesis, proving)                                                                \
    ",\"synth_started_secs_ago\":" #synthesis ",\"gpu_started_secs_ago\":" #proving                \
    ",\"verify_started_secs_ago\":null"
#define SECONDS                                                                                    \
    "\"seconds_by_kind\":{\"porep-c2\":0,\"snap-update\":0,\"window-post\":0,\"winning-post\":0}"

static const char busy_document[] =
    "{\"uptime_secs\":1.5,"
    "\"memory\":{\"total_bytes\":1000,\"used_bytes\":20,\"available_bytes\":980},"
    "\"synthesis\":{\"max_concurrent\":2,\"active\":0},"
    "\"pipelines\":["
    "{\"serial\":1,\"job_id\":\"wdpost-1-0-[1 "
    "2]\",\"proof_kind\":\"window-post\",\"state\":\"running\","
    "\"submitted_secs_ago\":1.5,\"started_secs_ago\":1.5,\"ended_secs_ago\":null,"
    "\"total_partitions\":2,\"partitions_done\":0,\"partitions\":["
    "{\"index\":0,\"state\":\"gpu\",\"synth_ms\":0,\"gpu_ms\":1500" STARTED(
        1.5,
        1.5) "},"
             "{\"index\":1,\"state\":\"synth_done\",\"synth_ms\":0,\"gpu_ms\":null" STARTED(
                 1.5,
                 null) "}],"
                       "\"error_message\":\"\"},"
                       "{\"serial\":2,\"job_id\":\"b\",\"proof_kind\":\"porep-c2\",\"state\":"
                       "\"running\","
                       "\"submitted_secs_ago\":1.5,\"started_secs_ago\":1.5,\"ended_secs_ago\":"
                       "null,"
                       "\"total_partitions\":2,\"partitions_done\":0,\"partitions\":["
                       "{\"index\":0,\"state\":\"pending\",\"synth_ms\":null,\"gpu_ms\":"
                       "null" STARTED(
                           null,
                           null) "},"
                                 "{\"index\":1,\"state\":\"pending\",\"synth_ms\":null,\"gpu_ms\":"
                                 "null" STARTED(
                                     null,
                                     null) "}],"
                                           "\"error_message\":\"\"},"
                                           "{\"serial\":3,\"job_id\":\"c\",\"proof_kind\":\"porep-"
                                           "c2\",\"state\":\"queued\","
                                           "\"submitted_secs_ago\":1.5,\"started_secs_ago\":0,"
                                           "\"ended_secs_ago\":null,"
                                           "\"total_partitions\":0,\"partitions_done\":0,"
                                           "\"partitions\":[],\"error_message\":\"\"}],"
                                           "\"gpu_workers\":["
                                           "{\"worker_id\":0,\"gpu_ordinal\":0,\"state\":"
                                           "\"proving\","
                                           "\"current_job\":\"wdpost-1-0-[1 "
                                           "2]\",\"current_partition\":0,\"busy_secs\":1.5},"
                                           "{\"worker_id\":1,\"gpu_ordinal\":0," IDLE "}],"
                                           "\"allocations\":{\"srs\":[{\"circuit_id\":\"porep-2k\","
                                           "\"bytes\":500,"
                                           "\"last_used_secs_ago\":2.25,\"evictable\":true}],"
                                           "\"pce\":[]},"
                                           "\"counters\":{\"total_completed\":0,\"total_failed\":0,"
                                           "\"total_cancelled\":0,"
                                           "\"queue_depth\":1,"
                                           "\"completed_by_kind\":{\"porep-c2\":0,\"snap-update\":"
                                           "0,\"window-post\":0,"
                                           "\"winning-post\":0},"
                                           "\"failed_by_kind\":{\"porep-c2\":0,\"snap-update\":0,"
                                           "\"window-post\":0,\"winning-post\":0}," SECONDS "},"
                                           "\"buffers\":{\"synth_in_flight\":1,\"provers_in_"
                                           "flight\":1,\"aux_in_flight\":2,"
                                           "\"shells_in_flight\":0,\"pending_handles\":0},\"recent_"
                                           "failures\":[]}";

static const char idle_document[] =
    "{\"uptime_secs\":31.5,"
    "\"memory\":{\"total_bytes\":1000,\"used_bytes\":0,\"available_bytes\":1000},"
    "\"synthesis\":{\"max_concurrent\":2,\"active\":0},"
    "\"pipelines\":[],"
    "\"gpu_workers\":["
    "{\"worker_id\":0,\"gpu_ordinal\":0," IDLE "},{\"worker_id\":1,\"gpu_ordinal\":0," IDLE "}],"
    "\"allocations\":{\"srs\":[],\"pce\":[]},"
    "\"counters\":{\"total_completed\":3,\"total_failed\":0,\"total_cancelled\":0,"
    "\"queue_depth\":0,"
    "\"completed_by_kind\":{\"porep-c2\":2,\"snap-update\":0,\"window-post\":1,"
    "\"winning-post\":0},"
    "\"failed_by_kind\":{\"porep-c2\":0,\"snap-update\":0,\"window-post\":0,\"winning-post\":0}"
    ","
    "\"seconds_by_kind\":{\"porep-c2\":3,\"snap-update\":0,\"window-post\":1.5,\"winning-post\":0}"
    "},"
    "\"buffers\":{\"synth_in_flight\":0,\"provers_in_flight\":0,\"aux_in_flight\":0,"
    "\"shells_in_flight\":0,\"pending_handles\":0},\"recent_failures\":[]}";

static void wait_running(engine *e, const char *id) {
    engine_outcome o = {0};
    do {
        sleep_ms(1);
        assert_int_equal(cuzk_core_await(e, &o, id, 0, NULL), CUZK_OK);
    } while (o.state < JOB_RUNNING);
}

/* The latest sixteen failures, the last one first. */
static void check_failures(engine *e, budget *b, slow_work *s) {
    const cuzk_request bad = {.kind = CUZK_SNAP};
    for (int i = 0; i < 18; i++) {
        char id[16];
        engine_outcome o;
        snprintf(id, sizeof id, "bad-%d", i);
        submit(e, id, &bad);
        assert_int_equal(cuzk_core_await(e, &o, id, UINT64_MAX, NULL), CUZK_OK);
        assert_int_equal(o.state, JOB_FAILED);
        cuzk_core_outcome_clear(&o);
        atomic_fetch_add(&s->now_ns, 1000 * MS);
    }
    atomic_fetch_add(&s->now_ns, 60000 * MS);
    const budget_report memory = cuzk_budget_look(b);
    const status_extras extras = {.memory = &memory};
    char *text;
    size_t len;
    assert_int_equal(cuzk_status_document(&text, &len, e, &extras, NULL), CUZK_OK);
    assert_non_null(strstr(text, "\"pipelines\":[]"));
    assert_non_null(strstr(text, "\"total_failed\":18"));
    assert_non_null(strstr(text, "\"recent_failures\":[{\"serial\":21,\"job_id\":\"bad-17\","
                                 "\"proof_kind\":\"snap-update\",\"failed_secs_ago\":61,"
                                 "\"error_message\":\""));
    assert_non_null(strstr(text, "a bad \\\"input\\\"\"},{\"serial\":20,"));
    assert_non_null(strstr(text, "\"bad-2\""));
    assert_null(strstr(text, "\"bad-1\""));
    free(text);
}

static void every_stage_is_shown(void **state) {
    (void)state;
    slow_work s = {.now_ns = 100000 * MS};
    const engine_work work = {.arg = &s,
                              .open = do_open,
                              .load = do_load,
                              .synthesise = do_synthesise,
                              .prove = do_prove,
                              .verify = do_verify,
                              .drop = do_nothing,
                              .close = do_nothing};
    const budget_options memory = {.total_bytes = 1000};
    budget *b;
    assert_int_equal(cuzk_budget_create(&b, &memory, NULL), CUZK_OK);
    engine_options options;
    cuzk_core_options_init(&options);
    options.budget = b;
    options.work = &work;
    options.max_open = 1;
    options.now_ns = clock_now;
    options.clock_arg = &s;
    engine *e;
    assert_int_equal(cuzk_core_create(&e, &options, NULL), CUZK_OK);

    const cuzk_request window = {.kind = CUZK_WINDOW_POST}, porep = {.kind = CUZK_POREP};
    engine_report r;
    submit(e, "wdpost-1-0-[1 2]", &window);
    do {
        sleep_ms(1);
        cuzk_core_look(e, &r);
    } while (r.proving != 1 || r.synth_done != 1);
    submit(e, "b", &porep);
    wait_running(e, "b");
    submit(e, "c", &porep);
    atomic_fetch_add(&s.now_ns, 1500 * MS);
    const status_resident resident = {
        .circuit_id = "porep-2k", .bytes = 500, .idle_ns = 2250 * MS, .evictable = true};
    check(e, b, &resident, 1, busy_document);

    atomic_store(&s.go, true);
    static const char *const ids[] = {"wdpost-1-0-[1 2]", "b", "c"};
    for (size_t i = 0; i < 3; i++) {
        engine_outcome o;
        assert_int_equal(cuzk_core_await(e, &o, ids[i], UINT64_MAX, NULL), CUZK_OK);
        assert_int_equal(o.state, JOB_COMPLETED);
        cuzk_core_outcome_clear(&o);
    }
    do {
        sleep_ms(1);
        cuzk_core_look(e, &r);
    } while (r.n_held != 0);
    atomic_fetch_add(&s.now_ns, 30000 * MS);
    check(e, b, NULL, 0, idle_document);
    check_failures(e, b, &s);
    cuzk_core_destroy(e);
    cuzk_budget_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_stage_is_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
