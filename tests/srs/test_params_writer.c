/* Writing parameters: bytes read and written again are the same, with the published way to digest
 * them; nothing is overwritten, and nothing is left of what failed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "srs/params_writer.h"
#include "support/key_files.h"
#include "support/known_answers.h"
#include "support/support.h"
#include "support/toy_setups.h"

static known_answers *answers;

/* Feeds a sink with a key, its sections in runs of two points. */
static cuzk_status feed(const cuzk_ctx *ctx, const groth16_sink *sink, const groth16_pk *pk,
                        cuzk_error *err) {
    const uint64_t counts[GROTH16_SECTIONS] = {pk->dims.n_h, pk->dims.n_l, pk->dims.n_a,
                                               pk->dims.n_b, pk->dims.n_b};
    cuzk_status status = sink->vk(sink->self, pk->vk, err);
    for (int i = 0; status == CUZK_OK && i < GROTH16_SECTIONS; i++) {
        status = sink->section(sink->self, (groth16_section)i, counts[i], err);
        for (uint64_t first = 0; status == CUZK_OK && first < counts[i]; first += 2) {
            const size_t n = counts[i] - first < 2 ? 1 : 2;
            groth16_chunk chunk;
            status =
                pk->source.acquire(pk->source.self, ctx, &chunk, (groth16_section)i, first, n, err);
            if (status == CUZK_OK) {
                status = i == GROTH16_B_G2 ? sink->g2(sink->self, chunk.g2, n, err)
                                           : sink->g1(sink->self, chunk.g1, n, err);
                pk->source.release(pk->source.self, &chunk);
            }
        }
    }
    return status;
}

static void assert_file(const char *stem, const char *suffix, const void *expected,
                        size_t len_bytes) {
    char path[256];
    size_t len;
    snprintf(path, sizeof path, "%s%s", stem, suffix);
    uint8_t *found = test_read_file(path, &len);
    assert_int_equal(len, len_bytes);
    assert_memory_equal(found, expected, len);
    free(found);
}

static int count_files(const char *folder) {
    char command[256];
    int n = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &n), 1);
    pclose(pipe);
    return n;
}

static void test_round_trip(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    static const char *const names[] = {"xor_seed", "xor_fixed", "dens"};
    static const uint8_t seed[16] = {0x59, 0x62, 0xbe, 0x5d, 0x76, 0x3d, 0x31, 0x8d,
                                     0x17, 0xdb, 0x37, 0x32, 0x54, 0x06, 0xbc, 0xe5};
    char folder[64], stem[128], key[64], path[192];
    key_files_folder(folder);
    for (int i = 0; i < 3; i++) {
        size_t len, vk_len;
        snprintf(stem, sizeof stem, "%s/%s", folder, names[i]);
        snprintf(key, sizeof key, "%s.params", names[i]);
        uint8_t *bytes = known_answers_bytes(answers, key, &len);
        snprintf(key, sizeof key, "%s.vk", names[i]);
        uint8_t *vk = known_answers_bytes(answers, key, &vk_len);
        srs_params *params;
        assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, names[i], bytes, len, NULL, NULL),
                         CUZK_OK);

        const srs_writer_options options = {.stem_path = stem,
                                            .sector_bytes = 2048,
                                            .seed = i == 0 ? seed : NULL,
                                            .expected_bytes = len};
        srs_writer *writer;
        srs_local_note note, read_note;
        assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
        const groth16_sink sink = cuzk_srs_writer_sink(writer);
        assert_int_equal(feed(&ctx, &sink, cuzk_srs_params_pk(params), NULL), CUZK_OK);
        assert_int_equal(cuzk_srs_writer_finish(writer, &note, NULL), CUZK_OK);
        cuzk_srs_params_close(params);

        assert_file(stem, ".params", bytes, len);
        assert_file(stem, ".vk", vk, vk_len);
        assert_file(stem, ".meta", "{\"sector_size\":2048}", 20);
        snprintf(key, sizeof key, "%s.params_digest", names[i]);
        assert_string_equal(note.params_digest, known_answers_text(answers, key));
        snprintf(key, sizeof key, "%s.vk_digest", names[i]);
        assert_string_equal(note.vk_digest, known_answers_text(answers, key));
        assert_string_equal(note.seed, i == 0 ? "5962be5d763d318d17db37325406bce5" : "random");
        assert_int_equal(strlen(note.date), 20);
        snprintf(path, sizeof path, "%s.local.json", stem);
        assert_int_equal(cuzk_srs_local_note_read(&read_note, path, NULL), CUZK_OK);
        assert_memory_equal(&read_note, &note, sizeof note);
        free(bytes);
        free(vk);
    }
    assert_int_equal(count_files(folder), 12);
    key_files_remove(folder);
}

/* A setup written to files has the reference's digests, and reads back to the same bytes. */
static void test_setup_to_files(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    char folder[64], stem[128], path[192];
    mimc_setup m;
    mimc_setup_init(&m);
    const mimc_demo demo = {.constants = m.constants};
    const r1cs_circuit circuit = mimc_demo_circuit(&demo);
    key_files_folder(folder);
    snprintf(stem, sizeof stem, "%s/mimc", folder);
    const srs_writer_options options = {.stem_path = stem, .expected_bytes = 316248};
    srs_writer *writer;
    srs_local_note note, again;
    assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
    groth16_sink sink = cuzk_srs_writer_sink(writer);
    assert_int_equal(cuzk_groth16_setup(&ctx, &sink, &circuit, &m.toxic, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_writer_finish(writer, &note, NULL), CUZK_OK);
    assert_string_equal(note.params_digest, known_answers_text(answers, "mimc.params_digest"));
    assert_string_equal(note.vk_digest, known_answers_text(answers, "mimc.vk_digest"));

    srs_params *params;
    snprintf(path, sizeof path, "%s.params", stem);
    const srs_params_options chunks = {.chunk_points = 100};
    assert_int_equal(cuzk_srs_params_open(&params, &ctx, path, &chunks, NULL), CUZK_OK);
    snprintf(path, sizeof path, "%s.vk", stem);
    assert_int_equal(cuzk_srs_params_same_vk(params, path, NULL), CUZK_OK);
    snprintf(stem, sizeof stem, "%s/again", folder);
    assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
    sink = cuzk_srs_writer_sink(writer);
    assert_int_equal(feed(&ctx, &sink, cuzk_srs_params_pk(params), NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_writer_finish(writer, &again, NULL), CUZK_OK);
    assert_string_equal(again.params_digest, note.params_digest);
    cuzk_srs_params_close(params);
    key_files_remove(folder);
}

static void test_never_overwrites(void **state) {
    (void)state;
    static const char *const suffixes[] = {".params", ".vk", ".meta", ".local.json"};
    const cuzk_ctx ctx = {0};
    char folder[64], stem[128], path[192];
    size_t len;
    uint8_t *bytes = key_files_smallest(&len);
    srs_params *params;
    srs_writer *writer;
    srs_local_note note;
    cuzk_error err;
    key_files_folder(folder);
    snprintf(stem, sizeof stem, "%s/key", folder);
    const srs_writer_options options = {.stem_path = stem};
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "smallest", bytes, len, NULL, NULL),
                     CUZK_OK);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", stem, suffixes[i]);
        /* There before. */
        assert_int_equal(cuzk_file_write(path, "mine", 4, false, NULL), CUZK_OK);
        assert_int_equal(cuzk_srs_writer_create(&writer, &options, &err), CUZK_E_IO);
        assert_string_equal(err.file, path);
        assert_int_equal(unlink(path), 0);
        /* There by the end: the others of this run go away again. */
        assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
        const groth16_sink sink = cuzk_srs_writer_sink(writer);
        assert_int_equal(feed(&ctx, &sink, cuzk_srs_params_pk(params), NULL), CUZK_OK);
        assert_int_equal(cuzk_file_write(path, "mine", 4, false, NULL), CUZK_OK);
        assert_int_equal(cuzk_srs_writer_finish(writer, &note, &err), CUZK_E_IO);
        assert_file(stem, suffixes[i], "mine", 4);
        assert_int_equal(count_files(folder), 1);
        assert_int_equal(unlink(path), 0);
    }
    cuzk_srs_params_close(params);
    free(bytes);
    key_files_remove(folder);
}

static void test_abandon(void **state) {
    (void)state;
    char folder[64], stem[128];
    srs_writer *writer;
    cuzk_error err;
    key_files_folder(folder);
    snprintf(stem, sizeof stem, "%s/key", folder);
    const srs_writer_options options = {.stem_path = stem};
    assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
    assert_int_equal(count_files(folder), 1);
    cuzk_srs_writer_abandon(writer);
    cuzk_srs_writer_abandon(NULL);
    assert_int_equal(count_files(folder), 0);
    const srs_writer_options too_big = {.stem_path = stem, .expected_bytes = UINT64_MAX};
    assert_int_equal(cuzk_srs_writer_create(&writer, &too_big, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "free"));
    const srs_writer_options nowhere = {.stem_path = "/nonexistent/key"};
    assert_int_equal(cuzk_srs_writer_create(&writer, &nowhere, &err), CUZK_E_IO);
    assert_int_equal(count_files(folder), 0);
    key_files_remove(folder);
}

static void test_count_range(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    char folder[64], stem[128];
    size_t len;
    uint8_t *bytes = key_files_smallest(&len);
    srs_params *params;
    srs_writer *writer;
    cuzk_error err;
    key_files_folder(folder);
    snprintf(stem, sizeof stem, "%s/key", folder);
    const srs_writer_options options = {.stem_path = stem};
    assert_int_equal(cuzk_srs_params_of_bytes(&params, &ctx, "smallest", bytes, len, NULL, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_srs_writer_create(&writer, &options, NULL), CUZK_OK);
    const groth16_sink sink = cuzk_srs_writer_sink(writer);
    assert_int_equal(sink.vk(sink.self, cuzk_srs_params_pk(params)->vk, NULL), CUZK_OK);
    assert_int_equal(sink.section(sink.self, GROTH16_H, (uint64_t)1 << 32, &err), CUZK_E_RANGE);
    cuzk_srs_writer_abandon(writer);
    cuzk_srs_params_close(params);
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
        cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_setup_to_files),
        cmocka_unit_test(test_never_overwrites), cmocka_unit_test(test_abandon),
        cmocka_unit_test(test_count_range),
    };
    return cmocka_run_group_tests(tests, open_answers, close_answers);
}
