/* Ascending numbers as text. */
#include "codec/number_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t cuzk_number_list_write(char *text, size_t room, const uint64_t *numbers, size_t n) {
    static const char more[] = ",...";
    size_t used = 0, whole = 1;
    bool fits = room > 0;
    if (fits) {
        text[0] = '\0';
    }
    for (size_t i = 0, last; i < n; i = last + 1) {
        last = i;
        while (last + 1 < n && numbers[last + 1] == numbers[last] + 1) {
            last++;
        }
        char run[48];
        size_t len =
            (size_t)snprintf(run, sizeof run, last == i ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64,
                             i == 0 ? "" : ",", numbers[i], numbers[last]);
        whole += len;
        /* Behind the last run nothing more has to fit. */
        size_t behind = last + 1 < n ? sizeof more : 1;
        if (fits && used + len + behind > room) {
            fits = false;
            memcpy(text + used, more, sizeof more);
        }
        if (fits) {
            memcpy(text + used, run, len + 1);
            used += len;
        }
    }
    return whole;
}
