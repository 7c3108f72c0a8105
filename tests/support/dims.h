/* Comparison of dimensions, member by member: there is padding between them. */
#ifndef CUZK_TESTS_SUPPORT_DIMS_H
#define CUZK_TESTS_SUPPORT_DIMS_H

#include "r1cs/structure.h"
#include "support/support.h"

static inline void assert_dims_equal(const r1cs_dims *a, const r1cs_dims *b) {
    assert_int_equal(a->n_constraints, b->n_constraints);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_aux, b->n_aux);
    assert_int_equal(a->log2_domain, b->log2_domain);
}

#endif
