/* cuzk-bench batch: the same proof many times, some at once, each on a connection of its own. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "cuzk_bench/client/outcome.h"
#include "cuzk_bench/command.h"

typedef struct batch_options {
    common_options common;
    global_options global;
    request_options request;
    unsigned count, concurrency;
} batch_options;

static const struct argp_option table[] = {{"count", 'c', "N", 0, "How many proofs (3)", 2},
                                           {"concurrency", 'j', "N", 0, "How many at once (1)", 2},
                                           {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    batch_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->global;
        state->child_inputs[2] = &o->common;
        break;
    case 'c':
        o->count = (unsigned)option_number("--count", text, 1000000);
        break;
    case 'j':
        o->concurrency = (unsigned)option_number("--concurrency", text, 1000);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Seconds: average, least, most. */
typedef struct spread {
    double sum, least, most;
} spread;

static void spread_add(spread *s, double value, unsigned n_before) {
    s->least = n_before == 0 || value < s->least ? value : s->least;
    s->most = n_before == 0 || value > s->most ? value : s->most;
    s->sum += value;
}

typedef struct batch {
    const batch_options *options;
    submission *submission;
    pthread_mutex_t lock; /* of everything below, and of standard output */
    unsigned n_started, n_completed, n_failed;
    spread wall, prove;
} batch;

/* ---- one proof ---- */

static void print_one(const batch *b, unsigned number, const outcome *o) {
    const Cuzk__V1__AwaitProofResponse *r = o->result;
    const uint64_t prove_ms = r != NULL ? r->gpu_compute_ms : 0;
    const uint64_t queue_ms = r != NULL ? r->queue_wait_ms : 0;
    char room[1100];
    const char *error = outcome_completed(o) ? "" : outcome_error(o, room, sizeof room);
    if (b->options->common.json) {
        printf("%s{\"number\":%u,\"status\":\"%s\",\"wall_s\":%.6f,\"gpu_compute_ms\":%" PRIu64
               ",\"queue_wait_ms\":%" PRIu64 ",\"job_id\":",
               b->n_completed + b->n_failed > 0 ? "," : "", number, outcome_status(o), o->wall_s,
               prove_ms, queue_ms);
        print_json_string(stdout, r != NULL ? r->job_id : "");
        if (!outcome_completed(o)) {
            printf(",\"error\":");
            print_json_string(stdout, error);
        }
        printf("}");
    } else {
        printf("  [%u/%u] %s — %.1fs (prove=%" PRIu64 " ms, queue=%" PRIu64 " ms)\n", number,
               b->options->count, outcome_status(o), o->wall_s, prove_ms, queue_ms);
        if (!outcome_completed(o)) {
            printf("        error: %s\n", error);
        }
    }
    fflush(stdout);
}

static void count_one(batch *b, unsigned number, const outcome *o) {
    pthread_mutex_lock(&b->lock);
    print_one(b, number, o);
    if (outcome_completed(o)) {
        spread_add(&b->wall, o->wall_s, b->n_completed);
        spread_add(&b->prove, (double)o->result->gpu_compute_ms * 1e-3, b->n_completed);
        b->n_completed++;
    } else {
        b->n_failed++;
    }
    pthread_mutex_unlock(&b->lock);
}

/* The number of the next proof, from 1; 0: none is left. */
static unsigned take_number(batch *b) {
    pthread_mutex_lock(&b->lock);
    unsigned number = b->n_started < b->options->count && !interrupted() ? ++b->n_started : 0;
    pthread_mutex_unlock(&b->lock);
    return number;
}

static void *work(void *arg) {
    batch *b = arg;
    for (unsigned number = take_number(b); number != 0; number = take_number(b)) {
        char id[REQUEST_ID_BYTES];
        outcome o;
        make_request_id(id);
        prove_remotely(&o, &b->options->global, b->submission, id, b->options->concurrency == 1);
        count_one(b, number, &o);
        outcome_clear(&o);
    }
    return NULL;
}

/* ---- all ---- */

static void print_header(const batch *b) {
    const batch_options *o = b->options;
    if (o->common.json) {
        printf("{\"type\":\"%s\",\"count\":%u,\"concurrency\":%u,\"proofs\":[",
               proof_kind_name(o->request.kind), o->count, o->concurrency);
        return;
    }
    printf("=== Batch Benchmark ===\n");
    printf("proof type:  %s\n", proof_kind_name(o->request.kind));
    printf("count:       %u\n", o->count);
    printf("concurrency: %u\n\n", o->concurrency);
    fflush(stdout);
}

static void print_spread(const char *name, const spread *s, unsigned n) {
    printf("%savg=%.1fs min=%.1fs max=%.1fs\n", name, s->sum / n, s->least, s->most);
}

static void print_spread_json(const char *name, const spread *s, unsigned n) {
    printf(",\"%s\":{\"avg_s\":%.6f,\"min_s\":%.6f,\"max_s\":%.6f}", name, s->sum / n, s->least,
           s->most);
}

static void print_summary(const batch *b, double total_s) {
    const unsigned n = b->n_completed;
    printf("\n=== Batch Summary ===\n");
    printf("total time:    %.1fs\n", total_s);
    printf("completed:     %u\n", n);
    printf("failed:        %u\n", b->n_failed);
    if (n > 0) {
        print_spread("wall time:     ", &b->wall, n);
        print_spread("prove time:    ", &b->prove, n);
        printf("throughput:    %.3f proofs/min (%.1fs/proof)\n", 60 * n / total_s, total_s / n);
    }
}

static void print_summary_json(const batch *b, double total_s) {
    const unsigned n = b->n_completed;
    printf("],\"total_s\":%.6f,\"completed\":%u,\"failed\":%u", total_s, n, b->n_failed);
    if (n > 0) {
        print_spread_json("wall", &b->wall, n);
        print_spread_json("prove", &b->prove, n);
        printf(",\"proofs_per_minute\":%.6f", 60 * n / total_s);
    }
    printf("}\n");
}

static int run_all(batch *b) {
    const unsigned n =
        b->options->concurrency < b->options->count ? b->options->concurrency : b->options->count;
    pthread_t *threads = calloc(n, sizeof *threads);
    unsigned n_threads = 0;
    if (threads == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        return EXIT_RESOURCES;
    }
    print_header(b);
    const double start = now_s();
    while (n_threads < n && pthread_create(&threads[n_threads], NULL, work, b) == 0) {
        n_threads++;
    }
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(threads[i], NULL);
    }
    (b->options->common.json ? print_summary_json : print_summary)(b, now_s() - start);
    free(threads);
    if (n_threads < n) {
        fprintf(stderr, "cuzk: no more than %u threads to be had\n", n_threads);
        return EXIT_RESOURCES;
    }
    return b->n_completed == b->options->count ? EXIT_DONE : EXIT_NOT_VALID;
}

static int check_options(const batch_options *o) {
    if (o->count == 0 || o->concurrency == 0) {
        fprintf(stderr, "cuzk: %s: at least 1\n", o->count == 0 ? "--count" : "--concurrency");
        return EXIT_BAD_INPUT;
    }
    return submission_check(&o->request);
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, GLOBAL_CHILD, COMMON_CHILD, {0}};
    batch_options o = {.count = 3, .concurrency = 1};
    submission s = {0};
    submission_defaults(&o.request);
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    int code = check_options(&o);
    if (code == EXIT_DONE) {
        code = submission_read(&s, &o.request);
    }
    if (code == EXIT_DONE) {
        batch b = {.options = &o, .submission = &s, .lock = PTHREAD_MUTEX_INITIALIZER};
        watch_interrupts();
        code = run_all(&b);
    }
    submission_clear(&s);
    request_options_clear(&o.request);
    return code;
}

const command command_batch = {
    .name = "batch", .arguments = "", .summary = "the same proof many times", .run = run};
