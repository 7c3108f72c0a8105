/* Calls of the daemon's methods, with the messages of the contract. */
#ifndef CUZK_PROGRAMS_CLIENT_DAEMON_H
#define CUZK_PROGRAMS_CLIENT_DAEMON_H

#include <cuzk/v1/proving.pb-c.h>

#include "cuzk_bench/global_options.h"
#include "server/client.h"

/* From here on, SIGINT and SIGTERM cancel running and later calls. */
void watch_interrupts(void);
bool interrupted(void);
/* Sleeps; less when interrupted. */
void sleep_ms(uint64_t ms);

/* NULL after reporting; *code is then the exit code. */
cuzk_client *open_daemon(const global_options *g, int *code);

/* One call; `pieces` are the request. Draws the time it has taken on a terminal if `drawn`. */
void call_daemon(cuzk_client *client, const global_options *g, client_reply *reply,
                 const char *method, const client_piece *pieces, size_t n_pieces, bool drawn);
/* The message in a successful reply; else, and if it holds none, NULL: the reply then says why. */
void *reply_message(client_reply *reply, const ProtobufCMessageDescriptor *type);

/* Both, for a small request; reports failures. Free what comes with free_message. */
void *ask_daemon(const global_options *g, int *code, const char *method,
                 const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type);
void free_message(void *message);

/* Says on standard error why there is no reply; returns the exit code. */
int report_fault(const global_options *g, const client_reply *reply);

/* Seconds of a clock that only goes forward. */
double now_s(void);

#endif
