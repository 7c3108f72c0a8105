/* The subcommands of cuzk, one file each. */
#ifndef CUZK_PROGRAMS_CUZK_COMMAND_H
#define CUZK_PROGRAMS_CUZK_COMMAND_H

#include "support/command.h"

extern const command command_prove, command_verify, command_setup, command_circuits, command_r1cs,
    command_params, command_inspect, command_selftest, command_aggregate, command_verify_aggregate,
    command_setup_srs, command_fabricate, command_plan;

#endif
