/* cuzk verify: a proof against the public part of a request, from files or options. */
#include <stdlib.h>
#include <string.h>

#include "support/report.h"
#include "support/request_options.h"

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

static int make_seal_statement(const verify_options *o, cuzk_seal_statement *statement) {
    const cuzk_request *q = &o->request.request;
    memset(statement, 0, sizeof *statement);
    if (o->request.c1 != NULL) {
        payload p;
        cuzk_error err;
        int code = read_payload(&p, &o->request);
        if (code == EXIT_DONE &&
            cuzk_seal_statement_from_c1(statement, &p.inputs[0], &err) != CUZK_OK) {
            code = report_error(&err);
        }
        payload_clear(&p);
        if (code != EXIT_DONE) {
            return code;
        }
    } else if (!o->has_comm_r || !o->has_comm_d || !o->has_ticket || !o->has_seed ||
               !q->has_sector_number || !o->request.has_registered_proof) {
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
    const struct {
        bool is_given;
        uint8_t *to;
        const uint8_t *from;
    } values[] = {{o->has_comm_r, statement->comm_r, o->comm_r},
                  {o->has_comm_d, statement->comm_d, o->comm_d},
                  {o->has_ticket, statement->ticket, o->ticket},
                  {o->has_seed, statement->seed, o->seed}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].is_given) {
            memcpy(values[i].to, values[i].from, 32);
        }
    }
    return EXIT_DONE;
}

/* The sectors of --vanilla, into o->sectors. */
static int read_sectors(verify_options *o) {
    payload p;
    cuzk_error err;
    int code = read_payload(&p, &o->request);
    if (code == EXIT_DONE) {
        o->sectors = calloc(p.n_inputs + 1, sizeof *o->sectors);
        if (o->sectors == NULL) {
            fprintf(stderr, "cuzk: no memory\n");
            code = EXIT_RESOURCES;
        }
    }
    for (size_t i = 0; code == EXIT_DONE && i < p.n_inputs; i++) {
        if (cuzk_post_sector_from_vanilla(&o->sectors[i], o->request.request.registered_proof,
                                          &p.inputs[i], &err) != CUZK_OK) {
            hint_registered_proof(&err, &o->request);
            code = report_error(&err);
        }
        o->n_sectors = i + 1;
    }
    payload_clear(&p);
    return code;
}

static int make_post_statement(verify_options *o, cuzk_post_statement *statement) {
    const cuzk_request *q = &o->request.request;
    if ((o->n_sectors > 0) == (o->request.n_vanilla > 0)) {
        fprintf(stderr, "cuzk: verify needs either --vanilla or --sector for each sector, with "
                        "--registered-proof, --randomness and --miner-id\n");
        return EXIT_BAD_INPUT;
    }
    if (o->request.n_vanilla > 0) {
        int code = read_sectors(o);
        if (code != EXIT_DONE) {
            return code;
        }
    }
    *statement = (cuzk_post_statement){.kind = o->request.kind,
                                       .registered_proof = q->registered_proof,
                                       .miner_id = q->miner_id,
                                       .sectors = o->sectors,
                                       .n_sectors = o->n_sectors,
                                       .whole_partition = q->whole_partition,
                                       .partition_index = q->partition_index};
    memcpy(statement->randomness, o->request.randomness, 32);
    return EXIT_DONE;
}

static cuzk_update_statement make_update_statement(const verify_options *o) {
    cuzk_update_statement statement = {.registered_proof = o->request.request.registered_proof};
    memcpy(statement.comm_r_old, o->request.comm_r_old, 32);
    memcpy(statement.comm_r_new, o->request.comm_r_new, 32);
    memcpy(statement.comm_d_new, o->request.comm_d_new, 32);
    return statement;
}

/* What is verified, of one of the kinds. */
typedef struct statement {
    cuzk_seal_statement seal;
    cuzk_post_statement post;
    cuzk_update_statement update;
} statement;

static int make_statement(verify_options *o, statement *s) {
    switch (o->request.kind) {
    case CUZK_POREP:
        return make_seal_statement(o, &s->seal);
    case CUZK_SNAP:
        s->update = make_update_statement(o);
        return EXIT_DONE;
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        break;
    }
    return make_post_statement(o, &s->post);
}

static cuzk_status verify_bytes(cuzk_prover *prover, const verify_options *o, const statement *s,
                                const cuzk_input *proof, cuzk_error *err) {
    const cuzk_request *q = &o->request.request;
    switch (o->request.kind) {
    case CUZK_POREP:
        return cuzk_verify_seal(prover, &s->seal, proof->data, proof->len_bytes, q->only_one,
                                q->only_partition, err);
    case CUZK_SNAP:
        return cuzk_verify_update(prover, &s->update, proof->data, proof->len_bytes, q->only_one,
                                  q->only_partition, err);
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        break;
    }
    return cuzk_verify_post(prover, &s->post, proof->data, proof->len_bytes, q->only_one,
                            q->only_partition, err);
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
    statement s;
    cuzk_error err;
    cuzk_input proof;
    code = make_statement(o, &s);
    if (code != EXIT_DONE) {
        return code;
    }
    if (read_input_file(&proof, o->proof, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover != NULL) {
        cuzk_status status = verify_bytes(prover, o, &s, &proof, &err);
        if (status != CUZK_OK) {
            hint_registered_proof(&err, &o->request);
        }
        code = report_verdict(&o->common, status, &err, proof.len_bytes);
        close_prover(prover);
    }
    free((void *)proof.data);
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
