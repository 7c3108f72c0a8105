/* Verifying keys as bytes: `.vk` files, and the beginning of `.params` files (groth16.md 2.1). */
#ifndef CUZK_SRS_VK_FILE_H
#define CUZK_SRS_VK_FILE_H

#include "base/pool.h"
#include "groth16/groth16.h"

#define SRS_VK_FIXED_BYTES 868 /* six points and the count of ic */

/* A key with its own memory. Zeroed is a valid, empty one. */
typedef struct srs_vk {
    groth16_vk vk;
    cuzk_block ic;
} srs_vk;

/* Length of a key with n_ic points. */
static inline uint64_t srs_vk_bytes(uint64_t n_ic) { return SRS_VK_FIXED_BYTES + 96 * n_ic; }

/* The key must be all of the bytes. Every point is checked for curve and subgroup, and infinity is
 * refused (the reference lets it pass among the six fixed points, where no setup puts it). name:
 * for messages. Fails: CUZK_E_BAD_PARAMS naming section, index and offset; CUZK_E_NO_MEMORY
 * (ctx->account), CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_vk_decode(srs_vk *key, const cuzk_ctx *ctx, const char *name,
                               const uint8_t *bytes, size_t len_bytes, cuzk_error *err);
/* The same from a file. Fails also: CUZK_E_NO_PARAMS if it is missing, CUZK_E_IO. */
cuzk_status cuzk_srs_vk_open(srs_vk *key, const cuzk_ctx *ctx, const char *path, cuzk_error *err);
void cuzk_srs_vk_clear(srs_vk *key);

/* bytes: srs_vk_bytes(vk->n_ic) of them. */
void cuzk_srs_vk_encode(uint8_t *bytes, const groth16_vk *vk);

#endif
