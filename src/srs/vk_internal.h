/* Reading a key out of larger bytes. */
#ifndef CUZK_SRS_VK_INTERNAL_H
#define CUZK_SRS_VK_INTERNAL_H

#include "srs/srs_internal.h"
#include "srs/vk_file.h"

/* The key of n_ic points at the beginning of bytes, which are known to be long enough. On failure
 * *key is empty. */
cuzk_status cuzk_srs_vk_read(srs_vk *key, const cuzk_ctx *ctx, const srs_bytes *bytes,
                             uint64_t n_ic, cuzk_error *err);

#endif
