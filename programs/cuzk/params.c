/* cuzk params: judges the files of a parameter directory. */
#include <string.h>

#include "cuzk/command.h"

typedef struct params_options {
    common_options common;
    bool every_point;
} params_options;

enum { OPT_EVERY_POINT = 256 };

static const struct argp_option table[] = {
    {"every-point", OPT_EVERY_POINT, NULL, 0, "Also check curve and subgroup of each point", 1},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    (void)text;
    params_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        break;
    case OPT_EVERY_POINT:
        o->every_point = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int judge(params_options *o) {
    const common_options *common = &o->common;
    if (strcmp(common->arguments[0], "check") != 0) {
        fprintf(stderr, "cuzk: params: unknown action '%.50s'. Use: params check DIR\n",
                common->arguments[0]);
        return EXIT_BAD_INPUT;
    }
    int code = EXIT_DONE;
    cuzk_error err;
    const char *directory =
        common->n_arguments > 1 ? common->arguments[1] : common->prover.param_cache;
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        return code;
    }
    static const char *const names[] = {"good", "local", "missing", "BAD"};
    size_t n = cuzk_circuit_count();
    unsigned n_found = 0;
    for (size_t i = 0; i < n && code != EXIT_NOT_VALID; i++) {
        cuzk_circuit_info info;
        cuzk_param_state state[2];
        if (cuzk_circuit_get(&info, i, &err) != CUZK_OK) {
            code = report_error(&err);
            break;
        }
        if (info.file_stem[0] == '\0') {
            continue;
        }
        if (cuzk_params_check(prover, state, i, directory, o->every_point, &err) != CUZK_OK) {
            code = report_error(&err);
            break;
        }
        bool both_missing =
            state[0].state == CUZK_PARAM_MISSING && state[1].state == CUZK_PARAM_MISSING;
        if (both_missing && !info.published) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            progress_bar_end();
            printf("%-12s %-8s %-32s %s%s%s\n", info.id, names[state[k].state],
                   state[k].digest[0] != '\0' ? state[k].digest : "-", state[k].file,
                   state[k].text[0] != '\0' ? ": " : "", state[k].text);
            n_found += state[k].state != CUZK_PARAM_MISSING;
            if (state[k].state == CUZK_PARAM_BAD) {
                code = EXIT_RESOURCES;
            }
        }
    }
    printf("%u files found\n", n_found);
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {COMMON_CHILD, {0}};
    params_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    return judge(&o);
}

const command command_params = {.name = "params",
                                .arguments = "check [DIR]",
                                .summary = "judge a parameter directory",
                                .min_arguments = 1,
                                .max_arguments = 2,
                                .run = run};
