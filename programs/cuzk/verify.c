/* cuzk verify: a proof against the public part of a request, from files or options. */
#include <stdlib.h>
#include <string.h>

#include "cuzk/report.h"
#include "cuzk/request_options.h"

typedef struct verify_options {
    common_options common;
    request_options request;
    const char *proof;
    const char *comm_r, *comm_d;
    uint8_t ticket[32], seed[32];
    bool has_ticket, has_seed;
} verify_options;

enum { OPT_PROOF = 256, OPT_COMM_R, OPT_COMM_D, OPT_TICKET, OPT_SEED };

static const struct argp_option table[] = {
    {"proof", OPT_PROOF, "FILE", 0, "The proof: 192 bytes a partition", 2},
    {"comm-r", OPT_COMM_R, "HEX|CID", 0, "Sealed commitment", 2},
    {"comm-d", OPT_COMM_D, "HEX|CID", 0, "Data commitment", 2},
    {"ticket", OPT_TICKET, "HEX", 0, "Seal randomness", 2},
    {"seed", OPT_SEED, "HEX", 0, "Interactive seal randomness", 2},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    verify_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->common;
        break;
    case OPT_PROOF:
        o->proof = text;
        break;
    case OPT_COMM_R:
        o->comm_r = text;
        break;
    case OPT_COMM_D:
        o->comm_d = text;
        break;
    case OPT_TICKET:
        option_hex("--ticket", text, o->ticket, sizeof o->ticket);
        o->has_ticket = true;
        break;
    case OPT_SEED:
        option_hex("--seed", text, o->seed, sizeof o->seed);
        o->has_seed = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* From --c1, then whatever flags say instead. */
static int make_statement(const verify_options *o, cuzk_seal_statement *statement) {
    const cuzk_request *q = &o->request.request;
    cuzk_error err;
    memset(statement, 0, sizeof *statement);
    if (o->request.c1 != NULL) {
        cuzk_input c1;
        if (read_input_file(&c1, o->request.c1, &err) != CUZK_OK) {
            return report_error(&err);
        }
        cuzk_status status = cuzk_seal_statement_from_c1(statement, &c1, &err);
        free((void *)c1.data);
        if (status != CUZK_OK) {
            return report_error(&err);
        }
    } else if (o->comm_r == NULL || o->comm_d == NULL || !o->has_ticket || !o->has_seed ||
               !q->has_sector_number) {
        fprintf(stderr, "cuzk: verify needs --c1, or all of --registered-proof --comm-r --comm-d "
                        "--ticket --seed --sector-num (and --miner-id)\n");
        return EXIT_BAD_INPUT;
    }
    if (q->registered_proof != 0) {
        statement->registered_proof = q->registered_proof;
    }
    statement->miner_id = q->miner_id;
    if (q->has_sector_number) {
        statement->sector_number = q->sector_number;
    }
    if (o->has_ticket) {
        memcpy(statement->ticket, o->ticket, 32);
    }
    if (o->has_seed) {
        memcpy(statement->seed, o->seed, 32);
    }
    if ((o->comm_r != NULL &&
         cuzk_commitment_parse(statement->comm_r, true, o->comm_r, &err) != CUZK_OK) ||
        (o->comm_d != NULL &&
         cuzk_commitment_parse(statement->comm_d, false, o->comm_d, &err) != CUZK_OK)) {
        return report_error(&err);
    }
    return EXIT_DONE;
}

static int verify(verify_options *o) {
    int code = check_kind(&o->request, false);
    if (code != EXIT_DONE) {
        return code;
    }
    if (o->proof == NULL) {
        fprintf(stderr, "cuzk: --proof FILE is required\n");
        return EXIT_BAD_INPUT;
    }
    cuzk_seal_statement statement;
    code = make_statement(o, &statement);
    if (code != EXIT_DONE) {
        return code;
    }
    cuzk_error err;
    cuzk_input proof;
    if (read_input_file(&proof, o->proof, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        free((void *)proof.data);
        return code;
    }
    const cuzk_request *q = &o->request.request;
    cuzk_status status = cuzk_verify_seal(prover, &statement, proof.data, proof.len_bytes,
                                          q->only_one, q->only_partition, &err);
    code = report_verdict(&o->common, status, &err, proof.len_bytes);
    close_prover(prover);
    free((void *)proof.data);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, COMMON_CHILD, {0}};
    verify_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    return verify(&o);
}

const command command_verify = {
    .name = "verify", .arguments = "", .summary = "verify a proof", .run = run};
