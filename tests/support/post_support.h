/* PoSt circuits by the table of circuits.md 4.5, and PoSt requests of the vectors. */
#ifndef CUZK_TESTS_POST_SUPPORT_H
#define CUZK_TESTS_POST_SUPPORT_H

#include "support/circuit_support.h"

#include "circuits/fallback_post.h"

typedef struct post_row {
    uint64_t a_aux, b_aux; /* densities */
    unsigned log2_domain;
    circuit_row row; /* name: the circuit's id */
} post_row;

/* Builds the blank circuit of that id and asserts all of the row. */
void test_post_row(const post_row *row);

#endif
