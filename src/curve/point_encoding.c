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

point_status cuzk_g1_read_uncompressed(g1_affine *r, const uint8_t bytes[G1_UNCOMPRESSED_BYTES],
                                       point_check check) {
    return cuzk_curve_kernels()->g1_read(r, bytes, POINT_UNCOMPRESSED, check);
}
point_status cuzk_g2_read_uncompressed(g2_affine *r, const uint8_t bytes[G2_UNCOMPRESSED_BYTES],
                                       point_check check) {
    return cuzk_curve_kernels()->g2_read(r, bytes, POINT_UNCOMPRESSED, check);
}
point_status cuzk_g1_read_strict(g1_affine *r, const uint8_t bytes[G1_UNCOMPRESSED_BYTES],
                                 point_check check) {
    return cuzk_curve_kernels()->g1_read(r, bytes, POINT_STRICT, check);
}
point_status cuzk_g2_read_strict(g2_affine *r, const uint8_t bytes[G2_UNCOMPRESSED_BYTES],
                                 point_check check) {
    return cuzk_curve_kernels()->g2_read(r, bytes, POINT_STRICT, check);
}
point_status cuzk_g1_read_compressed(g1_affine *r, const uint8_t bytes[G1_COMPRESSED_BYTES],
                                     point_check check) {
    return cuzk_curve_kernels()->g1_read(r, bytes, POINT_COMPRESSED, check);
}
point_status cuzk_g2_read_compressed(g2_affine *r, const uint8_t bytes[G2_COMPRESSED_BYTES],
                                     point_check check) {
    return cuzk_curve_kernels()->g2_read(r, bytes, POINT_COMPRESSED, check);
}

void cuzk_g1_write_uncompressed(uint8_t bytes[G1_UNCOMPRESSED_BYTES], const g1_affine *p) {
    cuzk_curve_kernels()->g1_encode(bytes, p, 1);
}
void cuzk_g2_write_uncompressed(uint8_t bytes[G2_UNCOMPRESSED_BYTES], const g2_affine *p) {
    cuzk_curve_kernels()->g2_encode(bytes, p, 1);
}
void cuzk_g1_write_compressed(uint8_t bytes[G1_COMPRESSED_BYTES], const g1_affine *p) {
    cuzk_curve_kernels()->g1_compress(bytes, p, 1);
}
void cuzk_g2_write_compressed(uint8_t bytes[G2_COMPRESSED_BYTES], const g2_affine *p) {
    cuzk_curve_kernels()->g2_compress(bytes, p, 1);
}
