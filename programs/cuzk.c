/* cuzk: the offline tool. Its subcommands are in cuzk/, one file each. */
#include "cuzk/command.h"

static const command *const commands[] = {
    &command_prove,   &command_verify,    &command_aggregate, &command_verify_aggregate,
    &command_setup,   &command_setup_srs, &command_circuits,  &command_r1cs,
    &command_params,  &command_plan,      &command_fabricate, &command_inspect,
    &command_selftest};

static const program cuzk = {
    .name = "cuzk",
    .title = "Groth16 proofs for Filecoin, offline",
    .footer = "'cuzk COMMAND --help' lists the options of one. Exit codes: 0 done or valid, "
              "1 invalid or failed,\n2 unusable input, 3 missing parameters or resources.",
    .commands = commands,
    .n_commands = sizeof commands / sizeof commands[0]};

int main(int argc, char **argv) { return run_program(&cuzk, argc, argv); }
