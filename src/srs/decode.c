/* Points of parameter files, in batches on all threads. */
#include "curve/curve_kernels.h"
#include "srs/srs_internal.h"

/* Bytes that one task reads: 1024 points of G1, less than a millisecond for the curve check. A
 * subgroup check takes some 50 times as long. */
#define TASK_BYTES ((size_t)1024 * G1_UNCOMPRESSED_BYTES)
#define SUBGROUP_TASK_BYTES ((size_t)128 * G1_UNCOMPRESSED_BYTES)

/* The first bad point found so far: index in the run and what is wrong with it. */
#define WRONG_BITS 3
#define WRONG_UNREADABLE 7
_Static_assert(POINT_NOT_IN_GROUP < WRONG_UNREADABLE, "a point_status fits WRONG_BITS");

typedef struct decode_job {
    uint8_t *out;
    const srs_bytes *bytes;
    const srs_run *run;
    size_t points_per_task;
    atomic_uint_fast64_t
        first_wrong; /* index << WRONG_BITS | status; UINT64_MAX while there is none */
} decode_job;

static void report(decode_job *job, uint64_t index, unsigned wrong) {
    uint_fast64_t found = index << WRONG_BITS | wrong;
    uint_fast64_t known = atomic_load(&job->first_wrong);
    while (found < known && !atomic_compare_exchange_weak(&job->first_wrong, &known, found)) {
    }
}

static void decode_task(void *arg, size_t task, unsigned worker) {
    (void)worker;
    decode_job *job = arg;
    const srs_run *run = job->run;
    const size_t first = task * job->points_per_task;
    const size_t n = run->n - first < job->points_per_task ? run->n - first : job->points_per_task;
    const size_t size = srs_encoded_bytes(run->is_g2);
    const curve_kernels *kernels = cuzk_curve_kernels();
    uint8_t buffer[TASK_BYTES];
    union {
        g1_affine g1[TASK_BYTES / G1_UNCOMPRESSED_BYTES];
        g2_affine g2[TASK_BYTES / G2_UNCOMPRESSED_BYTES];
    } unused;
    if (atomic_load(&job->first_wrong) >> WRONG_BITS < first) {
        return;
    }
    const uint8_t *encoded =
        cuzk_srs_bytes_at(job->bytes, run->offset + (uint64_t)first * size, n * size, buffer);
    if (encoded == NULL) {
        report(job, first, WRONG_UNREADABLE);
        return;
    }
    point_status wrong = POINT_OK;
    void *out = job->out != NULL ? job->out + first * srs_point_bytes(run->is_g2) : (void *)&unused;
    const size_t n_good = run->is_g2
                              ? kernels->g2_decode(out, encoded, n, run->check, true, &wrong)
                              : kernels->g1_decode(out, encoded, n, run->check, true, &wrong);
    if (n_good < n) {
        report(job, first + n_good, wrong);
    }
}

/* A refused infinity and a compressed point are both "not the encoding of a point"; the first byte
 * tells more. */
static const char *describe(const srs_bytes *bytes, uint64_t offset, point_status wrong) {
    uint8_t first;
    const uint8_t *byte = cuzk_srs_bytes_at(bytes, offset, 1, &first);
    if (wrong == POINT_BAD_ENCODING && byte != NULL && (*byte & 0x80) != 0) {
        return "a compressed point, where an uncompressed one belongs";
    }
    if (wrong == POINT_BAD_ENCODING && byte != NULL && *byte == 0x40) {
        return "the point at infinity, or a damaged one";
    }
    return cuzk_point_status_text(wrong);
}

cuzk_status cuzk_srs_decode(const cuzk_ctx *ctx, void *out, const srs_bytes *bytes,
                            const srs_run *run, cuzk_error *err) {
    const size_t task_bytes = run->check == POINT_CHECK_SUBGROUP ? SUBGROUP_TASK_BYTES : TASK_BYTES;
    decode_job job = {.out = out,
                      .bytes = bytes,
                      .run = run,
                      .points_per_task = task_bytes / srs_encoded_bytes(run->is_g2)};
    atomic_init(&job.first_wrong, UINT64_MAX);
    const size_t n_tasks = (run->n + job.points_per_task - 1) / job.points_per_task;
    cuzk_status status = cuzk_pool_run(ctx, n_tasks, decode_task, &job, err);
    const uint64_t found = atomic_load(&job.first_wrong);
    if (found == UINT64_MAX) {
        return status;
    }
    const uint64_t index = found >> WRONG_BITS;
    const uint64_t offset = run->offset + index * srs_encoded_bytes(run->is_g2);
    const unsigned wrong = (unsigned)(found & ((1u << WRONG_BITS) - 1));
    if (wrong == WRONG_UNREADABLE) {
        return cuzk_srs_bytes_failed(bytes, offset, err);
    }
    cuzk_fail(err, CUZK_E_BAD_PARAMS, "section %s, point %llu: %s", run->section,
              (unsigned long long)(run->first_index + index),
              describe(bytes, offset, (point_status)wrong));
    cuzk_error_at_file(err, bytes->name, (int64_t)offset);
    return CUZK_E_BAD_PARAMS;
}
