/* Many different points by one addition each: the sums of a row and a column point of a grid. For
 * keys made on the fly, whose logarithms are then sums too. */
#ifndef CUZK_MSM_POINT_GRID_H
#define CUZK_MSM_POINT_GRID_H

#include "base/pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

/* Columns of a grid: their points stay in the cache. */
#define GRID_COLUMNS 4096

/* r[i] = rows[(first + i) / GRID_COLUMNS] + columns[(first + i) % GRID_COLUMNS], i < n. Exact for
 * all affine points. r overlaps nothing. cpu_ns (may be NULL) gets the CPU time of it added.
 * Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_point_grid_g1(const cuzk_ctx *ctx, g1_affine *r, const g1_affine *rows,
                               const g1_affine *columns, uint64_t first, size_t n, uint64_t *cpu_ns,
                               cuzk_error *err);
cuzk_status cuzk_point_grid_g2(const cuzk_ctx *ctx, g2_affine *r, const g2_affine *rows,
                               const g2_affine *columns, uint64_t first, size_t n, uint64_t *cpu_ns,
                               cuzk_error *err);

#endif
