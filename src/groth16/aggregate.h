/* SnarkPack: one short proof for many Groth16 proofs of one key (groth16.md 5.3 to 5.8; Gailly,
 * Maller, Nitulescu, eprint 2021/529). Deterministic: bytes equal the reference's. The number of
 * proofs is a power of two, at least 2; callers repeat the last proof and the last row of inputs up
 * to cuzk_aggregate_padded. */
#ifndef CUZK_GROTH16_AGGREGATE_H
#define CUZK_GROTH16_AGGREGATE_H

#include "groth16/aggregate_srs.h"
#include "groth16/groth16.h"

#define AGGREGATE_MAX_ROUNDS 20
#define AGGREGATE_MAX_PROOFS ((size_t)1 << AGGREGATE_MAX_ROUNDS)

/* V1's first challenge misses the first round's messages and z the final A, B, C; V2 repairs both.
 */
typedef enum aggregate_version { AGGREGATE_V1 = 1, AGGREGATE_V2 = 2 } aggregate_version;

/* Two elements of Gt, one for each half of the commitment key. */
typedef struct aggregate_commitment {
    fp12 t, u;
} aggregate_commitment;

/* What the prover sends in a round that halves all vectors, in the transcript's order; l: right
 * half of the proofs with left half of the keys, r: the other way round. */
typedef struct aggregate_round {
    fp12 zab_l, zab_r;                 /* products of e(A_i, B_i) */
    g1_affine zc_l, zc_r;              /* sums of [r^i] C_i */
    aggregate_commitment tab_l, tab_r; /* commitments to A and B */
    aggregate_commitment tuc_l, tuc_r; /* commitments to C */
} aggregate_round;

/* 120 KB: not for the stack. */
typedef struct aggregate_proof {
    size_t n_proofs;
    unsigned n_rounds; /* log2 n_proofs */
    aggregate_commitment com_ab, com_c;
    fp12 ip_ab;      /* prod e(A_i, B_i)^(r^i) */
    g1_affine agg_c; /* sum [r^i] C_i */
    aggregate_round rounds[AGGREGATE_MAX_ROUNDS];
    g1_affine a; /* A, B, C and the keys when one of each is left */
    g2_affine b;
    g1_affine c;
    g2_affine v[2];
    g1_affine w[2];
    g2_affine v_opening[2];
    g1_affine w_opening[2];
} aggregate_proof;

/* The challenges of a proof, in order; c_inv[i] is what the transcript gives, c[i] its inverse. */
typedef struct aggregate_challenges {
    fr hcom, r;
    fr c[AGGREGATE_MAX_ROUNDS], c_inv[AGGREGATE_MAX_ROUNDS];
    fr extra, z;
} aggregate_challenges;

/* The next power of two, at least 2. 0 above AGGREGATE_MAX_PROOFS. */
size_t cuzk_aggregate_padded(size_t n_proofs);
/* 2260 + 2976 log2(n_proofs); n_proofs is a power of two, 2 .. AGGREGATE_MAX_PROOFS. */
size_t cuzk_aggregate_bytes(size_t n_proofs);

/* n: a power of two, 2 .. AGGREGATE_MAX_PROOFS. The SRS must have 2 n powers in each vector.
 * include: bytes that bind the aggregate to its statement (5.8). The proofs are not verified.
 * Fails: CUZK_E_ARGUMENT (n), CUZK_E_BAD_PARAMS (SRS too short), CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_aggregate_prove(const cuzk_ctx *ctx, aggregate_proof *proof,
                                 const aggregate_srs *srs, const groth16_proof *proofs, size_t n,
                                 aggregate_version version, const uint8_t *include,
                                 size_t include_len_bytes, cuzk_error *err);

/* cuzk_aggregate_bytes(proof->n_proofs) bytes. Fails: CUZK_E_INCONSISTENT if an element of Gt is 1,
 * which has no compressed form. */
cuzk_status cuzk_aggregate_write(uint8_t *bytes, const aggregate_proof *proof, cuzk_error *err);
/* The number of proofs that bytes, as an aggregate, say they are of; 0 if they are too short to say
 * or name no possible number. Nothing else is looked at. */
size_t cuzk_aggregate_n_proofs(const uint8_t *bytes, size_t len_bytes);
/* Every point and element of Gt is checked to be in its group; infinity is accepted, as are bytes
 * after the proof: *used says where it ends (may be NULL). Fails: CUZK_E_INPUT with the offset. */
cuzk_status cuzk_aggregate_read(aggregate_proof *proof, size_t *used, const uint8_t *bytes,
                                size_t len_bytes, cuzk_error *err);

/* x: n rows of n_x public inputs, ONE left out, one row a proof. The proof must come from
 * cuzk_aggregate_read. Draws weights from cuzk_entropy. Returns CUZK_OK if the proof holds,
 * CUZK_E_PROOF_INVALID if not, CUZK_E_ARGUMENT if n_x is not the key's or n not the proof's,
 * CUZK_E_BAD_PARAMS if the SRS has less than 2 powers. */
cuzk_status cuzk_aggregate_verify(const cuzk_ctx *ctx, const aggregate_srs *srs,
                                  const groth16_vk *vk, const aggregate_proof *proof,
                                  const fr_plain *x, size_t n_x, size_t n,
                                  aggregate_version version, const uint8_t *include,
                                  size_t include_len_bytes, cuzk_error *err);

/* The challenges that a verifier derives from a proof. */
void cuzk_aggregate_challenges(aggregate_challenges *challenges, const aggregate_proof *proof,
                               aggregate_version version, const uint8_t *include,
                               size_t include_len_bytes);

#endif
