/* The subcommands of cuzk-bench, one file each. */
#ifndef CUZK_PROGRAMS_CUZK_BENCH_COMMAND_H
#define CUZK_PROGRAMS_CUZK_BENCH_COMMAND_H

#include "support/command.h"

extern const command command_prove_only;
extern const command command_synth_only; /* with the build option CUZK_SYNTH_BENCH */

/* Those that talk to the daemon, in client/: with the build option CUZK_SERVER. */
extern const command command_single, command_batch, command_stress, command_submit, command_await,
    command_cancel, command_status, command_metrics, command_preload, command_evict;

#endif
