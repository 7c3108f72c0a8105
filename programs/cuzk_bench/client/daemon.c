#include "cuzk_bench/client/daemon.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/common.h"

static atomic_bool stop_wanted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    atomic_store(&stop_wanted, true);
}

void watch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) { return atomic_load(&stop_wanted); }

double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void sleep_ms(uint64_t ms) {
    while (ms > 0 && !interrupted()) {
        const uint64_t step = ms < 100 ? ms : 100;
        const struct timespec t = {.tv_nsec = (long)step * 1000000};
        nanosleep(&t, NULL);
        ms -= step;
    }
}

/* ---- connections ---- */

static void set_log_level(const char *level) {
    const char *verbosity = strcmp(level, "trace") == 0 || strcmp(level, "debug") == 0 ? "DEBUG"
                            : strcmp(level, "off") == 0                                ? "NONE"
                                                                                       : "ERROR";
    setenv("GRPC_VERBOSITY", verbosity, 0);
}

cuzk_client *open_daemon(const global_options *g, int *code) {
    const client_tls tls = {.ca = g->tls_ca, .certificate = g->tls_certificate, .key = g->tls_key};
    cuzk_client *client;
    cuzk_error err;
    set_log_level(g->log_level);
    if (cuzk_client_open(&client, g->address, &tls, &err) != CUZK_OK) {
        *code = report_error(&err);
        return NULL;
    }
    return client;
}

int report_fault(const global_options *g, const client_reply *reply) {
    progress_bar_end();
    if (interrupted()) {
        fprintf(stderr, "cuzk: interrupted\n");
        return EXIT_NOT_VALID;
    }
    fprintf(stderr, "cuzk: %s: %s: %s\n", g->address, cuzk_client_code_name(reply->code),
            reply->text[0] != '\0' ? reply->text : "no text");
    switch (reply->code) {
    case CLIENT_INVALID_ARGUMENT:
    case CLIENT_NOT_FOUND:
        return EXIT_BAD_INPUT;
    case CLIENT_UNAVAILABLE:
    case CLIENT_RESOURCE_EXHAUSTED:
        return EXIT_RESOURCES;
    default:
        return EXIT_NOT_VALID;
    }
}

/* ---- calls ---- */

/* How long a call has been waited for, on a terminal. */
typedef struct wait_display {
    double start_s;
    bool drawn;
} wait_display;

static void draw_wait(void *arg) {
    wait_display *w = arg;
    fprintf(stderr, "\rwaiting for the daemon: %.0f s ", now_s() - w->start_s);
    fflush(stderr);
    w->drawn = true;
}

void call_daemon(cuzk_client *client, const global_options *g, client_reply *reply,
                 const char *method, const client_piece *pieces, size_t n_pieces, bool drawn) {
    char path[96];
    snprintf(path, sizeof path, "/cuzk.v1.ProvingEngine/%s", method);
    wait_display display = {.start_s = now_s()};
    const client_call call = {.method = path,
                              .pieces = pieces,
                              .n_pieces = n_pieces,
                              .timeout_ms = g->timeout_ms,
                              .cancel = &stop_wanted,
                              .waiting = drawn && isatty(STDERR_FILENO) ? draw_wait : NULL,
                              .waiting_arg = &display};
    cuzk_client_call(client, reply, &call);
    if (display.drawn) {
        fprintf(stderr, "\r%*s\r", 40, "");
    }
}

void *reply_message(client_reply *reply, const ProtobufCMessageDescriptor *type) {
    if (reply->code != 0) {
        return NULL;
    }
    void *message = protobuf_c_message_unpack(type, NULL, reply->len_bytes, reply->data);
    if (message == NULL) {
        reply->code = CLIENT_INTERNAL;
        snprintf(reply->text, sizeof reply->text, "the reply is no %s", type->name);
    }
    return message;
}

void free_message(void *message) {
    if (message != NULL) {
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

void *ask_daemon(const global_options *g, int *code, const char *method,
                 const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type) {
    cuzk_client *client = open_daemon(g, code);
    if (client == NULL) {
        return NULL;
    }
    client_piece piece = {.len_bytes = protobuf_c_message_get_packed_size(request)};
    uint8_t *packed = malloc(piece.len_bytes + 1);
    if (packed == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        exit(EXIT_RESOURCES);
    }
    protobuf_c_message_pack(request, packed);
    piece.data = packed;
    client_reply reply;
    call_daemon(client, g, &reply, method, &piece, 1, true);
    void *message = reply_message(&reply, type);
    if (message == NULL) {
        *code = report_fault(g, &reply);
    }
    free(reply.data);
    if (cuzk_client_close(client)) {
        free(packed);
    }
    return message;
}
