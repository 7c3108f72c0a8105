/* rpc.h over gRPC: the listener, the threads, how much is received at once. */
#ifndef CUZK_SERVER_GRPC_SERVER_H
#define CUZK_SERVER_GRPC_SERVER_H

#include "server/rpc.h"
#include "server/server.h"

/* Bulk messages are asked for by at most so many calls at once, and no more than receive_bytes have
 * room for; flow control holds the bodies of others back at their senders. A quarter of them is for
 * calls that have waited for a second. */
#define RPC_MAX_RECEIVING 16

typedef struct rpc_server rpc_server;

/* The options and the failures as of cuzk_server_open.
 *   receive_bytes  most memory of messages that are not yet there whole; at least one message
 *   methods        borrowed until destroy */
cuzk_status cuzk_rpc_server_create(rpc_server **s, const server_options *options,
                                   size_t receive_bytes, const rpc_method *methods,
                                   size_t n_methods, cuzk_error *err);
const char *cuzk_rpc_server_address(const rpc_server *s);
void cuzk_rpc_server_refuse(rpc_server *s); /* as cuzk_server_refuse */
/* Open calls get a moment to end, then their clients are taken for gone; returns when services have
 * ended them all. Accepts NULL. */
void cuzk_rpc_server_destroy(rpc_server *s);

#endif
