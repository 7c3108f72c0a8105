/* A 32-byte value: a commitment, label, tree node, id, ticket or seed. Those that are field
 * elements hold the canonical little-endian value. */
#ifndef CUZK_FILECOIN_DIGEST_H
#define CUZK_FILECOIN_DIGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_BYTES 32
typedef struct digest {
    uint8_t bytes[DIGEST_BYTES];
} digest;

static inline bool digest_eq(const digest *a, const digest *b) {
    return memcmp(a->bytes, b->bytes, DIGEST_BYTES) == 0;
}
static inline bool digest_is_zero(const digest *a) {
    static const digest zero;
    return digest_eq(a, &zero);
}

#endif
