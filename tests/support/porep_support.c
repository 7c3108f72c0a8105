#include "support/porep_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "filecoin/c1_reader.h"
#include "support/witness_vectors.h"

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

void test_read_c1(porep_proof *proof, const char *folder) {
    const cuzk_ctx ctx = {0};
    char name[300];
    snprintf(name, sizeof name, "%s/c1.json", folder);
    size_t len;
    uint8_t *data = test_read_vector(name, &len);
    cuzk_error err;
    if (cuzk_c1_read(proof, &ctx, data, len, name, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    free(data);
}

r1cs_circuit test_porep_circuit(porep_circuit *self, const porep_proof *proof, unsigned partition) {
    porep_shape shape = cuzk_porep_shape_of(proof->type->size);
    shape.n_challenges = proof->n_challenges;
    cuzk_error err;
    if (cuzk_porep_circuit_init(self, &shape, proof, partition, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return cuzk_porep_circuit(self);
}

void test_porep_vector(const char *input, unsigned partition) {
    char name[256];
    snprintf(name, sizeof name, "inputs/%s", input);
    porep_proof proof;
    test_read_c1(&proof, name);
    porep_circuit self;
    const r1cs_circuit circuit = test_porep_circuit(&self, &proof, partition);
    snprintf(name, sizeof name, "%s.p%u", input, partition);
    test_witness_vector(name, &circuit);
    cuzk_porep_proof_clear(&proof);
}
