/* Accepting parameter files, and notes about local ones. */
#include "srs/accept.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "codec/flat_json.h"
#include "srs/srs_internal.h"

#define MAX_NOTE_BYTES 4096

cuzk_status cuzk_srs_local_note_read(srs_local_note *note, const char *path, cuzk_error *err) {
    srs_bytes bytes;
    uint8_t text[MAX_NOTE_BYTES];
    flat_json_member members[] = {
        {.name = "params_digest", .text = note->params_digest, .room = sizeof note->params_digest},
        {.name = "vk_digest", .text = note->vk_digest, .room = sizeof note->vk_digest},
        {.name = "seed", .text = note->seed, .room = sizeof note->seed},
        {.name = "date", .text = note->date, .room = sizeof note->date},
    };
    const size_t n_members = sizeof members / sizeof *members;
    memset(note, 0, sizeof *note);
    cuzk_status status = cuzk_srs_bytes_open(&bytes, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (bytes.len_bytes > sizeof text) {
        status = cuzk_fail(err, CUZK_E_BAD_PARAMS, "too long for a note about local parameters");
    } else if (cuzk_srs_bytes_at(&bytes, 0, (size_t)bytes.len_bytes, text) == NULL) {
        status = cuzk_srs_bytes_failed(&bytes, 0, err);
    } else if (cuzk_flat_json_read(members, n_members, (const char *)text, (size_t)bytes.len_bytes,
                                   err) != CUZK_OK) {
        status = CUZK_E_BAD_PARAMS;
    }
    for (size_t i = 0; status == CUZK_OK && i < n_members; i++) {
        if (!members[i].found) {
            status = cuzk_fail(err, CUZK_E_BAD_PARAMS,
                               "a note about local parameters without \"%s\"", members[i].name);
        }
    }
    if (status == CUZK_E_BAD_PARAMS && err != NULL) {
        err->status = status;
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
    }
    cuzk_srs_bytes_close(&bytes);
    return status;
}

void cuzk_srs_local_note_date(srs_local_note *note) {
    const time_t now = time(NULL);
    struct tm utc;
    strftime(note->date, sizeof note->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

cuzk_status cuzk_srs_local_note_write(const srs_local_note *note, const char *path,
                                      cuzk_error *err) {
    char text[512];
    int len = snprintf(
        text, sizeof text,
        "{\"params_digest\":\"%s\",\"vk_digest\":\"%s\",\"seed\":\"%s\",\"date\":\"%s\"}\n",
        note->params_digest, note->vk_digest, note->seed, note->date);
    return cuzk_file_write(path, text, (size_t)len, false, err);
}

typedef enum verdict { UNKNOWN_FILE, PUBLISHED_FILE, TRUSTED_FILE, LOCAL_FILE } verdict;

static verdict judge(const char *digest, const char *published, bool is_vk,
                     const srs_files *files) {
    srs_local_note note;
    if (published != NULL && strcmp(digest, published) == 0) {
        return PUBLISHED_FILE;
    }
    const bool noted = cuzk_srs_local_note_read(&note, files->local_note_path, NULL) == CUZK_OK &&
                       strcmp(digest, is_vk ? note.vk_digest : note.params_digest) == 0;
    return noted ? LOCAL_FILE : UNKNOWN_FILE;
}

static cuzk_status refuse(const char *path, const char *digest, verdict v, const char *published,
                          const srs_files *files, cuzk_error *err) {
    if (v == LOCAL_FILE) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS,
                  "made on this machine and insecure: only accepted with --allow-local-params "
                  "(srs.allow_local)");
    } else if (published != NULL) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "digest %s expected, %s found", published, digest);
    } else {
        cuzk_fail(err, CUZK_E_BAD_PARAMS,
                  "no digest is published for it, and %s does not vouch for digest %s",
                  files->local_note_path, digest);
    }
    cuzk_error_at_file(err, path, CUZK_NOWHERE);
    return CUZK_E_BAD_PARAMS;
}

/* *v: what the file is, if that is good enough. */
static cuzk_status accept(verdict *v, const cuzk_ctx *ctx, bool is_vk, const srs_files *files,
                          cuzk_error *err) {
    char digest[SRS_DIGEST_CHARS];
    const char *path = is_vk ? files->vk_path : files->params_path;
    const char *published = is_vk ? files->vk_digest : files->params_digest;
    *v = UNKNOWN_FILE;
    if (published != NULL && files->trust_params && !is_vk) {
        *v = TRUSTED_FILE;
        return CUZK_OK;
    }
    cuzk_status status = is_vk ? cuzk_srs_digest_file(digest, ctx, path, err)
                               : cuzk_srs_digest_remembered(digest, ctx, path, err);
    if (status == CUZK_OK) {
        *v = judge(digest, published, is_vk, files);
    }
    if (status == CUZK_OK && *v == UNKNOWN_FILE && !is_vk) {
        /* What was remembered may be wrong: a file is refused for what it holds. */
        cuzk_srs_digest_forget(path);
        status = cuzk_srs_digest_remembered(digest, ctx, path, err);
        *v = status == CUZK_OK ? judge(digest, published, is_vk, files) : UNKNOWN_FILE;
    }
    if (status != CUZK_OK) {
        return status;
    }
    return *v == PUBLISHED_FILE || (*v == LOCAL_FILE && files->allow_local)
               ? CUZK_OK
               : refuse(path, digest, *v, published, files, err);
}

cuzk_status cuzk_srs_accept_params(bool *local, const cuzk_ctx *ctx, const srs_files *files,
                                   cuzk_error *err) {
    verdict v;
    cuzk_status status = accept(&v, ctx, false, files, err);
    *local = v == LOCAL_FILE;
    return status;
}

cuzk_status cuzk_srs_accept_vk(bool *local, const cuzk_ctx *ctx, const srs_files *files,
                               cuzk_error *err) {
    verdict v;
    cuzk_status status = accept(&v, ctx, true, files, err);
    *local = v == LOCAL_FILE;
    return status;
}

cuzk_status cuzk_srs_load_params(srs_params **params, bool *local, const cuzk_ctx *ctx,
                                 const srs_files *files, const srs_params_options *options,
                                 cuzk_error *err) {
    verdict v, vk_v = UNKNOWN_FILE;
    *params = NULL;
    cuzk_status status = accept(&v, ctx, false, files, err);
    if (status == CUZK_OK) {
        status = accept(&vk_v, ctx, true, files, err);
    }
    *local = v == LOCAL_FILE || vk_v == LOCAL_FILE;
    if (status == CUZK_OK) {
        srs_params_options checked = options != NULL ? *options : (srs_params_options){0};
        if (v == PUBLISHED_FILE && checked.check == POINT_CHECK_CURVE) {
            checked.check = POINT_CHECK_COORDINATES;
        }
        status = cuzk_srs_params_open(params, ctx, files->params_path, &checked, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_srs_params_same_vk(*params, files->vk_path, err);
    }
    if (status != CUZK_OK) {
        cuzk_srs_params_close(*params);
        *params = NULL;
    }
    return status;
}

cuzk_status cuzk_srs_load_vk(srs_vk *key, bool *local, const cuzk_ctx *ctx, const srs_files *files,
                             cuzk_error *err) {
    memset(key, 0, sizeof *key);
    cuzk_status status = cuzk_srs_accept_vk(local, ctx, files, err);
    return status != CUZK_OK ? status : cuzk_srs_vk_open(key, ctx, files->vk_path, err);
}
