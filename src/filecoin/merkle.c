/* Walks from leaves to roots. */
#include "filecoin/merkle.h"

#include <inttypes.h>

#include "hash/poseidon.h"
#include "hash/sha256.h"

bool cuzk_digest_is_fr(const digest *d) {
    fr_plain ignored;
    return cuzk_fr_plain_read_le(&ignored, d->bytes);
}

void cuzk_tree_d_node(digest *parent, const digest *left, const digest *right) {
    const digest pair[2] = {*left, *right};
    cuzk_sha256(parent->bytes, pair, sizeof pair);
    parent->bytes[DIGEST_BYTES - 1] &= 0x3f;
}

void cuzk_comm_r(digest *comm_r, const digest *comm_c, const digest *root) {
    fr in[2], hash;
    bool below = cuzk_fr_read_le(&in[0], comm_c->bytes) && cuzk_fr_read_le(&in[1], root->bytes);
    CUZK_ASSERT(below);
    cuzk_poseidon(&hash, POSEIDON_2, in);
    cuzk_fr_write_le(comm_r->bytes, &hash);
}

cuzk_status cuzk_merkle_check_shape(const tree_shape *shape, const merkle_proof *path,
                                    cuzk_error *err) {
    unsigned n_levels = tree_shape_levels(shape);
    if (path->n_levels != n_levels) {
        return cuzk_fail(err, CUZK_E_INPUT, "the path has %u levels, the tree has %u",
                         path->n_levels, n_levels);
    }
    for (unsigned level = 0; level < n_levels; level++) {
        unsigned arity = tree_shape_arity(shape, level);
        if (path->position[level] >= arity) {
            return cuzk_fail(err, CUZK_E_INPUT, "level %u: index %u of a node with %u children",
                             level, path->position[level], arity);
        }
    }
    return CUZK_OK;
}

uint64_t cuzk_merkle_index(const tree_shape *shape, const merkle_proof *path) {
    uint64_t index = 0, weight = 1;
    for (unsigned level = 0; level < path->n_levels; level++) {
        index += path->position[level] * weight;
        weight *= tree_shape_arity(shape, level);
    }
    return index;
}

cuzk_status cuzk_merkle_check_index(const tree_shape *shape, const merkle_proof *path,
                                    uint64_t node, cuzk_error *err) {
    cuzk_status status = cuzk_merkle_check_shape(shape, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    uint64_t index = cuzk_merkle_index(shape, path);
    if (index != node) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the path starts at leaf %" PRIu64 ", should be %" PRIu64, index, node);
    }
    return CUZK_OK;
}

cuzk_status cuzk_merkle_check_root(const merkle_proof *path, const digest *computed,
                                   const digest *expected, const char *name, cuzk_error *err) {
    if (!digest_eq(&path->root, expected)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT, "the path's root is not %s", name);
    }
    if (!digest_eq(computed, expected)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT, "the path does not lead from its leaf to %s",
                         name);
    }
    return CUZK_OK;
}

static cuzk_status sibling_too_big(unsigned level, unsigned sibling, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_INPUT, "level %u: sibling %u is not below the field modulus",
                     level, sibling);
}

/* The children of a path's node: siblings with the node below at its position. Returns the number
 * of the first sibling that is not below the modulus, arity - 1 if all are. */
static unsigned read_children(fr *children, unsigned arity, unsigned position, const fr *below,
                              const digest *siblings) {
    unsigned s = 0;
    for (unsigned i = 0; i < arity; i++) {
        if (i == position) {
            children[i] = *below;
        } else if (!cuzk_fr_read_le(&children[i], siblings[s++].bytes)) {
            return s - 1;
        }
    }
    return s;
}

cuzk_status cuzk_merkle_poseidon(fr *roots, const tree_shape *shape,
                                 const merkle_proof *const *paths, const fr *leaves, size_t n,
                                 size_t *bad, cuzk_error *err) {
    size_t n_good = n; /* paths below it, the others need not be looked at any more */
    size_t first_sibling = 0;
    cuzk_status status = CUZK_OK;
    CUZK_ASSERT(n <= MERKLE_MAX_TOGETHER);
    for (size_t k = 0; k < n; k++) {
        CUZK_DEBUG_ASSERT(paths[k]->n_levels == tree_shape_levels(shape));
    }
    memmove(roots, leaves, n * sizeof *roots);
    for (unsigned level = 0; level < tree_shape_levels(shape); level++) {
        const unsigned arity = tree_shape_arity(shape, level);
        fr children[MERKLE_MAX_TOGETHER * POSEIDON_MAX_WIDTH];
        for (size_t k = 0; k < n_good; k++) {
            unsigned n_read = read_children(children + k * arity, arity, paths[k]->position[level],
                                            &roots[k], paths[k]->siblings + first_sibling);
            if (n_read != arity - 1) {
                status = sibling_too_big(level, n_read, err);
                n_good = k;
            }
        }
        cuzk_poseidon_many(roots, cuzk_poseidon_kind_of_arity(arity), children, n_good);
        first_sibling += arity - 1;
    }
    if (bad != NULL && status != CUZK_OK) {
        *bad = n_good;
    }
    return status;
}

cuzk_status cuzk_merkle_sha256(digest *nodes, const tree_shape *shape, const merkle_proof *path,
                               const digest *leaf, cuzk_error *err) {
    if (!cuzk_digest_is_fr(leaf)) {
        return cuzk_fail(err, CUZK_E_INPUT, "the leaf is not below the field modulus");
    }
    CUZK_ASSERT(shape->base == 2 && shape->sub == 0 && shape->top == 0);
    nodes[0] = *leaf;
    for (unsigned level = 0; level < path->n_levels; level++) {
        const digest *sibling = &path->siblings[level];
        bool right = path->position[level] == 1;
        if (!cuzk_digest_is_fr(sibling)) {
            return sibling_too_big(level, 0, err);
        }
        cuzk_tree_d_node(&nodes[level + 1], right ? sibling : &nodes[level],
                         right ? &nodes[level] : sibling);
    }
    return CUZK_OK;
}
