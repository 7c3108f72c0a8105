#include "cuzk_bench/client/latencies.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SECONDS (366 * 86400.0)

bool latencies_add(latencies *l, double value_s) {
    if (l->n == l->room) {
        const size_t room = l->room == 0 ? 64 : 2 * l->room;
        double *more = realloc(l->values, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        l->values = more;
        l->room = room;
    }
    l->values[l->n++] = value_s;
    return true;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double latencies_percentile(latencies *l, unsigned percent) {
    if (l->n == 0) {
        return 0;
    }
    qsort(l->values, l->n, sizeof *l->values, compare);
    const size_t rank = (l->n * percent + 99) / 100; /* ceil(n * percent / 100) */
    return l->values[rank == 0 ? 0 : rank - 1];
}

void latencies_clear(latencies *l) {
    free(l->values);
    *l = (latencies){0};
}

bool parse_duration(double *seconds, const char *text) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    if ((*text < '0' || *text > '9') && *text != '.') {
        return false;
    }
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) == 0) {
            *seconds = number * units[i].seconds;
            return *seconds > 0 && *seconds < MAX_SECONDS;
        }
    }
    return false;
}

bool parse_rate(double *interval_s, const char *text) {
    const char *slash = strchr(text, '/');
    if (slash == NULL) {
        return parse_duration(interval_s, text);
    }
    char *end;
    double period;
    if (*text < '0' || *text > '9') {
        return false;
    }
    const double count = strtod(text, &end);
    if (end != slash || !(count > 0) || !parse_duration(&period, slash + 1)) {
        return false;
    }
    *interval_s = period / count;
    return *interval_s >= 1e-3;
}
