/* LABELS: tsan */
/* A file read ahead through a ring: every byte in its place with rings and reads of all small
 * sizes, other orders than the announced one, files cut short, cancelled waits. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "srs/params_file.h"
#include "srs/ring_reader.h"
#include "support/key_files.h"
#include "support/support.h"

enum {
    FILE_BYTES = 300007,
    FIRST = 1003,
    MIDDLE = 100001
}; /* second range first, then the first */

typedef struct opened {
    char folder[64], path[128]; /* folder: "" for a file in memory */
    uint8_t *bytes;
    FILE *file;
    cuzk_account *account;
    srs_stream *stream;
    size_t longest; /* of a wait */
} opened;

/* A file in a folder, or one in memory, which cannot be read directly. */
static void make_file(opened *o, bool in_memory) {
    if (in_memory) {
        const int fd = memfd_create("bytes", MFD_CLOEXEC);
        o->file = fdopen(fd, "r+");
        assert_non_null(o->file);
        snprintf(o->path, sizeof o->path, "/proc/self/fd/%d", fd);
        assert_int_equal(fwrite(o->bytes, 1, FILE_BYTES, o->file), FILE_BYTES);
        assert_int_equal(fflush(o->file), 0);
        return;
    }
    key_files_folder(o->folder);
    snprintf(o->path, sizeof o->path, "%s/bytes", o->folder);
    assert_int_equal(cuzk_file_write(o->path, o->bytes, FILE_BYTES, true, NULL), CUZK_OK);
    o->file = fopen(o->path, "r");
    assert_non_null(o->file);
}

static void open_all(opened *o, bool in_memory, size_t read_bytes, size_t n_reads, bool buffered) {
    test_rng rng = {1};
    o->bytes = malloc(FILE_BYTES);
    for (size_t i = 0; i < FILE_BYTES; i++) {
        o->bytes[i] = (uint8_t)(test_rng_u64(&rng) >> 32);
    }
    make_file(o, in_memory);
    assert_int_equal(cuzk_account_create(&o->account, SIZE_MAX, NULL), CUZK_OK);
    const srs_stream_options options = {.path = o->path,
                                        .fd = fileno(o->file),
                                        .ranges = {{MIDDLE, FILE_BYTES}, {FIRST, MIDDLE}},
                                        .read_bytes = read_bytes,
                                        .n_reads = n_reads,
                                        .buffered = buffered};
    assert_int_equal(cuzk_srs_stream_open(&o->stream, o->account, &options, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_used(o->account), read_bytes * n_reads);
    o->longest = (n_reads - 1) * read_bytes;
}

static void close_all(opened *o) {
    cuzk_srs_stream_close(o->stream);
    assert_int_equal(cuzk_account_used(o->account), 0);
    cuzk_account_destroy(o->account);
    fclose(o->file);
    free(o->bytes);
    if (o->folder[0] != 0) {
        key_files_remove(o->folder);
    }
}

static void expect_bytes(opened *o, const cuzk_ctx *ctx, uint64_t offset, size_t n) {
    static uint8_t buffer[FILE_BYTES];
    cuzk_error err;
    const cuzk_status status = cuzk_srs_stream_wait(o->stream, ctx, offset, n, &err);
    if (status != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    /* Whole, and a piece of it. */
    assert_memory_equal(cuzk_srs_stream_at(o->stream, offset, n, buffer), o->bytes + offset, n);
    const size_t skip = n / 3;
    assert_memory_equal(cuzk_srs_stream_at(o->stream, offset + skip, n - skip, buffer),
                        o->bytes + offset + skip, n - skip);
}

/* Both ranges in order, in pieces of at most `most` bytes. */
static void read_in_order(opened *o, const cuzk_ctx *ctx, size_t most, test_rng *rng) {
    for (int range = 0; range < 2; range++) {
        const uint64_t end = range == 0 ? FILE_BYTES : MIDDLE;
        for (uint64_t at = range == 0 ? MIDDLE : FIRST; at < end;) {
            size_t n = 1 + (size_t)(test_rng_u64(rng) % most);
            n = n < end - at ? n : (size_t)(end - at);
            expect_bytes(o, ctx, at, n);
            if (test_rng_u64(rng) % 8 != 0) {
                cuzk_srs_stream_done(o->stream);
            }
            at += n;
        }
    }
}

static void test_in_order(void **state) {
    (void)state;
    static const size_t reads[] = {4096, 8192, 65536, 524288}, counts[] = {2, 3, 5, 40};
    test_rng rng = {2};
    cuzk_cancel cancel = {false};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            for (int variant = 0; variant < 4; variant++) {
                opened o = {0};
                const cuzk_ctx ctx = {.cancel = variant & 2 ? &cancel : NULL};
                open_all(&o, false, reads[i], counts[j], variant & 1);
                cuzk_srs_stream_aim(o.stream, MIDDLE);
                read_in_order(&o, &ctx, o.longest, &rng);
                read_in_order(&o, &ctx, o.longest < 5000 ? o.longest : 5000, &rng);
                close_all(&o);
            }
        }
    }
}

/* A file system without direct reads. */
static void test_without_direct_reads(void **state) {
    (void)state;
    test_rng rng = {3};
    opened o = {0};
    const cuzk_ctx ctx = {0};
    open_all(&o, true, 4096, 4, false);
    read_in_order(&o, &ctx, o.longest, &rng);
    close_all(&o);
}

static void test_any_order(void **state) {
    (void)state;
    test_rng rng = {4};
    opened o = {0};
    const cuzk_ctx ctx = {0};
    open_all(&o, false, 4096, 5, false);
    for (int i = 0; i < 2000; i++) {
        const uint64_t at = FIRST + test_rng_u64(&rng) % (FILE_BYTES - FIRST);
        const uint64_t end = at < MIDDLE ? MIDDLE : FILE_BYTES;
        size_t n = 1 + (size_t)(test_rng_u64(&rng) % o.longest);
        n = n < end - at ? n : (size_t)(end - at);
        switch (test_rng_u64(&rng) % 4) {
        case 0:
            cuzk_srs_stream_aim(o.stream, at);
            break;
        case 1:
            cuzk_srs_stream_aim(o.stream, test_rng_u64(&rng) % (2 * (uint64_t)FILE_BYTES));
            break;
        default:
            break;
        }
        expect_bytes(&o, &ctx, at, n);
        if (i % 2 == 0) {
            cuzk_srs_stream_done(o.stream);
        }
        /* A small step on, as an abandoned pass would leave it. */
        if (n < end - at) {
            const uint64_t next = at + n + test_rng_u64(&rng) % (end - at - n);
            expect_bytes(&o, &ctx, next, 1);
        }
    }
    close_all(&o);
}

/* The first byte that is missing is named; what is there can still be read. */
static void test_cut_short(void **state) {
    (void)state;
    static const uint64_t ends[] = {MIDDLE, MIDDLE + 1, 4096 * 26, 4096 * 26 + 77, 4096 * 27};
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (int buffered = 0; buffered < 2; buffered++) {
            opened o = {0};
            cuzk_error err;
            open_all(&o, false, 4096, 4, buffered != 0);
            assert_int_equal(truncate(o.path, (off_t)ends[i]), 0);
            uint64_t at = MIDDLE;
            cuzk_status status;
            while ((status = cuzk_srs_stream_wait(o.stream, &ctx, at, 1, &err)) == CUZK_OK) {
                at++;
            }
            assert_int_equal(status, CUZK_E_IO);
            assert_int_equal(at, ends[i]);
            assert_int_equal(err.offset, ends[i]);
            assert_non_null(strstr(err.text, o.path));
            assert_non_null(strstr(err.text, "cut short"));
            assert_int_equal(cuzk_srs_stream_wait(o.stream, &ctx, at, 1, &err), CUZK_E_IO);
            expect_bytes(&o, &ctx, FIRST, 4000);
            close_all(&o);
        }
    }
}

static void test_replaced(void **state) {
    (void)state;
    opened o = {0};
    cuzk_error err;
    open_all(&o, false, 4096, 4, false);
    assert_int_equal(cuzk_file_write(o.path, o.bytes, 10, true, NULL), CUZK_OK);
    const srs_stream_options options = {
        .path = o.path, .fd = fileno(o.file), .read_bytes = 4096, .n_reads = 2};
    srs_stream *other;
    assert_int_equal(cuzk_srs_stream_open(&other, o.account, &options, &err), CUZK_E_IO);
    assert_null(other);
    assert_non_null(strstr(err.text, "replaced"));
    close_all(&o);
}

/* A cancelled wait ends, and the stream can be used on. */
static void test_cancel(void **state) {
    (void)state;
    opened o = {0};
    cuzk_cancel cancel = {true};
    const cuzk_ctx ctx = {.cancel = &cancel}, plain = {0};
    open_all(&o, false, 4096, 30, false);
    for (uint64_t at = MIDDLE; at < FILE_BYTES - 100000; at += 50000) {
        const cuzk_status status = cuzk_srs_stream_wait(o.stream, &ctx, at, 100000, NULL);
        assert_true(status == CUZK_OK || status == CUZK_E_CANCELLED);
        cuzk_srs_stream_done(o.stream);
        expect_bytes(&o, &plain, at, 100000);
    }
    /* Closed while it reads. */
    cuzk_srs_stream_aim(o.stream, FIRST);
    close_all(&o);
}

static void test_no_memory(void **state) {
    (void)state;
    opened o = {0};
    cuzk_error err;
    cuzk_account *account;
    srs_stream *other;
    open_all(&o, false, 4096, 4, false);
    assert_int_equal(cuzk_account_create(&account, 8191, NULL), CUZK_OK);
    const srs_stream_options options = {
        .path = o.path, .fd = fileno(o.file), .read_bytes = 4096, .n_reads = 2};
    assert_int_equal(cuzk_srs_stream_open(&other, account, &options, &err), CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_account_used(account), 0);
    cuzk_account_destroy(account);
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),  cmocka_unit_test(test_without_direct_reads),
        cmocka_unit_test(test_any_order), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_replaced),  cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
