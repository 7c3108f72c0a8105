/* Lines on standard error about the steps of jobs, for plots and measurements: TIMELINE (engine.md
 * 23.2), unless CUZK_TIMELINE=0, and CUZK_TIMING (23.3) with CUZK_TIMING=1. */
#ifndef CUZK_SERVER_JOB_LOG_H
#define CUZK_SERVER_JOB_LOG_H

#include "engine/engine.h"

/* Sets on_event and event_arg as the environment wants it. */
void cuzk_job_log_init(engine_options *options);

#endif
