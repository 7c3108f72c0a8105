#include "server/client_address.h"

#include <stdio.h>
#include <string.h>

#define MAX_ADDRESS 500

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* The port behind the last colon, which is not one inside brackets. */
static bool has_port(const char *text, size_t len) {
    size_t digits = 0;
    unsigned long port = 0;
    while (digits < len && text[len - 1 - digits] >= '0' && text[len - 1 - digits] <= '9') {
        digits++;
    }
    for (size_t i = len - digits; i < len && port <= UINT16_MAX; i++) {
        port = 10 * port + (unsigned long)(text[i] - '0');
    }
    const size_t colon = len - digits;
    return digits > 0 && port >= 1 && port <= UINT16_MAX && colon > 1 && text[colon - 1] == ':' &&
           (text[0] != '[' || text[colon - 2] == ']');
}

/* "host:port" or "[v6]:port", perhaps with a slash at its end. */
static cuzk_status host_and_port(char *target, size_t room, const char *text, const char *address,
                                 cuzk_error *err) {
    size_t len = strlen(text);
    if (len > 0 && text[len - 1] == '/') {
        len--;
    }
    if (memchr(text, '/', len) != NULL || !has_port(text, len)) {
        return cuzk_fail(err, CUZK_E_INPUT, "address '%.200s' is not host:port", address);
    }
    snprintf(target, room, "dns:///%.*s", (int)len, text);
    return CUZK_OK;
}

cuzk_status cuzk_client_target(char *target, size_t room, bool *wants_tls, const char *address,
                               cuzk_error *err) {
    static const struct {
        const char *prefix;
        bool tls;
    } hosts[] = {{"http://", false}, {"https://", true}, {"passthrough:///", false}};
    *wants_tls = false;
    if (strlen(address) > MAX_ADDRESS || strlen(address) + sizeof "dns:///" > room) {
        return cuzk_fail(err, CUZK_E_INPUT, "address '%.50s...' is too long", address);
    }
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (starts_with(address, hosts[i].prefix)) {
            *wants_tls = hosts[i].tls;
            return host_and_port(target, room, address + strlen(hosts[i].prefix), address, err);
        }
    }
    if (starts_with(address, "unix:")) {
        const char *path = address + strlen("unix:");
        if (path[0] == '\0' || strcmp(path, "//") == 0 ||
            (starts_with(path, "//") && path[2] != '/')) {
            return cuzk_fail(err, CUZK_E_INPUT,
                             "address '%.200s' names no socket: unix:///path or unix:path",
                             address);
        }
        snprintf(target, room, "%s", address);
        return CUZK_OK;
    }
    if (starts_with(address, "dns:") || starts_with(address, "ipv4:") ||
        starts_with(address, "ipv6:")) {
        snprintf(target, room, "%s", address);
        return CUZK_OK;
    }
    if (strstr(address, "://") != NULL) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "address '%.200s': http://, https:// and unix:// are what there is",
                         address);
    }
    return host_and_port(target, room, address, address, err);
}
