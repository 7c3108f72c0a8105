#include "support/whole_tree.h"

#include <stdlib.h>

#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "support/support.h"

void test_hash_children(digest *r, const digest *children, unsigned arity, bool sha256) {
    if (sha256) {
        cuzk_sha256(r->bytes, children, 2 * DIGEST_BYTES);
        r->bytes[31] &= 0x3f;
        return;
    }
    fr in[POSEIDON_MAX_WIDTH], out;
    for (unsigned i = 0; i < arity; i++) {
        assert_true(cuzk_fr_read_le(&in[i], children[i].bytes));
    }
    cuzk_poseidon(&out, cuzk_poseidon_kind_of_arity(arity), in);
    cuzk_fr_write_le(r->bytes, &out);
}

void test_tree_grow(whole_tree *t, tree_shape shape, digest *leaves, uint64_t n, bool sha256) {
    t->shape = shape;
    t->levels[0] = leaves;
    for (unsigned level = 0; level < tree_shape_levels(&shape); level++) {
        unsigned arity = tree_shape_arity(&shape, level);
        n /= arity;
        t->levels[level + 1] = malloc(n * sizeof(digest));
        for (uint64_t i = 0; i < n; i++) {
            test_hash_children(&t->levels[level + 1][i], &t->levels[level][i * arity], arity,
                               sha256);
        }
    }
    assert_true(n == 1);
}

const digest *test_tree_root(const whole_tree *t) {
    return t->levels[tree_shape_levels(&t->shape)];
}

void test_tree_fell(whole_tree *t) {
    for (unsigned level = 0; level <= tree_shape_levels(&t->shape); level++) {
        free(t->levels[level]);
    }
}

void test_tree_open(merkle_proof *path, const whole_tree *t, uint64_t leaf) {
    unsigned n_levels = tree_shape_levels(&t->shape);
    digest *siblings = malloc(n_levels * 7 * sizeof(digest));
    *path = (merkle_proof){.root = *test_tree_root(t),
                           .leaf = t->levels[0][leaf],
                           .n_levels = n_levels,
                           .siblings = siblings};
    for (unsigned level = 0; level < n_levels; level++) {
        unsigned arity = tree_shape_arity(&t->shape, level);
        path->position[level] = (uint8_t)(leaf % arity);
        leaf /= arity;
        for (unsigned i = 0; i < arity; i++) {
            if (i != path->position[level]) {
                *siblings++ = t->levels[level][leaf * arity + i];
            }
        }
    }
}
