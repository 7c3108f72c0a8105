/* Writing parameters as the setup makes them. */
#include "srs/params_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "codec/hex.h"
#include "curve/curve_kernels.h"
#include "hash/blake2.h"
#include "srs/srs_internal.h"

#define ENCODE_BYTES ((size_t)1 << 18)

enum { FILE_PARAMS, FILE_VK, FILE_META, FILE_NOTE, N_FILES };
static const char *const suffixes[N_FILES] = {".params", ".vk", ".meta", ".local.json"};

struct srs_writer {
    char *paths[N_FILES];
    cuzk_outfile *out; /* the .params */
    blake2b *hash;     /* of what was written to it */
    uint8_t *vk;
    size_t vk_bytes;
    uint64_t sector_bytes;
    char seed[33];
    int section;     /* being written; -1 before the first */
    uint64_t n_left; /* points of it still to come */
    uint8_t encoded[ENCODE_BYTES];
};

static void destroy(srs_writer *w) {
    for (int i = 0; i < N_FILES; i++) {
        free(w->paths[i]);
    }
    if (w->hash != NULL) {
        uint8_t ignored[BLAKE2B_BYTES];
        cuzk_blake2b_final(w->hash, ignored);
    }
    cuzk_outfile_abandon(w->out);
    free(w->vk);
    free(w);
}

static cuzk_status refuse_existing(const srs_writer *w, cuzk_error *err) {
    for (int i = 0; i < N_FILES; i++) {
        if (cuzk_file_exists(w->paths[i])) {
            cuzk_fail(err, CUZK_E_IO, "exists already and is not overwritten");
            cuzk_error_at_file(err, w->paths[i], CUZK_NOWHERE);
            return CUZK_E_IO;
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_srs_writer_create(srs_writer **writer, const srs_writer_options *options,
                                   cuzk_error *err) {
    *writer = NULL;
    srs_writer *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to write parameters");
    }
    for (int i = 0; i < N_FILES; i++) {
        if (asprintf(&w->paths[i], "%s%s", options->stem_path, suffixes[i]) < 0) {
            w->paths[i] = NULL;
            destroy(w);
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a file name");
        }
    }
    w->section = -1;
    w->sector_bytes = options->sector_bytes;
    if (options->seed != NULL) {
        cuzk_hex_encode(w->seed, options->seed, 16);
    } else {
        strcpy(w->seed, "random");
    }
    cuzk_status status = refuse_existing(w, err);
    if (status == CUZK_OK) {
        status =
            cuzk_outfile_create(&w->out, w->paths[FILE_PARAMS], 0666, options->expected_bytes, err);
    }
    if (status != CUZK_OK) {
        destroy(w);
        return status;
    }
    w->hash = cuzk_blake2b_create();
    *writer = w;
    return CUZK_OK;
}

void cuzk_srs_writer_abandon(srs_writer *writer) {
    if (writer != NULL) {
        destroy(writer);
    }
}

/* ---- the sink ---- */

static cuzk_status put(srs_writer *w, const void *data, size_t len_bytes, cuzk_error *err) {
    cuzk_blake2b_update(w->hash, data, len_bytes);
    return cuzk_outfile_write(w->out, data, len_bytes, err);
}

static cuzk_status refuse_count(const char *section, uint64_t n_points, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_RANGE, "section %s: %llu points do not fit a parameter file",
                     section, (unsigned long long)n_points);
}

static cuzk_status sink_vk(void *self, const groth16_vk *vk, cuzk_error *err) {
    srs_writer *w = self;
    CUZK_ASSERT(w->vk == NULL);
    if (vk->n_ic > UINT32_MAX) {
        return refuse_count("ic", vk->n_ic, err);
    }
    w->vk_bytes = (size_t)srs_vk_bytes(vk->n_ic);
    w->vk = malloc(w->vk_bytes);
    if (w->vk == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a verifying key");
    }
    cuzk_srs_vk_encode(w->vk, vk);
    return put(w, w->vk, w->vk_bytes, err);
}

static cuzk_status sink_section(void *self, groth16_section section, uint64_t n_points,
                                cuzk_error *err) {
    srs_writer *w = self;
    uint8_t count[4];
    CUZK_ASSERT(w->vk != NULL && (int)section == w->section + 1 && w->n_left == 0);
    if (n_points > UINT32_MAX) {
        return refuse_count(cuzk_srs_section_names[section], n_points, err);
    }
    w->section = (int)section;
    w->n_left = n_points;
    store_be32(count, (uint32_t)n_points);
    return put(w, count, sizeof count, err);
}

static cuzk_status sink_g1(void *self, const g1_affine *points, size_t n, cuzk_error *err) {
    srs_writer *w = self;
    const size_t most = ENCODE_BYTES / G1_UNCOMPRESSED_BYTES;
    CUZK_ASSERT(w->section >= 0 && w->section != GROTH16_B_G2 && n <= w->n_left);
    w->n_left -= n;
    cuzk_status status = CUZK_OK;
    while (n > 0 && status == CUZK_OK) {
        const size_t run = n < most ? n : most;
        cuzk_curve_kernels()->g1_encode(w->encoded, points, run);
        status = put(w, w->encoded, run * G1_UNCOMPRESSED_BYTES, err);
        points += run;
        n -= run;
    }
    return status;
}

static cuzk_status sink_g2(void *self, const g2_affine *points, size_t n, cuzk_error *err) {
    srs_writer *w = self;
    const size_t most = ENCODE_BYTES / G2_UNCOMPRESSED_BYTES;
    CUZK_ASSERT(w->section == GROTH16_B_G2 && n <= w->n_left);
    w->n_left -= n;
    cuzk_status status = CUZK_OK;
    while (n > 0 && status == CUZK_OK) {
        const size_t run = n < most ? n : most;
        cuzk_curve_kernels()->g2_encode(w->encoded, points, run);
        status = put(w, w->encoded, run * G2_UNCOMPRESSED_BYTES, err);
        points += run;
        n -= run;
    }
    return status;
}

groth16_sink cuzk_srs_writer_sink(srs_writer *writer) {
    return (groth16_sink){
        .self = writer, .vk = sink_vk, .section = sink_section, .g1 = sink_g1, .g2 = sink_g2};
}

/* ---- finishing ---- */

static void short_digest(char digest[SRS_DIGEST_CHARS], const uint8_t full[BLAKE2B_BYTES]) {
    cuzk_hex_encode(digest, full, (SRS_DIGEST_CHARS - 1) / 2);
}

static void fill_note(srs_local_note *note, srs_writer *w) {
    uint8_t full[BLAKE2B_BYTES];
    memset(note, 0, sizeof *note);
    cuzk_blake2b_final(w->hash, full);
    w->hash = NULL;
    short_digest(note->params_digest, full);
    cuzk_blake2b(full, w->vk, w->vk_bytes);
    short_digest(note->vk_digest, full);
    memcpy(note->seed, w->seed, sizeof note->seed);
    cuzk_srs_local_note_date(note);
}

cuzk_status cuzk_srs_writer_finish(srs_writer *writer, srs_local_note *note, cuzk_error *err) {
    srs_writer *w = writer;
    char meta[64];
    CUZK_ASSERT(w->section == GROTH16_B_G2 && w->n_left == 0);
    fill_note(note, w);
    const int meta_len =
        snprintf(meta, sizeof meta, "{\"sector_size\":%llu}", (unsigned long long)w->sector_bytes);
    int n_made = 0; /* of paths */
    cuzk_outfile *out = w->out;
    w->out = NULL;
    cuzk_status status = cuzk_outfile_commit(out, false, err);
    if (status == CUZK_OK) {
        n_made++;
        status = cuzk_file_write(w->paths[FILE_VK], w->vk, w->vk_bytes, false, err);
    }
    if (status == CUZK_OK) {
        n_made++;
        status = cuzk_file_write(w->paths[FILE_META], meta, (size_t)meta_len, false, err);
    }
    if (status == CUZK_OK) {
        n_made++;
        status = cuzk_srs_local_note_write(note, w->paths[FILE_NOTE], err);
    }
    for (int i = 0; status != CUZK_OK && i < n_made; i++) {
        unlink(w->paths[i]);
    }
    destroy(w);
    return status;
}
