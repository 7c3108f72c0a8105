/* The ring and its reader.
 *
 * What is read after an aim is a sequence of runs: from the aimed offset to the end of its range,
 * then the later ranges whole. Runs lie behind one another on the axis of stream positions, each
 * beginning at a multiple of read_bytes, so that a read never lies around the end of the ring; a
 * position's place in the ring is its remainder. Runs begin in the file at multiples of
 * SRS_READ_ALIGN, as direct reads want it.
 *
 * The ring holds the positions from `consumed` up to `filled`, which is never more than ring_bytes
 * ahead. (Who skips bytes has `consumed` ahead of it for a while.) */
#include "srs/ring_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "srs/params_file.h"

#define CANCEL_PERIOD_NS 10000000 /* how often a waiting caller looks at its cancel flag */

/* Bytes begin .. end - 1 of the file at positions from `position` on, those from wanted_from on
 * asked for. */
typedef struct run {
    uint64_t begin, wanted_from, end;
    uint64_t position;
} run;

struct srs_stream {
    const char *path;
    srs_range ranges[SRS_STREAM_RANGES];
    size_t read_bytes, ring_bytes;
    cuzk_block ring;
    pthread_t thread;
    /* The reader's alone: */
    int fd;
    bool direct;
    /* What was asked for last, set by cuzk_srs_stream_wait: */
    uint64_t lent_offset, lent_position;
    size_t lent_bytes;

    pthread_mutex_t mutex;
    pthread_cond_t room, data; /* for the reader; for the caller */
    /* Guarded by the mutex: */
    bool ending;
    unsigned n_runs;
    run runs[SRS_STREAM_RANGES];
    uint64_t aims; /* so far: a read that was begun before the last one does not count */
    uint64_t filled, consumed;
    bool failed; /* the read at `filled`, after that many bytes: */
    size_t failed_after;
    uint64_t failed_offset;
    int failed_reason; /* an error number; 0: the file ends there */
    uint64_t waited_ns;
};

static uint64_t align_down(uint64_t n) { return n & ~(uint64_t)(SRS_READ_ALIGN - 1); }
static size_t align_up(size_t n) { return size_round_up(n, SRS_READ_ALIGN); }

/* ---- runs; the mutex is held ---- */

static uint64_t run_positions(const srs_stream *s, const run *r) {
    const uint64_t n = r->end - r->begin;
    return (n + s->read_bytes - 1) / s->read_bytes * s->read_bytes;
}

/* The position of an offset that was asked for; false if it was not. */
static bool find_position(const srs_stream *s, uint64_t offset, uint64_t *position) {
    for (unsigned i = 0; i < s->n_runs; i++) {
        const run *r = &s->runs[i];
        if (offset >= r->wanted_from && offset < r->end) {
            *position = r->position + (offset - r->begin);
            return true;
        }
    }
    return false;
}

static void aim(srs_stream *s, uint64_t offset) {
    uint64_t position = 0;
    s->n_runs = 0;
    s->filled = s->consumed = 0;
    s->failed = false;
    s->aims++;
    for (unsigned i = 0; i < SRS_STREAM_RANGES; i++) {
        const srs_range *range = &s->ranges[i];
        const bool first = s->n_runs == 0;
        if (range->begin == range->end ||
            (first && (offset < range->begin || offset >= range->end))) {
            continue;
        }
        run *r = &s->runs[s->n_runs++];
        const uint64_t from = first ? offset : range->begin;
        *r = (run){.begin = align_down(from),
                   .wanted_from = from,
                   .end = range->end,
                   .position = position};
        position += run_positions(s, r);
    }
    pthread_cond_signal(&s->room);
}

/* The run that the next read is of, if there is one to make. */
static const run *run_to_read(const srs_stream *s) {
    if (s->failed || s->filled + s->read_bytes > s->consumed + s->ring_bytes) {
        return NULL;
    }
    for (unsigned i = 0; i < s->n_runs; i++) {
        if (s->filled < s->runs[i].position + run_positions(s, &s->runs[i])) {
            return &s->runs[i];
        }
    }
    return NULL;
}

/* ---- the reader ---- */

/* Reads `wanted` bytes, and as many more as an aligned read brings. Returns how many of the wanted
 * ones were had; *reason: why not all, as failed_reason. */
static size_t read_fully(srs_stream *s, uint8_t *to, uint64_t offset, size_t wanted, int *reason) {
    size_t done = 0;
    while (done < wanted) {
        const ssize_t n = pread(s->fd, to + done, align_up(wanted) - done, (off_t)(offset + done));
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0) {
            *reason = 0;
            return done;
        } else if (errno == EINVAL && s->direct) {
            /* Not on this file system, or not from here on after a short read. */
            s->direct = false;
            (void)fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) & ~O_DIRECT);
        } else if (errno != EINTR) {
            *reason = errno;
            return done;
        }
    }
    if (!s->direct) {
        (void)posix_fadvise(s->fd, (off_t)offset, (off_t)done, POSIX_FADV_DONTNEED);
    }
    return wanted;
}

static void *reader(void *arg) {
    srs_stream *s = arg;
    pthread_mutex_lock(&s->mutex);
    while (!s->ending) {
        const run *r = run_to_read(s);
        if (r == NULL) {
            pthread_cond_wait(&s->room, &s->mutex);
            continue;
        }
        const uint64_t at = s->filled - r->position, aims = s->aims;
        const uint64_t offset = r->begin + at, left = r->end - offset;
        const size_t wanted = left < s->read_bytes ? (size_t)left : s->read_bytes;
        uint8_t *to = (uint8_t *)s->ring.data + s->filled % s->ring_bytes;
        pthread_mutex_unlock(&s->mutex);
        int reason = 0;
        const size_t done = read_fully(s, to, offset, wanted, &reason);
        pthread_mutex_lock(&s->mutex);
        if (aims != s->aims) {
            continue;
        }
        if (done == wanted) {
            s->filled += s->read_bytes;
        } else {
            s->failed = true;
            s->failed_after = done;
            s->failed_offset = offset + done;
            s->failed_reason = reason;
        }
        pthread_cond_signal(&s->data);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

/* ---- the caller's side ---- */

static bool is_in_reach(const srs_stream *s, uint64_t position) {
    return !s->failed && position >= s->consumed && position < s->consumed + s->ring_bytes;
}

void cuzk_srs_stream_aim(srs_stream *s, uint64_t offset) {
    uint64_t position;
    pthread_mutex_lock(&s->mutex);
    if (!find_position(s, offset, &position) || !is_in_reach(s, position)) {
        aim(s, offset);
    }
    pthread_mutex_unlock(&s->mutex);
}

/* Whether the ring has everything before that position. */
static bool has_data(const srs_stream *s, uint64_t end) {
    return end <= s->filled + (s->failed ? s->failed_after : 0);
}

/* false when cancelled. */
static bool wait_for_data(srs_stream *s, const cuzk_ctx *ctx) {
    if (!cuzk_ctx_can_be_cancelled(ctx)) {
        pthread_cond_wait(&s->data, &s->mutex);
        return true;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += CANCEL_PERIOD_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_cond_clockwait(&s->data, &s->mutex, CLOCK_MONOTONIC, &until);
    return !cuzk_ctx_cancelled(ctx);
}

static cuzk_status report_failure(srs_stream *s, cuzk_error *err) {
    if (s->failed_reason == 0) {
        cuzk_fail(err, CUZK_E_IO, "cut short while in use");
    } else {
        cuzk_fail(err, CUZK_E_IO, "cannot read: %s", strerror(s->failed_reason));
    }
    cuzk_error_at_file(err, s->path, (int64_t)s->failed_offset);
    s->n_runs = 0; /* so that the next call aims anew */
    return CUZK_E_IO;
}

cuzk_status cuzk_srs_stream_wait(srs_stream *s, const cuzk_ctx *ctx, uint64_t offset,
                                 size_t len_bytes, cuzk_error *err) {
    CUZK_ASSERT(len_bytes <= s->ring_bytes - s->read_bytes);
    cuzk_status status = CUZK_OK;
    uint64_t position = 0;
    pthread_mutex_lock(&s->mutex);
    if (!find_position(s, offset, &position) || position < s->consumed ||
        position >= s->consumed + s->ring_bytes) {
        aim(s, offset);
        CUZK_ASSERT(find_position(s, offset, &position));
    }
    s->consumed = position;
    pthread_cond_signal(&s->room);
    if (!has_data(s, position + len_bytes)) {
        const uint64_t from = cuzk_wall_ns();
        while (status == CUZK_OK && !s->failed && !has_data(s, position + len_bytes)) {
            if (!wait_for_data(s, ctx)) {
                status = cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
            }
        }
        s->waited_ns += cuzk_wall_ns() - from;
    }
    if (status == CUZK_OK && !has_data(s, position + len_bytes)) {
        status = report_failure(s, err);
    }
    pthread_mutex_unlock(&s->mutex);
    s->lent_offset = offset;
    s->lent_position = position;
    s->lent_bytes = status == CUZK_OK ? len_bytes : 0;
    return status;
}

const uint8_t *cuzk_srs_stream_at(const srs_stream *s, uint64_t offset, size_t len_bytes,
                                  uint8_t *buffer) {
    CUZK_ASSERT(offset >= s->lent_offset && offset - s->lent_offset <= s->lent_bytes &&
                len_bytes <= s->lent_bytes - (offset - s->lent_offset));
    const uint8_t *ring = s->ring.data;
    const size_t at = (size_t)((s->lent_position + (offset - s->lent_offset)) % s->ring_bytes);
    const size_t n_before_end = s->ring_bytes - at;
    if (len_bytes <= n_before_end) {
        return ring + at;
    }
    memcpy(buffer, ring + at, n_before_end);
    memcpy(buffer + n_before_end, ring, len_bytes - n_before_end);
    return buffer;
}

void cuzk_srs_stream_done(srs_stream *s) {
    pthread_mutex_lock(&s->mutex);
    if (s->consumed == s->lent_position) {
        s->consumed += s->lent_bytes;
    }
    s->lent_bytes = 0;
    pthread_cond_signal(&s->room);
    pthread_mutex_unlock(&s->mutex);
}

uint64_t cuzk_srs_stream_waited_ns(srs_stream *s) {
    pthread_mutex_lock(&s->mutex);
    const uint64_t waited_ns = s->waited_ns;
    pthread_mutex_unlock(&s->mutex);
    return waited_ns;
}

/* ---- life ---- */

static bool is_same_file(int a, int b) {
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Opened anew, as direct reads are a property of the open file. */
static cuzk_status open_file(srs_stream *s, const srs_stream_options *options, cuzk_error *err) {
    const int flags = O_RDONLY | O_CLOEXEC;
    s->direct = !options->buffered;
    s->fd = open(s->path, s->direct ? flags | O_DIRECT : flags);
    if (s->fd < 0 && s->direct && errno == EINVAL) {
        s->direct = false;
        s->fd = open(s->path, flags);
    }
    if (s->fd >= 0 && is_same_file(s->fd, options->fd)) {
        return CUZK_OK;
    }
    if (s->fd >= 0) {
        close(s->fd);
        cuzk_fail(err, CUZK_E_IO, "replaced by another file meanwhile");
    } else {
        cuzk_fail(err, CUZK_E_IO, "cannot open: %s", strerror(errno));
    }
    cuzk_error_at_file(err, s->path, CUZK_NOWHERE);
    return CUZK_E_IO;
}

cuzk_status cuzk_srs_stream_open(srs_stream **stream, cuzk_account *account,
                                 const srs_stream_options *options, cuzk_error *err) {
    CUZK_ASSERT(options->read_bytes > 0 && options->read_bytes % SRS_READ_ALIGN == 0 &&
                options->n_reads >= 2);
    *stream = NULL;
    srs_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to read parameters");
    }
    s->path = options->path;
    memcpy(s->ranges, options->ranges, sizeof s->ranges);
    s->read_bytes = options->read_bytes;
    s->ring_bytes = options->n_reads * options->read_bytes;
    cuzk_status status = open_file(s, options, err);
    if (status != CUZK_OK) {
        free(s);
        return status;
    }
    status = cuzk_block_alloc(&s->ring, account, s->ring_bytes, "parameters read ahead", err);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->room, NULL);
    pthread_cond_init(&s->data, NULL);
    if (status == CUZK_OK) {
        const int reason = cuzk_thread_start(&s->thread, reader, s);
        if (reason != 0) {
            status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no thread to read parameters: %s",
                               strerror(reason));
        }
    }
    if (status != CUZK_OK) {
        cuzk_block_free(&s->ring);
        close(s->fd);
        free(s);
        return status;
    }
    *stream = s;
    return CUZK_OK;
}

void cuzk_srs_stream_close(srs_stream *s) {
    if (s == NULL) {
        return;
    }
    pthread_mutex_lock(&s->mutex);
    s->ending = true;
    pthread_cond_signal(&s->room);
    pthread_mutex_unlock(&s->mutex);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->room);
    pthread_cond_destroy(&s->data);
    pthread_mutex_destroy(&s->mutex);
    cuzk_block_free(&s->ring);
    close(s->fd);
    free(s);
}
