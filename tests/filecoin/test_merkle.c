/* LABELS: levels */
/* Paths of whole small trees of every shape, and the TreeD of empty sectors. */
#include <stdio.h>
#include <stdlib.h>

#include "codec/hex.h"
#include "filecoin/merkle.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "support/support.h"

#define MAX_LEAVES 1024

/* A whole tree, levels one after another, leaves first. */
typedef struct tree {
    tree_shape shape;
    size_t n_leaves;
    fr nodes[2 * MAX_LEAVES];
    size_t level_start[MERKLE_MAX_LEVELS + 1];
} tree;

static tree *build(tree_shape shape, size_t n_leaves, test_rng *rng) {
    tree *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->shape = shape;
    t->n_leaves = n_leaves;
    for (size_t i = 0; i < n_leaves; i++) {
        test_rng_fr(&t->nodes[i], rng);
    }
    size_t n = n_leaves;
    for (unsigned level = 0; level < tree_shape_levels(&shape); level++) {
        unsigned arity = tree_shape_arity(&shape, level);
        size_t next = t->level_start[level] + n;
        t->level_start[level + 1] = next;
        assert_true(n % arity == 0);
        n /= arity;
        for (size_t i = 0; i < n; i++) {
            cuzk_poseidon_reference(&t->nodes[next + i], cuzk_poseidon_kind_of_arity(arity),
                                    &t->nodes[t->level_start[level] + i * arity]);
        }
    }
    assert_int_equal(n, 1);
    return t;
}

/* siblings: room for all of the path */
static merkle_proof open_leaf(const tree *t, size_t leaf, digest *siblings) {
    merkle_proof path = {.n_levels = tree_shape_levels(&t->shape), .siblings = siblings};
    size_t index = leaf;
    for (unsigned level = 0; level < path.n_levels; level++) {
        unsigned arity = tree_shape_arity(&t->shape, level);
        path.position[level] = (uint8_t)(index % arity);
        index /= arity;
        for (unsigned i = 0; i < arity; i++) {
            if (i != path.position[level]) {
                cuzk_fr_write_le((siblings++)->bytes,
                                 &t->nodes[t->level_start[level] + index * arity + i]);
            }
        }
    }
    return path;
}

static void poseidon_trees(void **state) {
    (void)state;
    static const struct {
        tree_shape shape;
        size_t n_leaves;
    } trees[] = {
        {{2, 0, 0, 3}, 8},  {{8, 0, 0, 1}, 8},   {{8, 4, 0, 1}, 32},  {{8, 0, 0, 2}, 64},
        {{8, 4, 2, 1}, 64}, {{8, 2, 0, 2}, 128}, {{8, 8, 0, 2}, 512}, {{8, 8, 2, 2}, 1024},
    };
    test_rng rng = {1};
    for (size_t k = 0; k < sizeof trees / sizeof trees[0]; k++) {
        tree *t = build(trees[k].shape, trees[k].n_leaves, &rng);
        const fr *root = &t->nodes[t->level_start[tree_shape_levels(&t->shape)]];
        size_t leaf = 0;
        for (size_t n = 0; n <= MERKLE_MAX_TOGETHER; n++) { /* that many paths together */
            digest siblings[MERKLE_MAX_TOGETHER][64];
            merkle_proof paths[MERKLE_MAX_TOGETHER];
            const merkle_proof *refs[MERKLE_MAX_TOGETHER];
            fr leaves[MERKLE_MAX_TOGETHER], roots[MERKLE_MAX_TOGETHER];
            for (size_t i = 0; i < n; i++) {
                leaf = (leaf + 1 + leaf % 7) % t->n_leaves;
                paths[i] = open_leaf(t, leaf, siblings[i]);
                refs[i] = &paths[i];
                leaves[i] = t->nodes[leaf];
                assert_int_equal(cuzk_merkle_check_shape(&t->shape, &paths[i], NULL), CUZK_OK);
                assert_true(cuzk_merkle_index(&t->shape, &paths[i]) == leaf);
            }
            assert_int_equal(cuzk_merkle_poseidon(roots, &t->shape, refs, leaves, n, NULL, NULL),
                             CUZK_OK);
            for (size_t i = 0; i < n; i++) {
                assert_memory_equal(&roots[i], root, sizeof(fr));
            }
        }
        free(t);
    }
}

static void bad_paths(void **state) {
    (void)state;
    test_rng rng = {2};
    tree *t = build((tree_shape){8, 4, 2, 1}, 64, &rng);
    digest siblings[64];
    digest good_siblings[64];
    fr roots[3];
    cuzk_error err;
    merkle_proof path = open_leaf(t, 63, siblings);
    const merkle_proof good = open_leaf(t, 5, good_siblings);
    assert_int_equal(cuzk_merkle_check_shape(&t->shape, &path, &err), CUZK_OK);

    path.n_levels = 2;
    assert_int_equal(cuzk_merkle_check_shape(&t->shape, &path, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "the path has 2 levels, the tree has 3");
    path.n_levels = 3;
    path.position[1] = 4;
    assert_int_equal(cuzk_merkle_check_shape(&t->shape, &path, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "level 1: index 4 of a node with 4 children");
    path.position[1] = 3;

    /* The modulus itself, then the largest value, in place of sibling 1 of level 1. */
    static const uint64_t modulus[4] = FR_MODULUS;
    memcpy(siblings[7 + 1].bytes, modulus, sizeof modulus);
    for (size_t i = 0; i < 2; i++) {
        const merkle_proof *paths[3] = {&good, &good, &good};
        const fr leaves[3] = {t->nodes[5], t->nodes[5], t->nodes[5]};
        size_t bad = SIZE_MAX;
        paths[i] = paths[2] = &path;
        assert_int_equal(cuzk_merkle_poseidon(roots, &t->shape, paths, leaves, 3, &bad, &err),
                         CUZK_E_INPUT);
        assert_int_equal(bad, i);
        assert_string_equal(err.text, "level 1: sibling 1 is not below the field modulus");
        memset(siblings[7 + 1].bytes, 0xff, DIGEST_BYTES);
    }

    /* The text is of the lowest bad path, though another one fails at a lower level. */
    digest low_siblings[64];
    merkle_proof low = open_leaf(t, 7, low_siblings);
    memset(low_siblings[0].bytes, 0xff, DIGEST_BYTES);
    const merkle_proof *paths[3] = {&good, &path, &low};
    const fr leaves[3] = {t->nodes[5], t->nodes[63], t->nodes[7]};
    size_t bad = SIZE_MAX;
    assert_int_equal(cuzk_merkle_poseidon(roots, &t->shape, paths, leaves, 3, &bad, &err),
                     CUZK_E_INPUT);
    assert_int_equal(bad, 1);
    assert_string_equal(err.text, "level 1: sibling 1 is not below the field modulus");
    free(t);
}

/* comm_d of a sector of zeros, circuits.md 7.4: every path has the same siblings. */
static void empty_tree_d(void **state) {
    (void)state;
    static const struct {
        unsigned log2_nodes;
        const char *comm_d;
    } known[] = {
        {6, "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833"},
        {18, "65f29e5d98d246c38b388cfc06db1f6b021303c5a289000bdce832a9c3ec421c"},
        {24, "39560e7b13a93b07a243fd2720ffa7cb3e1d2e505ab3629e79f46313512cda06"},
        {30, "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e"},
        {31, "e64005a6bfe3777953b8ad6ef93f0fca1049b2041654f2a411f7702799cece02"},
    };
    digest zeros[32] = {{{0}}};
    for (int i = 1; i < 32; i++) {
        const digest pair[2] = {zeros[i - 1], zeros[i - 1]};
        cuzk_sha256(zeros[i].bytes, pair, sizeof pair);
        zeros[i].bytes[31] &= 0x3f;
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        tree_shape shape = tree_shape_binary(known[k].log2_nodes);
        merkle_proof path = {.n_levels = known[k].log2_nodes, .siblings = zeros};
        digest nodes[MERKLE_MAX_LEVELS + 1], expected;
        for (unsigned level = 0; level < path.n_levels; level++) {
            path.position[level] = (uint8_t)(level % 3 == 0);
        }
        assert_int_equal(cuzk_merkle_check_shape(&shape, &path, NULL), CUZK_OK);
        assert_int_equal(cuzk_merkle_sha256(nodes, &shape, &path, &zeros[0], NULL), CUZK_OK);
        assert_true(cuzk_hex_decode(expected.bytes, DIGEST_BYTES, known[k].comm_d));
        assert_memory_equal(&nodes[path.n_levels], &expected, sizeof expected);
    }
}

static void tree_d_paths(void **state) {
    (void)state;
    test_rng rng = {3};
    digest nodes[16];
    for (int i = 0; i < 8; i++) {
        fr leaf;
        test_rng_fr(&leaf, &rng);
        cuzk_fr_write_le(nodes[8 + i].bytes, &leaf);
    }
    for (int i = 7; i >= 1; i--) { /* children of i: 2 i and 2 i + 1 */
        cuzk_sha256(nodes[i].bytes, &nodes[2 * i], 2 * sizeof nodes[0]);
        nodes[i].bytes[31] &= 0x3f;
    }
    tree_shape shape = tree_shape_binary(3);
    for (unsigned leaf = 0; leaf < 8; leaf++) {
        digest siblings[3], got[4];
        merkle_proof path = {.n_levels = 3, .siblings = siblings};
        for (unsigned level = 0; level < 3; level++) {
            unsigned at = (8 + leaf) >> level;
            path.position[level] = at & 1;
            siblings[level] = nodes[at ^ 1];
        }
        assert_true(cuzk_merkle_index(&shape, &path) == leaf);
        assert_int_equal(cuzk_merkle_sha256(got, &shape, &path, &nodes[8 + leaf], NULL), CUZK_OK);
        for (unsigned level = 0; level <= 3; level++) {
            assert_memory_equal(&got[level], &nodes[(8 + leaf) >> level], sizeof got[0]);
        }
        cuzk_error err;
        memset(siblings[2].bytes, 0xff, DIGEST_BYTES);
        assert_int_equal(cuzk_merkle_sha256(got, &shape, &path, &nodes[8 + leaf], &err),
                         CUZK_E_INPUT);
        assert_string_equal(err.text, "level 2: sibling 0 is not below the field modulus");
        assert_int_equal(cuzk_merkle_sha256(got, &shape, &path, &siblings[2], &err), CUZK_E_INPUT);
        assert_string_equal(err.text, "the leaf is not below the field modulus");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poseidon_trees),
        cmocka_unit_test(bad_paths),
        cmocka_unit_test(empty_tree_d),
        cmocka_unit_test(tree_d_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
