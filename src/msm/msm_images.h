/* Multiples of points of the subgroups by endomorphisms, for scalars in parts (scalar_parts.h): the
 * image j >= 1 of a point P is [b^j] P.
 *
 *   G1  [z^2] (x, y) = (beta x, -y)
 *   G2  [|z|] = -psi, psi(x, y) = (conj(x) c u, conj(y) d (1 - u)) with c and d in Fp, so
 *       -psi(x, y)    = ((c x1, c x0), (d (y1 - y0), d (y0 + y1)))
 *       psi^2(x, y)   = (c^2 x, -y)
 *       -psi^3(x, y)  = ((-x1, -x0), minus that of -psi), as c^3 = -1 */
#ifndef CUZK_MSM_MSM_IMAGES_H
#define CUZK_MSM_MSM_IMAGES_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "curve_constants.h"

static void g1_images(void *images, size_t stride, const void *points, const uint32_t *index,
                      size_t n) {
    static const fp beta = G1_BETA;
    const g1_affine *p = points;
    g1_affine *out = images;
    (void)stride; /* there is one */
    for (size_t i = 0; i < n; i++) {
        fp_mul(&out[i].x, &p[index[i]].x, &beta);
        fp_neg(&out[i].y, &p[index[i]].y);
    }
}

static void g2_images(void *images, size_t stride, const void *points, const uint32_t *index,
                      size_t n) {
    static const fp c = G2_PSI_X_FP, d = G2_PSI_Y_FP, c2 = G2_PSI_2_X_FP;
    const g2_affine *all = points;
    for (size_t i = 0; i < n; i++) {
        const g2_affine *p = &all[index[i]];
        g2_affine *r1 = (g2_affine *)images + i, *r2 = r1 + stride, *r3 = r2 + stride;
        fp t;
        fp_mul(&r1->x.c0, &p->x.c1, &c);
        fp_mul(&r1->x.c1, &p->x.c0, &c);
        fp_sub(&t, &p->y.c1, &p->y.c0);
        fp_mul(&r1->y.c0, &t, &d);
        fp_add(&t, &p->y.c0, &p->y.c1);
        fp_mul(&r1->y.c1, &t, &d);
        fp2_mul_fp(&r2->x, &p->x, &c2);
        fp2_neg(&r2->y, &p->y);
        fp_neg(&r3->x.c0, &p->x.c1);
        fp_neg(&r3->x.c1, &p->x.c0);
        fp2_neg(&r3->y, &r1->y);
    }
}

#endif
