/* Answers, and libmicrohttpd around them. */
#include "server/http_status.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "codec/json_writer.h"
#include "server/dashboard_files.h"
#include "server/listen_address.h"

#define BACKLOG 64
/* libmicrohttpd keeps line, headers and its own answer's headers in this much a connection. */
#define CONNECTION_BYTES (3 * HTTP_HEADER_BYTES_MAX)

struct http_status {
    struct MHD_Daemon *daemon;
    const http_source *source;
    unsigned port;
};

/* ---- answers ---- */

static const char text_plain[] = "text/plain; charset=utf-8";
static const char json[] = "application/json";

static void answer_text(http_answer *a, unsigned code, const char *text) {
    *a = (http_answer){
        .code = code, .content_type = text_plain, .body = text, .len_bytes = strlen(text)};
}

static void answer_allocated(http_answer *a, const char *content_type, char *text, size_t len) {
    *a = (http_answer){.code = MHD_HTTP_OK,
                       .content_type = content_type,
                       .body = text,
                       .len_bytes = len,
                       .allocated = text};
}

static void answer_failure(http_answer *a, const cuzk_error *err) {
    json_writer w = {0};
    char *text;
    size_t len;
    cuzk_json_begin_object(&w, NULL);
    cuzk_json_put_text(&w, "error", err->text);
    cuzk_json_end(&w);
    if (cuzk_json_finish(&w, &text, &len, NULL) == CUZK_OK) {
        answer_allocated(a, json, text, len);
    } else {
        answer_text(a, MHD_HTTP_OK, "{\"error\":\"no memory\"}");
        a->content_type = json;
    }
    a->code = MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static void answer_from(http_answer *a, const http_source *source,
                        cuzk_status (*make)(void *, char **, size_t *, cuzk_error *),
                        const char *content_type) {
    char *text;
    size_t len;
    cuzk_error err;
    if (make(source->arg, &text, &len, &err) == CUZK_OK) {
        answer_allocated(a, content_type, text, len);
    } else {
        answer_failure(a, &err);
    }
}

static void answer_status(http_answer *a, const http_source *source) {
    answer_from(a, source, source->status, json);
}

static void answer_metrics(http_answer *a, const http_source *source) {
    answer_from(a, source, source->metrics, "text/plain; version=0.0.4; charset=utf-8");
}

static void answer_health(http_answer *a, const http_source *source) {
    if (source->is_serving(source->arg)) {
        answer_text(a, MHD_HTTP_OK, "ok\n");
    } else {
        answer_text(a, MHD_HTTP_SERVICE_UNAVAILABLE, "draining\n");
    }
}

static const struct {
    const char *path;
    void (*answer)(http_answer *a, const http_source *source);
} documents[] = {
    {"/status", answer_status}, {"/metrics", answer_metrics}, {"/healthz", answer_health}};

/* false: no such path. */
static bool answer_get(http_answer *a, const http_source *source, const char *path) {
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        if (strcmp(documents[i].path, path) == 0) {
            if (source != NULL) {
                documents[i].answer(a, source);
            }
            return true;
        }
    }
    for (size_t i = 0; i < cuzk_dashboard_n_files; i++) {
        const dashboard_file *f = &cuzk_dashboard_files[i];
        if (strcmp(f->path, path) == 0) {
            *a = (http_answer){.code = MHD_HTTP_OK,
                               .content_type = f->content_type,
                               .body = (const char *)f->data,
                               .len_bytes = f->len_bytes};
            return true;
        }
    }
    return false;
}

void cuzk_http_answer(http_answer *answer, const http_source *source, const char *method,
                      const char *path) {
    bool is_get = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
    if (!answer_get(answer, is_get ? source : NULL, path)) {
        answer_text(answer, MHD_HTTP_NOT_FOUND, "404 Not Found\n");
    } else if (!is_get) {
        answer_text(answer, MHD_HTTP_METHOD_NOT_ALLOWED, "405 Method Not Allowed\n");
    }
}

void cuzk_http_answer_clear(http_answer *answer) {
    free(answer->allocated);
    *answer = (http_answer){0};
}

/* ---- libmicrohttpd ---- */

static const char *const headers_of_all[][2] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Cache-Control", "no-store"},
    {"Connection", "close"},
    {"Content-Security-Policy", "default-src 'self'; img-src data:"},
    {"X-Content-Type-Options", "nosniff"},
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, http_answer *a) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        a->len_bytes, (void *)(uintptr_t)a->body,
        a->allocated != NULL ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        cuzk_http_answer_clear(a);
        return MHD_NO;
    }
    a->allocated = NULL; /* the response's now */
    enum MHD_Result good = MHD_add_response_header(response, "Content-Type", a->content_type);
    for (size_t i = 0; i < sizeof headers_of_all / sizeof headers_of_all[0]; i++) {
        good = good == MHD_YES
                   ? MHD_add_response_header(response, headers_of_all[i][0], headers_of_all[i][1])
                   : MHD_NO;
    }
    if (a->code == MHD_HTTP_METHOD_NOT_ALLOWED && good == MHD_YES) {
        good = MHD_add_response_header(response, "Allow", "GET");
    }
    if (good == MHD_YES) {
        good = MHD_queue_response(connection, a->code, response);
    }
    MHD_destroy_response(response);
    return good;
}

static bool headers_too_large(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info != NULL && info->header_size > HTTP_HEADER_BYTES_MAX;
}

/* At the end of the headers; a body is not read. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_len, void **state) {
    const http_status *server = arg;
    http_answer answer;
    (void)version, (void)upload, (void)upload_len, (void)state;
    if (headers_too_large(connection)) {
        answer_text(&answer, MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "431 Request Header Fields Too Large\n");
    } else {
        cuzk_http_answer(&answer, server->source, method, path);
    }
    return send_answer(connection, &answer);
}

/* Paths are compared as they are written: nothing here needs escapes. */
static size_t keep_escapes(void *arg, struct MHD_Connection *connection, char *text) {
    (void)arg, (void)connection;
    return strlen(text);
}

static void say_nothing(void *arg, const char *format, va_list args) {
    (void)arg, (void)format, (void)args;
}

static unsigned port_of(int fd) {
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &len);
    /* the port stands at the same place in both families */
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

/* fills in an address of the system; returns its length */
static socklen_t system_address(struct sockaddr_storage *out, const listen_address *address) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    *out = (struct sockaddr_storage){0};
    if (address->is_ipv6) {
        *v6 = (struct sockaddr_in6){.sin6_family = AF_INET6,
                                    .sin6_port = htons((uint16_t)address->port)};
        CUZK_ASSERT(inet_pton(AF_INET6, address->host, &v6->sin6_addr) == 1);
        return sizeof *v6;
    }
    *v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)address->port)};
    CUZK_ASSERT(inet_pton(AF_INET, address->host, &v4->sin_addr) == 1);
    return sizeof *v4;
}

static cuzk_status listen_on(int *fd, const char *text, cuzk_error *err) {
    listen_address address;
    cuzk_status status = cuzk_listen_address_parse(&address, text, err);
    if (status == CUZK_OK && address.is_unix) {
        status = cuzk_fail(err, CUZK_E_INPUT, "invalid listen address: %s: want IP:PORT", text);
    }
    if (status != CUZK_OK) {
        return status;
    }
    const int on = 1;
    struct sockaddr_storage where;
    socklen_t len = system_address(&where, &address);
    *fd = socket(where.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0 || setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(*fd, (struct sockaddr *)&where, len) != 0 || listen(*fd, BACKLOG) != 0) {
        status = cuzk_fail(err, CUZK_E_IO, "%s: %s", text, strerror(errno));
        if (*fd >= 0) {
            close(*fd);
        }
    }
    return status;
}

static struct MHD_Daemon *start(http_status *server, unsigned flags, int fd) {
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_CONNECTION_LIMIT, HTTP_CONNECTIONS_MAX, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, HTTP_TIMEOUT_S, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escapes, NULL},
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)say_nothing, NULL},
        {fd >= 0 ? MHD_OPTION_LISTEN_SOCKET : MHD_OPTION_END, fd, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(flags, 0, NULL, NULL, on_request, server, MHD_OPTION_ARRAY, options,
                            MHD_OPTION_END);
}

cuzk_status cuzk_http_status_open(http_status **server, const char *listen,
                                  const http_source *source, cuzk_error *err) {
    int fd = -1;
    *server = NULL;
    cuzk_status status = listen != NULL ? listen_on(&fd, listen, err) : CUZK_OK;
    if (status != CUZK_OK) {
        return status;
    }
    http_status *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->source = source;
        s->port = fd >= 0 ? port_of(fd) : 0;
        s->daemon = start(
            s, fd >= 0 ? MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO : MHD_USE_NO_LISTEN_SOCKET,
            fd);
    }
    if (s == NULL || s->daemon == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        free(s);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "cannot start the HTTP server");
    }
    *server = s;
    return CUZK_OK;
}

void cuzk_http_status_close(http_status *server) {
    if (server != NULL) {
        MHD_stop_daemon(server->daemon);
        free(server);
    }
}

unsigned cuzk_http_status_port(const http_status *server) { return server->port; }

/* Connections that libmicrohttpd has. */
static unsigned n_connections(const http_status *server) {
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info != NULL ? info->num_connections : 0;
}

void cuzk_http_status_serve(http_status *server, int fd) {
    struct sockaddr_in nobody = {.sin_family = AF_INET};
    if (MHD_add_connection(server->daemon, fd, (struct sockaddr *)&nobody, sizeof nobody) !=
        MHD_YES) {
        return; /* it has closed fd */
    }
    do {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        poll(&ready, 1, 1);
        MHD_run(server->daemon);
    } while (n_connections(server) > 0);
}
