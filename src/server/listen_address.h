/* Where a server listens: a unix socket's path or an address and port in numbers. */
#ifndef CUZK_SERVER_LISTEN_ADDRESS_H
#define CUZK_SERVER_LISTEN_ADDRESS_H

#include "base/status.h"

#define LISTEN_PATH_MAX 107 /* bytes of a unix socket's path */

typedef struct listen_address {
    bool is_unix;
    char path[LISTEN_PATH_MAX + 1]; /* of a unix socket */
    char host[48];                  /* else: without brackets */
    bool is_ipv6;
    unsigned port; /* 0: any that is free */
} listen_address;

/* "unix://PATH", "1.2.3.4:port" or "[::1]:port". Fails: CUZK_E_INPUT ("invalid listen address: X"),
 * also for names of hosts. */
cuzk_status cuzk_listen_address_parse(listen_address *address, const char *text, cuzk_error *err);

/* Makes a unix socket's path free: creates missing directories (mode 0755), removes a socket that
 * nobody answers on. Fails: CUZK_E_IO if somebody does, if there is something else than a socket,
 * or the system refuses. */
cuzk_status cuzk_listen_address_clear(const listen_address *address, cuzk_error *err);

#endif
