/* What the gRPC transport's files share: the server and one call in it. */
#ifndef CUZK_SERVER_GRPC_INTERNAL_H
#define CUZK_SERVER_GRPC_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include <grpc/grpc.h>

#include "server/grpc_server.h"

#define RPC_LOOPS 2        /* threads that wait for events and handle small calls */
#define RPC_BULK_THREADS 4 /* that handle large ones */

typedef struct grpc_conn_call call;

/* Something asked of gRPC; its address is the tag of the answer. What the asking thread has written
 * is the answering one's by `call`, which is stored when it is asked. */
typedef struct pending_op {
    void (*done)(call *c, bool ok);
    _Atomic(call *) call;
} pending_op;

typedef struct rpc_loop {
    rpc_server *server;
    grpc_completion_queue *queue;
    pthread_t thread;
    atomic_bool owes_call; /* there was no memory to wait for the next one */
} rpc_loop;

/* Calls in order; a call is in at most one. */
typedef struct call_list {
    call *first, *last;
} call_list;

struct grpc_conn_call {
    rpc_call base; /* first */
    rpc_server *server;
    rpc_loop *loop;
    grpc_call *grpc;
    grpc_call_details details;
    grpc_metadata_array metadata;
    const rpc_method *method;
    pending_op accepted, closed, received, sent;
    atomic_uint n_refs; /* what is pending, and whoever has to end it */

    pthread_mutex_t mutex; /* covers the following, and orders what is asked of gRPC */
    bool metadata_sent, ended, gone;
    void (*gone_fn)(void *arg);
    void *gone_arg;
    int cancelled;
    grpc_byte_buffer *incoming, *outgoing;

    /* the server's, under its lock */
    bool has_slot;
    uint64_t since_ns; /* on hold, then receiving */
    call_list *list;
    call *prev, *next;
};

struct rpc_server {
    const rpc_method *methods;
    size_t n_methods;
    grpc_server *grpc;
    rpc_loop loops[RPC_LOOPS];
    unsigned n_loops;
    pthread_t bulk_threads[RPC_BULK_THREADS];
    unsigned n_bulk_threads;
    char address[160];

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned n_calls, max_calls;   /* that exist, also those not yet accepted; that may be open */
    unsigned n_receiving, n_slots; /* slots in use, and how many there are */
    unsigned n_ordinary;           /* of n_slots; the others are spare: see grpc_receive.c */
    uint64_t receive_timeout_ns, patience_ns;
    call_list held;      /* bulk calls that wait for a slot, the oldest first */
    call_list receiving; /* whose message is on its way and that were not cut off, so too */
    call_list received;  /* bulk calls to be handled, short messages first */
    call_list watches;
    bool refusing, shut, stopping, has_watcher;
    pthread_t watcher;
    uint64_t trim_due_ns; /* when the watcher trims the heap; CLOCK_NEVER: it need not */
};

/* Waits for the next call on a loop; without memory for it, again when a call has ended. */
void cuzk_rpc_call_expect(rpc_server *s, rpc_loop *loop);
/* What was asked for has happened. */
void cuzk_rpc_call_event(pending_op *op, bool ok);
/* On a bulk thread: takes the message in and has it handled. */
void cuzk_rpc_call_handle_bulk(call *c);
/* A watch that the server ends. */
void cuzk_rpc_call_end_watch(call *c);
/* Asks for the message of a bulk call that has got its slot. */
void cuzk_rpc_call_receive(call *c);
/* Ends a call from outside, which must be kept meanwhile: its sender is too slow. Lets it go. */
void cuzk_rpc_call_keep(call *c);
void cuzk_rpc_call_cut_off(call *c);
/* A call whose client has gone. */
void cuzk_rpc_call_drop(call *c);

/* ---- lists, under the lock ---- */

/* Before `at`; NULL: at the end. */
void cuzk_rpc_list_insert(call_list *list, call *at, call *c);
void cuzk_rpc_list_leave(call *c);
call *cuzk_rpc_list_take(call_list *list); /* the first; NULL: none */

/* ---- receiving ---- */

/* timeout_ns: see server_options.receive_timeout_ns. */
void cuzk_rpc_slots_init(rpc_server *s, unsigned n_slots, uint64_t timeout_ns);
/* A thread's: lets in who waits too long, cuts off who takes too long. */
void *cuzk_rpc_watch_receiving(void *server);

/* ---- the server's side of a call; they take its lock ---- */

/* The call may receive now, or is put on hold. */
bool cuzk_rpc_take_slot(rpc_server *s, call *c);
/* Gives the slot to the next call on hold, if it has one. */
void cuzk_rpc_free_slot(rpc_server *s, call *c);
void cuzk_rpc_queue_bulk(rpc_server *s, call *c);
/* false if the server ends its watches. */
bool cuzk_rpc_queue_watch(rpc_server *s, call *c);
/* Out of `held` or `watches`; false if it is in neither. */
bool cuzk_rpc_take_back(rpc_server *s, call *c);
void cuzk_rpc_count_calls(rpc_server *s, int change);
/* Memory of a message that did not come, or was refused, goes back to the system in a moment. */
void cuzk_rpc_trim_soon(rpc_server *s);
bool cuzk_rpc_too_many_calls(rpc_server *s);

#endif
