/* The batch collector. */
#include "engine/collector.h"

#include "base/clock.h"

static bool batchable(const collector *c, const job *j) {
    return c->max_batch > 1 && (j->kind == CUZK_POREP || j->kind == CUZK_SNAP);
}

void cuzk_collector_flush(collector *c, job_queue *out) {
    while (c->pending.first != NULL) {
        cuzk_job_queue_append(out, c->pending.first);
    }
}

void cuzk_collector_add(collector *c, job_queue *out, job *j, uint64_t now_ns) {
    if (!batchable(c, j)) {
        cuzk_collector_flush(c, out);
        cuzk_job_queue_append(out, j);
        return;
    }
    if (c->pending.first != NULL && c->pending.first->kind != j->kind) {
        cuzk_collector_flush(c, out);
    }
    if (c->pending.first == NULL) {
        c->started_ns = now_ns;
    }
    cuzk_job_enter(j, JOB_BATCHING, now_ns);
    cuzk_job_queue_append(&c->pending, j);
    if (c->pending.length >= c->max_batch) {
        cuzk_collector_flush(c, out);
    }
}

void cuzk_collector_tick(collector *c, job_queue *out, uint64_t now_ns) {
    if (c->pending.first != NULL && now_ns - c->started_ns >= c->max_wait_ns) {
        cuzk_collector_flush(c, out);
    }
}

uint64_t cuzk_collector_due_ns(const collector *c) {
    return c->pending.first != NULL ? clock_after(c->started_ns, c->max_wait_ns) : CLOCK_NEVER;
}
