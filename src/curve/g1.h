/* G1: y^2 = x^3 + 4 over Fp. Points one at a time; batches are in curve_kernels.h. Encodings are in
 * point_encoding.h.
 *
 * g1_affine: Montgomery coordinates; infinity is x = y = 0. g1_jac: (X/Z^2, Y/Z^3); infinity is Z =
 * 0. g1_xyzz: (X/ZZ, Y/ZZZ), ZZ^3 = ZZZ^2; infinity is ZZ = 0. All formulas are complete (any
 * operands, also equal, opposite and infinite ones) and may alias. Everything inline follows the
 * level of its file, as fp.h does. */
#ifndef CUZK_CURVE_G1_H
#define CUZK_CURVE_G1_H

#include "field/fp.h"
#include "field/fr.h"

typedef struct g1_affine {
    fp x, y;
} g1_affine;

typedef struct g1_jac {
    fp x, y, z;
} g1_jac;

typedef struct g1_xyzz {
    fp x, y, zz, zzz;
} g1_xyzz;

#define G(name) g1_##name
#define GT(name) g1_##name
#define F fp
#define FN(name) fp_##name
#define FONE FP_ONE
#include "curve/group_template.h"
#undef G
#undef GT
#undef F
#undef FN
#undef FONE

/* p == q as group elements. */
bool cuzk_g1_jac_eq(const g1_jac *p, const g1_jac *q);
bool cuzk_g1_affine_eq(const g1_affine *p, const g1_affine *q);
/* One inversion; for many points use the batch in curve_kernels.h. */
void cuzk_g1_jac_to_affine(g1_affine *r, const g1_jac *p);
/* [k]p, k as it stands (no assumption on the order of p). */
void cuzk_g1_jac_mul(g1_jac *r, const g1_jac *p, const fr_plain *k);
/* The standard generator, affine. */
extern const g1_affine cuzk_g1_generator;
/* y^2 = x^3 + b; true for infinity. */
bool cuzk_g1_on_curve(const g1_affine *p);
/* On the curve's subgroup of order r; p must be on the curve; true for infinity. By endomorphism.
 */
bool cuzk_g1_in_subgroup(const g1_affine *p);

#endif
