/* The HTTP side of a daemon with made-up work, for tests of the page: prints its port when all is
 * as it should be shown, and serves until standard input ends.
 *   PoRep         ten partitions: four done, one at the prover, one waiting for it, four to come
 *   WinningPoSt   done
 *   SnapDeals     failed, with a text that would be markup
 *   WindowPoSt    two, waiting; one with an id that would be markup
 *
 * usage: dashboard_fixture [ANSWERS]: ends after that many answers to /status */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/metrics.h"
#include "engine/status_document.h"
#include "server/http_status.h"

#define GIB ((size_t)1 << 30)
#define STUCK_PARTITION 4

/* Time goes on only where it is said to. */
typedef struct fixture {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool over; /* the partition at the prover may go on */
    bool stuck;
    _Atomic uint64_t now_ns;
    budget *budget;
    engine *engine;
    unsigned answers_left; /* 0: any number */
} fixture;

static void pass(fixture *f, double seconds) {
    f->now_ns += (uint64_t)(seconds * (double)NS_PER_S);
}

static cuzk_status do_open(void *arg, void **opened, const cuzk_ctx *ctx,
                           const cuzk_request *request, cuzk_error *err) {
    (void)ctx;
    pass(arg, 0.4);
    *opened = (void *)(uintptr_t)request;
    return request->kind != CUZK_SNAP
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT,
                           "<img src=x onerror=alert(1)> & \"partition 3\": comm_r_old does not "
                           "belong to the tree of challenge 17");
}

static cuzk_status do_load(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                           cuzk_error *err) {
    (void)ctx, (void)err;
    const cuzk_request *request = opened;
    pass(arg, 1.2);
    *plan = (work_plan){.n_partitions = request->kind == CUZK_POREP ? 10 : 1,
                        .partition_bytes = 11 * GIB,
                        .lookahead = 1};
    return CUZK_OK;
}

static cuzk_status do_synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                                 unsigned partition, cuzk_error *err) {
    (void)ctx, (void)opened, (void)partition, (void)err;
    pass(arg, 6.5);
    *witness = arg;
    return CUZK_OK;
}

static cuzk_status do_prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                            const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                            bool last_attempt, cuzk_error *err) {
    (void)timing;
    (void)ctx, (void)opened, (void)witness, (void)last_attempt, (void)err;
    fixture *f = arg;
    pass(f, 11);
    pthread_mutex_lock(&f->mutex);
    f->stuck |= partition == STUCK_PARTITION;
    pthread_cond_broadcast(&f->changed);
    while (partition == STUCK_PARTITION && !f->over) {
        pthread_cond_wait(&f->changed, &f->mutex);
    }
    pthread_mutex_unlock(&f->mutex);
    memset(proof, 0, GROTH16_PROOF_BYTES);
    return CUZK_OK;
}

static cuzk_status do_verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                             const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    (void)ctx, (void)opened, (void)partition, (void)proof, (void)err;
    pass(arg, 2);
    return CUZK_OK;
}

static void do_nothing(void *arg, void *thing) { (void)arg, (void)thing; }

static uint64_t now(void *arg) { return ((fixture *)arg)->now_ns; }

static void release_nothing(void *owner) { (void)owner; }

static void submit(fixture *f, const char *id, const cuzk_request *request,
                   cuzk_priority priority) {
    const engine_submission s = {.request_id = id,
                                 .priority = priority,
                                 .keeps_going = true,
                                 .request = request,
                                 .release = release_nothing};
    engine_receipt receipt;
    CUZK_ASSERT(cuzk_core_submit(f->engine, &receipt, &s, NULL) == CUZK_OK);
}

static void wait_for_end(fixture *f, const char *id) {
    engine_outcome o;
    CUZK_ASSERT(cuzk_core_await(f->engine, &o, id, UINT64_MAX, NULL) == CUZK_OK);
    cuzk_core_outcome_clear(&o);
}

/* ---- what is shown ---- */

static cuzk_status say_status(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    fixture *f = arg;
    static const status_resident residents[] = {
        {.circuit_id = "porep-32g", .bytes = 47 * GIB, .idle_ns = 0},
        {.circuit_id = "winning-32g",
         .bytes = 184 << 20,
         .idle_ns = 71 * NS_PER_S,
         .evictable = true}};
    const budget_report memory = cuzk_budget_look(f->budget);
    const status_extras extras = {
        .memory = &memory, .max_syntheses = 1, .residents = residents, .n_residents = 2};
    if (f->answers_left > 0 && --f->answers_left == 0) {
        _exit(0);
    }
    return cuzk_status_document(text, len_bytes, f->engine, &extras, err);
}

static cuzk_status say_metrics(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    fixture *f = arg;
    engine_report report;
    const budget_report memory = cuzk_budget_look(f->budget);
    cuzk_core_look(f->engine, &report);
    return cuzk_metrics_text(text, len_bytes, &report, &memory, err);
}

static bool is_serving(void *arg) { return arg != NULL; }

/* Jobs in every state. */
static void fill(fixture *f) {
    static const cuzk_request porep = {.kind = CUZK_POREP}, winning = {.kind = CUZK_WINNING_POST},
                              snap = {.kind = CUZK_SNAP}, window = {.kind = CUZK_WINDOW_POST};
    submit(f, "snap-1000-4", &snap, CUZK_NORMAL);
    wait_for_end(f, "snap-1000-4");
    pass(f, 95);
    submit(f, "porep-1000-7", &porep, CUZK_NORMAL);
    pthread_mutex_lock(&f->mutex);
    while (!f->stuck) {
        pthread_cond_wait(&f->changed, &f->mutex);
    }
    pthread_mutex_unlock(&f->mutex);
    engine_report r;
    do { /* the next partition is synthesised beside it */
        usleep(1000);
        cuzk_core_look(f->engine, &r);
    } while (r.synth_done != 1);
    submit(f, "winpost-1000-00d1c2b3a4958677", &winning, CUZK_CRITICAL);
    wait_for_end(f, "winpost-1000-00d1c2b3a4958677");
    submit(f, "porep-1000-8", &porep, CUZK_NORMAL);
    submit(f, "wdpost-1000-0-[17 4 200 9 31 88 2 250]", &window, CUZK_NORMAL);
    submit(f, "<script>alert(2)</script>", &window, CUZK_LOW);
    pass(f, 3);
}

int main(int argc, char **argv) {
    static fixture f = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .now_ns = 100 * NS_PER_S};
    const engine_work work = {.arg = &f,
                              .open = do_open,
                              .load = do_load,
                              .synthesise = do_synthesise,
                              .prove = do_prove,
                              .verify = do_verify,
                              .drop = do_nothing,
                              .close = do_nothing};
    const budget_options memory = {.total_bytes = 96 * GIB};
    const http_source source = {say_status, say_metrics, is_serving, &f};
    engine_options options;
    http_status *server;
    f.answers_left = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    CUZK_ASSERT(cuzk_budget_create(&f.budget, &memory, NULL) == CUZK_OK);
    cuzk_core_options_init(&options);
    options.budget = f.budget;
    options.work = &work;
    options.max_open = 2;
    options.now_ns = now;
    options.clock_arg = &f;
    CUZK_ASSERT(cuzk_core_create(&f.engine, &options, NULL) == CUZK_OK);
    fill(&f);
    CUZK_ASSERT(cuzk_http_status_open(&server, "127.0.0.1:0", &source, NULL) == CUZK_OK);
    printf("%u\n", cuzk_http_status_port(server));
    fflush(stdout);
    while (getchar() != EOF) {
    }
    cuzk_http_status_close(server);
    pthread_mutex_lock(&f.mutex);
    f.over = true;
    pthread_cond_broadcast(&f.changed);
    pthread_mutex_unlock(&f.mutex);
    cuzk_core_destroy(f.engine);
    cuzk_budget_destroy(f.budget);
    return 0;
}
