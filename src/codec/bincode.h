/* Bincode (version 1 defaults): little-endian fixed-width integers, u64 lengths, u32 variant
 * numbers. A cursor over bytes in memory that never reads past the end; the caller bounds every
 * count before it allocates. */
#ifndef CUZK_CODEC_BINCODE_H
#define CUZK_CODEC_BINCODE_H

#include "base/status.h"

typedef struct bincode {
    const uint8_t *data;
    size_t len_bytes;
    size_t at;       /* offset of the next byte */
    cuzk_error *err; /* where failures go; may be NULL */
} bincode;

/* Each fails with CUZK_E_INPUT, "offset N: WHAT: ...", when the data ends too early; at is then
 * unchanged. */
cuzk_status cuzk_bincode_u32(bincode *b, uint32_t *value, const char *what);
cuzk_status cuzk_bincode_u64(bincode *b, uint64_t *value, const char *what);
cuzk_status cuzk_bincode_bytes(bincode *b, uint8_t *out, size_t len_bytes, const char *what);
/* A u64 that must be `expected`; else "offset N: WHAT: expected X, found Y". */
cuzk_status cuzk_bincode_count(bincode *b, uint64_t expected, const char *what);
/* The rest must be zero bytes, as the reference ignores trailing ones and only zeros can be
 * harmless. */
cuzk_status cuzk_bincode_end(bincode *b);

#endif
