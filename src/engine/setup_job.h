/* Local parameters: making them, and judging the files of a directory. */
#ifndef CUZK_ENGINE_SETUP_JOB_H
#define CUZK_ENGINE_SETUP_JOB_H

#include "cuzk_unstable.h"
#include "engine/handle.h"
#include "filecoin/param_set.h"

/* cuzk_setup; seed: 16 bytes or NULL. */
cuzk_status cuzk_setup_run(cuzk_prover *prover, const param_set *set, const uint8_t *seed,
                           const char *directory, cuzk_error *err);
/* cuzk_setup_srs; arguments were checked. */
cuzk_status cuzk_setup_srs_run(cuzk_prover *prover, const char *path, size_t n_proofs,
                               const uint64_t *seed, cuzk_error *err);
/* cuzk_params_check: state[0] is the .params, state[1] the .vk. */
cuzk_status cuzk_param_files_judge(cuzk_prover *prover, cuzk_param_state state[2],
                                   const param_set *set, const char *directory, bool every_point,
                                   cuzk_error *err);

#endif
