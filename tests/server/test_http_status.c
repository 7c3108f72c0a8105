/* LABELS: tsan */
/* What HTTP answers, to whole requests over a pair of sockets and over TCP. */
#include "server/http_status.h"

#include <arpa/inet.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/support.h"

typedef struct made_up {
    bool fails, serving;
    atomic_uint n_calls;
} made_up;

static cuzk_status say(made_up *m, const char *what, char **text, size_t *len, cuzk_error *err) {
    atomic_fetch_add(&m->n_calls, 1);
    if (m->fails) {
        *text = NULL;
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no \"%s\" today", what);
    }
    *text = strdup(what);
    *len = strlen(what);
    return CUZK_OK;
}
static cuzk_status say_status(void *arg, char **text, size_t *len, cuzk_error *err) {
    return say(arg, "{\"uptime_secs\":1}", text, len, err);
}
static cuzk_status say_metrics(void *arg, char **text, size_t *len, cuzk_error *err) {
    return say(arg, "cuzk_up 1\n", text, len, err);
}
static bool is_serving(void *arg) { return ((made_up *)arg)->serving; }

static made_up fake;
static const http_source source = {say_status, say_metrics, is_serving, &fake};

/* As much as the socket takes, which is more than the server reads. */
static void write_some(int fd, const char *data, size_t len) {
    (void)!send(fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* All that comes, zero-terminated. */
static char *read_all(int fd) {
    size_t len = 0, room = 1 << 20;
    char *text = malloc(room);
    assert_non_null(text);
    for (ssize_t n; len < room - 1 && (n = read(fd, text + len, room - 1 - len)) > 0;) {
        len += (size_t)n;
    }
    text[len] = 0;
    return text;
}

/* The answer to a request; free it. */
static char *ask(http_status *server, const char *request, size_t len) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    write_some(ends[0], request, len);
    shutdown(ends[0], SHUT_WR);
    cuzk_http_status_serve(server, ends[1]);
    char *answer = read_all(ends[0]);
    close(ends[0]);
    return answer;
}

static void expect(http_status *server, const char *request, const char *first, const char *header,
                   const char *body) {
    char *answer = ask(server, request, strlen(request));
    const char *end = strstr(answer, "\r\n\r\n");
    if (strncmp(answer, first, strlen(first)) != 0 || strstr(answer, header) == NULL ||
        end == NULL || (body != NULL && strcmp(end + 4, body) != 0)) {
        fail_msg("%s\ngot\n%s", request, answer);
    }
    assert_non_null(strstr(answer, "\r\nConnection: close\r\n"));
    assert_non_null(strstr(answer, "\r\nAccess-Control-Allow-Origin: *\r\n"));
    assert_non_null(strstr(answer, "\r\nContent-Length: "));
    free(answer);
}

static void test_answers(void **state) {
    (void)state;
    http_status *server;
    fake.serving = true;
    assert_int_equal(cuzk_http_status_open(&server, NULL, &source, NULL), CUZK_OK);
    static const char status[] = "{\"uptime_secs\":1}";
    static const char ok[] = "HTTP/1.1 200 ";
    expect(server, "GET /status HTTP/1.1\r\nHost: a\r\n\r\n", ok,
           "Content-Type: application/json\r\n", status);
    expect(server, "GET /status?x=1&y HTTP/1.1\r\nHost: a\r\n\r\n", ok, "json", status);
    expect(server, "GET /status HTTP/1.0\r\n\r\n", "HTTP/1.", "200 ", status);
    expect(server, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", ok, "text/plain; version=0.0.4",
           "cuzk_up 1\n");
    expect(server, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", ok, "text/plain", "ok\n");
    expect(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", ok, "text/html", NULL);
    expect(server, "GET /dashboard.css HTTP/1.1\r\nHost: a\r\n\r\n", ok, "text/css", NULL);
    expect(server, "GET /dashboard.js HTTP/1.1\r\nHost: a\r\n\r\n", ok, "text/javascript", NULL);
    static const char *const unknown[] = {"/x",        "/status/", "/statusx",
                                          "/%73tatus", "//",       "/../etc/passwd"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        char request[100];
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", unknown[i]);
        expect(server, request, "HTTP/1.1 404 ", "text/plain", "404 Not Found\n");
    }
    static const char *const methods[] = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char request[200];
        snprintf(request, sizeof request,
                 "%s /status HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", methods[i]);
        expect(server, request, "HTTP/1.1 405 ", "Allow: GET\r\n", "405 Method Not Allowed\n");
    }
    cuzk_http_status_close(server);
}

static void test_failures(void **state) {
    (void)state;
    http_status *server;
    assert_int_equal(cuzk_http_status_open(&server, NULL, &source, NULL), CUZK_OK);
    fake.serving = false;
    expect(server, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 503 ", "text/plain",
           "draining\n");
    fake.fails = true;
    expect(server, "GET /status HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 500 ", "application/json",
           "{\"error\":\"no \\\"{\\\"uptime_secs\\\":1}\\\" today\"}");
    expect(server, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 500 ", "application/json",
           NULL);
    fake.fails = false;
    cuzk_http_status_close(server);
}

/* Headers up to 8 KiB are read, more is refused, rubbish gets nothing or an error. */
static void test_limits(void **state) {
    (void)state;
    http_status *server;
    enum { BIG = 1 << 18 };
    char *request = malloc(BIG);
    assert_non_null(request);
    assert_int_equal(cuzk_http_status_open(&server, NULL, &source, NULL), CUZK_OK);
    for (size_t len = 7 << 10; len < BIG; len *= 2) {
        int n = sprintf(request, "GET /status HTTP/1.1\r\nHost: a\r\nX: ");
        memset(request + n, 'x', len - (size_t)n);
        memcpy(request + len - 4, "\r\n\r\n", 4);
        char *answer = ask(server, request, len);
        const char *want = len <= HTTP_HEADER_BYTES_MAX ? "HTTP/1.1 200 " : "HTTP/1.1 4";
        if (strncmp(answer, want, strlen(want)) != 0) {
            fail_msg("%zu bytes: %.100s", len, answer);
        }
        free(answer);
    }
    static const char *const rubbish[] = {"",
                                          "\r\n\r\n",
                                          "GET",
                                          "GET /status",
                                          "GET /status HTTP/1.1\r\nHost: a\r\n",
                                          "\x16\x03\x01\x02",
                                          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"};
    unsigned before = atomic_load(&fake.n_calls);
    for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
        char *answer = ask(server, rubbish[i], strlen(rubbish[i]));
        assert_true(strncmp(answer, "HTTP/1.1 200", 12) != 0);
        free(answer);
    }
    assert_int_equal(atomic_load(&fake.n_calls), before);
    cuzk_http_status_close(server);
    free(request);
}

static void test_listening(void **state) {
    (void)state;
    http_status *server, *second;
    cuzk_error err;
    char listen[40];
    assert_int_equal(cuzk_http_status_open(&server, "127.0.0.1:0", &source, &err), CUZK_OK);
    unsigned port = cuzk_http_status_port(server);
    assert_true(port != 0);
    snprintf(listen, sizeof listen, "127.0.0.1:%u", port);
    assert_int_equal(cuzk_http_status_open(&second, listen, &source, &err), CUZK_E_IO);
    assert_null(second);
    assert_non_null(strstr(err.text, listen));
    for (int i = 0; i < 100; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        const struct sockaddr_in address = {.sin_family = AF_INET,
                                            .sin_port = htons((uint16_t)port),
                                            .sin_addr = {htonl(INADDR_LOOPBACK)}};
        assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
        static const char request[] = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
        write_some(fd, request, strlen(request));
        char *answer = read_all(fd);
        assert_non_null(strstr(answer, "\r\n\r\ncuzk_up 1\n"));
        free(answer);
        close(fd);
    }
    cuzk_http_status_close(server);
    static const char *const bad[] = {"",       "localhost:1",       "127.0.0.1", "127.0.0.1:x",
                                      "::1:80", "unix:///tmp/x.sock"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cuzk_http_status_open(&server, bad[i], &source, &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "invalid listen address: "));
    }
    cuzk_http_status_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_listening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
