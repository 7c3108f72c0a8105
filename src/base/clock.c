/* Clocks. */
#include "base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint64_t cuzk_wall_ns(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t cuzk_process_cpu_ns(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
uint64_t cuzk_thread_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
