/* cuzk: the offline tool. Setup, prove, verify, inspect, r1cs, circuits, params, selftest; one
 * function each. */
#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <cuzk.h>
#include <cuzk_unstable.h>

#include "support/common.h"

/* ---- options ---- */

enum {
    OPT_C1 = 256,
    OPT_VANILLA,
    OPT_REGISTERED_PROOF,
    OPT_SECTOR_NUM,
    OPT_MINER_ID,
    OPT_PARTITION,
    OPT_RANDOMNESS,
    OPT_COMM_R_OLD,
    OPT_COMM_R_NEW,
    OPT_COMM_D_NEW,
    OPT_ONLY,
    OPT_THREADS,
    OPT_JSON,
    OPT_TEST_R,
    OPT_TEST_S,
    OPT_PARAM_CACHE,
    OPT_ALLOW_LOCAL,
    OPT_SEED,
    OPT_PROOF,
    OPT_COMM_R,
    OPT_COMM_D,
    OPT_TICKET,
    OPT_POREP_SEED,
    OPT_EVERY_POINT,
    OPT_MEMORY
};

/* Everything any subcommand can be told. */
typedef struct options {
    cuzk_options prover;
    bool json;
    const char *output;
    bool has_kind;
    cuzk_proof_kind kind;
    const char *c1;
    cuzk_request request; /* numbers and blinding; inputs are read later */
    uint8_t test_r[32], test_s[32];
    bool has_test_r, has_test_s;
    const char *proof;
    const char *comm_r, *comm_d;
    uint8_t ticket[32], porep_seed[32];
    bool has_ticket, has_porep_seed;
    const char *seed;
    bool every_point;
    const char *arguments[4];
    int n_arguments;
} options;

#define COMMON_OPTIONS                                                                             \
    {"param-cache",                                                                                \
     OPT_PARAM_CACHE,                                                                              \
     "DIR",                                                                                        \
     0,                                                                                            \
     "Parameter directory (else FIL_PROOFS_PARAMETER_CACHE, else the reference's default)",        \
     8},                                                                                           \
        {"threads", OPT_THREADS, "N", 0, "Threads (0: one for each CPU)", 8},                      \
        {"memory", OPT_MEMORY, "MIB", 0, "Memory budget in MiB (none)", 8}, {                      \
        "json", OPT_JSON, NULL, 0, "Print one JSON object", 8                                      \
    }
#define REQUEST_OPTIONS                                                                             \
    {"type", 't', "TYPE", 0, "porep, snap, wpost or winning", 1},                                   \
        {"c1", OPT_C1, "FILE", 0, "PoRep: the c1.json", 1},                                         \
        {"vanilla", OPT_VANILLA, "FILE", 0, "Other kinds: JSON array of base64 vanilla proofs", 1}, \
        {"registered-proof",                                                                        \
         OPT_REGISTERED_PROOF,                                                                      \
         "N",                                                                                       \
         0,                                                                                         \
         "Registered proof number (0: the input's own)",                                            \
         1},                                                                                        \
        {"sector-num", OPT_SECTOR_NUM, "N", 0, "Sector number (the input's own)", 1},               \
        {"miner-id", OPT_MINER_ID, "N", 0, "Miner actor id (1000)", 1},                             \
        {"partition", OPT_PARTITION, "N", 0, "Window: index of the partition", 1},                  \
        {"randomness", OPT_RANDOMNESS, "HEX", 0, "PoSt randomness", 1},                             \
        {"comm-r-old", OPT_COMM_R_OLD, "HEX", 0, "Update: old comm_r", 1},                          \
        {"comm-r-new", OPT_COMM_R_NEW, "HEX", 0, "Update: new comm_r", 1},                          \
        {"comm-d-new", OPT_COMM_D_NEW, "HEX", 0, "Update: new comm_d", 1},                          \
        {"only", OPT_ONLY, "K", 0, "That partition alone", 1}, {                                    \
        "allow-local-params", OPT_ALLOW_LOCAL, NULL, 0,                                             \
            "Accept parameters made by 'cuzk setup' (insecure: tests only)", 1                      \
    }

static error_t parse_option(int key, char *text, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 't':
        o->kind = option_proof_kind(text);
        o->has_kind = true;
        break;
    case 'o':
        o->output = text;
        break;
    case OPT_C1:
        o->c1 = text;
        break;
    case OPT_REGISTERED_PROOF:
        o->request.registered_proof = option_number("--registered-proof", text, UINT64_MAX);
        break;
    case OPT_SECTOR_NUM:
        o->request.sector_number = option_number("--sector-num", text, UINT64_MAX);
        o->request.has_sector_number = true;
        break;
    case OPT_MINER_ID:
        o->request.miner_id = option_number("--miner-id", text, UINT64_MAX);
        break;
    case OPT_ONLY:
        o->request.only_partition = (unsigned)option_number("--only", text, 65535);
        o->request.only_one = true;
        break;
    case OPT_VANILLA:
    case OPT_PARTITION:
    case OPT_RANDOMNESS:
    case OPT_COMM_R_OLD:
    case OPT_COMM_R_NEW:
    case OPT_COMM_D_NEW:
        break; /* for kinds that are refused below */
    case OPT_THREADS:
        o->prover.n_threads = (unsigned)option_number("--threads", text, 1024);
        break;
    case OPT_MEMORY:
        o->prover.memory_limit_bytes = (size_t)option_number("--memory", text, UINT32_MAX) << 20;
        break;
    case OPT_JSON:
        o->json = true;
        break;
    case OPT_TEST_R:
        option_hex("--insecure-test-r", text, o->test_r, sizeof o->test_r);
        o->has_test_r = true;
        break;
    case OPT_TEST_S:
        option_hex("--insecure-test-s", text, o->test_s, sizeof o->test_s);
        o->has_test_s = true;
        break;
    case OPT_PARAM_CACHE:
        o->prover.param_cache = text;
        break;
    case OPT_ALLOW_LOCAL:
        o->prover.allow_local_params = true;
        break;
    case OPT_SEED:
        o->seed = text;
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
    case OPT_POREP_SEED:
        option_hex("--seed", text, o->porep_seed, sizeof o->porep_seed);
        o->has_porep_seed = true;
        break;
    case OPT_EVERY_POINT:
        o->every_point = true;
        break;
    case ARGP_KEY_ARG:
        if (o->n_arguments == 4) {
            argp_error(state, "too many arguments: %s", text);
        }
        o->arguments[o->n_arguments++] = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* One subcommand: its options, what it needs, what it does. */
typedef struct command {
    const char *name, *arguments, *summary;
    int min_arguments, max_arguments;
    const struct argp_option *options;
    int (*run)(options *o);
} command;

/* ---- the prover ---- */

static cuzk_prover *running_prover;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    cuzk_prover_cancel(running_prover);
}

/* Creates the prover; SIGINT and SIGTERM cancel it. Returns NULL after reporting. */
static cuzk_prover *open_prover(options *o, int *code) {
    cuzk_error err;
    o->prover.progress = progress_bar;
    cuzk_prover *prover = NULL;
    if (cuzk_prover_create(&prover, &o->prover, &err) != CUZK_OK) {
        *code = report_error(&err);
        return NULL;
    }
    running_prover = prover;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return prover;
}

static void close_prover(cuzk_prover *prover) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    running_prover = NULL;
    cuzk_prover_destroy(prover);
}

/* ---- prove ---- */

static void print_result_text(const options *o, const cuzk_result *r) {
    double wall = 0;
    double cpu = 0;
    printf("circuit    %s, %u partition%s\n", r->circuit, r->n_partitions,
           r->n_partitions == 1 ? "" : "s");
    printf("sector     %llu of miner %llu\n", (unsigned long long)r->sector_number,
           (unsigned long long)o->request.miner_id);
    printf("phase              wall        CPU\n");
    for (unsigned i = 0; i < r->n_phases; i++) {
        printf("  %-12s %8.3f s %8.3f s\n", r->phases[i].name, r->phases[i].wall_s,
               r->phases[i].cpu_s);
        wall += r->phases[i].wall_s;
        cpu += r->phases[i].cpu_s;
    }
    printf("  %-12s %8.3f s %8.3f s\n", "total", wall, cpu);
    printf("memory     %.0f MiB peak\n", (double)r->peak_rss_bytes / (1 << 20));
    printf("kernels    %s\n", cuzk_cpu_level_in_force());
    printf("proof      %zu bytes, verified%s\n", r->proof_bytes,
           r->local_params ? " under LOCAL, INSECURE parameters" : "");
    if (o->output == NULL) {
        print_hex(stdout, r->proof, r->proof_bytes);
        printf("\n");
    }
}

static void print_result_json(const options *o, const cuzk_result *r) {
    printf("{\"circuit\":\"%s\",\"partitions\":%u,\"sector\":%llu,\"miner\":%llu,\"phases\":[",
           r->circuit, r->n_partitions, (unsigned long long)r->sector_number,
           (unsigned long long)o->request.miner_id);
    for (unsigned i = 0; i < r->n_phases; i++) {
        printf("%s{\"name\":\"%s\",\"wall_s\":%.6f,\"cpu_s\":%.6f}", i == 0 ? "" : ",",
               r->phases[i].name, r->phases[i].wall_s, r->phases[i].cpu_s);
    }
    printf("],\"peak_rss_bytes\":%zu,\"level\":\"%s\",\"local_params\":%s,\"verified\":true,"
           "\"proof\":\"",
           r->peak_rss_bytes, cuzk_cpu_level_in_force(), r->local_params ? "true" : "false");
    print_hex(stdout, r->proof, r->proof_bytes);
    printf("\"}\n");
}

/* Refuses what this version cannot prove or verify, and a missing input. Returns an exit code,
 * EXIT_DONE to go on. */
static int check_kind(const options *o, bool c1_needed) {
    if (!o->has_kind) {
        fprintf(stderr, "cuzk: -t TYPE is required\n");
        return EXIT_BAD_INPUT;
    }
    if (o->kind != CUZK_POREP) {
        fprintf(stderr, "cuzk: %s: this version proves porep only\n", proof_kind_name(o->kind));
        return EXIT_RESOURCES;
    }
    if (c1_needed && o->c1 == NULL) {
        fprintf(stderr, "cuzk: --c1 required for PoRep proof type\n");
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

/* The document does not name its miner, so a replica id of another one mostly means a missing
 * option. */
static void add_hint(cuzk_error *err) {
    size_t len = strlen(err->text);
    if (strstr(err->text, "miner/sector/ticket do not match") != NULL) {
        snprintf(err->text + len, sizeof err->text - len,
                 " (pass --miner-id, and --sector-num if the sector is another)");
    }
}

static int run_prove(options *o) {
    int code = check_kind(o, true);
    if (code != EXIT_DONE) {
        return code;
    }
    if (o->has_test_r != o->has_test_s) {
        fprintf(stderr, "cuzk: --insecure-test-r and --insecure-test-s go together\n");
        return EXIT_BAD_INPUT;
    }
    cuzk_error err;
    cuzk_input c1;
    if (read_input_file(&c1, o->c1, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        free((void *)c1.data);
        return code;
    }
    o->request.kind = o->kind;
    o->request.inputs = &c1;
    o->request.n_inputs = 1;
    if (o->has_test_r) {
        fprintf(stderr,
                "cuzk: WARNING: fixed blinding: this proof is for tests and hides nothing\n");
        o->request.insecure_test_r = o->test_r;
        o->request.insecure_test_s = o->test_s;
    }
    cuzk_result result = {0};
    cuzk_status status = cuzk_prove(prover, &result, &o->request, &err);
    if (status == CUZK_OK && o->output != NULL) {
        status = cuzk_output_write(o->output, result.proof, result.proof_bytes, &err);
    }
    progress_bar_end();
    if (status != CUZK_OK) {
        add_hint(&err);
        code = report_error(&err);
    } else if (o->json) {
        print_result_json(o, &result);
    } else {
        print_result_text(o, &result);
    }
    cuzk_result_clear(&result);
    close_prover(prover);
    free((void *)c1.data);
    return code;
}

/* ---- verify ---- */

/* From --c1, then whatever flags say instead. */
static int make_statement(options *o, cuzk_seal_statement *statement) {
    cuzk_error err;
    bool complete = o->request.registered_proof != 0 && o->comm_r != NULL && o->comm_d != NULL &&
                    o->has_ticket && o->has_porep_seed && o->request.has_sector_number;
    memset(statement, 0, sizeof *statement);
    if (o->c1 != NULL) {
        cuzk_input c1;
        if (read_input_file(&c1, o->c1, &err) != CUZK_OK) {
            return report_error(&err);
        }
        cuzk_status status = cuzk_seal_statement_from_c1(statement, &c1, &err);
        free((void *)c1.data);
        if (status != CUZK_OK) {
            return report_error(&err);
        }
    } else if (!complete && !(o->comm_r != NULL && o->comm_d != NULL && o->has_ticket &&
                              o->has_porep_seed && o->request.has_sector_number)) {
        fprintf(stderr, "cuzk: verify needs --c1, or all of --registered-proof --comm-r --comm-d "
                        "--ticket --seed --sector-num (and --miner-id)\n");
        return EXIT_BAD_INPUT;
    }
    if (o->request.registered_proof != 0) {
        statement->registered_proof = o->request.registered_proof;
    }
    statement->miner_id = o->request.miner_id;
    if (o->request.has_sector_number) {
        statement->sector_number = o->request.sector_number;
    }
    if (o->has_ticket) {
        memcpy(statement->ticket, o->ticket, 32);
    }
    if (o->has_porep_seed) {
        memcpy(statement->seed, o->porep_seed, 32);
    }
    if ((o->comm_r != NULL &&
         cuzk_commitment_parse(statement->comm_r, true, o->comm_r, &err) != CUZK_OK) ||
        (o->comm_d != NULL &&
         cuzk_commitment_parse(statement->comm_d, false, o->comm_d, &err) != CUZK_OK)) {
        return report_error(&err);
    }
    return EXIT_DONE;
}

static int run_verify(options *o) {
    int code = check_kind(o, false);
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
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        free((void *)proof.data);
        return code;
    }
    cuzk_status status = cuzk_verify_seal(prover, &statement, proof.data, proof.len_bytes,
                                          o->request.only_one, o->request.only_partition, &err);
    progress_bar_end();
    if (status != CUZK_OK && status != CUZK_E_PROOF_INVALID) {
        code = report_error(&err);
    } else {
        code = exit_code_of(status);
        if (o->json) {
            printf("{\"valid\":%s", status == CUZK_OK ? "true" : "false");
            if (status != CUZK_OK) {
                printf(",\"reason\":");
                print_json_string(stdout, err.text);
            }
            printf("}\n");
        } else if (status == CUZK_OK) {
            printf("valid: %zu bytes\n", proof.len_bytes);
        } else {
            printf("NOT VALID: %s\n", err.text);
        }
    }
    close_prover(prover);
    free((void *)proof.data);
    return code;
}

/* ---- circuits, r1cs ---- */

static int run_circuits(options *o) {
    cuzk_error err;
    size_t n = cuzk_circuit_count();
    if (o->json) {
        printf("[");
    } else {
        printf("%-20s %12s %6s %12s %7s  %14s  %s\n", "circuit", "constraints", "inputs", "aux",
               "domain", "params bytes", "parameter file (* = published)");
    }
    for (size_t i = 0; i < n; i++) {
        cuzk_circuit_info c;
        if (cuzk_circuit_get(&c, i, &err) != CUZK_OK) {
            return report_error(&err);
        }
        if (o->json) {
            printf("%s{\"id\":\"%s\",\"constraints\":%llu,\"inputs\":%llu,\"aux\":%llu,"
                   "\"log2_domain\":%u,\"params_bytes\":%llu,\"file\":\"%s\",\"published\":%s}",
                   i == 0 ? "" : ",", c.id, (unsigned long long)c.n_constraints,
                   (unsigned long long)c.n_inputs, (unsigned long long)c.n_aux, c.log2_domain,
                   (unsigned long long)c.params_bytes, c.file_stem, c.published ? "true" : "false");
        } else {
            printf("%-20s %12llu %6llu %12llu    2^%-2u  %14llu %s%s\n", c.id,
                   (unsigned long long)c.n_constraints, (unsigned long long)c.n_inputs,
                   (unsigned long long)c.n_aux, c.log2_domain, (unsigned long long)c.params_bytes,
                   c.published ? "*" : " ", c.file_stem[0] != '\0' ? c.file_stem : "-");
        }
    }
    if (o->json) {
        printf("]\n");
    }
    return EXIT_DONE;
}

static int run_r1cs(options *o) {
    cuzk_error err;
    size_t circuit;
    int code = EXIT_DONE;
    if (cuzk_circuit_find(&circuit, o->arguments[0], &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_circuit_info info;
    if (cuzk_circuit_get(&info, circuit, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_r1cs_report r;
    if (cuzk_r1cs(prover, &r, circuit, &err) != CUZK_OK) {
        code = report_error(&err);
    } else {
        progress_bar_end();
        const struct {
            const char *name;
            uint64_t value;
        } rows[] = {{"constraints", r.n_constraints},
                    {"inputs", r.n_inputs},
                    {"aux", r.n_aux},
                    {"log2_domain", r.log2_domain},
                    {"a_aux_density", r.a_aux_density},
                    {"b_aux_density", r.b_aux_density},
                    {"b_input_density", r.b_input_density},
                    {"terms_a", r.n_terms_a},
                    {"terms_b", r.n_terms_b},
                    {"terms_c", r.n_terms_c}};
        printf(o->json ? "{\"circuit\":\"%s\"" : "circuit          %s\n", info.id);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            printf(o->json ? ",\"%s\":%llu" : "%-16s %llu\n", rows[i].name,
                   (unsigned long long)rows[i].value);
        }
        printf(o->json ? ",\"digest\":\"" : "digest           ");
        print_hex(stdout, r.digest, sizeof r.digest);
        printf(o->json ? "\"" : "\n");
        if (r.has_reference) {
            printf(o->json ? ",\"equals_reference\":%s"
                           : "equals the reference implementation's: %s\n",
                   r.equals_reference ? (o->json ? "true" : "yes") : (o->json ? "false" : "NO"));
            code = r.equals_reference ? EXIT_DONE : EXIT_NOT_VALID;
        }
        if (o->json) {
            printf("}\n");
        }
    }
    close_prover(prover);
    return code;
}

/* ---- setup, params ---- */

static int run_setup(options *o) {
    cuzk_error err;
    size_t circuit;
    int code = EXIT_DONE;
    if (cuzk_circuit_find(&circuit, o->arguments[0], &err) != CUZK_OK) {
        return report_error(&err);
    }
    uint8_t seed[16];
    if (o->seed != NULL) {
        option_hex("--seed", o->seed, seed, sizeof seed);
    }
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        return code;
    }
    fprintf(stderr,
            "cuzk: WARNING: these are LOCAL parameters for TESTS. Whoever makes them can forge "
            "proofs;\ncuzk: WARNING: no network accepts proofs made with them.\n");
    if (cuzk_setup(prover, circuit, o->seed != NULL ? seed : NULL, o->prover.param_cache, &err) !=
        CUZK_OK) {
        code = report_error(&err);
    } else {
        progress_bar_end();
        cuzk_param_state state[2];
        cuzk_circuit_info info;
        if (cuzk_circuit_get(&info, circuit, &err) != CUZK_OK ||
            cuzk_params_check(prover, state, circuit, o->prover.param_cache, false, &err) !=
                CUZK_OK) {
            code = report_error(&err);
        } else {
            for (int i = 0; i < 2; i++) {
                printf("%s  %s\n", state[i].digest, state[i].file);
            }
        }
    }
    close_prover(prover);
    return code;
}

static int run_params(options *o) {
    if (strcmp(o->arguments[0], "check") != 0) {
        fprintf(stderr, "cuzk: params: unknown action '%.50s'. Use: params check DIR\n",
                o->arguments[0]);
        return EXIT_BAD_INPUT;
    }
    int code = EXIT_DONE;
    cuzk_error err;
    const char *directory = o->n_arguments > 1 ? o->arguments[1] : o->prover.param_cache;
    cuzk_prover *prover = open_prover(o, &code);
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

/* ---- inspect, selftest ---- */

static int run_inspect(options *o) {
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_inspection *inspection = calloc(1, sizeof *inspection);
    if (inspection == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        code = EXIT_RESOURCES;
    } else if (cuzk_inspect(prover, inspection, o->arguments[0], &err) != CUZK_OK) {
        report_error(&err);
        code = EXIT_BAD_INPUT;
    } else {
        progress_bar_end();
        code = inspection->sound ? EXIT_DONE : EXIT_BAD_INPUT;
        if (o->json) {
            printf("{\"kind\":\"%s\",\"sound\":%s,\"text\":", inspection->kind,
                   inspection->sound ? "true" : "false");
            print_json_string(stdout, inspection->text);
            printf("}\n");
        } else {
            printf("%s", inspection->text);
        }
    }
    free(inspection);
    close_prover(prover);
    return code;
}

static void say_line(void *arg, const char *line) {
    (void)arg;
    printf("%s\n", line);
}

static int run_selftest(options *o) {
    (void)o;
    cuzk_error err;
    if (cuzk_selftest(say_line, NULL, &err) != CUZK_OK) {
        return report_error(&err);
    }
    printf("all kernels agree; level in force: %s\n", cuzk_cpu_level_in_force());
    return EXIT_DONE;
}

/* ---- main ---- */

static const struct argp_option prove_options[] = {
    REQUEST_OPTIONS,
    {"output", 'o', "FILE", 0, "Write the raw proof bytes there", 2},
    {"insecure-test-r", OPT_TEST_R, "HEX", 0, "Fixed blinding r, little-endian: tests only", 3},
    {"insecure-test-s", OPT_TEST_S, "HEX", 0, "Fixed blinding s, little-endian: tests only", 3},
    COMMON_OPTIONS,
    {0}};
static const struct argp_option verify_options[] = {
    REQUEST_OPTIONS,
    {"proof", OPT_PROOF, "FILE", 0, "The proof: 192 bytes a partition", 2},
    {"comm-r", OPT_COMM_R, "HEX|CID", 0, "Sealed commitment", 2},
    {"comm-d", OPT_COMM_D, "HEX|CID", 0, "Data commitment", 2},
    {"ticket", OPT_TICKET, "HEX", 0, "Seal randomness", 2},
    {"seed", OPT_POREP_SEED, "HEX", 0, "Interactive seal randomness", 2},
    COMMON_OPTIONS,
    {0}};
static const struct argp_option setup_options[] = {
    {"seed", OPT_SEED, "HEX", 0, "16 bytes for the reference's test generator (else secrets)", 1},
    COMMON_OPTIONS,
    {0}};
static const struct argp_option params_options[] = {
    {"every-point", OPT_EVERY_POINT, NULL, 0, "Also check curve and subgroup of each point", 1},
    COMMON_OPTIONS,
    {0}};
static const struct argp_option plain_options[] = {COMMON_OPTIONS, {0}};

static const command commands[] = {
    {"prove", "", "prove a request and verify the proof", 0, 0, prove_options, run_prove},
    {"verify", "", "verify a proof", 0, 0, verify_options, run_verify},
    {"setup", "CIRCUIT", "make local test parameters", 1, 1, setup_options, run_setup},
    {"circuits", "", "list every circuit", 0, 0, plain_options, run_circuits},
    {"r1cs", "CIRCUIT", "sizes, densities and digest of a constraint system", 1, 1, plain_options,
     run_r1cs},
    {"params", "check [DIR]", "judge a parameter directory", 1, 2, params_options, run_params},
    {"inspect", "FILE", "say what a file holds and whether it is sound", 1, 1, plain_options,
     run_inspect},
    {"selftest", "", "known answers of every kernel level on this CPU", 0, 0, plain_options,
     run_selftest},
};

static void print_usage(FILE *file) {
    fprintf(file, "cuzk %s: Groth16 proofs for Filecoin, offline\n\n", cuzk_version());
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        fprintf(file, "  cuzk %-9s %-12s %s\n", commands[i].name, commands[i].arguments,
                commands[i].summary);
    }
    fprintf(file, "\n'cuzk COMMAND --help' lists the options of one. Exit codes: 0 done or valid, "
                  "1 invalid or failed,\n2 unusable input, 3 missing parameters or resources.\n");
}

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_BAD_INPUT : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("cuzk %s\n", cuzk_version());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const command *c = &commands[i];
        if (strcmp(argv[1], c->name) != 0) {
            continue;
        }
        options *o = calloc(1, sizeof *o);
        if (o == NULL) {
            fprintf(stderr, "cuzk: no memory\n");
            return EXIT_RESOURCES;
        }
        cuzk_options_init(&o->prover);
        o->request.miner_id = 1000;
        const struct argp argp = {.options = c->options,
                                  .parser = parse_option,
                                  .args_doc = c->arguments,
                                  .doc = c->summary};
        char name[64];
        snprintf(name, sizeof name, "cuzk %s", c->name);
        argv[1] = name;
        argp_parse(&argp, argc - 1, argv + 1, 0, NULL, o);
        int code;
        if (o->n_arguments < c->min_arguments || o->n_arguments > c->max_arguments) {
            fprintf(stderr, "usage: cuzk %s %s\n", c->name, c->arguments);
            code = EXIT_BAD_INPUT;
        } else {
            code = c->run(o);
        }
        free(o);
        return code;
    }
    fprintf(stderr, "cuzk: unknown command '%.50s'\n\n", argv[1]);
    print_usage(stderr);
    return EXIT_BAD_INPUT;
}
