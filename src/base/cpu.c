/* CPU levels: what the processor and the system offer, and what CUZK_CPU asks for. */
#include "base/cpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CUZK_HAVE_X86
#include <cpuid.h>
#endif

static const char *const names[CUZK_CPU_LEVELS] = {"portable", "adx", "avx512ifma"};

const char *cuzk_cpu_level_name(cuzk_cpu_level level) { return names[level]; }

#ifdef CUZK_HAVE_X86
/* Register state the system saves (XCR0), 0 if it does not use XSAVE. */
static uint64_t saved_state(void) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0) {
        return 0;
    }
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static cuzk_cpu_level detect(void) {
    /* SSE, AVX, opmask, upper halves of the 512-bit registers, registers 16 to 31 */
    const uint64_t state_512 = 0xe6;
    const uint32_t adx = bit_BMI2 | bit_ADX;
    const uint32_t ifma_b =
        bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL | bit_AVX512IFMA;
    const uint32_t ifma_c = bit_AVX512VBMI | bit_AVX512VBMI2;
    uint32_t a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & adx) != adx) {
        return CUZK_CPU_PORTABLE;
    }
    if ((b & ifma_b) != ifma_b || (c & ifma_c) != ifma_c ||
        (saved_state() & state_512) != state_512) {
        return CUZK_CPU_ADX;
    }
    return CUZK_CPU_AVX512IFMA;
}
#else
static cuzk_cpu_level detect(void) { return CUZK_CPU_PORTABLE; }
#endif

/* Decided once, then constant. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static cuzk_cpu_level detected, in_force;
static bool wanted_is_bad;
static char wanted[32];

/* The highest level that this build has kernels for. */
#ifdef CUZK_HAVE_X86
static const cuzk_cpu_level built = CUZK_CPU_AVX512IFMA;
#else
static const cuzk_cpu_level built = CUZK_CPU_PORTABLE;
#endif

static void decide(void) {
    detected = detect();
    if (detected > built) {
        detected = built;
    }
    in_force = detected;
    const char *name = getenv("CUZK_CPU");
    if (name == NULL || name[0] == '\0') {
        return;
    }
    strncpy(wanted, name, sizeof wanted - 1);
    for (int level = 0; level < CUZK_CPU_LEVELS; level++) {
        if (strcmp(name, names[level]) == 0 && level <= (int)detected) {
            in_force = (cuzk_cpu_level)level;
            return;
        }
    }
    wanted_is_bad = true;
}

cuzk_cpu_level cuzk_cpu_detected(void) {
    pthread_once(&once, decide);
    return detected;
}

/* Above every level: none. */
static _Thread_local cuzk_cpu_level limit = CUZK_CPU_LEVELS;

cuzk_cpu_level cuzk_cpu_level_now(void) {
    pthread_once(&once, decide);
    return limit < in_force ? limit : in_force;
}

cuzk_cpu_level cuzk_cpu_limit(cuzk_cpu_level level) {
    const cuzk_cpu_level before = limit;
    limit = level;
    return before;
}

cuzk_status cuzk_cpu_check(cuzk_error *err) {
    pthread_once(&once, decide);
    if (!wanted_is_bad) {
        return CUZK_OK;
    }
    char levels[64] = "";
    for (int level = 0; level <= (int)detected; level++) {
        size_t len = strlen(levels);
        snprintf(levels + len, sizeof levels - len, "%s%s", level == 0 ? "" : ", ", names[level]);
    }
    return cuzk_fail(err, CUZK_E_UNSUPPORTED, "CUZK_CPU=%s: this machine and build have %s", wanted,
                     levels);
}
