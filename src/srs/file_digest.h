/* The digest by which parameter files are known: first 16 bytes of BLAKE2b-512 of the whole file,
 * in hex (groth16.md 2.4). */
#ifndef CUZK_SRS_FILE_DIGEST_H
#define CUZK_SRS_FILE_DIGEST_H

#include "base/pool.h"

#define SRS_DIGEST_CHARS 33 /* 32 lower-case hex digits and the zero byte */

/* Reads the whole file, about 1 GB a second, under a shared lock (flock) that is held only
 * meanwhile. Waits for whoever holds an exclusive one, such as the reference's reader; cancelling
 * ends the wait and the reading. Progress counts bytes. Fails: CUZK_E_NO_PARAMS if the file is
 * missing, CUZK_E_IO (also when the file changes meanwhile), CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_digest_file(char digest[SRS_DIGEST_CHARS], const cuzk_ctx *ctx,
                                 const char *path, cuzk_error *err);

/* The same, from the note PATH.digest if that was made for a file of the present size and
 * modification time; otherwise computes it and leaves such a note. Failing to write the note (a
 * read-only directory) is no error. */
cuzk_status cuzk_srs_digest_remembered(char digest[SRS_DIGEST_CHARS], const cuzk_ctx *ctx,
                                       const char *path, cuzk_error *err);

/* Removes the note, if there is one. */
void cuzk_srs_digest_forget(const char *path);

#endif
