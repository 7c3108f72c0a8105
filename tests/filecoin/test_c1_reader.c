/* LABELS: quick */
/* The C1 reader: vectors, documents with one fault each, truncation, order and white space. */
#include "filecoin/c1_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/base64.h"
#include "codec/hex.h"
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

/* The value of "key": "HEX" in a manifest. */
static void manifest_digest(uint8_t out[32], const char *manifest, const char *key) {
    char pattern[64], text[65];
    snprintf(pattern, sizeof pattern, "\"%s\": \"", key);
    const char *at = strstr(manifest, pattern);
    assert_non_null(at);
    memcpy(text, at + strlen(pattern), 64);
    text[64] = '\0';
    assert_true(cuzk_hex_decode(out, 32, text));
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
        char name[256];
        snprintf(name, sizeof name, "%s/manifest.json", cases[i].folder);
        size_t len;
        uint8_t *manifest = test_read_vector(name, &len);
        const struct {
            const char *key;
            const digest *found;
        } digests[] = {{"comm_r", &proof.comm_r},
                       {"comm_d", &proof.comm_d},
                       {"ticket", &proof.ticket},
                       {"seed", &proof.seed}};
        for (size_t k = 0; k < 4; k++) {
            uint8_t want[32];
            manifest_digest(want, (const char *)manifest, digests[k].key);
            assert_memory_equal(want, digests[k].found->bytes, 32);
        }
        const porep_challenge_proof *c = &proof.challenges[0];
        assert_memory_equal(&c->comm_d.root, &proof.comm_d, 32);
        assert_int_equal(c->comm_d.n_levels, proof.type->size->log2_nodes);
        assert_int_equal(c->parents[13].inclusion.n_levels, proof.type->size->shape.n_base_levels);
        assert_true(c->node > 0 && c->node < proof.type->size->nodes);
        free(manifest);
        cuzk_porep_proof_clear(&proof);
    }
}

static void names_the_fault(void **state) {
    (void)state;
    const struct {
        const char *folder, *texts[2];
    } cases[] = {
        {"porep-base64", {"failed to decode base64 Phase1Output", "offset 66486"}},
        {"porep-challenges-1", {"partition 0", "expected 2"}},
        {"porep-digest-256", {"`256`", "partition 0, challenge 0: comm_r_last_proof"}},
        {"porep-json-truncated", {"SealCommitPhase1Output", "offset"}},
        {"porep-missing-comm-d", {"missing field `comm_d`", "SealCommitPhase1Output"}},
        {"porep-ni-partitions-12", {"partition 12 >= vanilla_proofs.len() 12", "13"}},
        {"porep-partitions-0", {"no partition", "expected 1"}},
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
        assert_non_null(strstr(err.text, "c1.json: C1 parse failed: "));
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

static void encode_base64(char *out, const char *data, size_t len) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        uint32_t v = (uint32_t)(uint8_t)data[i] << 16;
        v |= i + 1 < len ? (uint32_t)(uint8_t)data[i + 1] << 8 : 0;
        v |= i + 2 < len ? (uint32_t)(uint8_t)data[i + 2] : 0;
        *out++ = digits[v >> 18];
        *out++ = digits[v >> 12 & 63];
        *out++ = i + 1 < len ? digits[v >> 6 & 63] : '=';
        *out++ = i + 2 < len ? digits[v & 63] : '=';
    }
    *out = '\0';
}

static cuzk_status read_inner_text(const char *inner, size_t len, cuzk_error *err) {
    char *document = malloc(len / 3 * 4 + 128);
    int at = sprintf(document, "{\"SectorSize\":2048,\"Other\":[{}],\"Phase1Out\":\"");
    encode_base64(document + at, inner, len);
    strcat(document + at, "\"}");
    const cuzk_ctx ctx = {0};
    porep_proof proof;
    cuzk_status status =
        cuzk_c1_read(&proof, &ctx, (const uint8_t *)document, strlen(document), "document", err);
    if (status == CUZK_OK) {
        assert_false(proof.has_sector_number);
        cuzk_porep_proof_clear(&proof);
    }
    free(document);
    return status;
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

static void survives_truncation(void **state) {
    (void)state;
    /* every offset near both ends, a step in between: each reading costs a parse up to the cut */
    for (size_t cut = 0; cut < good_inner_len;
         cut += cut < 3000 || cut + 600 > good_inner_len ? 1 : 499) {
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
        cmocka_unit_test(reads_the_vectors),      cmocka_unit_test(names_the_fault),
        cmocka_unit_test(refuses_one_fault_each), cmocka_unit_test(ignores_what_nothing_reads),
        cmocka_unit_test(survives_truncation),
    };
    return cmocka_run_group_tests(tests, open_inner, close_inner);
}
