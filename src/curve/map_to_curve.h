/* RFC 9380, the mapping half: field elements to points of the subgroup. Expanding a message into
 * field elements is in hash/expand_message.h; the two are joined in groth16/random_point.h. */
#ifndef CUZK_CURVE_MAP_TO_CURVE_H
#define CUZK_CURVE_MAP_TO_CURVE_H

#include "curve/g1.h"
#include "curve/g2.h"

/* 64 big-endian bytes reduced mod p. */
void cuzk_fp_from_be64(fp *r, const uint8_t bytes[64]);
/* Simplified SWU, isogeny, cofactor clearing: map_to_curve and clear_cofactor of suites
 * BLS12381G1_XMD:SHA-256_SSWU_NU_ and BLS12381G2_XMD:SHA-256_SSWU_NU_. The result is in the
 * subgroup. */
void cuzk_g1_map_to_curve(g1_affine *r, const fp *u);
void cuzk_g2_map_to_curve(g2_affine *r, const fp2 *u);

#endif
