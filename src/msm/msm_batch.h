/* What the kernels of all levels agree on: how a batch is named and what state a bucket is in. */
#ifndef CUZK_MSM_MSM_BATCH_H
#define CUZK_MSM_MSM_BATCH_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "msm/msm_internal.h"

#define MSM_QUEUE 2048

/* Flags in the low bits of a source, whose address is a multiple of 8: its negative is added; and,
 * set by a batch itself, the addition is a doubling. */
#define LANE_MINUS ((uintptr_t)1)
#define LANE_DOUBLE ((uintptr_t)2)
#define LANE_FLAGS ((uintptr_t)3)

/* What a batch adds to what: all additions of one are of a kind. */
typedef enum batch_kind { POINTS_TO_BUCKETS, BUCKETS_TO_BUCKETS, POINTS_TO_POINTS } batch_kind;

/* States of a bucket: not used yet; used; used and in the current batch. */
enum { BUCKET_EMPTY, BUCKET_IDLE, BUCKET_IN_BATCH };

static inline void prefetch_lines(const void *p, size_t len_bytes) {
    for (size_t at = 0; at < len_bytes; at += CUZK_CACHE_LINE) {
        __builtin_prefetch((const char *)p + at, 1);
    }
}

#endif
