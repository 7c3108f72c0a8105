/* Tags, varints, lengths. */
#include "server/wire.h"

#include "base/bytes.h"

#define VARINT_BYTES 10

/* At most ten bytes; of the tenth only what fits into 64 bits counts. */
static bool read_varint(wire_reader *r, uint64_t *value) {
    *value = 0;
    for (unsigned i = 0; i < VARINT_BYTES && i < r->left_bytes; i++) {
        uint8_t byte = r->at[i];
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            r->at += i + 1;
            r->left_bytes -= i + 1;
            return true;
        }
    }
    return false;
}

static bool skip(wire_reader *r, uint64_t len_bytes) {
    if (len_bytes > r->left_bytes) {
        return false;
    }
    r->at += len_bytes;
    r->left_bytes -= (size_t)len_bytes;
    return true;
}

static bool read_value(wire_reader *r, wire_field *field) {
    const uint8_t *start = r->at;
    switch (field->type) {
    case WIRE_VARINT:
        return read_varint(r, &field->value);
    case WIRE_64:
        if (!skip(r, 8)) {
            return false;
        }
        field->value = load_le64(start);
        return true;
    case WIRE_32:
        if (!skip(r, 4)) {
            return false;
        }
        field->value = load_le32(start);
        return true;
    case WIRE_BYTES:
        if (!read_varint(r, &field->value)) {
            return false;
        }
        field->data = r->at;
        field->len_bytes = (size_t)field->value;
        return skip(r, field->value);
    }
    return false;
}

wire_result cuzk_wire_next(wire_reader *r, wire_field *field) {
    uint64_t tag;
    *field = (wire_field){0};
    if (r->left_bytes == 0) {
        return WIRE_END;
    }
    if (!read_varint(r, &tag) || tag > UINT32_MAX || tag >> 3 == 0) {
        return WIRE_MALFORMED;
    }
    field->number = (uint32_t)(tag >> 3);
    field->type = (wire_type)(tag & 7);
    return read_value(r, field) ? WIRE_FIELD : WIRE_MALFORMED;
}
