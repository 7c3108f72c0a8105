/* Known answers of every kernel level this CPU has: run at start, and by `cuzk selftest`. */
#ifndef CUZK_ENGINE_SELFTEST_H
#define CUZK_ENGINE_SELFTEST_H

#include "base/status.h"

/* `say` (may be NULL) gets one line for each check of each level. Under a second.
 * Fails: CUZK_E_INTERNAL naming level and kernel of the first wrong answer. */
cuzk_status cuzk_engine_selftest(void (*say)(void *arg, const char *line), void *arg,
                                 cuzk_error *err);

#endif
