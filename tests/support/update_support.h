/* Updates: circuits by the tables of circuits.md 5.5, requests of the vectors. */
#ifndef CUZK_TESTS_UPDATE_SUPPORT_H
#define CUZK_TESTS_UPDATE_SUPPORT_H

#include "support/circuit_support.h"

#include "circuits/update_circuit.h"

typedef struct update_row {
    circuit_kind kind;
    const char *size;      /* "2k" */
    uint64_t a_aux, b_aux; /* densities */
    unsigned log2_domain;
    circuit_row row;
} update_row;

/* Builds the blank circuit and asserts all of the row. */
void test_update_row(const update_row *row);

/* What the manifest of a folder of the vectors says. */
update_statement test_update_statement(const char *folder);

#endif
