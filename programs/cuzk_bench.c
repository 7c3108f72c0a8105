/* cuzk-bench: measures parts of the engine. Its subcommands are in cuzk_bench/, one file each. */
#include "cuzk_bench/command.h"

static const command *const commands[] = {
    &command_prove_only,
#ifdef CUZK_SYNTH_BENCH
    &command_synth_only,
#endif
};

static const program cuzk_bench = {
    .name = "cuzk-bench",
    .title = "measures the proving engine",
    .footer =
        "'cuzk-bench COMMAND --help' lists the options of one. Exit codes: 0 done, 1 failed,\n"
        "2 unusable input, 3 missing resources.",
    .commands = commands,
    .n_commands = sizeof commands / sizeof commands[0]};

int main(int argc, char **argv) { return run_program(&cuzk_bench, argc, argv); }
