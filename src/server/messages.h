/* Messages of the contract, between bytes and protobuf-c's structures: the small ones. */
#ifndef CUZK_SERVER_MESSAGES_H
#define CUZK_SERVER_MESSAGES_H

#include <protobuf-c/protobuf-c.h>

#include "server/rpc.h"

/* Replies with the message. */
void cuzk_reply_message(rpc_call *call, const ProtobufCMessage *message);

/* The request as a message of that type, for protobuf_c_message_free_unpacked; frees its bytes. If
 * it is none, or a text in it is not UTF-8, ends the call (INVALID_ARGUMENT) and returns NULL. */
void *cuzk_unpack_request(rpc_call *call, rpc_bytes *request,
                          const ProtobufCMessageDescriptor *descriptor);

bool cuzk_text_is_utf8(const char *text, size_t len_bytes);

#endif
