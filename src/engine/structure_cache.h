/* The structure of circuits, computed once and kept in files (r1cs/densities_file.h). */
#ifndef CUZK_ENGINE_STRUCTURE_CACHE_H
#define CUZK_ENGINE_STRUCTURE_CACHE_H

#include "filecoin/param_set.h"
#include "r1cs/structure.h"

#define CACHE_PATH_CHARS 4096

/* Where this user's caches are: $CUZK_CACHE, else $XDG_CACHE_HOME/cuzk, else $HOME/.cache/cuzk.
 * false if that is empty ($CUZK_CACHE= says so) or too long: nothing is cached. */
bool cuzk_cache_directory(char path[CACHE_PATH_CHARS]);

/* The densities of a set's circuit, from ID.densities in that directory (NULL: no cache). A file
 * that is missing is written; one that is damaged, of another version or of another circuit is
 * replaced, with a line in the log. A directory that cannot be written costs a line, too. Fails: as
 * cuzk_r1cs_densities. */
cuzk_status cuzk_structure_of(r1cs_densities *d, const cuzk_ctx *ctx, const param_set *set,
                              const char *directory, cuzk_error *err);

#endif
