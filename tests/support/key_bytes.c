#include "support/key_bytes.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "curve/point_encoding.h"

static uint8_t *take(key_bytes *bytes, size_t len) {
    if (bytes->len_bytes + len > bytes->room_bytes) {
        bytes->room_bytes = 2 * (bytes->len_bytes + len);
        bytes->data = realloc(bytes->data, bytes->room_bytes);
        assert_non_null(bytes->data);
    }
    bytes->len_bytes += len;
    return bytes->data + bytes->len_bytes - len;
}

static void put_g1(key_bytes *bytes, const g1_affine *points, size_t n) {
    for (size_t i = 0; i < n; i++) {
        cuzk_g1_write_uncompressed(take(bytes, G1_UNCOMPRESSED_BYTES), &points[i]);
    }
}

static void put_g2(key_bytes *bytes, const g2_affine *points, size_t n) {
    for (size_t i = 0; i < n; i++) {
        cuzk_g2_write_uncompressed(take(bytes, G2_UNCOMPRESSED_BYTES), &points[i]);
    }
}

static cuzk_status injected(key_bytes *bytes, cuzk_error *err) {
    if (bytes->calls_before_failure > 0 && --bytes->calls_before_failure == 0) {
        return cuzk_fail(err, CUZK_E_IO, "injected");
    }
    return CUZK_OK;
}

static cuzk_status bytes_vk(void *self, const groth16_vk *vk, cuzk_error *err) {
    key_bytes *bytes = self;
    put_g1(bytes, &vk->alpha_g1, 1);
    put_g1(bytes, &vk->beta_g1, 1);
    put_g2(bytes, &vk->beta_g2, 1);
    put_g2(bytes, &vk->gamma_g2, 1);
    put_g1(bytes, &vk->delta_g1, 1);
    put_g2(bytes, &vk->delta_g2, 1);
    store_be32(take(bytes, 4), (uint32_t)vk->n_ic);
    put_g1(bytes, vk->ic, vk->n_ic);
    bytes->vk_len_bytes = bytes->len_bytes;
    return injected(bytes, err);
}

static cuzk_status bytes_section(void *self, groth16_section section, uint64_t n_points,
                                 cuzk_error *err) {
    (void)section;
    store_be32(take(self, 4), (uint32_t)n_points);
    return injected(self, err);
}

static cuzk_status bytes_g1(void *self, const g1_affine *points, size_t n, cuzk_error *err) {
    put_g1(self, points, n);
    return injected(self, err);
}

static cuzk_status bytes_g2(void *self, const g2_affine *points, size_t n, cuzk_error *err) {
    put_g2(self, points, n);
    return injected(self, err);
}

groth16_sink key_bytes_sink(key_bytes *bytes) {
    return (groth16_sink){bytes, bytes_vk, bytes_section, bytes_g1, bytes_g2};
}

void key_bytes_clear(key_bytes *bytes) {
    free(bytes->data);
    *bytes = (key_bytes){0};
}
