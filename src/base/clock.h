/* Time for reports and deadlines. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdint.h>

uint64_t cuzk_wall_ns(void);        /* monotonic */
uint64_t cuzk_process_cpu_ns(void); /* user + system time of the whole process */
uint64_t cuzk_thread_cpu_ns(void);

#endif
