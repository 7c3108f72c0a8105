/* Scratch memory that a caller reserved and hands in: a bump allocator over one block. Functions
 * that need scratch offer <function>_scratch_bytes(); taking more than that is our own fault and
 * asserts. */
#ifndef CUZK_BASE_SCRATCH_H
#define CUZK_BASE_SCRATCH_H

#include "base/checked.h"
#include "base/status.h"

#define CUZK_CACHE_LINE 64

typedef struct cuzk_scratch {
    uint8_t *base; /* aligned to CUZK_CACHE_LINE */
    size_t len_bytes;
    size_t used_bytes;
} cuzk_scratch;

/* What scratch_take(n, size) uses of a scratch: sums of these are what _scratch_bytes() functions
 * return. */
static inline size_t scratch_need(size_t n, size_t size) {
    size_t len;
    CUZK_ASSERT(size_mul(&len, n, size) && len <= SIZE_MAX - CUZK_CACHE_LINE);
    return size_round_up(len, CUZK_CACHE_LINE);
}
/* n * size bytes, aligned to a cache line, uninitialised. */
static inline void *scratch_take(cuzk_scratch *s, size_t n, size_t size) {
    size_t len = scratch_need(n, size);
    CUZK_ASSERT(len <= s->len_bytes - s->used_bytes);
    void *p = s->base + s->used_bytes;
    s->used_bytes += len;
    return p;
}
/* scratch_mark / scratch_reset give back everything taken since the mark. */
static inline size_t scratch_mark(const cuzk_scratch *s) { return s->used_bytes; }
static inline void scratch_reset(cuzk_scratch *s, size_t mark) { s->used_bytes = mark; }

#endif
