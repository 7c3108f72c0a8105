/* One call over gRPC, from its acceptance to its last event.
 *
 * A reference is held for everything asked of gRPC, and one by whoever has to end the call: the
 * transport until a message is there, the service while it handles it. */
#include <grpc/byte_buffer.h>
#include <grpc/slice.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/grpc_internal.h"

static void reply(rpc_call *base, const uint8_t *data, size_t len_bytes);
static void fail(rpc_call *base, rpc_code code, const char *text);
static bool on_gone(rpc_call *base, void (*fn)(void *arg), void *arg);
static const rpc_transport transport = {.reply = reply, .fail = fail, .on_gone = on_gone};

static void release(call *c) {
    if (atomic_fetch_sub(&c->n_refs, 1) != 1) {
        return;
    }
    if (c->grpc != NULL) {
        grpc_call_unref(c->grpc);
    }
    grpc_call_details_destroy(&c->details);
    grpc_metadata_array_destroy(&c->metadata);
    grpc_byte_buffer_destroy(c->incoming);
    grpc_byte_buffer_destroy(c->outgoing);
    pthread_mutex_destroy(&c->mutex);
    rpc_server *s = c->server;
    free(c);
    for (unsigned i = 0; i < RPC_LOOPS; i++) {
        if (atomic_exchange(&s->loops[i].owes_call, false)) {
            cuzk_rpc_call_expect(s, &s->loops[i]);
        }
    }
    cuzk_rpc_count_calls(s, -1);
}

/* Asks gRPC for something, under the call's lock. It refuses only what breaks its rules. */
static void ask(call *c, pending_op *op, const grpc_op *ops, size_t n_ops) {
    atomic_fetch_add(&c->n_refs, 1);
    atomic_store(&op->call, c);
    grpc_call_error error = grpc_call_start_batch(c->grpc, ops, n_ops, op, NULL);
    CUZK_ASSERT(error == GRPC_CALL_OK);
}

/* ---- sending ---- */

static size_t add_metadata(call *c, grpc_op *ops, size_t n) {
    if (!c->metadata_sent) {
        c->metadata_sent = true;
        ops[n++] = (grpc_op){.op = GRPC_OP_SEND_INITIAL_METADATA};
    }
    return n;
}

static size_t add_message(call *c, grpc_op *ops, size_t n, const uint8_t *data, size_t len_bytes) {
    grpc_slice slice = grpc_slice_from_copied_buffer((const char *)data, len_bytes);
    grpc_byte_buffer_destroy(c->outgoing);
    c->outgoing = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    ops[n] = (grpc_op){.op = GRPC_OP_SEND_MESSAGE};
    ops[n].data.send_message.send_message = c->outgoing;
    return n + 1;
}

static size_t add_status(grpc_op *ops, size_t n, int code, grpc_slice *text) {
    ops[n] = (grpc_op){.op = GRPC_OP_SEND_STATUS_FROM_SERVER};
    ops[n].data.send_status_from_server.status = (grpc_status_code)code;
    ops[n].data.send_status_from_server.status_details = text;
    return n + 1;
}

static void end(call *c, int code, const char *text) {
    grpc_op ops[2];
    grpc_slice details = grpc_slice_from_copied_string(text);
    pthread_mutex_lock(&c->mutex);
    CUZK_ASSERT(!c->ended);
    c->ended = true;
    ask(c, &c->sent, ops, add_status(ops, add_metadata(c, ops, 0), code, &details));
    pthread_mutex_unlock(&c->mutex);
    grpc_slice_unref(details);
    release(c);
}

static void reply(rpc_call *base, const uint8_t *data, size_t len_bytes) {
    call *c = (call *)base;
    grpc_op ops[3];
    bool ends = c->method->shape == RPC_UNARY, drops = false;
    pthread_mutex_lock(&c->mutex);
    CUZK_ASSERT(!c->ended);
    size_t n = add_message(c, ops, add_metadata(c, ops, 0), data, len_bytes);
    if (ends) {
        c->ended = true;
        n = add_status(ops, n, GRPC_STATUS_OK, NULL);
    } else if (c->method->shape == RPC_WATCH) {
        drops = c->gone || !cuzk_rpc_queue_watch(c->server, c);
    }
    ask(c, &c->sent, ops, n);
    pthread_mutex_unlock(&c->mutex);
    if (ends) {
        release(c);
    } else if (drops) {
        cuzk_rpc_call_end_watch(c);
    }
}

void cuzk_rpc_call_drop(call *c) { end(c, GRPC_STATUS_CANCELLED, "the client has gone away"); }

void cuzk_rpc_call_end_watch(call *c) {
    end(c, GRPC_STATUS_UNAVAILABLE, "the server is shutting down");
}

static void fail(rpc_call *base, rpc_code code, const char *text) {
    end((call *)base, (int)code, text);
}

static void on_sent(call *c, bool ok) {
    pthread_mutex_lock(&c->mutex);
    bool goes_on = !c->ended && c->method->shape == RPC_CONVERSATION;
    pthread_mutex_unlock(&c->mutex);
    if (goes_on && ok) {
        cuzk_rpc_call_receive(c);
    } else if (goes_on) {
        cuzk_rpc_call_drop(c);
    }
}

/* ---- receiving ---- */

/* Moves the message into memory of its own, giving back each piece as it is copied. */
static cuzk_status take_in(call *c, rpc_bytes *bytes, cuzk_error *err) {
    cuzk_status status = cuzk_rpc_bytes_alloc(bytes, grpc_byte_buffer_length(c->incoming), err);
    if (status == CUZK_OK) {
        grpc_slice_buffer *pieces = &c->incoming->data.raw.slice_buffer;
        size_t at = 0;
        while (pieces->count != 0) {
            grpc_slice piece = grpc_slice_buffer_take_first(pieces);
            size_t len = GRPC_SLICE_LENGTH(piece);
            memcpy(bytes->data + at, GRPC_SLICE_START_PTR(piece), len);
            at += len;
            grpc_slice_unref(piece);
        }
    }
    grpc_byte_buffer_destroy(c->incoming);
    c->incoming = NULL;
    return status;
}

static void handle(call *c) {
    rpc_bytes bytes;
    cuzk_error err;
    if (take_in(c, &bytes, &err) == CUZK_OK) {
        c->method->handle(c->method->arg, &c->base, &bytes);
    } else {
        cuzk_rpc_fail(&c->base, RPC_RESOURCE_EXHAUSTED, "%s", err.text);
    }
}

/* Messages come in thousands of pieces, which the allocator would keep. */
#define TRIM_BYTES ((size_t)16 << 20)

void cuzk_rpc_call_handle_bulk(call *c) {
    size_t len_bytes = grpc_byte_buffer_length(c->incoming);
    atomic_fetch_add(&c->n_refs, 1);
    handle(c);
    cuzk_rpc_free_slot(c->server, c);
    release(c);
    if (len_bytes >= TRIM_BYTES) {
        malloc_trim(0);
    }
}

void cuzk_rpc_call_keep(call *c) { atomic_fetch_add(&c->n_refs, 1); }

/* gRPC then ends the receiving: as if the client had gone. */
void cuzk_rpc_call_cut_off(call *c) {
    cuzk_log(CUZK_LOG_WARN, "rpc", NULL, 0,
             "a sender that takes too long makes way for others that wait");
    grpc_call_cancel_with_status(c->grpc, GRPC_STATUS_DEADLINE_EXCEEDED,
                                 "the message did not come in time, and others wait", NULL);
    release(c);
}

/* No message: the client closed its side, went away, or sent one above the limit; in the last two
 * cases gRPC has ended the call, and what is said here goes nowhere. */
static void end_without_message(call *c) {
    cuzk_rpc_free_slot(c->server, c);
    if (c->method->bulk) {
        cuzk_rpc_trim_soon(c->server);
    }
    if (c->method->shape == RPC_CONVERSATION) {
        end(c, GRPC_STATUS_OK, "");
    } else {
        end(c, GRPC_STATUS_INVALID_ARGUMENT, "the call has no message");
    }
}

static void on_received(call *c, bool ok) {
    if (!ok || c->incoming == NULL) {
        end_without_message(c);
    } else if (c->incoming->data.raw.compression != GRPC_COMPRESS_NONE) {
        cuzk_rpc_free_slot(c->server, c);
        end(c, GRPC_STATUS_UNIMPLEMENTED, "compressed messages are not supported");
    } else if (c->method->bulk) {
        cuzk_rpc_queue_bulk(c->server, c);
    } else if (grpc_byte_buffer_length(c->incoming) > RPC_SMALL_BYTES) {
        end(c, GRPC_STATUS_RESOURCE_EXHAUSTED, "the message is too long for this method");
    } else {
        handle(c);
    }
}

void cuzk_rpc_call_receive(call *c) {
    grpc_op op = {.op = GRPC_OP_RECV_MESSAGE};
    op.data.recv_message.recv_message = &c->incoming;
    pthread_mutex_lock(&c->mutex);
    ask(c, &c->received, &op, 1);
    pthread_mutex_unlock(&c->mutex);
}

/* ---- the client goes ---- */

static bool on_gone(rpc_call *base, void (*fn)(void *arg), void *arg) {
    call *c = (call *)base;
    pthread_mutex_lock(&c->mutex);
    bool here = !c->gone;
    if (here) {
        c->gone_fn = fn;
        c->gone_arg = arg;
    }
    pthread_mutex_unlock(&c->mutex);
    return here;
}

static void on_closed(call *c, bool ok) {
    (void)ok; /* it always is */
    pthread_mutex_lock(&c->mutex);
    if (c->cancelled != 0 && !c->ended) {
        c->gone = true;
        if (c->gone_fn != NULL) {
            c->gone_fn(c->gone_arg);
        }
    }
    bool gone = c->gone;
    pthread_mutex_unlock(&c->mutex);
    if (gone && cuzk_rpc_take_back(c->server, c)) {
        cuzk_rpc_call_drop(c);
    }
}

/* ---- the beginning ---- */

static const rpc_method *find_method(const rpc_server *s, grpc_slice path) {
    for (size_t i = 0; i < s->n_methods; i++) {
        if (grpc_slice_str_cmp(path, s->methods[i].path) == 0) {
            return &s->methods[i];
        }
    }
    return NULL;
}

static void begin(call *c) {
    static const rpc_method unknown = {.shape = RPC_UNARY};
    grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
    op.data.recv_close_on_server.cancelled = &c->cancelled;
    const rpc_method *method = find_method(c->server, c->details.method);
    c->method = method != NULL ? method : &unknown;
    atomic_fetch_add(&c->n_refs, 1); /* to end it */
    pthread_mutex_lock(&c->mutex);
    ask(c, &c->closed, &op, 1);
    pthread_mutex_unlock(&c->mutex);
    if (cuzk_rpc_too_many_calls(c->server)) {
        end(c, GRPC_STATUS_RESOURCE_EXHAUSTED, "too many open calls");
    } else if (method == NULL) {
        end(c, GRPC_STATUS_UNIMPLEMENTED, "unknown method");
    } else if (!method->bulk || cuzk_rpc_take_slot(c->server, c)) {
        cuzk_rpc_call_receive(c);
    }
}

void cuzk_rpc_call_event(pending_op *op, bool ok) {
    call *c = atomic_load(&op->call);
    op->done(c, ok);
    release(c);
}

static void on_accepted(call *c, bool ok) {
    if (ok) {
        cuzk_rpc_call_expect(c->server, c->loop);
        begin(c);
    }
}

void cuzk_rpc_call_expect(rpc_server *s, rpc_loop *loop) {
    call *c = calloc(1, sizeof *c);
    if (c == NULL) {
        cuzk_log(CUZK_LOG_ERROR, "rpc", NULL, 0, "no memory to accept another call");
        atomic_store(&loop->owes_call, true);
        return;
    }
    c->base.transport = &transport;
    c->server = s;
    c->loop = loop;
    c->accepted.done = on_accepted;
    c->closed.done = on_closed;
    c->received.done = on_received;
    c->sent.done = on_sent;
    c->n_refs = 1;
    grpc_call_details_init(&c->details);
    grpc_metadata_array_init(&c->metadata);
    pthread_mutex_init(&c->mutex, NULL);
    cuzk_rpc_count_calls(s, 1);
    atomic_store(&c->accepted.call, c);
    grpc_call_error error = grpc_server_request_call(s->grpc, &c->grpc, &c->details, &c->metadata,
                                                     loop->queue, loop->queue, &c->accepted);
    CUZK_ASSERT(error == GRPC_CALL_OK);
}
