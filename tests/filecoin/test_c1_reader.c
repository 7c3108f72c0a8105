/* LABELS: quick */
/* The C1 reader: vectors, documents with one fault each, truncation, order and white space. */
#include "filecoin/c1_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/base64.h"
#include "support/c1_writer.h"
#include "support/manifest.h"
#include "support/support.h"

static cuzk_status read_document(porep_proof *proof, const char *folder, cuzk_error *err) {
    char name[256];
    snprintf(name, sizeof name, "%s/c1.json", folder);
    size_t len;
    uint8_t *data = test_read_vector(name, &len);
    const cuzk_ctx ctx = {0};
    cuzk_status status = cuzk_c1_read(proof, &ctx, data, len, name, err);
    free(data);
    return status;
}

static void reads_the_vectors(void **state) {
    (void)state;
    const struct {
        const char *folder;
        unsigned number, n_partitions;
    } cases[] = {{"inputs/porep-2KiB-v1", 0, 1},         {"inputs/porep-2KiB-v1_1", 5, 1},
                 {"inputs/porep-2KiB-synthetic", 10, 1}, {"inputs/porep-2KiB-ni", 15, 13},
                 {"inputs/porep-8MiB-v1_1", 6, 1},       {"invalid/porep-unknown-key", 5, 1},
                 {"invalid/porep-missing-h", 5, 1},      {"invalid/porep-label-parents", 5, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        porep_proof proof;
        cuzk_error err;
        if (read_document(&proof, cases[i].folder, &err) != CUZK_OK) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(proof.type->number, cases[i].number);
        assert_int_equal(proof.n_partitions, cases[i].n_partitions);
        assert_int_equal(proof.n_challenges, 2);
        test_manifest *manifest = test_manifest_open(cases[i].folder);
        const struct {
            const char *key;
            const digest *found;
        } digests[] = {{"comm_r", &proof.comm_r},
                       {"comm_d", &proof.comm_d},
                       {"ticket", &proof.ticket},
                       {"seed", &proof.seed},
                       {"replica_id", &proof.replica_id}};
        for (size_t k = 0; k < 5; k++) {
            uint8_t want[32];
            test_manifest_hex(manifest, digests[k].key, want, sizeof want);
            assert_memory_equal(want, digests[k].found->bytes, 32);
        }
        const porep_challenge_proof *c = &proof.challenges[0];
        assert_memory_equal(&c->comm_d.root, &proof.comm_d, 32);
        assert_int_equal(c->comm_d.n_levels, proof.type->size->log2_nodes);
        assert_int_equal(c->parents[13].inclusion.n_levels, proof.type->size->shape.n_base_levels);
        assert_true(c->node > 0 && c->node < proof.type->size->nodes);
        assert_true(proof.has_sector_number);
        assert_true(proof.sector_number == test_manifest_u64(manifest, "sector_number"));
        test_manifest_close(manifest);
        cuzk_porep_proof_clear(&proof);
    }
}

static void names_the_fault(void **state) {
    (void)state;
    const struct {
        const char *folder, *texts[2];
    } cases[] = {
        {"porep-base64",
         {"C1 parse failed: failed to decode base64 Phase1Output: ", "offset 66486"}},
        {"porep-challenges-1", {"partition 0", "expected 2"}},
        {"porep-digest-256", {"`256`", "partition 0, challenge 0: comm_r_last_proof"}},
        {"porep-json-truncated", {"SealCommitPhase1Output", "offset"}},
        {"porep-missing-comm-d",
         {"C1 parse failed: failed to deserialize SealCommitPhase1Output from JSON: ",
          "missing field `comm_d`"}},
        {"porep-ni-partitions-12", {"partition 12 >= vanilla_proofs.len() 12", "has 13"}},
        {"porep-partitions-0", {"partition 0 >= vanilla_proofs.len() 0", "has 1 partitions"}},
        {"porep-partitions-2", {"2 partitions", "expected 1"}},
        {"porep-path-short", {"path elements", "expected"}},
        {"porep-variant-v1_1", {"unknown variant `StackedDrg2KiBV1_1`", "vanilla_proofs"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char folder[128];
        snprintf(folder, sizeof folder, "invalid/%s", cases[i].folder);
        porep_proof proof;
        cuzk_error err;
        assert_int_equal(read_document(&proof, folder, &err), CUZK_E_INPUT);
        assert_null(proof.memory);
        assert_non_null(strstr(err.text, "/c1.json: "));
        assert_non_null(strstr(err.file, "/c1.json"));
        assert_true(strncmp(err.text, "C1 parse failed: failed to ", 27) == 0 ||
                    strncmp(err.text, "partition ", 10) == 0);
        for (int k = 0; k < 2; k++) {
            if (strstr(err.text, cases[i].texts[k]) == NULL) {
                fail_msg("%s: no '%s' in: %s", cases[i].folder, cases[i].texts[k], err.text);
            }
        }
    }
}

/* ---- documents made from a good one by replacing text in the inner document ---- */

static char *good_inner;
static size_t good_inner_len;

static int open_inner(void **state) {
    (void)state;
    size_t len;
    char *outer = (char *)test_read_vector("inputs/porep-2KiB-v1_1/c1.json", &len);
    char *from = strstr(outer, "\"Phase1Out\"");
    from = strchr(from + 11, '"') + 1;
    size_t text_len = (size_t)(strchr(from, '"') - from);
    good_inner = malloc(base64_room(text_len) + 1);
    if (cuzk_base64_decode((uint8_t *)good_inner, &good_inner_len, from, text_len, NULL) !=
        CUZK_OK) {
        return -1;
    }
    good_inner[good_inner_len] = '\0';
    free(outer);
    return 0;
}

static int close_inner(void **state) {
    (void)state;
    free(good_inner);
    return 0;
}

/* Reads a document of the test's own and, if `want` is not NULL, asserts that it has those values.
 */
static cuzk_status read_wrapped(const porep_proof *want, const char *inner, size_t len,
                                cuzk_error *err) {
    size_t wrapped_len;
    char *document = test_c1_wrap(inner, len, NULL, &wrapped_len);
    /* A copy of exactly that size, so that the address sanitizer sees reads past it. */
    uint8_t *exact = malloc(wrapped_len);
    memcpy(exact, document, wrapped_len);
    free(document);
    cuzk_account *account;
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.account = account};
    porep_proof proof;
    cuzk_status status = cuzk_c1_read(&proof, &ctx, exact, wrapped_len, NULL, err);
    free(exact);
    if (status == CUZK_OK) {
        assert_false(proof.has_sector_number);
        if (want != NULL) {
            test_c1_assert_equal(&proof, want);
        }
        assert_true(cuzk_account_used(account) > 0);
        cuzk_porep_proof_clear(&proof);
    }
    assert_null(proof.memory);
    assert_null(proof.challenges);
    assert_int_equal(cuzk_account_used(account), 0);
    cuzk_account_destroy(account);
    return status;
}

static cuzk_status read_inner_text(const char *inner, size_t len, cuzk_error *err) {
    return read_wrapped(NULL, inner, len, err);
}

/* The good document with the first `from` replaced. */
static cuzk_status read_replaced(const char *from, const char *to, cuzk_error *err) {
    char *at = strstr(good_inner, from);
    if (at == NULL) {
        fail_msg("'%s' is not in the document", from);
    }
    size_t head = (size_t)(at - good_inner);
    char *text = malloc(good_inner_len + strlen(to) + 1);
    sprintf(text, "%.*s%s%s", (int)head, good_inner, to, at + strlen(from));
    cuzk_status status = read_inner_text(text, strlen(text), err);
    free(text);
    return status;
}

static void refuses_one_fault_each(void **state) {
    (void)state;
    const struct {
        const char *from, *to, *text;
    } cases[] = {
        {"\"comm_r\":[", "\"comm_r\":[1,", "more than 32 bytes"},
        {"\"comm_r\":[", "\"comm_r\":[-", "expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[256,", "`256`, expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[1000,", "`1000`, expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[-0,", "`-0`, expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[1.5,", "`1.5`, expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[1e1,", "`1e1`, expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":[255,", "more than 32 bytes"},
        {"\"comm_r\":[", "\"comm_r\":[\"", "string"},
        {"\"comm_r\":[", "\"comm_r\":[[", "expected an integer from 0 to 255"},
        {"\"comm_r\":[", "\"comm_r\":7,\"x\":[", "a number is not expected"},
        {"\"seed\":", "\"comm_r\":", "duplicate field `comm_r`"},
        {"\"ticket\":", "\"tickets\":", "missing field `ticket`"},
        {"\"registered_proof\":\"StackedDrg2KiBV1_1\"",
         "\"registered_proof\":\"StackedDrg8MiBV1_1\"", "those of a 2KiB sector"},
        {"\"registered_proof\":\"StackedDrg2KiBV1_1\"",
         "\"registered_proof\":\"StackedDrg3KiBV1_1\"", "unknown registered proof"},
        {"\"registered_proof\":\"StackedDrg2KiBV1_1\"", "\"registered_proof\":null",
         "not expected"},
        {"\"Single\":{", "\"Sub\":{", "a Single proof is expected"},
        {"\"data\":{", "\"data\":{\"Double\":1},\"date\":{", "neither Single nor Sub nor Top"},
        {"\"layer_index\":1", "\"layer_index\":4294967296", "from 0 to 4294967295"},
        {"\"drg_parents\":[", "\"drg_parents\":[{},", "missing field `column`"},
        {"\"rows\":[", "\"rows\":[[],", "0 bytes in a digest"},
        {"\"comm_d_proofs\"", "\"comm_d_proof\"", "missing field `comm_d_proofs`"},
        {"\"index\":", "\"index\":18446744073709551616,\"i\":", "expected an integer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuzk_error err = {.text = ""};
        cuzk_status status = read_replaced(cases[i].from, cases[i].to, &err);
        if (status != CUZK_E_INPUT || strstr(err.text, cases[i].text) == NULL) {
            fail_msg("%s -> %s: %s", cases[i].from, cases[i].to, err.text);
        }
    }
}

static void ignores_what_nothing_reads(void **state) {
    (void)state;
    const struct {
        const char *from, *to;
    } cases[] = {
        {"\"comm_r\":", "\"more\":{\"a\":[[],{\"comm_r\":1}]}, \t\r\n\"comm_r\" : "},
        {"\"encoding_proof\":{", "\"encoding_proof\":{\"node\":\"x\","},
        {"\"_h\":null", "\"_h\":[1,2]"},
        {"\"_h\":null", "\"h\":1.5e-7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuzk_error err = {.text = ""};
        if (read_replaced(cases[i].from, cases[i].to, &err) != CUZK_OK) {
            fail_msg("%s", err.text);
        }
    }
}

/* Own documents of all sizes and styles give back the values they were made from. */
static void reads_every_shape_and_style(void **state) {
    (void)state;
    const struct {
        const char *type;
        c1_style style;
    } cases[] = {
        {"StackedDrg2KiBV1", {0}},
        {"StackedDrg2KiBV1_1", {.shuffle = true, .spaces = true, .extras = true, .no_h = true}},
        {"StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", {.shuffle = true}},
        {"StackedDrg8MiBV1_1_Feat_SyntheticPoRep", {.shuffle = true, .spaces = true}},
        {"StackedDrg512MiBV1_1", {.shuffle = true, .extras = true}},
        {"StackedDrg32GiBV1_1", {.shuffle = true}},
        {"StackedDrg64GiBV1_1", {.shuffle = true, .no_h = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const seal_proof_type *t = cuzk_seal_proof_by_name(cases[i].type, strlen(cases[i].type));
        for (uint64_t seed = 1; seed <= (t->n_partitions == 1 ? 8 : 1); seed++) {
            porep_proof proof;
            c1_style style = cases[i].style;
            style.seed = seed * 77777;
            test_c1_random(&proof, cases[i].type, 0, 0, seed);
            size_t len;
            char *inner = test_c1_inner(&proof, &style, &len);
            cuzk_error err = {.text = ""};
            if (read_wrapped(&proof, inner, len, &err) != CUZK_OK) {
                fail_msg("%s: %s", cases[i].type, err.text);
            }
            free(inner);
            test_c1_free(&proof);
        }
    }
}

/* Wrong numbers of partitions and challenges, in one partition or in all. */
static void counts_partitions_and_challenges(void **state) {
    (void)state;
    const struct {
        const char *type;
        unsigned n_partitions, n_challenges;
        const char *text;
    } cases[] = {
        {"StackedDrg2KiBV1_1", 1, 1, "partition 0 has 1 challenges, expected 2"},
        {"StackedDrg2KiBV1_1", 1, 3, "[0][2]: more than 2 challenges"},
        {"StackedDrg2KiBV1_1", 13, 2, "13 partitions, expected 1"},
        {"StackedDrg2KiBV1_1", 14, 2, "more than 13 partitions"},
        {"StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", 1, 2,
         "partition 1 >= vanilla_proofs.len() 1: StackedDrg2KiBV1_2_Feat_NonInteractivePoRep has "
         "13 partitions"},
        {"StackedDrg32GiBV1_1", 1, 18, "partition 1 >= vanilla_proofs.len() 1"},
        {"StackedDrg32GiBV1_1", 1, 19, "more than 18 challenges"},
        {"StackedDrg64GiBV1_1", 2, 1, "partition 2 >= vanilla_proofs.len() 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        porep_proof proof;
        const c1_style style = {0};
        test_c1_random(&proof, cases[i].type, cases[i].n_partitions, cases[i].n_challenges, i);
        size_t len;
        char *inner = test_c1_inner(&proof, &style, &len);
        cuzk_error err = {.text = ""};
        cuzk_status status = read_wrapped(NULL, inner, len, &err);
        if (status != CUZK_E_INPUT || strstr(err.text, cases[i].text) == NULL) {
            fail_msg("%s, not: %s", err.text, cases[i].text);
        }
        free(inner);
        test_c1_free(&proof);
    }
    cuzk_error err;
    assert_int_equal(read_replaced("\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[[",
                                   "\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[[],[", &err),
                     CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "more than 0 challenges"));
    assert_int_equal(err.partition, 1);
    assert_int_equal(err.challenge, 0);
}

/* The place in an error: partition, challenge, path of the member, offset. */
static void errors_name_the_place(void **state) {
    (void)state;
    porep_proof proof;
    const c1_style style = {0};
    test_c1_random(&proof, "StackedDrg64GiBV1_1", 2, 2, 3);
    size_t len;
    char *inner = test_c1_inner(&proof, &style, &len);
    /* The last top_proof of the document: exp_parents[7] of challenge 1 of partition 1. */
    char *at = inner;
    for (char *next; (next = strstr(at + 1, "\"top_proof\"")) != NULL;) {
        at = next;
    }
    char *bytes = strstr(at, "[[") + 2;
    bytes += strcspn(bytes, ",") + 1;
    /* Three nines in place of the second byte. */
    char *text = malloc(len + 3);
    int n = sprintf(text, "%.*s999%s", (int)(bytes - inner), inner, bytes + strcspn(bytes, ","));
    cuzk_error err;
    assert_int_equal(read_wrapped(NULL, text, (size_t)n, &err), CUZK_E_INPUT);
    if (strstr(err.text, "partition 1, challenge 1: replica_column_proofs.exp_parents[7]."
                         "inclusion_proof.data.Top.top_proof.path[0].hashes[0][1]: "
                         "invalid value: `999`") == NULL) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(err.partition, 1);
    assert_int_equal(err.challenge, 1);
    assert_int_equal(err.offset, bytes + 3 - inner);
    assert_string_equal(err.file, "");
    free(text);
    free(inner);
    test_c1_free(&proof);
}

/* Every known key twice, and every key that must be there misspelt, wherever it stands first. */
static void names_duplicate_and_missing_keys(void **state) {
    (void)state;
    static const char *const keys[] = {"registered_proof",
                                       "vanilla_proofs",
                                       "comm_r",
                                       "comm_d",
                                       "replica_id",
                                       "seed",
                                       "ticket",
                                       "comm_d_proofs",
                                       "comm_r_last_proof",
                                       "replica_column_proofs",
                                       "labeling_proofs",
                                       "c_x",
                                       "drg_parents",
                                       "exp_parents",
                                       "column",
                                       "inclusion_proof",
                                       "index",
                                       "rows",
                                       "data",
                                       "root",
                                       "leaf",
                                       "path",
                                       "hashes",
                                       "layer_index",
                                       "node",
                                       "base_proof",
                                       "sub_proof",
                                       "top_proof"};
    porep_proof proof;
    const c1_style style = {0};
    test_c1_random(&proof, "StackedDrg64GiBV1_1", 1, 1, 5);
    size_t len;
    char *inner = test_c1_inner(&proof, &style, &len);
    char *text = malloc(len + 100);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char quoted[64], wanted[64];
        snprintf(quoted, sizeof quoted, "\"%s\":", keys[i]);
        char *at = strstr(inner, quoted);
        assert_non_null(at);
        int head = (int)(at - inner);
        cuzk_error err = {.text = ""};
        int n = sprintf(text, "%.*s\"x%s", head, inner, at + 1);
        assert_int_equal(read_wrapped(NULL, text, (size_t)n, &err), CUZK_E_INPUT);
        snprintf(wanted, sizeof wanted, "missing field `%s`", keys[i]);
        if (strstr(err.text, wanted) == NULL) {
            fail_msg("%s, not: %s", err.text, wanted);
        }
        /* The member before the key's object begins twice: {"key":null would be of the wrong type,
         * so the second comes right after the first one's value. */
        char *value_end = at + strlen(quoted);
        int depth = 0;
        bool in_text = false;
        for (; depth > 0 || in_text || (*value_end != ',' && *value_end != '}'); value_end++) {
            in_text ^= *value_end == '"';
            depth += !in_text && (*value_end == '[' || *value_end == '{');
            depth -= !in_text && (*value_end == ']' || *value_end == '}');
        }
        n = sprintf(text, "%.*s,%s0%s", (int)(value_end - inner), inner, quoted, value_end);
        assert_int_equal(read_wrapped(NULL, text, (size_t)n, &err), CUZK_E_INPUT);
        snprintf(wanted, sizeof wanted, "duplicate field `%s`", keys[i]);
        if (strstr(err.text, wanted) == NULL) {
            fail_msg("%s, not: %s", err.text, wanted);
        }
    }
    free(text);
    free(inner);
    test_c1_free(&proof);
}

/* Faults of the wrapper. */
static void reads_the_wrapper_strictly(void **state) {
    (void)state;
    const struct {
        const char *document, *text;
    } cases[] = {
        {"", "failed to parse C1 output wrapper JSON"},
        {"[]", "expected an object"},
        {"{}", "missing field `Phase1Out`"},
        {"{\"Phase1Out\":7}", "Phase1Out: expected a string"},
        {"{\"Phase1Out\":null}", "Phase1Out: expected a string"},
        {"{\"Phase1Out\":{}}", "Phase1Out: expected a string"},
        {"{\"Phase1Out\":\"\",\"Phase1Out\":\"\"}", "duplicate field `Phase1Out`"},
        {"{\"SectorNum\":-1}", "SectorNum: expected an unsigned integer"},
        {"{\"SectorNum\":18446744073709551616}", "SectorNum: expected an unsigned integer"},
        {"{\"SectorSize\":1.5}", "SectorSize: expected an unsigned integer"},
        {"{\"SectorNum\":\"1\"}", "SectorNum: expected an unsigned integer"},
        {"{\"Phase1Out\":\"\"}", "failed to deserialize SealCommitPhase1Output"},
        {"{\"Phase1Out\":\"e30\"}", "failed to decode base64 Phase1Output: offset 3"},
        {"{\"Phase1Out\":\"e3 0\"}", "failed to decode base64 Phase1Output: offset 2"},
        {"{\"Phase1Out\":\"e31=\"}", "failed to decode base64 Phase1Output: offset 2"},
        {"{\"Phase1Out\":\"e30=\"}", "missing field `registered_proof`"},
        {"{\"Phase1Out\":\"e30=\"} x", "failed to parse C1 output wrapper JSON"},
        {"{\"Phase1Out\":\"W10=\"}", "expected an object"},
        {"{\"Phase1Out\":\"\\ud800\"}", "half of a surrogate pair"},
    };
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        porep_proof proof;
        cuzk_error err = {.text = ""};
        cuzk_status status = cuzk_c1_read(&proof, &ctx, (const uint8_t *)cases[i].document,
                                          strlen(cases[i].document), NULL, &err);
        if (status != CUZK_E_INPUT || strstr(err.text, cases[i].text) == NULL ||
            strncmp(err.text, "C1 parse failed: ", 17) != 0) {
            fail_msg("%s: %s", cases[i].document, err.text);
        }
        assert_int_equal(cuzk_c1_read(&proof, &ctx, (const uint8_t *)cases[i].document,
                                      strlen(cases[i].document), NULL, NULL),
                         CUZK_E_INPUT);
    }
}

static void bounds_depth_and_shows_text_safely(void **state) {
    (void)state;
    cuzk_error err;
    static char deep[100000];
    memset(deep, '[', sizeof deep);
    assert_int_equal(read_wrapped(NULL, deep, sizeof deep, &err), CUZK_E_INPUT);
    memcpy(deep, "{\"x\":", 5);
    assert_int_equal(read_wrapped(NULL, deep, sizeof deep, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "nested too deeply"));
    static const char *const bad[] = {"{\"vanilla_proofs\":{\"a\\n\\u001b[31m\\u0000\":[]}}",
                                      "{\"vanilla_proofs\":{\"StackedDrg2KiBV1\\u0000\":[]}}",
                                      "{\"registered_proof\":\"a\\n\\u001b[31m\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(read_wrapped(NULL, bad[i], strlen(bad[i]), &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "unknown "));
        for (const char *c = err.text; *c != 0; c++) {
            assert_true((unsigned char)*c >= ' ');
        }
    }
}

/* A budget too small for the decoded text, or for the proofs. */
static void keeps_the_budget(void **state) {
    (void)state;
    size_t len;
    uint8_t *data = test_read_vector("inputs/porep-2KiB-v1_1/c1.json", &len);
    for (size_t limit = 1000; limit < 2 * len; limit += 20000) {
        cuzk_account *account;
        assert_int_equal(cuzk_account_create(&account, limit, NULL), CUZK_OK);
        const cuzk_ctx ctx = {.account = account};
        porep_proof proof;
        cuzk_error err;
        cuzk_status status = cuzk_c1_read(&proof, &ctx, data, len, "c1.json", &err);
        assert_true(status == CUZK_E_NO_MEMORY || (status == CUZK_OK && limit > len / 4 * 3));
        cuzk_porep_proof_clear(&proof);
        assert_int_equal(cuzk_account_used(account), 0);
        assert_true(cuzk_account_peak(account) <= limit);
        cuzk_account_destroy(account);
    }
    free(data);
}

/* Every offset of a document with one challenge, which is complete but for its number of
 * challenges. */
static void survives_every_truncation(void **state) {
    (void)state;
    porep_proof proof;
    const c1_style style = {.zeros = true};
    test_c1_random(&proof, "StackedDrg2KiBV1_1", 1, 1, 9);
    size_t len;
    char *inner = test_c1_inner(&proof, &style, &len);
    for (size_t cut = 0; cut <= len; cut++) {
        cuzk_error err = {.text = ""};
        if (read_wrapped(NULL, inner, cut, &err) != CUZK_E_INPUT ||
            strncmp(err.text, "C1 parse failed: ", 17) != 0) {
            fail_msg("cut at %zu: %s", cut, err.text);
        }
    }
    free(inner);
    test_c1_free(&proof);
}

static void survives_truncation(void **state) {
    (void)state;
    for (size_t cut = 0; cut<good_inner_len; cut += cut + 100> good_inner_len ? 1 : 997) {
        cuzk_error err = {.text = ""};
        if (read_inner_text(good_inner, cut, &err) != CUZK_E_INPUT || err.offset < 0) {
            fail_msg("cut at %zu: %s", cut, err.text);
        }
    }
    size_t len;
    uint8_t *outer = test_read_vector("inputs/porep-2KiB-v1_1/c1.json", &len);
    const cuzk_ctx ctx = {0};
    for (size_t cut = 0; cut < len; cut += cut < 200 || cut + 200 > len ? 1 : 4999) {
        porep_proof proof;
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy, outer, cut);
        assert_int_equal(cuzk_c1_read(&proof, &ctx, copy, cut, "cut", NULL), CUZK_E_INPUT);
        free(copy);
    }
    free(outer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_vectors),
        cmocka_unit_test(names_the_fault),
        cmocka_unit_test(refuses_one_fault_each),
        cmocka_unit_test(ignores_what_nothing_reads),
        cmocka_unit_test(reads_every_shape_and_style),
        cmocka_unit_test(counts_partitions_and_challenges),
        cmocka_unit_test(errors_name_the_place),
        cmocka_unit_test(names_duplicate_and_missing_keys),
        cmocka_unit_test(reads_the_wrapper_strictly),
        cmocka_unit_test(bounds_depth_and_shows_text_safely),
        cmocka_unit_test(keeps_the_budget),
        cmocka_unit_test(survives_every_truncation),
        cmocka_unit_test(survives_truncation),
    };
    return cmocka_run_group_tests(tests, open_inner, close_inner);
}
