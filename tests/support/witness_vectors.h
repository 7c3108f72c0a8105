/* Digests of assignments and rows, as the reference wrote them: tests/vectors/witness. */
#ifndef CUZK_TESTS_WITNESS_VECTORS_H
#define CUZK_TESTS_WITNESS_VECTORS_H

#include "support/support.h"

#include "r1cs/witness.h"

/* Makes the circuit's witness, checks it, and asserts every line of the vector file, packed or not:
 * sizes, inputs, digests of aux, a, b, c (c from C w) whole and in blocks, and how many values are
 * 0, 1 and others. */
void test_witness_vector(const char *name, const r1cs_circuit *circuit);
/* The same with a witness that the caller made. */
void test_assignment_vector(const char *name, const r1cs_circuit *circuit,
                            const r1cs_assignment *w);

#endif
