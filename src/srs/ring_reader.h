/* Bytes of a file, read ahead in order: a thread fills a ring with large reads, direct ones where
 * that works (performance.md 9). Internal to srs. */
#ifndef CUZK_SRS_RING_READER_H
#define CUZK_SRS_RING_READER_H

#include "base/pool.h"

typedef struct srs_stream srs_stream;

/* Bytes begin .. end - 1 of the file. */
typedef struct srs_range {
    uint64_t begin, end;
} srs_range;
#define SRS_STREAM_RANGES 2

typedef struct srs_stream_options {
    const char *path; /* borrowed as long as the stream */
    int fd; /* the same file, open: if the path leads elsewhere by now, that is an error */
    srs_range ranges[SRS_STREAM_RANGES]; /* disjoint; read one after the other */
    size_t read_bytes;                   /* of one read: a multiple of SRS_READ_ALIGN */
    size_t n_reads;                      /* that the ring holds; at least 2 */
    bool buffered;                       /* no direct reads */
} srs_stream_options;

/* Reads nothing yet. The ring of n_reads * read_bytes is charged to the account. Fails: CUZK_E_IO,
 * CUZK_E_NO_MEMORY. */
cuzk_status cuzk_srs_stream_open(srs_stream **stream, cuzk_account *account,
                                 const srs_stream_options *options, cuzk_error *err);
void cuzk_srs_stream_close(srs_stream *stream); /* accepts NULL */

/* Starts reading at that offset of a range, on to the end of the last range, as far as the ring has
 * room; goes on with what is there if that is already so. An offset in no range stops it. Never
 * waits. */
void cuzk_srs_stream_aim(srs_stream *stream, uint64_t offset);

/* Waits until len_bytes bytes from offset on, in one range, are in the ring, where they stay until
 * the next call; at most (n_reads - 1) * read_bytes. What lies before them is given up. One caller
 * at a time. Fails: CUZK_E_IO with file and offset, also for a file that has become shorter (the
 * next call tries again); CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_stream_wait(srs_stream *stream, const cuzk_ctx *ctx, uint64_t offset,
                                 size_t len_bytes, cuzk_error *err);
/* len_bytes of those bytes: lent, or copied into buffer where they lie around the end of the ring.
 * Any number of callers at once. */
const uint8_t *cuzk_srs_stream_at(const srs_stream *stream, uint64_t offset, size_t len_bytes,
                                  uint8_t *buffer);
/* They are no longer needed: the room can be filled. */
void cuzk_srs_stream_done(srs_stream *stream);

/* Time that calls of cuzk_srs_stream_wait have waited so far. */
uint64_t cuzk_srs_stream_waited_ns(srs_stream *stream);

#endif
