#include "support/porep_support.h"

void test_porep_row(const porep_row *row) {
    porep_circuit self;
    assert_int_equal(cuzk_porep_circuit_init(&self, &row->shape, NULL, 0, NULL), CUZK_OK);
    const r1cs_circuit circuit = cuzk_porep_circuit(&self);
    r1cs_densities d;
    test_circuit_digest(&circuit, &row->row, &d);
    assert_int_equal(d.a_aux.n_set, row->a_aux);
    assert_int_equal(d.b_aux.n_set, row->b_aux);
    assert_int_equal(d.b_input.n_set, 1);
    assert_int_equal(d.b_input.words[0], 1);
    assert_int_equal(d.dims.log2_domain, row->log2_domain);
    for (int side = 0; side < 3 && row->n_terms[0] != 0; side++) {
        assert_int_equal(d.n_terms[side], row->n_terms[side]);
    }
    cuzk_r1cs_densities_clear(&d);
}
