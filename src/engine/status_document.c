/* The status document, member by member. */
#include "engine/status_document.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "codec/json_writer.h"
#include "engine/proof_kinds.h"

#define SHOWN_AFTER_END_NS (30 * NS_PER_S)
#define FAILURES_MAX 16

static const char *const state_names[] = {"received",  "queued",  "batching",
                                          "parsing",   "running", "verifying",
                                          "completed", "failed",  "cancelled"};

/* A job that failed, copied. */
typedef struct failure {
    uint64_t serial, ended_ns;
    cuzk_proof_kind kind;
    char id[JOB_ID_MAX + 1];
    char text[sizeof((cuzk_error *)NULL)->text];
} failure;

/* A job to be shown: a copy, with id and partitions of its own. */
typedef struct shown_job {
    job copy;
    struct shown_job *next;
} shown_job;

/* What is found while jobs are visited, under the engine's lock, and written then. */
typedef struct document {
    json_writer w;
    engine_report report;
    uint64_t now_ns;
    failure failures[FAILURES_MAX]; /* the latest */
    size_t n_failures;
    shown_job *first, **last;
    bool no_memory;                                   /* for one of them */
    char prover_jobs[ENGINE_PROVERS][JOB_ID_MAX + 1]; /* ids of the jobs at the provers */
} document;

static void put_seconds(json_writer *w, const char *key, uint64_t ns) {
    cuzk_json_put_double(w, key, (double)ns / (double)NS_PER_S);
}

/* A stage's time: null before it began, running while in it. */
static void put_stage(json_writer *w, const char *key, uint64_t start_ns, uint64_t took_ns,
                      bool running, uint64_t now_ns) {
    if (start_ns == 0) {
        cuzk_json_put_null(w, key);
    } else {
        cuzk_json_put_u64(w, key, (running ? now_ns - start_ns : took_ns) / NS_PER_MS);
    }
}

/* When something was; null if it was not. */
static void put_seconds_ago(json_writer *w, const char *key, uint64_t at_ns, uint64_t now_ns) {
    if (at_ns == 0) {
        cuzk_json_put_null(w, key);
    } else {
        put_seconds(w, key, now_ns - at_ns);
    }
}

static void put_partition(json_writer *w, const job_partition *p, unsigned index, uint64_t now_ns) {
    cuzk_json_begin_object(w, NULL);
    cuzk_json_put_u64(w, "index", index);
    cuzk_json_put_text(w, "state", cuzk_partition_state_name(p->state));
    put_stage(w, "synth_ms", p->synth_start_ns, p->synth_ns, p->state == PARTITION_SYNTHESIZING,
              now_ns);
    put_stage(w, "gpu_ms", p->prove_start_ns, p->prove_ns, p->state == PARTITION_PROVING, now_ns);
    put_seconds_ago(w, "synth_started_secs_ago", p->synth_start_ns, now_ns);
    put_seconds_ago(w, "gpu_started_secs_ago", p->prove_start_ns, now_ns);
    put_seconds_ago(w, "verify_started_secs_ago", p->verify_start_ns, now_ns);
    cuzk_json_end(w);
}

static void put_job(json_writer *w, const job *j, uint64_t now_ns) {
    cuzk_json_begin_object(w, NULL);
    cuzk_json_put_u64(w, "serial", j->serial);
    cuzk_json_put_text(w, "job_id", j->id);
    cuzk_json_put_text(w, "proof_kind", cuzk_kind_names[j->kind].status);
    cuzk_json_put_text(w, "state", state_names[j->state]);
    put_seconds(w, "submitted_secs_ago", now_ns - j->submitted_ns);
    put_seconds(w, "started_secs_ago", j->parsing_ns != 0 ? now_ns - j->parsing_ns : 0);
    put_seconds_ago(w, "ended_secs_ago", j->ended_ns, now_ns);
    cuzk_json_put_u64(w, "total_partitions", j->n_partitions);
    cuzk_json_put_u64(w, "partitions_done", cuzk_job_count_partitions(j, PARTITION_DONE));
    cuzk_json_begin_array(w, "partitions");
    for (unsigned i = 0; i < j->n_partitions; i++) {
        put_partition(w, &j->partitions[i], i, now_ns);
    }
    cuzk_json_end(w);
    cuzk_json_put_text(w, "error_message", j->error.text);
    cuzk_json_end(w);
}

/* Later ones first. */
static int compare_failures(const void *a, const void *b) {
    const failure *x = a, *y = b;
    return x->ended_ns != y->ended_ns ? (x->ended_ns < y->ended_ns ? 1 : -1)
                                      : (x->serial < y->serial ? 1 : -1);
}

/* Keeps a failed job, in place of the earliest if there are too many. */
static void keep_failure(document *d, const job *j) {
    failure *f = &d->failures[0];
    if (d->n_failures < FAILURES_MAX) {
        f = &d->failures[d->n_failures++];
    } else {
        for (size_t i = 1; i < FAILURES_MAX; i++) {
            f = d->failures[i].ended_ns < f->ended_ns ? &d->failures[i] : f;
        }
        if (j->ended_ns < f->ended_ns) {
            return;
        }
    }
    f->serial = j->serial;
    f->ended_ns = j->ended_ns;
    f->kind = j->kind;
    strcpy(f->id, j->id);
    strcpy(f->text, j->error.text);
}

static void put_failures(document *d) {
    qsort(d->failures, d->n_failures, sizeof d->failures[0], compare_failures);
    cuzk_json_begin_array(&d->w, "recent_failures");
    for (size_t i = 0; i < d->n_failures; i++) {
        const failure *f = &d->failures[i];
        cuzk_json_begin_object(&d->w, NULL);
        cuzk_json_put_u64(&d->w, "serial", f->serial);
        cuzk_json_put_text(&d->w, "job_id", f->id);
        cuzk_json_put_text(&d->w, "proof_kind", cuzk_kind_names[f->kind].status);
        put_seconds_ago(&d->w, "failed_secs_ago", f->ended_ns, d->now_ns);
        cuzk_json_put_text(&d->w, "error_message", f->text);
        cuzk_json_end(&d->w);
    }
    cuzk_json_end(&d->w);
}

static void free_shown(shown_job *shown) {
    free(shown->copy.id);
    free(shown->copy.partitions);
    free(shown);
}

static void show_job(document *d, const job *j) {
    const size_t n = j->n_partitions;
    shown_job *shown = calloc(1, sizeof *shown);
    if (shown != NULL) {
        shown->copy = *j;
        shown->copy.id = strdup(j->id);
        shown->copy.partitions = calloc(n + 1, sizeof *j->partitions);
    }
    if (shown == NULL || shown->copy.id == NULL || shown->copy.partitions == NULL) {
        d->no_memory = true;
        if (shown != NULL) {
            free_shown(shown);
        }
        return;
    }
    if (n != 0) {
        memcpy(shown->copy.partitions, j->partitions, n * sizeof *j->partitions);
    }
    *d->last = shown;
    d->last = &shown->next;
}

static void visit_job(void *arg, const job *j, uint64_t now_ns) {
    document *d = arg;
    d->now_ns = now_ns;
    if (j->state == JOB_FAILED) {
        keep_failure(d, j);
    }
    for (unsigned i = 0; i < ENGINE_PROVERS; i++) {
        if (d->report.provers[i].serial == j->serial) {
            strcpy(d->prover_jobs[i], j->id);
        }
    }
    if (!job_ended(j) || now_ns - j->ended_ns < SHOWN_AFTER_END_NS) {
        show_job(d, j);
    }
}

static void put_jobs(document *d) {
    cuzk_json_begin_array(&d->w, "pipelines");
    while (d->first != NULL) {
        shown_job *shown = d->first;
        d->first = shown->next;
        put_job(&d->w, &shown->copy, d->now_ns);
        free_shown(shown);
    }
    cuzk_json_end(&d->w);
}

static void put_memory(json_writer *w, const budget_report *m) {
    cuzk_json_begin_object(w, "memory");
    cuzk_json_put_u64(w, "total_bytes", m->total_bytes);
    cuzk_json_put_u64(w, "used_bytes", m->used_bytes);
    cuzk_json_put_u64(w, "available_bytes", m->total_bytes - m->used_bytes);
    cuzk_json_end(w);
}

static void put_prover(document *d, unsigned i) {
    const engine_prover_report *p = &d->report.provers[i];
    cuzk_json_begin_object(&d->w, NULL);
    cuzk_json_put_u64(&d->w, "worker_id", i);
    cuzk_json_put_u64(&d->w, "gpu_ordinal", 0);
    if (p->serial != 0) {
        cuzk_json_put_text(&d->w, "state", "proving");
        cuzk_json_put_text(&d->w, "current_job", d->prover_jobs[i]);
        cuzk_json_put_u64(&d->w, "current_partition", p->partition);
        put_seconds(&d->w, "busy_secs", p->busy_ns);
    } else {
        cuzk_json_put_text(&d->w, "state", "idle");
        cuzk_json_put_null(&d->w, "current_job");
        cuzk_json_put_null(&d->w, "current_partition");
        cuzk_json_put_null(&d->w, "busy_secs");
    }
    cuzk_json_end(&d->w);
}

static void put_allocations(json_writer *w, const status_extras *extras) {
    cuzk_json_begin_object(w, "allocations");
    cuzk_json_begin_array(w, "srs");
    for (size_t i = 0; i < extras->n_residents; i++) {
        const status_resident *r = &extras->residents[i];
        cuzk_json_begin_object(w, NULL);
        cuzk_json_put_text(w, "circuit_id", r->circuit_id);
        cuzk_json_put_u64(w, "bytes", r->bytes);
        put_seconds(w, "last_used_secs_ago", r->idle_ns);
        cuzk_json_put_bool(w, "evictable", r->evictable);
        cuzk_json_end(w);
    }
    cuzk_json_end(w);
    cuzk_json_begin_array(w, "pce"); /* there is no such evaluator here */
    cuzk_json_end(w);
    cuzk_json_end(w);
}

static void put_by_kind(json_writer *w, const char *key, const uint64_t values[JOB_KINDS]) {
    cuzk_json_begin_object(w, key);
    for (size_t kind = 1; kind < JOB_KINDS; kind++) {
        cuzk_json_put_u64(w, cuzk_kind_names[kind].status, values[kind]);
    }
    cuzk_json_end(w);
}

static void put_counters(json_writer *w, const engine_report *r) {
    cuzk_json_begin_object(w, "counters");
    cuzk_json_put_u64(w, "total_completed", cuzk_kind_sum(r->counters.completed));
    cuzk_json_put_u64(w, "total_failed", cuzk_kind_sum(r->counters.failed));
    cuzk_json_put_u64(w, "total_cancelled", cuzk_kind_sum(r->counters.cancelled));
    cuzk_json_put_u64(w, "queue_depth", r->queue_depth);
    put_by_kind(w, "completed_by_kind", r->counters.completed);
    put_by_kind(w, "failed_by_kind", r->counters.failed);
    cuzk_json_begin_object(w, "seconds_by_kind"); /* all of those completed took, together */
    for (size_t kind = 1; kind < JOB_KINDS; kind++) {
        put_seconds(w, cuzk_kind_names[kind].status, r->counters.completed_ns[kind]);
    }
    cuzk_json_end(w);
    cuzk_json_end(w);
}

/* A witness lives from synthesis to proof, the vectors a, b, c while it is proved; proving is one
 * step, so nothing is between its start and finish. */
static void put_buffers(json_writer *w, const engine_report *r) {
    cuzk_json_begin_object(w, "buffers");
    cuzk_json_put_u64(w, "synth_in_flight", r->synth_done);
    cuzk_json_put_u64(w, "provers_in_flight", r->proving);
    cuzk_json_put_u64(w, "aux_in_flight", r->synthesizing + r->synth_done + r->proving);
    cuzk_json_put_u64(w, "shells_in_flight", 0);
    cuzk_json_put_u64(w, "pending_handles", 0);
    cuzk_json_end(w);
}

cuzk_status cuzk_status_document(char **text, size_t *len_bytes, engine *e,
                                 const status_extras *extras, cuzk_error *err) {
    document d = {.last = &d.first};
    cuzk_core_look(e, &d.report);
    cuzk_core_visit(e, visit_job, &d);
    cuzk_json_begin_object(&d.w, NULL);
    put_seconds(&d.w, "uptime_secs", d.report.uptime_ns);
    put_memory(&d.w, extras->memory);
    cuzk_json_begin_object(&d.w, "synthesis");
    cuzk_json_put_u64(&d.w, "max_concurrent", extras->max_syntheses);
    cuzk_json_put_u64(&d.w, "active", d.report.synthesizing);
    cuzk_json_end(&d.w);
    put_jobs(&d);
    cuzk_json_begin_array(&d.w, "gpu_workers");
    for (unsigned i = 0; i < ENGINE_PROVERS; i++) {
        put_prover(&d, i);
    }
    cuzk_json_end(&d.w);
    put_allocations(&d.w, extras);
    put_counters(&d.w, &d.report);
    put_buffers(&d.w, &d.report);
    put_failures(&d);
    cuzk_json_end(&d.w);
    cuzk_status status = cuzk_json_finish(&d.w, text, len_bytes, err);
    if (status == CUZK_OK && d.no_memory) {
        free(*text);
        *text = NULL;
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a status document");
    }
    return status;
}
