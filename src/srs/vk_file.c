/* Reading and writing verifying keys. */
#include "srs/vk_file.h"

#include <string.h>

#include "base/bytes.h"
#include "curve/curve_kernels.h"
#include "srs/vk_internal.h"

/* The six fixed points in file order. */
typedef struct fixed_point {
    const char *name;
    size_t member; /* offset in groth16_vk */
    bool is_g2;
} fixed_point;

static const fixed_point fixed_points[6] = {
    {"alpha_g1", offsetof(groth16_vk, alpha_g1), false},
    {"beta_g1", offsetof(groth16_vk, beta_g1), false},
    {"beta_g2", offsetof(groth16_vk, beta_g2), true},
    {"gamma_g2", offsetof(groth16_vk, gamma_g2), true},
    {"delta_g1", offsetof(groth16_vk, delta_g1), false},
    {"delta_g2", offsetof(groth16_vk, delta_g2), true},
};

static cuzk_status read_fixed(groth16_vk *vk, const cuzk_ctx *ctx, const srs_bytes *bytes,
                              cuzk_error *err) {
    uint64_t offset = 0;
    for (size_t i = 0; i < 6; i++) {
        const srs_run run = {.section = fixed_points[i].name,
                             .offset = offset,
                             .n = 1,
                             .is_g2 = fixed_points[i].is_g2,
                             .check = POINT_CHECK_SUBGROUP};
        cuzk_status status =
            cuzk_srs_decode(ctx, (uint8_t *)vk + fixed_points[i].member, bytes, &run, err);
        if (status != CUZK_OK) {
            return status;
        }
        offset += srs_encoded_bytes(run.is_g2);
    }
    return CUZK_OK;
}

cuzk_status cuzk_srs_vk_read(srs_vk *key, const cuzk_ctx *ctx, const srs_bytes *bytes,
                             uint64_t n_ic, cuzk_error *err) {
    memset(key, 0, sizeof *key);
    cuzk_status status = cuzk_block_alloc(&key->ic, ctx->account, (size_t)n_ic * sizeof(g1_affine),
                                          "verifying key", err);
    if (status == CUZK_OK) {
        status = read_fixed(&key->vk, ctx, bytes, err);
    }
    if (status == CUZK_OK) {
        const srs_run run = {.section = "ic",
                             .offset = SRS_VK_FIXED_BYTES,
                             .n = (size_t)n_ic,
                             .check = POINT_CHECK_SUBGROUP};
        key->vk.n_ic = (size_t)n_ic;
        key->vk.ic = key->ic.data;
        status = cuzk_srs_decode(ctx, key->vk.ic, bytes, &run, err);
    }
    if (status != CUZK_OK) {
        cuzk_srs_vk_clear(key);
    }
    return status;
}

static cuzk_status read_whole(srs_vk *key, const cuzk_ctx *ctx, const srs_bytes *bytes,
                              cuzk_error *err) {
    uint64_t n_ic;
    memset(key, 0, sizeof *key);
    cuzk_status status = cuzk_srs_ic_count(&n_ic, bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    const uint64_t end = srs_vk_bytes(n_ic);
    if (bytes->len_bytes != end) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "%llu bytes behind the last ic point",
                  (unsigned long long)(bytes->len_bytes - end));
        cuzk_error_at_file(err, bytes->name, (int64_t)end);
        return CUZK_E_BAD_PARAMS;
    }
    return cuzk_srs_vk_read(key, ctx, bytes, n_ic, err);
}

cuzk_status cuzk_srs_vk_decode(srs_vk *key, const cuzk_ctx *ctx, const char *name,
                               const uint8_t *bytes, size_t len_bytes, cuzk_error *err) {
    const srs_bytes memory = srs_bytes_of_memory(name, bytes, len_bytes);
    return read_whole(key, ctx, &memory, err);
}

cuzk_status cuzk_srs_vk_open(srs_vk *key, const cuzk_ctx *ctx, const char *path, cuzk_error *err) {
    srs_bytes bytes;
    memset(key, 0, sizeof *key);
    cuzk_status status = cuzk_srs_bytes_open(&bytes, path, err);
    if (status == CUZK_OK) {
        status = read_whole(key, ctx, &bytes, err);
        cuzk_srs_bytes_close(&bytes);
    }
    return status;
}

void cuzk_srs_vk_clear(srs_vk *key) {
    cuzk_block_free(&key->ic);
    memset(key, 0, sizeof *key);
}

void cuzk_srs_vk_encode(uint8_t *bytes, const groth16_vk *vk) {
    const curve_kernels *kernels = cuzk_curve_kernels();
    for (size_t i = 0; i < 6; i++) {
        const void *point = (const uint8_t *)vk + fixed_points[i].member;
        if (fixed_points[i].is_g2) {
            kernels->g2_encode(bytes, point, 1);
        } else {
            kernels->g1_encode(bytes, point, 1);
        }
        bytes += srs_encoded_bytes(fixed_points[i].is_g2);
    }
    store_be32(bytes, (uint32_t)vk->n_ic);
    kernels->g1_encode(bytes + 4, vk->ic, vk->n_ic);
}
