#include "server/client.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>
#include <grpc/support/time.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/status.h"
#include "server/client_address.h"

#define TICK_MS 100
#define CLOSE_WAIT_S 2
#define SHORT_BYTES 64 /* below that, a copy is cheaper than keeping track of who reads it */

struct cuzk_client {
    grpc_channel *channel;
    pthread_mutex_t lock;
    pthread_cond_t returned;
    size_t n_lent; /* stretches of messages that gRPC may still read */
};

/* ---- opening ---- */

/* A whole file as a string; NULL for no file. */
static cuzk_status read_pem(char **pem, const char *path, cuzk_error *err) {
    *pem = NULL;
    if (path == NULL) {
        return CUZK_OK;
    }
    cuzk_map map;
    cuzk_error fault;
    if (cuzk_map_open(&map, path, &fault) != CUZK_OK) {
        return cuzk_fail(err, CUZK_E_INPUT, "%s", fault.text);
    }
    *pem = calloc(1, map.len_bytes + 1);
    if (*pem != NULL && map.len_bytes > 0) {
        memcpy(*pem, map.data, map.len_bytes);
    }
    cuzk_map_close(&map);
    return *pem != NULL ? CUZK_OK : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory");
}

static cuzk_status make_credentials(grpc_channel_credentials **credentials, const client_tls *tls,
                                    cuzk_error *err) {
    char *ca = NULL;
    char *certificate = NULL;
    char *key = NULL;
    *credentials = NULL;
    if ((tls->certificate == NULL) != (tls->key == NULL)) {
        return cuzk_fail(err, CUZK_E_INPUT, "a certificate and its key go together");
    }
    cuzk_status status = read_pem(&ca, tls->ca, err);
    if (status == CUZK_OK) {
        status = read_pem(&certificate, tls->certificate, err);
    }
    if (status == CUZK_OK) {
        status = read_pem(&key, tls->key, err);
    }
    if (status == CUZK_OK) {
        grpc_ssl_pem_key_cert_pair pair = {.private_key = key, .cert_chain = certificate};
        *credentials = grpc_ssl_credentials_create(ca, key != NULL ? &pair : NULL, NULL, NULL);
        if (*credentials == NULL) {
            status = cuzk_fail(err, CUZK_E_INPUT, "TLS: the certificates are not usable");
        }
    }
    free(ca);
    free(certificate);
    free(key);
    return status;
}

/* Each client has a connection of its own, which takes messages of any size. */
static grpc_channel *make_channel(const char *target, grpc_channel_credentials *credentials) {
    grpc_arg args[] = {
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)GRPC_ARG_MAX_SEND_MESSAGE_LENGTH,
         .value.integer = -1},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
         .value.integer = -1},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
         .value.integer = 1},
        {.type = GRPC_ARG_INTEGER, .key = (char *)GRPC_ARG_ENABLE_HTTP_PROXY, .value.integer = 0}};
    const grpc_channel_args all = {.num_args = sizeof args / sizeof args[0], .args = args};
    return grpc_channel_create(target, credentials, &all);
}

cuzk_status cuzk_client_open(cuzk_client **client, const char *address, const client_tls *tls,
                             cuzk_error *err) {
    static const client_tls no_tls;
    char target[600];
    bool wants_tls;
    *client = NULL;
    if (tls == NULL) {
        tls = &no_tls;
    }
    cuzk_status status = cuzk_client_target(target, sizeof target, &wants_tls, address, err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_client *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory");
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->returned, NULL);
    grpc_init();
    grpc_channel_credentials *credentials = NULL;
    if (wants_tls || tls->ca != NULL || tls->certificate != NULL || tls->key != NULL) {
        status = make_credentials(&credentials, tls, err);
    } else {
        credentials = grpc_insecure_credentials_create();
    }
    if (status != CUZK_OK) {
        cuzk_client_close(c);
        return status;
    }
    c->channel = make_channel(target, credentials);
    grpc_channel_credentials_release(credentials);
    *client = c;
    return CUZK_OK;
}

/* Whether all stretches came back in time. gRPC closes a connection only after what it has begun to
 * write. */
static bool wait_for_pieces(cuzk_client *client) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += CLOSE_WAIT_S;
    pthread_mutex_lock(&client->lock);
    int fault = 0;
    while (client->n_lent > 0 && fault == 0) {
        fault = pthread_cond_timedwait(&client->returned, &client->lock, &until);
    }
    const bool all = client->n_lent == 0;
    pthread_mutex_unlock(&client->lock);
    return all;
}

bool cuzk_client_close(cuzk_client *client) {
    if (client == NULL) {
        return true;
    }
    if (client->channel != NULL) {
        grpc_channel_destroy(client->channel);
    }
    if (!wait_for_pieces(client)) {
        return false; /* the client stays, for the pieces that come back later */
    }
    grpc_shutdown();
    pthread_cond_destroy(&client->returned);
    pthread_mutex_destroy(&client->lock);
    free(client);
    return true;
}

/* ---- calls ---- */

static void piece_returned(void *arg) {
    cuzk_client *client = arg;
    pthread_mutex_lock(&client->lock);
    if (--client->n_lent == 0) {
        pthread_cond_broadcast(&client->returned);
    }
    pthread_mutex_unlock(&client->lock);
}

/* Lengths on the wire have 32 bits. */
static bool fits(const client_call *call) {
    uint64_t sum = 0;
    for (size_t i = 0; i < call->n_pieces && sum <= UINT32_MAX; i++) {
        sum = call->pieces[i].len_bytes > UINT32_MAX ? UINT64_MAX : sum + call->pieces[i].len_bytes;
    }
    return sum <= UINT32_MAX;
}

static grpc_byte_buffer *make_message(cuzk_client *client, const client_call *call) {
    grpc_slice *slices = calloc(call->n_pieces + 1, sizeof *slices);
    if (slices == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < call->n_pieces; i++) {
        const client_piece *p = &call->pieces[i];
        if (p->len_bytes <= SHORT_BYTES) {
            slices[i] = grpc_slice_from_copied_buffer(p->data, p->len_bytes);
            continue;
        }
        pthread_mutex_lock(&client->lock);
        client->n_lent++;
        pthread_mutex_unlock(&client->lock);
        slices[i] = grpc_slice_new_with_user_data((void *)(uintptr_t)p->data, p->len_bytes,
                                                  piece_returned, client);
    }
    grpc_byte_buffer *message = grpc_raw_byte_buffer_create(slices, call->n_pieces);
    for (size_t i = 0; i < call->n_pieces; i++) {
        grpc_slice_unref(slices[i]);
    }
    free(slices);
    return message;
}

static void set_reply(client_reply *reply, unsigned code, const char *text) {
    reply->code = code;
    size_t n = 0;
    for (; text[n] != '\0' && n + 1 < sizeof reply->text; n++) {
        reply->text[n] = text[n];
        if ((unsigned char)text[n] < ' ') {
            reply->text[n] = ' ';
        }
    }
    reply->text[n] = '\0';
}

static void take_message(client_reply *reply, grpc_byte_buffer *message) {
    grpc_byte_buffer_reader reader;
    const size_t len = grpc_byte_buffer_length(message);
    if (len == 0) {
        return;
    }
    reply->data = malloc(len);
    if (reply->data == NULL || !grpc_byte_buffer_reader_init(&reader, message)) {
        free(reply->data);
        reply->data = NULL;
        set_reply(reply, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the reply");
        return;
    }
    grpc_slice slice;
    while (grpc_byte_buffer_reader_next(&reader, &slice)) {
        memcpy(reply->data + reply->len_bytes, GRPC_SLICE_START_PTR(slice),
               GRPC_SLICE_LENGTH(slice));
        reply->len_bytes += GRPC_SLICE_LENGTH(slice);
        grpc_slice_unref(slice);
    }
    grpc_byte_buffer_reader_destroy(&reader);
}

/* What a call's two batches of operations need and bring. Each has its member as tag. */
typedef struct call_state {
    grpc_call *call;
    grpc_completion_queue *queue;
    grpc_byte_buffer *sent, *received;
    grpc_metadata_array head, trailer;
    grpc_status_code code;
    grpc_slice details;
} call_state;
#define TAG_SENT(s) (&(s)->sent)
#define TAG_ANSWERED(s) (&(s)->code)

static void start(call_state *s) {
    const grpc_op sending[] = {
        {.op = GRPC_OP_SEND_INITIAL_METADATA},
        {.op = GRPC_OP_SEND_MESSAGE, .data.send_message.send_message = s->sent},
        {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT}};
    const grpc_op receiving[] = {
        {.op = GRPC_OP_RECV_INITIAL_METADATA,
         .data.recv_initial_metadata.recv_initial_metadata = &s->head},
        {.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &s->received},
        {.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
         .data.recv_status_on_client = {
             .trailing_metadata = &s->trailer, .status = &s->code, .status_details = &s->details}}};
    grpc_call_error fault = grpc_call_start_batch(
        s->call, sending, sizeof sending / sizeof sending[0], TAG_SENT(s), NULL);
    CUZK_ASSERT(fault == GRPC_CALL_OK); /* only misuse of the interface brings others */
    fault = grpc_call_start_batch(s->call, receiving, sizeof receiving / sizeof receiving[0],
                                  TAG_ANSWERED(s), NULL);
    CUZK_ASSERT(fault == GRPC_CALL_OK);
}

/* Whether the batch ended in time. */
static bool wait_for(call_state *s, void *tag, int64_t ms) {
    const gpr_timespec until =
        gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(ms, GPR_TIMESPAN));
    return grpc_completion_queue_pluck(s->queue, tag, until, NULL).type != GRPC_QUEUE_TIMEOUT;
}

static void wait_for_answer(call_state *s, const client_call *call) {
    bool cancelled = false;
    while (!wait_for(s, TAG_ANSWERED(s), TICK_MS)) {
        if (call->cancel != NULL && atomic_load(call->cancel) && !cancelled) {
            grpc_call_cancel(s->call, NULL);
            cancelled = true;
        }
        if (call->waiting != NULL) {
            call->waiting(call->waiting_arg);
        }
    }
}

static void close_call(call_state *s) {
    grpc_slice_unref(s->details);
    grpc_metadata_array_destroy(&s->head);
    grpc_metadata_array_destroy(&s->trailer);
    if (s->received != NULL) {
        grpc_byte_buffer_destroy(s->received);
    }
    const bool is_sent = wait_for(s, TAG_SENT(s), 1000 * CLOSE_WAIT_S);
    grpc_call_unref(s->call);
    if (is_sent) { /* else its end will be told to a queue that nobody asks */
        grpc_byte_buffer_destroy(s->sent);
        grpc_completion_queue_shutdown(s->queue);
        grpc_completion_queue_destroy(s->queue);
    }
}

static gpr_timespec deadline_of(const client_call *call) {
    const uint64_t most = (uint64_t)1 << 50;
    const uint64_t ms = call->timeout_ms < most ? call->timeout_ms : most;
    return ms == 0 ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                   : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                  gpr_time_from_millis((int64_t)ms, GPR_TIMESPAN));
}

void cuzk_client_call(cuzk_client *client, client_reply *reply, const client_call *call) {
    memset(reply, 0, sizeof *reply);
    if (!fits(call)) {
        set_reply(reply, GRPC_STATUS_RESOURCE_EXHAUSTED, "a request of 4 GiB or more");
        return;
    }
    call_state s = {.sent = make_message(client, call), .details = grpc_empty_slice()};
    if (s.sent == NULL) {
        set_reply(reply, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the request");
        return;
    }
    grpc_metadata_array_init(&s.head);
    grpc_metadata_array_init(&s.trailer);
    s.queue = grpc_completion_queue_create_for_pluck(NULL);
    const grpc_slice method = grpc_slice_from_copied_string(call->method);
    s.call = grpc_channel_create_call(client->channel, NULL, GRPC_PROPAGATE_DEFAULTS, s.queue,
                                      method, NULL, deadline_of(call), NULL);
    grpc_slice_unref(method);
    start(&s);
    wait_for_answer(&s, call);
    char *text = grpc_slice_to_c_string(s.details);
    set_reply(reply, (unsigned)s.code, text);
    gpr_free(text);
    if (s.code == GRPC_STATUS_OK && s.received != NULL) {
        take_message(reply, s.received);
    }
    close_call(&s);
}

const char *cuzk_client_code_name(unsigned code) {
    static const char *const names[] = {"OK",
                                        "CANCELLED",
                                        "UNKNOWN",
                                        "INVALID_ARGUMENT",
                                        "DEADLINE_EXCEEDED",
                                        "NOT_FOUND",
                                        "ALREADY_EXISTS",
                                        "PERMISSION_DENIED",
                                        "RESOURCE_EXHAUSTED",
                                        "FAILED_PRECONDITION",
                                        "ABORTED",
                                        "OUT_OF_RANGE",
                                        "UNIMPLEMENTED",
                                        "INTERNAL",
                                        "UNAVAILABLE",
                                        "DATA_LOSS",
                                        "UNAUTHENTICATED"};
    return code < sizeof names / sizeof names[0] ? names[code] : "UNKNOWN";
}
