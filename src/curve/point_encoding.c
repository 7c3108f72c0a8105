/* Single points through the kernels of the level in force. */
#include "curve/point_encoding.h"

#include "curve/curve_kernels.h"

const char *cuzk_point_status_text(point_status s) {
    switch (s) {
    case POINT_OK:
        return "a point of the group";
    case POINT_BAD_ENCODING:
        return "not the encoding of a point";
    case POINT_NOT_ON_CURVE:
        return "not on the curve";
    case POINT_NOT_IN_GROUP:
        return "not in the subgroup of order r";
    }
    return "unknown point status";
}

#define GROUP_FUNCTIONS(g, G)                                                                      \
    point_status cuzk_##g##_read_uncompressed(                                                     \
        g##_affine *r, const uint8_t bytes[G##_UNCOMPRESSED_BYTES], point_check check) {           \
        return cuzk_curve_kernels()->g##_read(r, bytes, POINT_UNCOMPRESSED, check);                \
    }                                                                                              \
    point_status cuzk_##g##_read_strict(                                                           \
        g##_affine *r, const uint8_t bytes[G##_UNCOMPRESSED_BYTES], point_check check) {           \
        return cuzk_curve_kernels()->g##_read(r, bytes, POINT_STRICT, check);                      \
    }                                                                                              \
    point_status cuzk_##g##_read_compressed(                                                       \
        g##_affine *r, const uint8_t bytes[G##_COMPRESSED_BYTES], point_check check) {             \
        return cuzk_curve_kernels()->g##_read(r, bytes, POINT_COMPRESSED, check);                  \
    }                                                                                              \
    void cuzk_##g##_write_uncompressed(uint8_t bytes[G##_UNCOMPRESSED_BYTES],                      \
                                       const g##_affine *p) {                                      \
        cuzk_curve_kernels()->g##_encode(bytes, p, 1);                                             \
    }                                                                                              \
    void cuzk_##g##_write_compressed(uint8_t bytes[G##_COMPRESSED_BYTES], const g##_affine *p) {   \
        cuzk_curve_kernels()->g##_compress(bytes, p, 1);                                           \
    }

GROUP_FUNCTIONS(g1, G1)
GROUP_FUNCTIONS(g2, G2)
