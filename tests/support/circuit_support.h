/* Tests of circuits: build one from a function, compare its sizes and digest, and make and check a
 * witness. */
#ifndef CUZK_TESTS_CIRCUIT_SUPPORT_H
#define CUZK_TESTS_CIRCUIT_SUPPORT_H

#include "support/support.h"

#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"

/* Sizes and digest as the tables of circuits.md have them. */
typedef struct circuit_row {
    const char *name;
    uint64_t n_constraints, n_aux, n_inputs;
    const char *digest; /* hex */
} circuit_row;

/* Asserts sizes and digest; the densities are the caller's to clear, or NULL. */
void test_circuit_digest(const r1cs_circuit *circuit, const circuit_row *expected,
                         r1cs_densities *densities);

/* Makes a witness and asserts that the values of its rows are those of the combinations. Returns
 * the first row that is not satisfied, or UINT64_MAX. */
uint64_t test_circuit_witness(const r1cs_circuit *circuit);

/* For a main whose arguments name the tests to run: runs those of the n tests, or all without an
 * argument. Returns the number of failures; 1, running none, if an argument is no test's name.
 * tests is reordered. */
int test_run_named(const char *group, struct CMUnitTest *tests, size_t n, int argc, char **argv);

#endif
