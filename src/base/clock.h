/* Time for reports and deadlines. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS ((uint64_t)1000000)
#define NS_PER_S ((uint64_t)1000000000)
#define CLOCK_NEVER UINT64_MAX /* a time that does not come */

uint64_t cuzk_wall_ns(void);        /* monotonic */
uint64_t cuzk_process_cpu_ns(void); /* user + system time of the whole process */
uint64_t cuzk_thread_cpu_ns(void);

/* now_ns + duration_ns; CLOCK_NEVER if that is no time of the clock. */
static inline uint64_t clock_after(uint64_t now_ns, uint64_t duration_ns) {
    return duration_ns < CLOCK_NEVER - now_ns ? now_ns + duration_ns : CLOCK_NEVER;
}

#endif
