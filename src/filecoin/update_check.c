/* The statement first, then every partition: its commitments, its challenges, its apex. */
#include "filecoin/update_check.h"

#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/merkle.h"
#include "hash/poseidon.h"

#define GROUP 4 /* challenges of a task, two replica paths each, hashed side by side */
_Static_assert(2 * GROUP <= MERKLE_MAX_TOGETHER, "a task's paths are hashed together");

/* What all partitions share. */
typedef struct check {
    const update_statement *statement;
    const update_partition_proof *proofs;
    param_set set;
    tree_shape tree_d;
    unsigned partition_bits, apex_bits;
    fr phi;                  /* H(comm_d_new, comm_r_old) */
    uint64_t *nodes;         /* the challenges, partition after partition */
    atomic_size_t first_bad; /* lowest number of a failing task, SIZE_MAX if none yet */
} check;

static cuzk_status prefixed(cuzk_status status, cuzk_error *err, const char *prefix) {
    if (status != CUZK_OK) {
        cuzk_error_prefix(err, "%s: ", prefix);
    }
    return status;
}

/* ---- the statement ---- */

static cuzk_status check_counts(const check *c, size_t n_proofs, cuzk_error *err) {
    const param_set *set = &c->set;
    if (n_proofs < set->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "partition %zu >= vanilla_proofs.len() %zu: an update of %s needs %u",
                         n_proofs, n_proofs, set->size->name, set->n_partitions);
    }
    if (n_proofs > set->n_partitions) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "number of partitions: %zu, should be %u for an update of %s", n_proofs,
                         set->n_partitions, set->size->name);
    }
    for (unsigned k = 0; k < set->n_partitions; k++) {
        const update_partition_proof *p = &c->proofs[k];
        if (p->n_challenges != set->n_challenges || p->n_apex_leaves != set->n_apex_leaves) {
            cuzk_fail(err, CUZK_E_INPUT,
                      "partition %u: %u challenges and %u apex leaves, should be %u and %u", k,
                      p->n_challenges, p->n_apex_leaves, set->n_challenges, set->n_apex_leaves);
            if (err != NULL) {
                err->partition = k;
            }
            return CUZK_E_INPUT;
        }
    }
    return CUZK_OK;
}

/* Of a commitment that was checked. */
static fr fr_of(const digest *d) {
    fr x;
    bool below = cuzk_fr_read_le(&x, d->bytes);
    CUZK_ASSERT(below);
    return x;
}

static cuzk_status check_statement(check *c, size_t n_proofs, cuzk_error *err) {
    const update_statement *s = c->statement;
    if (!cuzk_param_set_of(&c->set, CIRCUIT_UPDATE, s->type->size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there are no updates of %s sectors",
                         s->type->size->name);
    }
    CUZK_ASSERT(c->set.n_apex_leaves <= UPDATE_MAX_APEX_LEAVES);
    c->tree_d = tree_shape_binary(c->set.log2_nodes);
    c->partition_bits = (unsigned)__builtin_ctz(c->set.n_partitions);
    c->apex_bits = (unsigned)__builtin_ctz(c->set.n_apex_leaves);
    cuzk_status status = cuzk_update_statement_check(s, err);
    if (status == CUZK_OK) {
        status = check_counts(c, n_proofs, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    size_t n_challenges = (size_t)c->set.n_partitions * c->set.n_challenges;
    c->nodes = malloc(n_challenges * sizeof *c->nodes);
    if (c->nodes == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the challenges of an update");
    }
    const fr comm_r_new = fr_of(&s->comm_r_new);
    for (unsigned k = 0; k < c->set.n_partitions; k++) {
        cuzk_update_challenges(c->nodes + (size_t)k * c->set.n_challenges, &c->set, &comm_r_new, k);
    }
    const fr in[2] = {fr_of(&s->comm_d_new), fr_of(&s->comm_r_old)};
    cuzk_poseidon(&c->phi, POSEIDON_GEN_2, in);
    return CUZK_OK;
}

/* ---- a partition ---- */

/* comm_c: below the field modulus */
static cuzk_status check_comm_r(const digest *comm_c, const digest *root, const digest *comm_r,
                                const char *name, cuzk_error *err) {
    digest computed;
    if (!cuzk_digest_is_fr(root)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "the root of the %s replica's tree is not below the field modulus", name);
    }
    cuzk_comm_r(&computed, comm_c, root);
    if (!digest_eq(&computed, comm_r)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "comm_r_%s is not the hash of comm_c and the root of the %s replica's "
                         "tree",
                         name, name);
    }
    return CUZK_OK;
}

/* With the roots that challenge 0 states: all others must state the same ones. */
static cuzk_status check_commitments(const check *c, unsigned partition, cuzk_error *err) {
    const update_partition_proof *proof = &c->proofs[partition];
    const update_challenge_proof *first = &proof->challenges[0];
    const digest *comm_c = &proof->comm_c;
    if (!cuzk_digest_is_fr(comm_c)) {
        return cuzk_fail(err, CUZK_E_INPUT, "comm_c is not below the field modulus");
    }
    cuzk_status status =
        check_comm_r(comm_c, &first->r_old.root, &c->statement->comm_r_old, "old", err);
    return status == CUZK_OK
               ? check_comm_r(comm_c, &first->r_new.root, &c->statement->comm_r_new, "new", err)
               : status;
}

/* The apex leaves hash up to the partition's node, and that to comm_d_new along the upper end of
 * challenge 0's path. */
static cuzk_status check_apex(const check *c, unsigned partition, cuzk_error *err) {
    const update_partition_proof *proof = &c->proofs[partition];
    const merkle_proof *path = &proof->challenges[0].d_new;
    cuzk_status status = cuzk_merkle_check_shape(&c->tree_d, path, err);
    if (status != CUZK_OK) {
        return status; /* challenge 0 is reported before */
    }
    digest row[UPDATE_MAX_APEX_LEAVES];
    for (unsigned i = 0; i < c->set.n_apex_leaves; i++) {
        row[i] = proof->apex_leaves[i];
        if (!cuzk_digest_is_fr(&row[i])) {
            return cuzk_fail(err, CUZK_E_INPUT, "apex leaf %u is not below the field modulus", i);
        }
    }
    for (unsigned n = c->set.n_apex_leaves / 2; n > 0; n /= 2) {
        for (unsigned i = 0; i < n; i++) {
            cuzk_tree_d_node(&row[i], &row[2 * i], &row[2 * i + 1]);
        }
    }
    digest node = row[0];
    const digest *sibling = &path->siblings[c->set.log2_nodes - c->partition_bits];
    for (unsigned i = 0; i < c->partition_bits; i++, sibling++) {
        bool right = partition >> i & 1;
        cuzk_tree_d_node(&node, right ? sibling : &node, right ? &node : sibling);
    }
    return digest_eq(&node, &c->statement->comm_d_new)
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INCONSISTENT, "the apex leaves do not lead to comm_d_new");
}

/* ---- a challenge ---- */

static cuzk_status read_leaf(fr *leaf, const merkle_proof *path, cuzk_error *err) {
    return cuzk_fr_read_le(leaf, path->leaf.bytes)
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT, "the leaf is not below the field modulus");
}

static cuzk_status check_data(const check *c, const update_partition_proof *proof,
                              const merkle_proof *path, uint64_t node, cuzk_error *err) {
    digest nodes[MERKLE_MAX_LEVELS + 1];
    cuzk_status status = cuzk_merkle_check_index(&c->tree_d, path, node, err);
    if (status == CUZK_OK) {
        status = cuzk_merkle_sha256(nodes, &c->tree_d, path, &path->leaf, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_merkle_check_root(path, &nodes[path->n_levels], &c->statement->comm_d_new,
                                        "comm_d_new", err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    unsigned level = c->set.log2_nodes - c->partition_bits - c->apex_bits;
    unsigned place = (unsigned)(node >> level) & (c->set.n_apex_leaves - 1);
    if (!digest_eq(&nodes[level], &proof->apex_leaves[place])) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the path's node at level %u is not apex leaf %u", level, place);
    }
    return CUZK_OK;
}

/* r = old + data * rho, rho = H(phi, high bits of the node) */
static void updated_leaf(fr *r, const check *c, const fr *old, const fr *data, uint64_t node) {
    fr in[2] = {c->phi}, rho;
    fr_from_u64(&in[1], node >> (c->set.log2_nodes - c->set.update_h));
    cuzk_poseidon(&rho, POSEIDON_GEN_2, in);
    fr_mul(r, data, &rho);
    fr_add(r, r, old);
}

/* The leaf of the old replica's path. */
static cuzk_status check_old_leaf(const check *c, fr *leaf, const merkle_proof *path, uint64_t node,
                                  cuzk_error *err) {
    cuzk_status status = read_leaf(leaf, path, err);
    if (status == CUZK_OK) {
        status = cuzk_merkle_check_index(&c->set.shape, path, node, err);
    }
    return prefixed(status, err, "old replica's path");
}

/* The new data's path, and from its leaf and the old replica's that of the new replica's path. */
static cuzk_status check_new_leaf(const check *c, fr *leaf, const fr *old,
                                  const update_partition_proof *proof,
                                  const update_challenge_proof *p, uint64_t node, cuzk_error *err) {
    fr data;
    digest bytes;
    cuzk_status status = read_leaf(&data, &p->d_new, err);
    if (status == CUZK_OK) {
        status = check_data(c, proof, &p->d_new, node, err);
    }
    if (status != CUZK_OK) {
        return prefixed(status, err, "new data's path");
    }
    updated_leaf(leaf, c, old, &data, node);
    cuzk_fr_write_le(bytes.bytes, leaf);
    status = digest_eq(&bytes, &p->r_new.leaf)
                 ? cuzk_merkle_check_index(&c->set.shape, &p->r_new, node, err)
                 : cuzk_fail(err, CUZK_E_INCONSISTENT,
                             "the leaf is not that of the old replica plus data times rho");
    return prefixed(status, err, "new replica's path");
}

/* n replica paths from their leaves to the roots expected, side by side. */
static cuzk_status check_replicas(const check *c, const merkle_proof *const *paths,
                                  const fr *leaves, const digest *const *expected, size_t n,
                                  cuzk_error *err) {
    fr roots[2 * GROUP];
    cuzk_status status = cuzk_merkle_poseidon(roots, &c->set.shape, paths, leaves, n, NULL, err);
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        digest computed;
        cuzk_fr_write_le(computed.bytes, &roots[i]);
        status = cuzk_merkle_check_root(paths[i], &computed, expected[i],
                                        "the root of the replica's tree", err);
    }
    return status;
}

static uint64_t node_of(const check *c, unsigned partition, unsigned challenge) {
    return c->nodes[(size_t)partition * c->set.n_challenges + challenge];
}

/* The n challenges of a partition from first on, at most GROUP. */
static bool are_good(const check *c, unsigned partition, unsigned first, unsigned n) {
    const update_partition_proof *proof = &c->proofs[partition];
    const merkle_proof *paths[2 * GROUP];
    const digest *expected[2 * GROUP];
    fr leaves[2 * GROUP];
    CUZK_ASSERT(n > 0 && n <= GROUP);
    for (unsigned i = 0; i < n; i++) {
        const update_challenge_proof *p = &proof->challenges[first + i];
        const uint64_t node = node_of(c, partition, first + i);
        fr *old = &leaves[2 * i];
        if (check_old_leaf(c, old, &p->r_old, node, NULL) != CUZK_OK ||
            check_new_leaf(c, old + 1, old, proof, p, node, NULL) != CUZK_OK) {
            return false;
        }
        paths[2 * i] = &p->r_old;
        paths[2 * i + 1] = &p->r_new;
        expected[2 * i] = &proof->challenges[0].r_old.root;
        expected[2 * i + 1] = &proof->challenges[0].r_new.root;
    }
    return check_replicas(c, paths, leaves, expected, (size_t)2 * n, NULL) == CUZK_OK;
}

/* One challenge in order, for the text. */
static cuzk_status check_challenge(const check *c, unsigned partition, unsigned challenge,
                                   cuzk_error *err) {
    const update_partition_proof *proof = &c->proofs[partition];
    const update_challenge_proof *p = &proof->challenges[challenge], *first = &proof->challenges[0];
    const uint64_t node = node_of(c, partition, challenge);
    const merkle_proof *path = &p->r_old;
    const digest *root = &first->r_old.root;
    fr old, updated;
    cuzk_status status = check_old_leaf(c, &old, path, node, err);
    if (status == CUZK_OK) {
        status = prefixed(check_replicas(c, &path, &old, &root, 1, err), err, "old replica's path");
    }
    if (status == CUZK_OK) {
        status = check_new_leaf(c, &updated, &old, proof, p, node, err);
    }
    if (status == CUZK_OK) {
        path = &p->r_new;
        root = &first->r_new.root;
        status =
            prefixed(check_replicas(c, &path, &updated, &root, 1, err), err, "new replica's path");
    }
    return status;
}

/* ---- all of it ---- */

/* Tasks of a partition: its commitments, its challenges in groups, its apex. In this order an apex
 * leaf that some challenge passes through is reported with the challenge. */
static unsigned n_groups(const check *c) { return (c->set.n_challenges + GROUP - 1) / GROUP; }
static unsigned n_partition_tasks(const check *c) { return n_groups(c) + 2; }

static cuzk_status check_outside(const check *c, unsigned partition, unsigned task,
                                 cuzk_error *err) {
    return task == 0 ? check_commitments(c, partition, err) : check_apex(c, partition, err);
}

static bool is_good_task(const check *c, size_t number) {
    unsigned partition = (unsigned)(number / n_partition_tasks(c));
    unsigned task = (unsigned)(number % n_partition_tasks(c));
    if (task == 0 || task > n_groups(c)) {
        return check_outside(c, partition, task, NULL) == CUZK_OK;
    }
    unsigned first = (task - 1) * GROUP, left = c->set.n_challenges - first;
    return are_good(c, partition, first, left < GROUP ? left : GROUP);
}

/* What is wrong with a failing task. */
static cuzk_status describe(const check *c, size_t number, cuzk_error *err) {
    unsigned partition = (unsigned)(number / n_partition_tasks(c));
    unsigned task = (unsigned)(number % n_partition_tasks(c));
    cuzk_status status = CUZK_OK;
    if (task == 0 || task > n_groups(c)) {
        status = check_outside(c, partition, task, err);
        cuzk_error_prefix(err, "partition %u: ", partition);
    } else {
        unsigned challenge = (task - 1) * GROUP;
        while ((status = check_challenge(c, partition, challenge, err)) == CUZK_OK) {
            challenge++;
            CUZK_ASSERT(challenge < c->set.n_challenges);
        }
        cuzk_error_prefix(err, "partition %u, challenge %u: ", partition, challenge);
        if (err != NULL) {
            err->challenge = challenge;
        }
    }
    if (err != NULL) {
        err->partition = partition;
    }
    CUZK_ASSERT(status != CUZK_OK);
    return status;
}

/* Texts are not made here: the lowest failing task is run again for that, which also keeps the
 * result the same whatever order they run in. */
static void check_task(void *arg, size_t number, unsigned worker) {
    (void)worker;
    check *c = arg;
    size_t bad = atomic_load_explicit(&c->first_bad, memory_order_relaxed);
    if (number < bad && !is_good_task(c, number)) {
        while (number < bad && !atomic_compare_exchange_weak(&c->first_bad, &bad, number)) {
        }
    }
}

static cuzk_status check_partitions(const cuzk_ctx *ctx, check *c, cuzk_error *err) {
    size_t n_tasks = (size_t)c->set.n_partitions * n_partition_tasks(c);
    cuzk_status status = cuzk_pool_run(ctx, n_tasks, check_task, c, err);
    size_t bad = c->first_bad;
    return status == CUZK_OK && bad != SIZE_MAX ? describe(c, bad, err) : status;
}

cuzk_status cuzk_update_check(const cuzk_ctx *ctx, const update_statement *statement,
                              const update_partition_proof *proofs, size_t n_proofs,
                              cuzk_error *err) {
    check c = {.statement = statement, .proofs = proofs, .first_bad = SIZE_MAX};
    cuzk_status status = check_statement(&c, n_proofs, err);
    if (status == CUZK_OK) {
        status = check_partitions(ctx, &c, err);
    }
    free(c.nodes);
    return status;
}
