/* Requests of tests/vectors as the interface takes them. */
#ifndef CUZK_TESTS_REQUEST_VECTORS_H
#define CUZK_TESTS_REQUEST_VECTORS_H

#include "base/status.h"

/* A request and all it points to; stays where it is. */
typedef struct request_vector {
    cuzk_request request;
    cuzk_input inputs[16];
    uint8_t randomness[32], comm_r_old[32], comm_r_new[32], comm_d_new[32];
} request_vector;

/* folder: "winning-2KiB" of inputs, or "invalid/porep-base64". Asserts on failure. */
void request_vector_open(request_vector *v, const char *folder);
void request_vector_close(request_vector *v);

#endif
