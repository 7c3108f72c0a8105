/* Random group elements as the reference draws them: RFC 9380 encode_to_curve of bytes from a
 * generator (groth16.md 3.2). Joins hash/expand_message.h and curve/map_to_curve.h. */
#ifndef CUZK_GROTH16_RANDOM_POINT_H
#define CUZK_GROTH16_RANDOM_POINT_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "hash/rng.h"

/* Take 64 bytes from the generator. The result is in the subgroup, its logarithm unknown. */
void cuzk_g1_random(g1_affine *r, const rng_source *rng);
void cuzk_g2_random(g2_affine *r, const rng_source *rng);

#endif
