/* Metrics, written family by family. */
#include "engine/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/proof_kinds.h"

static void head(FILE *f, const char *name, const char *type, const char *help) {
    fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void single(FILE *f, const char *name, const char *type, const char *help, uint64_t value) {
    head(f, name, type, help);
    fprintf(f, "%s %" PRIu64 "\n", name, value);
}

static void by_kind(FILE *f, const char *name, const char *help, const uint64_t values[JOB_KINDS]) {
    head(f, name, "counter", help);
    for (size_t kind = 1; kind < JOB_KINDS; kind++) {
        fprintf(f, "%s{proof_kind=\"%s\"} %" PRIu64 "\n", name, cuzk_kind_names[kind].metric,
                values[kind]);
    }
}

/* Since the start, so that rates of it make sense; left out until a proof is finished. */
static void durations(FILE *f, const job_counters *c) {
    static const char name[] = "cuzk_proof_duration_seconds";
    if (cuzk_kind_sum(c->completed) == 0) {
        return;
    }
    head(f, name, "summary", "Time from submission to proof");
    for (size_t kind = 1; kind < JOB_KINDS; kind++) {
        if (c->completed[kind] != 0) {
            fprintf(f, "%s_count{proof_kind=\"%s\"} %" PRIu64 "\n", name,
                    cuzk_kind_names[kind].metric, c->completed[kind]);
            fprintf(f, "%s_sum{proof_kind=\"%s\"} %.3f\n", name, cuzk_kind_names[kind].metric,
                    (double)c->completed_ns[kind] / (double)NS_PER_S);
        }
    }
}

static void memory_states(FILE *f, const budget_report *m) {
    static const char name[] = "cuzk_memory_budget_bytes";
    head(f, name, "gauge", "Memory budget: all, in use, most in use so far, kept by caches");
    fprintf(f, "%s{state=\"total\"} %zu\n", name, m->total_bytes);
    fprintf(f, "%s{state=\"used\"} %zu\n", name, m->used_bytes);
    fprintf(f, "%s{state=\"peak\"} %zu\n", name, m->peak_bytes);
    fprintf(f, "%s{state=\"kept\"} %zu\n", name, m->kept_bytes);
}

static void write_all(FILE *f, const engine_report *report, const budget_report *memory) {
    const job_counters *c = &report->counters;
    single(f, "cuzk_proofs_completed_total", "counter", "Proofs completed",
           cuzk_kind_sum(c->completed));
    single(f, "cuzk_proofs_failed_total", "counter", "Proofs failed", cuzk_kind_sum(c->failed));
    single(f, "cuzk_uptime_seconds", "gauge", "Time since start", report->uptime_ns / NS_PER_S);
    single(f, "cuzk_queue_depth", "gauge", "Jobs waiting", report->queue_depth);
    by_kind(f, "cuzk_proofs_completed", "Proofs completed by kind", c->completed);
    by_kind(f, "cuzk_proofs_failed", "Proofs failed by kind", c->failed);
    durations(f, c);
    single(f, "cuzk_running_jobs", "gauge", "Jobs running", cuzk_kind_sum(c->in_progress));
    single(f, "cuzk_gpu_workers", "gauge", "Provers", ENGINE_PROVERS);
    single(f, "cuzk_cancelled_total", "counter", "Jobs cancelled", cuzk_kind_sum(c->cancelled));
    single(f, "cuzk_coalesced_total", "counter", "Submissions that joined a running job",
           c->attached);
    single(f, "cuzk_retries_total", "counter", "Partitions proved again", report->n_retries);
    memory_states(f, memory);
}

cuzk_status cuzk_metrics_text(char **text, size_t *len_bytes, const engine_report *report,
                              const budget_report *memory, cuzk_error *err) {
    *text = NULL;
    FILE *f = open_memstream(text, len_bytes);
    if (f != NULL) {
        write_all(f, report, memory);
    }
    if (f == NULL || fclose(f) != 0) {
        free(*text);
        *text = NULL;
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for metrics");
    }
    return CUZK_OK;
}
