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

/* Reads FOLDER/c1.json of the vectors; cuzk_porep_proof_clear is the caller's. */
void test_read_c1(porep_proof *proof, const char *folder);
/* The circuit of a partition with its values; self and proof are borrowed. */
r1cs_circuit test_porep_circuit(porep_circuit *self, const porep_proof *proof, unsigned partition);
/* Reads inputs/INPUT and compares with witness/INPUT.pPARTITION.txt. */
void test_porep_vector(const char *input, unsigned partition);

#endif
