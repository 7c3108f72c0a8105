/* One circuit's parameters, from files to keys in memory. */
#include "engine/param_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/log.h"
#include "engine/prove_memory.h"
#include "msm/msm.h"

#define PROGRESS_NS (5 * NS_PER_S)
/* Shorter files are left to the page cache when they are not held in memory. */
#define STREAM_BYTES ((uint64_t)1 << 30)

/* ---- what is wrong with a file ---- */

static cuzk_status fail_missing(const param_set *set, const char *path, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_NO_PARAMS, "SRS param file not found for %s: %s", set->id, path);
}

/* Whether the .params begins with what the .vk holds. */
static bool begins_with_vk(const param_files *files) {
    cuzk_map params, vk;
    bool same = false;
    if (cuzk_map_open(&vk, files->vk_path, NULL) != CUZK_OK) {
        return false;
    }
    if (cuzk_map_open(&params, files->params_path, NULL) == CUZK_OK) {
        size_t n = vk.len_bytes < params.len_bytes ? vk.len_bytes : params.len_bytes;
        same = n != 0 && memcmp(vk.data, params.data, n) == 0;
        cuzk_map_close(&params);
    }
    cuzk_map_close(&vk);
    return same;
}

/* The circuit whose files have that digest: published, or by the note beside local ones; NULL if
 * none is known. The rest of *other is scratch. */
static const char *owner_of(param_set *other, const char *found, const param_set *set,
                            const char *directory) {
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        param_files files;
        srs_local_note note;
        cuzk_param_set_at(other, i);
        if (strcmp(other->id, set->id) == 0 ||
            cuzk_param_files_init(&files, directory, other, true, NULL) != CUZK_OK) {
            continue;
        }
        if ((other->params_digest != NULL && strcmp(found, other->params_digest) == 0) ||
            (cuzk_srs_local_note_read(&note, files.note_path, NULL) == CUZK_OK &&
             strcmp(found, note.params_digest) == 0)) {
            return other->id;
        }
    }
    return NULL;
}

/* Adds to a refusal of a .params file whose it is. */
static void name_owner(const param_files *files, const cuzk_ctx *ctx, const param_set *set,
                       const char *directory, cuzk_error *err) {
    char found[SRS_DIGEST_CHARS];
    param_set other;
    const char *id = cuzk_srs_digest_remembered(found, ctx, files->params_path, NULL) == CUZK_OK
                         ? owner_of(&other, found, set, directory)
                         : NULL;
    if (id != NULL) {
        cuzk_error_prefix(err, "the parameters of %s in the place of those of %s: ", id, set->id);
    }
}

/* Both files are there, and the .params has the length that the circuit implies. */
static cuzk_status look_at_files(param_files *files, const cuzk_ctx *ctx, const groth16_dims *dims,
                                 const param_set *set, const char *directory, cuzk_error *err) {
    uint64_t expected;
    struct stat info;
    cuzk_status status = cuzk_srs_params_file_bytes(&expected, dims, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (stat(files->params_path, &info) != 0) {
        return fail_missing(set, files->params_path, err);
    }
    const uint64_t found = (uint64_t)info.st_size;
    if (found == expected) {
        return CUZK_OK;
    }
    status = cuzk_fail(err, CUZK_E_BAD_PARAMS, "%s: %" PRIu64 " bytes, %s has %" PRIu64,
                       found < expected && begins_with_vk(files) ? "truncated" : "wrong length",
                       found, set->id, expected);
    cuzk_error_at_file(err, files->params_path, CUZK_NOWHERE);
    if (!begins_with_vk(files)) {
        name_owner(files, ctx, set, directory, err);
    }
    return status;
}

/* ---- plan ---- */

/* What the reader charges, with room for one more chunk for a second pass over the key. */
static size_t reader_bytes(const groth16_dims *dims, srs_params_options *file, srs_tier tier) {
    file->tier = tier;
    const size_t bytes = cuzk_srs_params_bytes(dims, file);
    if (tier == SRS_RESIDENT || bytes == SIZE_MAX) {
        return bytes;
    }
    srs_params_options mapped = {.tier = SRS_MAPPED, .n_buffers = 1}, more = mapped;
    more.n_buffers = 2;
    return bytes + cuzk_srs_params_bytes(dims, &more) - cuzk_srs_params_bytes(dims, &mapped);
}

/* What the back end needs for the key in that file, and for one proof on it or in the last attempt
 * at it. */
static groth16_need back_end_need(const cuzk_ctx *ctx, const groth16_backend *backend,
                                  const groth16_dims *dims, const srs_params_options *file) {
    const groth16_pk pk = cuzk_srs_planned_pk(dims, file);
    const groth16_backend *cpu = &cuzk_groth16_cpu_backend;
    const cuzk_cpu_level level = cuzk_cpu_level_now();
    groth16_need need, last;
    backend->need(backend, &need, ctx, &pk, 1, 0);
    const cuzk_cpu_level limit =
        cuzk_cpu_limit(level == CUZK_CPU_PORTABLE ? level : (cuzk_cpu_level)(level - 1));
    cpu->need(cpu, &last, ctx, &pk, 1, 0);
    cuzk_cpu_limit(limit);
    need.job_bytes = size_larger(need.job_bytes, last.key_bytes + last.job_bytes);
    return need;
}

/* Chooses load->file.tier. *len_bytes: of the parameters. witness_*: the most memory of one while
 * it is made, and after. */
static cuzk_status choose_tier(param_load *load, size_t *len_bytes, const cuzk_ctx *ctx,
                               const param_manager_options *options, const param_set *set,
                               cuzk_priority priority, size_t witness_peak_bytes,
                               size_t witness_kept_bytes, cuzk_error *err) {
    const groth16_dims dims = cuzk_groth16_dims_of(&load->keys.densities);
    const size_t densities = cuzk_r1cs_densities_bytes(dims.n_inputs, dims.n_aux);
    uint64_t file_bytes = 0;
    cuzk_srs_params_file_bytes(&file_bytes, &dims, NULL);
    srs_tier tiers[] = {SRS_RESIDENT, file_bytes >= STREAM_BYTES ? SRS_STREAMED : SRS_MAPPED,
                        SRS_MAPPED};
    size_t n_tiers = sizeof tiers / sizeof *tiers;
    if (options->tier != CUZK_TIER_AUTO) {
        tiers[0] = cuzk_srs_tier_of(options->tier);
        n_tiers = 1;
    }
    cuzk_status status = CUZK_E_NO_MEMORY;
    char what[80];
    snprintf(what, sizeof what, "%s with its parameters", set->id);
    for (size_t i = 0; status != CUZK_OK && i < n_tiers; i++) {
        load->file_bytes = reader_bytes(&dims, &load->file, tiers[i]);
        const groth16_need need = back_end_need(ctx, options->backend, &dims, &load->file);
        load->work_bytes = size_larger(witness_peak_bytes, witness_kept_bytes + need.job_bytes);
        *len_bytes = load->file_bytes + densities + need.key_bytes;
        const size_t sum = *len_bytes + load->work_bytes;
        status = *len_bytes < load->file_bytes || sum < load->work_bytes
                     ? cuzk_fail(err, CUZK_E_NO_MEMORY, "%s needs more than there can be", what)
                     : cuzk_budget_check(options->budget, sum, priority, what, err);
    }
    return status;
}

cuzk_status cuzk_param_load_plan(param_load *load, size_t *len_bytes, const cuzk_ctx *ctx,
                                 const param_manager_options *options, const param_set *set,
                                 cuzk_priority priority, cuzk_error *err) {
    const cuzk_ctx own = {.pool = options->pool, .priority = priority, .cancel = ctx->cancel};
    any_circuit blank;
    size_t kept_bytes = 0, peak_bytes = 0;
    param_files *files = &load->keys.files;
    cuzk_status status =
        cuzk_param_files_init(files, options->directory, set, options->allow_local, err);
    files->srs.trust_params |= options->trust_params;
    if (status == CUZK_OK && !cuzk_file_exists(files->params_path)) {
        status = fail_missing(set, files->params_path, err);
    }
    if (status == CUZK_OK && !cuzk_file_exists(files->vk_path)) {
        status = fail_missing(set, files->vk_path, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_partition_keys_bind(&load->keys, &own, set, err);
    }
    if (status == CUZK_OK) {
        const groth16_dims dims = cuzk_groth16_dims_of(&load->keys.densities);
        status = look_at_files(files, &own, &dims, set, options->directory, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_any_circuit_blank(&blank, set, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_r1cs_witness_bytes(&kept_bytes, &peak_bytes, &own, &blank.circuit, err);
    }
    return status == CUZK_OK ? choose_tier(load, len_bytes, &own, options, set, priority,
                                           peak_bytes, kept_bytes, err)
                             : status;
}

/* ---- run ---- */

/* Where a load is, for the log. */
typedef struct progress_log {
    const char *circuit;
    uint64_t last_ns;
} progress_log;

static void log_progress(void *arg, const char *phase, uint64_t done, uint64_t total) {
    progress_log *p = arg;
    const uint64_t now_ns = cuzk_wall_ns();
    if (now_ns - p->last_ns < PROGRESS_NS || total == 0) {
        return;
    }
    p->last_ns = now_ns;
    cuzk_log(
        CUZK_LOG_INFO, "engine",
        CUZK_LOG_FIELDS(log_text("circuit", p->circuit), log_text("phase", phase),
                        log_number("percent", (uint64_t)(100.0 * (double)done / (double)total))),
        "loading SRS parameters");
}

static cuzk_status open_and_attach(param_load *load, const cuzk_ctx *ctx,
                                   const param_manager_options *options, const param_set *set,
                                   cuzk_error *err) {
    cuzk_status status = cuzk_partition_keys_open(&load->keys, ctx, &load->file, err);
    if (status == CUZK_E_BAD_PARAMS) {
        name_owner(&load->keys.files, ctx, set, options->directory, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_partition_keys_bind(&load->keys, ctx, set, err);
    }
    if (status == CUZK_OK) {
        const cuzk_ctx no_account = {
            .pool = ctx->pool, .priority = ctx->priority, .cancel = ctx->cancel};
        status = options->backend->key_attach(options->backend, &load->key, &no_account,
                                              cuzk_srs_params_pk(load->keys.params), err);
    }
    return status;
}

cuzk_status cuzk_param_load_run(param_load *load, const cuzk_ctx *ctx,
                                const param_manager_options *options, const param_set *set,
                                cuzk_error *err) {
    static const char *const tier_names[] = {"mapped", "streamed", "resident"};
    progress_log progress = {.circuit = set->id, .last_ns = cuzk_wall_ns()};
    const uint64_t start_ns = cuzk_wall_ns();
    cuzk_status status = cuzk_account_create(&load->account, load->file_bytes, err);
    if (status == CUZK_OK) {
        const cuzk_ctx own = {.pool = options->pool,
                              .priority = ctx->priority,
                              .cancel = ctx->cancel,
                              .progress = log_progress,
                              .progress_arg = &progress,
                              .account = load->account};
        status = open_and_attach(load, &own, options, set, err);
    }
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "engine",
                 CUZK_LOG_FIELDS(log_text("circuit", set->id),
                                 log_text("tier", tier_names[load->file.tier]),
                                 log_number("bytes", load->file_bytes),
                                 log_number("load_ms", (cuzk_wall_ns() - start_ns) / NS_PER_MS)),
                 "SRS parameters loaded");
    }
    return status;
}

void cuzk_param_unload(param_load *load) {
    if (load->key != NULL) {
        load->key->backend->key_detach(load->key);
    }
    cuzk_partition_keys_clear(&load->keys);
    cuzk_account_destroy(load->account);
    memset(load, 0, sizeof *load);
}
