/* Mappings and files that appear complete or not at all. */
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

static cuzk_status fail_errno(cuzk_error *err, const char *path, const char *what, int reason) {
    cuzk_fail(err, CUZK_E_IO, "%s: %s", what, strerror(reason));
    cuzk_error_at_file(err, path, CUZK_NOWHERE);
    return CUZK_E_IO;
}

cuzk_status cuzk_map_open(cuzk_map *map, const char *path, cuzk_error *err) {
    *map = (cuzk_map){.fd = -1};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fail_errno(err, path, "cannot open", errno);
    }
    struct stat info;
    if (fstat(fd, &info) != 0) {
        int reason = errno;
        close(fd);
        return fail_errno(err, path, "cannot examine", reason);
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        cuzk_fail(err, CUZK_E_IO, "not a regular file");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    size_t len = (size_t)info.st_size;
    void *data = NULL;
    if (len > 0) {
        data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            int reason = errno;
            close(fd);
            return fail_errno(err, path, "cannot map", reason);
        }
    }
    *map = (cuzk_map){.data = data, .len_bytes = len, .fd = fd};
    return CUZK_OK;
}

void cuzk_map_close(cuzk_map *map) {
    if (map->data != NULL) {
        munmap((void *)map->data, map->len_bytes);
    }
    if (map->fd >= 0) {
        close(map->fd);
    }
    *map = (cuzk_map){.fd = -1};
}

struct cuzk_outfile {
    int fd;
    char *path, *temporary;
};

static void free_outfile(cuzk_outfile *out) {
    free(out->path);
    free(out->temporary);
    free(out);
}

static uint64_t free_disk(const char *path, bool *known) {
    char *folder = strdup(path);
    struct statvfs info;
    *known = false;
    uint64_t bytes = 0;
    if (folder != NULL) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL) {
            strcpy(folder, folder[0] == '\0' ? "" : ".");
        } else if (slash == folder) {
            slash[1] = '\0';
        } else {
            *slash = '\0';
        }
        if (statvfs(folder, &info) == 0) {
            *known = true;
            bytes = (uint64_t)info.f_bavail * info.f_frsize;
        }
    }
    free(folder);
    return bytes;
}

cuzk_status cuzk_outfile_create(cuzk_outfile **out, const char *path, unsigned mode,
                                uint64_t expected_bytes, cuzk_error *err) {
    *out = NULL;
    bool known;
    uint64_t room = free_disk(path, &known);
    if (known && expected_bytes > room) {
        cuzk_fail(err, CUZK_E_IO, "%llu bytes to write, %llu free on the disk",
                  (unsigned long long)expected_bytes, (unsigned long long)room);
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    cuzk_outfile *o = calloc(1, sizeof *o);
    size_t len = strlen(path) + 16;
    if (o == NULL || (o->path = strdup(path)) == NULL || (o->temporary = malloc(len)) == NULL) {
        if (o != NULL) {
            free_outfile(o);
        }
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to write a file");
    }
    snprintf(o->temporary, len, "%s.XXXXXX", path);
    o->fd = mkostemp(o->temporary, O_CLOEXEC);
    if (o->fd < 0) {
        int reason = errno;
        free_outfile(o);
        return fail_errno(err, path, "cannot create", reason);
    }
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(o->fd, mode & ~mask) != 0) {
        int reason = errno;
        cuzk_outfile_abandon(o);
        return fail_errno(err, path, "cannot create", reason);
    }
    *out = o;
    return CUZK_OK;
}

cuzk_status cuzk_outfile_write(cuzk_outfile *out, const void *data, size_t len_bytes,
                               cuzk_error *err) {
    const uint8_t *at = data;
    while (len_bytes > 0) {
        ssize_t n = write(out->fd, at, len_bytes);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return fail_errno(err, out->path, "cannot write", errno);
        }
        at += n;
        len_bytes -= (size_t)n;
    }
    return CUZK_OK;
}

cuzk_status cuzk_outfile_commit(cuzk_outfile *out, bool replace, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    if (fsync(out->fd) != 0) {
        status = fail_errno(err, out->path, "cannot write", errno);
    }
    if (status == CUZK_OK && replace && rename(out->temporary, out->path) != 0) {
        status = fail_errno(err, out->path, "cannot rename", errno);
    }
    if (status == CUZK_OK && !replace && link(out->temporary, out->path) != 0) {
        status = fail_errno(err, out->path, "cannot create", errno);
    }
    if (status != CUZK_OK || !replace) {
        unlink(out->temporary);
    }
    close(out->fd);
    free_outfile(out);
    return status;
}

void cuzk_outfile_abandon(cuzk_outfile *out) {
    if (out != NULL) {
        close(out->fd);
        unlink(out->temporary);
        free_outfile(out);
    }
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

bool cuzk_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}
