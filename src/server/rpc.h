/* Remote calls as services see them, whatever carries them: a request's bytes, a client that may go
 * away, one reply or failure. */
#ifndef CUZK_SERVER_RPC_H
#define CUZK_SERVER_RPC_H

#include "base/memory.h"

/* Numbers as in gRPC. */
typedef enum rpc_code {
    RPC_CANCELLED = 1,
    RPC_INVALID_ARGUMENT = 3,
    RPC_DEADLINE_EXCEEDED = 4,
    RPC_NOT_FOUND = 5,
    RPC_RESOURCE_EXHAUSTED = 8,
    RPC_FAILED_PRECONDITION = 9,
    RPC_UNIMPLEMENTED = 12,
    RPC_INTERNAL = 13,
    RPC_UNAVAILABLE = 14,
    RPC_DATA_LOSS = 15
} rpc_code;

/* ---- bytes of a message, contiguous, in memory of their own ---- */

typedef struct rpc_bytes {
    uint8_t *data; /* NULL: none */
    size_t len_bytes;
    cuzk_block block; /* of long ones */
} rpc_bytes;

/* Uninitialised; *bytes is empty on failure. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_rpc_bytes_alloc(rpc_bytes *bytes, size_t len_bytes, cuzk_error *err);
void cuzk_rpc_bytes_free(rpc_bytes *bytes); /* accepts an empty one; leaves it empty */

/* ---- a call ---- */

typedef struct rpc_call rpc_call;

/* What a transport brings; see the functions below. */
typedef struct rpc_transport {
    void (*reply)(rpc_call *call, const uint8_t *data, size_t len_bytes);
    void (*fail)(rpc_call *call, rpc_code code, const char *text);
    bool (*on_gone)(rpc_call *call, void (*fn)(void *arg), void *arg);
} rpc_transport;

struct rpc_call {
    const rpc_transport *transport;
};

/* A call ends with one reply or failure, from any thread; then it must not be touched. On return,
 * the function of on_gone is not running and will not be called. data is copied. */
static inline void rpc_reply(rpc_call *call, const uint8_t *data, size_t len_bytes) {
    call->transport->reply(call, data, len_bytes);
}
/* The text is made one line of UTF-8. */
__attribute__((format(printf, 3, 4))) void cuzk_rpc_fail(rpc_call *call, rpc_code code,
                                                         const char *format, ...);
/* fn(arg) is called, once, when the client has gone away or its deadline has passed, from a thread
 * of the transport: it must be short and must not end the call itself, which still has to be ended.
 * false if that has happened already: fn is not called. */
static inline bool rpc_on_gone(rpc_call *call, void (*fn)(void *arg), void *arg) {
    return call->transport->on_gone(call, fn, arg);
}

/* ---- methods ---- */

typedef enum rpc_shape {
    RPC_UNARY,
    RPC_CONVERSATION, /* any number of messages: `handle` for each, and a reply (which does not end
                       * the call) before the next comes; the client ends it, or a failure */
    RPC_WATCH         /* one message and a reply, after which the call is the transport's: it stays
                       * open until the client goes or the server does */
} rpc_shape;

typedef struct rpc_method {
    const char *path; /* "/cuzk.v1.ProvingEngine/Prove" */
    rpc_shape shape;
    bool bulk; /* messages up to the server's limit, handled by threads that may take their time;
                * else at most RPC_SMALL_BYTES, and `handle` must be quick */
    /* *request is the callee's to keep or free. */
    void (*handle)(void *arg, rpc_call *call, rpc_bytes *request);
    void *arg;
} rpc_method;

#define RPC_SMALL_BYTES ((size_t)64 << 10)

/* Text with what is not UTF-8 replaced by U+FFFD and control characters by spaces, zero-terminated.
 * out: room bytes, cut between characters. */
void cuzk_rpc_clean_text(char *out, size_t room, const char *text, size_t len_bytes);

#endif
