/* grpc.reflection.v1 and v1alpha, whose messages are the same. No file of the contract imports
 * another, so a file is a whole answer; there are no extensions. */
#include "server/reflection_service.h"

#include <stdlib.h>
#include <string.h>

#include "grpc/reflection/v1/reflection.pb-c.h"
#include "server/descriptors.h"
#include "server/messages.h"

typedef Grpc__Reflection__V1__ServerReflectionRequest reflection_request;
typedef Grpc__Reflection__V1__ServerReflectionResponse reflection_response;

static void reply_file(rpc_call *call, reflection_response *response, size_t file) {
    Grpc__Reflection__V1__FileDescriptorResponse files =
        GRPC__REFLECTION__V1__FILE_DESCRIPTOR_RESPONSE__INIT;
    ProtobufCBinaryData data = {.data = (uint8_t *)cuzk_descriptor_files[file].data,
                                .len = cuzk_descriptor_files[file].len_bytes};
    files.n_file_descriptor_proto = 1;
    files.file_descriptor_proto = &data;
    response->message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_FILE_DESCRIPTOR_RESPONSE;
    response->file_descriptor_response = &files;
    cuzk_reply_message(call, &response->base);
}

static void reply_error(rpc_call *call, reflection_response *response, rpc_code code,
                        const char *text) {
    Grpc__Reflection__V1__ErrorResponse error = GRPC__REFLECTION__V1__ERROR_RESPONSE__INIT;
    error.error_code = (int32_t)code;
    error.error_message = (char *)text;
    response->message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE;
    response->error_response = &error;
    cuzk_reply_message(call, &response->base);
}

static void reply_services(rpc_call *call, reflection_response *response) {
    size_t n = cuzk_descriptor_n_services;
    Grpc__Reflection__V1__ServiceResponse *services = calloc(n, sizeof *services);
    Grpc__Reflection__V1__ServiceResponse **list = calloc(n, sizeof *list);
    Grpc__Reflection__V1__ListServiceResponse all =
        GRPC__REFLECTION__V1__LIST_SERVICE_RESPONSE__INIT;
    if (services == NULL || list == NULL) {
        cuzk_rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory for a reply");
    } else {
        for (size_t i = 0; i < n; i++) {
            grpc__reflection__v1__service_response__init(&services[i]);
            services[i].name = (char *)cuzk_descriptor_services[i];
            list[i] = &services[i];
        }
        all.n_service = n;
        all.service = list;
        response->message_response_case =
            GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_LIST_SERVICES_RESPONSE;
        response->list_services_response = &all;
        cuzk_reply_message(call, &response->base);
    }
    free(services);
    free(list);
}

/* SIZE_MAX: none. */
static size_t file_by_name(const char *name) {
    for (size_t i = 0; i < cuzk_descriptor_n_files; i++) {
        if (strcmp(cuzk_descriptor_files[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t file_by_symbol(const char *name) {
    for (size_t i = 0; i < cuzk_descriptor_n_symbols; i++) {
        if (strcmp(cuzk_descriptor_symbols[i].name, name) == 0) {
            return cuzk_descriptor_symbols[i].file;
        }
    }
    return SIZE_MAX;
}

static void answer(rpc_call *call, reflection_response *response, const reflection_request *q) {
    size_t file;
    switch (q->message_request_case) {
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_LIST_SERVICES:
        reply_services(call, response);
        return;
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_BY_FILENAME:
        file = file_by_name(q->file_by_filename);
        break;
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_SYMBOL:
        file = file_by_symbol(q->file_containing_symbol);
        break;
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_EXTENSION:
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_ALL_EXTENSION_NUMBERS_OF_TYPE:
        reply_error(call, response, RPC_NOT_FOUND, "there are no extensions");
        return;
    default:
        reply_error(call, response, RPC_INVALID_ARGUMENT, "the request asks for nothing");
        return;
    }
    if (file == SIZE_MAX) {
        reply_error(call, response, RPC_NOT_FOUND, "not found");
    } else {
        reply_file(call, response, file);
    }
}

static void handle(void *arg, rpc_call *call, rpc_bytes *request) {
    (void)arg;
    reflection_request *q = cuzk_unpack_request(
        call, request, &grpc__reflection__v1__server_reflection_request__descriptor);
    if (q != NULL) {
        reflection_response response = GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
        response.valid_host = q->host;
        response.original_request = q;
        answer(call, &response, q);
        grpc__reflection__v1__server_reflection_request__free_unpacked(q, NULL);
    }
}

void cuzk_reflection_methods(rpc_method methods[REFLECTION_METHODS]) {
    static const char *const paths[] = {
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"};
    for (size_t i = 0; i < REFLECTION_METHODS; i++) {
        methods[i] = (rpc_method){.path = paths[i], .shape = RPC_CONVERSATION, .handle = handle};
    }
}
