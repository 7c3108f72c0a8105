/* Latencies, and how often things are to happen. */
#ifndef CUZK_PROGRAMS_CLIENT_LATENCIES_H
#define CUZK_PROGRAMS_CLIENT_LATENCIES_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds, growing. Zeroed is empty. */
typedef struct latencies {
    double *values;
    size_t n, room;
} latencies;

/* false: no memory */
bool latencies_add(latencies *l, double value_s);
/* The smallest value that at least `percent` of all do not exceed; 0 of none. Sorts. */
double latencies_percentile(latencies *l, unsigned percent);
void latencies_clear(latencies *l);

/* "90", "90s", "500ms", "2m", "1h" in seconds; false unless positive and below a year. */
bool parse_duration(double *seconds, const char *text);
/* "1/30s", "20/1h": the time between two; a bare duration is that itself. */
bool parse_rate(double *interval_s, const char *text);

#endif
