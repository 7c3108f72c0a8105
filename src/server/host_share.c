/* Niceness and CPUs of the process. */
#include "server/host_share.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

/* Digits at *text, which moves behind them; false if there are none or the number is no CPU. */
static bool take_cpu(unsigned *cpu, const char **text) {
    const char *p = *text;
    for (*cpu = 0; *p >= '0' && *p <= '9' && *cpu < CPU_SETSIZE; p++) {
        *cpu = 10 * *cpu + (unsigned)(*p - '0');
    }
    bool any = p > *text;
    *text = p;
    return any && *cpu < CPU_SETSIZE;
}

/* Ranges and single ones with commas between. */
static bool parse(cpu_set_t *set, const char *text) {
    CPU_ZERO(set);
    if (*text == 0) {
        return true;
    }
    for (;; text++) {
        unsigned first, last;
        if (!take_cpu(&first, &text)) {
            return false;
        }
        last = first;
        if (*text == '-') {
            text++;
            if (!take_cpu(&last, &text) || last < first) {
                return false;
            }
        }
        for (unsigned i = first; i <= last; i++) {
            CPU_SET(i, set);
        }
        if (*text != ',') {
            return *text == 0;
        }
    }
}

static cuzk_status parse_cores(cpu_set_t *set, const char *cores, cuzk_error *err) {
    return parse(set, cores)
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_INPUT,
                           "process.cores: \"%.100s\" is not a list of CPUs like 0-15,32", cores);
}

cuzk_status cuzk_host_share_check(const char *cores, cuzk_error *err) {
    cpu_set_t set;
    return parse_cores(&set, cores, err);
}

cuzk_status cuzk_host_share_take(unsigned nice, const char *cores, cuzk_error *err) {
    cpu_set_t set;
    cuzk_status status = parse_cores(&set, cores, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (*cores != 0 && sched_setaffinity(0, sizeof set, &set) != 0) {
        return cuzk_fail(err, CUZK_E_IO, "process.cores: %.100s: %s", cores, strerror(errno));
    }
    if (nice > 0 && (int)nice > getpriority(PRIO_PROCESS, 0) &&
        setpriority(PRIO_PROCESS, 0, (int)nice) != 0) {
        return cuzk_fail(err, CUZK_E_IO, "process.nice: %u: %s", nice, strerror(errno));
    }
    return CUZK_OK;
}
