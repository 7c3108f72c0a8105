/* What the files of srs share: bytes of a file read at offsets, batches of points out of them. */
#ifndef CUZK_SRS_SRS_INTERNAL_H
#define CUZK_SRS_SRS_INTERNAL_H

#include "base/pool.h"
#include "curve/point_encoding.h"
#include "groth16/groth16.h"
#include "srs/ring_reader.h"

/* Bytes in a file or in memory. A file is read with pread, not mapped: one that is cut short while
 * in use then gives an error and no signal. */
typedef struct srs_bytes {
    const char *name;         /* for messages; borrowed */
    const uint8_t *data;      /* memory, else NULL */
    int fd;                   /* file, else -1 */
    const srs_stream *stream; /* else: a file of which only what was waited for last can be had */
    uint64_t len_bytes;
} srs_bytes;

/* Fails: CUZK_E_NO_PARAMS if there is no such file; CUZK_E_IO, also for what is not a regular file.
 */
cuzk_status cuzk_srs_bytes_open(srs_bytes *bytes, const char *path, cuzk_error *err);
void cuzk_srs_bytes_close(srs_bytes *bytes);
static inline srs_bytes srs_bytes_of_memory(const char *name, const void *data, size_t len_bytes) {
    return (srs_bytes){.name = name, .data = data, .fd = -1, .len_bytes = len_bytes};
}
/* len_bytes bytes from offset on, which the caller knows to be inside: copied into buffer, or lent
 * from memory or a ring. NULL if the file has become shorter or cannot be read. */
const uint8_t *cuzk_srs_bytes_at(const srs_bytes *bytes, uint64_t offset, size_t len_bytes,
                                 uint8_t *buffer);
/* Asks the system to read ahead; no effect on memory. */
void cuzk_srs_bytes_will_need(const srs_bytes *bytes, uint64_t offset, uint64_t len_bytes);
/* CUZK_E_IO for a NULL of cuzk_srs_bytes_at. */
cuzk_status cuzk_srs_bytes_failed(const srs_bytes *bytes, uint64_t offset, cuzk_error *err);

/* A run of uncompressed points. */
typedef struct srs_run {
    const char *section;  /* "h", "ic", ...: for messages */
    uint64_t first_index; /* index of the first point in its section */
    uint64_t offset;      /* of the first point in the bytes */
    size_t n;
    bool is_g2;
    point_check check;
} srs_run;

static inline size_t srs_encoded_bytes(bool is_g2) {
    return is_g2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES;
}
static inline size_t srs_point_bytes(bool is_g2) {
    return is_g2 ? sizeof(g2_affine) : sizeof(g1_affine);
}

/* out: n points, or NULL to check only; tasks of a few milliseconds on the pool of ctx.
 * Fails: CUZK_E_BAD_PARAMS naming file, section, index and offset of the first bad point;
 * CUZK_E_IO, CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_decode(const cuzk_ctx *ctx, void *out, const srs_bytes *bytes,
                            const srs_run *run, cuzk_error *err);

/* Where the parts of a .params file lie (docs/formats/params.md). Offsets are those of first
 * points. */
typedef struct srs_layout {
    uint64_t n_ic, vk_bytes;
    struct {
        uint64_t offset, n_points;
    } sections[GROTH16_SECTIONS];
} srs_layout;

/* "h", "l", "a", "b_g1", "b_g2" */
extern const char *const cuzk_srs_section_names[GROTH16_SECTIONS];

/* Reads the six counts. Each must fit what is left of the file, which must end behind the last
 * point; h must have 2^k - 1 points, b_g1 and b_g2 equally many. Fails: CUZK_E_BAD_PARAMS,
 * CUZK_E_IO. */
cuzk_status cuzk_srs_layout_read(srs_layout *layout, const srs_bytes *bytes, cuzk_error *err);

/* The count of ic points: at least 1, and the points must fit. Fails: CUZK_E_BAD_PARAMS, CUZK_E_IO.
 */
cuzk_status cuzk_srs_ic_count(uint64_t *n_ic, const srs_bytes *bytes, cuzk_error *err);

#endif
