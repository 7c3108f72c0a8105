/* Parameter files of a circuit: where they lie and what loading them gives (groth16.md 2.4, 2.5).
 */
#ifndef CUZK_ENGINE_PARAM_FILES_H
#define CUZK_ENGINE_PARAM_FILES_H

#include "engine/handle.h"
#include "filecoin/circuit_sizes.h"
#include "filecoin/param_set.h"
#include "srs/accept.h"

#define PARAM_PATH_CHARS 4096

/* The paths of one circuit's files in a directory, and its published digests. */
typedef struct param_files {
    char params_path[PARAM_PATH_CHARS], vk_path[PARAM_PATH_CHARS], note_path[PARAM_PATH_CHARS];
    char stem_path[PARAM_PATH_CHARS];
    srs_files srs; /* refers to the paths above */
} param_files;

/* Fails: CUZK_E_RANGE if a path is too long. *files must stay where it is as long as files->srs is
 * used. */
cuzk_status cuzk_param_files_init(param_files *files, const char *directory, const param_set *set,
                                  bool allow_local, cuzk_error *err);
/* The same for an .srs file of SnarkPack (params_path): `path`, or if NULL the published one in the
 * directory. The note about a local one lies beside it: its name without ".srs", with
 * ".local.json". */
cuzk_status cuzk_aggregation_files_init(param_files *files, const char *directory, const char *path,
                                        bool allow_local, cuzk_error *err);

/* The dimensions of a key of that circuit. */
groth16_dims cuzk_circuit_dims(const circuit_sizes *sizes);

#endif
