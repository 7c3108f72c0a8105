/* cuzk-bench: a client of the daemon, and measurements of parts of the engine. Its subcommands are
 * in cuzk_bench/, one file each. */
#include "cuzk_bench/command.h"
#include "cuzk_bench/global_options.h"

static const command *const commands[] = {
#ifdef CUZK_SERVER
    &command_single,     &command_batch,  &command_stress,  &command_submit,  &command_await,
    &command_cancel,     &command_status, &command_metrics, &command_preload, &command_evict,
#endif
    &command_prove_only,
#ifdef CUZK_SYNTH_BENCH
    &command_synth_only,
#endif
};

static const program cuzk_bench = {
    .name = "cuzk-bench",
    .title = "drives and measures the proving daemon",
    .footer =
        "-a ADDR, --log-level LEVEL and other options of all may stand before the command.\n"
        "'cuzk-bench COMMAND --help' lists the options of one. Exit codes: 0 done, 1 failed,\n"
        "2 unusable input, 3 missing resources or no daemon.",
    .commands = commands,
    .n_commands = sizeof commands / sizeof commands[0]};

int main(int argc, char **argv) {
    subcommand_first(argc, argv);
    return run_program(&cuzk_bench, argc, argv);
}
