/* Cached densities: written once, then read; whatever lies there instead is replaced. */
#include "engine/structure_cache.h"
#include "r1cs/densities_file.h"
#include "support/dims.h"
#include "support/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CIRCUIT "wpost-2k"

typedef struct fixture {
    char directory[64], path[128], parent[64];
    param_set set;
    r1cs_densities right;
} fixture;

static void fixture_init(fixture *f) {
    const cuzk_ctx ctx = {0};
    strcpy(f->parent, "/tmp/cuzk-cache-XXXXXX");
    assert_non_null(mkdtemp(f->parent));
    snprintf(f->directory, sizeof f->directory, "%.40s/a/b", f->parent);
    snprintf(f->path, sizeof f->path, "%s/%s.densities", f->directory, CIRCUIT);
    assert_int_equal(cuzk_param_set_by_id(&f->set, CIRCUIT, NULL), CUZK_OK);
    assert_int_equal(cuzk_structure_of(&f->right, &ctx, &f->set, NULL, NULL), CUZK_OK);
}

static void fixture_clear(fixture *f) {
    cuzk_r1cs_densities_clear(&f->right);
    unlink(f->path);
    rmdir(f->directory);
    char middle[64];
    snprintf(middle, sizeof middle, "%.40s/a", f->parent);
    rmdir(middle);
    assert_int_equal(rmdir(f->parent), 0);
}

static void check(const fixture *f, const char *directory) {
    const cuzk_ctx ctx = {0};
    r1cs_densities d;
    assert_int_equal(cuzk_structure_of(&d, &ctx, &f->set, directory, NULL), CUZK_OK);
    assert_dims_equal(&d.dims, &f->right.dims);
    assert_memory_equal(d.n_terms, f->right.n_terms, sizeof d.n_terms);
    const size_t n_words = (size_t)(d.dims.n_aux / 64 + 1);
    assert_memory_equal(d.a_aux.words, f->right.a_aux.words, 8 * n_words);
    assert_memory_equal(d.b_aux.words, f->right.b_aux.words, 8 * n_words);
    cuzk_r1cs_densities_clear(&d);
}

static ino_t inode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_ino;
}

static void replace(const char *path, const void *bytes, size_t len_bytes) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len_bytes), len_bytes);
    close(fd);
}

static void test_written_once(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    check(&f, f.directory);
    const ino_t first = inode_of(f.path); /* a second writing would be another file */
    check(&f, f.directory);
    assert_int_equal(inode_of(f.path), first);
    fixture_clear(&f);
}

static void test_bad_files_are_replaced(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    check(&f, f.directory);
    size_t len_bytes;
    uint8_t *bytes = test_read_file(f.path, &len_bytes);
    uint8_t *changed = malloc(len_bytes);
    memcpy(changed, bytes, len_bytes);
    changed[len_bytes / 2] ^= 1; /* damaged */
    replace(f.path, changed, len_bytes);
    check(&f, f.directory);
    uint8_t *again = test_read_file(f.path, &len_bytes);
    assert_memory_equal(again, bytes, len_bytes);
    free(again);
    const size_t lengths[] = {0, 1, 127, len_bytes - 1}; /* truncated */
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        replace(f.path, bytes, lengths[i]);
        check(&f, f.directory);
        again = test_read_file(f.path, &len_bytes);
        assert_memory_equal(again, bytes, len_bytes);
        free(again);
    }
    memcpy(changed, bytes, len_bytes);
    changed[8]++; /* of another version */
    replace(f.path, changed, len_bytes);
    check(&f, f.directory);
    /* another circuit's, and one that is sound in itself but not this circuit's */
    assert_int_equal(cuzk_densities_write(f.path, &f.right, "winning-2k", NULL), CUZK_OK);
    check(&f, f.directory);
    r1cs_densities other = f.right;
    other.dims.n_constraints--;
    assert_int_equal(cuzk_densities_write(f.path, &other, CIRCUIT, NULL), CUZK_OK);
    check(&f, f.directory);
    again = test_read_file(f.path, &len_bytes);
    assert_memory_equal(again, bytes, len_bytes);
    free(again);
    free(bytes);
    free(changed);
    fixture_clear(&f);
}

static void test_no_cache(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    check(&f, NULL);
    check(&f, "/proc/cannot/be/made");
    /* a file where the directory should be */
    char file[64];
    snprintf(file, sizeof file, "%.40s/file", f.parent);
    replace(file, "", 0);
    check(&f, file);
    unlink(file);
    /* too little memory is not a bad file */
    cuzk_ctx ctx = {0};
    r1cs_densities d;
    check(&f, f.directory);
    assert_int_equal(cuzk_account_create(&ctx.account, 100, NULL), CUZK_OK);
    assert_int_equal(cuzk_structure_of(&d, &ctx, &f.set, f.directory, NULL), CUZK_E_NO_MEMORY);
    cuzk_account_destroy(ctx.account);
    fixture_clear(&f);
}

static void test_directory(void **state) {
    (void)state;
    char path[CACHE_PATH_CHARS];
    setenv("CUZK_CACHE", "/x/y", 1);
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    setenv("HOME", "/home/me", 1);
    assert_true(cuzk_cache_directory(path));
    assert_string_equal(path, "/x/y");
    setenv("CUZK_CACHE", "", 1);
    assert_false(cuzk_cache_directory(path));
    unsetenv("CUZK_CACHE");
    assert_true(cuzk_cache_directory(path));
    assert_string_equal(path, "/xdg/cuzk");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_true(cuzk_cache_directory(path));
    assert_string_equal(path, "/home/me/.cache/cuzk");
    unsetenv("HOME");
    assert_false(cuzk_cache_directory(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_once), cmocka_unit_test(test_bad_files_are_replaced),
        cmocka_unit_test(test_no_cache), cmocka_unit_test(test_directory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
