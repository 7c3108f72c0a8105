/* LABELS: quick */
/* Sparse and fold trees: equal to trees hashed whole, and their paths lead to their roots. */
#include "filecoin/fabricate_tree.h"

#include <stdlib.h>

#include "filecoin/merkle.h"
#include "support/support.h"
#include "support/whole_tree.h"

/* The root by hashing all leaves, which are freed. */
static digest root_of_all(digest *leaves, size_t n, const tree_shape *shape, bool sha256) {
    whole_tree tree;
    test_tree_grow(&tree, *shape, leaves, n, sha256);
    digest root = *test_tree_root(&tree);
    test_tree_fell(&tree);
    return root;
}

static void assert_leads(const merkle_proof *path, const tree_shape *shape, uint64_t leaf,
                         const digest *root, bool sha256) {
    digest end;
    assert_int_equal(cuzk_merkle_check_shape(shape, path, NULL), CUZK_OK);
    assert_int_equal(cuzk_merkle_index(shape, path), leaf);
    if (sha256) {
        digest nodes[MERKLE_MAX_LEVELS + 1];
        assert_int_equal(cuzk_merkle_sha256(nodes, shape, path, &path->leaf, NULL), CUZK_OK);
        end = nodes[path->n_levels];
    } else {
        fr value;
        assert_true(cuzk_fr_read_le(&value, path->leaf.bytes));
        assert_int_equal(cuzk_merkle_poseidon(&value, shape, &path, &value, 1, NULL, NULL),
                         CUZK_OK);
        cuzk_fr_write_le(end.bytes, &value);
    }
    assert_memory_equal(&path->root, root, sizeof *root);
    assert_memory_equal(&end, root, sizeof end);
}

/* No node above a leaf equals a sibling. */
static void assert_no_twins(const fold_tree *tree, uint64_t index) {
    for (unsigned level = 0; level < tree_shape_levels(&tree->shape); level++) {
        unsigned arity = tree_shape_arity(&tree->shape, level);
        for (unsigned c = 0; c < arity; c++) {
            uint64_t sibling = index / arity * arity + c;
            assert_int_equal(digest_eq(cuzk_fold_tree_node(tree, level, index),
                                       cuzk_fold_tree_node(tree, level, sibling)),
                             sibling == index);
        }
        index /= arity;
    }
}

/* A fold tree of 2^log2_n leaves beside one hashed whole. */
static void compare_fold(const tree_shape *shape, unsigned log2_n, bool sha256,
                         unsigned log2_runs) {
    const cuzk_ctx ctx = {0};
    const fabricate_source source = {7, "test", log2_n};
    unsigned n_folds = sha256 ? 2 : 8;
    size_t n = (size_t)1 << log2_n;
    fold_tree tree;
    digest *values = malloc(((size_t)n_folds << log2_runs) * sizeof *values);
    digest *leaves = malloc(n * sizeof *leaves), *siblings = malloc(300 * sizeof *siblings), root;
    for (size_t i = 0; i < (size_t)n_folds << log2_runs; i++) {
        cuzk_fabricate_value(&values[i], &source, i, 0);
    }
    for (size_t i = 0; i < n; i++) {
        leaves[i] = values[(i >> (log2_n - log2_runs)) * n_folds + cuzk_fold(shape, i)];
        if (sha256) {
            assert_int_equal(cuzk_fold(shape, i), __builtin_parityll(i));
        }
    }
    assert_int_equal(cuzk_fold_tree_grow(&tree, &ctx, shape, sha256, log2_runs, values, NULL),
                     CUZK_OK);
    for (size_t i = 0; i < n; i++) {
        assert_memory_equal(cuzk_fold_tree_node(&tree, 0, i), &leaves[i], sizeof root);
    }
    for (size_t i = 0; i < n; i += 1 + n / 37) {
        merkle_proof path;
        cuzk_fold_tree_open(&path, siblings, &tree, i);
        assert_memory_equal(&path.leaf, &leaves[i], sizeof root);
        assert_leads(&path, shape, i, cuzk_fold_tree_root(&tree), sha256);
        assert_no_twins(&tree, i);
    }
    root = root_of_all(leaves, n, shape, sha256);
    assert_memory_equal(&root, cuzk_fold_tree_root(&tree), sizeof root);
    cuzk_fold_tree_clear(&tree);
    free(values);
    free(siblings);
}

static void fold_trees(void **state) {
    (void)state;
    for (size_t i = 0; cuzk_sector_sizes[i].log2_nodes <= 10; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        const tree_shape binary = tree_shape_binary(size->log2_nodes);
        for (unsigned runs = 0; runs + 3 <= size->log2_nodes; runs++) {
            compare_fold(&size->shape, size->log2_nodes, false, runs);
            compare_fold(&binary, size->log2_nodes, true, runs);
        }
    }
}

/* Paths of a tree of 2^31 leaves, and that no sibling equals its node. */
static void large_fold_tree(void **state) {
    (void)state;
    const sector_size *size = cuzk_sector_size_by_bytes(64ull << 30);
    const cuzk_ctx ctx = {0};
    const fabricate_source source = {7, "test", 0};
    digest values[64], siblings[100];
    for (size_t i = 0; i < 64; i++) {
        cuzk_fabricate_value(&values[i], &source, i, 0);
    }
    fold_tree tree;
    assert_int_equal(cuzk_fold_tree_grow(&tree, &ctx, &size->shape, false, 3, values, NULL),
                     CUZK_OK);
    test_rng rng = {1};
    for (size_t i = 0; i < 20; i++) {
        merkle_proof path;
        uint64_t leaf = test_rng_u64(&rng) >> 33;
        cuzk_fold_tree_open(&path, siblings, &tree, leaf);
        assert_leads(&path, &size->shape, leaf, cuzk_fold_tree_root(&tree), false);
        assert_memory_equal(&path.leaf, &values[(leaf >> 28) * 8 + cuzk_fold(&size->shape, leaf)],
                            sizeof path.leaf);
        assert_no_twins(&tree, leaf);
    }
    cuzk_fold_tree_clear(&tree);
}

static void sparse_trees(void **state) {
    (void)state;
    const fabricate_source filler = {3, "filler", 4};
    cuzk_pool *pool;
    cuzk_account *account;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool, .account = account};
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        uint64_t indexes[700];
        digest leaves[700], siblings[100];
        test_rng rng = {i + 1};
        for (size_t k = 0; k < 700; k++) {
            indexes[k] = test_rng_u64(&rng) % size->nodes;
        }
        size_t n = cuzk_sort_nodes(indexes, 700);
        for (size_t k = 0; k < n; k++) {
            assert_true(k == 0 || indexes[k] > indexes[k - 1]);
            cuzk_fabricate_value(&leaves[k], &filler, 100, k);
        }
        sparse_tree tree;
        assert_int_equal(
            cuzk_sparse_tree_grow(&tree, &ctx, &size->shape, &filler, indexes, leaves, n, NULL),
            CUZK_OK);
        assert_true(cuzk_account_used(account) > 0);
        for (size_t k = 0; k < n; k += 1 + k / 9) {
            merkle_proof path;
            cuzk_sparse_tree_open(&path, siblings, &tree, indexes[k]);
            assert_memory_equal(&path.leaf, &leaves[k], sizeof path.leaf);
            assert_leads(&path, &size->shape, indexes[k], cuzk_sparse_tree_root(&tree), false);
        }
        if (n == size->nodes) { /* nothing was made up */
            digest *all = malloc(n * sizeof *all);
            memcpy(all, leaves, n * sizeof *all);
            digest root = root_of_all(all, n, &size->shape, false);
            assert_memory_equal(&root, cuzk_sparse_tree_root(&tree), sizeof root);
        }
        cuzk_sparse_tree_clear(&tree);
        cuzk_sparse_tree_clear(&tree);
        assert_int_equal(cuzk_account_used(account), 0);
    }
    cuzk_account_destroy(account);
    cuzk_pool_destroy(pool);
}

static void failures(void **state) {
    (void)state;
    const sector_size *size = cuzk_sector_size_by_bytes(2048);
    const fabricate_source filler = {3, "filler", 4};
    const uint64_t index = 5;
    digest leaves[8];
    cuzk_account *account;
    cuzk_cancel cancel = {0};
    sparse_tree sparse;
    fold_tree folded;
    for (size_t i = 0; i < 8; i++) {
        cuzk_fabricate_value(&leaves[i], &filler, 0, i);
    }
    assert_int_equal(cuzk_account_create(&account, 50, NULL), CUZK_OK);
    cuzk_ctx ctx = {.account = account};
    assert_int_equal(
        cuzk_sparse_tree_grow(&sparse, &ctx, &size->shape, &filler, &index, leaves, 1, NULL),
        CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_fold_tree_grow(&folded, &ctx, &size->shape, false, 0, leaves, NULL),
                     CUZK_E_NO_MEMORY);
    cuzk_account_destroy(account);
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    ctx = (cuzk_ctx){.account = account, .cancel = &cancel};
    cuzk_cancel_set(&cancel);
    assert_int_equal(
        cuzk_sparse_tree_grow(&sparse, &ctx, &size->shape, &filler, &index, leaves, 1, NULL),
        CUZK_E_CANCELLED);
    assert_int_equal(cuzk_fold_tree_grow(&folded, &ctx, &size->shape, false, 0, leaves, NULL),
                     CUZK_E_CANCELLED);
    assert_null(sparse.memory);
    assert_null(folded.memory);
    assert_int_equal(cuzk_account_used(account), 0);
    cuzk_account_destroy(account);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fold_trees),
        cmocka_unit_test(large_fold_tree),
        cmocka_unit_test(sparse_trees),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
