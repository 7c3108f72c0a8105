/* What the kernels of all levels agree on: how a batch is named, and the order of a scan. */
#ifndef CUZK_MSM_MSM_BATCH_H
#define CUZK_MSM_MSM_BATCH_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "msm/msm_internal.h"

#define MSM_QUEUE 2048
/* The next batch is filled while one runs if a scan has at least this many buckets for each
 * addition of a batch: with fewer, too many points would wait. */
#define SCAN_OVERLAP 8
/* Entries looked at after each of the five products of a step: ten for eight additions, as some do
 * not go to the batch. */
#define SCAN_MEANWHILE 2

/* Flags in the low bits of a source, whose address is a multiple of 8: its negative is added; and,
 * set by a batch itself, the addition is a doubling. */
#define LANE_MINUS ((uintptr_t)1)
#define LANE_DOUBLE ((uintptr_t)2)
#define LANE_FLAGS ((uintptr_t)3)

/* What a batch adds to what: all additions of one are of a kind. */
typedef enum batch_kind { POINTS_TO_BUCKETS, BUCKETS_TO_BUCKETS, POINTS_TO_POINTS } batch_kind;

/* Where a kernel is in the entries of a scan, which it meets part by part. Several windows take
 * turns in short runs, so that a batch meets the buckets of all of them. */
typedef struct scan_cursor {
    const msm_scan *scan;
    size_t run_len;       /* of full runs */
    unsigned scalar_part; /* of the next run, */
    size_t part, first;
    unsigned window;       /* from first_window of the scan on */
    const void *points;    /* of the present run, */
    const int32_t *digits; /* from here on, */
    const uint32_t *index;
    size_t n_left;
    uint32_t bucket_1; /* of its window */
} scan_cursor;

static inline scan_cursor scan_begin(const msm_scan *scan) {
    return (scan_cursor){
        .scan = scan, .part = scan->first_part, .run_len = scan->n_windows == 1 ? MSM_PART : 32};
}

static inline size_t scan_buckets(const msm_scan *scan) {
    const uint32_t *first = scan->windows->first_bucket + scan->first_window;
    return first[scan->n_windows] - first[0];
}

/* False when there is none. */
static inline bool scan_next_run(scan_cursor *c) {
    const msm_scan *scan = c->scan;
    if (c->window == scan->n_windows) {
        c->window = 0;
        c->first += c->run_len;
    }
    while (c->part == scan->first_part + scan->n_parts || c->first >= scan->part_count[c->part]) {
        c->first = 0;
        if (c->part != scan->first_part + scan->n_parts) {
            c->part++;
        } else if (++c->scalar_part < scan->n_scalar_parts) {
            c->part = scan->first_part;
        } else {
            return false;
        }
    }
    unsigned window = scan->first_window + c->window++;
    size_t entry = c->part * MSM_PART + c->first;
    size_t rest = scan->part_count[c->part] - c->first;
    c->points = scan->points[c->scalar_part];
    c->digits =
        scan->digits + (c->scalar_part * scan->windows->count + window) * scan->stride + entry;
    c->index = scan->index[c->scalar_part] + entry;
    c->n_left = rest < c->run_len ? rest : c->run_len;
    const uint32_t *first_bucket = scan->windows->first_bucket;
    c->bucket_1 = first_bucket[window] - first_bucket[scan->first_window];
    return true;
}

static inline __attribute__((always_inline)) void call_meanwhile(void (*meanwhile)(void *arg),
                                                                 void *arg) {
    if (meanwhile != NULL) {
        meanwhile(arg);
    }
}

static inline void prefetch_to_read(const void *p, size_t len_bytes) {
    for (size_t at = 0; at < len_bytes; at += CUZK_CACHE_LINE) {
        __builtin_prefetch((const char *)p + at);
    }
}
static inline void prefetch_to_l2(const void *p, size_t len_bytes) {
    for (size_t at = 0; at < len_bytes; at += CUZK_CACHE_LINE) {
        __builtin_prefetch((const char *)p + at, 0, 2);
    }
}
static inline void prefetch_to_write(const void *p, size_t len_bytes) {
    for (size_t at = 0; at < len_bytes; at += CUZK_CACHE_LINE) {
        __builtin_prefetch((const char *)p + at, 1);
    }
}

#endif
