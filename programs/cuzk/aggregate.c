/* cuzk aggregate: the proofs of sectors to one SnarkPack aggregate. Also what a non-interactive
 * PoRep is delivered as, with one sector. */
#include <stdlib.h>

#include "cuzk/sector_list.h"
#include "support/report.h"

typedef struct aggregate_options {
    common_options common;
    sector_list list;
    const char *output;
} aggregate_options;

static const struct argp_option table[] = {
    {"output", 'o', "FILE", 0, "Write the aggregate there", 2}, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    aggregate_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->list;
        state->child_inputs[1] = &o->common;
        break;
    case 'o':
        o->output = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_result(const aggregate_options *o, const cuzk_result *r) {
    if (o->common.json) {
        printf("{\"circuit\":\"%s\",\"version\":%u,\"sectors\":%zu,\"proofs\":%u,", r->circuit,
               o->list.version, o->list.n, r->n_partitions);
        print_phases_json(r);
        printf(",\"local_params\":%s,\"verified\":true,\"aggregate\":\"",
               r->local_params ? "true" : "false");
        print_hex(stdout, r->proof, r->proof_bytes);
        printf("\"}\n");
        return;
    }
    printf("circuit    %s\n", r->circuit);
    printf("proofs     %u of %zu sector%s, version %u\n", r->n_partitions, o->list.n,
           o->list.n == 1 ? "" : "s", o->list.version);
    print_phases(r);
    printf("aggregate  %zu bytes, verified%s\n", r->proof_bytes,
           r->local_params ? " under LOCAL, INSECURE parameters" : "");
    if (o->output == NULL) {
        print_hex(stdout, r->proof, r->proof_bytes);
        printf("\n");
    }
}

/* inputs: zeroed, one for each sector. */
static int read_proofs(cuzk_input *inputs, const sector_list *list) {
    for (size_t i = 0; i < list->n; i++) {
        cuzk_error err;
        if (list->proofs[i] == NULL) {
            fprintf(stderr, "cuzk: %.300s: no --proof is given for it\n", list->sectors[i]);
            return EXIT_BAD_INPUT;
        }
        if (read_input_file(&inputs[i], list->proofs[i], &err) != CUZK_OK) {
            return report_error(&err);
        }
    }
    return EXIT_DONE;
}

static int aggregate_files(aggregate_options *o, const cuzk_aggregate_statement *statement,
                           const cuzk_input *proofs) {
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_result result = {0};
    cuzk_status status = o->output != NULL ? cuzk_output_probe(o->output, &err) : CUZK_OK;
    if (status == CUZK_OK) {
        status = cuzk_aggregate_seals(prover, &result, statement, proofs, &err);
    }
    if (status == CUZK_OK && o->output != NULL) {
        status = cuzk_output_write(o->output, result.proof, result.proof_bytes, &err);
    }
    progress_bar_end();
    if (status == CUZK_OK) {
        print_result(o, &result);
    } else {
        code = report_error(&err);
    }
    cuzk_result_clear(&result);
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {SECTOR_LIST_CHILD, COMMON_CHILD, {0}};
    aggregate_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    cuzk_aggregate_statement statement;
    cuzk_input *proofs = calloc(o.list.n + 1, sizeof *proofs);
    if (proofs == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        return EXIT_RESOURCES;
    }
    int code = read_statement(&statement, &o.list);
    if (code == EXIT_DONE) {
        code = read_proofs(proofs, &o.list);
    }
    if (code == EXIT_DONE) {
        code = aggregate_files(&o, &statement, proofs);
    }
    for (size_t i = 0; i < o.list.n; i++) {
        free((void *)proofs[i].data);
    }
    free(proofs);
    free((void *)statement.sectors);
    sector_list_clear(&o.list);
    return code;
}

const command command_aggregate = {.name = "aggregate",
                                   .arguments = "",
                                   .summary = "aggregate the proofs of sectors (SnarkPack)",
                                   .run = run};
