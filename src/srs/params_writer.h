/* Writing parameters: a sink of the setup that makes `.params`, `.vk`, `.meta` and `.local.json`
 * (groth16.md 2, decisions 9 and 12). Nothing is ever overwritten, and nothing appears under its
 * name before it is complete. */
#ifndef CUZK_SRS_PARAMS_WRITER_H
#define CUZK_SRS_PARAMS_WRITER_H

#include "groth16/setup.h"
#include "srs/accept.h"

typedef struct srs_writer srs_writer;

typedef struct srs_writer_options {
    const char *stem_path; /* the files' path without ".params" */
    uint64_t sector_bytes; /* for .meta */
    const uint8_t *seed; /* the 16 bytes that the toxic values were drawn from; NULL: random ones */
    uint64_t expected_bytes; /* of the .params, for the check of free disk; 0: unknown */
} srs_writer_options;

/* Fails: CUZK_E_IO if one of the four files exists, the disk has no room, or the directory cannot
 * be written. */
cuzk_status cuzk_srs_writer_create(srs_writer **writer, const srs_writer_options *options,
                                   cuzk_error *err);
/* Valid until the writer ends. Takes the key, then the sections in file order.
 * Fails beside what writing does: CUZK_E_RANGE for a count beyond 32 bits. */
groth16_sink cuzk_srs_writer_sink(srs_writer *writer);
/* After a setup that succeeded: puts the four files under their names and gives the note. Ends the
 * writer in any case; on failure none of the files is left. */
cuzk_status cuzk_srs_writer_finish(srs_writer *writer, srs_local_note *note, cuzk_error *err);
void cuzk_srs_writer_abandon(srs_writer *writer); /* accepts NULL */

#endif
