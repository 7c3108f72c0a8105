/* Datagrams to systemd. */
#include "server/systemd_notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NS_PER_US 1000

bool cuzk_systemd_notify(const char *lines) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = path != NULL ? strlen(path) : 0;
    if (len < 2 || len >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) {
        return false;
    }
    memcpy(address.sun_path, path, len);
    if (path[0] == '@') {
        address.sun_path[0] = 0; /* a name without a file */
    }
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    socklen_t address_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    ssize_t n =
        sendto(fd, lines, strlen(lines), MSG_NOSIGNAL, (struct sockaddr *)&address, address_len);
    close(fd);
    return n == (ssize_t)strlen(lines);
}

/* A number of an environment variable; 0: none. */
static uint64_t number_of(const char *name) {
    const char *text = getenv(name);
    return text != NULL && strspn(text, "0123456789") == strlen(text) ? strtoull(text, NULL, 10)
                                                                      : 0;
}

uint64_t cuzk_systemd_watchdog_ns(void) {
    uint64_t pid = number_of("WATCHDOG_PID"), us = number_of("WATCHDOG_USEC");
    if (us > UINT64_MAX / NS_PER_US || (pid != 0 && pid != (uint64_t)getpid())) {
        return 0;
    }
    return us * NS_PER_US / 2;
}
