/* A subcommand, and what all of them share: options, arguments, the prover. */
#ifndef CUZK_PROGRAMS_COMMAND_H
#define CUZK_PROGRAMS_COMMAND_H

#include <argp.h>

#include <cuzk.h>
#include <cuzk_unstable.h>

#include "support/common.h"

typedef struct command {
    const char *name, *arguments, *summary;
    int min_arguments, max_arguments;
    int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is "PROGRAM NAME" */
} command;

/* A program that is a set of subcommands. */
typedef struct program {
    const char *name, *title;
    const char *footer; /* below the list of subcommands */
    const command *const *commands;
    size_t n_commands;
} program;

/* What main() does: runs the subcommand that argv[1] names, or prints the list or the version.
 * Returns the exit code. */
int run_program(const program *self, int argc, char **argv);

#define MAX_ARGUMENTS 2

/* What every subcommand can be told. */
typedef struct common_options {
    cuzk_options prover;
    bool json;
    const char *arguments[MAX_ARGUMENTS];
    int n_arguments;
} common_options;

/* For subcommands without options of their own: leaves the program with EXIT_BAD_INPUT or a help
 * text unless argv fits. */
void parse_common(const command *self, common_options *common, int argc, char **argv);

/* The same with options of its own; NULL: with those of its children only. `parser` gets them with
 * state->input = input, and sets state->child_inputs[i] = input of children[i] on ARGP_KEY_INIT;
 * the last child is COMMON_CHILD, whose input is `common`. */
void parse_command(const command *self, common_options *common, const struct argp_option *options,
                   argp_parser_t parser, const struct argp_child *children, void *input, int argc,
                   char **argv);
extern const struct argp common_argp;
#define COMMON_CHILD                                                                               \
    { .argp = &common_argp, .group = 8 }

/* Creates the prover; SIGINT and SIGTERM cancel it. Returns NULL after reporting. One at a time. */
cuzk_prover *open_prover(common_options *common, int *code);
void close_prover(cuzk_prover *prover);

#endif
