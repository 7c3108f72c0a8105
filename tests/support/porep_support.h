/* PoRep circuits by the tables of circuits.md 3.4. */
#ifndef CUZK_TESTS_POREP_SUPPORT_H
#define CUZK_TESTS_POREP_SUPPORT_H

#include "support/circuit_support.h"

#include "circuits/porep_circuit.h"

typedef struct porep_row {
    porep_shape shape;
    uint64_t a_aux, b_aux; /* densities */
    unsigned log2_domain;
    uint64_t n_terms[3]; /* of A, B, C; 0 where the table has none */
    circuit_row row;
} porep_row;

/* Builds the blank circuit and asserts all of the row. */
void test_porep_row(const porep_row *row);

#endif
