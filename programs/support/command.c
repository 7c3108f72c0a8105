/* Options, arguments and the prover of every subcommand. */
#include "support/command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_PARAM_CACHE = 0x1000, OPT_THREADS, OPT_MEMORY, OPT_JSON, OPT_ALLOW_LOCAL };

static const struct argp_option common_table[] = {
    {"param-cache", OPT_PARAM_CACHE, "DIR", 0,
     "Parameter directory (else FIL_PROOFS_PARAMETER_CACHE, else the reference's default)", 0},
    {"allow-local-params", OPT_ALLOW_LOCAL, NULL, 0,
     "Accept parameters made by 'cuzk setup' (insecure: tests only)", 0},
    {"threads", OPT_THREADS, "N", 0, "Threads (0: one for each CPU)", 0},
    {"memory", OPT_MEMORY, "MIB", 0, "Memory budget in MiB (none)", 0},
    {"json", OPT_JSON, NULL, 0, "Print one JSON object", 0},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    common_options *common = state->input;
    switch (key) {
    case OPT_PARAM_CACHE:
        common->prover.param_cache = text;
        break;
    case OPT_THREADS:
        common->prover.n_threads = (unsigned)option_number("--threads", text, 1024);
        break;
    case OPT_MEMORY:
        common->prover.memory_limit_bytes = (size_t)option_number("--memory", text, UINT32_MAX)
                                            << 20;
        break;
    case OPT_JSON:
        common->json = true;
        break;
    case OPT_ALLOW_LOCAL:
        common->prover.allow_local_params = true;
        break;
    case ARGP_KEY_ARG:
        if (common->n_arguments == MAX_ARGUMENTS) {
            argp_error(state, "too many arguments: %s", text);
        }
        common->arguments[common->n_arguments++] = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp common_argp = {.options = common_table, .parser = parse_one};

static error_t parse_nothing(int key, char *text, struct argp_state *state) {
    (void)text;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void parse_command(const command *self, common_options *common, const struct argp_option *options,
                   argp_parser_t parser, const struct argp_child *children, void *input, int argc,
                   char **argv) {
    const struct argp argp = {.options = options,
                              .parser = parser,
                              .args_doc = self->arguments,
                              .doc = self->summary,
                              .children = children};
    *common = (common_options){0};
    cuzk_options_init(&common->prover);
    argp_parse(&argp, argc, argv, 0, NULL, input);
    if (common->n_arguments < self->min_arguments || common->n_arguments > self->max_arguments) {
        fprintf(stderr, "usage: %s %s\n", argv[0], self->arguments);
        exit(EXIT_BAD_INPUT);
    }
}

void parse_common(const command *self, common_options *common, int argc, char **argv) {
    static const struct argp_child children[] = {COMMON_CHILD, {0}};
    parse_command(self, common, NULL, parse_nothing, children, common, argc, argv);
}

/* ---- the prover ---- */

static cuzk_prover *running_prover;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    cuzk_prover_cancel(running_prover);
}

cuzk_prover *open_prover(common_options *common, int *code) {
    cuzk_error err;
    common->prover.progress = progress_bar;
    cuzk_prover *prover = NULL;
    if (cuzk_prover_create(&prover, &common->prover, &err) != CUZK_OK) {
        *code = report_error(&err);
        return NULL;
    }
    running_prover = prover;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return prover;
}

void close_prover(cuzk_prover *prover) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    running_prover = NULL;
    cuzk_prover_destroy(prover);
}

/* ---- programs ---- */

static void print_usage(const program *self, FILE *file) {
    fprintf(file, "%s %s: %s\n\n", self->name, cuzk_version(), self->title);
    for (size_t i = 0; i < self->n_commands; i++) {
        const command *c = self->commands[i];
        fprintf(file, "  %s %-16s %-12s %s\n", self->name, c->name, c->arguments, c->summary);
    }
    fprintf(file, "\n%s\n", self->footer);
}

int run_program(const program *self, int argc, char **argv) {
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(self, argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_BAD_INPUT : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", self->name, cuzk_version());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < self->n_commands; i++) {
        const command *c = self->commands[i];
        if (strcmp(argv[1], c->name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "%s %s", self->name, c->name);
            argv[1] = name;
            return c->run(c, argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "%s: unknown command '%.50s'\n\n", self->name, argv[1]);
    print_usage(self, stderr);
    return EXIT_BAD_INPUT;
}
