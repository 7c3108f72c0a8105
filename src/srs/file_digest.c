/* Digests of parameter files, and the notes that save computing them again. */
#include "srs/file_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "codec/flat_json.h"
#include "codec/hex.h"
#include "hash/blake2.h"
#include "srs/srs_internal.h"

#define PIECE_BYTES ((size_t)1 << 20)
#define LOCK_RETRY_MS 50
#define MAX_NOTE_BYTES 4096

static cuzk_status fail_cancelled(cuzk_error *err, const char *path) {
    cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
    cuzk_error_at_file(err, path, CUZK_NOWHERE);
    return CUZK_E_CANCELLED;
}

/* A shared lock, or the reason why not. Polls, so that cancelling is noticed. */
static cuzk_status lock_shared(const srs_bytes *bytes, const cuzk_ctx *ctx, cuzk_error *err) {
    const struct timespec pause = {.tv_nsec = LOCK_RETRY_MS * 1000000l};
    while (flock(bytes->fd, LOCK_SH | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            cuzk_fail(err, CUZK_E_IO, "cannot lock: %s", strerror(errno));
            cuzk_error_at_file(err, bytes->name, CUZK_NOWHERE);
            return CUZK_E_IO;
        }
        if (cuzk_ctx_cancelled(ctx)) {
            return fail_cancelled(err, bytes->name);
        }
        cuzk_ctx_progress(ctx, "waiting for a lock", 0, bytes->len_bytes);
        nanosleep(&pause, NULL);
    }
    return CUZK_OK;
}

static cuzk_status hash_all(blake2b *hash, const srs_bytes *bytes, const cuzk_ctx *ctx,
                            uint8_t *piece, cuzk_error *err) {
    for (uint64_t at = 0; at < bytes->len_bytes;) {
        const size_t n =
            bytes->len_bytes - at < PIECE_BYTES ? (size_t)(bytes->len_bytes - at) : PIECE_BYTES;
        if (cuzk_ctx_cancelled(ctx)) {
            return fail_cancelled(err, bytes->name);
        }
        if (cuzk_srs_bytes_at(bytes, at, n, piece) == NULL) {
            return cuzk_srs_bytes_failed(bytes, at, err);
        }
        cuzk_blake2b_update(hash, piece, n);
        at += n;
        cuzk_ctx_progress(ctx, "digest", at, bytes->len_bytes);
    }
    return CUZK_OK;
}

/* What tells a changed file. */
typedef struct file_state {
    uint64_t size_bytes, modified_ns;
} file_state;

static bool read_state(file_state *state, const srs_bytes *bytes) {
    struct stat info;
    if (fstat(bytes->fd, &info) != 0) {
        return false;
    }
    *state = (file_state){(uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec * 1000000000 +
                                                      (uint64_t)info.st_mtim.tv_nsec};
    return true;
}

/* *state is that of the file the digest belongs to. */
static cuzk_status digest_open(char digest[SRS_DIGEST_CHARS], file_state *state,
                               const srs_bytes *bytes, const cuzk_ctx *ctx, cuzk_error *err) {
    uint8_t full[BLAKE2B_BYTES];
    file_state after = {0};
    uint8_t *piece = malloc(PIECE_BYTES);
    if (piece == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to read a file");
    }
    cuzk_status status = lock_shared(bytes, ctx, err);
    if (status != CUZK_OK) {
        free(piece);
        return status;
    }
    bool known = read_state(state, bytes);
    blake2b *hash = cuzk_blake2b_create();
    status = hash_all(hash, bytes, ctx, piece, err);
    cuzk_blake2b_final(hash, full);
    free(piece);
    known = known && read_state(&after, bytes);
    flock(bytes->fd, LOCK_UN);
    if (status == CUZK_OK && (!known || memcmp(state, &after, sizeof after) != 0 ||
                              after.size_bytes != bytes->len_bytes)) {
        cuzk_fail(err, CUZK_E_IO, "changed while it was read");
        cuzk_error_at_file(err, bytes->name, CUZK_NOWHERE);
        status = CUZK_E_IO;
    }
    cuzk_hex_encode(digest, full, (SRS_DIGEST_CHARS - 1) / 2);
    return status;
}

cuzk_status cuzk_srs_digest_file(char digest[SRS_DIGEST_CHARS], const cuzk_ctx *ctx,
                                 const char *path, cuzk_error *err) {
    srs_bytes bytes;
    file_state state;
    cuzk_status status = cuzk_srs_bytes_open(&bytes, path, err);
    if (status == CUZK_OK) {
        status = digest_open(digest, &state, &bytes, ctx, err);
        cuzk_srs_bytes_close(&bytes);
    }
    return status;
}

/* ---- notes ---- */

/* The digest in the note, if there is one for this state; any other note counts as none. */
static bool read_note(char digest[SRS_DIGEST_CHARS], const char *note_path,
                      const file_state *state) {
    srs_bytes note;
    uint8_t text[MAX_NOTE_BYTES], value[(SRS_DIGEST_CHARS - 1) / 2];
    uint64_t size, modified;
    flat_json_member members[] = {{.name = "size", .integer = &size},
                                  {.name = "modified_ns", .integer = &modified},
                                  {.name = "digest", .text = digest, .room = SRS_DIGEST_CHARS}};
    if (cuzk_srs_bytes_open(&note, note_path, NULL) != CUZK_OK) {
        return false;
    }
    bool good = note.len_bytes <= sizeof text &&
                cuzk_srs_bytes_at(&note, 0, (size_t)note.len_bytes, text) != NULL &&
                cuzk_flat_json_read(members, 3, (const char *)text, (size_t)note.len_bytes, NULL) ==
                    CUZK_OK;
    cuzk_srs_bytes_close(&note);
    return good && members[0].found && members[1].found && members[2].found &&
           size == state->size_bytes && modified == state->modified_ns &&
           cuzk_hex_decode(value, sizeof value, digest);
}

static void write_note(const char *note_path, const char *digest, const file_state *state) {
    char text[256];
    int len = snprintf(
        text, sizeof text, "{\"size\":%llu,\"modified_ns\":%llu,\"digest\":\"%s\"}\n",
        (unsigned long long)state->size_bytes, (unsigned long long)state->modified_ns, digest);
    (void)cuzk_file_write(note_path, text, (size_t)len, true, NULL);
}

cuzk_status cuzk_srs_digest_remembered(char digest[SRS_DIGEST_CHARS], const cuzk_ctx *ctx,
                                       const char *path, cuzk_error *err) {
    srs_bytes bytes;
    file_state state;
    cuzk_status status = cuzk_srs_bytes_open(&bytes, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    char *note_path;
    if (asprintf(&note_path, "%s.digest", path) < 0) {
        cuzk_srs_bytes_close(&bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a file name");
    }
    if (!read_state(&state, &bytes) || !read_note(digest, note_path, &state)) {
        status = digest_open(digest, &state, &bytes, ctx, err);
        if (status == CUZK_OK) {
            write_note(note_path, digest, &state);
        }
    }
    free(note_path);
    cuzk_srs_bytes_close(&bytes);
    return status;
}

void cuzk_srs_digest_forget(const char *path) {
    char *note_path;
    if (asprintf(&note_path, "%s.digest", path) >= 0) {
        unlink(note_path);
        free(note_path);
    }
}
