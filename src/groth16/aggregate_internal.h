/* What prover and verifier of aggregates share: the numbers of proofs and rounds, the challenges
 * one by one, the key polynomials, products of pairings and steps over arrays of points. */
#ifndef CUZK_GROTH16_AGGREGATE_INTERNAL_H
#define CUZK_GROTH16_AGGREGATE_INTERNAL_H

#include "groth16/aggregate.h"

/* Whether an aggregate can be of n proofs. */
static inline bool aggregate_count_is_possible(size_t n) {
    return n >= 2 && n <= AGGREGATE_MAX_PROOFS && (n & (n - 1)) == 0;
}

/* log2 n for such an n */
static inline unsigned aggregate_rounds_of(size_t n) { return (unsigned)__builtin_ctzll(n); }

/* hcom and r, from the commitments. */
void cuzk_aggregate_challenge_start(aggregate_challenges *challenges, const aggregate_proof *proof,
                                    const uint8_t *include, size_t include_len_bytes);
/* c_inv[i] and c[i], from the messages of round i and, for i = 0, ip_ab and agg_c. */
void cuzk_aggregate_challenge_round(aggregate_challenges *challenges, const aggregate_proof *proof,
                                    unsigned i, aggregate_version version);
/* extra and z, from the final values. */
void cuzk_aggregate_challenge_end(aggregate_challenges *challenges, const aggregate_proof *proof,
                                  aggregate_version version);

/* prod_j (1 + k[n_rounds - 1 - j] x^(2^j)) */
void cuzk_aggregate_key_value(fr *r, const fr *k, unsigned n_rounds, const fr *x);

/* n pairs of points; n = 0: none. */
typedef struct pair_run {
    const g1_affine *p;
    const g2_affine *q;
    size_t n;
} pair_run;

/* *out = prod e(p, q) over both runs */
typedef struct pair_product {
    fp12 *out;
    pair_run run[2];
} pair_product;

/* Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_pair_products(const cuzk_ctx *ctx, const pair_product *products, size_t n_products,
                               cuzk_error *err);

/* For i < n: p[i] = [k[i]] p[i] or, if folds, p[i] = p[i] + [k[0]] p[n + i]. p is g1 or g2, the
 * other NULL. */
typedef struct point_step {
    g1_affine *g1;
    g2_affine *g2;
    size_t n;
    bool folds;
    const fr_plain *k;
} point_step;

/* All steps at once. Fails: CUZK_E_CANCELLED. */
cuzk_status cuzk_point_steps(const cuzk_ctx *ctx, const point_step *steps, size_t n_steps,
                             cuzk_error *err);

#endif
