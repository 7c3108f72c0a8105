/* Local parameters. */
#include "engine/setup_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/entropy.h"
#include "base/file.h"
#include "codec/hex.h"
#include "engine/any_circuit.h"
#include "engine/param_files.h"
#include "groth16/aggregate.h"
#include "groth16/setup.h"
#include "hash/blake2.h"
#include "srs/params_writer.h"

/* ---- making ---- */

/* A generator over the system's random bytes, for rng_source. A failing system ends the process:
 * there is no way on. */
static void system_fill(void *self, uint8_t *out, size_t len_bytes) {
    (void)self;
    cuzk_error err;
    if (cuzk_entropy(out, len_bytes, &err) != CUZK_OK) {
        fprintf(stderr, "cuzk: %s\n", err.text);
        abort();
    }
}

static uint64_t system_u64(void *self) {
    uint64_t value;
    system_fill(self, (uint8_t *)&value, sizeof value);
    return value;
}

static void draw_toxic(groth16_toxic *toxic, const uint8_t *seed) {
    if (seed != NULL) {
        xorshift_rng rng;
        cuzk_xorshift_init(&rng, seed);
        rng_source source = cuzk_rng_from_xorshift(&rng);
        cuzk_groth16_toxic_draw(toxic, &source);
    } else {
        rng_source source = {.next_u64 = system_u64, .fill = system_fill};
        cuzk_groth16_toxic_draw(toxic, &source);
    }
}

static uint64_t expected_bytes(const param_set *set) {
    const circuit_sizes *sizes = cuzk_circuit_sizes_of(set->id);
    uint64_t bytes = 0;
    if (sizes != NULL) {
        groth16_dims dims = cuzk_circuit_dims(sizes);
        if (cuzk_srs_params_file_bytes(&bytes, &dims, NULL) != CUZK_OK) {
            bytes = 0;
        }
    }
    return bytes;
}

cuzk_status cuzk_setup_run(cuzk_prover *prover, const param_set *set, const uint8_t *seed,
                           const char *directory, cuzk_error *err) {
    if (directory == NULL && strcmp(prover->param_cache, PARAM_CACHE_DEFAULT) == 0) {
        return cuzk_fail(err, CUZK_E_ARGUMENT,
                         "local parameters do not go into the production directory %s unless it is "
                         "named with --param-cache",
                         PARAM_CACHE_DEFAULT);
    }
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    any_circuit blank;
    param_files files;
    srs_writer *writer = NULL;
    cuzk_status status = cuzk_any_circuit_blank(&blank, set, err);
    if (status == CUZK_OK) {
        status = cuzk_param_files_init(&files, directory != NULL ? directory : prover->param_cache,
                                       set, true, err);
    }
    if (status == CUZK_OK) {
        srs_writer_options options = {.stem_path = files.stem_path,
                                      .sector_bytes = set->sector_bytes,
                                      .seed = seed,
                                      .expected_bytes = expected_bytes(set)};
        status = cuzk_srs_writer_create(&writer, &options, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    groth16_toxic toxic;
    groth16_sink sink = cuzk_srs_writer_sink(writer);
    draw_toxic(&toxic, seed);
    status = cuzk_groth16_setup(&ctx, &sink, &blank.circuit, &toxic, err);
    cuzk_wipe(&toxic, sizeof toxic);
    if (status != CUZK_OK) {
        cuzk_srs_writer_abandon(writer);
        return status;
    }
    srs_local_note note;
    return cuzk_srs_writer_finish(writer, &note, err);
}

/* ---- the SRS of SnarkPack ---- */

static cuzk_status draw_srs(aggregate_srs **srs, const cuzk_ctx *ctx, size_t n_proofs,
                            const uint64_t *seed, cuzk_error *err) {
    if (seed != NULL) {
        chacha_rng rng;
        cuzk_chacha20_seed_u64(&rng, *seed);
        rng_source source = cuzk_rng_from_chacha(&rng);
        return cuzk_aggregate_srs_fake(srs, ctx, &source, n_proofs, err);
    }
    rng_source source = {.next_u64 = system_u64, .fill = system_fill};
    return cuzk_aggregate_srs_fake(srs, ctx, &source, n_proofs, err);
}

static cuzk_status write_srs(const cuzk_ctx *ctx, const param_files *files,
                             const aggregate_srs *srs, const uint64_t *seed, cuzk_error *err) {
    cuzk_block bytes;
    cuzk_status status = cuzk_block_alloc(&bytes, ctx->account, cuzk_aggregate_srs_bytes(srs),
                                          "an aggregation SRS's bytes", err);
    if (status != CUZK_OK) {
        return status;
    }
    uint8_t hash[BLAKE2B_BYTES];
    srs_local_note note = {0};
    cuzk_aggregate_srs_write(bytes.data, srs);
    cuzk_blake2b(hash, bytes.data, bytes.len_bytes);
    cuzk_hex_encode(note.params_digest, hash, (SRS_DIGEST_CHARS - 1) / 2);
    if (seed != NULL) {
        snprintf(note.seed, sizeof note.seed, "%llu", (unsigned long long)*seed);
    } else {
        snprintf(note.seed, sizeof note.seed, "random");
    }
    cuzk_srs_local_note_date(&note);
    status = cuzk_file_write(files->params_path, bytes.data, bytes.len_bytes, false, err);
    if (status == CUZK_OK) {
        status = cuzk_srs_local_note_write(&note, files->note_path, err);
        if (status != CUZK_OK) {
            unlink(files->params_path);
        }
    }
    cuzk_block_free(&bytes);
    return status;
}

cuzk_status cuzk_setup_srs_run(cuzk_prover *prover, const char *path, size_t n_proofs,
                               const uint64_t *seed, cuzk_error *err) {
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    param_files files;
    aggregate_srs *srs = NULL;
    const size_t n_padded = n_proofs > 0 ? cuzk_aggregate_padded(n_proofs) : 0;
    cuzk_status status = cuzk_aggregation_files_init(&files, NULL, path, true, err);
    if (status == CUZK_OK && cuzk_file_exists(path)) {
        status = cuzk_fail(err, CUZK_E_IO, "exists");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
    }
    if (status == CUZK_OK) {
        status = draw_srs(&srs, &ctx, n_padded > 0 ? n_padded : n_proofs, seed, err);
    }
    if (status == CUZK_OK) {
        status = write_srs(&ctx, &files, srs, seed, err);
    }
    cuzk_aggregate_srs_destroy(srs);
    return status;
}

/* ---- judging ---- */

static cuzk_status judge_one(const cuzk_ctx *ctx, cuzk_param_state *state, const char *path,
                             const char *published, const char *noted, cuzk_error *err) {
    memset(state, 0, sizeof *state);
    const char *name = strrchr(path, '/');
    snprintf(state->file, sizeof state->file, "%s", name != NULL ? name + 1 : path);
    snprintf(state->expected, sizeof state->expected, "%s", published != NULL ? published : "");
    if (!cuzk_file_exists(path)) {
        state->state = CUZK_PARAM_MISSING;
        return CUZK_OK;
    }
    cuzk_status status = cuzk_srs_digest_remembered(state->digest, ctx, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (published != NULL && strcmp(state->digest, published) == 0) {
        state->state = CUZK_PARAM_GOOD;
    } else if (noted != NULL && strcmp(state->digest, noted) == 0) {
        state->state = CUZK_PARAM_LOCAL;
    } else {
        state->state = CUZK_PARAM_BAD;
        snprintf(state->text, sizeof state->text, "digest is not %s%s",
                 published != NULL ? "the published " : "that of a local note",
                 published != NULL ? published : "");
    }
    return CUZK_OK;
}

cuzk_status cuzk_param_files_judge(cuzk_prover *prover, cuzk_param_state state[2],
                                   const param_set *set, const char *directory, bool every_point,
                                   cuzk_error *err) {
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    param_files files;
    srs_local_note note;
    cuzk_status status = cuzk_param_files_init(
        &files, directory != NULL ? directory : prover->param_cache, set, true, err);
    if (status != CUZK_OK) {
        return status;
    }
    bool has_note = cuzk_srs_local_note_read(&note, files.note_path, NULL) == CUZK_OK;
    status = judge_one(&ctx, &state[0], files.params_path, set->params_digest,
                       has_note ? note.params_digest : NULL, err);
    if (status == CUZK_OK) {
        status = judge_one(&ctx, &state[1], files.vk_path, set->vk_digest,
                           has_note ? note.vk_digest : NULL, err);
    }
    if (status == CUZK_OK && every_point && state[0].state != CUZK_PARAM_MISSING) {
        cuzk_error why;
        status = cuzk_srs_params_check_points(&ctx, files.params_path, &why);
        if (status == CUZK_E_BAD_PARAMS) {
            state[0].state = CUZK_PARAM_BAD;
            snprintf(state[0].text, sizeof state[0].text, "%.290s", why.text);
            status = CUZK_OK;
        } else if (status != CUZK_OK && err != NULL) {
            *err = why;
        }
    }
    return status;
}
