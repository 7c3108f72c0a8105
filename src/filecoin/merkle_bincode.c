/* Merkle proofs in bincode. */
#include "filecoin/merkle_bincode.h"

size_t cuzk_merkle_arities(unsigned arities[MERKLE_MAX_LEVELS], unsigned *n_levels,
                           const tree_shape *shape) {
    unsigned n = 0;
    size_t n_siblings = 0;
    for (unsigned i = 0; i < shape->n_base_levels; i++) {
        arities[n++] = shape->base;
    }
    if (shape->sub != 0) {
        arities[n++] = shape->sub;
    }
    if (shape->top != 0) {
        arities[n++] = shape->top;
    }
    CUZK_ASSERT(n <= MERKLE_MAX_LEVELS);
    for (unsigned i = 0; i < n; i++) {
        n_siblings += arities[i] - 1;
    }
    *n_levels = n;
    return n_siblings;
}

/* A path of n levels of one arity: u64 n, then per level u64 arity - 1, siblings, u64 position. */
static cuzk_status read_path(merkle_proof *proof, digest **siblings, bincode *b, unsigned n_levels,
                             unsigned arity) {
    cuzk_status status = cuzk_bincode_count(b, n_levels, "length of a Merkle path");
    for (unsigned level = 0; status == CUZK_OK && level < n_levels; level++) {
        status = cuzk_bincode_count(b, arity - 1, "hashes of a path element");
        for (unsigned i = 0; status == CUZK_OK && i < arity - 1; i++) {
            status = cuzk_bincode_bytes(b, (*siblings)->bytes, DIGEST_BYTES, "path element");
            (*siblings)++;
        }
        uint64_t position;
        if (status == CUZK_OK) {
            status = cuzk_bincode_u64(b, &position, "index of a path element");
        }
        if (status == CUZK_OK && position >= arity) {
            size_t at = b->at - 8;
            status = cuzk_fail(b->err, CUZK_E_INPUT,
                               "offset %zu: index of a path element: %llu, but the tree's arity is "
                               "%u",
                               at, (unsigned long long)position, arity);
            if (b->err != NULL) {
                b->err->offset = (int64_t)at;
            }
        }
        if (status == CUZK_OK) {
            proof->position[proof->n_levels++] = (uint8_t)position;
        }
    }
    return status;
}

cuzk_status cuzk_merkle_proof_read_bincode(merkle_proof *proof, digest *siblings, bincode *b,
                                           const tree_shape *shape) {
    enum { SINGLE, SUB, TOP };
    static const char *const names[] = {"Single", "Sub", "Top"};
    uint32_t want = shape->top != 0 ? TOP : shape->sub != 0 ? SUB : SINGLE;
    uint32_t variant;
    digest *next = siblings;
    proof->n_levels = 0;
    proof->siblings = siblings;
    cuzk_status status = cuzk_bincode_u32(b, &variant, "variant of a Merkle proof");
    if (status == CUZK_OK && variant != want) {
        size_t at = b->at - 4;
        status = cuzk_fail(b->err, CUZK_E_INPUT,
                           "offset %zu: variant of a Merkle proof: expected %u (%s), found %u", at,
                           want, names[want], variant);
        if (b->err != NULL) {
            b->err->offset = (int64_t)at;
        }
    }
    /* A Single proof has root and leaf in front, the others behind. */
    for (int turn = 0; turn < 2 && status == CUZK_OK; turn++) {
        if ((turn == 0) == (want == SINGLE)) {
            status = cuzk_bincode_bytes(b, proof->root.bytes, DIGEST_BYTES, "root");
            if (status == CUZK_OK) {
                status = cuzk_bincode_bytes(b, proof->leaf.bytes, DIGEST_BYTES, "leaf");
            }
            continue;
        }
        status = read_path(proof, &next, b, shape->n_base_levels, shape->base);
        if (status == CUZK_OK && shape->sub != 0) {
            status = read_path(proof, &next, b, 1, shape->sub);
        }
        if (status == CUZK_OK && shape->top != 0) {
            status = read_path(proof, &next, b, 1, shape->top);
        }
    }
    return status;
}
