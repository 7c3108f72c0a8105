/* Made-up values of fabricated inputs: the same from the same seed, for ever. */
#ifndef CUZK_FILECOIN_FABRICATE_VALUE_H
#define CUZK_FILECOIN_FABRICATE_VALUE_H

#include <stddef.h>

#include "filecoin/digest.h"

/* A generator: what it makes depends on nothing else. */
typedef struct fabricate_source {
    uint64_t seed;
    const char *purpose; /* "tree-c" */
    uint64_t number;     /* tells apart what has the same purpose: a sector number */
} fabricate_source;

/* SHA-256("cuzk fabricate" || 0 || purpose || 0 || seed, number, a and b as u64 LE), the two top
 * bits cleared: a value below 2^254, so a field element. */
void cuzk_fabricate_value(digest *value, const fabricate_source *source, uint64_t a, uint64_t b);

#endif
