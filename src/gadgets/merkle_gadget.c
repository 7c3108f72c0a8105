/* Merkle paths in constraints. */
#include "gadgets/merkle_gadget.h"

#include "gadgets/insertion.h"
#include "gadgets/poseidon_gadget.h"
#include "gadgets/sha256_gadget.h"

#define MAX_ARITY 8

/* SHA-256 of n_words little-endian words, its first 254 bits packed. */
static num hash_words(r1cs_cs *cs, const word32 *words, unsigned n_words) {
    word32 message[8 * MAX_ARITY], digest[8], packed[8];
    const word32 *operands[8 * MAX_ARITY];
    for (unsigned i = 0; i < n_words; i++) {
        cuzk_word32_swap_bytes(cs, &message[i], &words[i]);
        operands[i] = &message[i];
    }
    cuzk_sha256_gadget(cs, digest, operands, n_words);
    for (unsigned i = 0; i < 8; i++) {
        cuzk_word32_swap_bytes(cs, &packed[i], &digest[i]);
    }
    return cuzk_pack_words(cs, packed);
}

num cuzk_tree_hash_bits(r1cs_cs *cs, const word32 left[8], const word32 right[8]) {
    word32 words[16];
    memcpy(words, left, 8 * sizeof *words);
    memcpy(words + 8, right, 8 * sizeof *words);
    return hash_words(cs, words, 16);
}

num cuzk_tree_hash(r1cs_cs *cs, tree_hash hash, const num *nodes, unsigned arity) {
    CUZK_ASSERT(arity == 2 || arity == 4 || arity == 8);
    if (hash == TREE_POSEIDON) {
        return cuzk_poseidon_gadget(cs, cuzk_poseidon_kind_of_arity(arity), nodes);
    }
    word32 words[8 * MAX_ARITY];
    for (unsigned i = 0; i < arity; i++) {
        cuzk_num_to_bits(cs, words + 8 * i, &nodes[i]);
    }
    return hash_words(cs, words, 8 * arity);
}

static unsigned log2_of_arity(unsigned arity) {
    CUZK_ASSERT(arity == 2 || arity == 4 || arity == 8);
    return (unsigned)__builtin_ctz(arity);
}

num cuzk_merkle_climb(r1cs_cs *cs, const merkle_shape *shape, const merkle_path *path,
                      const num *leaf) {
    CUZK_ASSERT(shape->n_levels <= MERKLE_GADGET_MAX_LEVELS);
    boolean path_bits[3 * MERKLE_GADGET_MAX_LEVELS];
    unsigned n_path_bits = 0;
    const uint8_t *sibling = path->siblings;
    num node = *leaf;
    for (unsigned level = 0; level < shape->n_levels && cuzk_cs_go_on(cs); level++) {
        unsigned arity = shape->arity[level], n_bits = log2_of_arity(arity);
        unsigned position = cs->want_values ? path->position[level] : 0;
        cs_bit bits[3];
        for (unsigned i = 0; i < n_bits; i++) {
            bits[i] = cuzk_bit_alloc(cs, position >> i & 1);
            path_bits[n_path_bits++] = boolean_of(bits[i]);
        }
        num siblings[MAX_ARITY - 1], ordered[MAX_ARITY];
        for (unsigned i = 0; i < arity - 1; i++) {
            siblings[i] = cuzk_num_alloc_bytes(cs, sibling, "a node of a Merkle path");
            sibling = sibling == NULL ? NULL : sibling + FR_BYTES;
        }
        cuzk_insert(cs, ordered, &node, bits, siblings, arity);
        node = cuzk_tree_hash(cs, shape->hash, ordered, arity);
    }
    cuzk_pack_into_inputs(cs, path_bits, n_path_bits);
    return node;
}

void cuzk_merkle_prove(r1cs_cs *cs, const merkle_shape *shape, const merkle_path *path,
                       const num *leaf, const num *root) {
    num computed = cuzk_merkle_climb(cs, shape, path, leaf);
    cuzk_num_equal(cs, &computed, root);
}

void cuzk_merkle_prove_at(r1cs_cs *cs, const merkle_shape *shape, const cs_bit *bits,
                          const num *siblings, const num *leaf, const num *root) {
    num node = *leaf;
    for (unsigned level = 0; level < shape->n_levels && cuzk_cs_go_on(cs); level++) {
        unsigned arity = shape->arity[level];
        num ordered[MAX_ARITY];
        cuzk_insert(cs, ordered, &node, bits, siblings, arity);
        bits += log2_of_arity(arity);
        siblings += arity - 1;
        node = cuzk_tree_hash(cs, shape->hash, ordered, arity);
    }
    cuzk_num_equal(cs, &node, root);
}
