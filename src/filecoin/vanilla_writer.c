/* Bincode, plain concatenation. */
#include "filecoin/vanilla_writer.h"

#include "base/bytes.h"

static uint8_t *put_u64(uint8_t *at, uint64_t value) {
    store_le64(at, value);
    return at + 8;
}

static uint8_t *put_digest(uint8_t *at, const digest *d) {
    memcpy(at, d->bytes, DIGEST_BYTES);
    return at + DIGEST_BYTES;
}

/* Paths of a proof: base, and sub and top where the tree has them. */
static unsigned n_paths(const tree_shape *shape) {
    return 1 + (shape->sub != 0) + (shape->top != 0);
}

static size_t merkle_bytes(const tree_shape *shape) {
    size_t len = 4 + 8 * (size_t)n_paths(shape) + 2 * DIGEST_BYTES;
    for (unsigned level = 0; level < tree_shape_levels(shape); level++) {
        len += 16 + (size_t)(tree_shape_arity(shape, level) - 1) * DIGEST_BYTES;
    }
    return len;
}

static uint8_t *put_ends(uint8_t *at, const merkle_proof *proof) {
    at = put_digest(at, &proof->root);
    return put_digest(at, &proof->leaf);
}

static uint8_t *put_merkle(uint8_t *at, const merkle_proof *proof, const tree_shape *shape) {
    unsigned n = n_paths(shape);
    const digest *sibling = proof->siblings;
    store_le32(at, n - 1); /* Single, Sub, Top */
    at += 4;
    if (n == 1) {
        at = put_ends(at, proof);
    }
    unsigned level = 0;
    for (unsigned path = 0; path < n; path++) {
        unsigned n_levels = path == 0 ? shape->n_base_levels : 1;
        at = put_u64(at, n_levels);
        for (unsigned end = level + n_levels; level < end; level++) {
            unsigned n_hashes = tree_shape_arity(shape, level) - 1;
            at = put_u64(at, n_hashes);
            for (unsigned i = 0; i < n_hashes; i++) {
                at = put_digest(at, sibling++);
            }
            at = put_u64(at, proof->position[level]);
        }
    }
    return n == 1 ? at : put_ends(at, proof);
}

size_t cuzk_post_sector_bytes(const tree_shape *shape, unsigned n_challenges) {
    return 8 + DIGEST_BYTES + 8 + 8 + n_challenges * merkle_bytes(shape) + 2 * DIGEST_BYTES;
}

void cuzk_post_sector_write(uint8_t *out, const post_sector_proof *proof, const tree_shape *shape) {
    out = put_u64(out, proof->sector_id);
    out = put_digest(out, &proof->comm_r);
    out = put_u64(out, 1); /* sectors */
    out = put_u64(out, proof->n_challenges);
    for (unsigned i = 0; i < proof->n_challenges; i++) {
        out = put_merkle(out, &proof->inclusions[i], shape);
    }
    out = put_digest(out, &proof->comm_c);
    put_digest(out, &proof->comm_r_last);
}

size_t cuzk_update_partition_bytes(const tree_shape *shape, unsigned log2_nodes,
                                   unsigned n_apex_leaves, unsigned n_challenges) {
    const tree_shape tree_d = tree_shape_binary(log2_nodes);
    return DIGEST_BYTES + 8 + (size_t)n_apex_leaves * DIGEST_BYTES + 8 +
           n_challenges * (2 * merkle_bytes(shape) + merkle_bytes(&tree_d));
}

void cuzk_update_partition_write(uint8_t *out, const update_partition_proof *proof,
                                 const tree_shape *shape, unsigned log2_nodes) {
    const tree_shape tree_d = tree_shape_binary(log2_nodes);
    out = put_digest(out, &proof->comm_c);
    out = put_u64(out, proof->n_apex_leaves);
    for (unsigned i = 0; i < proof->n_apex_leaves; i++) {
        out = put_digest(out, &proof->apex_leaves[i]);
    }
    out = put_u64(out, proof->n_challenges);
    for (unsigned i = 0; i < proof->n_challenges; i++) {
        const update_challenge_proof *c = &proof->challenges[i];
        out = put_merkle(out, &c->r_old, shape);
        out = put_merkle(out, &c->d_new, &tree_d);
        out = put_merkle(out, &c->r_new, shape);
    }
}
