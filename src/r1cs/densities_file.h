/* The densities of a circuit in a file, so that they are computed once (docs/formats/densities.md).
 */
#ifndef CUZK_R1CS_DENSITIES_FILE_H
#define CUZK_R1CS_DENSITIES_FILE_H

#include <stdio.h>

#include "r1cs/structure.h"

/* Goes up whenever a circuit of this library changes, or how densities are computed. */
#define DENSITIES_VERSION 1
#define DENSITIES_ID_BYTES 40 /* of a circuit's id, zeros after it */

/* Reads what cuzk_densities_write wrote for the same circuit and version. Nothing in the file is
 * trusted: sizes, counts, unused bits and the digest must fit, and memory is taken only for bytes
 * that are there. Fails: CUZK_E_INPUT saying what does not fit, CUZK_E_IO, CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED; *d is then empty. */
cuzk_status cuzk_densities_read(r1cs_densities *d, const cuzk_ctx *ctx, const char *path,
                                const char *circuit, cuzk_error *err);
/* The same from an open file of len_bytes, read from its beginning. */
cuzk_status cuzk_densities_decode(r1cs_densities *d, const cuzk_ctx *ctx, FILE *file,
                                  uint64_t len_bytes, const char *circuit, cuzk_error *err);

/* Under a temporary name first; takes the place of a file of that name. Fails: CUZK_E_IO. */
cuzk_status cuzk_densities_write(const char *path, const r1cs_densities *d, const char *circuit,
                                 cuzk_error *err);

#endif
