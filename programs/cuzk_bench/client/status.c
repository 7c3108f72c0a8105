/* cuzk-bench status, metrics, preload and evict: what the daemon is and holds. */
#include <inttypes.h>
#include <stdlib.h>

#include "cuzk_bench/client/daemon.h"
#include "cuzk_bench/command.h"

typedef struct status_options {
    common_options common;
    global_options global;
    const char *circuit;
    uint64_t watch_s; /* 0: once */
} status_options;

static const struct argp_option status_table[] = {
    {"watch", 'w', "SECONDS", 0, "Again and again, until interrupted", 2}, {0}};

static const struct argp_option circuit_table[] = {
    {"circuit-id", 'c', "ID", 0, "The circuit: 'cuzk circuits' lists them", 2}, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    status_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->global;
        state->child_inputs[1] = &o->common;
        break;
    case 'w':
        o->watch_s = option_number("--watch", text, 86400);
        break;
    case 'c':
        o->circuit = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {GLOBAL_CHILD, COMMON_CHILD, {0}};

/* ---- status ---- */

static const char *tier_name(Cuzk__V1__SRSStatus__Tier tier) {
    static const char *const names[] = {"HOT", "WARM", "COLD"};
    return (unsigned)tier < sizeof names / sizeof names[0] ? names[tier] : "UNKNOWN";
}

static void print_gpus(const Cuzk__V1__GetStatusResponse *s) {
    if (s->n_gpus > 0) {
        printf("GPUs:\n");
    }
    for (size_t i = 0; i < s->n_gpus; i++) {
        const Cuzk__V1__GPUStatus *g = s->gpus[i];
        printf("  [%u] %s — %" PRIu64 " MiB / %" PRIu64 " MiB VRAM — ", g->ordinal, g->name,
               g->vram_free_bytes >> 20, g->vram_total_bytes >> 20);
        if (g->current_job_id[0] == '\0') {
            printf("idle\n");
        } else {
            printf("proving %s (%.8s)\n", g->current_proof_kind, g->current_job_id);
        }
    }
}

static void print_status(const Cuzk__V1__GetStatusResponse *s) {
    printf("=== cuzk daemon status ===\n");
    printf("uptime:           %" PRIu64 "s\n", s->uptime_seconds);
    printf("proofs completed: %" PRIu64 "\n", s->total_proofs_completed);
    printf("proofs failed:    %" PRIu64 "\n", s->total_proofs_failed);
    printf("pinned memory:    %" PRIu64 " / %" PRIu64 " bytes\n", s->pinned_memory_bytes,
           s->pinned_memory_limit_bytes);
    print_gpus(s);
    if (s->n_loaded_srs > 0) {
        printf("Loaded SRS:\n");
    }
    for (size_t i = 0; i < s->n_loaded_srs; i++) {
        const Cuzk__V1__SRSStatus *r = s->loaded_srs[i];
        printf("  %s (tier=%s, size=%" PRIu64 " bytes, refs=%u)\n", r->circuit_id,
               tier_name(r->tier), r->size_bytes, r->ref_count);
    }
    if (s->n_queues > 0) {
        printf("Queues:\n");
    }
    for (size_t i = 0; i < s->n_queues; i++) {
        const Cuzk__V1__QueueStatus *q = s->queues[i];
        printf("  %s: pending=%u, in_progress=%u\n", q->proof_kind, q->pending, q->in_progress);
    }
}

static void print_status_json(const Cuzk__V1__GetStatusResponse *s) {
    printf("{\"uptime_seconds\":%" PRIu64 ",\"proofs_completed\":%" PRIu64
           ",\"proofs_failed\":%" PRIu64 ",\"pinned_memory_bytes\":%" PRIu64
           ",\"pinned_memory_limit_bytes\":%" PRIu64 ",\"gpus\":[",
           s->uptime_seconds, s->total_proofs_completed, s->total_proofs_failed,
           s->pinned_memory_bytes, s->pinned_memory_limit_bytes);
    for (size_t i = 0; i < s->n_gpus; i++) {
        const Cuzk__V1__GPUStatus *g = s->gpus[i];
        printf("%s{\"ordinal\":%u,\"name\":", i == 0 ? "" : ",", g->ordinal);
        print_json_string(stdout, g->name);
        printf(",\"vram_total_bytes\":%" PRIu64 ",\"vram_free_bytes\":%" PRIu64
               ",\"current_job_id\":",
               g->vram_total_bytes, g->vram_free_bytes);
        print_json_string(stdout, g->current_job_id);
        printf(",\"current_proof_kind\":");
        print_json_string(stdout, g->current_proof_kind);
        printf("}");
    }
    printf("],\"loaded_srs\":[");
    for (size_t i = 0; i < s->n_loaded_srs; i++) {
        const Cuzk__V1__SRSStatus *r = s->loaded_srs[i];
        printf("%s{\"circuit_id\":", i == 0 ? "" : ",");
        print_json_string(stdout, r->circuit_id);
        printf(",\"tier\":\"%s\",\"size_bytes\":%" PRIu64 ",\"ref_count\":%u}", tier_name(r->tier),
               r->size_bytes, r->ref_count);
    }
    printf("],\"queues\":[");
    for (size_t i = 0; i < s->n_queues; i++) {
        const Cuzk__V1__QueueStatus *q = s->queues[i];
        printf("%s{\"proof_kind\":", i == 0 ? "" : ",");
        print_json_string(stdout, q->proof_kind);
        printf(",\"pending\":%u,\"in_progress\":%u}", q->pending, q->in_progress);
    }
    printf("]}\n");
}

static int show_status(const status_options *o) {
    int code = EXIT_DONE;
    const Cuzk__V1__GetStatusRequest request = CUZK__V1__GET_STATUS_REQUEST__INIT;
    Cuzk__V1__GetStatusResponse *s = ask_daemon(&o->global, &code, "GetStatus", &request.base,
                                                &cuzk__v1__get_status_response__descriptor);
    if (s != NULL) {
        (o->common.json ? print_status_json : print_status)(s);
        fflush(stdout);
    }
    free_message(s);
    return code;
}

static int run_status(const command *self, int argc, char **argv) {
    status_options o = {0};
    parse_command(self, &o.common, status_table, parse_one, children, &o, argc, argv);
    watch_interrupts();
    int code = show_status(&o);
    while (o.watch_s > 0 && code == EXIT_DONE) {
        sleep_ms(1000 * o.watch_s);
        if (interrupted()) {
            break;
        }
        printf("%s", o.common.json ? "" : "\n");
        code = show_status(&o);
    }
    return code;
}

const command command_status = {
    .name = "status", .arguments = "", .summary = "what the daemon is doing", .run = run_status};

/* ---- metrics ---- */

static int run_metrics(const command *self, int argc, char **argv) {
    status_options o = {0};
    int code = EXIT_DONE;
    parse_command(self, &o.common, NULL, parse_one, children, &o, argc, argv);
    watch_interrupts();
    const Cuzk__V1__GetMetricsRequest request = CUZK__V1__GET_METRICS_REQUEST__INIT;
    Cuzk__V1__GetMetricsResponse *r = ask_daemon(&o.global, &code, "GetMetrics", &request.base,
                                                 &cuzk__v1__get_metrics_response__descriptor);
    if (r != NULL && o.common.json) {
        printf("{\"prometheus_text\":");
        print_json_string(stdout, r->prometheus_text);
        printf("}\n");
    } else if (r != NULL) {
        fputs(r->prometheus_text, stdout);
    }
    free_message(r);
    return code;
}

const command command_metrics = {.name = "metrics",
                                 .arguments = "",
                                 .summary = "the daemon's metrics, as Prometheus reads them",
                                 .run = run_metrics};

/* ---- preload, evict ---- */

static void parse_circuit(const command *self, status_options *o, int argc, char **argv) {
    parse_command(self, &o->common, circuit_table, parse_one, children, o, argc, argv);
    if (o->circuit == NULL) {
        fprintf(stderr, "cuzk: -c CIRCUIT-ID is required\n");
        exit(EXIT_BAD_INPUT);
    }
    watch_interrupts();
}

static int run_preload(const command *self, int argc, char **argv) {
    status_options o = {0};
    int code = EXIT_DONE;
    parse_circuit(self, &o, argc, argv);
    Cuzk__V1__PreloadSrsRequest request = CUZK__V1__PRELOAD_SRS_REQUEST__INIT;
    request.circuit_id = (char *)(uintptr_t)o.circuit;
    Cuzk__V1__PreloadSrsResponse *r = ask_daemon(&o.global, &code, "PreloadSRS", &request.base,
                                                 &cuzk__v1__preload_srs_response__descriptor);
    if (r != NULL && o.common.json) {
        printf("{\"circuit_id\":");
        print_json_string(stdout, o.circuit);
        printf(",\"already_loaded\":%s,\"load_time_ms\":%" PRIu64 "}\n",
               r->already_loaded ? "true" : "false", r->load_time_ms);
    } else if (r != NULL && r->already_loaded) {
        printf("%s already loaded\n", o.circuit);
    } else if (r != NULL) {
        printf("%s loaded in %" PRIu64 " ms\n", o.circuit, r->load_time_ms);
    }
    free_message(r);
    return code;
}

const command command_preload = {.name = "preload",
                                 .arguments = "",
                                 .summary = "load a circuit's parameters",
                                 .run = run_preload};

static int run_evict(const command *self, int argc, char **argv) {
    status_options o = {0};
    int code = EXIT_DONE;
    parse_circuit(self, &o, argc, argv);
    Cuzk__V1__EvictSrsRequest request = CUZK__V1__EVICT_SRS_REQUEST__INIT;
    request.circuit_id = (char *)(uintptr_t)o.circuit;
    Cuzk__V1__EvictSrsResponse *r = ask_daemon(&o.global, &code, "EvictSRS", &request.base,
                                               &cuzk__v1__evict_srs_response__descriptor);
    if (r != NULL && o.common.json) {
        printf("{\"circuit_id\":");
        print_json_string(stdout, o.circuit);
        printf(",\"was_loaded\":%s,\"freed_bytes\":%" PRIu64 "}\n",
               r->was_loaded ? "true" : "false", r->freed_bytes);
    } else if (r != NULL && !r->was_loaded) {
        printf("%s was not loaded\n", o.circuit);
    } else if (r != NULL && r->freed_bytes == 0) {
        printf("%s is in use: evicted with its last use\n", o.circuit);
    } else if (r != NULL) {
        printf("%s evicted, %" PRIu64 " bytes freed\n", o.circuit, r->freed_bytes);
    }
    free_message(r);
    return code;
}

const command command_evict = {.name = "evict",
                               .arguments = "",
                               .summary = "drop a circuit's parameters from memory",
                               .run = run_evict};
