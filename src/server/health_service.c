/* grpc.health.v1 */
#include "server/health_service.h"

#include <string.h>

#include "grpc/health/v1/health.pb-c.h"
#include "server/descriptors.h"
#include "server/messages.h"

/* "" is the server. */
static bool is_served(const char *service) {
    bool found = service[0] == 0;
    for (size_t i = 0; i < cuzk_descriptor_n_services; i++) {
        found = found || strcmp(service, cuzk_descriptor_services[i]) == 0;
    }
    return found;
}

static void reply(rpc_call *call, Grpc__Health__V1__HealthCheckResponse__ServingStatus status) {
    Grpc__Health__V1__HealthCheckResponse response = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    response.status = status;
    cuzk_reply_message(call, &response.base);
}

static void handle(rpc_call *call, rpc_bytes *request, bool watch) {
    Grpc__Health__V1__HealthCheckRequest *q =
        cuzk_unpack_request(call, request, &grpc__health__v1__health_check_request__descriptor);
    if (q == NULL) {
        return;
    }
    if (is_served(q->service)) {
        reply(call, GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING);
    } else if (watch) {
        reply(call, GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN);
    } else {
        cuzk_rpc_fail(call, RPC_NOT_FOUND, "unknown service: %s", q->service);
    }
    grpc__health__v1__health_check_request__free_unpacked(q, NULL);
}

static void check(void *arg, rpc_call *call, rpc_bytes *request) {
    (void)arg;
    handle(call, request, false);
}

static void watch(void *arg, rpc_call *call, rpc_bytes *request) {
    (void)arg;
    handle(call, request, true);
}

void cuzk_health_methods(rpc_method methods[HEALTH_METHODS]) {
    methods[0] =
        (rpc_method){.path = "/grpc.health.v1.Health/Check", .shape = RPC_UNARY, .handle = check};
    methods[1] =
        (rpc_method){.path = "/grpc.health.v1.Health/Watch", .shape = RPC_WATCH, .handle = watch};
}
