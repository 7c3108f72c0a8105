/* Files of finished partitions: JOB-PARTITION-VK.partition, the digests in hex. */
#include "engine/partition_store.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/log.h"
#include "hash/blake2.h"

static const char magic[8] = {'C', 'U', 'Z', 'K', 'P', 'R', 'T', '1'};
#define SUM_BYTES 16
#define SUMMED_BYTES (PARTITION_RECORD_BYTES - SUM_BYTES)
#define HEADER_BYTES (SUMMED_BYTES - GROTH16_PROOF_BYTES)

/* ---- a file ---- */

static void write_header(uint8_t header[HEADER_BYTES], const partition_key *key) {
    memcpy(header, magic, sizeof magic);
    memcpy(header + 8, key->job, JOB_DIGEST_BYTES);
    store_le32(header + 8 + JOB_DIGEST_BYTES, key->partition);
    memcpy(header + 12 + JOB_DIGEST_BYTES, key->vk, 32);
}

static void sum_of(uint8_t sum[SUM_BYTES], const uint8_t *record) {
    uint8_t whole[BLAKE2B_BYTES];
    cuzk_blake2b(whole, record, SUMMED_BYTES);
    memcpy(sum, whole, SUM_BYTES);
}

void cuzk_partition_record_write(uint8_t record[PARTITION_RECORD_BYTES], const partition_key *key,
                                 const uint8_t proof[GROTH16_PROOF_BYTES]) {
    write_header(record, key);
    memcpy(record + HEADER_BYTES, proof, GROTH16_PROOF_BYTES);
    sum_of(record + SUMMED_BYTES, record);
}

cuzk_status cuzk_partition_record_read(uint8_t proof[GROTH16_PROOF_BYTES], const partition_key *key,
                                       const uint8_t *data, size_t len_bytes, cuzk_error *err) {
    uint8_t header[HEADER_BYTES], sum[SUM_BYTES];
    if (len_bytes != PARTITION_RECORD_BYTES) {
        return cuzk_fail(err, CUZK_E_INPUT, "%zu bytes, a stored partition has %d", len_bytes,
                         PARTITION_RECORD_BYTES);
    }
    sum_of(sum, data);
    if (memcmp(sum, data + SUMMED_BYTES, SUM_BYTES) != 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "damaged, or no stored partition");
    }
    write_header(header, key);
    if (memcmp(header, data, HEADER_BYTES) != 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "the partition of something else");
    }
    memcpy(proof, data + HEADER_BYTES, GROTH16_PROOF_BYTES);
    return CUZK_OK;
}

/* ---- names ---- */

#define PATH_CHARS 4096
#define SUFFIX ".partition"
#define NAME_CHARS (2 * JOB_DIGEST_BYTES + 1 + 4 + 1 + 32 + sizeof SUFFIX)

struct partition_store {
    char directory[PATH_CHARS - NAME_CHARS - 1];
    size_t max_files;
    pthread_mutex_t mutex; /* covers n_files, and removing the oldest */
    size_t n_files;        /* about how many there are; never fewer than there are */
};

static void put_path(char path[PATH_CHARS], const partition_store *s, const partition_key *key) {
    CUZK_ASSERT(key->partition < JOB_PARTITIONS_MAX && strlen(key->vk) == 32);
    char *out = path + sprintf(path, "%s/", s->directory);
    for (size_t i = 0; i < JOB_DIGEST_BYTES; i++) {
        out += sprintf(out, "%02x", key->job[i]);
    }
    sprintf(out, "-%04" PRIu32 "-%.32s" SUFFIX, key->partition, key->vk);
}

static bool is_ours(const char *name) {
    const size_t len = strlen(name);
    return len == NAME_CHARS - 1 && strcmp(name + len - (sizeof SUFFIX - 1), SUFFIX) == 0;
}

/* What a process that was killed left of writing one: its name, a number in 16 hex digits, .tmp. */
static bool is_leftover(const char *name) {
    const size_t end = NAME_CHARS - 1, len = strlen(name);
    return len == end + sizeof ".0123456789abcdef.tmp" - 1 &&
           strncmp(name + end - (sizeof SUFFIX - 1), SUFFIX ".", sizeof SUFFIX) == 0 &&
           strcmp(name + len - 4, ".tmp") == 0;
}

static bool join(char path[PATH_CHARS], const partition_store *s, const char *name) {
    const int n = snprintf(path, PATH_CHARS, "%s/%s", s->directory, name);
    return n > 0 && n < PATH_CHARS;
}

/* ---- the directory ---- */

/* Counts what is there; *oldest = its path, or "". */
static cuzk_status look(const partition_store *s, size_t *n, char oldest[PATH_CHARS],
                        cuzk_error *err) {
    struct timespec least = {0};
    char path[PATH_CHARS];
    struct stat info;
    *n = 0;
    oldest[0] = '\0';
    DIR *d = opendir(s->directory);
    if (d == NULL) {
        return cuzk_fail(err, CUZK_E_IO, "%s: %s", s->directory, strerror(errno));
    }
    for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        if (!is_ours(e->d_name) || !join(path, s, e->d_name) || lstat(path, &info) != 0) {
            continue;
        }
        ++*n;
        if (oldest[0] == '\0' || info.st_mtim.tv_sec < least.tv_sec ||
            (info.st_mtim.tv_sec == least.tv_sec && info.st_mtim.tv_nsec < least.tv_nsec)) {
            least = info.st_mtim;
            strcpy(oldest, path);
        }
    }
    closedir(d);
    return CUZK_OK;
}

static void remove_leftovers(const partition_store *s) {
    char path[PATH_CHARS];
    DIR *d = opendir(s->directory);
    for (const struct dirent *e = d != NULL ? readdir(d) : NULL; e != NULL; e = readdir(d)) {
        if (is_leftover(e->d_name) && join(path, s, e->d_name)) {
            unlink(path);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
}

static cuzk_status check_directory(const char *directory, cuzk_error *err) {
    struct stat info;
    if ((mkdir(directory, 0700) != 0 && errno != EEXIST) || lstat(directory, &info) != 0) {
        return cuzk_fail(err, CUZK_E_IO, "%s: %s", directory, strerror(errno));
    }
    if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
        return cuzk_fail(err, CUZK_E_IO, "%s: not a directory of this user alone (mode 0700)",
                         directory);
    }
    return CUZK_OK;
}

cuzk_status cuzk_partition_store_open(partition_store **opened, const char *directory,
                                      size_t max_files, cuzk_error *err) {
    CUZK_ASSERT(max_files > 0);
    *opened = NULL;
    partition_store *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a store of partitions");
    }
    pthread_mutex_init(&s->mutex, NULL);
    s->max_files = max_files;
    const int n = snprintf(s->directory, sizeof s->directory, "%s", directory);
    char oldest[PATH_CHARS];
    cuzk_status status = n > 0 && (size_t)n < sizeof s->directory
                             ? check_directory(directory, err)
                             : cuzk_fail(err, CUZK_E_RANGE, "the directory's name is too long");
    if (status == CUZK_OK) {
        remove_leftovers(s);
        status = look(s, &s->n_files, oldest, err);
    }
    if (status != CUZK_OK) {
        cuzk_partition_store_close(s);
        return status;
    }
    *opened = s;
    return CUZK_OK;
}

void cuzk_partition_store_close(partition_store *s) {
    if (s != NULL) {
        pthread_mutex_destroy(&s->mutex);
        free(s);
    }
}

/* ---- partitions ---- */

bool cuzk_partition_store_load(partition_store *s, uint8_t proof[GROTH16_PROOF_BYTES],
                               const partition_key *key) {
    char path[PATH_CHARS];
    cuzk_map map;
    cuzk_error error;
    put_path(path, s, key);
    if (!cuzk_file_exists(path)) {
        return false;
    }
    cuzk_status status = cuzk_map_open(&map, path, &error);
    if (status == CUZK_OK) {
        status = cuzk_partition_record_read(proof, key, map.data, map.len_bytes, &error);
        cuzk_map_close(&map);
    }
    if (status != CUZK_OK) {
        cuzk_log(CUZK_LOG_WARN, "engine", CUZK_LOG_FIELDS(log_text("file", path)),
                 "a stored partition is removed: %s", error.text);
        unlink(path);
    }
    return status == CUZK_OK;
}

/* Under the lock, before one more is written. */
static void make_room(partition_store *s) {
    char oldest[PATH_CHARS];
    while (s->n_files >= s->max_files && look(s, &s->n_files, oldest, NULL) == CUZK_OK &&
           s->n_files >= s->max_files && unlink(oldest) == 0) {
        s->n_files--;
    }
}

static cuzk_status write_record(const char *path, const uint8_t record[PARTITION_RECORD_BYTES],
                                cuzk_error *err) {
    cuzk_outfile *out;
    cuzk_status status = cuzk_outfile_create(&out, path, 0600, PARTITION_RECORD_BYTES, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_outfile_write(out, record, PARTITION_RECORD_BYTES, err);
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    return cuzk_outfile_commit(out, true, err);
}

void cuzk_partition_store_save(partition_store *s, const partition_key *key,
                               const uint8_t proof[GROTH16_PROOF_BYTES]) {
    uint8_t record[PARTITION_RECORD_BYTES];
    char path[PATH_CHARS];
    cuzk_error error;
    put_path(path, s, key);
    cuzk_partition_record_write(record, key, proof);
    pthread_mutex_lock(&s->mutex);
    make_room(s);
    s->n_files++;
    pthread_mutex_unlock(&s->mutex);
    if (write_record(path, record, &error) != CUZK_OK) {
        cuzk_log(CUZK_LOG_WARN, "engine", NULL, 0, "a finished partition is not stored: %s",
                 error.text);
    }
}

void cuzk_partition_store_remove(partition_store *s, const partition_key *key) {
    char path[PATH_CHARS];
    put_path(path, s, key);
    if (unlink(path) == 0) {
        pthread_mutex_lock(&s->mutex);
        s->n_files -= s->n_files != 0;
        pthread_mutex_unlock(&s->mutex);
    }
}
