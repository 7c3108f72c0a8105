/* Bytes of parameter files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "srs/srs_internal.h"

cuzk_status cuzk_srs_bytes_open(srs_bytes *bytes, const char *path, cuzk_error *err) {
    *bytes = (srs_bytes){.name = path, .fd = -1};
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0) {
        const int reason = errno;
        cuzk_status status = reason == ENOENT || reason == ENOTDIR ? CUZK_E_NO_PARAMS : CUZK_E_IO;
        if (fd >= 0) {
            close(fd);
        }
        cuzk_fail(err, status, "cannot open: %s", strerror(reason));
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return status;
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        cuzk_fail(err, CUZK_E_IO, "not a regular file");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    bytes->fd = fd;
    bytes->len_bytes = (uint64_t)info.st_size;
    return CUZK_OK;
}

void cuzk_srs_bytes_close(srs_bytes *bytes) {
    if (bytes->fd >= 0) {
        close(bytes->fd);
    }
    *bytes = (srs_bytes){.fd = -1};
}

const uint8_t *cuzk_srs_bytes_at(const srs_bytes *bytes, uint64_t offset, size_t len_bytes,
                                 uint8_t *buffer) {
    CUZK_ASSERT(offset <= bytes->len_bytes && len_bytes <= bytes->len_bytes - offset);
    if (bytes->stream != NULL) {
        return cuzk_srs_stream_at(bytes->stream, offset, len_bytes, buffer);
    }
    if (bytes->fd < 0) {
        return bytes->data + offset;
    }
    for (size_t done = 0; done < len_bytes;) {
        ssize_t n = pread(bytes->fd, buffer + done, len_bytes - done, (off_t)(offset + done));
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return NULL;
        }
        done += n < 0 ? 0 : (size_t)n;
    }
    return buffer;
}

void cuzk_srs_bytes_will_need(const srs_bytes *bytes, uint64_t offset, uint64_t len_bytes) {
    if (bytes->fd >= 0) {
        (void)posix_fadvise(bytes->fd, (off_t)offset, (off_t)len_bytes, POSIX_FADV_WILLNEED);
    }
}

cuzk_status cuzk_srs_bytes_failed(const srs_bytes *bytes, uint64_t offset, cuzk_error *err) {
    cuzk_fail(err, CUZK_E_IO, "cannot read, or cut short while in use");
    cuzk_error_at_file(err, bytes->name, (int64_t)offset);
    return CUZK_E_IO;
}
