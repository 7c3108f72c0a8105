#include "support/post_support.h"

#include "engine/blank_circuit.h"

void test_post_row(const post_row *row) {
    param_set set;
    blank_circuit blank;
    assert_int_equal(cuzk_param_set_by_id(&set, row->row.name, NULL), CUZK_OK);
    assert_int_equal(cuzk_blank_circuit_init(&blank, &set, NULL), CUZK_OK);
    r1cs_densities d;
    test_circuit_digest(&blank.circuit, &row->row, &d);
    assert_int_equal(d.a_aux.n_set, row->a_aux);
    assert_int_equal(d.b_aux.n_set, row->b_aux);
    assert_int_equal(d.b_input.n_set, 1);
    assert_int_equal(d.b_input.words[0], 1);
    assert_int_equal(d.dims.log2_domain, row->log2_domain);
    cuzk_r1cs_densities_clear(&d);
}
