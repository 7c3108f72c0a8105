/* How much memory this process may use: the machine's, and its control group's limit (engine.md 9,
 * memory.total_budget = auto). Linux. */
#ifndef CUZK_BASE_MACHINE_MEMORY_H
#define CUZK_BASE_MACHINE_MEMORY_H

#include "base/status.h"

#define MEMORY_NO_LIMIT UINT64_MAX

typedef struct machine_memory {
    uint64_t total_bytes;  /* MemTotal; 0: unreadable */
    uint64_t cgroup_bytes; /* the lowest limit on the process's way through its control groups,
                            * version 1 or 2; MEMORY_NO_LIMIT if there is none */
} machine_memory;

/* root: what stands in front of /proc and /sys; "" for this machine. */
machine_memory cuzk_machine_memory(const char *root);

/* The lower of both, less margin_bytes; 256 GiB stand for an unreadable total. Fails: CUZK_E_RANGE
 * with the numbers if nothing is left. */
cuzk_status cuzk_machine_budget(uint64_t *budget_bytes, const machine_memory *memory,
                                uint64_t margin_bytes, cuzk_error *err);

#endif
