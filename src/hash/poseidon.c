/* Poseidon: the constants of each kind, the plain permutation, and the way to the kernels. */
#include "hash/poseidon.h"

#include "base/status.h"
#include "poseidon_constants.h"

/* a: the arity whose arrays a kind uses. */
#define CONSTANTS(a, tag_value)                                                                    \
    {                                                                                              \
        .arity = (a), .width = (a) + 1, .partial_rounds = POSEIDON_##a##_PARTIAL_ROUNDS,           \
        .tag = tag_value, .round_constants = poseidon_##a##_round_constants,                       \
        .compressed = poseidon_##a##_compressed, .mds = poseidon_##a##_mds,                        \
        .pre_sparse = poseidon_##a##_pre_sparse, .sparse = poseidon_##a##_sparse,                  \
        .in_lanes = poseidon_##a##_in_lanes                                                        \
    }

static const poseidon_constants constants[POSEIDON_KINDS] = {
    [POSEIDON_2] = CONSTANTS(2, POSEIDON_2_TAG),
    [POSEIDON_4] = CONSTANTS(4, POSEIDON_4_TAG),
    [POSEIDON_8] = CONSTANTS(8, POSEIDON_8_TAG),
    [POSEIDON_11] = CONSTANTS(11, POSEIDON_11_TAG),
    [POSEIDON_GEN_2] = CONSTANTS(2, POSEIDON_GEN_TAG),
};

const poseidon_constants *cuzk_poseidon_constants(poseidon_kind kind) {
    CUZK_ASSERT(kind < POSEIDON_KINDS);
    return &constants[kind];
}

poseidon_kind cuzk_poseidon_kind_of_arity(unsigned arity) {
    int kind = POSEIDON_2;
    while (kind <= POSEIDON_11 && constants[kind].arity != arity) {
        kind++;
    }
    CUZK_ASSERT(kind <= POSEIDON_11);
    return (poseidon_kind)kind;
}

void cuzk_poseidon(fr *r, poseidon_kind kind, const fr *in) {
    cuzk_hash_kernels()->poseidon(r, cuzk_poseidon_constants(kind), in);
}

void cuzk_poseidon_many(fr *r, poseidon_kind kind, const fr *in, size_t n) {
    cuzk_hash_kernels()->poseidon_many(r, cuzk_poseidon_constants(kind), in, n);
}

size_t cuzk_poseidon_trace(fr *out, poseidon_kind kind, const fr *in) {
    return cuzk_hash_kernels()->poseidon_trace(out, cuzk_poseidon_constants(kind), in);
}

static void fifth_power(fr *x) {
    fr x2, x4;
    fr_sqr(&x2, x);
    fr_sqr(&x4, &x2);
    fr_mul(x, &x4, x);
}

void cuzk_poseidon_reference(fr *r, poseidon_kind kind, const fr *in) {
    const poseidon_constants *c = cuzk_poseidon_constants(kind);
    const unsigned first_partial = POSEIDON_FULL_ROUNDS / 2;
    fr state[POSEIDON_MAX_WIDTH];
    state[0] = c->tag;
    memcpy(&state[1], in, c->arity * sizeof *in);
    for (unsigned round = 0; round < POSEIDON_FULL_ROUNDS + c->partial_rounds; round++) {
        bool partial = round >= first_partial && round < first_partial + c->partial_rounds;
        fr next[POSEIDON_MAX_WIDTH];
        for (unsigned i = 0; i < c->width; i++) {
            fr_add(&state[i], &state[i], &c->round_constants[round * c->width + i]);
            if (i == 0 || !partial) {
                fifth_power(&state[i]);
            }
        }
        for (unsigned j = 0; j < c->width; j++) {
            next[j] = FR_ZERO;
            for (unsigned i = 0; i < c->width; i++) {
                fr product;
                fr_mul(&product, &state[i], &c->mds[i * c->width + j]);
                fr_add(&next[j], &next[j], &product);
            }
        }
        memcpy(state, next, c->width * sizeof *state);
    }
    *r = state[1];
}
