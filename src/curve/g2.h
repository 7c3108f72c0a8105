/* G2: y^2 = x^3 + 4 (1 + u) over Fp2. As g1.h in every respect. */
#ifndef CUZK_CURVE_G2_H
#define CUZK_CURVE_G2_H

#include "field/fp2.h"
#include "field/fr.h"

typedef struct g2_affine {
    fp2 x, y;
} g2_affine;

typedef struct g2_jac {
    fp2 x, y, z;
} g2_jac;

typedef struct g2_xyzz {
    fp2 x, y, zz, zzz;
} g2_xyzz;

#define G(name) g2_##name
#define GT(name) g2_##name
#define F fp2
#define FN(name) fp2_##name
#define FONE FP2_ONE
#include "curve/group_template.h"
#undef G
#undef GT
#undef F
#undef FN
#undef FONE

/* p == q as group elements. */
bool cuzk_g2_jac_eq(const g2_jac *p, const g2_jac *q);
bool cuzk_g2_affine_eq(const g2_affine *p, const g2_affine *q);
/* One inversion; for many points use the batch in curve_kernels.h. */
void cuzk_g2_jac_to_affine(g2_affine *r, const g2_jac *p);
/* [k]p, k as it stands (no assumption on the order of p). */
void cuzk_g2_jac_mul(g2_jac *r, const g2_jac *p, const fr_plain *k);
/* The standard generator, affine. */
extern const g2_affine cuzk_g2_generator;
/* y^2 = x^3 + b; true for infinity. */
bool cuzk_g2_on_curve(const g2_affine *p);
/* On the curve's subgroup of order r; p must be on the curve; true for infinity. By endomorphism.
 */
bool cuzk_g2_in_subgroup(const g2_affine *p);

#endif
