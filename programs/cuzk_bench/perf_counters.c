#include "cuzk_bench/perf_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE_EVENT(cache, result)                                                                 \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                              \
     PERF_COUNT_HW_CACHE_RESULT_##result << 16)

#define L3_MISSES 5

/* Requests to the last-level cache are what the level before it misses. */
static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} events[PERF_COUNTERS] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"l1d_misses", PERF_TYPE_HW_CACHE, CACHE_EVENT(L1D, MISS)},
    {"l2_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    [L3_MISSES] = {"l3_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
};

const char *perf_counter_name(unsigned i) { return events[i].name; }

void perf_open(perf_counters *p) {
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        struct perf_event_attr attr = {.type = events[i].type,
                                       .size = sizeof attr,
                                       .config = events[i].config,
                                       .inherit = 1,
                                       .exclude_kernel = events[i].type != PERF_TYPE_SOFTWARE,
                                       .exclude_hv = 1,
                                       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                      PERF_FORMAT_TOTAL_TIME_RUNNING};
        p->fd[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        p->error[i] = p->fd[i] < 0 ? errno : 0;
    }
}

void perf_close(perf_counters *p) {
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        if (p->fd[i] >= 0) {
            close(p->fd[i]);
        }
        p->fd[i] = -1;
    }
}

bool perf_has_hardware(const perf_counters *p) {
    bool any = false;
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        any = any || (events[i].type != PERF_TYPE_SOFTWARE && p->fd[i] >= 0);
    }
    return any;
}

bool perf_has_memory(const perf_counters *p) { return p->fd[L3_MISSES] >= 0; }

double perf_memory_bytes(const perf_values *values) { return 64 * values->count[L3_MISSES]; }

void perf_read(const perf_counters *p, perf_values *values) {
    memset(values, 0, sizeof *values);
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        struct {
            uint64_t value, enabled_ns, running_ns;
        } r;
        if (p->fd[i] >= 0 && read(p->fd[i], &r, sizeof r) == sizeof r && r.running_ns > 0) {
            values->count[i] = (double)r.value * ((double)r.enabled_ns / (double)r.running_ns);
        }
    }
}

perf_values perf_since(const perf_values *later, const perf_values *earlier) {
    perf_values v;
    for (unsigned i = 0; i < PERF_COUNTERS; i++) {
        v.count[i] = later->count[i] - earlier->count[i];
    }
    return v;
}
