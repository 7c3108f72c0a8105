/* LABELS: levels tsan */
/* .params and .vk files: round trips of real bytes, truncation at every offset, damaged counts and
 * points, chunks. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "curve/curve_kernels.h"
#include "srs/params_file.h"
#include "srs/vk_file.h"
#include "support/key_files.h"
#include "support/known_answers.h"
#include "support/support.h"

static const char *const names[] = {"xor_seed", "xor_fixed", "dens"};
#define N_NAMES (sizeof names / sizeof *names)
static const char *const section_names[GROTH16_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};

static known_answers *answers;

static uint8_t *vector_bytes(const char *name, const char *what, size_t *len_bytes) {
    char key[64];
    snprintf(key, sizeof key, "%s.%s", name, what);
    return known_answers_bytes(answers, key, len_bytes);
}

static uint64_t vector_number(const char *name, const char *number) {
    char key[64];
    snprintf(key, sizeof key, "%s.lengths", name);
    return known_answers_number(answers, key, number);
}

static uint64_t section_count(const groth16_dims *d, int section) {
    const uint64_t counts[GROTH16_SECTIONS] = {d->n_h, d->n_l, d->n_a, d->n_b, d->n_b};
    return counts[section];
}

static void test_dims(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t len;
        uint64_t file_bytes;
        uint8_t *bytes = vector_bytes(names[i], "params", &len);
        srs_params *params;
        assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, names[i], bytes, len, NULL, NULL),
                         CUZK_OK);
        const groth16_dims *d = &cuzk_srs_params_pk(params)->dims;
        assert_int_equal(d->log2_domain, 3);
        assert_int_equal(d->n_inputs, vector_number(names[i], "ic"));
        assert_int_equal(d->n_h, vector_number(names[i], "h"));
        assert_int_equal(d->n_l, vector_number(names[i], "l"));
        assert_int_equal(d->n_aux, d->n_l);
        assert_int_equal(d->n_a, vector_number(names[i], "a"));
        assert_int_equal(d->n_b, vector_number(names[i], "b_g1"));
        assert_int_equal(cuzk_srs_params_file_bytes(&file_bytes, d, NULL), CUZK_OK);
        assert_int_equal(file_bytes, len);
        cuzk_srs_params_close(params);
        free(bytes);
    }
    groth16_dims too_many = {.n_inputs = 2, .n_l = (uint64_t)1 << 32};
    uint64_t unused;
    assert_int_equal(cuzk_srs_params_file_bytes(&unused, &too_many, NULL), CUZK_E_RANGE);
}

static void test_vk_round_trip(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    static const char *const with_vk[] = {"xor_seed", "xor_fixed", "dens", "mimc"};
    for (size_t i = 0; i < 4; i++) {
        size_t len;
        uint8_t *bytes = vector_bytes(with_vk[i], "vk", &len), *again = malloc(len);
        srs_vk key;
        assert_int_equal(cuzk_srs_vk_decode(&key, &ctx, "vk", bytes, len, NULL), CUZK_OK);
        assert_int_equal(len, srs_vk_bytes(key.vk.n_ic));
        cuzk_srs_vk_encode(again, &key.vk);
        assert_memory_equal(again, bytes, len);
        cuzk_srs_vk_clear(&key);
        free(bytes);
        free(again);
    }
}

/* Every chunk of every section, at each length and place, encodes to the bytes of the file. */
static void check_chunks(const cuzk_ctx *ctx, const groth16_pk *pk, const uint8_t *bytes) {
    uint64_t at = srs_vk_bytes(pk->dims.n_inputs);
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const bool is_g2 = i == GROTH16_B_G2;
        const size_t size = is_g2 ? 192 : 96;
        const uint64_t n_points = section_count(&pk->dims, i);
        assert_int_equal(load_be32(bytes + at), n_points);
        at += 4;
        for (uint64_t first = 0; first <= n_points; first++) {
            for (size_t n = 0; n <= n_points - first && n <= pk->source.max_chunk; n++) {
                groth16_chunk chunk;
                uint8_t encoded[192 * 8];
                assert_int_equal(pk->source.acquire(pk->source.self, ctx, &chunk,
                                                    (groth16_section)i, first, n, NULL),
                                 CUZK_OK);
                if (is_g2) {
                    assert_true(chunk.g1 == NULL);
                    cuzk_curve_kernels()->g2_encode(encoded, chunk.g2, n);
                } else {
                    assert_true(chunk.g2 == NULL);
                    cuzk_curve_kernels()->g1_encode(encoded, chunk.g1, n);
                }
                assert_memory_equal(encoded, bytes + at + first * size, n * size);
                pk->source.release(pk->source.self, &chunk);
            }
        }
        at += n_points * size;
    }
}

static void test_chunks(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    char folder[64], path[128];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/chunks.params", folder);
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t len;
        uint8_t *bytes = vector_bytes(names[i], "params", &len);
        assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
        for (int variant = 0; variant < 24; variant++) {
            const srs_params_options options = {.check = variant & 1 ? POINT_CHECK_SUBGROUP
                                                                     : POINT_CHECK_CURVE,
                                                .tier = (srs_tier)(variant / 8),
                                                .read_bytes = SRS_READ_ALIGN,
                                                .chunk_points = 3};
            srs_params *params;
            cuzk_error err;
            ctx.pool = variant & 4 ? pool : NULL;
            cuzk_status status =
                variant & 2
                    ? cuzk_srs_params_open(&params, &ctx, path, &options, &err)
                    : cuzk_srs_params_of_bytes(&params, &ctx, names[i], bytes, len, &options, &err);
            assert_int_equal(status, CUZK_OK);
            check_chunks(&ctx, cuzk_srs_params_pk(params), bytes);
            cuzk_srs_params_close(params);
        }
        free(bytes);
    }
    cuzk_pool_destroy(pool);
    key_files_remove(folder);
}

/* A key of the smallest circuit, a * b = c, is 2,136 bytes long. */
static void test_truncation(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    size_t len;
    uint8_t *bytes = key_files_smallest(&len);
    assert_int_equal(len, 2136);
    for (size_t cut = 0; cut < len; cut++) {
        /* A copy of just these bytes: reading past them shows under the address sanitizer. */
        uint8_t *part = malloc(cut + 1);
        srs_params *params = (srs_params *)1;
        cuzk_error err;
        memcpy(part, bytes, cut);
        assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "cut", part, cut, NULL, &err),
                         CUZK_E_BAD_PARAMS);
        assert_null(params);
        assert_string_equal(err.file, "cut");
        assert_true(err.offset >= 0 && (size_t)err.offset < len);
        srs_vk key;
        assert_int_equal(cuzk_srs_vk_decode(&key, &ctx, "cut", part, cut, NULL),
                         cut == srs_vk_bytes(2) ? CUZK_OK : CUZK_E_BAD_PARAMS);
        cuzk_srs_vk_clear(&key);
        free(part);
    }
    free(bytes);
}

static void expect_refused(const uint8_t *bytes, size_t len, const srs_params_options *options,
                           int64_t offset, const char *text) {
    const cuzk_ctx ctx = {0};
    srs_params *params;
    cuzk_error err;
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "bad", bytes, len, options, &err),
                     CUZK_E_BAD_PARAMS);
    assert_null(params);
    if (strstr(err.text, text) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", text, err.text);
    }
    assert_int_equal(err.offset, offset);
}

static void test_counts(void **state) {
    (void)state;
    size_t len;
    uint8_t *bytes = vector_bytes("dens", "params", &len);
    const uint64_t n_ic = load_be32(bytes + 864);
    uint64_t at = 864;
    /* Each count in turn: the rest of the file no longer fits, or h is no longer 2^k - 1. */
    for (int i = -1; i < GROTH16_SECTIONS; i++) {
        const size_t size = i == GROTH16_B_G2 ? 192 : 96;
        const uint32_t n = load_be32(bytes + at);
        static const uint32_t wrong[] = {0x7fffffff, 0xffffffff, 0x10000000, 100};
        for (int k = 0; k < 4; k++) {
            store_be32(bytes + at, wrong[k]);
            expect_refused(bytes, len, NULL, (int64_t)at, "bytes are left");
        }
        for (int k = -1; k <= 1; k += 2) {
            const cuzk_ctx ctx = {0};
            srs_params *params;
            store_be32(bytes + at, n + (uint32_t)k);
            assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "bad", bytes, len, NULL, NULL),
                             CUZK_E_BAD_PARAMS);
        }
        store_be32(bytes + at, n);
        at += 4 + n * size;
    }
    assert_int_equal(at, len);
    store_be32(bytes + 864, 0);
    expect_refused(bytes, len, NULL, 864, "section ic is empty");
    store_be32(bytes + 864, (uint32_t)n_ic);

    uint8_t *longer = calloc(1, len + 96);
    memcpy(longer, bytes, len);
    expect_refused(longer, len + 1, NULL, (int64_t)len, "1 bytes behind the last section");
    expect_refused(longer, len + 96, NULL, (int64_t)len, "96 bytes behind the last section");
    free(longer);

    /* One point of h less, file and count: no domain has this size. */
    uint8_t *shorter = malloc(len);
    const uint64_t h_at = srs_vk_bytes(n_ic);
    memcpy(shorter, bytes, h_at);
    store_be32(shorter + h_at, 6);
    memcpy(shorter + h_at + 4, bytes + h_at + 4 + 96, len - h_at - 4 - 96);
    expect_refused(shorter, len - 96, NULL, (int64_t)h_at, "one less than a power of two");
    /* One point of b_g2 less. */
    memcpy(shorter, bytes, len);
    const size_t b_g2_at = len - 192 * load_be32(bytes + len - 3 * 192 - 4) - 4;
    store_be32(shorter + b_g2_at, 2);
    expect_refused(shorter, len - 192, NULL, (int64_t)b_g2_at, "b_g1 has 3 points, b_g2 2");
    free(shorter);
    free(bytes);
}

/* What a slot is replaced by, and who notices. */
static const struct damage {
    const char *g1,
        *g2; /* what the slot then holds: a key of the vectors, or "compressed", "flag", "off" */
    const char *text;
    bool only_subgroup;
} damages[] = {
    {"dec.infinity", "infinity", "infinity", false},
    {"compressed", "compressed", "compressed point", false},
    {"off", "off", "not on the curve", false},
    {"flag", "flag", "not the encoding of a point", false},
    {"dec.wrong_subgroup", NULL, "not in the subgroup", true},
};

/* Leaves a damaged point in a slot of len bytes; false if this damage does not exist for its group.
 */
static bool damage_slot(uint8_t *slot, size_t len, const struct damage *d) {
    const char *how = len == 96 ? d->g1 : d->g2;
    if (how == NULL) {
        return false;
    }
    if (strcmp(how, "compressed") == 0) {
        slot[0] |= 0x80;
    } else if (strcmp(how, "flag") == 0) {
        slot[0] |= 0x20;
    } else if (strcmp(how, "off") == 0) {
        slot[len - 1] ^= 1;
    } else if (strcmp(how, "infinity") == 0) {
        memset(slot, 0, len);
        slot[0] = 0x40;
    } else {
        known_answers_exact(answers, how, slot, len);
    }
    return true;
}

/* Opens damaged bytes and reads the section to its end; the first failure. */
static cuzk_status read_all(const uint8_t *bytes, size_t len, const srs_params_options *options,
                            cuzk_error *err) {
    const cuzk_ctx ctx = {0};
    srs_params *params;
    cuzk_status status = cuzk_srs_params_of_bytes(&params, &ctx, "bad", bytes, len, options, err);
    if (status != CUZK_OK) {
        return status;
    }
    const groth16_pk *pk = cuzk_srs_params_pk(params);
    for (int i = 0; status == CUZK_OK && i < GROTH16_SECTIONS; i++) {
        groth16_chunk chunk;
        status = pk->source.acquire(pk->source.self, &ctx, &chunk, (groth16_section)i, 0,
                                    (size_t)section_count(&pk->dims, i), err);
        if (status == CUZK_OK) {
            pk->source.release(pk->source.self, &chunk);
        }
    }
    cuzk_srs_params_close(params);
    return status;
}

static void test_bad_points(void **state) {
    (void)state;
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len), *bad = malloc(len);
    uint64_t at = srs_vk_bytes(2);
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const size_t size = i == GROTH16_B_G2 ? 192 : 96;
        const uint32_t n_points = load_be32(bytes + at);
        at += 4;
        for (uint32_t point = 0; point < n_points; point++, at += size) {
            for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
                memcpy(bad, bytes, len);
                if (!damage_slot(bad + at, size, &damages[k])) {
                    continue;
                }
                for (int variant = 0; variant < 4; variant++) {
                    const srs_params_options options = {
                        .check = variant & 1 ? POINT_CHECK_SUBGROUP : POINT_CHECK_CURVE,
                        .tier = variant & 2 ? SRS_RESIDENT : SRS_MAPPED};
                    cuzk_error err;
                    char where[64];
                    cuzk_status status = read_all(bad, len, &options, &err);
                    if (damages[k].only_subgroup && !(variant & 1)) {
                        assert_int_equal(status, CUZK_OK);
                        continue;
                    }
                    assert_int_equal(status, CUZK_E_BAD_PARAMS);
                    assert_int_equal(err.offset, at);
                    snprintf(where, sizeof where, "section %s, point %u:", section_names[i], point);
                    if (strstr(err.text, where) == NULL ||
                        strstr(err.text, damages[k].text) == NULL) {
                        fail_msg("\"%s\" and \"%s\" are not both in \"%s\"", where, damages[k].text,
                                 err.text);
                    }
                }
            }
        }
    }
    free(bytes);
    free(bad);
}

/* Bytes that their digest vouches for: a point off the curve passes, what is no point does not. */
static void test_coordinates_only(void **state) {
    (void)state;
    static const char *const refused[] = {"dec.infinity",      "dec.x_equals_p",
                                          "dec.sort_flag",     "dec.compressed_in_96",
                                          "dec.infinity_junk", "dec.zero"};
    const srs_params_options options = {.check = POINT_CHECK_COORDINATES};
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len);
    const size_t first_h = srs_vk_bytes(2) + 4, last_g2 = len - 192;
    cuzk_error err;
    known_answers_exact(answers, "dec.off_curve", bytes + first_h, 96);
    bytes[len - 1] ^= 1;
    assert_int_equal(read_all(bytes, len, &options, &err), CUZK_OK);
    bytes[last_g2] |= 0x20;
    assert_int_equal(read_all(bytes, len, &options, &err), CUZK_E_BAD_PARAMS);
    assert_int_equal(err.offset, last_g2);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        known_answers_exact(answers, refused[i], bytes + first_h, 96);
        assert_int_equal(read_all(bytes, len, &options, &err), CUZK_E_BAD_PARAMS);
        assert_int_equal(err.offset, first_h);
    }
    free(bytes);
}

/* The key's points are always checked for the subgroup too. */
static void test_bad_vk_points(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    static const struct {
        const char *section;
        size_t offset, size;
    } slots[] = {{"alpha_g1", 0, 96},    {"beta_g1", 96, 96},   {"beta_g2", 192, 192},
                 {"gamma_g2", 384, 192}, {"delta_g1", 576, 96}, {"delta_g2", 672, 192},
                 {"ic", 868, 96},        {"ic", 964, 96}};
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "vk", &len), *bad = malloc(len);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
            memcpy(bad, bytes, len);
            if (!damage_slot(bad + slots[i].offset, slots[i].size, &damages[k])) {
                continue;
            }
            srs_vk key;
            cuzk_error err;
            assert_int_equal(cuzk_srs_vk_decode(&key, &ctx, "bad", bad, len, &err),
                             CUZK_E_BAD_PARAMS);
            assert_int_equal(err.offset, slots[i].offset);
            if (strstr(err.text, slots[i].section) == NULL ||
                strstr(err.text, damages[k].text) == NULL) {
                fail_msg("\"%s\" and \"%s\" are not both in \"%s\"", slots[i].section,
                         damages[k].text, err.text);
            }
        }
    }
    free(bytes);
    free(bad);
}

/* The full check finds a point outside the subgroup that the reader lets pass. */
static void test_check_points(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len);
    char folder[64], path[128];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/check.params", folder);
    assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_params_check_points(&ctx, path, NULL), CUZK_OK);
    const size_t last_l = srs_vk_bytes(2) + 4 + 7 * 96 + 4 + 96;
    known_answers_exact(answers, "dec.wrong_subgroup", bytes + last_l, 96);
    assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
    srs_params *params;
    cuzk_error err;
    assert_int_equal(cuzk_srs_params_open(&params, &ctx, path, NULL, NULL), CUZK_OK);
    cuzk_srs_params_close(params);
    assert_int_equal(cuzk_srs_params_check_points(&ctx, path, &err), CUZK_E_BAD_PARAMS);
    assert_int_equal(err.offset, last_l);
    assert_string_equal(err.file, path);
    cuzk_cancel cancel = {true};
    const cuzk_ctx cancelled = {.cancel = &cancel};
    assert_int_equal(cuzk_srs_params_check_points(&cancelled, path, NULL), CUZK_E_CANCELLED);
    free(bytes);
    key_files_remove(folder);
}

static void test_same_vk(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    size_t len, vk_len;
    uint8_t *bytes = vector_bytes("dens", "params", &len),
            *vk = vector_bytes("dens", "vk", &vk_len);
    char folder[64], path[128];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/dens.vk", folder);
    srs_params *params;
    cuzk_error err;
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "dens", bytes, len, NULL, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_srs_params_same_vk(params, path, &err), CUZK_E_NO_PARAMS);
    assert_int_equal(cuzk_file_write(path, vk, vk_len, true, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_params_same_vk(params, path, &err), CUZK_OK);
    for (size_t at = 0; at < vk_len; at += 31) {
        vk[at] ^= 1;
        assert_int_equal(cuzk_file_write(path, vk, vk_len, true, NULL), CUZK_OK);
        assert_int_equal(cuzk_srs_params_same_vk(params, path, &err), CUZK_E_BAD_PARAMS);
        assert_int_equal(err.offset, at);
        vk[at] ^= 1;
    }
    assert_int_equal(cuzk_file_write(path, vk, vk_len - 1, true, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_params_same_vk(params, path, &err), CUZK_E_BAD_PARAMS);
    cuzk_srs_params_close(params);
    free(bytes);
    free(vk);
    key_files_remove(folder);
}

static void test_account(void **state) {
    (void)state;
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len);
    cuzk_account *account;
    srs_params *params;
    cuzk_error err;
    const size_t key_bytes = 2 * sizeof(g1_affine), g1 = sizeof(g1_affine), chunk = 3 * g1;
    /* Room for the key, one buffer of 3 points of G1 (2 of G2 are longer), and one chunk more. */
    const size_t buffer = 2 * sizeof(g2_affine);
    assert_int_equal(cuzk_account_create(&account, key_bytes + buffer + chunk, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.account = account};
    const srs_params_options options = {.chunk_points = 3, .n_buffers = 1};
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "p", bytes, len, &options, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_account_used(account), key_bytes + buffer);
    const groth16_dims dims = cuzk_srs_params_pk(params)->dims;
    assert_int_equal(cuzk_srs_params_bytes(&dims, &options), key_bytes + buffer);
    const groth16_source *source = &cuzk_srs_params_pk(params)->source;
    assert_int_equal(source->chunk_bytes, buffer);
    assert_int_equal(source->max_chunk, 3);
    groth16_chunk first, second, third;
    assert_int_equal(source->acquire(source->self, &ctx, &first, GROTH16_H, 0, 3, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_used(account), key_bytes + buffer);
    assert_int_equal(source->acquire(source->self, &ctx, &second, GROTH16_H, 3, 3, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_used(account), key_bytes + buffer + chunk);
    assert_int_equal(source->acquire(source->self, &ctx, &third, GROTH16_H, 6, 1, &err),
                     CUZK_E_NO_MEMORY);
    source->release(source->self, &second);
    source->release(source->self, &first);
    assert_int_equal(cuzk_account_used(account), key_bytes + buffer);
    cuzk_srs_params_close(params);
    assert_int_equal(cuzk_account_used(account), 0);

    const srs_params_options resident = {.tier = SRS_RESIDENT};
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "p", bytes, len, &resident, &err),
                     CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_account_used(account), 0);
    cuzk_account_destroy(account);

    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx roomy = {.account = account};
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &roomy, "p", bytes, len, &resident, &err),
                     CUZK_OK);
    assert_int_equal(cuzk_account_used(account), cuzk_srs_params_bytes(&dims, &resident));
    cuzk_srs_params_close(params);

    char folder[64], path[128];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/some.params", folder);
    assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
    static const srs_params_options streamed[] = {
        {.tier = SRS_STREAMED},
        {.tier = SRS_STREAMED, .read_bytes = SRS_READ_ALIGN, .ring_bytes = 1, .chunk_points = 1}};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(cuzk_srs_params_open(&params, &roomy, path, &streamed[i], &err), CUZK_OK);
        assert_int_equal(cuzk_account_used(account), cuzk_srs_params_bytes(&dims, &streamed[i]));
        cuzk_srs_params_close(params);
    }
    key_files_remove(folder);
    cuzk_account_destroy(account);
    free(bytes);
}

typedef struct reader {
    pthread_t thread;
    const cuzk_ctx *ctx;
    const groth16_pk *pk, *resident;
    bool failed;
} reader;

/* The two points are those of the key in memory. */
static bool is_right(const reader *r, const groth16_chunk *chunk, groth16_section section) {
    groth16_chunk right;
    if (r->resident->source.acquire(r->resident->source.self, r->ctx, &right, section, 0, 2,
                                    NULL) != CUZK_OK) {
        return false;
    }
    const bool equal =
        section == GROTH16_B_G2
            ? chunk->g2 != NULL && memcmp(chunk->g2, right.g2, 2 * sizeof *right.g2) == 0
            : chunk->g1 != NULL && memcmp(chunk->g1, right.g1, 2 * sizeof *right.g1) == 0;
    r->resident->source.release(r->resident->source.self, &right);
    return equal;
}

static void *read_often(void *arg) {
    reader *r = arg;
    for (int i = 0; i < 200; i++) {
        const groth16_section section = (groth16_section)(i % GROTH16_SECTIONS);
        const groth16_source *source = &r->pk->source;
        groth16_chunk chunk;
        if (source->will_need != NULL && i % 3 == 0) { /* as a pass does when it begins */
            source->will_need(source->self, section);
        }
        if (source->acquire(source->self, r->ctx, &chunk, section, 0, 2, NULL) != CUZK_OK) {
            r->failed = true;
            continue;
        }
        r->failed |= !is_right(r, &chunk, section);
        source->release(source->self, &chunk);
    }
    return NULL;
}

static void read_from_threads(const char *path, const srs_params_options *options) {
    cuzk_pool *pool;
    srs_params *params, *resident;
    const srs_params_options in_memory = {.tier = SRS_RESIDENT};
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool};
    assert_int_equal(cuzk_srs_params_open(&params, &ctx, path, options, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_params_open(&resident, &ctx, path, &in_memory, NULL), CUZK_OK);
    reader readers[4];
    for (int i = 0; i < 4; i++) {
        readers[i] = (reader){.ctx = &ctx,
                              .pk = cuzk_srs_params_pk(params),
                              .resident = cuzk_srs_params_pk(resident)};
        assert_int_equal(pthread_create(&readers[i].thread, NULL, read_often, &readers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(readers[i].thread, NULL);
        assert_false(readers[i].failed);
    }
    cuzk_srs_params_close(params);
    cuzk_srs_params_close(resident);
    cuzk_pool_destroy(pool);
}

static void test_threads(void **state) {
    (void)state;
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len);
    char folder[64], path[128];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/some.params", folder);
    assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
    for (int tier = SRS_MAPPED; tier <= SRS_RESIDENT; tier++) {
        const srs_params_options options = {.tier = (srs_tier)tier};
        read_from_threads(path, &options);
    }
    const srs_params_options small_ring = {
        .tier = SRS_STREAMED, .read_bytes = SRS_READ_ALIGN, .ring_bytes = 1, .chunk_points = 2};
    read_from_threads(path, &small_ring);
    key_files_remove(folder);
    free(bytes);
}

/* Missing, not a file, and cut short while open: errors, no signal. */
static void test_files(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    size_t len;
    uint8_t *bytes = vector_bytes("xor_seed", "params", &len);
    char folder[64], path[128];
    srs_params *params;
    cuzk_error err;
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/some.params", folder);
    assert_int_equal(cuzk_srs_params_open(&params, &ctx, path, NULL, &err), CUZK_E_NO_PARAMS);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(cuzk_srs_params_open(&params, &ctx, folder, NULL, &err), CUZK_E_IO);
    assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
    for (int tier = SRS_MAPPED; tier <= SRS_STREAMED; tier++) {
        const srs_params_options options = {.tier = (srs_tier)tier};
        assert_int_equal(cuzk_file_write(path, bytes, len, true, NULL), CUZK_OK);
        assert_int_equal(cuzk_srs_params_open(&params, &ctx, path, &options, &err), CUZK_OK);
        assert_int_equal(truncate(path, 1200), 0);
        const groth16_source *source = &cuzk_srs_params_pk(params)->source;
        groth16_chunk chunk;
        assert_int_equal(source->acquire(source->self, &ctx, &chunk, GROTH16_H, 0, 1, &err),
                         CUZK_OK);
        source->release(source->self, &chunk);
        assert_int_equal(source->acquire(source->self, &ctx, &chunk, GROTH16_L, 0, 1, &err),
                         CUZK_E_IO);
        assert_string_equal(err.file, path);
        cuzk_srs_params_close(params);
    }
    free(bytes);
    key_files_remove(folder);
}

static int open_answers(void **state) {
    (void)state;
    answers = known_answers_open("groth16-vectors.txt");
    return 0;
}

static int close_answers(void **state) {
    (void)state;
    known_answers_close(answers);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dims),          cmocka_unit_test(test_vk_round_trip),
        cmocka_unit_test(test_chunks),        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_counts),        cmocka_unit_test(test_bad_points),
        cmocka_unit_test(test_bad_vk_points), cmocka_unit_test(test_coordinates_only),
        cmocka_unit_test(test_check_points),  cmocka_unit_test(test_same_vk),
        cmocka_unit_test(test_account),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, open_answers, close_answers);
}
