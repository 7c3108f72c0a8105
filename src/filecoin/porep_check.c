/* The document first, then every challenge by itself. */
#include "filecoin/porep_check.h"

#include <inttypes.h>

#include "filecoin/challenges.h"
#include "filecoin/graph.h"
#include "filecoin/identity.h"
#include "filecoin/merkle.h"
#include "hash/poseidon.h"

/* What all challenges share. */
typedef struct check {
    const porep_proof *proof;
    const sector_size *size;
    tree_shape tree_d;
    porep_graph graph;
    digest comm_c, comm_r_last;
    uint64_t challenges[POREP_MAX_PARTITIONS * POREP_MAX_CHALLENGES];
    atomic_size_t first_bad; /* lowest number of a failing challenge, SIZE_MAX if none yet */
} check;

static cuzk_status prefixed(cuzk_status status, cuzk_error *err, const char *prefix) {
    if (status != CUZK_OK) {
        cuzk_error_prefix(err, "%s: ", prefix);
    }
    return status;
}

/* Counts and proof type: whatever else is checked may rely on them. */
static cuzk_status check_counts(const porep_proof *proof, const porep_request *request,
                                cuzk_error *err) {
    const seal_proof_type *type = proof->type;
    if (request != NULL && request->has_registered_proof &&
        request->registered_proof != type->number) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the request is for registered proof %" PRIu64
                         ", the vanilla proof is of registered proof %u (%s)",
                         request->registered_proof, type->number, type->name);
    }
    if (proof->n_partitions < type->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT, "partition %u >= vanilla_proofs.len() %u: %s needs %u",
                         proof->n_partitions, proof->n_partitions, type->name, type->n_partitions);
    }
    if (proof->n_partitions > type->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT, "number of partitions: %u, should be %u for %s",
                         proof->n_partitions, type->n_partitions, type->name);
    }
    if (proof->n_challenges != type->n_challenges) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "number of challenges in a partition: %u, should be %u for %s",
                         proof->n_challenges, type->n_challenges, type->name);
    }
    return CUZK_OK;
}

/* comm_r = H(comm_c, comm_r_last), with the roots that challenge 0 states: all others must state
 * the same ones. */
static cuzk_status check_comm_r(check *c, cuzk_error *err) {
    const porep_challenge_proof *first = &c->proof->challenges[0];
    c->comm_c = first->c_x.inclusion.root;
    c->comm_r_last = first->comm_r_last.root;
    digest comm_r;
    if (!cuzk_digest_is_fr(&c->comm_c)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "partition 0, challenge 0: TreeC root is not below the field modulus");
    }
    if (!cuzk_digest_is_fr(&c->comm_r_last)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "partition 0, challenge 0: TreeR root is not below the field modulus");
    }
    cuzk_comm_r(&comm_r, &c->comm_c, &c->comm_r_last);
    if (!digest_eq(&comm_r, &c->proof->comm_r)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "comm_r is not the hash of the roots of TreeC and TreeR");
    }
    return CUZK_OK;
}

static cuzk_status check_document(check *c, const porep_request *request, cuzk_error *err) {
    const porep_proof *proof = c->proof;
    cuzk_status status = check_counts(proof, request, err);
    if (status != CUZK_OK) {
        return status;
    }
    const porep_request nobody = {0};
    porep_statement statement = cuzk_porep_statement_of(proof, request != NULL ? request : &nobody);
    status = cuzk_porep_statement_check(&statement, err);
    if (status != CUZK_OK) {
        return status;
    }
    porep_challenge_source source = {.type = proof->type,
                                     .replica_id = proof->replica_id,
                                     .comm_r = proof->comm_r,
                                     .seed = proof->seed};
    digest derived;
    cuzk_porep_statement_replica_id(&derived, &statement);
    if (request != NULL && !digest_eq(&derived, &proof->replica_id)) {
        status = cuzk_fail(err, CUZK_E_INCONSISTENT,
                           "miner/sector/ticket do not match the vanilla proof: replica_id is not "
                           "that of miner %" PRIu64 ", sector %" PRIu64 ", %s",
                           request->miner_id, request->sector_number, proof->type->name);
        if (err != NULL) {
            err->sector = (int64_t)request->sector_number;
        }
        return status;
    }
    for (unsigned k = 0; k < proof->n_partitions; k++) {
        cuzk_porep_challenges(c->challenges + (size_t)k * proof->n_challenges, &source, k);
    }
    digest porep_id;
    cuzk_porep_id(&porep_id, proof->type->number);
    cuzk_graph_init(&c->graph, c->size->nodes, proof->type->version, &porep_id);
    return check_comm_r(c, err);
}

/* ---- a challenge: what its document says of itself first, then all hashes of columns, then all
 * paths of TreeC and TreeR, so that they are hashed side by side ---- */

#define N_COLUMNS (1 + POREP_PARENTS) /* c_x first */
#define N_PATHS (N_COLUMNS + 1)       /* those of the columns, then TreeR's */
_Static_assert(N_PATHS <= MERKLE_MAX_TOGETHER, "the paths of a challenge are hashed together");

static const porep_column *column_of(const porep_challenge_proof *p, unsigned i) {
    return i == 0 ? &p->c_x : &p->parents[i - 1];
}

static cuzk_status in_column(cuzk_status status, unsigned i, cuzk_error *err) {
    if (i == 0) {
        return prefixed(status, err, "c_x");
    }
    if (status != CUZK_OK) {
        unsigned parent = i - 1;
        bool drg = parent < POREP_DRG_PARENTS;
        cuzk_error_prefix(err, "%s[%u]: ", drg ? "drg_parents" : "exp_parents",
                          drg ? parent : parent - POREP_DRG_PARENTS);
    }
    return status;
}

/* The column is of that node, and so is its path; rows gets the values. */
static cuzk_status read_column(const check *c, fr *rows, const porep_column *column, uint64_t node,
                               cuzk_error *err) {
    if (column->index != node) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the column is of node %" PRIu32 ", should be %" PRIu64, column->index,
                         node);
    }
    cuzk_status status = cuzk_merkle_check_index(&c->size->shape, &column->inclusion, node, err);
    if (status != CUZK_OK) {
        return prefixed(status, err, "TreeC path");
    }
    for (unsigned layer = 0; layer < c->size->n_layers; layer++) {
        if (!cuzk_fr_read_le(&rows[layer], column->rows[layer].bytes)) {
            return cuzk_fail(err, CUZK_E_INPUT, "column row %u is not below the field modulus",
                             layer);
        }
    }
    return CUZK_OK;
}

/* The columns' rows hash to the leaves of their paths, which the first N_COLUMNS of leaves get. */
static cuzk_status check_columns(const check *c, fr *leaves, const porep_challenge_proof *p,
                                 uint64_t node, cuzk_error *err) {
    const unsigned n_layers = c->size->n_layers;
    fr rows[N_COLUMNS * FILECOIN_MAX_LAYERS];
    uint64_t nodes[N_COLUMNS] = {node};
    cuzk_graph_parents(&c->graph, nodes + 1, node);
    for (unsigned i = 0; i < N_COLUMNS; i++) {
        cuzk_status status =
            read_column(c, rows + (size_t)i * n_layers, column_of(p, i), nodes[i], err);
        if (status != CUZK_OK) {
            return in_column(status, i, err);
        }
    }
    cuzk_poseidon_many(leaves, cuzk_poseidon_kind_of_arity(n_layers), rows, N_COLUMNS);
    for (unsigned i = 0; i < N_COLUMNS; i++) {
        digest leaf;
        cuzk_fr_write_le(leaf.bytes, &leaves[i]);
        if (!digest_eq(&leaf, &column_of(p, i)->inclusion.leaf)) {
            return in_column(cuzk_fail(err, CUZK_E_INCONSISTENT,
                                       "TreeC path: the leaf is not the hash of the column"),
                             i, err);
        }
    }
    return CUZK_OK;
}

static cuzk_status in_path(cuzk_status status, unsigned i, cuzk_error *err) {
    return i == N_COLUMNS ? prefixed(status, err, "TreeR path")
                          : in_column(prefixed(status, err, "TreeC path"), i, err);
}

/* From the leaves, N_PATHS of them, to comm_c and comm_r_last. */
static cuzk_status check_paths(const check *c, const fr *leaves, const porep_challenge_proof *p,
                               cuzk_error *err) {
    const merkle_proof *paths[N_PATHS];
    fr roots[N_PATHS];
    size_t bad;
    for (unsigned i = 0; i < N_COLUMNS; i++) {
        paths[i] = &column_of(p, i)->inclusion;
    }
    paths[N_COLUMNS] = &p->comm_r_last;
    cuzk_status status =
        cuzk_merkle_poseidon(roots, &c->size->shape, paths, leaves, N_PATHS, &bad, err);
    if (status != CUZK_OK) {
        return in_path(status, (unsigned)bad, err);
    }
    for (unsigned i = 0; i < N_PATHS; i++) {
        const bool is_column = i < N_COLUMNS;
        digest computed;
        cuzk_fr_write_le(computed.bytes, &roots[i]);
        status =
            cuzk_merkle_check_root(paths[i], &computed, is_column ? &c->comm_c : &c->comm_r_last,
                                   is_column ? "comm_c" : "comm_r_last", err);
        if (status != CUZK_OK) {
            return in_path(status, i, err);
        }
    }
    return CUZK_OK;
}

/* The challenged column is what its parents' columns imply. */
static cuzk_status check_labels(const check *c, const porep_challenge_proof *p, uint64_t node,
                                cuzk_error *err) {
    for (unsigned layer = 1; layer <= c->size->n_layers; layer++) {
        const digest *parents[POREP_PARENTS];
        for (unsigned i = 0; i < POREP_DRG_PARENTS; i++) {
            parents[i] = &p->parents[i].rows[layer - 1];
        }
        for (unsigned i = POREP_DRG_PARENTS; i < POREP_PARENTS && layer > 1; i++) {
            parents[i] = &p->parents[i].rows[layer - 2];
        }
        digest label;
        cuzk_label(&label, &c->proof->replica_id, layer, node, parents,
                   layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS);
        if (!digest_eq(&label, &p->c_x.rows[layer - 1])) {
            return cuzk_fail(err, CUZK_E_INCONSISTENT,
                             "c_x: column row %u is not the label that the parents give",
                             layer - 1);
        }
    }
    return CUZK_OK;
}

static cuzk_status check_data(const check *c, const porep_challenge_proof *p, uint64_t node,
                              cuzk_error *err) {
    digest nodes[MERKLE_MAX_LEVELS + 1];
    cuzk_status status = cuzk_merkle_check_index(&c->tree_d, &p->comm_d, node, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_merkle_sha256(nodes, &c->tree_d, &p->comm_d, &p->comm_d.leaf, err);
    if (status != CUZK_OK) {
        return status;
    }
    return cuzk_merkle_check_root(&p->comm_d, &nodes[p->comm_d.n_levels], &c->proof->comm_d,
                                  "comm_d", err);
}

/* Replica leaf = key + data, which leaf gets; both are known to be field elements. */
static cuzk_status check_replica(const check *c, fr *leaf, const porep_challenge_proof *p,
                                 uint64_t node, cuzk_error *err) {
    cuzk_status status = cuzk_merkle_check_index(&c->size->shape, &p->comm_r_last, node, err);
    if (status != CUZK_OK) {
        return status;
    }
    fr key, data;
    digest encoded;
    bool read = cuzk_fr_read_le(&key, p->c_x.rows[c->size->n_layers - 1].bytes) &&
                cuzk_fr_read_le(&data, p->comm_d.leaf.bytes);
    CUZK_ASSERT(read);
    fr_add(leaf, &key, &data);
    cuzk_fr_write_le(encoded.bytes, leaf);
    if (!digest_eq(&encoded, &p->comm_r_last.leaf)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT, "the leaf is not the data leaf plus the label");
    }
    return CUZK_OK;
}

static cuzk_status check_challenge(const check *c, size_t number, cuzk_error *err) {
    const porep_challenge_proof *p = &c->proof->challenges[number];
    uint64_t node = c->challenges[number];
    fr leaves[N_PATHS];
    if (p->node != node) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the vanilla proof is of node %" PRIu64 ", the challenge is node %" PRIu64,
                         p->node, node);
    }
    cuzk_status status = check_columns(c, leaves, p, node, err);
    if (status == CUZK_OK) {
        status = check_labels(c, p, node, err);
    }
    if (status == CUZK_OK) {
        status = prefixed(check_data(c, p, node, err), err, "TreeD path");
    }
    if (status == CUZK_OK) {
        status = prefixed(check_replica(c, &leaves[N_COLUMNS], p, node, err), err, "TreeR path");
    }
    return status == CUZK_OK ? check_paths(c, leaves, p, err) : status;
}

/* Texts are not made here: the lowest failing challenge is checked again for that, which also keeps
 * the result the same whatever order the tasks run in. */
static void check_task(void *arg, size_t number, unsigned worker) {
    (void)worker;
    check *c = arg;
    size_t bad = atomic_load_explicit(&c->first_bad, memory_order_relaxed);
    if (number < bad && check_challenge(c, number, NULL) != CUZK_OK) {
        while (number < bad && !atomic_compare_exchange_weak(&c->first_bad, &bad, number)) {
        }
    }
}

cuzk_status cuzk_porep_check(const cuzk_ctx *ctx, const porep_proof *proof,
                             const porep_request *request, cuzk_error *err) {
    check c = {.proof = proof,
               .size = proof->type->size,
               .tree_d = tree_shape_binary(proof->type->size->log2_nodes),
               .first_bad = SIZE_MAX};
    cuzk_status status = check_document(&c, request, err);
    if (status != CUZK_OK) {
        return status;
    }
    status =
        cuzk_pool_run(ctx, (size_t)proof->n_partitions * proof->n_challenges, check_task, &c, err);
    size_t bad = c.first_bad;
    if (status != CUZK_OK || bad == SIZE_MAX) {
        return status;
    }
    status = check_challenge(&c, bad, err);
    CUZK_ASSERT(status != CUZK_OK);
    unsigned partition = (unsigned)(bad / proof->n_challenges);
    unsigned challenge = (unsigned)(bad % proof->n_challenges);
    cuzk_error_prefix(err, "partition %u, challenge %u: ", partition, challenge);
    if (err != NULL) {
        err->partition = partition;
        err->challenge = challenge;
    }
    return status;
}
