/* Synthesis alone: a request from bytes to the assignments of its partitions, which are measured
 * and let go. Needs no parameters. */
#ifndef CUZK_ENGINE_SYNTHESIS_JOB_H
#define CUZK_ENGINE_SYNTHESIS_JOB_H

#include <cuzk_unstable.h>

#include "engine/handle.h"

/* cuzk_synthesize; arguments were checked. */
cuzk_status cuzk_synthesis_run(cuzk_prover *prover, cuzk_synthesis *synthesis,
                               const cuzk_request *request, const cuzk_synthesis_options *options,
                               cuzk_error *err);

#endif
