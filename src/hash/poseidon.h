/* Poseidon over Fr, neptune's "Standard" strength, circuits.md 2.10: width t = arity + 1, 8 full
 * rounds, S-box x^5. */
#ifndef CUZK_HASH_POSEIDON_H
#define CUZK_HASH_POSEIDON_H

#include "base/cpu.h"
#include "field/fr.h"

#define POSEIDON_FULL_ROUNDS 8
#define POSEIDON_MAX_WIDTH 12
#define POSEIDON_MAX_PARTIAL_ROUNDS 57

typedef enum poseidon_kind {
    POSEIDON_2, /* Merkle trees and commitments, tag 2^arity - 1 */
    POSEIDON_4,
    POSEIDON_8,
    POSEIDON_11,
    POSEIDON_GEN_2, /* arity 2 with the gen-randomness tag 2^40 (SnapDeals) */
    POSEIDON_KINDS
} poseidon_kind;

/* One sparse matrix of the partial rounds: column 0 (w_hat, t values) and the rest of row 0
 * (v_rest, t - 1 values). */
typedef struct poseidon_sparse {
    fr w_hat[POSEIDON_MAX_WIDTH];
    fr v_rest[POSEIDON_MAX_WIDTH - 1];
} poseidon_sparse;

/* All in Montgomery form; matrices row-major: m[i][j]. From scripts/gen_poseidon.py, checked by
 * digests in the tests. */
typedef struct poseidon_constants {
    unsigned arity, width, partial_rounds;
    fr tag;
    const fr *round_constants; /* width * (8 + partial_rounds): the plain permutation */
    const fr *compressed;      /* 8 width + partial_rounds, in order of use */
    const fr *mds;             /* width * width */
    const fr *pre_sparse;      /* width * width */
    const fr *sparse; /* partial_rounds * (2 width - 1): w_hat then v_rest of each, in order of
                         application */
    /* compressed, mds, pre_sparse and sparse once more, one after the other: limbs of 52 bits,
     * Montgomery factor 2^260 (field/fr8.h) */
    const uint64_t (*in_lanes)[5];
} poseidon_constants;
const poseidon_constants *cuzk_poseidon_constants(poseidon_kind kind);
/* The tree hash of an arity (2, 4, 8, 11); asserts on others. */
poseidon_kind cuzk_poseidon_kind_of_arity(unsigned arity);

/* r = H(in[0..arity)); at the CPU level in force. */
void cuzk_poseidon(fr *r, poseidon_kind kind, const fr *in);
/* r[k] = H(in[k arity] .. in[k arity + arity - 1]), k < n; r apart from in. The fastest way to
 * many hashes: a multiple of 8 at best. */
void cuzk_poseidon_many(fr *r, poseidon_kind kind, const fr *in, size_t n);
/* The plain permutation of circuits.md 2.10, slow: what the others are tested against. */
void cuzk_poseidon_reference(fr *r, poseidon_kind kind, const fr *in);

/* Every value the legacy circuit allocates for one hash, in allocation order, Montgomery form;
 * out[n-1] is the result. Returns n = 3 (8 t + R_P - 1) + (8 t + R_P - arity): 311, 377, 505, 598.
 * circuits.md 2.11. */
size_t cuzk_poseidon_trace(fr *out, poseidon_kind kind, const fr *in);
#define POSEIDON_MAX_TRACE 598

typedef struct hash_kernels {
    void (*poseidon)(fr *r, const poseidon_constants *c, const fr *in);
    void (*poseidon_many)(fr *r, const poseidon_constants *c, const fr *in, size_t n);
    size_t (*poseidon_trace)(fr *out, const poseidon_constants *c, const fr *in);
} hash_kernels;
const hash_kernels *cuzk_hash_kernels(void);
const hash_kernels *cuzk_hash_kernels_at(cuzk_cpu_level level); /* NULL when absent */

#endif
