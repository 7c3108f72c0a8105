/* The table of circuit sizes against the circuits themselves. */
#ifndef CUZK_TESTS_SET_SIZES_H
#define CUZK_TESTS_SET_SIZES_H

#include "support/support.h"

#include "filecoin/param_set.h"

/* Circuits with a domain up to 2^21 are built in half a second or less. */
#define TEST_SMALL_LOG2_DOMAIN 21

/* Asserts that the set's sizes are known, and returns log2 of the domain they state. */
unsigned test_set_log2_domain(const param_set *set);

/* Builds the set's blank circuit and asserts every member of its sizes, the digest where it is
 * known. */
void test_set_sizes(const param_set *set);

#endif
