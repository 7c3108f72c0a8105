/* Parameter files of a circuit. */
#include "engine/param_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* TRUST_PARAMS=1 takes .params files for the published ones without reading them, as elsewhere in
 * the network's tools. */
static bool trusted_by_environment(void) {
    const char *value = getenv("TRUST_PARAMS");
    return value != NULL && strcmp(value, "1") == 0;
}

static bool join(char path[PARAM_PATH_CHARS], const char *directory, const char *stem,
                 const char *suffix) {
    size_t len = strlen(directory);
    const char *slash = len > 0 && directory[len - 1] == '/' ? "" : "/";
    int n = snprintf(path, PARAM_PATH_CHARS, "%s%s%s%s", directory, slash, stem, suffix);
    return n > 0 && n < PARAM_PATH_CHARS;
}

cuzk_status cuzk_param_files_init(param_files *files, const char *directory, const param_set *set,
                                  bool allow_local, cuzk_error *err) {
    char stem[PARAM_STEM_CHARS];
    cuzk_param_set_stem(stem, set);
    if (!join(files->params_path, directory, stem, ".params") ||
        !join(files->vk_path, directory, stem, ".vk") ||
        !join(files->note_path, directory, stem, ".local.json") ||
        !join(files->stem_path, directory, stem, "")) {
        return cuzk_fail(err, CUZK_E_RANGE, "the parameter directory's name is too long: %.100s...",
                         directory);
    }
    files->srs = (srs_files){.params_path = files->params_path,
                             .vk_path = files->vk_path,
                             .local_note_path = files->note_path,
                             .params_digest = set->params_digest,
                             .vk_digest = set->vk_digest,
                             .allow_local = allow_local,
                             .trust_params = trusted_by_environment()};
    return CUZK_OK;
}

cuzk_status cuzk_aggregation_files_init(param_files *files, const char *directory, const char *path,
                                        bool allow_local, cuzk_error *err) {
    bool fits = path != NULL
                    ? snprintf(files->params_path, PARAM_PATH_CHARS, "%s", path) < PARAM_PATH_CHARS
                    : join(files->params_path, directory, SRS_FILE_NAME, "");
    size_t len = fits ? strlen(files->params_path) : 0;
    len -= len >= 4 && strcmp(files->params_path + len - 4, ".srs") == 0 ? 4 : 0;
    fits = fits && snprintf(files->note_path, PARAM_PATH_CHARS, "%.*s.local.json", (int)len,
                            files->params_path) < PARAM_PATH_CHARS;
    if (!fits) {
        return cuzk_fail(err, CUZK_E_RANGE, "the SRS file's name is too long: %.100s...",
                         path != NULL ? path : directory);
    }
    files->vk_path[0] = files->stem_path[0] = '\0';
    files->srs = (srs_files){.params_path = files->params_path,
                             .local_note_path = files->note_path,
                             .params_digest = SRS_FILE_DIGEST,
                             .allow_local = allow_local};
    return CUZK_OK;
}

groth16_dims cuzk_circuit_dims(const circuit_sizes *sizes) {
    return (groth16_dims){.log2_domain = sizes->log2_domain,
                          .n_inputs = sizes->n_inputs,
                          .n_aux = sizes->n_aux,
                          .n_h = (1ull << sizes->log2_domain) - 1,
                          .n_l = sizes->n_aux,
                          .n_a = sizes->n_inputs + sizes->a_aux_density,
                          .n_b = 1 + sizes->b_aux_density};
}
