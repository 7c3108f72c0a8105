/* cuzk prove: a request from files and options to a verified proof. */

#include <stdlib.h>
#include <string.h>

#include "support/report.h"
#include "support/request_options.h"

typedef struct prove_options {
    common_options common;
    request_options request;
    const char *output;
    uint8_t test_r[32], test_s[32];
    bool has_test_r, has_test_s;
} prove_options;

enum { OPT_TEST_R = 256, OPT_TEST_S, OPT_TIER };

static const struct argp_option table[] = {
    {"output", 'o', "FILE", 0, "Write the raw proof bytes there", 2},
    {"tier", OPT_TIER, "TIER", 0,
     "Where the parameters are meanwhile: resident, mapped, streamed, or auto (default), by the "
     "memory budget",
     2},
    {"insecure-test-r", OPT_TEST_R, "HEX", 0, "Fixed blinding r, little-endian: tests only", 3},
    {"insecure-test-s", OPT_TEST_S, "HEX", 0, "Fixed blinding s, little-endian: tests only", 3},
    {0}};

static const char *const tier_names[] = {[CUZK_TIER_AUTO] = "auto",
                                         [CUZK_TIER_RESIDENT] = "resident",
                                         [CUZK_TIER_MAPPED] = "mapped",
                                         [CUZK_TIER_STREAMED] = "streamed"};

static cuzk_tier option_tier(const char *text) {
    for (size_t i = 0; i < sizeof tier_names / sizeof *tier_names; i++) {
        if (strcmp(text, tier_names[i]) == 0) {
            return (cuzk_tier)i;
        }
    }
    fprintf(stderr, "cuzk: --tier: %s is none of auto, resident, mapped, streamed\n", text);
    exit(EXIT_BAD_INPUT);
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    prove_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->request;
        state->child_inputs[2] = &o->common;
        break;
    case 'o':
        o->output = text;
        break;
    case OPT_TIER:
        o->common.prover.tier = option_tier(text);
        break;
    case OPT_TEST_R:
        option_hex("--insecure-test-r", text, o->test_r, sizeof o->test_r);
        o->has_test_r = true;
        break;
    case OPT_TEST_S:
        option_hex("--insecure-test-s", text, o->test_s, sizeof o->test_s);
        o->has_test_s = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_result_text(const prove_options *o, const cuzk_result *r) {
    printf("circuit    %s, %u partition%s\n", r->circuit, r->n_partitions,
           r->n_partitions == 1 ? "" : "s");
    if (r->n_sectors > 1) {
        printf("sectors    %zu of miner %llu, the first is %llu\n", r->n_sectors,
               (unsigned long long)o->request.request.miner_id,
               (unsigned long long)r->sector_number);
    } else if (o->request.kind != CUZK_SNAP || o->request.request.has_sector_number) {
        printf("sector     %llu of miner %llu\n", (unsigned long long)r->sector_number,
               (unsigned long long)o->request.request.miner_id);
    }
    print_phases(r);
    printf("parameters %s, %u partition%s at once, %.0f MiB planned\n", tier_names[r->tier],
           r->n_at_once, r->n_at_once == 1 ? "" : "s", (double)r->planned_bytes / (1 << 20));
    printf("proof      %zu bytes, verified%s\n", r->proof_bytes,
           r->local_params ? " under LOCAL, INSECURE parameters" : "");
    if (o->output == NULL) {
        print_hex(stdout, r->proof, r->proof_bytes);
        printf("\n");
    }
}

static void print_result_json(const prove_options *o, const cuzk_result *r) {
    printf("{\"circuit\":\"%s\",\"partitions\":%u,\"sector\":%llu,\"sectors\":%zu,\"miner\":%llu,",
           r->circuit, r->n_partitions, (unsigned long long)r->sector_number, r->n_sectors,
           (unsigned long long)o->request.request.miner_id);
    print_phases_json(r);
    printf(",\"tier\":\"%s\",\"at_once\":%u,\"planned_bytes\":%zu,\"charged_bytes\":%zu",
           tier_names[r->tier], r->n_at_once, r->planned_bytes, r->charged_bytes);
    printf(",\"local_params\":%s,\"verified\":true,\"proof\":\"",
           r->local_params ? "true" : "false");
    print_hex(stdout, r->proof, r->proof_bytes);
    printf("\"}\n");
}

static void fix_blinding(cuzk_request *request, const prove_options *o) {
    if (o->has_test_r) {
        fprintf(stderr,
                "cuzk: WARNING: fixed blinding: this proof is for tests and hides nothing\n");
        request->insecure_test_r = o->test_r;
        request->insecure_test_s = o->test_s;
    }
}

/* The error in one line. A list of bad sectors that its text has no room for is written out. */
static int report_refusal(const cuzk_error *err, const cuzk_result *result) {
    static const char list[] = "bad_sectors=", cut[] = ",...]";
    const char *place = strstr(err->text, list);
    size_t len = strlen(err->text);
    if (place == NULL || result->n_bad_sectors == 0 ||
        strcmp(err->text + len - strlen(cut), cut) != 0) {
        return report_error(err);
    }
    size_t room = cuzk_number_list(NULL, 0, result->bad_sectors, result->n_bad_sectors);
    char *numbers = malloc(room);
    if (numbers == NULL) {
        return report_error(err);
    }
    cuzk_number_list(numbers, room, result->bad_sectors, result->n_bad_sectors);
    fprintf(stderr, "cuzk: %.*s%s]\n", (int)((size_t)(place - err->text) + strlen(list)), err->text,
            numbers);
    free(numbers);
    return exit_code_of(err->status);
}

static int prove_request(prove_options *o, const cuzk_request *request) {
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_result result = {0};
    cuzk_status status = o->output != NULL ? cuzk_output_probe(o->output, &err) : CUZK_OK;
    if (status == CUZK_OK) {
        status = cuzk_prove(prover, &result, request, &err);
        if (status != CUZK_OK) {
            hint_options(&err, &o->request);
        } else if (o->output != NULL) {
            status = cuzk_output_write(o->output, result.proof, result.proof_bytes, &err);
        }
    }
    progress_bar_end();
    if (status != CUZK_OK) {
        code = report_refusal(&err, &result);
    } else if (o->common.json) {
        print_result_json(o, &result);
    } else {
        print_result_text(o, &result);
    }
    cuzk_result_clear(&result);
    close_prover(prover);
    return code;
}

static int prove(prove_options *o) {
    int code = check_kind(&o->request, true);
    if (code != EXIT_DONE) {
        return code;
    }
    if (o->has_test_r != o->has_test_s) {
        fprintf(stderr, "cuzk: --insecure-test-r and --insecure-test-s go together\n");
        return EXIT_BAD_INPUT;
    }
    payload p;
    code = read_payload(&p, &o->request);
    if (code == EXIT_DONE) {
        cuzk_request request = make_request(&o->request, &p);
        fix_blinding(&request, o);
        code = prove_request(o, &request);
    }
    payload_clear(&p);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, PLACE_CHILD, COMMON_CHILD, {0}};
    prove_options o = {0};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    int code = prove(&o);
    request_options_clear(&o.request);
    return code;
}

const command command_prove = {.name = "prove",
                               .arguments = "",
                               .summary = "prove a request and verify the proof",
                               .run = run};
