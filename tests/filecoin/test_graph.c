/* Parents and labels: the vectors of circuits.md 8.1 and 8.4. */
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "filecoin/graph.h"
#include "filecoin/identity.h"
#include "support/support.h"

static void known_parents(void **state) {
    (void)state;
    static const struct {
        unsigned number;
        uint64_t nodes;
        porep_version version;
        uint64_t node;
        uint64_t parents[POREP_PARENTS];
    } known[] = {
        {8,
         1 << 30,
         POREP_V1_1,
         1,
         {0, 0, 0, 0, 0, 0, 702693034, 366772265, 26763858, 547315823, 59704098, 413126652,
          762902885, 978177250}},
        {8,
         1 << 30,
         POREP_V1_1,
         2,
         {1, 1, 0, 1, 0, 0, 694934376, 792214855, 560882435, 923855168, 468160064, 444658509,
          700174899, 650486437}},
        {8,
         1 << 30,
         POREP_V1_1,
         1000,
         {999, 999, 993, 999, 987, 994, 610880257, 52958456, 114467229, 442886740, 935021104,
          986163808, 486080124, 611062435}},
        {8,
         1 << 30,
         POREP_V1_1,
         1073741823,
         {1073741822, 1073258530, 440642413, 663190843, 1073741654, 1073741786, 307718517,
          715446084, 558280128, 265147410, 110937796, 626719228, 201839602, 653041812}},
        {3,
         1 << 30,
         POREP_V1_0,
         1000,
         {992, 999, 685, 999, 851, 999, 56765109, 142792959, 55421737, 123123914, 7049045,
          479267348, 532767812, 301615063}},
        {5, 64, POREP_V1_1, 63, {62, 15, 42, 62, 61, 62, 0, 15, 30, 30, 28, 42, 49, 38}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        digest porep_id;
        porep_graph graph;
        uint64_t parents[POREP_PARENTS];
        cuzk_porep_id(&porep_id, known[i].number);
        cuzk_graph_init(&graph, known[i].nodes, known[i].version, &porep_id);
        cuzk_graph_parents(&graph, parents, known[i].node);
        assert_memory_equal(parents, known[i].parents, sizeof parents);
        graph.version = known[i].version == POREP_V1_1 ? POREP_V1_2 : known[i].version;
        cuzk_graph_parents(&graph, parents, known[i].node);
        assert_memory_equal(parents, known[i].parents, sizeof parents);
    }
}

/* Every node of every small graph: DRG parents lie before the node, and the expander is a
 * permutation: each node is a parent exactly eight times. */
static void graph_properties(void **state) {
    (void)state;
    for (uint64_t nodes = 8; nodes <= 1024; nodes *= 2) {
        digest porep_id;
        porep_graph graph;
        cuzk_porep_id(&porep_id, 5);
        cuzk_graph_init(&graph, nodes, POREP_V1_1, &porep_id);
        unsigned *uses = calloc(nodes, sizeof *uses);
        for (uint64_t node = 0; node < nodes; node++) {
            uint64_t parents[POREP_PARENTS];
            cuzk_graph_parents(&graph, parents, node);
            for (unsigned i = 0; i < POREP_DRG_PARENTS; i++) {
                assert_true(node == 0 ? parents[i] == 0 : parents[i] < node);
            }
            for (unsigned i = POREP_DRG_PARENTS; i < POREP_PARENTS; i++) {
                assert_true(parents[i] < nodes);
                uses[parents[i]]++;
            }
        }
        for (uint64_t node = 0; node < nodes; node++) {
            assert_int_equal(uses[node], POREP_EXP_PARENTS);
        }
        free(uses);
    }
}

/* All labels of n_layers layers; returns that of the last node of the last layer. */
static digest seal(uint64_t nodes, porep_version version, const digest *porep_id,
                   const digest *replica_id, unsigned n_layers) {
    digest *labels = malloc(2 * nodes * sizeof *labels);
    porep_graph graph;
    cuzk_graph_init(&graph, nodes, version, porep_id);
    for (unsigned layer = 1; layer <= n_layers; layer++) {
        digest *now = labels + (layer % 2) * nodes, *before = labels + (1 - layer % 2) * nodes;
        for (uint64_t node = 0; node < nodes; node++) {
            uint64_t numbers[POREP_PARENTS];
            const digest *parents[POREP_PARENTS];
            cuzk_graph_parents(&graph, numbers, node);
            for (unsigned i = 0; i < POREP_PARENTS; i++) {
                parents[i] = (i < POREP_DRG_PARENTS ? now : before) + numbers[i];
            }
            unsigned n_parents = layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
            cuzk_label(&now[node], replica_id, layer, node, parents, node == 0 ? 0 : n_parents);
        }
    }
    digest last = labels[(n_layers % 2) * nodes + nodes - 1];
    free(labels);
    return last;
}

static void known_labels(void **state) {
    (void)state;
    static const struct {
        uint64_t nodes;
        porep_version version;
        uint8_t porep_id_byte;
        uint64_t limbs[4];
    } known[] = {
        {64,
         POREP_V1_0,
         0,
         {0xd3faa96b9a0fba04, 0xea81a283d106485e, 0xe3d51b9afa5ac2b3, 0x0462f4f4f1a68d37}},
        {128,
         POREP_V1_0,
         0,
         {0x7e191e52c4a8da86, 0x5ae8a1c9e6fac148, 0xce239f3b88a894b8, 0x234c00d1dc1d53be}},
        {64,
         POREP_V1_1,
         0x7b,
         {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
        {64,
         POREP_V1_2,
         0x7b,
         {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
        {128,
         POREP_V1_1,
         0x7b,
         {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}},
        {128,
         POREP_V1_2,
         0x7b,
         {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        digest porep_id, replica_id, expected;
        memset(&porep_id, known[i].porep_id_byte, sizeof porep_id);
        memset(&replica_id, 9, sizeof replica_id);
        for (int l = 0; l < 4; l++) {
            store_le64(expected.bytes + 8 * l, known[i].limbs[l]);
        }
        digest got = seal(known[i].nodes, known[i].version, &porep_id, &replica_id, 11);
        assert_memory_equal(got.bytes, expected.bytes, DIGEST_BYTES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_parents),
        cmocka_unit_test(graph_properties),
        cmocka_unit_test(known_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
