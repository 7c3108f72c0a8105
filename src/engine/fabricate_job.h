/* Fabricated inputs as files: `cuzk fabricate`. */
#ifndef CUZK_ENGINE_FABRICATE_JOB_H
#define CUZK_ENGINE_FABRICATE_JOB_H

#include "cuzk_unstable.h"
#include "engine/handle.h"

/* cuzk_fabricate; arguments are not NULL. */
cuzk_status cuzk_fabricate_run(cuzk_prover *prover, cuzk_fabricated *made,
                               const cuzk_fabrication *fabrication, cuzk_error *err);

#endif
