/* The addresses that clients are given, in gRPC's spelling. */
#ifndef CUZK_SERVER_CLIENT_ADDRESS_H
#define CUZK_SERVER_CLIENT_ADDRESS_H

#include "base/status.h"

/* target gets what gRPC resolves, room bytes long; *wants_tls whether the address says so.
 *   http://h:p, https://h:p      dns:///h:p
 *   h:p                          dns:///h:p
 *   unix:/path, unix:///path     the same
 *   dns:///h:p, ipv4:, ipv6:     the same
 *   passthrough:///h:p           dns:///h:p
 * Fails: CUZK_E_INPUT for other schemes, a missing host, port or path, a path after a port. */
cuzk_status cuzk_client_target(char *target, size_t room, bool *wants_tls, const char *address,
                               cuzk_error *err);

#endif
