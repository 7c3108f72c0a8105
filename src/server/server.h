/* The gRPC side of a daemon, made and unmade as a whole: a listener with the proving, health and
 * reflection services in front of one prover. */
#ifndef CUZK_SERVER_SERVER_H
#define CUZK_SERVER_SERVER_H

#include "engine/service.h"
#include "server/proving_service.h"

/* Above what the widest client sends (256 MiB), with room for the other fields. */
#define SERVER_MESSAGE_BYTES ((size_t)(256u << 20) + (64u << 10))

/* Strings are borrowed for the call of open.
 *   listen             "unix://PATH" or "IP:port"
 *   socket_mode        of a unix socket
 *   max_message_bytes  1 MiB to 2 GiB - 1
 *   receive_timeout_ns how long a large message may be on its way while others wait to send
 *                      theirs; then its call ends with DEADLINE_EXCEEDED. 0: no limit
 *   max_calls          open calls of all clients; more end with RESOURCE_EXHAUSTED at once
 *   tls_certificate    PEM files; both NULL: no TLS
 *   tls_key
 *   tls_client_ca      PEM file: clients must show a certificate of it; NULL: they need not */
typedef struct server_options {
    const char *listen;
    unsigned socket_mode;
    size_t max_message_bytes;
    uint64_t receive_timeout_ns;
    unsigned max_calls;
    const char *tls_certificate, *tls_key, *tls_client_ca;
} server_options;

/* No TLS, mode 0660, SERVER_MESSAGE_BYTES, 30 s, 8192 calls; `listen` is to be set. */
void cuzk_server_options_init(server_options *options);

typedef struct server server;

/* Starts threads and listens. Fails: CUZK_E_INPUT ("invalid listen address: X", options), CUZK_E_IO
 * (the address is taken, or a regular file; a PEM file), CUZK_E_NO_MEMORY. */
cuzk_status cuzk_server_open(server **s, const server_options *options, service *prover,
                             cuzk_error *err);
/* The same in front of anything. */
cuzk_status cuzk_server_open_on(server **s, const server_options *options,
                                const proving_backing *backing, cuzk_error *err);
/* "unix://PATH" or "IP:port", with the port that was found if the options' was 0. */
const char *cuzk_server_address(const server *s);
/* No new calls, clients are told to go elsewhere, a unix socket is removed; open calls go on.
 * Returns at once. Then drain the prover, whose jobs' ends are replies, and close. */
void cuzk_server_refuse(server *s);
/* Waits a moment for replies under way to leave, cuts the rest off. Before the prover is destroyed.
 * Accepts NULL. */
void cuzk_server_close(server *s);

/* Bytes of requests that a budget of total_bytes sets apart (budget_options.request_bytes): 5 %, at
 * least what one longest request takes, at most 16 times that, never more than a quarter. */
size_t cuzk_server_request_bytes(size_t total_bytes, size_t max_message_bytes);

#endif
