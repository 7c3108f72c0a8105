/* What msm.c and fixed_base.c share with the kernels of each CPU level.
 *
 * Everything above the kernels is written once for both groups: points travel as bytes of the sizes
 * the table names. */
#ifndef CUZK_MSM_MSM_INTERNAL_H
#define CUZK_MSM_MSM_INTERNAL_H

#include "base/cpu.h"
#include "base/memory.h"
#include "msm/scalar_parts.h"
#include "msm/windows.h"

/* Scalars are recoded in parts of this many; the digits of part i start at MSM_PART * i. */
#define MSM_PART 4096
/* Accumulators of msm_kernels.gather. */
#define MSM_ACCUMULATORS 1024
/* Buckets that msm_kernels.reduce takes per call at most. */
#define MSM_LOG2_BLOCK 12
#define MSM_BLOCK ((size_t)1 << MSM_LOG2_BLOCK)

/* Digits of some windows of some parts, and the buckets they go to: bucket |d| of window w gets
 * sign(d) points[index[j]] for each digit d != 0. */
typedef struct msm_scan {
    unsigned n_scalar_parts; /* 1 unless scalars are in parts: each has its points */
    const void *points[MSM_MAX_PARTS];
    const uint32_t *index[MSM_MAX_PARTS]; /* [entry] */
    const int32_t *digits;                /* [(scalar part * windows + window) * stride + entry] */
    size_t stride;                        /* entries */
    const uint32_t *part_count;           /* entries in use of each part */
    size_t first_part, n_parts;
    const msm_windows *windows;
    unsigned first_window, n_windows;
    void *buckets;   /* of the windows in a row, bucket 1 of first_window first */
    uint8_t *states; /* one for each bucket: a bucket that is BUCKET_EMPTY may hold anything */
} msm_scan;

/* States of a bucket: not used yet; used; in a batch, or about to get its first point. */
enum { BUCKET_EMPTY, BUCKET_IDLE, BUCKET_IN_BATCH };

/* Sums of points that keep no order: adding goes round. All accumulators start as zero bytes. */
typedef struct msm_accumulators {
    void *points; /* MSM_ACCUMULATORS buckets, in an order and form of the kernels */
    unsigned next;
    bool used; /* ever */
} msm_accumulators;

/* One group at one level. Affine points that callers hold are g1_affine or g2_affine; buckets are
 * the level's own, zero bytes being the point at infinity. scratch: scratch_bytes, one for each
 * worker, in any state; batch_bytes are enough for the tables. */
typedef struct msm_kernels {
    size_t affine_bytes, bucket_bytes, scratch_bytes, batch_bytes;
    /* Points of one piece of a scan: what a worker adds to one window within a task. */
    size_t piece_points;
    /* Scalars in parts, with images of the points (msm_images.h): how many parts, their bits, and
     * what a point costs more than its additions to buckets, in additions. */
    unsigned n_scalar_parts, part_bits;
    double parts_price;
    /* The digits of scalars[which[i]], i < n, that msm_windows_takes: windows for 256 bits take
     * them whole, windows for part_bits in parts.
     *   digits[(j windows->count + w) stride + i] = digit w of part j, or j = 0 */
    void (*recode)(int32_t *digits, size_t stride, const msm_windows *windows,
                   const fr_plain *scalars, const uint16_t *which, size_t n);
    /* images[(j - 1) stride + i] = image j of points[index[i]], 1 <= j < n_scalar_parts, i < n;
     * affine */
    void (*images)(void *images, size_t stride, const void *points, const uint32_t *index,
                   size_t n);
    void (*accumulate)(void *scratch, const msm_scan *scan);
    /* Adds points[index[i]], i < n; one call for thousands is best. */
    void (*gather)(void *scratch, msm_accumulators *sum, const void *points, const uint32_t *index,
                   size_t n);
    /* *total = sum of all accumulators, which from then on hold it in the first of them. */
    void (*collapse)(void *scratch, void *total, msm_accumulators *sum);
    /* For each of n_rows rows of L = 2^log2_len buckets B_0 .. B_(L-1), n_rows L <= MSM_BLOCK:
     *   r[0] = sum of B_k,   r[1 + i] = sum of the B_k with bit i of k set, i < log2_len
     * affine, 1 + log2_len points a row. B_k is the sum over n_sets arrays of bucket k, where
     * states[set][k] is not BUCKET_EMPTY; with more than one set, n_rows = 1. */
    void (*reduce)(void *scratch, void *r, const void *const *sets, const uint8_t *const *states,
                   size_t n_sets, size_t n_rows, unsigned log2_len);
    /* *r (Jacobian) = sum of 2^exponent[i] points[index[i]], affine; exponents fall or stay. */
    void (*weighted_sum)(void *r, const void *points, const uint32_t *index,
                         const uint16_t *exponent, size_t n);

    /* For tables of multiples: r[i] += sign(d) table[|d| - 1] for each digit d = digits[i] != 0; r
     * affine, distinct. */
    void (*add_multiples)(void *scratch, void *r, const void *table, const int32_t *digits,
                          size_t n);
    /* bases[w] = 2^shift[w] base, affine; shifts rise. */
    void (*shifted_bases)(void *bases, const void *base, const uint16_t *shift, size_t n);
    /* table[len + j] = table[len - 1] + table[j], j < len: doubles the length of a table of
     * multiples 1 .. len. */
    void (*extend_multiples)(void *scratch, void *table, size_t len);
} msm_kernels;

extern const msm_kernels cuzk_msm_g1_portable, cuzk_msm_g2_portable;
#ifdef CUZK_HAVE_X86
extern const msm_kernels cuzk_msm_g1_adx, cuzk_msm_g2_adx;
extern const msm_kernels cuzk_msm_g1_avx512ifma, cuzk_msm_g2_avx512ifma;
#endif

/* The table of the level in force. */
const msm_kernels *cuzk_msm_g1_kernels(void);
const msm_kernels *cuzk_msm_g2_kernels(void);

/* Memory charged to an account as len_bytes exactly, mapped with big pages when it is large. It
 * holds anything. */
typedef struct msm_memory {
    void *data;
    size_t len_bytes;
    cuzk_block block; /* empty for small memory, which is on the heap */
    cuzk_account *account;
} msm_memory;
cuzk_status cuzk_msm_memory_alloc(msm_memory *memory, cuzk_account *account, size_t len_bytes,
                                  const char *what, cuzk_error *err);
void cuzk_msm_memory_free(msm_memory *memory);

#endif
