/* A client of the daemon's service: blocking unary calls over gRPC C-core. It moves bytes; what
 * they mean is the caller's. */
#ifndef CUZK_SERVER_CLIENT_H
#define CUZK_SERVER_CLIENT_H

#include <stdatomic.h>

#include <cuzk.h>

/* Files with PEM texts; NULL: none. */
typedef struct client_tls {
    const char *ca;                /* whom to trust */
    const char *certificate, *key; /* who we are; both or none */
} client_tls;

/* One connection. Calls may run on it at once, from different threads. */
typedef struct cuzk_client cuzk_client;

/* `address` is "http://host:port", "https://host:port" (TLS), "unix:///path", "unix:path",
 * "dns:///host:port" or "host:port"; any file in `tls` (NULL: none) asks for TLS too. Nothing is
 * connected before the first call. Proxies that the environment names are not used.
 * Fails: CUZK_E_INPUT (another address, a file of `tls`), CUZK_E_NO_MEMORY. */
cuzk_status cuzk_client_open(cuzk_client **client, const char *address, const client_tls *tls,
                             cuzk_error *err);
/* No call may be running. Accepts NULL. true: no message of this client is looked at any more.
 * false: a peer that reads nothing holds what a call that was given up was sending, and did not let
 * go within seconds: the bytes of such a call must stay for as long as the process runs. */
bool cuzk_client_close(cuzk_client *client);

/* A stretch of a message. */
typedef struct client_piece {
    const void *data;
    size_t len_bytes;
} client_piece;

typedef struct client_call {
    const char *method;         /* "/cuzk.v1.ProvingEngine/Prove" */
    const client_piece *pieces; /* the message is one after the other; their bytes are sent from
                                 * where they lie and are borrowed until cuzk_client_close
                                 * has returned true */
    size_t n_pieces;
    uint64_t timeout_ms;        /* 0: none */
    const atomic_bool *cancel;  /* NULL, or looked at while waiting, ten times a second */
    void (*waiting)(void *arg); /* NULL, or called as often */
    void *waiting_arg;
} client_call;

/* Number 0 is success; the others are gRPC's. */
typedef struct client_reply {
    unsigned code;
    char text[1024]; /* the other side's, or why there is none; one line */
    uint8_t *data;   /* the message; NULL unless code is 0, or if it is empty */
    size_t len_bytes;
} client_reply;

/* "UNAVAILABLE" and so on; never NULL. */
const char *cuzk_client_code_name(unsigned code);

enum {
    CLIENT_INVALID_ARGUMENT = 3,
    CLIENT_NOT_FOUND = 5,
    CLIENT_RESOURCE_EXHAUSTED = 8,
    CLIENT_INTERNAL = 13,
    CLIENT_UNAVAILABLE = 14
};

/* One call from start to end; messages of any size. What went wrong is in the reply, `reply.data`
 * goes to free(). */
void cuzk_client_call(cuzk_client *client, client_reply *reply, const client_call *call);

#endif
