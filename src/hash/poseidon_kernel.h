/* The body of the Poseidon kernels, compiled once for each level by the files poseidon_<level>.c.
 *
 * The optimised permutation of circuits.md 2.10: constants are added behind the S-boxes, and the
 * partial rounds use sparse matrices. Its S-box steps are the allocations of the legacy circuit, so
 * one body gives hash and trace. */
#ifndef CUZK_HASH_POSEIDON_KERNEL_H
#define CUZK_HASH_POSEIDON_KERNEL_H

#include "base/status.h"
#include "hash/fr_dot.h"
#include "hash/poseidon.h"

/* s = s^5 + post (post may be NULL). trace, unless NULL, gets s if `materialise`, then s^2, s^4 and
 * the result; the place behind them is returned. */
static inline fr *sbox(fr *s, const fr *post, fr *trace, bool materialise) {
    fr s2, s4, s5;
    fr_sqr(&s2, s);
    fr_sqr(&s4, &s2);
    fr_mul(&s5, &s4, s);
    if (post != NULL) {
        fr_add(&s5, &s5, post);
    }
    if (trace != NULL) {
        if (materialise) {
            *trace++ = *s;
        }
        *trace++ = s2;
        *trace++ = s4;
        *trace++ = s5;
    }
    *s = s5;
    return trace;
}

/* state[j] = sum over i of m[i][j] * state[i] */
static inline void mix(fr *state, const fr *m, unsigned width) {
    fr out[POSEIDON_MAX_WIDTH];
    for (unsigned j = 0; j < width; j++) {
        fr_dot(&out[j], state, m + j, width, width);
    }
    memcpy(state, out, width * sizeof *state);
}

static inline void mix_sparse(fr *state, const fr *sparse, unsigned width) {
    const fr *v_rest = sparse + width;
    fr first, product;
    fr_dot(&first, state, sparse, 1, width);
    for (unsigned j = 1; j < width; j++) {
        fr_mul(&product, &v_rest[j - 1], &state[0]);
        fr_add(&state[j], &state[j], &product);
    }
    state[0] = first;
}

/* r = H(in); returns the end of the trace. Inlined with and without a trace. */
static inline __attribute__((always_inline)) fr *poseidon_body(fr *r, const poseidon_constants *c,
                                                               const fr *in, fr *trace) {
    const unsigned width = c->width;
    const fr *k = c->compressed;
    fr state[POSEIDON_MAX_WIDTH];

    CUZK_DEBUG_ASSERT(width >= 2 && width <= POSEIDON_MAX_WIDTH);
    fr_add(&state[0], &c->tag, &k[0]);
    for (unsigned i = 1; i < width; i++) {
        fr_add(&state[i], &in[i - 1], &k[i]);
    }
    k += width;
    for (unsigned round = 0; round < POSEIDON_FULL_ROUNDS / 2; round++) {
        /* The circuit knows element 0 of the first round as a constant, and the others as
         * variables. */
        if (round == 0) {
            sbox(&state[0], &k[0], NULL, false);
        } else {
            trace = sbox(&state[0], &k[0], trace, true);
        }
        for (unsigned i = 1; i < width; i++) {
            trace = sbox(&state[i], &k[i], trace, round != 0);
        }
        k += width;
        mix(state, round == POSEIDON_FULL_ROUNDS / 2 - 1 ? c->pre_sparse : c->mds, width);
    }
    const fr *sparse = c->sparse;
    for (unsigned round = 0; round < c->partial_rounds; round++) {
        trace = sbox(&state[0], k++, trace, true);
        mix_sparse(state, sparse, width);
        sparse += 2 * width - 1;
    }
    for (unsigned round = 1; round < POSEIDON_FULL_ROUNDS / 2; round++) {
        for (unsigned i = 0; i < width; i++) {
            trace = sbox(&state[i], &k[i], trace, true);
        }
        k += width;
        mix(state, c->mds, width);
    }
    for (unsigned i = 0; i < width; i++) {
        trace = sbox(&state[i], NULL, trace, true);
    }
    fr_dot(r, state, c->mds + 1, width, width);
    if (trace != NULL) {
        *trace++ = *r;
    }
    return trace;
}

static void poseidon_hash(fr *r, const poseidon_constants *c, const fr *in) {
    poseidon_body(r, c, in, NULL);
}

static void poseidon_one_by_one(fr *r, const poseidon_constants *c, const fr *in, size_t n) {
    for (size_t k = 0; k < n; k++) {
        poseidon_hash(&r[k], c, in + k * c->arity);
    }
}

static size_t poseidon_trace(fr *out, const poseidon_constants *c, const fr *in) {
    fr result;
    return (size_t)(poseidon_body(&result, c, in, out) - out);
}

#endif
