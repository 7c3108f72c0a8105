/* The PoRep circuit. */
#include "circuits/porep_circuit.h"

#include "circuits/create_label.h"
#include "circuits/tree_paths.h"
#include "gadgets/poseidon_gadget.h"

/* ---- shapes ---- */

porep_shape cuzk_porep_shape_of(const sector_size *size) {
    return (porep_shape){.log2_nodes = size->log2_nodes,
                         .tree = size->shape,
                         .n_layers = size->n_layers,
                         .n_challenges = size->interactive_challenges};
}

static bool is_layer_count(unsigned n) { return n == 2 || n == 4 || n == 8 || n == 11; }

static bool trees_of_shape(porep_circuit *c) {
    const porep_shape *s = &c->shape;
    const tree_shape tree_d = tree_shape_binary(s->log2_nodes);
    return cuzk_tree_levels(&c->tree_d, TREE_SHA256, &tree_d, s->log2_nodes) &&
           cuzk_tree_levels(&c->tree_r, TREE_POSEIDON, &s->tree, s->log2_nodes);
}

static bool challenge_fits(const porep_circuit *c, const porep_challenge_proof *p) {
    bool fits = cuzk_path_fits(&p->comm_d, &c->tree_d) &&
                cuzk_path_fits(&p->comm_r_last, &c->tree_r) &&
                cuzk_path_fits(&p->c_x.inclusion, &c->tree_r);
    for (unsigned i = 0; i < POREP_PARENTS; i++) {
        fits = fits && p->parents[i].rows != NULL &&
               cuzk_path_fits(&p->parents[i].inclusion, &c->tree_r);
    }
    return fits;
}

static const porep_challenge_proof *challenge_of(const porep_circuit *c, size_t index) {
    return c->proof == NULL
               ? NULL
               : &c->proof->challenges[(size_t)c->partition * c->shape.n_challenges + index];
}

cuzk_status cuzk_porep_circuit_init(porep_circuit *c, const porep_shape *shape,
                                    const porep_proof *proof, unsigned partition, cuzk_error *err) {
    *c = (porep_circuit){.shape = *shape, .proof = proof, .partition = partition};
    unsigned layers = shape->n_layers;
    if (!is_layer_count(layers) || shape->n_challenges == 0 || !trees_of_shape(c)) {
        return cuzk_fail(err, CUZK_E_RANGE, "no PoRep circuit has this shape");
    }
    if (proof == NULL) {
        return CUZK_OK;
    }
    if (proof->n_challenges != shape->n_challenges || partition >= proof->n_partitions) {
        cuzk_fail(err, CUZK_E_INCONSISTENT,
                  "partition %u of %u with %u challenges; the circuit has %u", partition,
                  proof->n_partitions, proof->n_challenges, shape->n_challenges);
        if (err != NULL) {
            err->partition = partition;
        }
        return CUZK_E_INCONSISTENT;
    }
    for (unsigned i = 0; i < shape->n_challenges; i++) {
        if (!challenge_fits(c, challenge_of(c, i))) {
            cuzk_fail(err, CUZK_E_INCONSISTENT,
                      "partition %u: challenge %u: the paths are not those of this sector size",
                      partition, i);
            if (err != NULL) {
                err->partition = partition;
                err->challenge = i;
            }
            return CUZK_E_INCONSISTENT;
        }
    }
    return CUZK_OK;
}

/* ---- synthesis ---- */

/* What the challenges share. */
typedef struct porep_prefix {
    const porep_circuit *circuit;
    word32 replica_id[8]; /* as SHA-256 reads it */
    num comm_d, comm_r_last, comm_c;
} porep_prefix;

/* The 32 bytes of a number as words that SHA-256 reads. */
static void bytes_of_num(r1cs_cs *cs, word32 words[8], const num *x) {
    word32 little_endian[8];
    cuzk_num_to_bits(cs, little_endian, x);
    for (unsigned i = 0; i < 8; i++) {
        cuzk_word32_swap_bytes(cs, &words[i], &little_endian[i]);
    }
}

static num column_hash(r1cs_cs *cs, const porep_circuit *c, const num *rows) {
    unsigned layers = c->shape.n_layers;
    return cuzk_poseidon_gadget(cs, cuzk_poseidon_kind_of_arity(layers), rows);
}

static num alloc_digest(r1cs_cs *cs, const digest *d, const char *what) {
    return cuzk_num_alloc_bytes(cs, digest_bytes(d), what);
}

static void prove_in_tree(r1cs_cs *cs, const merkle_shape *tree, const merkle_proof *proof,
                          const num *leaf, const num *root) {
    const merkle_path path = path_values(proof);
    cuzk_merkle_prove(cs, tree, &path, leaf, root);
}

/* A parent's column: its rows, and that TreeC has its hash. */
static void parent_column(r1cs_cs *cs, const porep_prefix *prefix, num *rows,
                          const porep_column *column) {
    const porep_circuit *c = prefix->circuit;
    for (unsigned layer = 0; layer < c->shape.n_layers; layer++) {
        rows[layer] =
            alloc_digest(cs, column == NULL ? NULL : &column->rows[layer], "a label of a column");
    }
    num hash = column_hash(cs, c, rows);
    prove_in_tree(cs, &c->tree_r, column == NULL ? NULL : &column->inclusion, &hash,
                  &prefix->comm_c);
}

/* The challenged node's label of a layer (from 1 on), from its parents' columns. */
static num label_of_layer(r1cs_cs *cs, const porep_prefix *prefix,
                          num columns[POREP_PARENTS][POREP_MAX_LAYERS], unsigned layer,
                          const uint64_gadget *node) {
    word32 labels[POREP_PARENTS][8];
    unsigned n = layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
    for (unsigned i = 0; i < n; i++) {
        /* drg parents in the same layer, expander parents in the one before */
        bytes_of_num(cs, labels[i], &columns[i][i < POREP_DRG_PARENTS ? layer - 1 : layer - 2]);
    }
    const word32 *parents[LABEL_PARENTS];
    for (unsigned i = 0; i < LABEL_PARENTS; i++) {
        parents[i] = labels[i % n];
    }
    return cuzk_create_label(cs, prefix->replica_id, parents, layer, node);
}

static void write_challenge(const void *arg, size_t index, r1cs_cs *cs) {
    const porep_prefix *prefix = arg;
    const porep_circuit *c = prefix->circuit;
    const unsigned layers = c->shape.n_layers;
    const porep_challenge_proof *p = challenge_of(c, index);

    num data = alloc_digest(cs, p == NULL ? NULL : &p->comm_d.leaf, "the data leaf");
    prove_in_tree(cs, &c->tree_d, p == NULL ? NULL : &p->comm_d, &data, &prefix->comm_d);

    num columns[POREP_PARENTS][POREP_MAX_LAYERS];
    for (unsigned i = 0; i < POREP_PARENTS && cuzk_cs_go_on(cs); i++) {
        parent_column(cs, prefix, columns[i], p == NULL ? NULL : &p->parents[i]);
    }

    uint64_gadget node;
    cuzk_uint64_alloc(cs, &node, p == NULL ? 0 : p->node);
    cuzk_uint64_pack_into_input(cs, &node);

    num labels[POREP_MAX_LAYERS];
    for (unsigned layer = 1; layer <= layers && cuzk_cs_go_on(cs); layer++) {
        labels[layer - 1] = label_of_layer(cs, prefix, columns, layer, &node);
    }
    if (!cuzk_cs_go_on(cs)) {
        return;
    }
    num encoded = cuzk_num_add(cs, &labels[layers - 1], &data);
    prove_in_tree(cs, &c->tree_r, p == NULL ? NULL : &p->comm_r_last, &encoded,
                  &prefix->comm_r_last);
    num hash = column_hash(cs, c, labels);
    prove_in_tree(cs, &c->tree_r, p == NULL ? NULL : &p->c_x.inclusion, &hash, &prefix->comm_c);
}

static void challenge(const void *arg, size_t index, r1cs_cs *cs) {
    write_challenge(arg, index, cs);
    if (cs->want_values && cs->status != CUZK_OK) {
        const porep_prefix *prefix = arg;
        cuzk_error_prefix(&cs->error, "partition %u: challenge %zu: ", prefix->circuit->partition,
                          index);
        cs->error.partition = prefix->circuit->partition;
        cs->error.challenge = (int64_t)index;
    }
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const porep_circuit *c = self;
    if (cs->want_values && c->proof == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "this circuit has no values");
    }
    const porep_proof *proof = c->proof;
    const porep_challenge_proof *first = challenge_of(c, 0);
    porep_prefix prefix = {.circuit = c};
    num replica_id = alloc_digest(cs, proof == NULL ? NULL : &proof->replica_id, "replica_id");
    cuzk_num_inputize(cs, &replica_id);
    bytes_of_num(cs, prefix.replica_id, &replica_id);
    prefix.comm_d = alloc_digest(cs, proof == NULL ? NULL : &proof->comm_d, "comm_d");
    cuzk_num_inputize(cs, &prefix.comm_d);
    num comm_r = alloc_digest(cs, proof == NULL ? NULL : &proof->comm_r, "comm_r");
    cuzk_num_inputize(cs, &comm_r);
    prefix.comm_r_last =
        alloc_digest(cs, first == NULL ? NULL : &first->comm_r_last.root, "comm_r_last");
    prefix.comm_c = alloc_digest(cs, first == NULL ? NULL : &first->c_x.inclusion.root, "comm_c");
    const num roots[2] = {prefix.comm_c, prefix.comm_r_last};
    num hash = cuzk_poseidon_gadget(cs, POSEIDON_2, roots);
    cuzk_num_equal(cs, &comm_r, &hash);
    cuzk_cs_parts(cs, R1CS_BITS, c->shape.n_challenges, challenge, &prefix);
    return CUZK_OK;
}

r1cs_circuit cuzk_porep_circuit(const porep_circuit *c) {
    return (r1cs_circuit){.self = c, .synthesize = synthesize};
}
