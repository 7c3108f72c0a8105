/* cuzk setup: local test parameters of a circuit. */
#include "cuzk/command.h"

typedef struct setup_options {
    common_options common;
    const char *seed;
} setup_options;

enum { OPT_SEED = 256 };

static const struct argp_option table[] = {
    {"seed", OPT_SEED, "HEX", 0, "16 bytes for the reference's test generator (else secrets)", 1},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    setup_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        break;
    case OPT_SEED:
        o->seed = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int setup(setup_options *o) {
    cuzk_error err;
    size_t circuit;
    int code = EXIT_DONE;
    if (cuzk_circuit_find(&circuit, o->common.arguments[0], &err) != CUZK_OK) {
        return report_error(&err);
    }
    uint8_t seed[16];
    if (o->seed != NULL) {
        option_hex("--seed", o->seed, seed, sizeof seed);
    }
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        return code;
    }
    fprintf(stderr,
            "cuzk: WARNING: these are LOCAL parameters for TESTS. Whoever makes them can forge "
            "proofs;\ncuzk: WARNING: no network accepts proofs made with them.\n");
    if (cuzk_setup(prover, circuit, o->seed != NULL ? seed : NULL, o->common.prover.param_cache,
                   &err) != CUZK_OK) {
        code = report_error(&err);
    } else {
        progress_bar_end();
        cuzk_param_state state[2];
        cuzk_circuit_info info;
        if (cuzk_circuit_get(&info, circuit, &err) != CUZK_OK ||
            cuzk_params_check(prover, state, circuit, o->common.prover.param_cache, false, &err) !=
                CUZK_OK) {
            code = report_error(&err);
        } else {
            for (int i = 0; i < 2; i++) {
                printf("%s  %s\n", state[i].digest, state[i].file);
            }
        }
    }
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {COMMON_CHILD, {0}};
    setup_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    return setup(&o);
}

const command command_setup = {.name = "setup",
                               .arguments = "CIRCUIT",
                               .summary = "make local test parameters",
                               .min_arguments = 1,
                               .max_arguments = 1,
                               .run = run};
