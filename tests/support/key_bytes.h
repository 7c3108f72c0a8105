/* A key as the bytes of a .params file (groth16.md 2.1 and 2.2), collected in memory. */
#ifndef CUZK_TESTS_KEY_BYTES_H
#define CUZK_TESTS_KEY_BYTES_H

#include "groth16/setup.h"
#include "support/support.h"

typedef struct key_bytes {
    uint8_t *data;
    size_t len_bytes, room_bytes;
    size_t vk_len_bytes;
    int calls_before_failure; /* of the sink; 0: never */
} key_bytes;

groth16_sink key_bytes_sink(key_bytes *bytes);
void key_bytes_clear(key_bytes *bytes);

#endif
