/* The hardware counters of this process and the threads it starts, by perf_event_open(2). */
#ifndef CUZK_PROGRAMS_PERF_COUNTERS_H
#define CUZK_PROGRAMS_PERF_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#define PERF_COUNTERS 8

typedef struct perf_counters {
    int fd[PERF_COUNTERS];    /* -1: the machine has none, or does not let us */
    int error[PERF_COUNTERS]; /* errno of these */
} perf_counters;

typedef struct perf_values {
    double count[PERF_COUNTERS]; /* scaled to the whole time where counters took turns */
} perf_values;

/* "cycles" and so on. */
const char *perf_counter_name(unsigned i);
/* Counts from here on in user space, threads started later included. */
void perf_open(perf_counters *p);
void perf_close(perf_counters *p);
/* Whether any of the counters is one of the processor's. */
bool perf_has_hardware(const perf_counters *p);
/* Whether what comes from memory can be estimated, and the estimate: a cache line for each miss of
 * the last level. */
bool perf_has_memory(const perf_counters *p);
double perf_memory_bytes(const perf_values *values);
void perf_read(const perf_counters *p, perf_values *values);
/* later - earlier */
perf_values perf_since(const perf_values *later, const perf_values *earlier);

#endif
