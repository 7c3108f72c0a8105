/* Calls that break the rules of the public interface: each is reported as such, at the border, and
 * leaves a result that can be cleared. */
#include <cuzk.h>

#include "support/support.h"

static cuzk_prover *prover;
static const uint8_t some[192];
static const cuzk_input input = {some, sizeof some, "some"}, nothing = {NULL, 0, "nothing"};

static int set_up(void **state) {
    (void)state;
    cuzk_options options;
    cuzk_options_init(&options);
    options.param_cache = "/nonexistent";
    return cuzk_prover_create(&prover, &options, NULL) != CUZK_OK;
}

static int tear_down(void **state) {
    (void)state;
    cuzk_prover_destroy(prover);
    cuzk_prover_destroy(NULL);
    cuzk_prover_cancel(NULL);
    cuzk_result_clear(NULL);
    return 0;
}

static void refused(cuzk_status status, const cuzk_error *err) {
    assert_int_equal(status, CUZK_E_ARGUMENT);
    assert_int_equal(err->status, CUZK_E_ARGUMENT);
    assert_true(strlen(err->text) > 0);
}

static void refuses_to_prove(const cuzk_request *request) {
    cuzk_error err;
    cuzk_result result;
    memset(&result, 0xaa, sizeof result);
    refused(cuzk_prove(prover, &result, request, &err), &err);
    assert_null(result.proof);
    cuzk_result_clear(&result);
    assert_int_equal(cuzk_prove(prover, &result, request, NULL), CUZK_E_ARGUMENT);
}

static void provers(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_options options;
    cuzk_prover *p;
    cuzk_options_init(&options);
    refused(cuzk_prover_create(NULL, &options, &err), &err);
    refused(cuzk_prover_create(&p, NULL, &err), &err);
}

static void requests(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_result result;
    const cuzk_request good = {.kind = CUZK_SNAP,
                               .inputs = &input,
                               .n_inputs = 1,
                               .randomness = some,
                               .comm_r_old = some,
                               .comm_r_new = some,
                               .comm_d_new = some};
    refused(cuzk_prove(NULL, &result, &good, &err), &err);
    refused(cuzk_prove(prover, NULL, &good, &err), &err);
    refused(cuzk_prove(prover, &result, NULL, &err), &err);
    cuzk_request bad = good;
    for (int kind = -1; kind <= 5; kind += kind == 0 ? 5 : 1) { /* -1, 0, 5 */
        bad.kind = (cuzk_proof_kind)kind;
        refuses_to_prove(&bad);
    }
    for (int i = 0; i < 3; i++) {
        bad = good;
        *(i == 0 ? &bad.comm_r_old : i == 1 ? &bad.comm_r_new : &bad.comm_d_new) = NULL;
        refuses_to_prove(&bad);
    }
    for (int kind = CUZK_POREP; kind <= CUZK_WINNING_POST; kind++) {
        bad = good;
        bad.kind = (cuzk_proof_kind)kind;
        bad.inputs = NULL;
        refuses_to_prove(&bad);
        bad.inputs = &nothing;
        refuses_to_prove(&bad);
        bad.inputs = &input;
        bad.insecure_test_r = some;
        refuses_to_prove(&bad);
        bad.insecure_test_r = NULL;
        bad.insecure_test_s = some;
        refuses_to_prove(&bad);
    }
    bad = good;
    bad.randomness = NULL;
    bad.kind = CUZK_WINDOW_POST;
    refuses_to_prove(&bad);
    bad.kind = CUZK_WINNING_POST;
    refuses_to_prove(&bad);
}

static void statements(void **state) {
    (void)state;
    cuzk_error err;
    const cuzk_seal_statement seal = {0};
    cuzk_seal_statement out;
    refused(cuzk_seal_statement_from_c1(NULL, &input, &err), &err);
    refused(cuzk_seal_statement_from_c1(&out, NULL, &err), &err);
    refused(cuzk_seal_statement_from_c1(&out, &nothing, &err), &err);
    refused(cuzk_verify_seal(NULL, &seal, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_seal(prover, NULL, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_seal(prover, &seal, NULL, 192, false, 0, &err), &err);

    cuzk_post_sector sector;
    refused(cuzk_post_sector_from_vanilla(NULL, 0, &input, &err), &err);
    refused(cuzk_post_sector_from_vanilla(&sector, 0, NULL, &err), &err);
    refused(cuzk_post_sector_from_vanilla(&sector, 0, &nothing, &err), &err);
    cuzk_post_statement post = {.kind = CUZK_WINNING_POST, .n_sectors = 1};
    refused(cuzk_verify_post(prover, &post, some, 192, false, 0, &err), &err);
    post.sectors = &sector;
    refused(cuzk_verify_post(NULL, &post, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_post(prover, NULL, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_post(prover, &post, NULL, 192, false, 0, &err), &err);
    post.kind = CUZK_POREP;
    refused(cuzk_verify_post(prover, &post, some, 192, false, 0, &err), &err);
    post = (cuzk_post_statement){.kind = CUZK_WINDOW_POST, .registered_proof = 10};
    assert_int_equal(cuzk_verify_post(prover, &post, some, 192, false, 0, &err), CUZK_E_INPUT);

    const cuzk_update_statement update = {0};
    refused(cuzk_verify_update(NULL, &update, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_update(prover, NULL, some, 192, false, 0, &err), &err);
    refused(cuzk_verify_update(prover, &update, NULL, 192, false, 0, &err), &err);
}

static void aggregates(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_result result;
    const cuzk_seal_statement seal = {0};
    const cuzk_aggregate_statement good = {.sectors = &seal, .n_sectors = 1, .version = 2};
    refused(cuzk_aggregate_seals(NULL, &result, &good, &input, &err), &err);
    refused(cuzk_aggregate_seals(prover, NULL, &good, &input, &err), &err);
    refused(cuzk_aggregate_seals(prover, &result, NULL, &input, &err), &err);
    refused(cuzk_aggregate_seals(prover, &result, &good, NULL, &err), &err);
    refused(cuzk_verify_aggregate(prover, &good, NULL, 192, &err), &err);
    for (int i = 0; i < 4; i++) {
        cuzk_aggregate_statement bad = good;
        bad.sectors = i == 0 ? NULL : bad.sectors;
        bad.n_sectors = i == 1 ? 0 : bad.n_sectors;
        bad.version = i == 2 ? 0 : i == 3 ? 3 : bad.version;
        memset(&result, 0xaa, sizeof result);
        refused(cuzk_aggregate_seals(prover, &result, &bad, &input, &err), &err);
        cuzk_result_clear(&result);
        refused(cuzk_verify_aggregate(prover, &bad, some, 192, &err), &err);
    }
    const cuzk_input empty = {NULL, 192, "NULL of 192 bytes"};
    refused(cuzk_aggregate_seals(prover, &result, &good, &empty, &err), &err);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provers),
        cmocka_unit_test(requests),
        cmocka_unit_test(statements),
        cmocka_unit_test(aggregates),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
