/* Protocol buffers read in place: field by field, without copies. For messages whose bytes fields
 * are most of a request. */
#ifndef CUZK_SERVER_WIRE_H
#define CUZK_SERVER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a message. */
typedef struct wire_reader {
    const uint8_t *at;
    size_t left_bytes;
} wire_reader;

typedef enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 } wire_type;

typedef struct wire_field {
    uint32_t number; /* 1 to 2^29 - 1 */
    wire_type type;
    uint64_t value;      /* not of WIRE_BYTES */
    const uint8_t *data; /* of WIRE_BYTES: within the message */
    size_t len_bytes;
} wire_field;

typedef enum wire_result { WIRE_FIELD, WIRE_END, WIRE_MALFORMED } wire_result;

/* The next field. WIRE_MALFORMED also for groups. */
wire_result cuzk_wire_next(wire_reader *reader, wire_field *field);

#endif
