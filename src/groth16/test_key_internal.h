/* What test_key.c and test_key_check.c share. */
#ifndef CUZK_GROTH16_TEST_KEY_INTERNAL_H
#define CUZK_GROTH16_TEST_KEY_INTERNAL_H

#include <pthread.h>

#include "groth16/test_key.h"
#include "msm/point_grid.h"

/* Room for the points of a chunk. */
typedef struct chunk_buffer {
    struct chunk_buffer *next;
    cuzk_block block;
} chunk_buffer;

struct groth16_test_key {
    groth16_pk pk;
    groth16_vk vk;
    cuzk_account *account;
    cuzk_block block;           /* all that follows */
    fr alpha, beta, delta;      /* logarithms of the verifying key */
    fr *row_logs[GROTH16_B_G2]; /* h, l, a, b */
    fr *column_logs;
    g1_affine *rows_g1[GROTH16_B_G2], *columns_g1;
    g2_affine *rows_g2, *columns_g2; /* of b_g2 */
    pthread_mutex_t mutex;           /* for what follows */
    chunk_buffer *unused;
    uint64_t cpu_ns[GROTH16_SECTIONS];
};

/* The section whose logarithms a section has. */
static inline groth16_section test_key_logs_of(groth16_section section) {
    return section == GROTH16_B_G2 ? GROTH16_B_G1 : section;
}

#endif
