/* Mappings, and output files that appear complete or not at all. */
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/support.h"

static char folder[] = "/tmp/cuzk-test-file-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static unsigned files_in_folder(void) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    unsigned n = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        n += entry->d_name[0] != '.';
    }
    closedir(dir);
    return n;
}

static void check_content(const char *path, const char *expected) {
    cuzk_map map;
    assert_int_equal(cuzk_map_open(&map, path, NULL), CUZK_OK);
    assert_int_equal(map.len_bytes, strlen(expected));
    if (map.len_bytes > 0) {
        assert_memory_equal(map.data, expected, map.len_bytes);
    } else {
        assert_null(map.data);
    }
    cuzk_map_close(&map);
    assert_null(map.data);
}

static void writes_and_maps(void **state) {
    (void)state;
    const char *path = in_folder("a");
    cuzk_error err;
    assert_false(cuzk_file_exists(path));
    assert_int_equal(cuzk_file_write(path, "one", 3, false, &err), CUZK_OK);
    assert_true(cuzk_file_exists(path));
    check_content(path, "one");
    assert_int_equal(cuzk_file_write(path, "two", 3, false, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, path));
    check_content(path, "one");
    assert_int_equal(cuzk_file_write(path, "", 0, true, &err), CUZK_OK);
    check_content(path, "");
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
}

static void writes_in_pieces(void **state) {
    (void)state;
    static const size_t pieces[] = {1, 100000, 262143, 0, 262144, 262145, 700000, 5};
    const char *path = in_folder("b");
    uint8_t *data = malloc(2000000);
    for (size_t i = 0; i < 2000000; i++) {
        data[i] = (uint8_t)(i * 2654435761u >> 20);
    }
    cuzk_outfile *out;
    size_t total = 0;
    assert_int_equal(cuzk_outfile_create(&out, path, 0640, 0, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        assert_int_equal(cuzk_outfile_write(out, data + total, pieces[i], NULL), CUZK_OK);
        total += pieces[i];
    }
    assert_false(cuzk_file_exists(path));
    assert_int_equal(cuzk_outfile_commit(out, true, NULL), CUZK_OK);
    cuzk_map map;
    assert_int_equal(cuzk_map_open(&map, path, NULL), CUZK_OK);
    assert_int_equal(map.len_bytes, total);
    assert_memory_equal(map.data, data, total);
    cuzk_map_close(&map);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07137, 0);
    unlink(path);
    free(data);
}

static void abandoned_files_vanish(void **state) {
    (void)state;
    cuzk_outfile *out;
    assert_int_equal(cuzk_outfile_create(&out, in_folder("c"), 0666, 0, NULL), CUZK_OK);
    assert_int_equal(cuzk_outfile_write(out, "x", 1, NULL), CUZK_OK);
    assert_int_equal(files_in_folder(), 1);
    cuzk_outfile_abandon(out);
    cuzk_outfile_abandon(NULL);
    assert_int_equal(files_in_folder(), 0);
}

/* The name appears after `create`: a commit without replacing must notice. */
static void commit_does_not_replace(void **state) {
    (void)state;
    const char *path = in_folder("d");
    cuzk_outfile *out;
    cuzk_error err;
    assert_int_equal(cuzk_outfile_create(&out, path, 0666, 0, NULL), CUZK_OK);
    assert_int_equal(cuzk_outfile_write(out, "late", 4, NULL), CUZK_OK);
    assert_int_equal(cuzk_file_write(path, "early", 5, false, NULL), CUZK_OK);
    assert_int_equal(cuzk_outfile_commit(out, false, &err), CUZK_E_IO);
    assert_string_equal(err.file, path);
    check_content(path, "early");
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
}

static void refuses(void **state) {
    (void)state;
    cuzk_map map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, in_folder("none"), &err), CUZK_E_IO);
    assert_string_equal(err.file, in_folder("none"));
    assert_non_null(strstr(err.text, "No such file"));
    cuzk_map_close(&map);
    assert_int_equal(cuzk_map_open(&map, folder, &err), CUZK_E_IO);
    assert_int_equal(cuzk_map_open(&map, "/dev/null", &err), CUZK_E_IO);
    const char *fifo = in_folder("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(cuzk_map_open(&map, fifo, &err), CUZK_E_IO);
    unlink(fifo);
    cuzk_outfile *out;
    assert_int_equal(cuzk_outfile_create(&out, in_folder("no/file"), 0666, 0, &err), CUZK_E_IO);
    assert_null(out);
    assert_int_equal(cuzk_outfile_create(&out, in_folder("big"), 0666, UINT64_MAX, &err),
                     CUZK_E_IO);
    assert_non_null(strstr(err.text, "18446744073709551615"));
    assert_int_equal(files_in_folder(), 0);
}

/* A pipe, a directory, nothing at all: what a rename would replace, or only fail on at the end. */
static void leaves_devices_and_directories_alone(void **state) {
    (void)state;
    cuzk_error err;
    struct stat info;
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(cuzk_file_probe(path, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(cuzk_file_write(path, "x", 1, true, &err), CUZK_E_IO);
    assert_string_equal(err.file, path);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    unlink(path);
    assert_int_equal(cuzk_file_probe(folder, &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "is a directory"));
    assert_int_equal(cuzk_file_probe("", &err), CUZK_E_IO);
    assert_int_equal(cuzk_file_probe(in_folder("no/such"), &err), CUZK_E_IO);
    assert_int_equal(cuzk_file_probe(in_folder("a"), &err), CUZK_OK);
    assert_false(cuzk_file_exists(in_folder("a")));
    assert_int_equal(files_in_folder(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_maps),
        cmocka_unit_test(writes_in_pieces),
        cmocka_unit_test(abandoned_files_vanish),
        cmocka_unit_test(commit_does_not_replace),
        cmocka_unit_test(refuses),
        cmocka_unit_test(leaves_devices_and_directories_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
