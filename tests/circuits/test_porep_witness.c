/* Witnesses of PoRep partitions: the reference's digests of assignment and rows, the constraint at
 * which its wrong inputs fail, and what no witness is made of. */
#include "support/porep_support.h"

#include "filecoin/c1_reader.h"

static void test_v1_1(void **state) {
    (void)state;
    test_porep_vector("porep-2KiB-v1_1", 0);
}
static void test_ni_last(void **state) {
    (void)state;
    test_porep_vector("porep-2KiB-ni", 12);
}
static void test_8_mib(void **state) {
    (void)state;
    test_porep_vector("porep-8MiB-v1_1", 0);
}

static void test_verdicts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t row;
    } cases[] = {
        {"invalid/porep-comm-r", 570},
        {"invalid/porep-column-row", 275610},
        {"invalid/porep-index", 1342872},
        {"invalid/porep-tree-r-sibling", 1342872},
        {"invalid/porep-label-parents", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        porep_proof proof;
        test_read_c1(&proof, cases[i].name);
        porep_circuit self;
        const r1cs_circuit circuit = test_porep_circuit(&self, &proof, 0);
        assert_int_equal(test_circuit_witness(&circuit), cases[i].row);
        cuzk_porep_proof_clear(&proof);
    }
}

/* Values and shapes that no witness can be made of. */
static void test_refused(void **state) {
    (void)state;
    porep_proof proof;
    test_read_c1(&proof, "invalid/porep-sibling-range");
    porep_circuit self;
    r1cs_circuit circuit = test_porep_circuit(&self, &proof, 0);
    r1cs_witness w;
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_INPUT);
    assert_int_equal(err.partition, 0);
    assert_int_equal(err.challenge, 0);
    cuzk_porep_proof_clear(&proof);

    test_read_c1(&proof, "inputs/porep-2KiB-v1_1");
    digest *values[] = {&proof.replica_id, &proof.comm_d, &proof.comm_r,
                        &proof.challenges[0].comm_r_last.root};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const digest good = *values[i];
        memset(values[i], 0xff, sizeof good);
        circuit = test_porep_circuit(&self, &proof, 0);
        assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_INPUT);
        *values[i] = good;
    }

    const porep_shape shape = cuzk_porep_shape_of(proof.type->size);
    assert_int_equal(cuzk_porep_circuit_init(&self, &shape, &proof, 1, &err), CUZK_E_INCONSISTENT);
    assert_int_equal(err.partition, 1);
    merkle_proof *path = &proof.challenges[1].parents[3].inclusion;
    path->position[1] = 8;
    assert_int_equal(cuzk_porep_circuit_init(&self, &shape, &proof, 0, &err), CUZK_E_INCONSISTENT);
    assert_int_equal(err.challenge, 1);
    path->position[1] = 7;
    path->n_levels--;
    assert_int_equal(cuzk_porep_circuit_init(&self, &shape, &proof, 0, &err), CUZK_E_INCONSISTENT);
    path->n_levels++;
    porep_shape other = shape;
    other.n_challenges++;
    assert_int_equal(cuzk_porep_circuit_init(&self, &other, &proof, 0, &err), CUZK_E_INCONSISTENT);

    assert_int_equal(cuzk_porep_circuit_init(&self, &shape, NULL, 0, &err), CUZK_OK);
    circuit = cuzk_porep_circuit(&self);
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_ARGUMENT);
    cuzk_porep_proof_clear(&proof);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v1_1),    cmocka_unit_test(test_ni_last),
        cmocka_unit_test(test_8_mib),   cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
