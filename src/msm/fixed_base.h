/* Many multiples of one point: r[i] = [k[i]] base, for trusted setups. Windowed table, batched
 * affine additions. */
#ifndef CUZK_MSM_FIXED_BASE_H
#define CUZK_MSM_FIXED_BASE_H

#include "base/pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

typedef struct fixed_base_g1 fixed_base_g1;
typedef struct fixed_base_g2 fixed_base_g2;

/* n_multiples: expected number over the table's life; chooses the window. */
cuzk_status cuzk_fixed_base_g1_create(fixed_base_g1 **table, const cuzk_ctx *ctx,
                                      const g1_affine *base, uint64_t n_multiples, cuzk_error *err);
cuzk_status cuzk_fixed_base_g2_create(fixed_base_g2 **table, const cuzk_ctx *ctx,
                                      const g2_affine *base, uint64_t n_multiples, cuzk_error *err);
void cuzk_fixed_base_g1_destroy(fixed_base_g1 *table);
void cuzk_fixed_base_g2_destroy(fixed_base_g2 *table);
/* r[i] = [k[i]] base for n multiples, split over the workers of ctx. Fails: CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_fixed_base_g1_mul(const fixed_base_g1 *table, const cuzk_ctx *ctx, g1_affine *r,
                                   const fr_plain *k, size_t n, cuzk_error *err);
cuzk_status cuzk_fixed_base_g2_mul(const fixed_base_g2 *table, const cuzk_ctx *ctx, g2_affine *r,
                                   const fr_plain *k, size_t n, cuzk_error *err);

#endif
