/* cuzk-bench stress: proofs of several kinds that arrive at their times, whether or not earlier
 * ones are done. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuzk_bench/client/latencies.h"
#include "cuzk_bench/client/outcome.h"
#include "cuzk_bench/command.h"

#define KINDS 5            /* indexed by cuzk_proof_kind */
#define MAX_IN_FLIGHT 1000 /* threads; arrivals beyond are counted as failed */
#define MEMORY_INTERVAL_MS 1000

/* From when on a proof is late; 0: never. */
static const double deadlines_s[KINDS] = {[CUZK_WINDOW_POST] = 30 * 60, [CUZK_WINNING_POST] = 10};

typedef struct stress_options {
    common_options common;
    global_options global;
    request_options requests[KINDS];
    const char *vanilla[KINDS]; /* what requests[kind].vanilla points to */
    double interval_s[KINDS];   /* 0: none of that kind */
    double duration_s;
    uint64_t miner_id;
} stress_options;

/* Options of a kind have the key of the option and the kind. */
enum {
    OF_KIND = 16,
    OPT_FILE = 0x4000,
    OPT_RATE = 0x4010,
    OPT_PROOF = 0x4020,
    OPT_SECTOR = 0x4030,
    OPT_RANDOMNESS = 0x4040,
    OPT_DURATION = 0x4050,
    OPT_MINER,
    OPT_R_OLD,
    OPT_R_NEW,
    OPT_D_NEW
};

#define KIND_OPTIONS(name, kind, file)                                                             \
    {name "-" file, OPT_FILE + (kind), "FILE", 0, "As --" file " of single", 2},                   \
        {name "-rate", OPT_RATE + (kind), "N/TIME", 0, "So many in that time: 1/30s, 20/1h", 2}, { \
        name "-registered-proof", OPT_PROOF + (kind), "N", 0, "Registered proof number (0)", 2     \
    }

static const struct argp_option table[] = {
    {"duration", OPT_DURATION, "TIME", 0, "How long proofs arrive (1m): 90s, 5m, 1h", 1},
    {"miner-id", OPT_MINER, "N", 0, "Miner actor id (1000)", 1},
    KIND_OPTIONS("porep", CUZK_POREP, "c1"),
    {"porep-sector-num", OPT_SECTOR + CUZK_POREP, "N", 0, "Sector number (1)", 2},
    KIND_OPTIONS("snap", CUZK_SNAP, "vanilla"),
    {"comm-r-old", OPT_R_OLD, "HEX|CID", 0, "Update: old comm_r", 2},
    {"comm-r-new", OPT_R_NEW, "HEX|CID", 0, "Update: new comm_r", 2},
    {"comm-d-new", OPT_D_NEW, "HEX|CID", 0, "Update: new comm_d", 2},
    KIND_OPTIONS("wpost", CUZK_WINDOW_POST, "vanilla"),
    {"wpost-randomness", OPT_RANDOMNESS + CUZK_WINDOW_POST, "HEX", 0, "PoSt randomness (zeros)", 2},
    KIND_OPTIONS("winning", CUZK_WINNING_POST, "vanilla"),
    {"winning-randomness", OPT_RANDOMNESS + CUZK_WINNING_POST, "HEX", 0, "PoSt randomness (zeros)",
     2},
    {0}};

_Noreturn static void time_fault(const char *option, const char *text) {
    fprintf(stderr, "cuzk: %s: '%.50s' is no time (30s, 500ms, 2m, 1h)%s\n", option, text,
            strcmp(option, "--duration") == 0 ? "" : " or rate (1/30s)");
    exit(EXIT_BAD_INPUT);
}

/* Options whose key holds a kind. */
static error_t parse_of_kind(stress_options *o, int option, cuzk_proof_kind kind, char *text) {
    request_options *q = &o->requests[kind];
    switch (option) {
    case OPT_FILE:
        if (kind == CUZK_POREP) {
            q->c1 = text;
        } else {
            o->vanilla[kind] = text;
            q->vanilla = &o->vanilla[kind];
            q->n_vanilla = 1;
        }
        return 0;
    case OPT_RATE:
        if (!parse_rate(&o->interval_s[kind], text)) {
            time_fault("the rate", text);
        }
        return 0;
    case OPT_PROOF:
        q->request.registered_proof = option_number("the registered proof", text, UINT64_MAX);
        return 0;
    case OPT_SECTOR:
        q->request.sector_number = option_number("the sector number", text, UINT64_MAX);
        return 0;
    case OPT_RANDOMNESS:
        option_hex("the randomness", text, q->randomness, sizeof q->randomness);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    stress_options *o = state->input;
    request_options *update = &o->requests[CUZK_SNAP];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->global;
        state->child_inputs[1] = &o->common;
        return 0;
    case OPT_DURATION:
        if (!parse_duration(&o->duration_s, text)) {
            time_fault("--duration", text);
        }
        return 0;
    case OPT_MINER:
        o->miner_id = option_number("--miner-id", text, UINT64_MAX);
        return 0;
    case OPT_R_OLD:
        option_commitment("--comm-r-old", text, true, update->comm_r_old);
        update->has_comm_r_old = true;
        return 0;
    case OPT_R_NEW:
        option_commitment("--comm-r-new", text, true, update->comm_r_new);
        update->has_comm_r_new = true;
        return 0;
    case OPT_D_NEW:
        option_commitment("--comm-d-new", text, false, update->comm_d_new);
        update->has_comm_d_new = true;
        return 0;
    default:
        return key < OPT_FILE || key >= OPT_DURATION
                   ? ARGP_ERR_UNKNOWN
                   : parse_of_kind(o, key - key % OF_KIND, (cuzk_proof_kind)(key % OF_KIND), text);
    }
}

/* ---- what is measured ---- */

typedef struct kind_report {
    unsigned n_submitted, n_completed, n_failed, n_late;
    latencies latencies; /* of those completed */
} kind_report;

typedef struct stress {
    const stress_options *options;
    submission submissions[KINDS];
    pthread_mutex_t lock; /* of everything below, and of standard output */
    pthread_cond_t ended;
    unsigned n_in_flight;
    bool stop_watching;
    kind_report reports[KINDS];
    uint64_t memory_peak_bytes; /* of the daemon's budget, sampled; 0: not known */
    double start_s;
} stress;

typedef struct arrival {
    stress *s;
    cuzk_proof_kind kind;
} arrival;

static void print_one(const stress *s, cuzk_proof_kind kind, const outcome *o) {
    char room[1100];
    if (s->options->common.json) {
        return;
    }
    printf("  [%.1fs] %s %s — %.1fs\n", now_s() - s->start_s, proof_kind_name(kind),
           outcome_status(o), o->wall_s);
    if (!outcome_completed(o)) {
        printf("        error: %s\n", outcome_error(o, room, sizeof room));
    }
    fflush(stdout);
}

static void *prove_one(void *arg) {
    arrival *a = arg;
    stress *s = a->s;
    kind_report *r = &s->reports[a->kind];
    char id[REQUEST_ID_BYTES];
    outcome o;
    make_request_id(id);
    prove_remotely(&o, &s->options->global, &s->submissions[a->kind], id, false);
    pthread_mutex_lock(&s->lock);
    print_one(s, a->kind, &o);
    const bool kept = outcome_completed(&o) && latencies_add(&r->latencies, o.wall_s);
    r->n_completed += kept ? 1 : 0;
    r->n_failed += kept ? 0 : 1;
    r->n_late += deadlines_s[a->kind] > 0 && o.wall_s > deadlines_s[a->kind] ? 1 : 0;
    s->n_in_flight--;
    pthread_cond_signal(&s->ended);
    pthread_mutex_unlock(&s->lock);
    outcome_clear(&o);
    free(a);
    return NULL;
}

static bool start_thread(void *(*body)(void *), void *arg) {
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 1 << 20);
    const bool started = pthread_create(&thread, &attr, body, arg) == 0;
    pthread_attr_destroy(&attr);
    return started;
}

static void arrive(stress *s, cuzk_proof_kind kind) {
    arrival *a = malloc(sizeof *a);
    pthread_mutex_lock(&s->lock);
    s->reports[kind].n_submitted++;
    const bool room = a != NULL && s->n_in_flight < MAX_IN_FLIGHT;
    s->n_in_flight += room ? 1 : 0;
    pthread_mutex_unlock(&s->lock);
    if (room) {
        *a = (arrival){s, kind};
        if (start_thread(prove_one, a)) {
            return;
        }
    }
    free(a);
    pthread_mutex_lock(&s->lock);
    s->n_in_flight -= room ? 1 : 0;
    s->reports[kind].n_failed++;
    pthread_mutex_unlock(&s->lock);
}

/* Arrivals at their times until the duration is over. */
static void run_arrivals(stress *s) {
    const stress_options *o = s->options;
    unsigned n[KINDS] = {0};
    while (!interrupted()) {
        double next_s[KINDS] = {0}; /* since start */
        size_t kind = 0;
        for (size_t k = 1; k < KINDS; k++) {
            next_s[k] = n[k] * o->interval_s[k];
            if (o->interval_s[k] > 0 && (kind == 0 || next_s[k] < next_s[kind])) {
                kind = k;
            }
        }
        if (next_s[kind] >= o->duration_s) {
            return;
        }
        const double wait_s = next_s[kind] - (now_s() - s->start_s);
        sleep_ms(wait_s > 0 ? (uint64_t)(1000 * wait_s) : 0);
        if (!interrupted()) {
            arrive(s, (cuzk_proof_kind)kind);
            n[kind]++;
        }
    }
}

/* ---- the daemon's memory ---- */

/* The value of the line "cuzk_memory_budget_bytes{state="used"} N". */
static uint64_t used_bytes(const char *metrics) {
    static const char line[] = "cuzk_memory_budget_bytes{state=\"used\"} ";
    const char *place = strstr(metrics, line);
    return place != NULL ? strtoull(place + strlen(line), NULL, 10) : 0;
}

static void sample_memory(stress *s, cuzk_client *client) {
    client_reply reply;
    call_daemon(client, &s->options->global, &reply, "GetMetrics", NULL, 0, false);
    Cuzk__V1__GetMetricsResponse *r =
        reply_message(&reply, &cuzk__v1__get_metrics_response__descriptor);
    const uint64_t used = r != NULL ? used_bytes(r->prometheus_text) : 0;
    free_message(r);
    free(reply.data);
    pthread_mutex_lock(&s->lock);
    s->memory_peak_bytes = used > s->memory_peak_bytes ? used : s->memory_peak_bytes;
    pthread_mutex_unlock(&s->lock);
}

static bool watching(stress *s) {
    pthread_mutex_lock(&s->lock);
    const bool go_on = !s->stop_watching;
    pthread_mutex_unlock(&s->lock);
    return go_on && !interrupted();
}

static void *watch_memory(void *arg) {
    stress *s = arg;
    int code;
    cuzk_client *client = open_daemon(&s->options->global, &code);
    while (client != NULL && watching(s)) {
        sample_memory(s, client);
        for (unsigned ms = 0; ms < MEMORY_INTERVAL_MS && watching(s); ms += 100) {
            sleep_ms(100);
        }
    }
    cuzk_client_close(client);
    return NULL;
}

/* ---- reports ---- */

static void print_header(const stress_options *o) {
    if (o->common.json) {
        return;
    }
    printf("=== Stress Test ===\n");
    for (size_t k = 1; k < KINDS; k++) {
        if (o->interval_s[k] > 0) {
            printf("%-9s one every %.1fs: %s\n", proof_kind_name((cuzk_proof_kind)k),
                   o->interval_s[k], k == CUZK_POREP ? o->requests[k].c1 : o->vanilla[k]);
        }
    }
    printf("duration: %.1fs\n\n", o->duration_s);
    fflush(stdout);
}

static void print_summary(stress *s, double total_s) {
    printf("\n=== Stress Summary ===\n");
    printf("total time:    %.1fs\n", total_s);
    printf("kind      submitted completed    failed       p50       p95       p99       max    "
           "misses\n");
    for (size_t k = 1; k < KINDS; k++) {
        kind_report *r = &s->reports[k];
        if (s->options->interval_s[k] > 0) {
            printf("%-9s %9u %9u %9u %8.2fs %8.2fs %8.2fs %8.2fs ",
                   proof_kind_name((cuzk_proof_kind)k), r->n_submitted, r->n_completed, r->n_failed,
                   latencies_percentile(&r->latencies, 50), latencies_percentile(&r->latencies, 95),
                   latencies_percentile(&r->latencies, 99),
                   latencies_percentile(&r->latencies, 100));
            deadlines_s[k] > 0 ? printf("%9u\n", r->n_late) : printf("%9s\n", "-");
        }
    }
    if (s->memory_peak_bytes > 0) {
        printf("memory peak:   %" PRIu64 " bytes of the daemon's budget\n", s->memory_peak_bytes);
    }
}

static void print_summary_json(stress *s, double total_s) {
    bool first = true;
    printf("{\"total_s\":%.6f,\"memory_peak_bytes\":%" PRIu64 ",\"kinds\":{", total_s,
           s->memory_peak_bytes);
    for (size_t k = 1; k < KINDS; k++) {
        kind_report *r = &s->reports[k];
        if (s->options->interval_s[k] > 0) {
            printf("%s\"%s\":{\"submitted\":%u,\"completed\":%u,\"failed\":%u,\"p50_s\":%.6f,"
                   "\"p95_s\":%.6f,\"p99_s\":%.6f,\"max_s\":%.6f",
                   first ? "" : ",", proof_kind_name((cuzk_proof_kind)k), r->n_submitted,
                   r->n_completed, r->n_failed, latencies_percentile(&r->latencies, 50),
                   latencies_percentile(&r->latencies, 95), latencies_percentile(&r->latencies, 99),
                   latencies_percentile(&r->latencies, 100));
            deadlines_s[k] > 0 ? printf(",\"deadline_misses\":%u}", r->n_late) : printf("}");
            first = false;
        }
    }
    printf("}}\n");
}

/* ---- running ---- */

static int run_stress(stress *s) {
    pthread_t watcher;
    bool all_well = !interrupted();
    print_header(s->options);
    s->start_s = now_s();
    const bool has_watcher = pthread_create(&watcher, NULL, watch_memory, s) == 0;
    run_arrivals(s);
    pthread_mutex_lock(&s->lock);
    while (s->n_in_flight > 0) {
        pthread_cond_wait(&s->ended, &s->lock);
    }
    s->stop_watching = true;
    pthread_mutex_unlock(&s->lock);
    const double total_s = now_s() - s->start_s;
    if (has_watcher) {
        pthread_join(watcher, NULL);
    }
    (s->options->common.json ? print_summary_json : print_summary)(s, total_s);
    for (size_t k = 1; k < KINDS; k++) {
        all_well = all_well && s->reports[k].n_failed == 0;
    }
    return all_well ? EXIT_DONE : EXIT_NOT_VALID;
}

static int check_options(stress_options *o) {
    bool any = false;
    for (size_t k = 1; k < KINDS; k++) {
        const char *kind = proof_kind_name((cuzk_proof_kind)k);
        request_options *q = &o->requests[k];
        const bool has_file = q->c1 != NULL || q->n_vanilla > 0;
        if (has_file != (o->interval_s[k] > 0)) {
            fprintf(stderr, "cuzk: --%s-%s and --%s-rate go together\n", kind,
                    k == CUZK_POREP ? "c1" : "vanilla", kind);
            return EXIT_BAD_INPUT;
        }
        any = any || has_file;
        q->request.miner_id = o->miner_id;
    }
    if (!any) {
        fprintf(stderr, "cuzk: nothing to send: --KIND-c1 or --KIND-vanilla with --KIND-rate, of "
                        "porep, snap, wpost or winning\n");
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {GLOBAL_CHILD, COMMON_CHILD, {0}};
    stress_options o = {.duration_s = 60, .miner_id = 1000};
    for (size_t k = 1; k < KINDS; k++) {
        submission_defaults(&o.requests[k]);
        o.requests[k].kind = (cuzk_proof_kind)k;
        o.requests[k].has_kind = true;
    }
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    stress s = {
        .options = &o, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    int code = check_options(&o);
    for (size_t k = 1; k < KINDS && code == EXIT_DONE; k++) {
        if (o.interval_s[k] > 0) {
            code = submission_read(&s.submissions[k], &o.requests[k]);
        }
    }
    if (code == EXIT_DONE) {
        watch_interrupts();
        code = run_stress(&s);
    }
    for (size_t k = 1; k < KINDS; k++) {
        submission_clear(&s.submissions[k]);
        latencies_clear(&s.reports[k].latencies);
    }
    return code;
}

const command command_stress = {.name = "stress",
                                .arguments = "",
                                .summary = "proofs of several kinds at given rates",
                                .run = run};
