/* Real proofs through the engine, with parameters that come and go, and a back end with faults.
 * Parameters of 2 KiB PoSt are made here; CUZK_PARAMS names a directory that also has those of
 * PoRep and updates, whose tests are skipped without it. */
#include "engine/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cuzk_unstable.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/proof_work.h"
#include "support/fault_backend.h"
#include "support/key_files.h"
#include "support/request_vectors.h"
#include "support/support.h"

#define MIB ((uint64_t)1 << 20)

static char made[64];         /* parameters of PoSt */
static const char *directory; /* all parameters */
static bool has_all;

static int set_up(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("off", false, NULL), CUZK_OK);
    key_files_folder(made);
    directory = getenv("CUZK_PARAMS");
    has_all = directory != NULL && directory[0] != '\0';
    key_files_make(made, "winning-2k");
    key_files_make(made, "wpost-2k");
    if (!has_all) {
        directory = made;
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    key_files_remove(made);
    return 0;
}

/* ---- services ---- */

typedef struct world {
    service *service;
    service_options options;
    fault_backend faulty;
} world;

static void init_world(world *w) {
    memset(w, 0, sizeof *w);
    fault_backend_init(&w->faulty);
    cuzk_service_options_init(&w->options);
    w->options.n_threads = 2;
    w->options.budget_bytes = 4096 * MIB;
    w->options.param_dir = directory;
    w->options.allow_local = true;
    w->options.backend = &w->faulty.backend;
    w->options.last_backend = &w->faulty.backend;
}

static void start(world *w) {
    cuzk_error err;
    if (cuzk_service_create(&w->service, &w->options, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static void end(world *w) {
    cuzk_service_destroy(w->service);
    fault_backend_clear(&w->faulty);
}

static void release_nothing(void *owner) { (void)owner; }

static void submit(world *w, char id[JOB_ID_MAX + 1], const request_vector *v) {
    engine_receipt receipt;
    const engine_submission s = {.priority = v->request.kind == CUZK_WINNING_POST  ? CUZK_CRITICAL
                                             : v->request.kind == CUZK_WINDOW_POST ? CUZK_HIGH
                                                                                   : CUZK_NORMAL,
                                 .keeps_going = true,
                                 .request = &v->request,
                                 .release = release_nothing};
    cuzk_error err;
    if (cuzk_core_submit(cuzk_service_engine(w->service), &receipt, &s, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    strcpy(id, receipt.id);
}

static void await(world *w, engine_outcome *outcome, const char *id) {
    assert_int_equal(
        cuzk_core_await(cuzk_service_engine(w->service), outcome, id, UINT64_MAX, NULL), CUZK_OK);
}

static void run(world *w, engine_outcome *outcome, const request_vector *v) {
    char id[JOB_ID_MAX + 1];
    submit(w, id, v);
    await(w, outcome, id);
}

/* The request succeeds; its proof has that many partitions. */
static void run_well(world *w, const request_vector *v, size_t n_partitions) {
    engine_outcome outcome;
    run(w, &outcome, v);
    if (outcome.state != JOB_COMPLETED) {
        fail_msg("%s", outcome.error.text);
    }
    assert_int_equal(outcome.proof_bytes, n_partitions * GROTH16_PROOF_BYTES);
    cuzk_core_outcome_clear(&outcome);
}

/* It fails with these words. */
static void run_badly(world *w, const request_vector *v, cuzk_status status, const char *text) {
    engine_outcome outcome;
    run(w, &outcome, v);
    assert_int_equal(outcome.state, JOB_FAILED);
    if (outcome.error.status != status || strstr(outcome.error.text, text) == NULL) {
        fail_msg("\"%s\" in %s: %s", text, cuzk_status_name(outcome.error.status),
                 outcome.error.text);
    }
    cuzk_core_outcome_clear(&outcome);
}

/* Nothing but parameters is left of the jobs. */
static void assert_idle(world *w) {
    engine_report r;
    do {
        cuzk_core_look(cuzk_service_engine(w->service), &r);
    } while (r.n_held != 0);
    const budget_report memory = cuzk_budget_look(cuzk_service_budget(w->service));
    assert_int_equal(memory.used_bytes, memory.kept_bytes);
    assert_true(memory.peak_bytes <= memory.total_bytes);
}

static const struct kind_case {
    const char *folder, *circuit, *title;
    size_t n_partitions;
} kinds[] = {{"window-2KiB-2", "wpost-2k", "WindowPoSt", 1},
             {"winning-2KiB", "winning-2k", "WinningPoSt", 1},
             {"porep-2KiB-v1_1", "porep-2k", "PoRep", 1},
             {"update-2KiB", "snap-2k", "SnapDeals", 1}};

/* Those whose parameters are there; a PoSt whose proof is quick, where many are made. */
static size_t n_kinds(void) { return has_all ? 4 : 2; }
static size_t n_quick_kinds(void) { return has_all ? 4 : 1; }

/* ---- proofs ---- */

static void every_kind(void **state) {
    (void)state;
    world w;
    init_world(&w);
    w.options.backend = w.options.last_backend = NULL;
    start(&w);
    for (size_t i = 0; i < n_kinds(); i++) {
        request_vector v;
        request_vector_open(&v, kinds[i].folder);
        run_well(&w, &v, kinds[i].n_partitions);
        if (i < n_quick_kinds()) {
            run_well(&w, &v, kinds[i].n_partitions);
        }
        request_vector_close(&v);
    }
    assert_idle(&w);
    assert_int_equal(cuzk_param_count(cuzk_service_params(w.service)).n_loads, n_kinds());
    param_report reports[4];
    assert_int_equal(cuzk_param_look(cuzk_service_params(w.service), reports, 4), n_kinds());
    assert_int_equal(reports[0].n_users, 0);
    char *text;
    size_t len;
    assert_int_equal(cuzk_service_status(&text, &len, w.service, NULL), CUZK_OK);
    assert_non_null(strstr(text, "\"winning-2k\""));
    free(text);
    assert_int_equal(cuzk_service_metrics(&text, &len, w.service, NULL), CUZK_OK);
    assert_non_null(strstr(text, "cuzk_proofs_completed_total"));
    free(text);
    end(&w);
}

/* One bad proof is proved again; two that are bad are followed by one on the last back end. */
static void bad_proofs_are_retried(void **state) {
    (void)state;
    world w;
    init_world(&w);
    w.options.last_backend = NULL;
    start(&w);
    for (size_t i = 0; i < n_quick_kinds(); i++) {
        request_vector v;
        request_vector_open(&v, kinds[i].folder);
        fault_backend_set(&w.faulty, FAULT_WRONG, 1);
        run_well(&w, &v, kinds[i].n_partitions);
        assert_int_equal(fault_backend_take_started(&w.faulty), 2);
        fault_backend_set(&w.faulty, FAULT_DEVICE, 1);
        run_well(&w, &v, kinds[i].n_partitions);
        assert_int_equal(fault_backend_take_started(&w.faulty), 2);
        fault_backend_set(&w.faulty, FAULT_WRONG, 100);
        run_well(&w, &v, kinds[i].n_partitions); /* by the CPU itself */
        assert_int_equal(fault_backend_take_started(&w.faulty), 2);
        fault_backend_set(&w.faulty, FAULT_NONE, 0);
        request_vector_close(&v);
    }
    assert_idle(&w);
    end(&w);
}

static void always_bad_fails(void **state) {
    (void)state;
    world w;
    init_world(&w);
    start(&w);
    for (size_t i = 0; i < n_quick_kinds(); i++) {
        request_vector v;
        char text[80];
        request_vector_open(&v, kinds[i].folder);
        snprintf(text, sizeof text, "%s proof self-check failed: partition 0: ", kinds[i].title);
        fault_backend_set(&w.faulty, FAULT_WRONG, 3);
        run_badly(&w, &v, CUZK_E_PROOF_INVALID, text);
        assert_int_equal(fault_backend_take_started(&w.faulty), 3);
        fault_backend_set(&w.faulty, FAULT_WRONG, 3);
        run_badly(&w, &v, CUZK_E_PROOF_INVALID, "input and witness are good");
        fault_backend_set(&w.faulty, FAULT_MEMORY, 1);
        run_badly(&w, &v, CUZK_E_NO_MEMORY, "partition 0 GPU prove failed: injected");
        assert_int_equal(fault_backend_take_started(&w.faulty), 4);
        request_vector_close(&v);
    }
    assert_idle(&w);
    end(&w);
}

static void cancelled_while_proving(void **state) {
    (void)state;
    world w;
    init_world(&w);
    start(&w);
    request_vector v;
    request_vector_open(&v, "window-2KiB-2");
    char id[JOB_ID_MAX + 1];
    bool was_running;
    engine_outcome outcome;
    fault_backend_set(&w.faulty, FAULT_WAIT, 1);
    submit(&w, id, &v);
    fault_backend_await_waiting(&w.faulty);
    cuzk_core_cancel(cuzk_service_engine(w.service), id, &was_running);
    assert_true(was_running);
    await(&w, &outcome, id);
    assert_int_equal(outcome.state, JOB_CANCELLED);
    assert_idle(&w);
    fault_backend_set(&w.faulty, FAULT_NONE, 0);
    run_well(&w, &v, 1);
    request_vector_close(&v);
    end(&w);
}

/* ---- requests ---- */

static void requests_are_judged(void **state) {
    (void)state;
    world w;
    init_world(&w);
    w.options.param_dir = "/nonexistent";
    start(&w);
    request_vector v;
    request_vector_open(&v, "winning-2KiB");
    v.request.registered_proof = 5;
    run_badly(&w, &v, CUZK_E_INPUT, "invalid registered proof for WinningPoSt: ");
    v.request.registered_proof = 99;
    run_badly(&w, &v, CUZK_E_INPUT, "unknown RegisteredPoStProof value: 99");
    v.request.registered_proof = 0;
    run_badly(&w, &v, CUZK_E_NO_PARAMS,
              "SRS param file not found for winning-2k: /nonexistent/v28");
    v.randomness[31] |= 0xc0; /* what the chain draws; the two bits do not count */
    run_badly(&w, &v, CUZK_E_NO_PARAMS, "SRS param file not found for winning-2k");
    v.randomness[0] ^= 1;
    run_badly(&w, &v, CUZK_E_INCONSISTENT, "vanilla proof of sector ");
    v.request.n_inputs = 0;
    run_badly(&w, &v, CUZK_E_INPUT, "no WinningPoSt vanilla proofs");
    v.request.n_inputs = 1;
    request_vector_close(&v);
    request_vector_open(&v, "window-2KiB-3");
    run_badly(&w, &v, CUZK_E_INPUT, "3 sectors: a partition of ");
    request_vector_close(&v);
    request_vector_open(&v, "porep-2KiB-ni");
    run_badly(&w, &v, CUZK_E_UNSUPPORTED, "non-interactive PoRep is delivered as an aggregate");
    v.request.registered_proof = 6;
    run_badly(&w, &v, CUZK_E_INCONSISTENT, "the request is for registered proof 6");
    request_vector_close(&v);
    request_vector_open(&v, "porep-2KiB-v1_1");
    run_badly(&w, &v, CUZK_E_NO_PARAMS, "SRS param file not found for porep-2k: ");
    v.inputs[0].len_bytes /= 2;
    run_badly(&w, &v, CUZK_E_INPUT, "C1 parse failed: ");
    request_vector_close(&v);
    request_vector_open(&v, "update-2KiB");
    v.comm_d_new[0] ^= 1;
    run_badly(&w, &v, CUZK_E_INCONSISTENT, "");
    v.request.n_inputs = 0;
    run_badly(&w, &v, CUZK_E_INPUT, "partition 0 >= vanilla_proofs.len() 0");
    v.request.n_inputs = 1;
    request_vector_close(&v);
    assert_idle(&w);
    end(&w);
}

/* What operators look for stands at the very beginning. Inputs have the names that the daemon gives
 * them: none for PoRep. */
static const struct listed_text {
    const char *folder, *text;
} listed_texts[] = {
    {"invalid/porep-base64", "C1 parse failed: failed to decode base64 Phase1Output"},
    {"invalid/porep-json-truncated",
     "C1 parse failed: failed to deserialize SealCommitPhase1Output from JSON"},
    {"invalid/porep-missing-comm-d",
     "C1 parse failed: failed to deserialize SealCommitPhase1Output from JSON"},
    {"invalid/porep-comm-d-zero", "Invalid all zero commitment (comm_d)"},
    {"invalid/porep-comm-r-range", "Invalid commitment (comm_r): "},
    {"invalid/porep-partitions-0", "partition 0 >= vanilla_proofs.len() 0"},
    {"invalid/porep-ni-partitions-12", "partition 12 >= vanilla_proofs.len() 12"},
    {"invalid/porep-registered-proof", "miner/sector/ticket do not match the vanilla proof"},
    {"invalid/update-truncated",
     "SnapDeals parse failed: failed to deserialize SnapDeals partition proof: "},
    {"invalid/winning-proofs-65", "failed to deserialize WinningPoSt vanilla proof: "},
    {"invalid/winning-two-sectors", "WinningPoSt expected 1 sector proof, got 2"},
    {"invalid/winning-sibling", "vanilla proof of sector 101, challenge "},
    {"invalid/window-truncated", "failed to deserialize WindowPoSt vanilla proof: "},
    {"invalid/window-comm-r", "vanilla proof of sector 101 is inconsistent: "},
};

static void name_inputs(request_vector *v, char names[16][40]) {
    for (size_t i = 0; i < v->request.n_inputs && v->request.kind != CUZK_POREP; i++) {
        snprintf(names[i], 40, "vanilla_proofs[%zu]", i);
        v->inputs[i].name = names[i];
    }
}

static void fails_beginning(world *w, const request_vector *v, const char *text) {
    engine_outcome outcome;
    run(w, &outcome, v);
    assert_int_equal(outcome.state, JOB_FAILED);
    if (strncmp(outcome.error.text, text, strlen(text)) != 0) {
        fail_msg("\"%s\" is not how this begins: %s", text, outcome.error.text);
    }
    cuzk_core_outcome_clear(&outcome);
}

/* The same, and the sector is named once. */
static void fails_naming_sector(world *w, const request_vector *v, const char *text) {
    char sector[40];
    engine_outcome outcome;
    fails_beginning(w, v, text);
    snprintf(sector, sizeof sector, "sector %llu", (unsigned long long)v->request.sector_number);
    run(w, &outcome, v);
    const char *at = strstr(outcome.error.text, sector);
    if (at == NULL || strstr(at + 1, sector) != NULL) {
        fail_msg("not one %s: %s", sector, outcome.error.text);
    }
    assert_int_equal(outcome.error.sector, v->request.sector_number);
    assert_int_equal(outcome.error.file[0], 0);
    cuzk_core_outcome_clear(&outcome);
}

static void listed_texts_come_first(void **state) {
    (void)state;
    world w;
    init_world(&w);
    w.options.param_dir = "/nonexistent";
    start(&w);
    request_vector v;
    char names[16][40];
    for (size_t i = 0; i < sizeof listed_texts / sizeof *listed_texts; i++) {
        request_vector_open(&v, listed_texts[i].folder);
        name_inputs(&v, names);
        fails_beginning(&w, &v, listed_texts[i].text);
        request_vector_close(&v);
    }
    request_vector_open(&v, "porep-2KiB-v1_1");
    v.request.has_sector_number = true; /* as the daemon has it */
    v.request.sector_number = 1;
    v.request.miner_id++;
    fails_naming_sector(&w, &v, "miner/sector/ticket do not match the vanilla proof");
    v.request.miner_id--;
    v.inputs[0].len_bytes = 7;
    fails_naming_sector(&w, &v, "C1 parse failed: failed to parse C1 output wrapper JSON");
    request_vector_close(&v);
    request_vector_open(&v, "invalid/porep-comm-r");
    v.request.has_sector_number = true;
    v.request.sector_number = 1;
    fails_naming_sector(&w, &v, "comm_r is not the hash of the roots of TreeC and TreeR");
    request_vector_close(&v);
    request_vector_open(&v, "update-2KiB");
    v.request.registered_proof = 99;
    fails_beginning(&w, &v, "invalid registered proof for SnapDeals: ");
    request_vector_close(&v);
    request_vector_open(&v, "window-2KiB-2");
    v.request.registered_proof = 99;
    fails_beginning(&w, &v, "invalid registered proof for WindowPoSt: ");
    request_vector_close(&v);
    end(&w);
}

/* ---- finished partitions ---- */

/* The table's three functions on a real request. The store is the service's, anew each time. */
static void partitions_are_stored(void **state) {
    (void)state;
    world w;
    request_vector v;
    char folder[64];
    uint8_t proof[GROTH16_PROOF_BYTES], again[GROTH16_PROOF_BYTES], job_digest[JOB_DIGEST_BYTES];
    key_files_folder(folder);
    assert_int_equal(chmod(folder, 0700), 0);
    init_world(&w);
    w.options.partition_dir = folder;
    request_vector_open(&v, "winning-2KiB");
    cuzk_job_digest(job_digest, &v.request);
    memset(proof, 7, sizeof proof);
    for (unsigned round = 0; round < 2; round++) {
        start(&w);
        partition_store *store;
        assert_int_equal(cuzk_partition_store_open(&store, folder, 10, NULL), CUZK_OK);
        proof_work self = {.params = cuzk_service_params(w.service),
                           .backend = &w.faulty.backend,
                           .last_backend = &w.faulty.backend,
                           .store = store,
                           .directory = directory};
        const engine_work work = cuzk_proof_work(&self);
        const cuzk_ctx ctx = {.pool = cuzk_service_pool(w.service), .priority = CUZK_NORMAL};
        void *opened;
        work_plan plan;
        cuzk_error err;
        assert_int_equal(work.open(work.arg, &opened, &ctx, &v.request, &err), CUZK_OK);
        assert_int_equal(work.load(work.arg, &plan, &ctx, opened, &err), CUZK_OK);
        assert_int_equal(work.recall(work.arg, again, opened, job_digest, 3), round == 1);
        if (round == 0) {
            work.keep(work.arg, opened, job_digest, 3, proof);
        } else {
            assert_memory_equal(again, proof, sizeof proof);
            assert_int_equal(work.verify(work.arg, &ctx, opened, 0, again, &err),
                             CUZK_E_PROOF_INVALID);
            work.forget(work.arg, opened, job_digest, 3);
            assert_false(work.recall(work.arg, again, opened, job_digest, 3));
        }
        work.close(work.arg, opened);
        cuzk_partition_store_close(store);
        end(&w);
        init_world(&w);
        w.options.partition_dir = folder;
    }
    fault_backend_clear(&w.faulty);
    request_vector_close(&v);
    key_files_remove(folder);
}

/* ---- memory ---- */

/* What one circuit's parameters take, and a proof beside them. */
static uint64_t resident_bytes(const char *folder, uint64_t *peak_bytes) {
    world w;
    param_report report;
    request_vector v;
    init_world(&w);
    start(&w);
    request_vector_open(&v, folder);
    run_well(&w, &v, 1);
    assert_int_equal(cuzk_param_look(cuzk_service_params(w.service), &report, 1), 1);
    *peak_bytes = cuzk_budget_look(cuzk_service_budget(w.service)).peak_bytes;
    request_vector_close(&v);
    end(&w);
    return report.bytes;
}

#define N_TURNS 4
/* Two circuits with room for the larger one alone: nothing stalls, parameters go, at least once. */
static void budget_for_one_circuit(void **state) {
    (void)state;
    world w;
    uint64_t peaks[2];
    request_vector v[2];
    (void)resident_bytes("winning-2KiB", &peaks[0]);
    (void)resident_bytes("window-2KiB-2", &peaks[1]);
    init_world(&w);
    w.options.min_idle_ns = 3600 * NS_PER_S;
    w.options.n_keep_hot = 0;
    w.options.critical_bytes = w.options.request_bytes = 1;
    w.options.budget_bytes = (peaks[0] > peaks[1] ? peaks[0] : peaks[1]) + 2;
    w.options.engine.max_open = 4;
    start(&w);
    request_vector_open(&v[0], "winning-2KiB");
    request_vector_open(&v[1], "window-2KiB-2");
    char ids[N_TURNS][JOB_ID_MAX + 1];
    engine_outcome outcome;
    for (size_t i = 0; i < N_TURNS; i++) { /* of one priority, so that all are served in turn */
        engine_receipt receipt;
        const engine_submission s = {.priority = CUZK_NORMAL,
                                     .keeps_going = true,
                                     .request = &v[i % 2].request,
                                     .release = release_nothing};
        assert_int_equal(cuzk_core_submit(cuzk_service_engine(w.service), &receipt, &s, NULL),
                         CUZK_OK);
        strcpy(ids[i], receipt.id);
    }
    for (size_t i = 0; i < N_TURNS; i++) {
        await(&w, &outcome, ids[i]);
        if (outcome.state != JOB_COMPLETED) {
            fail_msg("%s", outcome.error.text);
        }
        cuzk_core_outcome_clear(&outcome);
    }
    assert_idle(&w);
    /* each at its turn or both of a circuit together, but none loaded in vain */
    const param_counters params = cuzk_param_count(cuzk_service_params(w.service));
    assert_in_range(params.n_loads, 2, N_TURNS);
    assert_in_range(params.n_evictions, 1, params.n_loads - 1);
    request_vector_close(&v[0]);
    request_vector_close(&v[1]);
    end(&w);
}

static void budget_below_the_need(void **state) {
    (void)state;
    world w;
    request_vector v;
    init_world(&w);
    w.options.budget_bytes = 8 * MIB;
    start(&w);
    request_vector_open(&v, "winning-2KiB");
    run_badly(&w, &v, CUZK_E_NO_MEMORY, "budget is 0.01 GiB");
    request_vector_close(&v);
    assert_idle(&w);
    end(&w);
}

/* With less memory than the points take they stay in the file. */
static void points_stay_in_the_file(void **state) {
    (void)state;
    world w;
    request_vector v;
    param_report report;
    uint64_t peak;
    const uint64_t resident = resident_bytes("winning-2KiB", &peak);
    init_world(&w);
    w.options.n_keep_hot = 0;
    w.options.critical_bytes = w.options.request_bytes = 1;
    w.options.budget_bytes = peak - 1;
    start(&w);
    request_vector_open(&v, "winning-2KiB");
    run_well(&w, &v, 1);
    assert_int_equal(cuzk_param_look(cuzk_service_params(w.service), &report, 1), 1);
    assert_true(report.bytes < resident);
    request_vector_close(&v);
    assert_idle(&w);
    end(&w);
}

/* Streamed points: what is planned for a partition is enough for sums beside transforms. */
static void points_are_streamed(void **state) {
    (void)state;
    world w;
    request_vector v[2];
    param_report report;
    init_world(&w);
    w.options.tier = CUZK_TIER_STREAMED;
    start(&w);
    request_vector_open(&v[0], "winning-2KiB");
    request_vector_open(&v[1], "window-2KiB-2");
    for (size_t i = 0; i < 2; i++) {
        run_well(&w, &v[i], 1);
        request_vector_close(&v[i]);
    }
    assert_int_equal(cuzk_param_look(cuzk_service_params(w.service), &report, 1), 2);
    assert_idle(&w);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(bad_proofs_are_retried),
        cmocka_unit_test(always_bad_fails),
        cmocka_unit_test(cancelled_while_proving),
        cmocka_unit_test(requests_are_judged),
        cmocka_unit_test(listed_texts_come_first),
        cmocka_unit_test(partitions_are_stored),
        cmocka_unit_test(budget_for_one_circuit),
        cmocka_unit_test(budget_below_the_need),
        cmocka_unit_test(points_stay_in_the_file),
        cmocka_unit_test(points_are_streamed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
