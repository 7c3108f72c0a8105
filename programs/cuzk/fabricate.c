/* cuzk fabricate: proving inputs of any size without sectors, for tests and benchmarks. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

#include "cuzk/command.h"

typedef struct fabricate_options {
    common_options common;
    cuzk_fabrication wish;
} fabricate_options;

enum {
    OPT_SECTOR_SIZE = 256,
    OPT_SECTORS,
    OPT_REGISTERED_PROOF,
    OPT_SECTOR_NUM,
    OPT_MINER_ID,
    OPT_SEED
};

static const struct argp_option table[] = {
    {"output", 'o', "DIR", 0, "Where the files go", 1},
    {"sector-size", OPT_SECTOR_SIZE, "SIZE", 0, "2KiB, 8MiB, 512MiB, 32GiB or 64GiB", 1},
    {"sectors", OPT_SECTORS, "N", 0, "Window: number of sectors (1)", 1},
    {"registered-proof", OPT_REGISTERED_PROOF, "N", 0,
     "Registered proof number (the newest interactive one of the size)", 1},
    {"sector-num", OPT_SECTOR_NUM, "N", 0, "Sector number, the first of several (1)", 1},
    {"miner-id", OPT_MINER_ID, "N", 0, "Miner actor id (1000)", 1},
    {"seed", OPT_SEED, "N", 0, "The same number gives the same bytes (0)", 1},
    {0}};

/* Bytes: a number, or one with KiB, MiB, GiB or their first letters. */
static uint64_t option_size(const char *option, const char *text) {
    static const char *const units[] = {"", "K", "KiB", "M", "MiB", "G", "GiB"};
    static const unsigned shifts[] = {0, 10, 10, 20, 20, 30, 30};
    size_t n_digits = strspn(text, "0123456789");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char number[20];
        if (strcasecmp(text + n_digits, units[i]) == 0 && n_digits < sizeof number) {
            memcpy(number, text, n_digits);
            number[n_digits] = '\0';
            return option_number(option, number, UINT64_MAX >> shifts[i]) << shifts[i];
        }
    }
    fprintf(stderr, "cuzk: %s: '%.50s' is not a size such as 32GiB\n", option, text);
    exit(EXIT_BAD_INPUT);
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    fabricate_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        break;
    case 'o':
        o->wish.directory = text;
        break;
    case OPT_SECTOR_SIZE:
        o->wish.sector_bytes = option_size("--sector-size", text);
        break;
    case OPT_SECTORS:
        o->wish.n_sectors = option_number("--sectors", text, UINT64_MAX);
        break;
    case OPT_REGISTERED_PROOF:
        o->wish.registered_proof = option_number("--registered-proof", text, UINT64_MAX);
        o->wish.has_registered_proof = true;
        break;
    case OPT_SECTOR_NUM:
        o->wish.sector_number = option_number("--sector-num", text, UINT64_MAX);
        break;
    case OPT_MINER_ID:
        o->wish.miner_id = option_number("--miner-id", text, UINT64_MAX);
        break;
    case OPT_SEED:
        o->wish.seed = option_number("--seed", text, UINT64_MAX);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static double seconds(const struct timeval *t) {
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static void print_option(const char *option, const uint8_t value[32]) {
    printf(" %s ", option);
    print_hex(stdout, value, 32);
}

/* The command that proves what was made. */
static void print_command(const cuzk_fabrication *wish, const cuzk_fabricated *made) {
    printf("cuzk prove -t %s %s %s/%s --registered-proof %llu --miner-id %llu",
           proof_kind_name(wish->kind), wish->kind == CUZK_POREP ? "--c1" : "--vanilla",
           wish->directory, wish->kind == CUZK_POREP ? "c1.json" : "vanilla.json",
           (unsigned long long)made->registered_proof, (unsigned long long)wish->miner_id);
    if (wish->kind == CUZK_SNAP) {
        printf(" --sector-num %llu", (unsigned long long)wish->sector_number);
        print_option("--comm-r-old", made->comm_r_old);
        print_option("--comm-r-new", made->comm_r_new);
        print_option("--comm-d-new", made->comm_d_new);
    } else if (wish->kind != CUZK_POREP) {
        print_option("--randomness", made->randomness);
    }
    printf("\n");
}

static int fabricate(fabricate_options *o) {
    cuzk_error err;
    cuzk_fabricated made;
    int code = EXIT_DONE;
    cuzk_prover *prover = open_prover(&o->common, &code);
    if (prover == NULL) {
        return code;
    }
    if (cuzk_fabricate(prover, &made, &o->wish, &err) != CUZK_OK) {
        code = report_error(&err);
    } else {
        struct rusage use;
        progress_bar_end();
        getrusage(RUSAGE_SELF, &use);
        double cpu_s = seconds(&use.ru_utime) + seconds(&use.ru_stime);
        if (o->common.json) {
            printf("{\"directory\":");
            print_json_string(stdout, o->wish.directory);
            printf(",\"registered_proof\":%llu,\"partitions\":%u,\"cpu_s\":%.3f}\n",
                   (unsigned long long)made.registered_proof, made.n_partitions, cpu_s);
        } else {
            printf("%s: registered proof %llu, %u partition%s, %.1f s CPU\n", o->wish.directory,
                   (unsigned long long)made.registered_proof, made.n_partitions,
                   made.n_partitions == 1 ? "" : "s", cpu_s);
            print_command(&o->wish, &made);
        }
    }
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {COMMON_CHILD, {0}};
    fabricate_options o = {0};
    cuzk_fabrication_init(&o.wish);
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    o.wish.kind = option_proof_kind(o.common.arguments[0]);
    if (o.wish.directory == NULL) {
        fprintf(stderr, "cuzk: -o DIR is required\n");
        return EXIT_BAD_INPUT;
    }
    if (o.wish.sector_bytes == 0 && !o.wish.has_registered_proof) {
        fprintf(stderr, "cuzk: --sector-size SIZE is required\n");
        return EXIT_BAD_INPUT;
    }
    return fabricate(&o);
}

const command command_fabricate = {.name = "fabricate",
                                   .arguments = "KIND",
                                   .summary = "make a test input of any size without a sector",
                                   .min_arguments = 1,
                                   .max_arguments = 1,
                                   .run = run};
