/* The subcommands of cuzk-bench, one file each. */
#ifndef CUZK_PROGRAMS_CUZK_BENCH_COMMAND_H
#define CUZK_PROGRAMS_CUZK_BENCH_COMMAND_H

#include "support/command.h"

extern const command command_prove_only;
extern const command command_synth_only; /* with the build option CUZK_SYNTH_BENCH */

#endif
