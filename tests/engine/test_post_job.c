/* LABELS: heavy */
/* WinningPoSt and WindowPoSt through the public interface: parameters made with the reference's
 * seed are the reference's, proofs with its blinding equal its own byte for byte, its random proofs
 * verify, and altered statements do not. */
#include <cuzk_unstable.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash/sha256.h"
#include "support/manifest.h"
#include "support/support.h"

static const uint8_t reference_seed[16] = {0x59, 0x62, 0xbe, 0x5d, 0x76, 0x3d, 0x31, 0x8d,
                                           0x17, 0xdb, 0x37, 0x32, 0x54, 0x06, 0xbc, 0xe5};

#define WINNING_STEM                                                                               \
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"                            \
    "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e"
#define WINDOW_STEM                                                                                \
    "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"                            \
    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0"

static char directory[] = "/tmp/cuzk-post-XXXXXX";
static cuzk_prover *prover;

static void fixed_blinding(uint8_t out[32], char name, unsigned partition) {
    char text[64];
    snprintf(text, sizeof text, "oracle|blinding|%c|%u", name, partition);
    cuzk_sha256(out, text, strlen(text));
    out[31] &= 0x3f;
}

static void make_parameters(const char *id, const char *stem, const char *params_sha256) {
    cuzk_error err;
    size_t circuit;
    assert_int_equal(cuzk_circuit_find(&circuit, id, &err), CUZK_OK);
    if (cuzk_setup(prover, circuit, reference_seed, directory, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/%s.params", directory, stem);
    uint8_t *bytes = test_read_file(path, &len);
    uint8_t hash[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    cuzk_sha256(hash, bytes, len);
    for (size_t i = 0; i < sizeof hash; i++) {
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    }
    assert_string_equal(hex, params_sha256);
    free(bytes);
    snprintf(path, sizeof path, "%s/%s.vk", directory, stem);
    uint8_t *made = test_read_file(path, &len);
    size_t expected_len;
    snprintf(path, sizeof path, "params/%s.vk", stem);
    uint8_t *expected = test_read_vector(path, &expected_len);
    assert_int_equal(len, expected_len);
    assert_memory_equal(made, expected, len);
    free(made);
    free(expected);
}

static int set_up(void **state) {
    (void)state;
    cuzk_options options;
    cuzk_options_init(&options);
    assert_non_null(mkdtemp(directory));
    options.param_cache = directory;
    options.allow_local_params = true;
    assert_int_equal(cuzk_prover_create(&prover, &options, NULL), CUZK_OK);
    make_parameters("winning-2k", WINNING_STEM,
                    "64182a387a7604b6e34253f7c2cb3f9d31f1dd962f136043d14ab2e9f5e731e8");
    make_parameters("wpost-2k", WINDOW_STEM,
                    "5a4be35a58bd937f8aed3b904758e19145f9f5b4c061427eb007113f36a462d7");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    cuzk_prover_destroy(prover);
    static const char *const stems[] = {WINNING_STEM, WINDOW_STEM};
    static const char *const ends[] = {".params",        ".vk",       ".meta", ".local.json",
                                       ".params.digest", ".vk.digest"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s%s", directory, stems[i], ends[k]);
            unlink(path);
        }
    }
    return rmdir(directory);
}

/* One request of the vectors. */
typedef struct post_vector {
    const char *name;
    test_manifest *manifest;
    cuzk_input inputs[4];
    size_t n_inputs;
    uint8_t randomness[32];
    cuzk_request request;
    cuzk_post_sector sectors[4];
    cuzk_post_statement statement;
} post_vector;

static void open_vector(post_vector *v, const char *name, cuzk_proof_kind kind) {
    char path[256];
    memset(v, 0, sizeof *v);
    v->name = name;
    snprintf(path, sizeof path, "inputs/%s", name);
    v->manifest = test_manifest_open(path);
    v->n_inputs = test_manifest_files(v->manifest);
    assert_true(v->n_inputs <= 4);
    for (size_t i = 0; i < v->n_inputs; i++) {
        snprintf(path, sizeof path, "inputs/%s/%s", name, test_manifest_file(v->manifest, i));
        v->inputs[i].data = test_read_vector(path, &v->inputs[i].len_bytes);
        v->inputs[i].name = test_manifest_file(v->manifest, i);
        test_manifest_sector(v->manifest, i, &v->sectors[i].number, v->sectors[i].comm_r);
    }
    test_manifest_hex(v->manifest, "randomness", v->randomness, sizeof v->randomness);
    v->request =
        (cuzk_request){.kind = kind,
                       .registered_proof = test_manifest_u64(v->manifest, "registered_proof"),
                       .miner_id = test_manifest_u64(v->manifest, "miner_id"),
                       .inputs = v->inputs,
                       .n_inputs = v->n_inputs,
                       .randomness = v->randomness};
    v->statement = (cuzk_post_statement){.kind = kind,
                                         .registered_proof = v->request.registered_proof,
                                         .miner_id = v->request.miner_id,
                                         .sectors = v->sectors,
                                         .n_sectors = v->n_inputs};
    memcpy(v->statement.randomness, v->randomness, sizeof v->randomness);
}

static void close_vector(post_vector *v) {
    for (size_t i = 0; i < v->n_inputs; i++) {
        free((void *)v->inputs[i].data);
    }
    test_manifest_close(v->manifest);
}

static uint8_t *reference_proof(const post_vector *v, const char *blinding, size_t *len) {
    char path[256];
    snprintf(path, sizeof path, "proofs/%s.%s.bin", v->name, blinding);
    return test_read_vector(path, len);
}

static void check_fixed(post_vector *v) {
    size_t len;
    uint8_t *expected = reference_proof(v, "fixed", &len);
    uint8_t r[32], s[32];
    for (unsigned k = 0; k < len / 192; k++) {
        cuzk_error err;
        cuzk_result result;
        fixed_blinding(r, 'r', k);
        fixed_blinding(s, 's', k);
        cuzk_request request = v->request;
        request.insecure_test_r = r;
        request.insecure_test_s = s;
        request.only_one = true;
        request.only_partition = k;
        if (cuzk_prove(prover, &result, &request, &err) != CUZK_OK) {
            fail_msg("%s: %s", v->name, err.text);
        }
        assert_int_equal(result.proof_bytes, 192);
        assert_memory_equal(result.proof, expected + 192 * k, 192);
        cuzk_result_clear(&result);
    }
    free(expected);
}

static void check_statements(post_vector *v) {
    size_t len;
    cuzk_error err;
    uint8_t *proof = reference_proof(v, "random", &len);
    assert_int_equal(cuzk_verify_post(prover, &v->statement, proof, len, false, 0, &err), CUZK_OK);
    cuzk_post_statement altered = v->statement;
    altered.randomness[3] ^= 1;
    assert_int_equal(cuzk_verify_post(prover, &altered, proof, len, false, 0, &err),
                     CUZK_E_PROOF_INVALID);
    cuzk_post_sector sectors[4];
    memcpy(sectors, v->sectors, sizeof sectors);
    altered = v->statement;
    altered.kind = v->statement.kind == CUZK_WINDOW_POST ? CUZK_WINNING_POST : CUZK_WINDOW_POST;
    assert_int_equal(cuzk_verify_post(prover, &altered, proof, len, false, 0, &err), CUZK_E_INPUT);
    altered.kind = CUZK_SNAP;
    assert_int_equal(cuzk_verify_post(prover, &altered, proof, len, false, 0, &err),
                     CUZK_E_ARGUMENT);
    altered = v->statement;
    altered.sectors = sectors;
    sectors[v->n_inputs - 1].number++;
    assert_int_equal(cuzk_verify_post(prover, &altered, proof, len, false, 0, &err),
                     CUZK_E_PROOF_INVALID);
    sectors[v->n_inputs - 1].number--;
    sectors[v->n_inputs - 1].comm_r[0] ^= 1;
    assert_int_equal(cuzk_verify_post(prover, &altered, proof, len, false, 0, &err),
                     CUZK_E_PROOF_INVALID);
    assert_int_equal(cuzk_verify_post(prover, &v->statement, proof, len - 1, false, 0, &err),
                     CUZK_E_INPUT);
    free(proof);
    /* what a verifier needs is in the vanilla proofs too */
    for (size_t i = 0; i < v->n_inputs; i++) {
        cuzk_post_sector known;
        assert_int_equal(
            cuzk_post_sector_from_vanilla(&known, v->request.registered_proof, &v->inputs[i], &err),
            CUZK_OK);
        assert_int_equal(known.number, v->sectors[i].number);
        assert_memory_equal(known.comm_r, v->sectors[i].comm_r, 32);
    }
}

static void check_fresh(post_vector *v) {
    cuzk_error err;
    cuzk_result a, b;
    assert_int_equal(cuzk_prove(prover, &a, &v->request, &err), CUZK_OK);
    assert_int_equal(cuzk_prove(prover, &b, &v->request, &err), CUZK_OK);
    assert_int_equal(a.proof_bytes, b.proof_bytes);
    assert_int_equal(a.n_sectors, v->n_inputs);
    assert_true(a.local_params);
    assert_memory_not_equal(a.proof, b.proof, a.proof_bytes);
    assert_int_equal(
        cuzk_verify_post(prover, &v->statement, b.proof, b.proof_bytes, false, 0, &err), CUZK_OK);
    cuzk_result_clear(&a);
    cuzk_result_clear(&b);
}

static void test_winning(void **state) {
    (void)state;
    post_vector v;
    open_vector(&v, "winning-2KiB", CUZK_WINNING_POST);
    check_fixed(&v);
    check_statements(&v);
    check_fresh(&v);
    close_vector(&v);
}

static void test_window(void **state) {
    (void)state;
    static const char *const names[] = {"window-2KiB-1", "window-2KiB-2", "window-2KiB-3",
                                        "window-2KiB-v1-3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        post_vector v;
        open_vector(&v, names[i], CUZK_WINDOW_POST);
        check_fixed(&v);
        check_statements(&v);
        close_vector(&v);
    }
    post_vector v;
    open_vector(&v, "window-2KiB-3", CUZK_WINDOW_POST);
    check_fresh(&v);
    close_vector(&v);
}

/* The third sector alone, as the second partition of a larger proof: V1 challenges depend on it. */
static void test_whole_partition(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_result result;
    post_vector v;
    open_vector(&v, "window-2KiB-v1-3", CUZK_WINDOW_POST);
    cuzk_request request = v.request;
    request.inputs = &v.inputs[2];
    request.n_inputs = 1;
    request.whole_partition = true;
    request.partition_index = 1;
    uint8_t r[32], s[32];
    fixed_blinding(r, 'r', 1);
    fixed_blinding(s, 's', 1);
    request.insecure_test_r = r;
    request.insecure_test_s = s;
    if (cuzk_prove(prover, &result, &request, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    size_t len;
    uint8_t *expected = reference_proof(&v, "fixed", &len);
    assert_int_equal(len, 2 * 192);
    assert_memory_equal(result.proof, expected + 192, 192);
    cuzk_result_clear(&result);
    free(expected);
    request.partition_index = 0;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INCONSISTENT);
    assert_int_equal(err.sector, v.sectors[2].number);
    request.inputs = v.inputs;
    request.n_inputs = 3;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "3 sectors"));
    close_vector(&v);
}

/* A refused call says which sectors are bad, and nothing else. */
static void test_bad_sectors(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_result result;
    post_vector v;
    open_vector(&v, "window-2KiB-3", CUZK_WINDOW_POST);
    for (size_t i = 0; i < 3; i += 2) {
        ((uint8_t *)v.inputs[i].data)[v.inputs[i].len_bytes - 1] ^= 1; /* comm_r_last */
    }
    assert_int_equal(cuzk_prove(prover, &result, &v.request, &err), CUZK_E_INCONSISTENT);
    assert_null(result.proof);
    assert_int_equal(result.n_bad_sectors, 2);
    assert_int_equal(result.bad_sectors[0], v.sectors[0].number);
    assert_int_equal(result.bad_sectors[1], v.sectors[2].number);
    cuzk_result_clear(&result);
    v.request.n_inputs = 0;
    assert_int_equal(cuzk_prove(prover, &result, &v.request, &err), CUZK_E_INPUT);
    assert_null(result.bad_sectors);
    close_vector(&v);
}

static void test_wrong_calls(void **state) {
    (void)state;
    cuzk_error err;
    cuzk_result result;
    post_vector v;
    open_vector(&v, "window-2KiB-1", CUZK_WINDOW_POST);
    cuzk_request request = v.request;
    request.kind = CUZK_WINNING_POST;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "invalid registered proof for WinningPoSt"));
    request = v.request;
    request.registered_proof = 15;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "unknown RegisteredPoStProof value: 15"));
    request = v.request;
    request.n_inputs = 0;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "no WindowPoSt vanilla proofs"));
    request = v.request;
    request.randomness = NULL;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_ARGUMENT);
    request = v.request;
    request.only_one = true;
    request.only_partition = 1;
    assert_int_equal(cuzk_prove(prover, &result, &request, &err), CUZK_E_INPUT);
    close_vector(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winning),         cmocka_unit_test(test_window),
        cmocka_unit_test(test_whole_partition), cmocka_unit_test(test_bad_sectors),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
