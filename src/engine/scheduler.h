/* Which waiting job comes next (engine.md 11.1). Under the owner's lock, like the table of jobs. */
#ifndef CUZK_ENGINE_SCHEDULER_H
#define CUZK_ENGINE_SCHEDULER_H

#include "engine/job_table.h"

/* The class a job is served in: its priority, one higher for every 10 minutes since its submission,
 * but by that never above CUZK_HIGH. */
cuzk_priority cuzk_job_class(const job *j, uint64_t now_ns);
/* Order of service of jobs, and of their partitions at every stage: class descending, then serial
 * ascending. */
bool cuzk_job_before(const job *a, const job *b, uint64_t now_ns);

/* Zeroed: an empty one without preference. */
typedef struct scheduler {
    job_queue waiting;
    /* Whether a job's parameters are in memory. NULL: no preference. Among jobs of the highest
     * class waiting, if that is CUZK_NORMAL or below, such a job goes before older ones, as long as
     * none of them has waited for a minute. */
    bool (*resident)(void *arg, const job *j);
    void *resident_arg;
} scheduler;

/* Returns the number of jobs that waited before. */
size_t cuzk_scheduler_push(scheduler *s, job *j);
/* The next job; NULL if none waits. It stays in `waiting`. */
job *cuzk_scheduler_peek(const scheduler *s, uint64_t now_ns);

#endif
