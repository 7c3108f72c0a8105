/* The options of a request, and its files. */
#include "support/request_options.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPT_C1 = 0x2000,
    OPT_VANILLA,
    OPT_REGISTERED_PROOF,
    OPT_SECTOR_NUM,
    OPT_MINER_ID,
    OPT_PARTITION,
    OPT_RANDOMNESS,
    OPT_COMM_R_OLD,
    OPT_COMM_R_NEW,
    OPT_COMM_D_NEW,
    OPT_ONLY
};

static const struct argp_option table[] = {
    {"type", 't', "TYPE", 0, "porep, snap, wpost or winning", 0},
    {"c1", OPT_C1, "FILE", 0, "PoRep: the c1.json", 0},
    {"vanilla", OPT_VANILLA, "FILE", 0,
     "Other kinds: JSON array of base64 vanilla proofs, or one in binary; repeat for more", 0},
    {"registered-proof", OPT_REGISTERED_PROOF, "N", 0,
     "Registered proof number (0; PoRep: the input's own)", 0},
    {"sector-num", OPT_SECTOR_NUM, "N", 0, "Sector number (the input's own)", 0},
    {"miner-id", OPT_MINER_ID, "N", 0, "Miner actor id (1000)", 0},
    {"randomness", OPT_RANDOMNESS, "HEX", 0, "PoSt randomness (zeros)", 0},
    {"comm-r-old", OPT_COMM_R_OLD, "HEX|CID", 0, "Update: old comm_r", 0},
    {"comm-r-new", OPT_COMM_R_NEW, "HEX|CID", 0, "Update: new comm_r", 0},
    {"comm-d-new", OPT_COMM_D_NEW, "HEX|CID", 0, "Update: new comm_d", 0},
    {"only", OPT_ONLY, "K", 0, "That partition alone", 0},
    {0}};

_Noreturn static void no_memory(void) {
    fprintf(stderr, "cuzk: no memory\n");
    exit(EXIT_RESOURCES);
}

void option_commitment(const char *option, const char *text, bool sealed, uint8_t commitment[32]) {
    cuzk_error err;
    if (cuzk_commitment_parse(commitment, sealed, text, &err) != CUZK_OK) {
        fprintf(stderr, "cuzk: %s: %s\n", option, err.text);
        exit(EXIT_BAD_INPUT);
    }
}

static void add_vanilla(request_options *q, const char *path) {
    const char **more = realloc(q->vanilla, (q->n_vanilla + 1) * sizeof *more);
    if (more == NULL) {
        no_memory();
    }
    q->vanilla = more;
    q->vanilla[q->n_vanilla++] = path;
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    request_options *q = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        q->request.miner_id = 1000;
        break;
    case 't':
        q->kind = option_proof_kind(text);
        q->has_kind = true;
        break;
    case OPT_C1:
        q->c1 = text;
        break;
    case OPT_REGISTERED_PROOF:
        q->request.registered_proof = option_number("--registered-proof", text, UINT64_MAX);
        q->has_registered_proof = true;
        break;
    case OPT_SECTOR_NUM:
        q->request.sector_number = option_number("--sector-num", text, UINT64_MAX);
        q->request.has_sector_number = true;
        break;
    case OPT_MINER_ID:
        q->request.miner_id = option_number("--miner-id", text, UINT64_MAX);
        break;
    case OPT_ONLY:
        q->request.only_partition = (unsigned)option_number("--only", text, 65535);
        q->request.only_one = true;
        break;
    case OPT_VANILLA:
        add_vanilla(q, text);
        break;
    case OPT_RANDOMNESS:
        option_hex("--randomness", text, q->randomness, sizeof q->randomness);
        break;
    case OPT_COMM_R_OLD:
        option_commitment("--comm-r-old", text, true, q->comm_r_old);
        q->has_comm_r_old = true;
        break;
    case OPT_COMM_R_NEW:
        option_commitment("--comm-r-new", text, true, q->comm_r_new);
        q->has_comm_r_new = true;
        break;
    case OPT_COMM_D_NEW:
        option_commitment("--comm-d-new", text, false, q->comm_d_new);
        q->has_comm_d_new = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp request_argp = {.options = table, .parser = parse_one};

static const struct argp_option place_table[] = {
    {"partition", OPT_PARTITION, "N", 0,
     "Window: the sectors are this partition of a larger proof (else they are split)", 0},
    {0}};

static error_t parse_place(int key, char *text, struct argp_state *state) {
    request_options *q = state->input;
    if (key != OPT_PARTITION) {
        return ARGP_ERR_UNKNOWN;
    }
    q->request.partition_index = (unsigned)option_number("--partition", text, UINT32_MAX);
    q->request.whole_partition = true;
    return 0;
}

const struct argp place_argp = {.options = place_table, .parser = parse_place};

void request_options_clear(request_options *q) { free(q->vanilla); }

int check_kind(const request_options *q, bool files_needed) {
    const char *missing = NULL;
    if (!q->has_kind) {
        missing = "-t TYPE is required";
    } else if (q->kind == CUZK_POREP) {
        missing = files_needed && q->c1 == NULL ? "--c1 required for PoRep proof type" : NULL;
    } else if (files_needed && q->n_vanilla == 0) {
        missing = "--vanilla required for PoSt/SnapDeals proof types";
    } else if (q->kind == CUZK_SNAP) {
        missing =
            !q->has_comm_r_old   ? "--comm-r-old is required: comm_r_old must be exactly 32 bytes"
            : !q->has_comm_r_new ? "--comm-r-new is required: comm_r_new must be exactly 32 bytes"
            : !q->has_comm_d_new ? "--comm-d-new is required: comm_d_new must be exactly 32 bytes"
                                 : NULL;
    }
    if (missing != NULL) {
        fprintf(stderr, "cuzk: %s\n", missing);
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

/* ---- files ---- */

static cuzk_status read_files(payload *p, const request_options *q, cuzk_error *err) {
    const bool is_c1 = q->kind == CUZK_POREP;
    const char *const *paths = is_c1 ? &q->c1 : q->vanilla;
    const size_t n = is_c1 ? 1 : q->n_vanilla;
    p->files = calloc(n, sizeof *p->files);
    p->lists = calloc(n, sizeof *p->lists);
    if (p->files == NULL || p->lists == NULL) {
        no_memory();
    }
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        status = read_input_file(&p->files[i], paths[i], err);
        if (status == CUZK_OK) {
            p->n_files++;
            if (!is_c1) {
                status = cuzk_vanilla_read(&p->lists[i], &p->files[i], err);
                p->n_inputs += p->lists[i].n_proofs;
            }
        }
    }
    return status;
}

int read_payload(payload *p, const request_options *q) {
    cuzk_error err;
    *p = (payload){0};
    if (read_files(p, q, &err) != CUZK_OK) {
        return report_error(&err);
    }
    if (q->kind == CUZK_POREP) {
        p->n_inputs = 1;
    }
    p->inputs = calloc(p->n_inputs + 1, sizeof *p->inputs);
    if (p->inputs == NULL) {
        no_memory();
    }
    if (q->kind == CUZK_POREP) {
        p->inputs[0] = p->files[0];
        return EXIT_DONE;
    }
    for (size_t i = 0, n = 0; i < p->n_files; i++) {
        for (size_t k = 0; k < p->lists[i].n_proofs; k++) {
            p->inputs[n++] = p->lists[i].proofs[k];
        }
    }
    return EXIT_DONE;
}

void payload_clear(payload *p) {
    for (size_t i = 0; i < p->n_files; i++) {
        cuzk_vanilla_list_clear(&p->lists[i]);
        free((void *)p->files[i].data);
    }
    free(p->files);
    free(p->lists);
    free(p->inputs);
    *p = (payload){0};
}

void hint_registered_proof(cuzk_error *err, const request_options *q) {
    const size_t len = strlen(err->text);
    const bool has_list = len > 0 && err->text[len - 1] == ']'; /* for programs: stays at the end */
    if (q->kind != CUZK_POREP && !q->has_registered_proof && !has_list &&
        exit_code_of(err->status) == EXIT_BAD_INPUT) {
        snprintf(err->text + len, sizeof err->text - len,
                 " (no --registered-proof is given: 0, sectors of 2 KiB)");
    }
}

cuzk_request make_request(const request_options *q, const payload *p) {
    cuzk_request request = q->request;
    request.kind = q->kind;
    request.inputs = p->inputs;
    request.n_inputs = p->n_inputs;
    request.randomness = q->randomness;
    request.comm_r_old = q->comm_r_old;
    request.comm_r_new = q->comm_r_new;
    request.comm_d_new = q->comm_d_new;
    return request;
}

/* The document does not name its miner, so a replica id of another one mostly means a missing
 * option. */
static void hint_miner(cuzk_error *err) {
    size_t len = strlen(err->text);
    if (strstr(err->text, "miner/sector/ticket do not match") != NULL) {
        snprintf(err->text + len, sizeof err->text - len,
                 " (pass --miner-id, and --sector-num if the sector is another)");
    }
}

void hint_options(cuzk_error *err, const request_options *q) {
    hint_miner(err);
    hint_registered_proof(err, q);
}
