/* Loading the parameters of one circuit: where the points are to be, how much memory that takes,
 * what is wrong with the files. */
#ifndef CUZK_ENGINE_PARAM_LOAD_H
#define CUZK_ENGINE_PARAM_LOAD_H

#include "engine/param_manager.h"
#include "engine/partitions.h"

/* Zeroed: nothing. Stays where it is. */
typedef struct param_load {
    partition_keys keys;
    groth16_attached *key;
    cuzk_account *account; /* of what the file's reader holds */
    srs_params_options file;
    size_t file_bytes; /* what that will charge */
    size_t work_bytes; /* see param_use */
} param_load;

/* The circuit's structure, and the tier, if the options leave it open: points resident in memory if
 * they and one partition's work fit into the budget; else streamed if the file is long; else read
 * through the page cache. *len_bytes: what cuzk_param_load_run will take of the budget. Of ctx:
 * cancel. Fails: CUZK_E_NO_PARAMS ("SRS param file not found for ID: PATH"), CUZK_E_BAD_PARAMS
 * (wrong length), CUZK_E_NO_MEMORY ("... needs N GiB, budget is M GiB" where no tier fits),
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_param_load_plan(param_load *load, size_t *len_bytes, const cuzk_ctx *ctx,
                                 const param_manager_options *options, const param_set *set,
                                 cuzk_priority priority, cuzk_error *err);
/* Digests, the key, the back end; logs its progress every 5 seconds. Fails: CUZK_E_BAD_PARAMS
 * (digest expected and found, and whose it is if that is known), CUZK_E_IO, CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_param_load_run(param_load *load, const cuzk_ctx *ctx,
                                const param_manager_options *options, const param_set *set,
                                cuzk_error *err);
void cuzk_param_unload(param_load *load);

#endif
