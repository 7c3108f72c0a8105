/* Scalar decomposition, for points of the subgroups of order r, where an endomorphism gives
 * multiples of a point for next to nothing: two parts in G1 (Gallant, Lambert, Vanstone 2001), four
 * in G2 (Galbraith, Lin, Scott 2009). The base b is z^2 in G1 and |z| in G2, z the parameter of the
 * curve, 128 and 64 bits, with r = z^4 - z^2 + 1. Short parts need fewer windows, so a sum has
 * fewer buckets to add up in the end. */
#ifndef CUZK_MSM_SCALAR_PARTS_H
#define CUZK_MSM_SCALAR_PARTS_H

#include "field/fr.h"

#define MSM_MAX_PARTS 4 /* of a scalar */
#define MSM_G1_PARTS 2
#define MSM_G1_PART_BITS 128
#define MSM_G2_PARTS 4
#define MSM_G2_PART_BITS 64

#define Z_SQUARE_HIGH 0xac45a4010001a402ull
#define Z_SQUARE_LOW 0x0000000100000000ull
/* floor(2^255 / z^2) */
#define Z_SQUARE_INVERSE_HIGH 0xbe35f678f00fd56eull
#define Z_SQUARE_INVERSE_LOW 0xb1fb72917b67f717ull

/* With a sign, in two's complement. */
typedef struct scalar_part {
    uint64_t l[2];
} scalar_part;

/* k = sum over j of parts[j] b^j mod r, |parts[j]| <= b / 2 + 1, for any k that
 * msm_windows_takes. */
void cuzk_scalar_parts_g1(scalar_part parts[MSM_G1_PARTS], const fr_plain *k);
void cuzk_scalar_parts_g2(scalar_part parts[MSM_G2_PARTS], const fr_plain *k);

#endif
