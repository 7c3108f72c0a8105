/* The update circuits. */
#include "circuits/update_circuit.h"

#include <stdlib.h>

#include "circuits/tree_paths.h"
#include "gadgets/insertion.h"
#include "gadgets/poseidon_gadget.h"

#define MAX_PARTITION_BITS 8
#define MAX_CHALLENGE_BITS 40

/* ---- shapes ---- */

static bool is_poseidon(const update_circuit *c) { return c->set.kind == CIRCUIT_UPDATE_POSEIDON; }

static void set_binary(merkle_shape *tree, unsigned n_levels) {
    const tree_shape shape = tree_shape_binary(n_levels);
    CUZK_ASSERT(cuzk_tree_levels(tree, TREE_SHA256, &shape, n_levels));
}

static bool challenge_fits(const update_circuit *c, const update_challenge_proof *p) {
    merkle_shape tree_d = c->tree_r;
    if (!is_poseidon(c)) {
        set_binary(&tree_d, c->set.log2_nodes);
    }
    return cuzk_path_fits(&p->r_old, &c->tree_r) && cuzk_path_fits(&p->r_new, &c->tree_r) &&
           cuzk_path_fits(&p->d_new, &tree_d);
}

static cuzk_status proof_fits(const update_circuit *c, cuzk_error *err) {
    const update_partition_proof *proof = c->proof;
    const param_set *set = &c->set;
    if (proof->n_challenges != set->n_challenges || proof->n_apex_leaves != set->n_apex_leaves) {
        cuzk_fail(err, CUZK_E_INCONSISTENT,
                  "partition %u: %u challenges and %u apex leaves; the circuit has %u and %u",
                  c->partition, proof->n_challenges, proof->n_apex_leaves, set->n_challenges,
                  set->n_apex_leaves);
        if (err != NULL) {
            err->partition = c->partition;
        }
        return CUZK_E_INCONSISTENT;
    }
    for (unsigned i = 0; i < proof->n_challenges; i++) {
        if (!challenge_fits(c, &proof->challenges[i])) {
            cuzk_fail(err, CUZK_E_INCONSISTENT,
                      "partition %u: challenge %u: the paths are not those of this sector size",
                      c->partition, i);
            if (err != NULL) {
                err->partition = c->partition;
                err->challenge = i;
            }
            return CUZK_E_INCONSISTENT;
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_update_circuit_init(update_circuit *c, const param_set *set,
                                     const update_statement *statement,
                                     const update_partition_proof *proof, unsigned partition,
                                     cuzk_error *err) {
    if (set->kind != CIRCUIT_UPDATE && set->kind != CIRCUIT_UPDATE_POSEIDON) {
        return cuzk_fail(err, CUZK_E_RANGE, "%s is no circuit of an update", set->id);
    }
    if (partition >= set->n_partitions) {
        return cuzk_fail(err, CUZK_E_RANGE, "there is no partition %u: %s has %u", partition,
                         set->id, set->n_partitions);
    }
    *c = (update_circuit){
        .set = *set, .statement = statement, .proof = proof, .partition = partition};
    c->partition_bits = (unsigned)__builtin_ctz(set->n_partitions);
    c->random_bits = set->log2_nodes - c->partition_bits;
    if (!cuzk_tree_levels(&c->tree_r, TREE_POSEIDON, &set->shape, set->log2_nodes)) {
        return cuzk_fail(err, CUZK_E_RANGE, "no update circuit has this shape");
    }
    if (is_poseidon(c)) {
        c->tree_d = c->tree_r;
    } else {
        c->apex_bits = (unsigned)__builtin_ctz(set->n_apex_leaves);
        set_binary(&c->tree_d, c->random_bits - c->apex_bits);
        set_binary(&c->apex_path, c->partition_bits);
    }
    CUZK_ASSERT(set->n_apex_leaves <= UPDATE_MAX_APEX_LEAVES &&
                c->partition_bits <= MAX_PARTITION_BITS && set->log2_nodes <= MAX_CHALLENGE_BITS);
    return statement == NULL ? CUZK_OK : proof_fits(c, err);
}

/* ---- what the challenges share ---- */

typedef struct update_prefix {
    const update_circuit *circuit;
    cs_bit partition_bits[MAX_PARTITION_BITS], h_select_bits[UPDATE_H_OPTIONS];
    num comm_r_old, comm_d_new, comm_r_new, phi;
    num root_r_old, root_r_new;
    num apex_leaves[UPDATE_MAX_APEX_LEAVES];
    num apex_siblings[MAX_PARTITION_BITS];
    cs_bit *random_bits; /* circuit->random_bits of each challenge */
} update_prefix;

/* NULL without values. */
static const update_challenge_proof *challenge_of(const update_circuit *c, size_t index) {
    return c->statement == NULL ? NULL : &c->proof->challenges[index];
}

static num alloc_digest(r1cs_cs *cs, const digest *d, const char *what) {
    return cuzk_num_alloc_bytes(cs, digest_bytes(d), what);
}

static num alloc_commitment(r1cs_cs *cs, const digest *d, const char *name) {
    num x = alloc_digest(cs, d, name);
    cuzk_num_inputize(cs, &x);
    return x;
}

static num hash2(r1cs_cs *cs, poseidon_kind kind, const num *a, const num *b) {
    const num in[2] = {*a, *b};
    return cuzk_poseidon_gadget(cs, kind, in);
}

/* The first input and its bits: the partition, and which h is taken. Returns the partition. */
static num selection(r1cs_cs *cs, update_prefix *prefix) {
    const update_circuit *c = prefix->circuit;
    const fr_plain value = {{cuzk_update_selection(&c->set, c->partition), 0, 0, 0}};
    cs_bit bits[MAX_PARTITION_BITS + UPDATE_H_OPTIONS];
    num selected = num_alloc(cs, &value);
    cuzk_num_inputize(cs, &selected);
    cuzk_num_decompose(cs, bits, c->partition_bits + UPDATE_H_OPTIONS, &selected);
    memcpy(prefix->partition_bits, bits, c->partition_bits * sizeof *bits);
    memcpy(prefix->h_select_bits, bits + c->partition_bits, sizeof prefix->h_select_bits);
    if (is_poseidon(c)) {
        return (num){0}; /* comes later, and has no bits */
    }
    boolean partition[MAX_PARTITION_BITS];
    for (unsigned i = 0; i < c->partition_bits; i++) {
        partition[i] = boolean_of(bits[i]);
    }
    return cuzk_pack_bits(cs, partition, c->partition_bits);
}

static void alloc_apex(r1cs_cs *cs, update_prefix *prefix) {
    const update_circuit *c = prefix->circuit;
    const update_challenge_proof *first = challenge_of(c, 0);
    for (unsigned i = 0; i < c->set.n_apex_leaves; i++) {
        prefix->apex_leaves[i] =
            alloc_digest(cs, first == NULL ? NULL : &c->proof->apex_leaves[i], "an apex leaf");
    }
    for (unsigned i = 0; i < c->apex_path.n_levels; i++) {
        prefix->apex_siblings[i] =
            alloc_digest(cs, first == NULL ? NULL : &first->d_new.siblings[c->random_bits + i],
                         "a node of the path from the apex");
    }
}

/* (H(comm_c, root))(1) = (comm_r) */
static void check_comm_r(r1cs_cs *cs, const num *comm_c, const num *root, const num *comm_r) {
    num hash = hash2(cs, POSEIDON_2, comm_c, root);
    cuzk_num_equal(cs, &hash, comm_r);
}

/* A row of the apex tree. Rows of few nodes are not worth parts of their own. */
#define APEX_ROW_IN_PARTS 8
typedef struct apex_row {
    const num *children;
    num *parents;
} apex_row;

static void apex_parent(const void *arg, size_t index, r1cs_cs *cs) {
    const apex_row *row = arg;
    row->parents[index] = cuzk_tree_hash(cs, TREE_SHA256, row->children + 2 * index, 2);
}

static num apex_root(r1cs_cs *cs, const num *leaves, unsigned n_leaves) {
    num nodes[2][UPDATE_MAX_APEX_LEAVES / 2] = {0}; /* a row, and the one below it */
    apex_row row = {.children = leaves};
    for (unsigned n = n_leaves / 2, which = 0; n > 0 && cuzk_cs_go_on(cs); n /= 2, which ^= 1) {
        row.parents = nodes[which];
        if (n >= APEX_ROW_IN_PARTS) {
            cuzk_cs_parts(cs, R1CS_BITS, n, apex_parent, &row);
        } else {
            for (unsigned i = 0; i < n; i++) {
                apex_parent(&row, i, cs);
            }
        }
        row.children = row.parents;
    }
    return *row.children;
}

/* The apex leaves are nodes of the tree below comm_d_new, in this partition. */
static void prove_apex(r1cs_cs *cs, const update_prefix *prefix) {
    const update_circuit *c = prefix->circuit;
    num root = apex_root(cs, prefix->apex_leaves, c->set.n_apex_leaves);
    if (cuzk_cs_go_on(cs)) {
        cuzk_merkle_prove_at(cs, &c->apex_path, prefix->partition_bits, prefix->apex_siblings,
                             &root, &prefix->comm_d_new);
    }
}

/* aux index := n_digests partition + j; (n_digests partition + j)(1) = (index) */
static num digest_index(r1cs_cs *cs, const num *partition, unsigned n_digests, unsigned j) {
    static const fr_plain one = {{1, 0, 0, 0}};
    const fr_plain value = {{partition->value.l[0] * n_digests + j, 0, 0, 0}};
    num index = num_alloc(cs, &value);
    fr coeff;
    fr_from_u64(&coeff, n_digests);
    uint32_t scale = cuzk_cs_coeff(cs, &coeff), offset = COEFF_ONE;
    if (j > 0) {
        fr_from_u64(&coeff, j);
        offset = cuzk_cs_coeff(cs, &coeff);
    }
    const lc_term sum[2] = {{partition->var, scale}, {R1CS_ONE, offset}};
    cuzk_cs_row(cs, &value, &one, (lc_view){sum, j > 0 ? 2 : 1}, LC_ONE,
                LC({index.var, COEFF_ONE}));
    return index;
}

/* Bits of digests of comm_r_new, as many digests as the challenges need. */
static void draw_challenges(r1cs_cs *cs, update_prefix *prefix, const num *partition) {
    const update_circuit *c = prefix->circuit;
    unsigned per_digest = NUM_CAPACITY / c->random_bits;
    unsigned n_digests = (c->set.n_challenges + per_digest - 1) / per_digest;
    cs_bit *to = prefix->random_bits;
    for (unsigned j = 0, left = c->set.n_challenges; j < n_digests && cuzk_cs_go_on(cs); j++) {
        num index = digest_index(cs, partition, n_digests, j);
        num drawn = hash2(cs, POSEIDON_GEN_2, &prefix->comm_r_new, &index);
        cs_bit bits[NUM_BITS];
        cuzk_num_decompose(cs, bits, NUM_BITS, &drawn);
        unsigned n = left < per_digest ? left : per_digest;
        memcpy(to, bits, (size_t)n * c->random_bits * sizeof *bits);
        to += (size_t)n * c->random_bits;
        left -= n;
    }
}

/* ---- a challenge ---- */

/* aux z := bit ? x : 0; (x)(bit) = (z) */
static num if_bit(r1cs_cs *cs, const num *x, cs_bit bit) {
    const fr_plain zero = {{0}}, when = fr_plain_of_int(bit.value);
    num z = num_alloc(cs, bit.value ? &x->value : &zero);
    cuzk_cs_row(cs, &x->value, &when, LC({x->var, COEFF_ONE}), LC({bit.var, COEFF_ONE}),
                LC({z.var, COEFF_ONE}));
    return z;
}

/* The h high bits of a challenge as a number, h by the selection. */
static num high_bits(r1cs_cs *cs, const update_prefix *prefix, const cs_bit *challenge) {
    static const fr_plain one = {{1, 0, 0, 0}};
    const param_set *set = &prefix->circuit->set;
    unsigned options[UPDATE_H_OPTIONS];
    cuzk_update_h_options(options, set);
    lc_term terms[UPDATE_H_OPTIONS];
    fr_plain value = {{0}};
    for (unsigned i = 0; i < UPDATE_H_OPTIONS; i++) {
        boolean high[MAX_CHALLENGE_BITS];
        for (unsigned k = 0; k < options[i]; k++) {
            high[k] = boolean_of(challenge[set->log2_nodes - options[i] + k]);
        }
        num packed = cuzk_pack_bits(cs, high, options[i]);
        num chosen = if_bit(cs, &packed, prefix->h_select_bits[i]);
        terms[i] = (lc_term){chosen.var, COEFF_ONE};
        if (cs->want_values) {
            fr_plain_add(&value, &value, &chosen.value);
        }
    }
    num sum = num_alloc(cs, &value);
    cuzk_cs_row(cs, &value, &one, (lc_view){terms, UPDATE_H_OPTIONS}, LC_ONE,
                LC({sum.var, COEFF_ONE}));
    return sum;
}

/* The path's siblings, as many as the tree has levels, and that it leads from leaf to root. */
static void prove_path(r1cs_cs *cs, const merkle_shape *tree, const merkle_proof *path,
                       const cs_bit *challenge, const num *leaf, const num *root) {
    num siblings[7 * MERKLE_GADGET_MAX_LEVELS];
    unsigned n = 0;
    for (unsigned level = 0; level < tree->n_levels; level++) {
        for (unsigned i = 1; i < tree->arity[level]; i++, n++) {
            siblings[n] = alloc_digest(cs, path == NULL ? NULL : &path->siblings[n],
                                       "a node of a Merkle path");
        }
    }
    cuzk_merkle_prove_at(cs, tree, challenge, siblings, leaf, root);
}

static void write_challenge(const update_prefix *prefix, size_t index, r1cs_cs *cs) {
    const update_circuit *c = prefix->circuit;
    const update_challenge_proof *p = challenge_of(c, index);
    cs_bit challenge[MAX_CHALLENGE_BITS];
    memcpy(challenge, prefix->random_bits + index * c->random_bits,
           c->random_bits * sizeof *challenge);
    memcpy(challenge + c->random_bits, prefix->partition_bits,
           c->partition_bits * sizeof *challenge);

    num high = high_bits(cs, prefix, challenge);
    num rho = hash2(cs, POSEIDON_GEN_2, &prefix->phi, &high);
    num old = alloc_digest(cs, p == NULL ? NULL : &p->r_old.leaf, "the old replica's leaf");
    num data = alloc_digest(cs, p == NULL ? NULL : &p->d_new.leaf, "the new data's leaf");
    num key = cuzk_num_mul(cs, &data, &rho);
    num new = cuzk_num_add(cs, &old, &key);
    prove_path(cs, &c->tree_r, p == NULL ? NULL : &p->r_old, challenge, &old, &prefix->root_r_old);
    prove_path(cs, &c->tree_r, p == NULL ? NULL : &p->r_new, challenge, &new, &prefix->root_r_new);
    if (!cuzk_cs_go_on(cs)) {
        return;
    }
    num top = is_poseidon(c) ? prefix->comm_d_new
                             : cuzk_select(cs, prefix->apex_leaves,
                                           challenge + c->random_bits - c->apex_bits, c->apex_bits);
    prove_path(cs, &c->tree_d, p == NULL ? NULL : &p->d_new, challenge, &data, &top);
}

static void challenge_part(const void *arg, size_t index, r1cs_cs *cs) {
    const update_prefix *prefix = arg;
    write_challenge(prefix, index, cs);
    if (cs->want_values && cs->status != CUZK_OK) {
        cuzk_error_prefix(&cs->error, "partition %u: challenge %zu: ", prefix->circuit->partition,
                          index);
        cs->error.partition = prefix->circuit->partition;
        cs->error.challenge = (int64_t)index;
    }
}

/* ---- the circuit ---- */

static void write_circuit(r1cs_cs *cs, update_prefix *prefix) {
    const update_circuit *c = prefix->circuit;
    const update_statement *s = c->statement;
    const update_challenge_proof *first = challenge_of(c, 0);
    num partition = selection(cs, prefix);
    prefix->comm_r_old = alloc_commitment(cs, s == NULL ? NULL : &s->comm_r_old, "comm_r_old");
    prefix->comm_d_new = alloc_commitment(cs, s == NULL ? NULL : &s->comm_d_new, "comm_d_new");
    prefix->comm_r_new = alloc_commitment(cs, s == NULL ? NULL : &s->comm_r_new, "comm_r_new");
    prefix->phi = hash2(cs, POSEIDON_GEN_2, &prefix->comm_d_new, &prefix->comm_r_old);
    num comm_c = alloc_digest(cs, first == NULL ? NULL : &c->proof->comm_c, "comm_c");
    prefix->root_r_old =
        alloc_digest(cs, first == NULL ? NULL : &first->r_old.root, "the old replica's root");
    prefix->root_r_new =
        alloc_digest(cs, first == NULL ? NULL : &first->r_new.root, "the new replica's root");
    alloc_apex(cs, prefix);
    check_comm_r(cs, &comm_c, &prefix->root_r_old, &prefix->comm_r_old);
    check_comm_r(cs, &comm_c, &prefix->root_r_new, &prefix->comm_r_new);
    if (is_poseidon(c)) {
        const fr_plain zero = {{0}};
        partition = num_alloc(cs, &zero);
    } else {
        prove_apex(cs, prefix);
    }
    draw_challenges(cs, prefix, &partition);
    /* without SHA-256 nearly every value is a full field element */
    cuzk_cs_parts(cs, is_poseidon(c) ? R1CS_DENSE : R1CS_BITS, c->set.n_challenges, challenge_part,
                  prefix);
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const update_circuit *c = self;
    if (cs->want_values && c->statement == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "this circuit has no values");
    }
    update_prefix prefix = {.circuit = c};
    prefix.random_bits =
        calloc((size_t)c->set.n_challenges * c->random_bits, sizeof *prefix.random_bits);
    if (prefix.random_bits == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the challenges of an update");
    }
    write_circuit(cs, &prefix);
    free(prefix.random_bits);
    return CUZK_OK;
}

r1cs_circuit cuzk_update_circuit(const update_circuit *c) {
    return (r1cs_circuit){.self = c, .synthesize = synthesize};
}
