/* LABELS: tsan */
/* Finished partitions on disk: what is read back, and what is refused and removed. */
#include "engine/partition_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "support/key_files.h"
#include "support/support.h"

static char folder[64];

static int set_up(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("off", false, NULL), CUZK_OK);
    key_files_folder(folder);
    assert_int_equal(chmod(folder, 0700), 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    key_files_remove(folder);
    return 0;
}

static partition_key key_of(uint8_t of, uint32_t partition) {
    partition_key key = {.partition = partition, .vk = "0123456789abcdef0123456789abcdef"};
    memset(key.job, of, sizeof key.job);
    return key;
}

static void fill(uint8_t proof[GROTH16_PROOF_BYTES], uint8_t first) {
    for (size_t i = 0; i < GROTH16_PROOF_BYTES; i++) {
        proof[i] = (uint8_t)(first + i);
    }
}

static partition_store *open_store(size_t max_files) {
    partition_store *s;
    cuzk_error err;
    if (cuzk_partition_store_open(&s, folder, max_files, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return s;
}

static void save(partition_store *s, uint8_t of, uint32_t partition) {
    uint8_t proof[GROTH16_PROOF_BYTES];
    const partition_key key = key_of(of, partition);
    fill(proof, (uint8_t)(of + partition));
    cuzk_partition_store_save(s, &key, proof);
}

/* Whether the store has it; it is the right one then. */
static bool has(partition_store *s, uint8_t of, uint32_t partition) {
    uint8_t proof[GROTH16_PROOF_BYTES], want[GROTH16_PROOF_BYTES];
    const partition_key key = key_of(of, partition);
    const bool found = cuzk_partition_store_load(s, proof, &key);
    fill(want, (uint8_t)(of + partition));
    if (found) {
        assert_memory_equal(proof, want, sizeof want);
    }
    return found;
}

static void drop(partition_store *s, uint8_t of, uint32_t partition) {
    const partition_key key = key_of(of, partition);
    cuzk_partition_store_remove(s, &key);
}

static void put_name(char path[300], uint8_t of, uint32_t partition) {
    char *out = path + sprintf(path, "%s/", folder);
    for (size_t i = 0; i < JOB_DIGEST_BYTES; i++) {
        out += sprintf(out, "%02x", of);
    }
    sprintf(out, "-%04u-0123456789abcdef0123456789abcdef.partition", partition);
}

static void kept_over_restarts(void **state) {
    (void)state;
    partition_store *s = open_store(100);
    char path[300];
    struct stat info;
    assert_false(has(s, 1, 0));
    save(s, 1, 0);
    save(s, 1, 1023);
    put_name(path, 1, 1023);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(info.st_size, PARTITION_RECORD_BYTES);
    cuzk_partition_store_close(s);
    s = open_store(100);
    assert_true(has(s, 1, 0) && has(s, 1, 1023));
    assert_false(has(s, 1, 1) || has(s, 2, 0));
    partition_key other = key_of(1, 0);
    uint8_t proof[GROTH16_PROOF_BYTES];
    other.vk[0] = 'f';
    assert_false(cuzk_partition_store_load(s, proof, &other));
    drop(s, 1, 0);
    assert_false(has(s, 1, 0));
    drop(s, 1, 0);
    drop(s, 1, 1023);
    cuzk_partition_store_close(s);
}

static void write_bytes(const char *path, const uint8_t *data, size_t len_bytes) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len_bytes, f), len_bytes);
    assert_int_equal(fclose(f), 0);
}

/* Damaged in any byte, of any other length, of another key, or no file: not taken, and gone. */
static void bad_ones_are_removed(void **state) {
    (void)state;
    partition_store *s = open_store(100);
    uint8_t record[PARTITION_RECORD_BYTES + 1] = {0}, proof[GROTH16_PROOF_BYTES];
    partition_key key = key_of(1, 5);
    char path[300];
    put_name(path, 1, 5);
    fill(proof, 6);
    cuzk_partition_record_write(record, &key, proof);
    write_bytes(path, record, PARTITION_RECORD_BYTES);
    assert_true(has(s, 1, 5));
    for (size_t i = 0; i < PARTITION_RECORD_BYTES; i += 7) {
        record[i] ^= 0x10;
        write_bytes(path, record, PARTITION_RECORD_BYTES);
        assert_false(has(s, 1, 5));
        assert_int_not_equal(access(path, F_OK), 0);
        record[i] ^= 0x10;
    }
    static const size_t lengths[] = {0, 1, PARTITION_RECORD_BYTES - 1, PARTITION_RECORD_BYTES + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        write_bytes(path, record, lengths[i]);
        assert_false(has(s, 1, 5));
        assert_int_not_equal(access(path, F_OK), 0);
    }
    key.partition = 6;
    cuzk_partition_record_write(record, &key, proof);
    write_bytes(path, record, PARTITION_RECORD_BYTES);
    assert_false(has(s, 1, 5));
    assert_int_not_equal(access(path, F_OK), 0);
    cuzk_partition_store_close(s);
}

static void the_oldest_go(void **state) {
    (void)state;
    partition_store *s = open_store(3);
    char path[300];
    for (uint32_t i = 0; i < 3; i++) {
        const struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        save(s, 1, i);
        put_name(path, 1, i);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    save(s, 2, 0);
    assert_false(has(s, 1, 0));
    assert_true(has(s, 1, 1) && has(s, 1, 2) && has(s, 2, 0));
    cuzk_partition_store_close(s);
    s = open_store(3); /* counts what is there */
    save(s, 2, 1);
    assert_false(has(s, 1, 1));
    for (uint32_t i = 0; i < 3; i++) {
        drop(s, 1, i);
        drop(s, 2, i);
    }
    cuzk_partition_store_close(s);
}

/* Only they: other names are not the store's. */
static void leftovers_go_at_opening(void **state) {
    (void)state;
    static const char *const ends[] = {".0123456789abcdef.tmp", ".0123456789abcde.tmp",
                                       ".0123456789abcdef.txt", "_0123456789abcdef.tmp", ""};
    char path[sizeof ends / sizeof *ends][330];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        put_name(path[i], 1, 7);
        strcat(path[i], ends[i]);
        write_bytes(path[i], (const uint8_t *)"x", 1);
    }
    cuzk_partition_store_close(open_store(100));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_int_equal(access(path[i], F_OK) == 0, i != 0);
        unlink(path[i]);
    }
}

static void refused(const char *directory, cuzk_status status, const char *text) {
    partition_store *s;
    cuzk_error err;
    assert_int_equal(cuzk_partition_store_open(&s, directory, 1, &err), status);
    assert_non_null(strstr(err.text, text));
    assert_null(s);
}

static void directories_are_judged(void **state) {
    (void)state;
    char path[200];
    struct stat info;
    partition_store *s;
    snprintf(path, sizeof path, "%s/made", folder);
    assert_int_equal(cuzk_partition_store_open(&s, path, 1, NULL), CUZK_OK);
    cuzk_partition_store_close(s);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_int_equal(chmod(path, 0750), 0);
    refused(path, CUZK_E_IO, "not a directory of this user alone");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink(folder, path), 0);
    refused(path, CUZK_E_IO, "not a directory of this user alone");
    assert_int_equal(unlink(path), 0);
    refused("/nonexistent/store", CUZK_E_IO, "/nonexistent/store: ");
    char long_name[5000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    refused(long_name, CUZK_E_RANGE, "too long");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_over_restarts),     cmocka_unit_test(bad_ones_are_removed),
        cmocka_unit_test(the_oldest_go),          cmocka_unit_test(leftovers_go_at_opening),
        cmocka_unit_test(directories_are_judged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
