/* The kernels of both groups for the level of the file that includes this, which defines
 * MSM_LEVEL(name). */
#ifndef CUZK_MSM_MSM_KERNEL_H
#define CUZK_MSM_MSM_KERNEL_H

#include "field/fp_lazy.h"
#include "msm/msm_batch.h"
#include "msm/msm_images.h"
#include "msm/msm_recode.h"

#ifndef MSM_BATCH
#define MSM_BATCH 1024 /* additions that share an inversion */
#endif
static inline void fp2_norm(fp *r, const fp2 *a) {
    fp t;
    fp_sqr(&t, &a->c0);
    fp_sqr(r, &a->c1);
    fp_add(r, r, &t);
}
/* 1 / a = conjugate of a / norm of a. a may be lazy. */
static inline void fp2_inv_by_norm(fp2 *r, const fp2 *a, const fp *inv_norm) {
    fp2_mul_fp(r, a, inv_norm);
    fp_neg(&r->c1, &r->c1);
}

#define G(name) g1_##name
#define GT(name) g1_##name
#define F fp
#define FN(name) fp_##name
#define NORM_IS_DX 1
#define FIRST_WORD(f) ((f)->l[0])
#define FINV_BY_NORM(r, a, inv_norm) (*(r) = *(inv_norm))
#define TO_AFFINE cuzk_g1_jac_to_affine
#define PIECE ((size_t)1 << 16)
#define PARTS MSM_G1_PARTS
#define PART_BITS MSM_G1_PART_BITS
#define PARTS_PRICE 0.4
#define TABLE MSM_LEVEL(cuzk_msm_g1)
#include "msm/msm_batch_template.h"
#include "msm/msm_kernel_template.h"
#undef G
#undef GT
#undef F
#undef FN
#undef NORM_IS_DX
#undef LANE_NORM
#undef FIRST_WORD
#undef FINV_BY_NORM
#undef TO_AFFINE
#undef PIECE
#undef PARTS
#undef PART_BITS
#undef PARTS_PRICE
#undef TABLE

#define G(name) g2_##name
#define GT(name) g2_##name
#define F fp2
#define FN(name) fp2_##name
#define NORM_IS_DX 0
#define FIRST_WORD(f) ((f)->c0.l[0])
#define FINV_BY_NORM(r, a, inv_norm) fp2_inv_by_norm(r, a, inv_norm)
#define TO_AFFINE cuzk_g2_jac_to_affine
#define PIECE ((size_t)1 << 15)
#define PARTS MSM_G2_PARTS
#define PART_BITS MSM_G2_PART_BITS
#define PARTS_PRICE 0.6
#define TABLE MSM_LEVEL(cuzk_msm_g2)
#include "msm/msm_batch_template.h"
#include "msm/msm_kernel_template.h"

#endif
