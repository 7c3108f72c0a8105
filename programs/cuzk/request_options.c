/* The options of a request. */
#include "cuzk/request_options.h"

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
    {"vanilla", OPT_VANILLA, "FILE", 0, "Other kinds: JSON array of base64 vanilla proofs", 0},
    {"registered-proof", OPT_REGISTERED_PROOF, "N", 0,
     "Registered proof number (0: the input's own)", 0},
    {"sector-num", OPT_SECTOR_NUM, "N", 0, "Sector number (the input's own)", 0},
    {"miner-id", OPT_MINER_ID, "N", 0, "Miner actor id (1000)", 0},
    {"partition", OPT_PARTITION, "N", 0, "Window: index of the partition", 0},
    {"randomness", OPT_RANDOMNESS, "HEX", 0, "PoSt randomness", 0},
    {"comm-r-old", OPT_COMM_R_OLD, "HEX", 0, "Update: old comm_r", 0},
    {"comm-r-new", OPT_COMM_R_NEW, "HEX", 0, "Update: new comm_r", 0},
    {"comm-d-new", OPT_COMM_D_NEW, "HEX", 0, "Update: new comm_d", 0},
    {"only", OPT_ONLY, "K", 0, "That partition alone", 0},
    {0}};

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
    case OPT_PARTITION:
    case OPT_RANDOMNESS:
    case OPT_COMM_R_OLD:
    case OPT_COMM_R_NEW:
    case OPT_COMM_D_NEW:
        break; /* for kinds that check_kind refuses */
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp request_argp = {.options = table, .parser = parse_one};

int check_kind(const request_options *q, bool c1_needed) {
    if (!q->has_kind) {
        fprintf(stderr, "cuzk: -t TYPE is required\n");
        return EXIT_BAD_INPUT;
    }
    if (q->kind != CUZK_POREP) {
        fprintf(stderr, "cuzk: %s: this version proves porep only\n", proof_kind_name(q->kind));
        return EXIT_RESOURCES;
    }
    if (c1_needed && q->c1 == NULL) {
        fprintf(stderr, "cuzk: --c1 required for PoRep proof type\n");
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}
