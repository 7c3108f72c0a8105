/* What the daemon shows over HTTP/1.1: /status, /metrics, /healthz, and the page at / with its two
 * files. One request a connection; nothing can be changed through it. */
#ifndef CUZK_SERVER_HTTP_STATUS_H
#define CUZK_SERVER_HTTP_STATUS_H

#include "base/status.h"

/* Where answers come from; called from the server's thread, one call at a time. The texts are
 * allocated; the server frees them. */
typedef struct http_source {
    cuzk_status (*status)(void *arg, char **text, size_t *len_bytes, cuzk_error *err);
    cuzk_status (*metrics)(void *arg, char **text, size_t *len_bytes, cuzk_error *err);
    bool (*is_serving)(void *arg); /* /healthz: 200, or 503 while it drains */
    void *arg;
} http_source;

#define HTTP_HEADER_BYTES_MAX 8192 /* of a request: line and headers */
#define HTTP_CONNECTIONS_MAX 64
#define HTTP_TIMEOUT_S 5

/* ---- one answer ---- */

typedef struct http_answer {
    unsigned code;
    const char *content_type;
    const char *body;
    size_t len_bytes;
    char *allocated; /* to be freed, or NULL */
} http_answer;
/* path: without what follows a question mark. Always has an answer: 404 for an unknown path, 405
 * for another method than GET, 500 with the reason as JSON if the source fails. */
void cuzk_http_answer(http_answer *answer, const http_source *source, const char *method,
                      const char *path);
void cuzk_http_answer_clear(http_answer *answer);

/* ---- the server ---- */

typedef struct http_status http_status;

/* Serves on listen, "IP:PORT" or "[IPv6]:PORT" (port 0: any), from a thread of its own. NULL: on
 * nothing but what cuzk_http_status_serve hands over, in its caller's thread. source is kept until
 * close. Fails: CUZK_E_INPUT ("invalid listen address: X"), CUZK_E_IO, CUZK_E_NO_MEMORY. */
cuzk_status cuzk_http_status_open(http_status **server, const char *listen,
                                  const http_source *source, cuzk_error *err);
void cuzk_http_status_close(http_status *server); /* accepts NULL */
unsigned cuzk_http_status_port(const http_status *server);

/* Answers what can be read from a connected stream socket; returns when the connection is over, at
 * the latest when the other end has said all and got its answer. Takes fd. */
void cuzk_http_status_serve(http_status *server, int fd);

#endif
