/* Aggregates through the public interface: the reference's bytes, and what errors say to programs.
 */
#include <cuzk_unstable.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "srs/accept.h"
#include "support/key_files.h"
#include "support/support.h"

#define STEM                                                                                       \
    "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"             \
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f"

static char folder[64], srs_path[128];
static cuzk_seal_statement sector;
static cuzk_aggregate_statement statement = {.sectors = &sector, .n_sectors = 1, .version = 2};
static uint8_t *proof;
static size_t proof_bytes;

static cuzk_prover *open_prover(size_t memory_limit_bytes) {
    cuzk_options options;
    cuzk_prover *prover;
    cuzk_options_init(&options);
    options.param_cache = folder;
    options.allow_local_params = true;
    options.memory_limit_bytes = memory_limit_bytes;
    options.n_threads = 2;
    assert_int_equal(cuzk_prover_create(&prover, &options, NULL), CUZK_OK);
    return prover;
}

/* The verifying key of the vectors with a note that vouches for it, and an SRS for 16 proofs. */
static void make_parameters(void) {
    char path[512];
    size_t len;
    srs_local_note note = {.vk_digest = "8742038036e9ddb53894dc1787aaa6d6", .seed = "random"};
    uint8_t *vk = test_read_vector("params/" STEM ".vk", &len);
    snprintf(path, sizeof path, "%s/" STEM ".vk", folder);
    assert_int_equal(cuzk_file_write(path, vk, len, false, NULL), CUZK_OK);
    free(vk);
    snprintf(path, sizeof path, "%s/" STEM ".local.json", folder);
    cuzk_srs_local_note_date(&note);
    assert_int_equal(cuzk_srs_local_note_write(&note, path, NULL), CUZK_OK);
    cuzk_prover *prover = open_prover(SIZE_MAX);
    const uint64_t seed = 0;
    assert_int_equal(cuzk_setup_srs(prover, srs_path, 13, &seed, NULL), CUZK_OK);
    assert_int_equal(cuzk_setup_srs(prover, srs_path, 13, &seed, NULL), CUZK_E_IO);
    cuzk_prover_destroy(prover);
}

static int set_up(void **state) {
    (void)state;
    key_files_folder(folder);
    snprintf(srs_path, sizeof srs_path, "%s/test.srs", folder);
    statement.srs = srs_path;
    make_parameters();
    cuzk_input json = {.name = "manifest.json"};
    json.data = test_read_vector("inputs/porep-2KiB-ni/manifest.json", &json.len_bytes);
    assert_int_equal(cuzk_seal_statement_from_json(&sector, &json, NULL), CUZK_OK);
    free((void *)(uintptr_t)json.data);
    proof = test_read_vector("proofs/porep-2KiB-ni.fixed.bin", &proof_bytes);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(proof);
    key_files_remove(folder);
    return 0;
}

static void gives_the_reference_bytes(void **state) {
    (void)state;
    cuzk_prover *prover = open_prover(SIZE_MAX);
    const cuzk_input input = {.data = proof, .len_bytes = proof_bytes, .name = "proof.bin"};
    cuzk_result result;
    size_t len;
    uint8_t *want = test_read_vector("proofs/porep-2KiB-ni.fixed.aggregate-v2.bin", &len);
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &statement, &input, NULL), CUZK_OK);
    assert_int_equal(result.proof_bytes, len);
    assert_memory_equal(result.proof, want, len);
    assert_int_equal(result.n_partitions, 13);
    assert_true(result.local_params);
    assert_string_equal(result.circuit, "porep-2k");
    assert_int_equal(cuzk_verify_aggregate(prover, &statement, want, len, NULL), CUZK_OK);
    cuzk_result_clear(&result);
    free(want);
    cuzk_prover_destroy(prover);
}

/* Runs with the proof as it is and expects that status. */
static void fails(cuzk_prover *prover, cuzk_status status, cuzk_error *err) {
    const cuzk_input input = {.data = proof, .len_bytes = proof_bytes, .name = "proof.bin"};
    cuzk_result result;
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &statement, &input, err), status);
    assert_int_equal(err->status, status);
    assert_null(result.proof);
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &statement, &input, NULL), status);
}

static void names_bad_proofs(void **state) {
    (void)state;
    cuzk_prover *prover = open_prover(SIZE_MAX);
    cuzk_error err;
    const size_t at = 5 * 192;
    proof[at] ^= 0x20; /* the sign of A of partition 5 */
    fails(prover, CUZK_E_PROOF_INVALID, &err);
    assert_int_equal(err.sector, 1);
    assert_int_equal(err.partition, 5);
    assert_non_null(strstr(err.text, "[bad=1 of=13 bad_proofs=1/5]"));
    proof[at] ^= 0xa0; /* not compressed */
    fails(prover, CUZK_E_INPUT, &err);
    assert_int_equal(err.sector, 1);
    assert_int_equal(err.partition, 5);
    assert_string_equal(err.file, "proof.bin");
    proof[at] ^= 0x80;
    proof_bytes--;
    fails(prover, CUZK_E_INPUT, &err);
    assert_int_equal(err.sector, 1);
    proof_bytes++;
    cuzk_prover_destroy(prover);
}

static void obeys_its_limits(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_prover *prover = open_prover(1 << 12);
    fails(prover, CUZK_E_NO_MEMORY, &err);
    cuzk_prover_destroy(prover);
    prover = open_prover(SIZE_MAX);
    cuzk_prover_cancel(prover);
    fails(prover, CUZK_E_CANCELLED, &err);
    cuzk_prover_destroy(prover);
}

static void checks_its_arguments(void **state) {
    (void)state;
    cuzk_prover *prover = open_prover(SIZE_MAX);
    cuzk_error err;
    cuzk_result result;
    cuzk_aggregate_statement bad = statement;
    cuzk_input input = {.data = proof, .len_bytes = proof_bytes};
    assert_int_equal(cuzk_aggregate_seals(NULL, &result, &statement, &input, &err),
                     CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &statement, NULL, &err),
                     CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_verify_aggregate(prover, NULL, proof, 1, &err), CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_verify_aggregate(prover, &statement, NULL, 1, &err), CUZK_E_ARGUMENT);
    bad.version = 3;
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &bad, &input, &err), CUZK_E_ARGUMENT);
    bad = statement;
    bad.n_sectors = 0;
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &bad, &input, &err), CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_verify_aggregate(prover, &bad, proof, 1, &err), CUZK_E_ARGUMENT);
    input.data = NULL;
    assert_int_equal(cuzk_aggregate_seals(prover, &result, &statement, &input, &err),
                     CUZK_E_ARGUMENT);
    cuzk_prover_destroy(prover);
}

/* More sectors than an aggregate may hold are refused before anything is allocated for them. */
static void refuses_too_many(void **state) {
    (void)state;
    const size_t n = 66;
    cuzk_prover *prover = open_prover(SIZE_MAX);
    cuzk_error err;
    cuzk_aggregate_statement many = {.n_sectors = n, .version = 2, .srs = srs_path};
    cuzk_seal_statement *sectors = calloc(n, sizeof *sectors);
    assert_non_null(sectors);
    for (size_t i = 0; i < n; i++) {
        sectors[i] = sector;
        sectors[i].sector_number = i;
    }
    many.sectors = sectors;
    assert_int_equal(cuzk_verify_aggregate(prover, &many, proof, proof_bytes, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "66 sectors"));
    sectors[0].registered_proof = 5;
    many.n_sectors = SIZE_MAX; /* never looked at */
    assert_int_equal(cuzk_verify_aggregate(prover, &many, proof, proof_bytes, &err), CUZK_E_INPUT);
    many.n_sectors = 2;
    assert_int_equal(cuzk_verify_aggregate(prover, &many, proof, proof_bytes, &err), CUZK_E_INPUT);
    assert_int_equal(err.sector, 1);
    free(sectors);
    cuzk_prover_destroy(prover);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_reference_bytes), cmocka_unit_test(names_bad_proofs),
        cmocka_unit_test(obeys_its_limits),          cmocka_unit_test(checks_its_arguments),
        cmocka_unit_test(refuses_too_many),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
