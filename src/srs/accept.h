/* Which parameter files are accepted: the published ones, and local ones where that is allowed
 * (decisions 9 and 10). */
#ifndef CUZK_SRS_ACCEPT_H
#define CUZK_SRS_ACCEPT_H

#include "srs/file_digest.h"
#include "srs/params_file.h"
#include "srs/vk_file.h"

/* What `<stem>.local.json` says: beside parameters made by a setup on this machine, which are
 * insecure. */
typedef struct srs_local_note {
    char params_digest[SRS_DIGEST_CHARS]; /* of the .params, or of an .srs */
    char vk_digest[SRS_DIGEST_CHARS];     /* "" beside an .srs */
    char seed[33];                        /* 32 hex digits, a number for an .srs, or "random" */
    char date[21];                        /* "2025-01-31T12:00:00Z" */
} srs_local_note;

/* Fails: CUZK_E_NO_PARAMS if the file is missing, CUZK_E_BAD_PARAMS if it is not such a note,
 * CUZK_E_IO. */
cuzk_status cuzk_srs_local_note_read(srs_local_note *note, const char *path, cuzk_error *err);
/* Sets the date to now. */
void cuzk_srs_local_note_date(srs_local_note *note);
/* Never overwrites. */
cuzk_status cuzk_srs_local_note_write(const srs_local_note *note, const char *path,
                                      cuzk_error *err);

/* The files of one circuit. Borrowed strings; a digest is NULL where none is published. */
typedef struct srs_files {
    const char *params_path, *vk_path, *local_note_path;
    const char *params_digest, *vk_digest;
    bool allow_local;  /* accept what the local note vouches for */
    bool trust_params; /* take the .params for the published ones without reading them for their
                          digest */
} srs_files;

/* *local: accepted by the local note alone, so that results must say so.
 * Fails: CUZK_E_BAD_PARAMS with the expected and the found digest, or saying what would allow local
 * parameters; CUZK_E_NO_PARAMS, CUZK_E_IO, CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_accept_params(bool *local, const cuzk_ctx *ctx, const srs_files *files,
                                   cuzk_error *err);
cuzk_status cuzk_srs_accept_vk(bool *local, const cuzk_ctx *ctx, const srs_files *files,
                               cuzk_error *err);

/* Accepts, opens, and requires the key inside the .params to be that of the .vk file. What a
 * published digest vouches for is not checked for the curve again, unless options ask for the
 * subgroup. Fails: as the steps. */
cuzk_status cuzk_srs_load_params(srs_params **params, bool *local, const cuzk_ctx *ctx,
                                 const srs_files *files, const srs_params_options *options,
                                 cuzk_error *err);
/* Accepts and reads the .vk file alone: what a verifier needs. */
cuzk_status cuzk_srs_load_vk(srs_vk *key, bool *local, const cuzk_ctx *ctx, const srs_files *files,
                             cuzk_error *err);

#endif
