/* Point encodings: groth16.md 1.3 and 1.4. 48/96 bytes compressed, 96/192 uncompressed, flags in
 * the first byte. */
#ifndef CUZK_CURVE_POINT_ENCODING_H
#define CUZK_CURVE_POINT_ENCODING_H

#include "curve/g1.h"
#include "curve/g2.h"

#define G1_COMPRESSED_BYTES 48
#define G1_UNCOMPRESSED_BYTES 96
#define G2_COMPRESSED_BYTES 96
#define G2_UNCOMPRESSED_BYTES 192

typedef enum point_status {
    POINT_OK,
    POINT_BAD_ENCODING, /* flags or a coordinate not below p */
    POINT_NOT_ON_CURVE,
    POINT_NOT_IN_GROUP
} point_status;
const char *cuzk_point_status_text(point_status s); /* "not on the curve" ... */

typedef enum point_check {
    POINT_CHECK_CURVE,
    POINT_CHECK_SUBGROUP,    /* and the curve */
    POINT_CHECK_COORDINATES, /* uncompressed: canonical coordinates alone, for bytes known by their
                                digest */
} point_check;

/* The general decoder, as blst's and the reference's: also takes a compressed point in the first
 * half of an uncompressed slot. Infinity is accepted: callers that refuse it test for it. */
point_status cuzk_g1_read_uncompressed(g1_affine *r, const uint8_t bytes[G1_UNCOMPRESSED_BYTES],
                                       point_check check);
point_status cuzk_g2_read_uncompressed(g2_affine *r, const uint8_t bytes[G2_UNCOMPRESSED_BYTES],
                                       point_check check);
/* For parameter and key files: as above, but a compressed point is POINT_BAD_ENCODING. */
point_status cuzk_g1_read_strict(g1_affine *r, const uint8_t bytes[G1_UNCOMPRESSED_BYTES],
                                 point_check check);
point_status cuzk_g2_read_strict(g2_affine *r, const uint8_t bytes[G2_UNCOMPRESSED_BYTES],
                                 point_check check);
point_status cuzk_g1_read_compressed(g1_affine *r, const uint8_t bytes[G1_COMPRESSED_BYTES],
                                     point_check check);
point_status cuzk_g2_read_compressed(g2_affine *r, const uint8_t bytes[G2_COMPRESSED_BYTES],
                                     point_check check);
void cuzk_g1_write_uncompressed(uint8_t bytes[G1_UNCOMPRESSED_BYTES], const g1_affine *p);
void cuzk_g2_write_uncompressed(uint8_t bytes[G2_UNCOMPRESSED_BYTES], const g2_affine *p);
void cuzk_g1_write_compressed(uint8_t bytes[G1_COMPRESSED_BYTES], const g1_affine *p);
void cuzk_g2_write_compressed(uint8_t bytes[G2_COMPRESSED_BYTES], const g2_affine *p);

#endif
