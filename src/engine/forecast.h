/* What proofs of a circuit take on this machine: memory by the prover's own formula, disk, and core
 * time by a model (docs/performance.md) whose unit costs are measured here first. */
#ifndef CUZK_ENGINE_FORECAST_H
#define CUZK_ENGINE_FORECAST_H

#include <cuzk_unstable.h>

#include "engine/handle.h"
#include "filecoin/param_set.h"

typedef struct calibration calibration;

/* Measures the kernels in force on one thread: transform, sums over bits and over full scalars,
 * decoding, multiplication in Fr. Sums are measured when a forecast first needs their number of
 * windows. 2 to 10 s in all. Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_calibration_create(calibration **c, const cuzk_ctx *ctx, cuzk_error *err);
void cuzk_calibration_destroy(calibration *c); /* accepts NULL */

/* Of one partition. `c`: NULL, then without times. Fails: as cuzk_calibration_create;
 * CUZK_E_UNSUPPORTED if the circuit's sizes are not known. */
cuzk_status cuzk_forecast(cuzk_plan *plan, calibration *c, const cuzk_ctx *ctx,
                          const param_set *set, cuzk_error *err);

/* cuzk_plan_circuits; arguments were checked. */
cuzk_status cuzk_plan_run(cuzk_prover *prover, cuzk_plan *plans, const size_t *circuits, size_t n,
                          cuzk_error *err);

#endif
