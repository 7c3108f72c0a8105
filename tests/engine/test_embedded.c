/* The engine of cuzk.h, as a host program sees it: jobs, their ids and outcomes, texts, parameters;
 * and calls that break its rules. */
#include <cuzk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuzk_unstable.h>

#include "base/log.h"
#include "support/key_files.h"
#include "support/request_vectors.h"
#include "support/support.h"

static char made[64];

static int set_up(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("off", false, NULL), CUZK_OK);
    key_files_folder(made);
    key_files_make(made, "wpost-2k");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    key_files_remove(made);
    return 0;
}

static cuzk_engine *start(void) {
    cuzk_engine_options options;
    cuzk_engine *engine;
    cuzk_error err;
    cuzk_engine_options_init(&options);
    options.n_threads = 2;
    options.memory_budget_bytes = (uint64_t)1 << 30;
    options.param_cache = made;
    options.allow_local_params = true;
    if (cuzk_engine_create(&engine, &options, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return engine;
}

static void proofs(void **state) {
    (void)state;
    cuzk_engine *engine = start();
    request_vector v;
    char first[CUZK_JOB_ID_CHARS], second[CUZK_JOB_ID_CHARS], third[CUZK_JOB_ID_CHARS];
    cuzk_job_outcome a, b;
    cuzk_error err;
    request_vector_open(&v, "window-2KiB-2");
    assert_int_equal(cuzk_engine_submit(engine, first, &v.request, "wdpost-1-[1 2]", 0, &err),
                     CUZK_OK);
    assert_string_equal(first, "wdpost-1-[1 2]");
    assert_int_equal(cuzk_engine_submit(engine, second, &v.request, first, CUZK_URGENCY_LOW, &err),
                     CUZK_OK);
    assert_string_equal(second, first); /* the same request */
    v.request.registered_proof = 99;
    assert_int_equal(cuzk_engine_submit(engine, third, &v.request, first, 0, &err), CUZK_OK);
    assert_string_not_equal(third, first);
    request_vector_close(&v); /* the engine has copies */
    assert_int_equal(cuzk_engine_await(engine, &a, first, UINT64_MAX, &err), CUZK_OK);
    if (a.state != CUZK_JOB_COMPLETED) {
        fail_msg("%s", a.error.text);
    }
    assert_int_equal(a.proof_bytes, 192);
    assert_int_equal(cuzk_engine_await(engine, &b, second, 0, &err), CUZK_OK);
    assert_memory_equal(a.proof, b.proof, 192);
    cuzk_job_outcome_clear(&a);
    cuzk_job_outcome_clear(&b);
    assert_null(b.proof);
    assert_int_equal(cuzk_engine_await(engine, &a, third, UINT64_MAX, &err), CUZK_OK);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_non_null(strstr(a.error.text, "unknown RegisteredPoStProof value: 99"));
    cuzk_job_outcome_clear(&a);
    cuzk_engine_destroy(engine);
}

static void parameters_and_texts(void **state) {
    (void)state;
    cuzk_engine *engine = start();
    bool flag;
    uint64_t number;
    char *text;
    size_t len;
    cuzk_error err;
    assert_int_equal(cuzk_engine_preload(engine, "wpost-2k", &flag, &number, &err), CUZK_OK);
    assert_false(flag);
    assert_int_equal(cuzk_engine_preload(engine, "wpost-2k", &flag, &number, &err), CUZK_OK);
    assert_true(flag);
    assert_int_equal(cuzk_engine_preload(engine, "winning-2k", &flag, &number, &err),
                     CUZK_E_NO_PARAMS);
    assert_int_equal(cuzk_engine_preload(engine, "x", &flag, &number, &err), CUZK_E_RANGE);
    assert_int_equal(cuzk_engine_status_json(engine, &text, &len, &err), CUZK_OK);
    assert_int_equal(strlen(text), len);
    assert_non_null(strstr(text, "wpost-2k"));
    cuzk_engine_text_free(text);
    assert_int_equal(cuzk_engine_evict(engine, "wpost-2k", &flag, &number, &err), CUZK_OK);
    assert_true(flag && number > 0);
    assert_int_equal(cuzk_engine_evict(engine, "x", &flag, &number, &err), CUZK_E_RANGE);
    assert_int_equal(cuzk_engine_metrics_text(engine, &text, &len, &err), CUZK_OK);
    assert_int_equal(strlen(text), len);
    cuzk_engine_text_free(text);
    cuzk_engine_destroy(engine);
}

static void ends(void **state) {
    (void)state;
    cuzk_engine *engine = start();
    request_vector v;
    char id[CUZK_JOB_ID_CHARS];
    bool was_running;
    cuzk_job_outcome outcome;
    cuzk_error err;
    request_vector_open(&v, "window-2KiB-2");
    assert_int_equal(cuzk_engine_submit(engine, id, &v.request, NULL, 0, &err), CUZK_OK);
    assert_int_equal(strlen(id), 36);
    assert_int_equal(cuzk_engine_cancel(engine, id, &was_running, &err), CUZK_OK);
    assert_int_equal(cuzk_engine_await(engine, &outcome, id, UINT64_MAX, &err), CUZK_OK);
    assert_int_equal(outcome.state, CUZK_JOB_CANCELLED);
    assert_int_equal(cuzk_engine_cancel(engine, id, NULL, &err), CUZK_OK);
    assert_int_equal(cuzk_engine_cancel(engine, "nobody", &was_running, &err), CUZK_OK);
    assert_false(was_running);
    assert_int_equal(cuzk_engine_await(engine, &outcome, "nobody", 0, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "job not found: nobody");
    assert_int_equal(cuzk_engine_shutdown(engine, 1000, &err), CUZK_OK);
    assert_int_equal(cuzk_engine_submit(engine, id, &v.request, NULL, 0, &err), CUZK_E_CANCELLED);
    request_vector_close(&v);
    cuzk_engine_destroy(engine);
    cuzk_engine_destroy(NULL);
    cuzk_job_outcome_clear(NULL);
    cuzk_engine_text_free(NULL);
    cuzk_engine_options_init(NULL);
}

static void refused(cuzk_status status, const cuzk_error *err) {
    assert_int_equal(status, CUZK_E_ARGUMENT);
    assert_int_equal(err->status, CUZK_E_ARGUMENT);
    assert_true(err->text[0] != '\0');
}

static void misuse(void **state) {
    (void)state;
    cuzk_engine *engine = start(), *other;
    cuzk_engine_options options;
    cuzk_error err;
    char id[CUZK_JOB_ID_CHARS];
    cuzk_job_outcome outcome;
    bool flag;
    uint64_t number;
    char *text;
    size_t len;
    request_vector v;
    static const uint8_t zero[32];
    request_vector_open(&v, "window-2KiB-2");
    cuzk_engine_options_init(&options);
    refused(cuzk_engine_create(NULL, &options, &err), &err);
    refused(cuzk_engine_create(&other, NULL, &err), &err);
    options.n_keep_hot = 1;
    refused(cuzk_engine_create(&other, &options, &err), &err);
    refused(cuzk_engine_submit(NULL, id, &v.request, NULL, 0, &err), &err);
    refused(cuzk_engine_submit(engine, NULL, &v.request, NULL, 0, &err), &err);
    refused(cuzk_engine_submit(engine, id, NULL, NULL, 0, &err), &err);
    refused(cuzk_engine_submit(engine, id, &v.request, NULL, (cuzk_urgency)9, &err), &err);
    cuzk_request bad = v.request;
    bad.randomness = NULL;
    refused(cuzk_engine_submit(engine, id, &bad, NULL, 0, &err), &err);
    bad = v.request;
    bad.only_one = true;
    refused(cuzk_engine_submit(engine, id, &bad, NULL, 0, &err), &err);
    bad = v.request;
    bad.insecure_test_r = bad.insecure_test_s = zero;
    refused(cuzk_engine_submit(engine, id, &bad, NULL, 0, &err), &err);
    refused(cuzk_engine_await(NULL, &outcome, "x", 0, &err), &err);
    refused(cuzk_engine_await(engine, NULL, "x", 0, &err), &err);
    refused(cuzk_engine_await(engine, &outcome, NULL, 0, &err), &err);
    refused(cuzk_engine_cancel(NULL, "x", &flag, &err), &err);
    refused(cuzk_engine_cancel(engine, NULL, &flag, &err), &err);
    refused(cuzk_engine_shutdown(NULL, 0, &err), &err);
    refused(cuzk_engine_status_json(engine, NULL, &len, &err), &err);
    refused(cuzk_engine_metrics_text(engine, &text, NULL, &err), &err);
    refused(cuzk_engine_preload(engine, NULL, &flag, &number, &err), &err);
    refused(cuzk_engine_evict(engine, "x", NULL, &number, &err), &err);
    request_vector_close(&v);
    cuzk_engine_destroy(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs),
        cmocka_unit_test(parameters_and_texts),
        cmocka_unit_test(ends),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
