#include "support/set_sizes.h"

#include "engine/any_circuit.h"
#include "filecoin/circuit_sizes.h"
#include "support/circuit_support.h"

static const cuzk_ctx plain_ctx;

static const circuit_sizes *sizes_of(const param_set *set) {
    const circuit_sizes *sizes = cuzk_circuit_sizes_of(set->id);
    if (sizes == NULL) {
        fail_msg("%s: no sizes", set->id);
    }
    return sizes;
}

unsigned test_set_log2_domain(const param_set *set) { return sizes_of(set)->log2_domain; }

void test_set_sizes(const param_set *set) {
    const circuit_sizes *sizes = sizes_of(set);
    any_circuit blank;
    r1cs_densities d;
    cuzk_error err;
    if (cuzk_any_circuit_blank(&blank, set, &err) != CUZK_OK) {
        fail_msg("%s: %s", set->id, err.text);
    }
    if (sizes->digest != NULL) {
        const circuit_row row = {.name = sizes->id,
                                 .n_constraints = sizes->n_constraints,
                                 .n_aux = sizes->n_aux,
                                 .n_inputs = sizes->n_inputs,
                                 .digest = sizes->digest};
        test_circuit_digest(&blank.circuit, &row, &d);
    } else if (cuzk_r1cs_densities(&d, &plain_ctx, &blank.circuit, &err) != CUZK_OK) {
        fail_msg("%s: %s", set->id, err.text);
    }
    if (d.dims.n_constraints != sizes->n_constraints || d.dims.n_aux != sizes->n_aux ||
        d.dims.n_inputs != sizes->n_inputs || d.dims.log2_domain != sizes->log2_domain ||
        d.a_aux.n_set != sizes->a_aux_density || d.b_aux.n_set != sizes->b_aux_density) {
        fail_msg("%s: %llu constraints, %llu aux, %llu inputs, domain 2^%u, densities %llu and "
                 "%llu",
                 set->id, (unsigned long long)d.dims.n_constraints,
                 (unsigned long long)d.dims.n_aux, (unsigned long long)d.dims.n_inputs,
                 d.dims.log2_domain, (unsigned long long)d.a_aux.n_set,
                 (unsigned long long)d.b_aux.n_set);
    }
    assert_int_equal(d.b_input.n_set, 1);
    assert_int_equal(d.b_input.words[0], 1);
    assert_int_equal(set->n_inputs, sizes->n_inputs);
    cuzk_r1cs_densities_clear(&d);
}
