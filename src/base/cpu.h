/* CPU features: which level of kernels runs. */
#ifndef CUZK_BASE_CPU_H
#define CUZK_BASE_CPU_H

#include "base/status.h"

/* In rising order; each level includes the ones below. */
typedef enum cuzk_cpu_level {
    CUZK_CPU_PORTABLE,   /* C11 with unsigned __int128 */
    CUZK_CPU_ADX,        /* x86-64 with BMI2 and ADX */
    CUZK_CPU_AVX512IFMA, /* + AVX-512 F/DQ/BW/VL, IFMA, VBMI, VBMI2, with the system saving the
                            registers */
    CUZK_CPU_LEVELS
} cuzk_cpu_level;

/* "portable", "adx", "avx512ifma" */
const char *cuzk_cpu_level_name(cuzk_cpu_level level);
/* The highest level that this CPU, the system and this build have. */
cuzk_cpu_level cuzk_cpu_detected(void);
/* The level in force: the detected one, or what the environment variable CUZK_CPU names, if that is
 * lower, or the calling thread's limit. All but the limit is decided once. An unknown or too high
 * name is reported by cuzk_cpu_check and otherwise ignored. */
cuzk_cpu_level cuzk_cpu_level_now(void);
/* Limits the calling thread, and the tasks of loops that it runs (base/pool.h), to a level; returns
 * the limit so far, to put it back. A new thread has CUZK_CPU_LEVELS: none. */
cuzk_cpu_level cuzk_cpu_limit(cuzk_cpu_level level);
/* Fails: CUZK_E_UNSUPPORTED when CUZK_CPU names no level or one this machine lacks. Programs call
 * this at start. */
cuzk_status cuzk_cpu_check(cuzk_error *err);

#endif
