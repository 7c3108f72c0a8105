/* cuzk-bench synth-only: the circuits of a request with their values, and nothing else: no
 * parameters, no proof. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cuzk_bench/command.h"
#include "cuzk_bench/global_options.h"
#include "cuzk_bench/perf_counters.h"
#include "support/request_options.h"

typedef struct synth_options {
    common_options common;
    global_options global;
    request_options request;
    cuzk_synthesis_options synthesis;
    unsigned n_iterations;
    bool perf, has_presize;
} synth_options;

enum { OPT_PARTITION = 256, OPT_DIGEST, OPT_PERF, OPT_LC_INDEX, OPT_PRESIZE };

static const struct argp_option table[] = {
    {"iterations", 'i', "N", 0, "How often (1)", 2},
    {"partition", OPT_PARTITION, "K", 0, "That partition alone (all)", 2},
    {"digest", OPT_DIGEST, NULL, 0, "BLAKE2s of the witness and of A w, B w, C w; checks all rows",
     2},
    {"perf", OPT_PERF, NULL, 0, "Hardware counters of each iteration", 2},
    {"lc-index", OPT_LC_INDEX, "KIND", 0,
     "Rows by linear combinations whose lists of terms are: vec, smallvec1, smallvec2 or smallvec4",
     2},
    {"presize", OPT_PRESIZE, "on|off", 0,
     "With --lc-index: vectors of values and rows have their length from the start (off)", 2},
    {0}};

static const char *const index_names[] = {[CUZK_LC_NONE] = "none",
                                          [CUZK_LC_VEC] = "vec",
                                          [CUZK_LC_SMALLVEC1] = "smallvec1",
                                          [CUZK_LC_SMALLVEC2] = "smallvec2",
                                          [CUZK_LC_SMALLVEC4] = "smallvec4"};

static cuzk_lc_index parse_index(const char *text) {
    for (int i = CUZK_LC_VEC; i <= CUZK_LC_SMALLVEC4; i++) {
        if (strcasecmp(text, index_names[i]) == 0) {
            return (cuzk_lc_index)i;
        }
    }
    fprintf(stderr, "cuzk: --lc-index: vec, smallvec1, smallvec2 or smallvec4, not '%.50s'\n",
            text);
    exit(EXIT_BAD_INPUT);
}

static bool parse_switch(const char *option, const char *text) {
    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0) {
        fprintf(stderr, "cuzk: %s: on or off, not '%.50s'\n", option, text);
        exit(EXIT_BAD_INPUT);
    }
    return strcmp(text, "on") == 0;
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    synth_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->global;
        state->child_inputs[2] = &o->common;
        break;
    case 'i':
        o->n_iterations = (unsigned)option_number("--iterations", text, 1000000);
        break;
    case OPT_PARTITION:
        o->request.request.only_partition = (unsigned)option_number("--partition", text, 65535);
        o->request.request.only_one = true;
        break;
    case OPT_DIGEST:
        o->synthesis.digests = true;
        break;
    case OPT_PERF:
        o->perf = true;
        break;
    case OPT_LC_INDEX:
        o->synthesis.lc_index = parse_index(text);
        break;
    case OPT_PRESIZE:
        o->synthesis.presize = parse_switch("--presize", text);
        o->has_presize = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- what is measured ---- */

typedef struct iteration {
    cuzk_synthesis synthesis;
    double wall_s; /* without digests */
    double synth_wall_s, synth_cpu_s;
    perf_values perf;
} iteration;

/* Least, sum, of one column. */
typedef struct column {
    double least, sum;
} column;

static void column_add(column *c, double value, unsigned n_before) {
    c->least = n_before == 0 || value < c->least ? value : c->least;
    c->sum += value;
}

typedef struct session {
    synth_options *options;
    const payload *payload;
    size_t payload_bytes;
    cuzk_request request;
    perf_counters counters;
    cuzk_prover *prover;
    column wall, synth;
} session;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sum_iteration(iteration *it) {
    for (unsigned i = 0; i < it->synthesis.request.n_partitions; i++) {
        it->wall_s -= it->synthesis.partitions[i].digests_wall_s;
        it->synth_wall_s += it->synthesis.partitions[i].wall_s;
        it->synth_cpu_s += it->synthesis.partitions[i].cpu_s;
    }
}

static cuzk_status run_iteration(session *s, iteration *it, unsigned number, cuzk_error *err) {
    char job_id[40];
    snprintf(job_id, sizeof job_id, "synth-bench-%u", number);
    cuzk_synthesis_options options = s->options->synthesis;
    options.job_id = job_id;
    perf_values before, after;
    perf_read(&s->counters, &before);
    *it = (iteration){0};
    double start = now_s();
    cuzk_status status = cuzk_synthesize(s->prover, &it->synthesis, &s->request, &options, err);
    it->wall_s = now_s() - start;
    if (status == CUZK_OK) {
        perf_read(&s->counters, &after);
        it->perf = perf_since(&after, &before);
        sum_iteration(it);
        column_add(&s->wall, it->wall_s, number - 1);
        column_add(&s->synth, it->synth_wall_s, number - 1);
    }
    return status;
}

/* ---- text ---- */

static void print_header(const session *s, uint64_t sector_number) {
    const synth_options *o = s->options;
    const bool is_c1 = o->request.kind == CUZK_POREP;
    const unsigned long long miner = (unsigned long long)s->request.miner_id;
    printf("=== Synthesis Microbenchmark ===\n");
    if (is_c1) {
        printf("c1:         %s\n", o->request.c1);
        printf("sector:     %llu (miner %llu)\n", (unsigned long long)sector_number, miner);
    } else {
        printf("%-11s %s\n", proof_kind_name(o->request.kind), o->request.vanilla[0]);
        printf("proofs:     %zu (miner %llu)\n", s->payload->n_inputs, miner);
    }
    if (s->request.only_one) {
        printf("partition:  %u\n", s->request.only_partition);
    } else {
        printf("partition:  all\n");
    }
    printf("iterations: %u\n", o->n_iterations);
    if (o->synthesis.lc_index != CUZK_LC_NONE) {
        printf("lc-index:   %s (presize %s)\n", index_names[o->synthesis.lc_index],
               o->synthesis.presize ? "on" : "off");
    }
    printf("\n%s loaded:  %zu bytes\n", is_c1 ? "c1" : "vanilla", s->payload_bytes);
}

static void print_digest(const char *name, const cuzk_partition_synthesis *p,
                         const uint8_t digest[32]) {
    printf("      partition %u %s_digest ", p->partition, name);
    print_hex(stdout, digest, 32);
    printf("\n");
}

static void print_partition(const synth_options *o, const cuzk_partition_synthesis *p) {
    if (o->synthesis.lc_index != CUZK_LC_NONE) {
        printf("      partition %u rows=%.3fs (CPU %.3fs) allocations=%llu (%.3f a constraint) "
               "terms=%llu "
               "growths=%llu list=%zu bytes\n",
               p->partition, p->rows_wall_s, p->rows_cpu_s, (unsigned long long)p->n_allocations,
               (double)p->n_allocations / (double)p->n_constraints, (unsigned long long)p->n_terms,
               (unsigned long long)p->n_growths, p->list_bytes);
    }
    if (o->synthesis.digests) {
        print_digest("aux", p, p->aux_digest);
        print_digest("a", p, p->a_digest);
        print_digest("b", p, p->b_digest);
        print_digest("c", p, p->c_digest);
        printf("      partition %u satisfied %s\n", p->partition, p->satisfied ? "yes" : "no");
    }
}

static void print_perf(const session *s, const iteration *it) {
    if (!perf_has_hardware(&s->counters)) {
        printf("      no hardware counters: this machine has none, or none for this process (%s)\n",
               strerror(s->counters.error[0]));
    }
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        if (s->counters.fd[i] >= 0) {
            printf("      %-16s %.0f\n", perf_counter_name(i), it->perf.count[i]);
        }
    }
    if (perf_has_memory(&s->counters)) {
        printf("      memory           %.2f GB/s\n",
               perf_memory_bytes(&it->perf) / it->wall_s * 1e-9);
    }
}

static void print_iteration(const session *s, const iteration *it, unsigned number) {
    const cuzk_synthesis *r = &it->synthesis;
    printf("  [%u] wall=%.1fs  synth=%.1fs  circuits=%u  constraints=%llu\n", number, it->wall_s,
           it->synth_wall_s, r->request.n_partitions,
           (unsigned long long)r->partitions[0].n_constraints);
    for (unsigned i = 0; i < r->request.n_partitions; i++) {
        print_partition(s->options, &r->partitions[i]);
    }
    if (s->options->perf) {
        print_perf(s, it);
    }
    fflush(stdout);
}

static void print_summary(const session *s) {
    const unsigned n = s->options->n_iterations;
    if (n > 1) {
        printf("\n=== Summary (%u iterations) ===\n", n);
        printf("wall:   avg=%.1fs  min=%.1fs\n", s->wall.sum / n, s->wall.least);
        printf("synth:  avg=%.1fs  min=%.1fs\n", s->synth.sum / n, s->synth.least);
    }
}

/* ---- JSON ---- */

static void print_header_json(const session *s) {
    const synth_options *o = s->options;
    printf("{\"type\":\"%s\",\"files\":[", proof_kind_name(o->request.kind));
    for (size_t i = 0; i < s->payload->n_files; i++) {
        printf("%s", i == 0 ? "" : ",");
        print_json_string(stdout, s->payload->files[i].name);
    }
    printf("],\"bytes\":%zu,\"miner\":%llu,", s->payload_bytes,
           (unsigned long long)s->request.miner_id);
    if (s->request.only_one) {
        printf("\"partition\":%u,", s->request.only_partition);
    } else {
        printf("\"partition\":null,");
    }
    if (o->synthesis.lc_index != CUZK_LC_NONE) {
        printf("\"lc_index\":\"%s\",\"presize\":%s,", index_names[o->synthesis.lc_index],
               o->synthesis.presize ? "true" : "false");
    }
    printf("\"iterations\":[");
}

static void print_digest_json(const char *name, const uint8_t digest[32]) {
    printf(",\"%s_digest\":\"", name);
    print_hex(stdout, digest, 32);
    printf("\"");
}

static void print_partition_json(const synth_options *o, const cuzk_partition_synthesis *p) {
    printf("{\"partition\":%u,\"constraints\":%llu,\"inputs\":%llu,\"aux\":%llu,\"wall_s\":%.6f,"
           "\"cpu_s\":%.6f,\"memory_bytes\":%zu",
           p->partition, (unsigned long long)p->n_constraints, (unsigned long long)p->n_inputs,
           (unsigned long long)p->n_aux, p->wall_s, p->cpu_s, p->memory_bytes);
    if (o->synthesis.lc_index != CUZK_LC_NONE) {
        printf(",\"rows_wall_s\":%.6f,\"rows_cpu_s\":%.6f,\"allocations\":%llu,\"allocations_per_"
               "constraint\":%.6f,"
               "\"terms\":%llu,\"growths\":%llu,\"list_bytes\":%zu",
               p->rows_wall_s, p->rows_cpu_s, (unsigned long long)p->n_allocations,
               (double)p->n_allocations / (double)p->n_constraints, (unsigned long long)p->n_terms,
               (unsigned long long)p->n_growths, p->list_bytes);
    }
    if (o->synthesis.digests) {
        print_digest_json("aux", p->aux_digest);
        print_digest_json("a", p->a_digest);
        print_digest_json("b", p->b_digest);
        print_digest_json("c", p->c_digest);
        printf(",\"satisfied\":%s", p->satisfied ? "true" : "false");
    }
    printf("}");
}

static void print_perf_json(const session *s, const iteration *it) {
    printf(",\"perf\":{\"hardware\":%s", perf_has_hardware(&s->counters) ? "true" : "false");
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        if (s->counters.fd[i] < 0) {
            printf(",\"%s\":null", perf_counter_name(i));
        } else {
            printf(",\"%s\":%.0f", perf_counter_name(i), it->perf.count[i]);
        }
    }
    if (perf_has_memory(&s->counters)) {
        printf(",\"memory_bytes_per_s\":%.0f", perf_memory_bytes(&it->perf) / it->wall_s);
    }
    printf("}");
}

static void print_iteration_json(const session *s, const iteration *it, unsigned number) {
    const cuzk_synthesis *r = &it->synthesis;
    printf("%s{\"wall_s\":%.6f,\"synth_s\":%.6f,\"synth_cpu_s\":%.6f,\"circuit\":\"%s\","
           "\"sector\":%llu,\"circuits\":%u,\"constraints\":%llu,",
           number == 1 ? "" : ",", it->wall_s, it->synth_wall_s, it->synth_cpu_s,
           r->request.circuit, (unsigned long long)r->request.sector_number,
           r->request.n_partitions, (unsigned long long)r->partitions[0].n_constraints);
    printf("\"peak_rss_bytes\":%zu,\"partitions\":[", r->request.peak_rss_bytes);
    for (unsigned i = 0; i < r->request.n_partitions; i++) {
        printf("%s", i == 0 ? "" : ",");
        print_partition_json(s->options, &r->partitions[i]);
    }
    printf("]");
    if (s->options->perf) {
        print_perf_json(s, it);
    }
    printf("}");
}

static void print_summary_json(const session *s) {
    const unsigned n = s->options->n_iterations;
    printf("],\"wall_avg_s\":%.6f,\"wall_min_s\":%.6f,\"synth_avg_s\":%.6f,\"synth_min_s\":%.6f,"
           "\"level\":\"%s\"}\n",
           s->wall.sum / n, s->wall.least, s->synth.sum / n, s->synth.least,
           cuzk_cpu_level_in_force());
}

/* ---- running ---- */

/* The number in the request, else the document's. */
static cuzk_status find_sector(uint64_t *number, const session *s, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    *number = s->request.sector_number;
    if (s->options->request.kind == CUZK_POREP && !s->request.has_sector_number) {
        cuzk_seal_statement statement;
        status = cuzk_seal_statement_from_c1(&statement, &s->request.inputs[0], err);
        *number = statement.sector_number;
    }
    return status;
}

static int measure(session *s) {
    const bool json = s->options->common.json;
    cuzk_error err;
    uint64_t sector_number;
    cuzk_status status = find_sector(&sector_number, s, &err);
    if (status == CUZK_OK) {
        json ? print_header_json(s) : print_header(s, sector_number);
    }
    for (unsigned i = 1; status == CUZK_OK && i <= s->options->n_iterations; i++) {
        iteration it;
        status = run_iteration(s, &it, i, &err);
        if (status == CUZK_OK) {
            json ? print_iteration_json(s, &it, i) : print_iteration(s, &it, i);
        }
        cuzk_synthesis_clear(&it.synthesis);
    }
    progress_bar_end();
    if (status != CUZK_OK) {
        hint_options(&err, &s->options->request);
        return report_error(&err);
    }
    json ? print_summary_json(s) : print_summary(s);
    return EXIT_DONE;
}

static int with_prover(synth_options *o, const payload *p) {
    session s = {.options = o, .payload = p, .request = make_request(&o->request, p)};
    for (size_t i = 0; i < p->n_files; i++) {
        s.payload_bytes += p->files[i].len_bytes;
    }
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        s.counters.fd[i] = -1;
    }
    if (o->perf) {
        perf_open(&s.counters); /* before the prover starts its threads */
    }
    int code = EXIT_DONE;
    s.prover = open_prover(&o->common, &code);
    if (s.prover != NULL) {
        code = measure(&s);
        close_prover(s.prover);
    }
    perf_close(&s.counters);
    return code;
}

static int check_options(synth_options *o) {
    if (!o->request.has_kind && o->request.n_vanilla == 0) {
        o->request.kind = CUZK_POREP;
        o->request.has_kind = true;
    }
    const char *fault = NULL;
    if (o->n_iterations == 0) {
        fault = "--iterations: at least 1";
    } else if (o->has_presize && o->synthesis.lc_index == CUZK_LC_NONE) {
        fault = "--presize goes with --lc-index: otherwise lengths are always known before";
    }
    if (fault != NULL) {
        fprintf(stderr, "cuzk: %s\n", fault);
        return EXIT_BAD_INPUT;
    }
    return check_kind(&o->request, true);
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, GLOBAL_CHILD, COMMON_CHILD, {0}};
    synth_options o = {.n_iterations = 1};
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    int code = check_options(&o);
    payload p = {0};
    if (code == EXIT_DONE) {
        code = read_payload(&p, &o.request);
    }
    if (code == EXIT_DONE) {
        code = with_prover(&o, &p);
    }
    payload_clear(&p);
    request_options_clear(&o.request);
    return code;
}

const command command_synth_only = {.name = "synth-only",
                                    .arguments = "",
                                    .summary = "synthesise the circuits of a request",
                                    .run = run};
