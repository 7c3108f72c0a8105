/* Sparse and fold trees: levels are hashed one after the other, each in parallel. */
#include "filecoin/fabricate_tree.h"

#include <stdlib.h>

#include "filecoin/merkle.h"
#include "hash/poseidon.h"

#define MAX_ARITY 8
#define TASK_NODES 256 /* of a hashing task: below 10 ms */

size_t cuzk_tree_siblings(const tree_shape *shape) {
    size_t n = 0;
    for (unsigned level = 0; level < tree_shape_levels(shape); level++) {
        n += tree_shape_arity(shape, level) - 1;
    }
    return n;
}

static int compare_nodes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

size_t cuzk_sort_nodes(uint64_t *nodes, size_t n) {
    size_t n_kept = 0;
    qsort(nodes, n, sizeof *nodes, compare_nodes);
    for (size_t i = 0; i < n; i++) {
        if (n_kept == 0 || nodes[n_kept - 1] != nodes[i]) {
            nodes[n_kept++] = nodes[i];
        }
    }
    return n_kept;
}

size_t cuzk_find_node(const uint64_t *nodes, size_t n, uint64_t node) {
    size_t first = 0, end = n;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (nodes[middle] < node) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < n && nodes[first] == node ? first : n;
}

static void hash_children(digest *r, const digest *const *children, unsigned arity, bool sha256) {
    if (sha256) {
        cuzk_tree_d_node(r, children[0], children[1]);
        return;
    }
    fr in[MAX_ARITY], out;
    for (unsigned i = 0; i < arity; i++) {
        bool below = cuzk_fr_read_le(&in[i], children[i]->bytes);
        CUZK_ASSERT(below);
    }
    cuzk_poseidon(&out, cuzk_poseidon_kind_of_arity(arity), in);
    cuzk_fr_write_le(r->bytes, &out);
}

/* Memory of a tree, charged. */
static cuzk_status take_memory(void **memory, cuzk_account *account, size_t len_bytes,
                               cuzk_error *err) {
    *memory = NULL;
    cuzk_status status = cuzk_account_reserve(account, len_bytes, "a fabricated tree", err);
    if (status != CUZK_OK) {
        return status;
    }
    *memory = malloc(len_bytes);
    if (*memory == NULL) {
        cuzk_account_release(account, len_bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a fabricated tree");
    }
    return CUZK_OK;
}

/* One level to hash from the one below. */
typedef struct level_task {
    const void *tree;
    unsigned level; /* the lower one */
    size_t n_nodes; /* of the upper one */
} level_task;

static size_t n_level_tasks(size_t n_nodes) { return (n_nodes + TASK_NODES - 1) / TASK_NODES; }

/* Any node of a tree. */
typedef void (*node_fn)(digest *node, const void *tree, unsigned level, uint64_t index);

static void open_path(merkle_proof *path, digest *siblings, const tree_shape *shape, node_fn node,
                      const void *tree, uint64_t leaf) {
    path->n_levels = tree_shape_levels(shape);
    path->siblings = siblings;
    node(&path->leaf, tree, 0, leaf);
    node(&path->root, tree, path->n_levels, 0);
    for (unsigned level = 0; level < path->n_levels; level++) {
        unsigned arity = tree_shape_arity(shape, level);
        path->position[level] = (uint8_t)(leaf % arity);
        for (unsigned c = 0; c < arity; c++) {
            if (c != leaf % arity) {
                node(siblings++, tree, level, leaf / arity * arity + c);
            }
        }
        leaf /= arity;
    }
}

/* ---- sparse trees ---- */

static size_t find(const struct sparse_level *level, uint64_t index) {
    return cuzk_find_node(level->indexes, level->n, index);
}

static void sparse_node(digest *node, const void *arg, unsigned level, uint64_t index) {
    const sparse_tree *tree = arg;
    const struct sparse_level *l = &tree->levels[level];
    size_t place = find(l, index);
    if (place < l->n) {
        *node = l->nodes[place];
    } else {
        cuzk_fabricate_value(node, &tree->filler, level, index);
    }
}

static void hash_sparse(void *arg, size_t task, unsigned worker) {
    (void)worker;
    const level_task *t = arg;
    const sparse_tree *tree = t->tree;
    const struct sparse_level *upper = &tree->levels[t->level + 1];
    unsigned arity = tree_shape_arity(&tree->shape, t->level);
    for (size_t i = task * TASK_NODES; i < t->n_nodes && i < (task + 1) * TASK_NODES; i++) {
        digest values[MAX_ARITY];
        const digest *children[MAX_ARITY];
        for (unsigned c = 0; c < arity; c++) {
            children[c] = &values[c];
            sparse_node(&values[c], tree, t->level, upper->indexes[i] * arity + c);
        }
        hash_children(&upper->nodes[i], children, arity, false);
    }
}

/* Numbers of the parents of a level's nodes. */
static void list_parents(struct sparse_level *upper, const struct sparse_level *lower,
                         unsigned arity) {
    upper->n = 0;
    for (size_t i = 0; i < lower->n; i++) {
        uint64_t parent = lower->indexes[i] / arity;
        if (upper->n == 0 || upper->indexes[upper->n - 1] != parent) {
            upper->indexes[upper->n++] = parent;
        }
    }
}

cuzk_status cuzk_sparse_tree_grow(sparse_tree *tree, const cuzk_ctx *ctx, const tree_shape *shape,
                                  const fabricate_source *filler, const uint64_t *indexes,
                                  const digest *leaves, size_t n, cuzk_error *err) {
    unsigned n_levels = tree_shape_levels(shape);
    uint64_t most = 1; /* nodes of the highest level, then of those below */
    size_t room[MERKLE_MAX_LEVELS + 1], total = 0;
    for (unsigned level = n_levels + 1; level-- > 0;) {
        room[level] = n < most ? n : (size_t)most;
        total += room[level];
        most *= level > 0 ? tree_shape_arity(shape, level - 1) : 1;
    }
    CUZK_ASSERT(n > 0 && n <= most && indexes[n - 1] < most);
    *tree = (sparse_tree){.shape = *shape, .filler = *filler, .account = ctx->account};
    size_t len_bytes = total * (sizeof(uint64_t) + sizeof(digest));
    cuzk_status status = take_memory(&tree->memory, ctx->account, len_bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    tree->charged_bytes = len_bytes;
    uint64_t *numbers = tree->memory;
    digest *nodes = (digest *)(numbers + total);
    for (unsigned level = 0; level <= n_levels; level++) {
        tree->levels[level].indexes = numbers;
        tree->levels[level].nodes = nodes;
        numbers += room[level];
        nodes += room[level];
    }
    memcpy(tree->levels[0].indexes, indexes, n * sizeof *indexes);
    memcpy(tree->levels[0].nodes, leaves, n * sizeof *leaves);
    tree->levels[0].n = n;
    for (unsigned level = 0; level < n_levels && status == CUZK_OK; level++) {
        struct sparse_level *upper = &tree->levels[level + 1];
        list_parents(upper, &tree->levels[level], tree_shape_arity(shape, level));
        level_task task = {.tree = tree, .level = level, .n_nodes = upper->n};
        status = cuzk_pool_run(ctx, n_level_tasks(upper->n), hash_sparse, &task, err);
    }
    if (status != CUZK_OK) {
        cuzk_sparse_tree_clear(tree);
    }
    return status;
}

void cuzk_sparse_tree_clear(sparse_tree *tree) {
    free(tree->memory);
    cuzk_account_release(tree->account, tree->charged_bytes);
    *tree = (sparse_tree){0};
}

const digest *cuzk_sparse_tree_root(const sparse_tree *tree) {
    return tree->levels[tree_shape_levels(&tree->shape)].nodes;
}

void cuzk_sparse_tree_open(merkle_proof *path, digest *siblings, const sparse_tree *tree,
                           uint64_t leaf) {
    CUZK_ASSERT(find(&tree->levels[0], leaf) < tree->levels[0].n);
    open_path(path, siblings, &tree->shape, sparse_node, tree, leaf);
}

/* ---- fold trees ---- */

/* Of a node of that level. */
static unsigned fold(const tree_shape *shape, unsigned level, uint64_t index) {
    unsigned x = 0;
    for (; level < tree_shape_levels(shape); level++) {
        unsigned arity = tree_shape_arity(shape, level);
        x ^= (unsigned)(index % arity);
        index /= arity;
    }
    return x;
}

unsigned cuzk_fold(const tree_shape *shape, uint64_t leaf) { return fold(shape, 0, leaf); }

const digest *cuzk_fold_tree_node(const fold_tree *tree, unsigned level, uint64_t index) {
    const struct fold_level *l = &tree->levels[level];
    CUZK_DEBUG_ASSERT(index >> l->log2_n == 0);
    if (!l->folded) {
        return &l->nodes[index];
    }
    uint64_t run = index >> (l->log2_n - tree->log2_runs);
    return &l->nodes[run * tree->n_folds + fold(&tree->shape, level, index)];
}

/* Values that a level holds. */
static size_t n_values(const fold_tree *tree, unsigned level) {
    const struct fold_level *l = &tree->levels[level];
    return l->folded ? (size_t)tree->n_folds << tree->log2_runs : (size_t)1 << l->log2_n;
}

static void hash_fold(void *arg, size_t task, unsigned worker) {
    (void)worker;
    const level_task *t = arg;
    const fold_tree *tree = t->tree;
    const struct fold_level *lower = &tree->levels[t->level], *upper = lower + 1;
    unsigned arity = tree_shape_arity(&tree->shape, t->level);
    for (size_t i = task * TASK_NODES; i < t->n_nodes && i < (task + 1) * TASK_NODES; i++) {
        const digest *children[MAX_ARITY];
        for (unsigned c = 0; c < arity; c++) {
            /* n_folds is a power of two and c below it: the fold changes, the run stays */
            children[c] = upper->folded ? &lower->nodes[i ^ c]
                                        : cuzk_fold_tree_node(tree, t->level, i * arity + c);
        }
        hash_children(&upper->nodes[i], children, arity, tree->sha256);
    }
}

/* Which levels are folded, and where their values lie. */
static cuzk_status lay_out(fold_tree *tree, const cuzk_ctx *ctx, cuzk_error *err) {
    unsigned n_levels = tree_shape_levels(&tree->shape);
    unsigned log2_values = tree->log2_runs + (unsigned)__builtin_ctz(tree->n_folds);
    unsigned log2_n = 0;
    size_t total = 0;
    for (unsigned level = n_levels + 1; level-- > 0;) {
        tree->levels[level].log2_n = log2_n;
        tree->levels[level].folded = log2_n >= log2_values;
        total += n_values(tree, level);
        if (level > 0) {
            unsigned arity = tree_shape_arity(&tree->shape, level - 1);
            CUZK_ASSERT((arity & (arity - 1)) == 0 && arity <= tree->n_folds);
            log2_n += (unsigned)__builtin_ctz(arity);
        }
    }
    CUZK_ASSERT(tree->levels[0].folded);
    size_t len_bytes = total * sizeof(digest);
    cuzk_status status = take_memory(&tree->memory, ctx->account, len_bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    tree->charged_bytes = len_bytes;
    digest *nodes = tree->memory;
    for (unsigned level = 0; level <= n_levels; level++) {
        tree->levels[level].nodes = nodes;
        nodes += n_values(tree, level);
    }
    return CUZK_OK;
}

cuzk_status cuzk_fold_tree_grow(fold_tree *tree, const cuzk_ctx *ctx, const tree_shape *shape,
                                bool sha256, unsigned log2_runs, const digest *leaves,
                                cuzk_error *err) {
    *tree = (fold_tree){
        .shape = *shape, .sha256 = sha256, .log2_runs = log2_runs, .account = ctx->account};
    for (unsigned level = 0; level < tree_shape_levels(shape); level++) {
        unsigned arity = tree_shape_arity(shape, level);
        tree->n_folds = arity > tree->n_folds ? arity : tree->n_folds;
    }
    CUZK_ASSERT(tree->n_folds <= MAX_ARITY && (!sha256 || tree->n_folds == 2));
    cuzk_status status = lay_out(tree, ctx, err);
    if (status != CUZK_OK) {
        return status;
    }
    memcpy(tree->levels[0].nodes, leaves, n_values(tree, 0) * sizeof *leaves);
    for (unsigned level = 0; level < tree_shape_levels(shape) && status == CUZK_OK; level++) {
        level_task task = {.tree = tree, .level = level, .n_nodes = n_values(tree, level + 1)};
        status = cuzk_pool_run(ctx, n_level_tasks(task.n_nodes), hash_fold, &task, err);
    }
    if (status != CUZK_OK) {
        cuzk_fold_tree_clear(tree);
    }
    return status;
}

void cuzk_fold_tree_clear(fold_tree *tree) {
    free(tree->memory);
    cuzk_account_release(tree->account, tree->charged_bytes);
    *tree = (fold_tree){0};
}

const digest *cuzk_fold_tree_root(const fold_tree *tree) {
    return cuzk_fold_tree_node(tree, tree_shape_levels(&tree->shape), 0);
}

static void fold_node(digest *node, const void *tree, unsigned level, uint64_t index) {
    *node = *cuzk_fold_tree_node(tree, level, index);
}

void cuzk_fold_tree_open(merkle_proof *path, digest *siblings, const fold_tree *tree,
                         uint64_t leaf) {
    open_path(path, siblings, &tree->shape, fold_node, tree, leaf);
}
