/* Multi-scalar multiplication: sums of [k_i] P_i over G1 and G2, fed in chunks.
 *
 * A sum is opened, takes any number of chunks (points in order with their scalars, or points
 * selected by bits), and is finished. All windows stay open over the chunks, so the points are seen
 * once. Points are affine Montgomery (infinity allowed), scalars plain residues below r. Exact for
 * every input, also equal and opposite points. */
#ifndef CUZK_MSM_MSM_H
#define CUZK_MSM_MSM_H

#include "base/pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

typedef struct msm_g1 msm_g1;
typedef struct msm_g2 msm_g2;

/* Best chunk length for the streams that feed a sum: a few 2^16 points. */
#define MSM_CHUNK_POINTS ((size_t)1 << 18)

/* What a sum knows of its points. Points of the subgroup of order r take fewer windows, as
 * endomorphisms give multiples of them; with others such a sum is wrong. */
typedef enum msm_points { MSM_POINTS_ON_CURVE, MSM_POINTS_IN_SUBGROUP } msm_points;

/* Memory of an open sum that will see about n_points full-size scalars with the workers of ctx. */
size_t cuzk_msm_g1_bytes(const cuzk_ctx *ctx, msm_points points, uint64_t n_points);
size_t cuzk_msm_g2_bytes(const cuzk_ctx *ctx, msm_points points, uint64_t n_points);

/* Which of the MSM_PLANS ways to add up points a sum takes: those of one way cost the same a point
 * and the same at their end. */
#define MSM_PLANS 128
unsigned cuzk_msm_g1_plan(msm_points points, uint64_t n_points);
unsigned cuzk_msm_g2_plan(msm_points points, uint64_t n_points);

/* n_points: expected number of full-size scalars over all chunks; chooses the window. It may be
 * wrong. Charges cuzk_msm_g1_bytes to ctx->account. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_msm_g1_open(msm_g1 **sum, const cuzk_ctx *ctx, msm_points points,
                             uint64_t n_points, cuzk_error *err);
cuzk_status cuzk_msm_g2_open(msm_g2 **sum, const cuzk_ctx *ctx, msm_points points,
                             uint64_t n_points, cuzk_error *err);
void cuzk_msm_g1_close(msm_g1 *sum); /* accepts NULL */
void cuzk_msm_g2_close(msm_g2 *sum);

/* sum += sum_i [k[i]] p[i], n of any size, 0/1 and small scalars cheap. at: NULL, or n indices: the
 * i-th point is then p[at[i]] (for scalars gathered from a sparse list). Fails: CUZK_E_CANCELLED;
 * the sum is then only fit for close. */
cuzk_status cuzk_msm_g1_add(msm_g1 *sum, const cuzk_ctx *ctx, const g1_affine *p, const fr_plain *k,
                            const uint32_t *at, size_t n, cuzk_error *err);
cuzk_status cuzk_msm_g2_add(msm_g2 *sum, const cuzk_ctx *ctx, const g2_affine *p, const fr_plain *k,
                            const uint32_t *at, size_t n, cuzk_error *err);
/* sum += sum of p[i] over the set bits; bit i is bits[i / 64] >> (i % 64) & 1, n bits. */
cuzk_status cuzk_msm_g1_add_bits(msm_g1 *sum, const cuzk_ctx *ctx, const g1_affine *p,
                                 const uint64_t *bits, size_t n, cuzk_error *err);
cuzk_status cuzk_msm_g2_add_bits(msm_g2 *sum, const cuzk_ctx *ctx, const g2_affine *p,
                                 const uint64_t *bits, size_t n, cuzk_error *err);
/* The value so far; the sum stays open. */
cuzk_status cuzk_msm_g1_value(msm_g1 *sum, const cuzk_ctx *ctx, g1_jac *r, cuzk_error *err);
cuzk_status cuzk_msm_g2_value(msm_g2 *sum, const cuzk_ctx *ctx, g2_jac *r, cuzk_error *err);

/* One-shot: r = sum_i [k[i]] p[i], any points of the curve. */
cuzk_status cuzk_msm_g1(const cuzk_ctx *ctx, g1_jac *r, const g1_affine *p, const fr_plain *k,
                        size_t n, cuzk_error *err);
cuzk_status cuzk_msm_g2(const cuzk_ctx *ctx, g2_jac *r, const g2_affine *p, const fr_plain *k,
                        size_t n, cuzk_error *err);

#endif
