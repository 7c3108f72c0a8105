/* Addresses to listen on. */
#include "server/listen_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static cuzk_status invalid(const char *text, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_INPUT, "invalid listen address: %.200s", text);
}

/* One to five digits, at most 65535. */
static bool read_port(unsigned *port, const char *text) {
    size_t len = strspn(text, "0123456789");
    if (len == 0 || len > 5 || text[len] != 0) {
        return false;
    }
    *port = 0;
    for (size_t i = 0; i < len; i++) {
        *port = *port * 10 + (unsigned)(text[i] - '0');
    }
    return *port <= 65535;
}

static bool read_ip(listen_address *address, const char *text) {
    bool bracketed = text[0] == '[';
    const char *end = bracketed ? strchr(text, ']') : strchr(text, ':');
    const char *start = text + bracketed;
    if (end == NULL || end[bracketed] != ':' || (size_t)(end - start) >= sizeof address->host) {
        return false;
    }
    memcpy(address->host, start, (size_t)(end - start));
    address->host[end - start] = 0;
    address->is_ipv6 = bracketed;
    struct in6_addr binary;
    return inet_pton(bracketed ? AF_INET6 : AF_INET, address->host, &binary) == 1 &&
           read_port(&address->port, end + bracketed + 1);
}

cuzk_status cuzk_listen_address_parse(listen_address *address, const char *text, cuzk_error *err) {
    static const char scheme[] = "unix://";
    *address = (listen_address){0};
    if (strncmp(text, scheme, sizeof scheme - 1) != 0) {
        return read_ip(address, text) ? CUZK_OK : invalid(text, err);
    }
    const char *path = text + sizeof scheme - 1;
    size_t len = strlen(path);
    if (len == 0 || len > LISTEN_PATH_MAX || path[len - 1] == '/') {
        return invalid(text, err);
    }
    address->is_unix = true;
    memcpy(address->path, path, len + 1);
    return CUZK_OK;
}

static cuzk_status refused(const char *path, const char *what, cuzk_error *err) {
    cuzk_fail(err, CUZK_E_IO, "%s: %s", what, strerror(errno));
    cuzk_error_at_file(err, path, CUZK_NOWHERE);
    return CUZK_E_IO;
}

static cuzk_status make_parents(const char *path, cuzk_error *err) {
    char part[LISTEN_PATH_MAX + 1];
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = 0;
        if (mkdir(part, 0755) != 0 && errno != EEXIST) {
            return refused(part, "cannot create the directory", err);
        }
    }
    return CUZK_OK;
}

/* 0: somebody answers; else the reason why not. */
static int probe(const char *path) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    memcpy(name.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return errno;
    }
    int failure = connect(fd, (const struct sockaddr *)&name, sizeof name) == 0 ? 0 : errno;
    close(fd);
    return failure == EAGAIN ? 0 : failure; /* its queue is full */
}

cuzk_status cuzk_listen_address_clear(const listen_address *address, cuzk_error *err) {
    const char *path = address->path;
    struct stat st;
    if (lstat(path, &st) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? make_parents(path, err)
                                                   : refused(path, "cannot look at it", err);
    }
    if (!S_ISSOCK(st.st_mode)) {
        cuzk_fail(err, CUZK_E_IO, "exists and is not a socket: not removed");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    errno = probe(path);
    if (errno == 0) {
        cuzk_fail(err, CUZK_E_IO, "another process listens on this socket");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    if (errno != ECONNREFUSED) {
        return refused(path, "cannot tell whether somebody listens on this socket", err);
    }
    return unlink(path) == 0 ? CUZK_OK : refused(path, "cannot remove the stale socket", err);
}
