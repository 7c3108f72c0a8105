/* Linked into tests that run once for each CPU level: ends a run at a level that this machine or
 * build lacks, before main, with the exit code that means "skipped". */
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu.h"

__attribute__((constructor)) static void check_level(void) {
    cuzk_error err;
    if (cuzk_cpu_check(&err) != CUZK_OK) {
        printf("skipped: %s\n", err.text);
        exit(77);
    }
}
