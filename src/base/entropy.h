/* Random bytes from the operating system, and wiping secrets. */
#ifndef CUZK_BASE_ENTROPY_H
#define CUZK_BASE_ENTROPY_H

#include "base/status.h"

/* Fails: CUZK_E_IO if the system gives none; never falls back to anything weaker. */
cuzk_status cuzk_entropy(void *out, size_t len_bytes, cuzk_error *err);
/* Zeroes memory in a way the compiler keeps. */
void cuzk_wipe(void *p, size_t len_bytes);

#endif
