/* Packing and unpacking. */
#include "server/messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

void cuzk_reply_message(rpc_call *call, const ProtobufCMessage *message) {
    size_t len_bytes = protobuf_c_message_get_packed_size(message);
    uint8_t *data = malloc(len_bytes + 1);
    if (data == NULL) {
        cuzk_rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory for a reply");
        return;
    }
    protobuf_c_message_pack(message, data);
    rpc_reply(call, data, len_bytes);
    free(data);
}

bool cuzk_text_is_utf8(const char *text, size_t len_bytes) {
    while (len_bytes != 0) {
        size_t len = cuzk_utf8_sequence(text, len_bytes);
        if (len == 0) {
            return false;
        }
        text += len;
        len_bytes -= len;
    }
    return true;
}

/* The text of a field that is not repeated; NULL: another kind of field, or not the one that is set
 * of several. */
static const char *text_of(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field) {
    const uint8_t *base = (const uint8_t *)message;
    if (field->type != PROTOBUF_C_TYPE_STRING || field->label == PROTOBUF_C_LABEL_REPEATED) {
        return NULL;
    }
    uint32_t which;
    memcpy(&which, base + field->quantifier_offset, sizeof which);
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0 && which != field->id) {
        return NULL;
    }
    const char *text;
    memcpy(&text, base + field->offset, sizeof text);
    return text;
}

void *cuzk_unpack_request(rpc_call *call, rpc_bytes *request,
                          const ProtobufCMessageDescriptor *descriptor) {
    ProtobufCMessage *message =
        protobuf_c_message_unpack(descriptor, NULL, request->len_bytes, request->data);
    cuzk_rpc_bytes_free(request);
    if (message == NULL) {
        cuzk_rpc_fail(call, RPC_INVALID_ARGUMENT, "not a %s", descriptor->name);
        return NULL;
    }
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        const char *text = text_of(message, &descriptor->fields[i]);
        if (text != NULL && !cuzk_text_is_utf8(text, strlen(text))) {
            cuzk_rpc_fail(call, RPC_INVALID_ARGUMENT, "%s is not UTF-8",
                          descriptor->fields[i].name);
            protobuf_c_message_free_unpacked(message, NULL);
            return NULL;
        }
    }
    return message;
}
