/* Gathers sectors of one kind, so that they run one after the other (engine.md 11.2): a hint about
 * order, members stay jobs of their own. Under the owner's lock, like the table of jobs. */
#ifndef CUZK_ENGINE_COLLECTOR_H
#define CUZK_ENGINE_COLLECTOR_H

#include "engine/job_table.h"

/* Zeroed: every job passes at once. */
typedef struct collector {
    size_t max_batch; /* 0 and 1: no batches */
    uint64_t max_wait_ns;
    job_queue pending; /* of one kind, JOB_BATCHING */
    uint64_t started_ns;
} collector;

/* Jobs that are to run are appended to `out`, in order. A PoRep or Snap joins the batch of its kind
 * (a batch of the other kind goes first) and releases it when it is full; any other job, or any at
 * all without batches, goes at once, after the batch. */
void cuzk_collector_add(collector *c, job_queue *out, job *j, uint64_t now_ns);
/* Releases the batch if max_wait_ns have passed since its first job came. */
void cuzk_collector_tick(collector *c, job_queue *out, uint64_t now_ns);
/* Releases the batch. */
void cuzk_collector_flush(collector *c, job_queue *out);
/* When cuzk_collector_tick will have something to do; CLOCK_NEVER without a batch. */
uint64_t cuzk_collector_due_ns(const collector *c);

#endif
