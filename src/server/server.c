/* All services on one listener. */
#include "server/server.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/grpc_server.h"
#include "server/health_service.h"
#include "server/proving_request.h"
#include "server/proving_service.h"
#include "server/reflection_service.h"

#define N_METHODS (PROVING_METHODS + HEALTH_METHODS + REFLECTION_METHODS)

struct server {
    proving_service *proving;
    rpc_server *rpc;
    rpc_method methods[N_METHODS];
};

void cuzk_server_options_init(server_options *options) {
    *options = (server_options){.socket_mode = 0660,
                                .max_message_bytes = SERVER_MESSAGE_BYTES,
                                .receive_timeout_ns = 30 * NS_PER_S,
                                .max_calls = 8192};
}

size_t cuzk_server_request_bytes(size_t total_bytes, size_t max_message_bytes) {
    const size_t one = max_message_bytes + PROVING_BESIDE_MAX;
    size_t share = total_bytes / 20;
    share = share > one ? share : one;
    share = share / RPC_MAX_RECEIVING < one ? share : RPC_MAX_RECEIVING * one;
    return share < total_bytes / 4 ? share : total_bytes / 4;
}

/* Twice what requests may keep: 2 messages at least. */
static size_t receive_bytes(const proving_backing *backing, size_t max_message_bytes) {
    size_t total = cuzk_budget_look(backing->budget).total_bytes;
    size_t bytes = 2 * cuzk_server_request_bytes(total, max_message_bytes);
    return bytes > 2 * max_message_bytes ? bytes : 2 * max_message_bytes;
}

cuzk_status cuzk_server_open_on(server **s, const server_options *options,
                                const proving_backing *backing, cuzk_error *err) {
    server *new = calloc(1, sizeof *new);
    *s = new;
    if (new == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a server");
    }
    cuzk_status status = cuzk_proving_service_create(&new->proving, backing, err);
    if (status == CUZK_OK) {
        cuzk_proving_methods(new->methods, new->proving);
        cuzk_health_methods(new->methods + PROVING_METHODS);
        cuzk_reflection_methods(new->methods + PROVING_METHODS + HEALTH_METHODS);
        status = cuzk_rpc_server_create(&new->rpc, options,
                                        receive_bytes(backing, options->max_message_bytes),
                                        new->methods, N_METHODS, err);
    }
    if (status != CUZK_OK) {
        cuzk_server_close(new);
        *s = NULL;
    }
    return status;
}

const char *cuzk_server_address(const server *s) { return cuzk_rpc_server_address(s->rpc); }

void cuzk_server_refuse(server *s) {
    cuzk_rpc_server_refuse(s->rpc);
    cuzk_proving_service_stop(s->proving);
}

void cuzk_server_close(server *s) {
    if (s == NULL) {
        return;
    }
    if (s->proving != NULL) {
        cuzk_proving_service_stop(s->proving);
    }
    cuzk_rpc_server_destroy(s->rpc);
    cuzk_proving_service_destroy(s->proving);
    free(s);
}
