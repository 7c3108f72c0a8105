/* Mappings of input files, and output files that appear complete or not at all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/entropy.h"

static cuzk_status fail_io(cuzk_error *err, const char *path, const char *doing, int reason) {
    cuzk_fail(err, CUZK_E_IO, "%s: %s", doing, strerror(reason));
    cuzk_error_at_file(err, path, CUZK_NOWHERE);
    return CUZK_E_IO;
}

cuzk_status cuzk_map_open(cuzk_map *map, const char *path, cuzk_error *err) {
    *map = (cuzk_map){.fd = -1};
    /* O_NONBLOCK: opening a FIFO must fail below instead of waiting for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fail_io(err, path, "cannot open", errno);
    }
    struct stat info;
    if (fstat(fd, &info) != 0) {
        int reason = errno;
        close(fd);
        return fail_io(err, path, "cannot stat", reason);
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        cuzk_fail(err, CUZK_E_IO, "not a regular file");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    if (info.st_size > 0) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            int reason = errno;
            close(fd);
            return fail_io(err, path, "cannot map", reason);
        }
        map->data = data;
    }
    map->len_bytes = (size_t)info.st_size;
    map->fd = fd;
    return CUZK_OK;
}

void cuzk_map_close(cuzk_map *map) {
    if (map->data != NULL) {
        munmap((void *)(uintptr_t)map->data, map->len_bytes);
    }
    if (map->fd >= 0) {
        close(map->fd);
    }
    *map = (cuzk_map){.fd = -1};
}

#define OUT_BUFFER_BYTES ((size_t)1 << 18)

struct cuzk_outfile {
    int fd;
    size_t n_buffered;
    char *path;
    char *temporary;
    uint8_t buffer[OUT_BUFFER_BYTES];
};

/* The folder that holds `path`, as a heap string; NULL without memory. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strdup(".");
    }
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static cuzk_status check_free_disk(const char *path, uint64_t expected_bytes, cuzk_error *err) {
    char *folder = folder_of(path);
    if (folder == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: out of memory", path);
    }
    struct statvfs disk;
    cuzk_status status = CUZK_OK;
    if (statvfs(folder, &disk) != 0) {
        status = fail_io(err, folder, "cannot read the free space", errno);
    } else {
        uint64_t free_bytes;
        if (__builtin_mul_overflow((uint64_t)disk.f_bavail, (uint64_t)disk.f_frsize, &free_bytes)) {
            free_bytes = UINT64_MAX;
        }
        if (free_bytes < expected_bytes) {
            status = cuzk_fail(err, CUZK_E_IO, "%llu bytes to write, the disk has %llu free",
                               (unsigned long long)expected_bytes, (unsigned long long)free_bytes);
            cuzk_error_at_file(err, path, CUZK_NOWHERE);
        }
    }
    free(folder);
    return status;
}

/* A rename would put a file in the place of a device or a pipe, and fails late on a directory. */
static cuzk_status check_target(const char *path, cuzk_error *err) {
    struct stat info;
    if (path[0] == '\0') {
        return cuzk_fail(err, CUZK_E_IO, "cannot create a file without a name");
    }
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        cuzk_fail(err, CUZK_E_IO, S_ISDIR(info.st_mode) ? "is a directory" : "not a regular file");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    return CUZK_OK;
}

cuzk_status cuzk_outfile_create(cuzk_outfile **out, const char *path, unsigned mode,
                                uint64_t expected_bytes, cuzk_error *err) {
    *out = NULL;
    uint8_t suffix[8];
    cuzk_status status = check_target(path, err);
    if (status == CUZK_OK) {
        status = check_free_disk(path, expected_bytes, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_entropy(suffix, sizeof suffix, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_outfile *file = malloc(sizeof *file);
    char *name = strdup(path);
    char *temporary = NULL;
    if (file == NULL || name == NULL ||
        asprintf(&temporary, "%s.%016llx.tmp", path, (unsigned long long)load_le64(suffix)) < 0) {
        free(file);
        free(name);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: out of memory", path);
    }
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
    if (fd < 0) {
        status = fail_io(err, path, "cannot create", errno);
        free(temporary);
        free(name);
        free(file);
        return status;
    }
    file->fd = fd;
    file->n_buffered = 0;
    file->path = name;
    file->temporary = temporary;
    *out = file;
    return CUZK_OK;
}

static cuzk_status write_all(cuzk_outfile *out, const uint8_t *data, size_t len_bytes,
                             cuzk_error *err) {
    while (len_bytes > 0) {
        ssize_t n = write(out->fd, data, len_bytes);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return fail_io(err, out->path, "cannot write", errno);
        }
        data += n;
        len_bytes -= (size_t)n;
    }
    return CUZK_OK;
}

static cuzk_status flush_buffer(cuzk_outfile *out, cuzk_error *err) {
    size_t n = out->n_buffered;
    out->n_buffered = 0;
    return write_all(out, out->buffer, n, err);
}

cuzk_status cuzk_outfile_write(cuzk_outfile *out, const void *data, size_t len_bytes,
                               cuzk_error *err) {
    if (len_bytes > OUT_BUFFER_BYTES - out->n_buffered) {
        cuzk_status status = flush_buffer(out, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    if (len_bytes >= OUT_BUFFER_BYTES) {
        return write_all(out, data, len_bytes, err);
    }
    if (len_bytes > 0) {
        memcpy(out->buffer + out->n_buffered, data, len_bytes);
        out->n_buffered += len_bytes;
    }
    return CUZK_OK;
}

/* Frees everything but the file on disk. */
static void release(cuzk_outfile *out) {
    if (out->fd >= 0) {
        close(out->fd);
    }
    free(out->path);
    free(out->temporary);
    free(out);
}

void cuzk_outfile_abandon(cuzk_outfile *out) {
    if (out != NULL) {
        unlink(out->temporary);
        release(out);
    }
}

/* rename(2) that fails with EEXIST, also on file systems without RENAME_NOREPLACE. */
static int rename_without_replace(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    return link(from, to) == 0 ? unlink(from) : -1;
}

/* Makes the new name last through a crash. */
static int sync_folder(const char *path) {
    char *folder = folder_of(path);
    if (folder == NULL) {
        errno = ENOMEM;
        return -1;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0) {
        return -1;
    }
    int result = fsync(fd);
    int reason = errno;
    close(fd);
    errno = reason;
    /* Some file systems cannot sync folders; the rename itself has happened. */
    return result == 0 || reason == EINVAL ? 0 : -1;
}

cuzk_status cuzk_outfile_commit(cuzk_outfile *out, bool replace, cuzk_error *err) {
    cuzk_status status = flush_buffer(out, err);
    if (status == CUZK_OK && fsync(out->fd) != 0) {
        status = fail_io(err, out->path, "cannot write", errno);
    }
    if (status == CUZK_OK) {
        int fd = out->fd;
        out->fd = -1;
        if (close(fd) != 0) {
            status = fail_io(err, out->path, "cannot write", errno);
        }
    }
    if (status == CUZK_OK) {
        int result = replace ? rename(out->temporary, out->path)
                             : rename_without_replace(out->temporary, out->path);
        if (result != 0) {
            status = fail_io(err, out->path, "cannot give the file its name", errno);
        }
    }
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    if (sync_folder(out->path) != 0) {
        status = fail_io(err, out->path, "cannot sync the folder", errno);
    }
    release(out);
    return status;
}

cuzk_status cuzk_file_write(const char *path, const void *data, size_t len_bytes, bool replace,
                            cuzk_error *err) {
    cuzk_outfile *out;
    cuzk_status status = cuzk_outfile_create(&out, path, 0666, len_bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_outfile_write(out, data, len_bytes, err);
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    return cuzk_outfile_commit(out, replace, err);
}

cuzk_status cuzk_file_probe(const char *path, cuzk_error *err) {
    cuzk_outfile *out;
    cuzk_status status = cuzk_outfile_create(&out, path, 0666, 0, err);
    if (status == CUZK_OK) {
        cuzk_outfile_abandon(out);
    }
    return status;
}

bool cuzk_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}
