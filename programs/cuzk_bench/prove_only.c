/* cuzk-bench prove-only: the proofs of a request without its parameters, by a key with known
 * logarithms that is made on the fly. */
#include <string.h>

#include "cuzk_bench/command.h"
#include "cuzk_bench/global_options.h"
#include "support/report.h"
#include "support/request_options.h"

typedef struct prove_only_options {
    common_options common;
    global_options global;
    request_options request;
} prove_only_options;

enum { OPT_PARTITION = 256 };

static const struct argp_option table[] = {
    {"partition", OPT_PARTITION, "K", 0, "That partition alone (all)", 2}, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    prove_only_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->global;
        state->child_inputs[2] = &o->common;
        break;
    case OPT_PARTITION:
        o->request.request.only_partition = (unsigned)option_number("--partition", text, 65535);
        o->request.request.only_one = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* CPU seconds of what a prover with parameters does, too. */
static double core_seconds(const cuzk_result *r) {
    double sum = 0;
    for (unsigned i = 0; i < r->n_phases; i++) {
        const char *name = r->phases[i].name;
        if (strcmp(name, "made points") != 0 && strcmp(name, "log check") != 0) {
            sum += r->phases[i].cpu_s;
        }
    }
    return sum;
}

static void print_result(const prove_only_options *o, const cuzk_result *r) {
    if (o->common.json) {
        printf("{\"circuit\":\"%s\",\"partitions\":%u,\"core_seconds\":%.3f,", r->circuit,
               r->n_partitions, core_seconds(r));
        print_phases_json(r);
        printf(",\"proof_checked\":true}\n");
    } else {
        printf("circuit    %s, %u partition%s\n", r->circuit, r->n_partitions,
               r->n_partitions == 1 ? "" : "s");
        print_phases(r);
        printf("core-s     %.3f without made points and log check\n", core_seconds(r));
        printf("proof      equals what the known logarithms give\n");
    }
}

static int prove(const prove_only_options *o, const cuzk_request *request) {
    int code = EXIT_DONE;
    cuzk_error err;
    common_options common = o->common;
    cuzk_prover *prover = open_prover(&common, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_result result = {0};
    cuzk_status status = cuzk_prove_with_test_key(prover, &result, request, &err);
    progress_bar_end();
    if (status != CUZK_OK) {
        hint_options(&err, &o->request);
        code = report_error(&err);
    } else {
        print_result(o, &result);
    }
    cuzk_result_clear(&result);
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, GLOBAL_CHILD, COMMON_CHILD, {0}};
    prove_only_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    if (!o.request.has_kind && o.request.n_vanilla == 0) {
        o.request.kind = CUZK_POREP;
        o.request.has_kind = true;
    }
    payload p = {0};
    int code = check_kind(&o.request, true);
    if (code == EXIT_DONE) {
        code = read_payload(&p, &o.request);
    }
    if (code == EXIT_DONE) {
        const cuzk_request request = make_request(&o.request, &p);
        code = prove(&o, &request);
    }
    payload_clear(&p);
    request_options_clear(&o.request);
    return code;
}

const command command_prove_only = {.name = "prove-only",
                                    .arguments = "",
                                    .summary = "prove a request without parameters, by a test key",
                                    .run = run};
