/* cuzk verify-aggregate: a SnarkPack aggregate against the statements of its sectors. */
#include <stdlib.h>

#include "cuzk/sector_list.h"
#include "support/report.h"

typedef struct verify_options {
    common_options common;
    sector_list list;
    const char *aggregate;
} verify_options;

enum { OPT_AGGREGATE = 256 };

static const struct argp_option table[] = {
    {"aggregate", OPT_AGGREGATE, "FILE", 0, "The aggregate", 2}, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    verify_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->list;
        state->child_inputs[1] = &o->common;
        break;
    case OPT_AGGREGATE:
        o->aggregate = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int verify(verify_options *o, const cuzk_aggregate_statement *statement) {
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_input aggregate;
    if (read_input_file(&aggregate, o->aggregate, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover != NULL) {
        cuzk_status status =
            cuzk_verify_aggregate(prover, statement, aggregate.data, aggregate.len_bytes, &err);
        code = report_verdict(&o->common, status, &err, aggregate.len_bytes);
        close_prover(prover);
    }
    free((void *)aggregate.data);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {SECTOR_LIST_CHILD, COMMON_CHILD, {0}};
    verify_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    cuzk_aggregate_statement statement = {0};
    int code = EXIT_DONE;
    if (o.aggregate == NULL) {
        fprintf(stderr, "cuzk: --aggregate FILE is required\n");
        code = EXIT_BAD_INPUT;
    }
    if (code == EXIT_DONE) {
        code = read_statement(&statement, &o.list);
    }
    if (code == EXIT_DONE) {
        code = verify(&o, &statement);
    }
    free((void *)statement.sectors);
    sector_list_clear(&o.list);
    return code;
}

const command command_verify_aggregate = {
    .name = "verify-aggregate", .arguments = "", .summary = "verify an aggregate", .run = run};
