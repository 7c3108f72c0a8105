/* cuzk setup-srs: a local SRS for SnarkPack, for tests. */
#include "cuzk/command.h"

typedef struct srs_options {
    common_options common;
    const char *output;
    uint64_t seed, n_proofs;
    bool has_seed;
} srs_options;

enum { OPT_SEED = 256, OPT_PROOFS };

static const struct argp_option table[] = {
    {"output", 'o', "FILE", 0, "The .srs file to make", 1},
    {"proofs", OPT_PROOFS, "N", 0, "For aggregates of up to N proofs (16)", 1},
    {"seed", OPT_SEED, "N", 0, "Seed of the reference's test generator, a number (else secrets)",
     1},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    srs_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        break;
    case 'o':
        o->output = text;
        break;
    case OPT_SEED:
        o->seed = option_number("--seed", text, UINT64_MAX);
        o->has_seed = true;
        break;
    case OPT_PROOFS:
        o->n_proofs = option_number("--proofs", text, 1 << 19);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {COMMON_CHILD, {0}};
    srs_options o = {.n_proofs = 16};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    if (o.output == NULL) {
        fprintf(stderr, "cuzk: -o FILE is required\n");
        return EXIT_BAD_INPUT;
    }
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(&o.common, &code);
    if (prover == NULL) {
        return code;
    }
    fprintf(stderr, "cuzk: WARNING: this is a LOCAL SRS for TESTS. Whoever makes it can forge "
                    "aggregates;\ncuzk: WARNING: no network accepts aggregates made with it.\n");
    if (cuzk_setup_srs(prover, o.output, (size_t)o.n_proofs, o.has_seed ? &o.seed : NULL, &err) !=
        CUZK_OK) {
        code = report_error(&err);
    } else {
        progress_bar_end();
        printf("%s\n", o.output);
    }
    close_prover(prover);
    return code;
}

const command command_setup_srs = {.name = "setup-srs",
                                   .arguments = "",
                                   .summary = "make a local test SRS for aggregates",
                                   .run = run};
