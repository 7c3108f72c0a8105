/* Digests, locks, and which files are accepted. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "codec/flat_json.h"
#include "codec/hex.h"
#include "hash/blake2.h"
#include "srs/accept.h"
#include "support/key_files.h"
#include "support/known_answers.h"
#include "support/support.h"

static void put(const char *path, const void *data, size_t len) {
    assert_int_equal(cuzk_file_write(path, data, len, true, NULL), CUZK_OK);
}

/* The keys of the vectors, digests by Python's hashlib. */
static void test_vectors(void **state) {
    (void)state;
    static const struct {
        const char *name, *digest;
        size_t n_ic;
    } keys[] = {
        {"v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
         "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f",
         "8742038036e9ddb53894dc1787aaa6d6", 40},
        {"v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
         "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
         "ae07b06e2db9388519e4585d1b97038b", 23},
        {"v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
         "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
         "60617047167404629812e01ff0d4e3b5", 133},
        {"v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
         "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
         "659a592e1af74305bbf1f95cea85fbe3", 5},
    };
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char path[1024], digest[SRS_DIGEST_CHARS];
        srs_vk key;
        snprintf(path, sizeof path, "%s/params/%s.vk", CUZK_TEST_VECTORS, keys[i].name);
        assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, NULL), CUZK_OK);
        assert_string_equal(digest, keys[i].digest);
        assert_int_equal(cuzk_srs_vk_open(&key, &ctx, path, NULL), CUZK_OK);
        assert_int_equal(key.vk.n_ic, keys[i].n_ic);
        cuzk_srs_vk_clear(&key);
    }
}

/* ---- locks ---- */

typedef struct watcher {
    const char *path;
    int n_calls;
    bool shared_possible, exclusive_possible;
} watcher;

static void look_at_lock(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)phase;
    (void)done;
    (void)total;
    watcher *w = arg;
    int fd = open(w->path, O_RDONLY);
    w->n_calls++;
    w->exclusive_possible |= flock(fd, LOCK_EX | LOCK_NB) == 0;
    w->shared_possible |= flock(fd, LOCK_SH | LOCK_NB) == 0;
    close(fd);
}

static void test_lock_held_while_computing(void **state) {
    (void)state;
    char folder[64], path[128], digest[SRS_DIGEST_CHARS];
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    put(path, "content", 7);
    watcher w = {.path = path};
    const cuzk_ctx ctx = {.progress = look_at_lock, .progress_arg = &w};
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, NULL), CUZK_OK);
    assert_true(w.n_calls > 0);
    assert_true(w.shared_possible);
    assert_false(w.exclusive_possible);
    look_at_lock(&w, "", 0, 0);
    assert_true(w.exclusive_possible);
    key_files_remove(folder);
}

typedef struct holder {
    int fd;
    bool released;
} holder;

static void *release_later(void *arg) {
    holder *h = arg;
    const struct timespec pause = {.tv_nsec = 200 * 1000000l};
    nanosleep(&pause, NULL);
    __atomic_store_n(&h->released, true, __ATOMIC_SEQ_CST);
    flock(h->fd, LOCK_UN);
    return NULL;
}

static void test_waits_for_exclusive_lock(void **state) {
    (void)state;
    char folder[64], path[128], digest[SRS_DIGEST_CHARS];
    const cuzk_ctx ctx = {0};
    pthread_t thread;
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    put(path, "content", 7);
    holder h = {.fd = open(path, O_RDONLY)};
    assert_int_equal(flock(h.fd, LOCK_EX), 0);
    assert_int_equal(pthread_create(&thread, NULL, release_later, &h), 0);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, NULL), CUZK_OK);
    assert_true(__atomic_load_n(&h.released, __ATOMIC_SEQ_CST));
    pthread_join(thread, NULL);
    close(h.fd);
    key_files_remove(folder);
}

static void cancel_at_once(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)phase;
    (void)done;
    (void)total;
    cuzk_cancel_set(arg);
}

static void test_cancel(void **state) {
    (void)state;
    char folder[64], path[128], digest[SRS_DIGEST_CHARS];
    cuzk_cancel cancel = {false};
    const cuzk_ctx ctx = {.cancel = &cancel, .progress = cancel_at_once, .progress_arg = &cancel};
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    put(path, "content", 7);
    /* while it waits */
    int fd = open(path, O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, NULL), CUZK_E_CANCELLED);
    close(fd);
    /* while it reads: at the second piece */
    cancel = (cuzk_cancel){false};
    uint8_t *long_content = calloc(1, 3 << 20);
    put(path, long_content, 3 << 20);
    free(long_content);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, NULL), CUZK_E_CANCELLED);
    key_files_remove(folder);
}

static void append_byte(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)phase;
    (void)done;
    (void)total;
    int fd = open(arg, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

static void test_changed_meanwhile(void **state) {
    (void)state;
    char folder[64], path[128], digest[SRS_DIGEST_CHARS];
    const cuzk_ctx ctx = {.progress = append_byte, .progress_arg = path};
    cuzk_error err;
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    put(path, "content", 7);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, path, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "changed"));
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, "/nonexistent/file", &err),
                     CUZK_E_NO_PARAMS);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, folder, &err), CUZK_E_IO);
    key_files_remove(folder);
}

/* ---- remembered digests ---- */

static void count_calls(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)phase;
    (void)done;
    (void)total;
    ++*(int *)arg;
}

static void test_remembered(void **state) {
    (void)state;
    char folder[64], path[128], note[160], first[SRS_DIGEST_CHARS], digest[SRS_DIGEST_CHARS];
    int n_reads = 0;
    const cuzk_ctx ctx = {.progress = count_calls, .progress_arg = &n_reads};
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(note, sizeof note, "%s.digest", path);
    put(path, "content", 7);
    assert_int_equal(cuzk_srs_digest_remembered(first, &ctx, path, NULL), CUZK_OK);
    assert_int_equal(n_reads, 1);
    assert_int_equal(cuzk_srs_digest_remembered(digest, &ctx, path, NULL), CUZK_OK);
    assert_int_equal(n_reads, 1);
    assert_string_equal(digest, first);
    /* Same size, other time. */
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    put(path, "CONTENT", 7);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(cuzk_srs_digest_remembered(digest, &ctx, path, NULL), CUZK_OK);
    assert_int_equal(n_reads, 2);
    assert_string_not_equal(digest, first);
    /* Damaged notes count as none. */
    static const char *const damaged[] = {
        "",
        "{",
        "[]",
        "{\"size\":7}",
        "{\"size\":7,\"modified_ns\":1000000000000000000}",
        "{\"size\":7,\"modified_ns\":1000000000000000000,\"digest\":\"00\"}",
        "{\"size\":\"7\"}",
        "{\"size\":7,\"size\":7}"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        put(note, damaged[i], strlen(damaged[i]));
        assert_int_equal(cuzk_srs_digest_remembered(first, &ctx, path, NULL), CUZK_OK);
        assert_int_equal(n_reads, 3 + i);
        assert_string_equal(first, digest);
    }
    key_files_remove(folder);
}

/* ---- accepting ---- */

typedef struct file_set {
    char folder[64], params_path[128], vk_path[128], note_path[128];
    srs_local_note note;
    srs_files files;
} file_set;

/* xor_seed's files, and a note that vouches for them. */
static void make_set(file_set *set) {
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    size_t len;
    memset(set, 0, sizeof *set);
    key_files_folder(set->folder);
    snprintf(set->params_path, sizeof set->params_path, "%s/key.params", set->folder);
    snprintf(set->vk_path, sizeof set->vk_path, "%s/key.vk", set->folder);
    snprintf(set->note_path, sizeof set->note_path, "%s/key.local.json", set->folder);
    uint8_t *bytes = known_answers_bytes(answers, "xor_seed.params", &len);
    put(set->params_path, bytes, len);
    free(bytes);
    bytes = known_answers_bytes(answers, "xor_seed.vk", &len);
    put(set->vk_path, bytes, len);
    free(bytes);
    strcpy(set->note.params_digest, known_answers_text(answers, "xor_seed.params_digest"));
    strcpy(set->note.vk_digest, known_answers_text(answers, "xor_seed.vk_digest"));
    strcpy(set->note.seed, "random");
    strcpy(set->note.date, "2025-01-31T12:00:00Z");
    known_answers_close(answers);
    assert_int_equal(cuzk_srs_local_note_write(&set->note, set->note_path, NULL), CUZK_OK);
    set->files = (srs_files){.params_path = set->params_path,
                             .vk_path = set->vk_path,
                             .local_note_path = set->note_path};
}

static cuzk_status load(const srs_files *files, bool *local, cuzk_error *err) {
    const cuzk_ctx ctx = {0};
    srs_params *params;
    cuzk_status status = cuzk_srs_load_params(&params, local, &ctx, files, NULL, err);
    assert_true((status == CUZK_OK) == (params != NULL));
    cuzk_srs_params_close(params);
    srs_vk key;
    bool vk_local;
    if (status == CUZK_OK) {
        assert_int_equal(cuzk_srs_load_vk(&key, &vk_local, &ctx, files, err), CUZK_OK);
        assert_int_equal(vk_local, *local);
        cuzk_srs_vk_clear(&key);
    }
    return status;
}

static void test_accept(void **state) {
    (void)state;
    file_set set;
    bool local;
    cuzk_error err;
    make_set(&set);
    srs_files published = set.files, unpublished = set.files;
    published.params_digest = set.note.params_digest;
    published.vk_digest = set.note.vk_digest;
    /* Published, with or without leave for local ones. */
    assert_int_equal(load(&published, &local, &err), CUZK_OK);
    assert_false(local);
    published.allow_local = true;
    assert_int_equal(load(&published, &local, &err), CUZK_OK);
    assert_false(local);
    /* Local. */
    assert_int_equal(load(&unpublished, &local, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "--allow-local-params"));
    unpublished.allow_local = true;
    assert_int_equal(load(&unpublished, &local, &err), CUZK_OK);
    assert_true(local);
    /* Local ones of a circuit for which others are published. */
    published.params_digest = "00000000000000000000000000000000";
    published.vk_digest = "00000000000000000000000000000000";
    assert_int_equal(load(&published, &local, &err), CUZK_OK);
    assert_true(local);
    published.allow_local = false;
    assert_int_equal(load(&published, &local, &err), CUZK_E_BAD_PARAMS);
    /* Neither. */
    assert_int_equal(unlink(set.note_path), 0);
    published.allow_local = true;
    assert_int_equal(load(&published, &local, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "00000000000000000000000000000000 expected"));
    assert_non_null(strstr(err.text, set.note.params_digest));
    assert_int_equal(load(&unpublished, &local, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "no digest is published"));
    /* Trusted without a look, but never the .vk. */
    published.trust_params = true;
    assert_int_equal(load(&published, &local, &err), CUZK_E_BAD_PARAMS);
    published.vk_digest = set.note.vk_digest;
    assert_int_equal(load(&published, &local, &err), CUZK_OK);
    assert_false(local);
    key_files_remove(set.folder);
}

/* A note that vouches for another key: what counts is what the file holds. */
static void test_other_key(void **state) {
    (void)state;
    file_set set;
    bool local;
    cuzk_error err;
    make_set(&set);
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    size_t len;
    uint8_t *bytes = known_answers_bytes(answers, "xor_fixed.vk", &len);
    put(set.vk_path, bytes, len);
    free(bytes);
    set.files.allow_local = true;
    assert_int_equal(load(&set.files, &local, &err), CUZK_E_BAD_PARAMS);
    assert_string_equal(err.file, set.vk_path);
    /* Both digests vouched for, yet two keys: not equal byte for byte. */
    strcpy(set.note.vk_digest, known_answers_text(answers, "xor_fixed.vk_digest"));
    assert_int_equal(unlink(set.note_path), 0);
    assert_int_equal(cuzk_srs_local_note_write(&set.note, set.note_path, NULL), CUZK_OK);
    assert_int_equal(load(&set.files, &local, &err), CUZK_E_BAD_PARAMS);
    assert_non_null(strstr(err.text, "differs"));
    known_answers_close(answers);
    key_files_remove(set.folder);
}

/* A published digest stands for the points, a local note does not. */
static void test_digest_instead_of_points(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const srs_params_options options = {.tier = SRS_RESIDENT},
                             subgroup = {.tier = SRS_RESIDENT, .check = POINT_CHECK_SUBGROUP};
    file_set set;
    size_t len;
    bool local;
    srs_params *params;
    char digest[SRS_DIGEST_CHARS];
    make_set(&set);
    uint8_t *bytes = test_read_file(set.params_path, &len);
    bytes[len - 1] ^= 1; /* the last point is off the curve */
    put(set.params_path, bytes, len);
    free(bytes);
    assert_int_equal(cuzk_srs_digest_file(digest, &ctx, set.params_path, NULL), CUZK_OK);
    set.files.params_digest = digest;
    set.files.vk_digest = set.note.vk_digest;
    assert_int_equal(cuzk_srs_load_params(&params, &local, &ctx, &set.files, &options, NULL),
                     CUZK_OK);
    cuzk_srs_params_close(params);
    assert_int_equal(cuzk_srs_load_params(&params, &local, &ctx, &set.files, &subgroup, NULL),
                     CUZK_E_BAD_PARAMS);
    set.files.trust_params = true;
    assert_int_equal(cuzk_srs_load_params(&params, &local, &ctx, &set.files, &options, NULL),
                     CUZK_E_BAD_PARAMS);
    set.files.params_digest = NULL;
    set.files.allow_local = true;
    strcpy(set.note.params_digest, digest);
    assert_int_equal(unlink(set.note_path), 0);
    assert_int_equal(cuzk_srs_local_note_write(&set.note, set.note_path, NULL), CUZK_OK);
    assert_int_equal(cuzk_srs_load_params(&params, &local, &ctx, &set.files, &options, NULL),
                     CUZK_E_BAD_PARAMS);
    key_files_remove(set.folder);
}

/* A remembered digest that is wrong does not condemn a good file. */
static void test_wrong_memory(void **state) {
    (void)state;
    file_set set;
    bool local;
    struct stat info;
    char note[160], text[256];
    make_set(&set);
    set.files.params_digest = set.note.params_digest;
    set.files.vk_digest = set.note.vk_digest;
    assert_int_equal(stat(set.params_path, &info), 0);
    snprintf(note, sizeof note, "%s.digest", set.params_path);
    int n = snprintf(text, sizeof text, "{\"size\":%lld,\"modified_ns\":%lld,\"digest\":\"%032d\"}",
                     (long long)info.st_size,
                     (long long)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec, 0);
    put(note, text, (size_t)n);
    assert_int_equal(load(&set.files, &local, NULL), CUZK_OK);
    key_files_remove(set.folder);
}

static void test_local_notes(void **state) {
    (void)state;
    char folder[64], path[128], long_text[5000];
    srs_local_note note;
    cuzk_error err;
    key_files_folder(folder);
    snprintf(path, sizeof path, "%s/key.local.json", folder);
    assert_int_equal(cuzk_srs_local_note_read(&note, path, &err), CUZK_E_NO_PARAMS);
    memset(long_text, ' ', sizeof long_text);
    static const char *const bad[] = {
        "",
        "null",
        "[]",
        "{}",
        "{\"params_digest\":\"a\",\"vk_digest\":\"b\",\"seed\":\"c\"}",
        "{\"params_digest\":1,\"vk_digest\":\"b\",\"seed\":\"c\",\"date\":\"d\"}",
        "{\"params_digest\":{\"x\":1},\"vk_digest\":\"b\",\"seed\":\"c\",\"date\":\"d\"}",
        "{\"params_digest\":\"000000000000000000000000000000000\",\"vk_digest\":\"b\",\"seed\":"
        "\"c\",\"date\":\"d\"}",
        "{\"params_digest\":\"a\",\"params_digest\":\"a\",\"vk_digest\":\"b\",\"seed\":\"c\","
        "\"date\":\"d\"}",
        "{\"params_digest\":\"a\",\"vk_digest\":\"b\",\"seed\":\"c\",\"date\":\"d\"} x",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(path, bad[i], strlen(bad[i]));
        assert_int_equal(cuzk_srs_local_note_read(&note, path, &err), CUZK_E_BAD_PARAMS);
        assert_int_equal(err.status, CUZK_E_BAD_PARAMS);
        assert_string_equal(err.file, path);
    }
    put(path, long_text, sizeof long_text);
    assert_int_equal(cuzk_srs_local_note_read(&note, path, &err), CUZK_E_BAD_PARAMS);
    static const char good[] =
        " {\"date\":\"d\", \"more\":[{\"seed\":\"no\"},null], \"seed\":\"c\",\"vk_digest\":\"b\","
        "\"params_digest\":\"a\"}\n";
    put(path, good, strlen(good));
    assert_int_equal(cuzk_srs_local_note_read(&note, path, &err), CUZK_OK);
    assert_string_equal(note.params_digest, "a");
    assert_string_equal(note.seed, "c");
    key_files_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_lock_held_while_computing),
        cmocka_unit_test(test_waits_for_exclusive_lock),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_changed_meanwhile),
        cmocka_unit_test(test_remembered),
        cmocka_unit_test(test_accept),
        cmocka_unit_test(test_other_key),
        cmocka_unit_test(test_digest_instead_of_points),
        cmocka_unit_test(test_wrong_memory),
        cmocka_unit_test(test_local_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
