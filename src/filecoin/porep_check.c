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
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "miner/sector/ticket do not match the vanilla proof: replica_id is not "
                         "that of miner %" PRIu64 ", sector %" PRIu64 ", %s",
                         request->miner_id, request->sector_number, proof->type->name);
    }
    for (unsigned k = 0; k < proof->n_partitions; k++) {
        cuzk_porep_challenges(c->challenges + (size_t)k * proof->n_challenges, &source, k);
    }
    digest porep_id;
    cuzk_porep_id(&porep_id, proof->type->number);
    cuzk_graph_init(&c->graph, c->size->nodes, proof->type->version, &porep_id);
    return check_comm_r(c, err);
}

static cuzk_status check_poseidon_path(const check *c, const merkle_proof *path, const fr *leaf,
                                       const digest *root, const char *name, cuzk_error *err) {
    fr nodes[MERKLE_MAX_LEVELS + 1];
    digest computed;
    cuzk_status status = cuzk_merkle_poseidon(nodes, &c->size->shape, path, leaf, err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_fr_write_le(computed.bytes, &nodes[path->n_levels]);
    return cuzk_merkle_check_root(path, &computed, root, name, err);
}

/* The column's rows hash to the leaf, and that leads to comm_c. */
static cuzk_status check_column(const check *c, const porep_column *column, uint64_t node,
                                cuzk_error *err) {
    unsigned n_layers = c->size->n_layers;
    fr rows[FILECOIN_MAX_LAYERS], hash;
    digest leaf;
    if (column->index != node) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the column is of node %" PRIu32 ", should be %" PRIu64, column->index,
                         node);
    }
    cuzk_status status = cuzk_merkle_check_index(&c->size->shape, &column->inclusion, node, err);
    if (status != CUZK_OK) {
        return prefixed(status, err, "TreeC path");
    }
    for (unsigned layer = 0; layer < n_layers; layer++) {
        if (!cuzk_fr_read_le(&rows[layer], column->rows[layer].bytes)) {
            return cuzk_fail(err, CUZK_E_INPUT, "column row %u is not below the field modulus",
                             layer);
        }
    }
    cuzk_poseidon(&hash, cuzk_poseidon_kind_of_arity(n_layers), rows);
    cuzk_fr_write_le(leaf.bytes, &hash);
    if (!digest_eq(&leaf, &column->inclusion.leaf)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "TreeC path: the leaf is not the hash of the column");
    }
    return prefixed(check_poseidon_path(c, &column->inclusion, &hash, &c->comm_c, "comm_c", err),
                    err, "TreeC path");
}

static cuzk_status check_columns(const check *c, const porep_challenge_proof *p, uint64_t node,
                                 cuzk_error *err) {
    cuzk_status status = check_column(c, &p->c_x, node, err);
    if (status != CUZK_OK) {
        return prefixed(status, err, "c_x");
    }
    uint64_t parents[POREP_PARENTS];
    cuzk_graph_parents(&c->graph, parents, node);
    for (unsigned i = 0; i < POREP_PARENTS; i++) {
        status = check_column(c, &p->parents[i], parents[i], err);
        if (status != CUZK_OK) {
            bool drg = i < POREP_DRG_PARENTS;
            cuzk_error_prefix(err, "%s[%u]: ", drg ? "drg_parents" : "exp_parents",
                              drg ? i : i - POREP_DRG_PARENTS);
            return status;
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

/* Replica leaf = key + data; the other parts of the challenge are known to be field elements. */
static cuzk_status check_replica(const check *c, const porep_challenge_proof *p, uint64_t node,
                                 cuzk_error *err) {
    cuzk_status status = cuzk_merkle_check_index(&c->size->shape, &p->comm_r_last, node, err);
    if (status != CUZK_OK) {
        return status;
    }
    fr key, data, encoded;
    digest leaf;
    bool read = cuzk_fr_read_le(&key, p->c_x.rows[c->size->n_layers - 1].bytes) &&
                cuzk_fr_read_le(&data, p->comm_d.leaf.bytes);
    CUZK_ASSERT(read); /* both were checked before */
    fr_add(&encoded, &key, &data);
    cuzk_fr_write_le(leaf.bytes, &encoded);
    if (!digest_eq(&leaf, &p->comm_r_last.leaf)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT, "the leaf is not the data leaf plus the label");
    }
    return check_poseidon_path(c, &p->comm_r_last, &encoded, &c->comm_r_last, "comm_r_last", err);
}

static cuzk_status check_challenge(const check *c, size_t number, cuzk_error *err) {
    const porep_challenge_proof *p = &c->proof->challenges[number];
    uint64_t node = c->challenges[number];
    if (p->node != node) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the vanilla proof is of node %" PRIu64 ", the challenge is node %" PRIu64,
                         p->node, node);
    }
    cuzk_status status = check_columns(c, p, node, err);
    if (status == CUZK_OK) {
        status = check_labels(c, p, node, err);
    }
    if (status == CUZK_OK) {
        status = prefixed(check_data(c, p, node, err), err, "TreeD path");
    }
    if (status == CUZK_OK) {
        status = prefixed(check_replica(c, p, node, err), err, "TreeR path");
    }
    return status;
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
