/* cuzk verify: a proof against the public part of a request, from files or options. */
#include <stdlib.h>
#include <string.h>

#include "support/report.h"
#include "support/statement.h"

typedef struct verify_options {
    common_options common;
    request_options request;
    const char *proof;
    uint8_t comm_r[32], comm_d[32], ticket[32], seed[32]; /* PoRep */
    bool has_comm_r, has_comm_d, has_ticket, has_seed;
    cuzk_post_sector *sectors; /* PoSt */
    size_t n_sectors;
} verify_options;

enum { OPT_PROOF = 256, OPT_COMM_R, OPT_COMM_D, OPT_TICKET, OPT_SEED, OPT_SECTOR };

static const struct argp_option table[] = {
    {"proof", OPT_PROOF, "FILE", 0, "The proof: 192 bytes a partition", 2},
    {"comm-r", OPT_COMM_R, "HEX|CID", 0, "PoRep: sealed commitment", 2},
    {"comm-d", OPT_COMM_D, "HEX|CID", 0, "PoRep: data commitment", 2},
    {"ticket", OPT_TICKET, "HEX", 0, "PoRep: seal randomness", 2},
    {"seed", OPT_SEED, "HEX", 0, "PoRep: interactive seal randomness", 2},
    {"sector", OPT_SECTOR, "N:COMM_R", 0,
     "PoSt: number and sealed commitment of a sector, in order, instead of --vanilla", 2},
    {0}};

/* "101:bagboea..." */
static void add_sector(verify_options *o, const char *text) {
    const char *colon = strchr(text, ':');
    char number[24];
    cuzk_post_sector *more = realloc(o->sectors, (o->n_sectors + 1) * sizeof *more);
    if (more == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        exit(EXIT_RESOURCES);
    }
    o->sectors = more;
    if (colon == NULL || (size_t)(colon - text) >= sizeof number) {
        fprintf(stderr, "cuzk: --sector: '%.200s' is not N:COMM_R\n", text);
        exit(EXIT_BAD_INPUT);
    }
    snprintf(number, sizeof number, "%.*s", (int)(colon - text), text);
    cuzk_post_sector *sector = &o->sectors[o->n_sectors++];
    sector->number = option_number("--sector", number, UINT64_MAX);
    option_commitment("--sector", colon + 1, true, sector->comm_r);
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    verify_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->request;
        state->child_inputs[2] = &o->common;
        break;
    case OPT_PROOF:
        o->proof = text;
        break;
    case OPT_COMM_R:
        option_commitment("--comm-r", text, true, o->comm_r);
        o->has_comm_r = true;
        break;
    case OPT_COMM_D:
        option_commitment("--comm-d", text, false, o->comm_d);
        o->has_comm_d = true;
        break;
    case OPT_TICKET:
        option_hex("--ticket", text, o->ticket, sizeof o->ticket);
        o->has_ticket = true;
        break;
    case OPT_SEED:
        option_hex("--seed", text, o->seed, sizeof o->seed);
        o->has_seed = true;
        break;
    case OPT_SECTOR:
        add_sector(o, text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- statements: from files, then whatever options say instead ---- */

static void override_seal(cuzk_seal_statement *seal, const verify_options *o) {
    const struct {
        bool is_given;
        uint8_t *to;
        const uint8_t *from;
    } values[] = {{o->has_comm_r, seal->comm_r, o->comm_r},
                  {o->has_comm_d, seal->comm_d, o->comm_d},
                  {o->has_ticket, seal->ticket, o->ticket},
                  {o->has_seed, seal->seed, o->seed}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].is_given) {
            memcpy(values[i].to, values[i].from, 32);
        }
    }
}

/* Whether files and options say everything. */
static int check_options(const verify_options *o) {
    const request_options *q = &o->request;
    const char *missing = NULL;
    if (q->kind == CUZK_POREP) {
        if (q->c1 == NULL && (!o->has_comm_r || !o->has_comm_d || !o->has_ticket || !o->has_seed ||
                              !q->request.has_sector_number || !q->has_registered_proof)) {
            missing = "verify needs --c1, or all of --registered-proof --comm-r --comm-d --ticket "
                      "--seed --sector-num (and --miner-id)";
        }
    } else if (q->kind != CUZK_SNAP && (o->n_sectors > 0) == (q->n_vanilla > 0)) {
        missing = "verify needs either --vanilla or --sector for each sector, with "
                  "--registered-proof, --randomness and --miner-id";
    }
    if (missing != NULL) {
        fprintf(stderr, "cuzk: %s\n", missing);
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

static int make_statement(verify_options *o, statement *s) {
    const request_options *q = &o->request;
    const bool has_files =
        q->kind == CUZK_POREP ? q->c1 != NULL : q->kind != CUZK_SNAP && q->n_vanilla > 0;
    payload p = {0};
    int code = check_options(o);
    if (code == EXIT_DONE && has_files) {
        code = read_payload(&p, q);
    }
    if (code == EXIT_DONE) {
        code = statement_of_request(s, q, &p);
    }
    if (code == EXIT_DONE) {
        override_seal(&s->seal, o);
        if (o->n_sectors > 0) {
            s->post.sectors = o->sectors;
            s->post.n_sectors = o->n_sectors;
        }
    }
    payload_clear(&p);
    return code;
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
    statement s = {0};
    cuzk_error err;
    cuzk_input proof = {0};
    code = make_statement(o, &s);
    if (code == EXIT_DONE && read_input_file(&proof, o->proof, &err) != CUZK_OK) {
        code = report_error(&err);
    }
    if (code != EXIT_DONE) {
        statement_clear(&s);
        return code;
    }
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover != NULL) {
        cuzk_status status =
            verify_statement(prover, &s, &o->request, proof.data, proof.len_bytes, &err);
        if (status != CUZK_OK) {
            hint_registered_proof(&err, &o->request);
        }
        code = report_verdict(&o->common, status, &err, proof.len_bytes);
        close_prover(prover);
    }
    free((void *)proof.data);
    statement_clear(&s);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, PLACE_CHILD, COMMON_CHILD, {0}};
    verify_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    int code = verify(&o);
    request_options_clear(&o.request);
    free(o.sectors);
    return code;
}

const command command_verify = {
    .name = "verify", .arguments = "", .summary = "verify a proof", .run = run};
