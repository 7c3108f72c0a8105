/* From data to challenges to labels to trees, each step over the opened nodes only. */
#include "filecoin/fabricate_porep.h"

#include <stdlib.h>

#include "base/checked.h"
#include "filecoin/challenges.h"
#include "filecoin/fabricate_tree.h"
#include "filecoin/graph.h"
#include "filecoin/identity.h"
#include "filecoin/merkle.h"
#include "filecoin/porep_inputs.h"
#include "hash/poseidon.h"

#define TASK_COLUMNS 128 /* of a hashing task: below 10 ms */
#define CANCEL_LABELS 256

/* A node whose labels are computed. */
typedef struct labelled_node {
    uint32_t place;                  /* among the opened nodes */
    uint32_t parents[POREP_PARENTS]; /* likewise */
} labelled_node;

struct fabricated_porep {
    porep_proof document;
    uint64_t seed;
    porep_graph graph;
    uint64_t challenges[POREP_MAX_PARTITIONS * POREP_MAX_CHALLENGES];
    size_t n_challenges;

    uint64_t *opened; /* ascending */
    size_t n_opened;
    labelled_node *labelled; /* ascending */
    size_t n_labelled;
    digest *columns; /* of each opened node its labels, layer 1 first */

    fold_tree tree_d;
    sparse_tree tree_c, tree_r;
    porep_challenge_proof challenge; /* the last one asked for */
    digest *siblings;                /* its */
    cuzk_account *account;
    size_t charged_bytes;
};

/* Charged, zeroed memory; NULL after a failure, which *status then says. */
static void *take(fabricated_porep *f, size_t n, size_t each_bytes, cuzk_status *status,
                  cuzk_error *err) {
    size_t len_bytes;
    bool fits = size_mul(&len_bytes, n, each_bytes);
    CUZK_ASSERT(fits); /* at most POREP_PARENTS + 1 digests for each node of a sealed sector */
    if (*status == CUZK_OK) {
        *status = cuzk_account_reserve(f->account, len_bytes, "a fabricated PoRep", err);
    }
    if (*status != CUZK_OK) {
        return NULL;
    }
    f->charged_bytes += len_bytes;
    void *memory = calloc(n, each_bytes);
    if (memory == NULL) {
        *status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a fabricated PoRep");
    }
    return memory;
}

/* Frees what `take` gave for the same n and each_bytes, or NULL. */
static void give_back(fabricated_porep *f, void *memory, size_t n, size_t each_bytes) {
    if (memory != NULL) {
        free(memory);
        cuzk_account_release(f->account, n * each_bytes);
        f->charged_bytes -= n * each_bytes;
    }
}

static void make_value(digest *value, const fabricated_porep *f, const char *purpose, uint64_t a,
                       uint64_t b) {
    const fabricate_source source = {
        .seed = f->seed, .purpose = purpose, .number = f->document.sector_number};
    cuzk_fabricate_value(value, &source, a, b);
}

static bool is_sealed(const fabricated_porep *f) {
    return f->document.type->feature != POREP_INTERACTIVE;
}

/* ---- data and ids ---- */

static cuzk_status make_data(fabricated_porep *f, const cuzk_ctx *ctx, uint64_t miner_id,
                             cuzk_error *err) {
    porep_proof *d = &f->document;
    const tree_shape shape = tree_shape_binary(d->type->size->log2_nodes);
    digest leaves[2], porep_id;
    make_value(&leaves[0], f, "data", 0, 0);
    make_value(&leaves[1], f, "data", 1, 0);
    cuzk_status status = cuzk_fold_tree_grow(&f->tree_d, ctx, &shape, true, 0, leaves, err);
    if (status != CUZK_OK) {
        return status;
    }
    d->comm_d = *cuzk_fold_tree_root(&f->tree_d);
    make_value(&d->ticket, f, "ticket", 0, 0);
    make_value(&d->seed, f, "seed", 0, 0);
    const porep_request request = {.miner_id = miner_id, .sector_number = d->sector_number};
    const porep_statement statement = cuzk_porep_statement_of(d, &request);
    cuzk_porep_statement_replica_id(&d->replica_id, &statement);
    cuzk_porep_id(&porep_id, d->type->number);
    cuzk_graph_init(&f->graph, d->type->size->nodes, d->type->version, &porep_id);
    return CUZK_OK;
}

static void derive_challenges(fabricated_porep *f) {
    const porep_proof *d = &f->document;
    const porep_challenge_source source = {
        .type = d->type, .replica_id = d->replica_id, .comm_r = d->comm_r, .seed = d->seed};
    for (unsigned k = 0; k < d->n_partitions; k++) {
        cuzk_porep_challenges(f->challenges + (size_t)k * d->n_challenges, &source, k);
    }
}

/* ---- which nodes ---- */

static uint32_t place_of(const fabricated_porep *f, uint64_t node) {
    size_t place = cuzk_find_node(f->opened, f->n_opened, node);
    CUZK_ASSERT(place < f->n_opened);
    return (uint32_t)place;
}

/* Sealing opens all nodes; else the challenges and their parents are. */
static cuzk_status choose_nodes(fabricated_porep *f, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    uint64_t n_nodes = f->graph.nodes;
    const size_t most_labelled = is_sealed(f) ? n_nodes : f->n_challenges;
    size_t n_labelled = most_labelled;
    size_t n_opened = is_sealed(f) ? n_nodes : n_labelled * (1 + POREP_PARENTS);
    uint64_t *labelled = take(f, most_labelled, sizeof *labelled, &status, err);
    f->opened = take(f, n_opened, sizeof *f->opened, &status, err);
    f->labelled = take(f, n_labelled, sizeof *f->labelled, &status, err);
    if (status != CUZK_OK) {
        give_back(f, labelled, most_labelled, sizeof *labelled);
        return status;
    }
    if (is_sealed(f)) {
        for (uint64_t node = 0; node < n_nodes; node++) {
            labelled[node] = f->opened[node] = node;
        }
    } else {
        memcpy(labelled, f->challenges, n_labelled * sizeof *labelled);
        n_labelled = cuzk_sort_nodes(labelled, n_labelled);
        n_opened = 0;
        for (size_t i = 0; i < n_labelled; i++) {
            f->opened[n_opened++] = labelled[i];
            cuzk_graph_parents(&f->graph, f->opened + n_opened, labelled[i]);
            n_opened += POREP_PARENTS;
        }
        n_opened = cuzk_sort_nodes(f->opened, n_opened);
    }
    f->n_opened = n_opened;
    f->n_labelled = n_labelled;
    for (size_t i = 0; i < n_labelled; i++) {
        uint64_t parents[POREP_PARENTS];
        cuzk_graph_parents(&f->graph, parents, labelled[i]);
        f->labelled[i].place = place_of(f, labelled[i]);
        for (unsigned k = 0; k < POREP_PARENTS; k++) {
            f->labelled[i].parents[k] = place_of(f, parents[k]);
        }
    }
    give_back(f, labelled, most_labelled, sizeof *labelled);
    return CUZK_OK;
}

/* ---- labels ---- */

static digest *label_of(const fabricated_porep *f, uint32_t place, unsigned layer) {
    return &f->columns[(size_t)place * f->document.type->size->n_layers + layer - 1];
}

static void compute_label(fabricated_porep *f, const labelled_node *node, unsigned layer) {
    const digest *parents[POREP_PARENTS];
    unsigned n = layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
    for (unsigned i = 0; i < n; i++) {
        parents[i] = label_of(f, node->parents[i], i < POREP_DRG_PARENTS ? layer : layer - 1);
    }
    uint64_t number = f->opened[node->place];
    cuzk_label(label_of(f, node->place, layer), &f->document.replica_id, layer, number, parents,
               number == 0 ? 0 : n);
}

/* Layer after layer, nodes in ascending order: DRG parents are then known. */
static cuzk_status make_labels(fabricated_porep *f, const cuzk_ctx *ctx, cuzk_error *err) {
    unsigned n_layers = f->document.type->size->n_layers;
    cuzk_status status = CUZK_OK;
    f->columns = take(f, f->n_opened, n_layers * sizeof *f->columns, &status, err);
    if (status != CUZK_OK) {
        return status;
    }
    for (unsigned layer = 1; layer <= n_layers; layer++) {
        size_t next = 0; /* of the labelled nodes */
        for (size_t i = 0; i < f->n_opened; i++) {
            if (i % CANCEL_LABELS == 0 && cuzk_ctx_cancelled(ctx)) {
                return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
            }
            if (next < f->n_labelled && f->labelled[next].place == i) {
                compute_label(f, &f->labelled[next++], layer);
            } else {
                make_value(label_of(f, (uint32_t)i, layer), f, "label", layer, f->opened[i]);
            }
        }
        cuzk_ctx_progress(ctx, "labels", layer, n_layers);
    }
    return CUZK_OK;
}

/* ---- trees ---- */

typedef struct leaf_task {
    const fabricated_porep *f;
    digest *columns; /* hashed, of each opened node */
    uint64_t *nodes; /* labelled ones */
    digest *replica; /* theirs */
} leaf_task;

static void read_fr(fr *r, const digest *d) {
    bool below = cuzk_fr_read_le(r, d->bytes);
    CUZK_ASSERT(below);
}

static void hash_columns(void *arg, size_t task, unsigned worker) {
    (void)worker;
    leaf_task *t = arg;
    unsigned n_layers = t->f->document.type->size->n_layers;
    poseidon_kind kind = cuzk_poseidon_kind_of_arity(n_layers);
    for (size_t i = task * TASK_COLUMNS; i < t->f->n_opened && i < (task + 1) * TASK_COLUMNS; i++) {
        fr rows[FILECOIN_MAX_LAYERS], hash;
        for (unsigned layer = 1; layer <= n_layers; layer++) {
            read_fr(&rows[layer - 1], label_of(t->f, (uint32_t)i, layer));
        }
        cuzk_poseidon(&hash, kind, rows);
        cuzk_fr_write_le(t->columns[i].bytes, &hash);
    }
}

/* Replica leaf = key + data. */
static void encode(leaf_task *t, size_t i) {
    const fabricated_porep *f = t->f;
    uint32_t place = f->labelled[i].place;
    fr key, data;
    t->nodes[i] = f->opened[place];
    read_fr(&key, label_of(f, place, f->document.type->size->n_layers));
    read_fr(&data, cuzk_fold_tree_node(&f->tree_d, 0, t->nodes[i]));
    fr_add(&key, &key, &data);
    cuzk_fr_write_le(t->replica[i].bytes, &key);
}

static cuzk_status make_trees(fabricated_porep *f, const cuzk_ctx *ctx, cuzk_error *err) {
    const tree_shape *shape = &f->document.type->size->shape;
    uint64_t number = f->document.sector_number;
    const fabricate_source filler_c = {f->seed, "tree-c", number};
    const fabricate_source filler_r = {f->seed, "tree-r", number};
    cuzk_status status = CUZK_OK;
    leaf_task task = {.f = f};
    task.columns = take(f, f->n_opened, sizeof *task.columns, &status, err);
    task.nodes = take(f, f->n_labelled, sizeof *task.nodes, &status, err);
    task.replica = take(f, f->n_labelled, sizeof *task.replica, &status, err);
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, (f->n_opened + TASK_COLUMNS - 1) / TASK_COLUMNS, hash_columns,
                               &task, err);
    }
    if (status == CUZK_OK) {
        cuzk_ctx_progress(ctx, "trees", 1, 3);
        status = cuzk_sparse_tree_grow(&f->tree_c, ctx, shape, &filler_c, f->opened, task.columns,
                                       f->n_opened, err);
    }
    if (status == CUZK_OK) {
        cuzk_ctx_progress(ctx, "trees", 2, 3);
        for (size_t i = 0; i < f->n_labelled; i++) {
            encode(&task, i);
        }
        status = cuzk_sparse_tree_grow(&f->tree_r, ctx, shape, &filler_r, task.nodes, task.replica,
                                       f->n_labelled, err);
    }
    if (status == CUZK_OK) {
        cuzk_ctx_progress(ctx, "trees", 3, 3);
        cuzk_comm_r(&f->document.comm_r, cuzk_sparse_tree_root(&f->tree_c),
                    cuzk_sparse_tree_root(&f->tree_r));
    }
    give_back(f, task.columns, f->n_opened, sizeof *task.columns);
    give_back(f, task.nodes, f->n_labelled, sizeof *task.nodes);
    give_back(f, task.replica, f->n_labelled, sizeof *task.replica);
    return status;
}

/* ---- the whole ---- */

cuzk_status cuzk_fabricate_porep(fabricated_porep **made, const cuzk_ctx *ctx,
                                 const seal_proof_type *type, uint64_t seed,
                                 const porep_request *request, cuzk_error *err) {
    *made = NULL;
    if (type->feature != POREP_INTERACTIVE && type->size->nodes > FABRICATE_MAX_SEALED_NODES) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED,
                         "the challenges of %s depend on the whole replica, and a sector of %s is "
                         "too large to be sealed here: interactive proof types only, or 8MiB",
                         type->name, type->size->name);
    }
    fabricated_porep *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a fabricated PoRep");
    }
    f->account = ctx->account;
    f->seed = seed;
    f->document = (porep_proof){.type = type,
                                .sector_number = request->sector_number,
                                .has_sector_number = true,
                                .n_partitions = type->n_partitions,
                                .n_challenges = type->n_challenges};
    f->n_challenges = (size_t)type->n_partitions * type->n_challenges;
    cuzk_status status = make_data(f, ctx, request->miner_id, err);
    if (status == CUZK_OK) {
        if (!is_sealed(f)) {
            derive_challenges(f);
        }
        status = choose_nodes(f, err);
    }
    if (status == CUZK_OK) {
        status = make_labels(f, ctx, err);
    }
    if (status == CUZK_OK) {
        status = make_trees(f, ctx, err);
    }
    if (status == CUZK_OK) {
        if (is_sealed(f)) {
            derive_challenges(f);
        }
        size_t n_siblings =
            type->size->log2_nodes + (2 + POREP_PARENTS) * cuzk_tree_siblings(&type->size->shape);
        f->siblings = take(f, n_siblings, sizeof *f->siblings, &status, err);
    }
    if (status != CUZK_OK) {
        cuzk_fabricated_porep_destroy(f);
        return status;
    }
    *made = f;
    return CUZK_OK;
}

void cuzk_fabricated_porep_destroy(fabricated_porep *f) {
    if (f == NULL) {
        return;
    }
    cuzk_fold_tree_clear(&f->tree_d);
    cuzk_sparse_tree_clear(&f->tree_c);
    cuzk_sparse_tree_clear(&f->tree_r);
    free(f->opened);
    free(f->labelled);
    free(f->columns);
    free(f->siblings);
    cuzk_account_release(f->account, f->charged_bytes);
    free(f);
}

const porep_proof *cuzk_fabricated_porep_document(const fabricated_porep *made) {
    return &made->document;
}

static void open_column(porep_column *column, digest *siblings, const fabricated_porep *f,
                        uint64_t node) {
    column->index = (uint32_t)node;
    column->rows = label_of(f, place_of(f, node), 1);
    cuzk_sparse_tree_open(&column->inclusion, siblings, &f->tree_c, node);
}

const porep_challenge_proof *cuzk_fabricated_porep_challenge(fabricated_porep *f, size_t number) {
    CUZK_ASSERT(number < f->n_challenges);
    porep_challenge_proof *c = &f->challenge;
    size_t n_siblings = cuzk_tree_siblings(&f->document.type->size->shape);
    digest *siblings = f->siblings;
    uint64_t parents[POREP_PARENTS];
    c->node = f->challenges[number];
    cuzk_graph_parents(&f->graph, parents, c->node);
    cuzk_fold_tree_open(&c->comm_d, siblings, &f->tree_d, c->node);
    siblings += f->document.type->size->log2_nodes;
    cuzk_sparse_tree_open(&c->comm_r_last, siblings, &f->tree_r, c->node);
    siblings += n_siblings;
    open_column(&c->c_x, siblings, f, c->node);
    for (unsigned i = 0; i < POREP_PARENTS; i++) {
        siblings += n_siblings;
        open_column(&c->parents[i], siblings, f, parents[i]);
    }
    return c;
}
