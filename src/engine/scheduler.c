/* The queue of waiting jobs. */
#include "engine/scheduler.h"

#include "base/clock.h"

#define MINUTE_NS (60 * NS_PER_S)
#define AGEING_NS (10 * MINUTE_NS)
#define PREFERENCE_LIMIT_NS MINUTE_NS

cuzk_priority cuzk_job_class(const job *j, uint64_t now_ns) {
    uint64_t steps = (now_ns - j->submitted_ns) / AGEING_NS;
    if (j->priority >= CUZK_HIGH) {
        return j->priority;
    }
    return steps >= (uint64_t)(CUZK_HIGH - j->priority) ? CUZK_HIGH
                                                        : (cuzk_priority)(j->priority + steps);
}

bool cuzk_job_before(const job *a, const job *b, uint64_t now_ns) {
    cuzk_priority class_a = cuzk_job_class(a, now_ns), class_b = cuzk_job_class(b, now_ns);
    return class_a != class_b ? class_a > class_b : a->serial < b->serial;
}

size_t cuzk_scheduler_push(scheduler *s, job *j) {
    cuzk_job_queue_append(&s->waiting, j);
    return s->waiting.length - 1;
}

/* The first of the class of `first` whose parameters are in memory; `first` if there is none. */
static job *prefer_resident(const scheduler *s, job *first, uint64_t now_ns) {
    cuzk_priority class = cuzk_job_class(first, now_ns);
    job *best = NULL;
    for (job *j = s->waiting.first; j != NULL; j = j->queue_next) {
        if (cuzk_job_class(j, now_ns) == class && (best == NULL || j->serial < best->serial) &&
            s->resident(s->resident_arg, j)) {
            best = j;
        }
    }
    return best != NULL ? best : first;
}

job *cuzk_scheduler_peek(const scheduler *s, uint64_t now_ns) {
    job *first = s->waiting.first;
    if (first == NULL) {
        return NULL;
    }
    for (job *j = first->queue_next; j != NULL; j = j->queue_next) {
        if (cuzk_job_before(j, first, now_ns)) {
            first = j;
        }
    }
    if (s->resident != NULL && cuzk_job_class(first, now_ns) <= CUZK_NORMAL &&
        now_ns - first->submitted_ns < PREFERENCE_LIMIT_NS) {
        first = prefer_resident(s, first, now_ns);
    }
    return first;
}
