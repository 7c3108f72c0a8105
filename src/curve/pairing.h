/* The optimal ate pairing with the reference's factor 3 (groth16.md 1.5): e(P, Q) = f^(3 (p^12 - 1)
 * / r). Runs at the CPU level in force. */
#ifndef CUZK_CURVE_PAIRING_H
#define CUZK_CURVE_PAIRING_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fp12.h"

/* r = prod_i e(p[i], q[i]): one shared Miller loop, one final exponentiation. A pair with infinity
 * contributes 1. n = 0 gives 1. */
void cuzk_pairing_product(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n);
/* The same in two steps, so that products can be collected: r = prod_i f(p[i], q[i]); r = f^(3
 * (p^12 - 1) / r). */
void cuzk_miller_loop(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n);
void cuzk_final_exponentiation(fp12 *r, const fp12 *f);

/* Gt: the order-r subgroup of Fp12. serde form: 576 bytes; compressed form: 288 bytes (torus). */
#define GT_BYTES 576
#define GT_COMPRESSED_BYTES 288
bool cuzk_gt_in_subgroup(const fp12 *a);
/* a^k, a in Gt */
void cuzk_gt_pow(fp12 *r, const fp12 *a, const fr_plain *k);
void cuzk_gt_write(uint8_t bytes[GT_BYTES], const fp12 *a);
/* false when a cannot be compressed (c1 = 0: the identity). */
bool cuzk_gt_write_compressed(uint8_t bytes[GT_COMPRESSED_BYTES], const fp12 *a);
/* false unless canonical and in the subgroup. */
bool cuzk_gt_read_compressed(fp12 *a, const uint8_t bytes[GT_COMPRESSED_BYTES]);

#endif
