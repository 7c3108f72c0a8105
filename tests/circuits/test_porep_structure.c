/* PoRep circuits without values: sizes, densities and digests of circuits.md 3.4, and create_label
 * of 8.2. */
#include "support/porep_support.h"

#include "circuits/create_label.h"

/* ---- create_label ---- */

typedef struct label_circuit {
    bool alloc_node;
} label_circuit;

static void message_words(r1cs_cs *cs, word32 *out, unsigned n, test_rng *rng) {
    for (unsigned i = 0; i < n; i++) {
        uint32_t value = (uint32_t)test_rng_u64(rng);
        word32 word;
        cuzk_word32_of_bits(cs, &word, 32, cuzk_cs_booleans(cs, 32, value), value);
        cuzk_word32_reverse_bits(cs, &out[i], &word);
    }
}

static cuzk_status synthesize_label(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const label_circuit *circuit = self;
    test_rng rng = {5};
    word32 parent_words[LABEL_PARENTS][8], id[8];
    const word32 *parents[LABEL_PARENTS];
    for (unsigned i = 0; i < LABEL_PARENTS; i++) {
        message_words(cs, parent_words[i], 8, &rng);
        parents[i] = parent_words[i];
    }
    message_words(cs, id, 8, &rng);
    uint64_gadget node;
    if (circuit->alloc_node) {
        cuzk_uint64_alloc(cs, &node, 22);
    } else {
        cuzk_uint64_const(&node, 22);
    }
    cuzk_create_label(cs, id, parents, 3, &node);
    return CUZK_OK;
}

static void test_labels(void **state) {
    (void)state;
    static const circuit_row rows[] = {
        {"create_label, constant node", 532025, 531505, 1,
         "0759ddd2645a276700fad35fe3125ec00ac1c96ee74bdab68cc2edc81f8d301e"},
        {"create_label, allocated node", 532211, 531691, 1,
         "d99ba339072e2fdd208571c86f97e0ca76b6e5949e2f1acd3db97a72cf2abcee"},
    };
    for (unsigned i = 0; i < 2; i++) {
        const label_circuit self = {.alloc_node = i == 1};
        const r1cs_circuit circuit = {&self, synthesize_label};
        test_circuit_digest(&circuit, &rows[i], NULL);
        assert_int_equal(test_circuit_witness(&circuit), UINT64_MAX);
    }
}

/* ---- whole circuits ---- */

static const porep_row rows[] = {
    {{3, {2, 0, 0, 3}, 2, 1},
     1200052,
     307340,
     21,
     {0, 0, 0},
     {"test 2-0-0, 8 nodes, 2 layers, 1 challenge", 1206212, 1205053, 22,
      "e933e8bea2e68a3569205187f61c428770f083c7e7d2113babedb204b9429bc3"}},
    {{3, {8, 0, 0, 1}, 2, 1},
     1195188,
     302284,
     21,
     {0, 0, 0},
     {"test 8-0-0, 8 nodes", 1199620, 1198525, 22,
      "b9e22ee377bc73c4e08f679252c4f87948f5812be8c95358a6bf87a7279a785f"}},
    {{5, {8, 4, 0, 1}, 2, 1},
     1290574,
     329874,
     21,
     {0, 0, 0},
     {"test 8-4-0, 32 nodes", 1296576, 1295435, 22,
      "2bb32fe1d16325b1afe3f67f42148047406233e23eae86605f53247273706615"}},
    {{6, {8, 4, 2, 1}, 2, 1},
     1339699,
     345133,
     21,
     {0, 0, 0},
     {"test 8-4-2, 64 nodes", 1346982, 1345810, 22,
      "c9b69c85139ae04bac789fecb881052900c660c6337ab4b520eaa0c9f7293f75"}},
    {{6, {8, 0, 0, 2}, 2, 2},
     2674908,
     685521,
     22,
     {6420965, 2689006, 5824682},
     {"PoRep 2KiB", 2687921, 2685673, 40,
      "2c120b1125bd531d5a62b11932b2ae0e0cb47f455cea582994f97534e296bb42"}},
};

static void test_circuits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_porep_row(&rows[i]);
    }
}

static void test_shapes_refused(void **state) {
    (void)state;
    const porep_shape good = rows[0].shape;
    porep_circuit circuit;
    assert_int_equal(cuzk_porep_circuit_init(&circuit, &good, NULL, 0, NULL), CUZK_OK);
    porep_shape bad[6];
    for (int i = 0; i < 6; i++) {
        bad[i] = good;
    }
    bad[0].n_layers = 3;
    bad[1].n_challenges = 0;
    bad[2].log2_nodes++;
    bad[3].tree.base = 16;
    bad[4].tree.n_base_levels = UINT32_MAX;
    bad[5].tree.top = 3;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(cuzk_porep_circuit_init(&circuit, &bad[i], NULL, 0, NULL), CUZK_E_RANGE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_circuits),
        cmocka_unit_test(test_shapes_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
