/* Files: whole reads, mappings, and writes that appear complete or not at all. */
#ifndef CUZK_BASE_FILE_H
#define CUZK_BASE_FILE_H

#include "base/status.h"

/* A read-only mapping of a whole file. data is NULL for an empty file. */
typedef struct cuzk_map {
    const uint8_t *data;
    size_t len_bytes;
    int fd;
} cuzk_map;

/* Fails: CUZK_E_IO with the file's name and the system's reason; a directory or device is refused.
 */
cuzk_status cuzk_map_open(cuzk_map *map, const char *path, cuzk_error *err);
void cuzk_map_close(cuzk_map *map);

/* A file being written under a temporary name in the same directory. */
typedef struct cuzk_outfile cuzk_outfile;

/* expected_bytes: free disk is checked against it first (0: unknown). mode as for open(2).
 * Fails: CUZK_E_IO, also when the disk has not enough room (with both numbers) or `path` is
 * something else than a regular file. */
cuzk_status cuzk_outfile_create(cuzk_outfile **out, const char *path, unsigned mode,
                                uint64_t expected_bytes, cuzk_error *err);
cuzk_status cuzk_outfile_write(cuzk_outfile *out, const void *data, size_t len_bytes,
                               cuzk_error *err);
/* Flushes and renames to the final name. replace = false: fails with CUZK_E_IO if that name exists
 * by then. Ends `out` in any case. */
cuzk_status cuzk_outfile_commit(cuzk_outfile *out, bool replace, cuzk_error *err);
void cuzk_outfile_abandon(cuzk_outfile *out); /* removes the temporary file; accepts NULL */

/* Whole content at once: create, write, commit. */
cuzk_status cuzk_file_write(const char *path, const void *data, size_t len_bytes, bool replace,
                            cuzk_error *err);

/* Whether cuzk_outfile_create would work, for outputs that take long to make. Leaves nothing. */
cuzk_status cuzk_file_probe(const char *path, cuzk_error *err);

bool cuzk_file_exists(const char *path);

#endif
