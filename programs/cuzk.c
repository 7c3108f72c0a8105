/* cuzk: the offline tool. Its subcommands are in cuzk/, one file each. */
#include <string.h>

#include "cuzk/command.h"

static const command *const commands[] = {
    &command_prove,  &command_verify,    &command_aggregate, &command_verify_aggregate,
    &command_setup,  &command_setup_srs, &command_circuits,  &command_r1cs,
    &command_params, &command_fabricate, &command_inspect,   &command_selftest};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE *file) {
    fprintf(file, "cuzk %s: Groth16 proofs for Filecoin, offline\n\n", cuzk_version());
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(file, "  cuzk %-16s %-12s %s\n", commands[i]->name, commands[i]->arguments,
                commands[i]->summary);
    }
    fprintf(file, "\n'cuzk COMMAND --help' lists the options of one. Exit codes: 0 done or valid, "
                  "1 invalid or failed,\n2 unusable input, 3 missing parameters or resources.\n");
}

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_BAD_INPUT : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("cuzk %s\n", cuzk_version());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const command *c = commands[i];
        if (strcmp(argv[1], c->name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "cuzk %s", c->name);
            argv[1] = name;
            return c->run(c, argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "cuzk: unknown command '%.50s'\n\n", argv[1]);
    print_usage(stderr);
    return EXIT_BAD_INPUT;
}
