/* Densities from files, or computed and written. */
#include "engine/structure_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "engine/any_circuit.h"
#include "filecoin/circuit_sizes.h"
#include "r1cs/densities_file.h"

static bool join(char path[CACHE_PATH_CHARS], const char *directory, const char *name) {
    const int n = snprintf(path, CACHE_PATH_CHARS, "%s/%s", directory, name);
    return n > 0 && n < CACHE_PATH_CHARS;
}

bool cuzk_cache_directory(char path[CACHE_PATH_CHARS]) {
    const char *named = getenv("CUZK_CACHE"), *base = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (named != NULL) {
        const int n = snprintf(path, CACHE_PATH_CHARS, "%s", named);
        return n > 0 && n < CACHE_PATH_CHARS;
    }
    if (base != NULL && base[0] == '/') {
        return join(path, base, "cuzk");
    }
    return home != NULL && home[0] == '/' && join(path, home, ".cache/cuzk");
}

/* The directory of a file, and those above it. What cannot be made shows when the file is written.
 */
static void make_directories(const char *path) {
    char part[CACHE_PATH_CHARS];
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = '\0';
        mkdir(part, 0700);
    }
}

/* Whether these can be the circuit's, as far as its sizes are known. */
static bool sizes_fit(const r1cs_densities *d, const param_set *set) {
    const circuit_sizes *known = cuzk_circuit_sizes_of(set->id);
    return known == NULL ||
           (d->dims.n_constraints == known->n_constraints && d->dims.n_inputs == known->n_inputs &&
            d->dims.n_aux == known->n_aux && d->a_aux.n_set == known->a_aux_density &&
            d->b_aux.n_set == known->b_aux_density);
}

static cuzk_status read_file(r1cs_densities *d, const cuzk_ctx *ctx, const param_set *set,
                             const char *path, cuzk_error *err) {
    cuzk_status status = cuzk_densities_read(d, ctx, path, set->id, err);
    if (status == CUZK_OK && !sizes_fit(d, set)) {
        cuzk_r1cs_densities_clear(d);
        status = cuzk_fail(err, CUZK_E_INPUT, "its counts are not the circuit's");
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
    }
    return status;
}

static cuzk_status compute(r1cs_densities *d, const cuzk_ctx *ctx, const param_set *set,
                           cuzk_error *err) {
    any_circuit blank;
    cuzk_status status = cuzk_any_circuit_blank(&blank, set, err);
    return status == CUZK_OK ? cuzk_r1cs_densities(d, ctx, &blank.circuit, err) : status;
}

static void write_file(const r1cs_densities *d, const param_set *set, const char *path) {
    cuzk_error error;
    make_directories(path);
    if (cuzk_densities_write(path, d, set->id, &error) != CUZK_OK) {
        cuzk_log(CUZK_LOG_WARN, "engine", CUZK_LOG_FIELDS(log_text("circuit", set->id)),
                 "densities are not cached: %s", error.text);
    }
}

cuzk_status cuzk_structure_of(r1cs_densities *d, const cuzk_ctx *ctx, const param_set *set,
                              const char *directory, cuzk_error *err) {
    char path[CACHE_PATH_CHARS], name[PARAM_ID_CHARS + 16];
    cuzk_error refusal;
    snprintf(name, sizeof name, "%s.densities", set->id);
    if (directory == NULL || !join(path, directory, name)) {
        return compute(d, ctx, set, err);
    }
    if (cuzk_file_exists(path)) {
        cuzk_status status = read_file(d, ctx, set, path, &refusal);
        if (status == CUZK_E_NO_MEMORY || status == CUZK_E_CANCELLED) {
            if (err != NULL) {
                *err = refusal;
            }
            return status;
        }
        if (status == CUZK_OK) {
            return CUZK_OK;
        }
        cuzk_log(CUZK_LOG_WARN, "engine", CUZK_LOG_FIELDS(log_text("circuit", set->id)),
                 "cached densities are refused and made anew: %s", refusal.text);
    }
    cuzk_status status = compute(d, ctx, set, err);
    if (status == CUZK_OK) {
        write_file(d, set, path);
    }
    return status;
}
