/* msm_kernels with AVX-512 IFMA: batches in lanes. */
#include "field/fp2x8.h"
#include "msm/msm_batch.h"
#include "msm/msm_images_lanes.h"
#include "msm/msm_recode_lanes.h"

/* r = a - b + 3 2^32 p, raw, for b not above 3 2^32 p: as large as a sum of two loaded coordinates
 * and a multiple that keeps a difference of two from being negative. */
LANES_INLINE void fp8_sub_loaded_sum(fp8 *r, const fp8 *a, const fp8 *b) {
    LANES_UNROLL for (int i = 0; i < FP8_LIMBS; i++) {
        uint64_t multiple = fp8_multiples[32][i] + fp8_multiples[33][i];
        r->l[i] = lanes_add(lanes_sub(a->l[i], b->l[i]), lanes_set(multiple));
    }
}

/* a0^2 + a1^2, as fp8_sqr; both below 2^15 p. */
LANES_INLINE void fp2x8_norm(fp8 *r, const fp2x8 *a) {
    fp8_wide t, u;
    fp8_wide_sqr(&t, &a->c0);
    fp8_wide_sqr(&u, &a->c1);
    LANES_UNROLL for (int i = 0; i < 2 * FP8_LIMBS; i++) { t.l[i] = lanes_add(t.l[i], u.l[i]); }
    fp8_wide_reduce(r, &t);
}

/* 1 / a = conjugate of a / norm of a, below 2 p. */
LANES_INLINE void fp2x8_inv_by_norm(fp2x8 *r, const fp2x8 *a, const fp8 *inverse_norm) {
    fp2x8_mul_fp(r, a, inverse_norm);
    fp8_neg(&r->c1, &r->c1, 1);
    fp8_carry(&r->c1);
}

/* The steps of a batch are 320 KiB for both groups, less than half of what a core has of L2. */
#define MSM_BATCH 1024
#define G(name) g1_##name
#define GT(name) g1_##name
#define F fp8
#define FN(name) fp8_##name
#define COORDINATE_FPS 1
#define NORM_IS_DX 1
#define CLOSE(a) fp8_carry(a)
#define SQUARE(r, a) fp8_sqr(r, a)
#define INVERSE_BY_NORM(r, a, inverse_norm) (*(r) = *(inverse_norm))
#define TO_AFFINE cuzk_g1_jac_to_affine
#define PIECE ((size_t)1 << 16)
#define PARTS MSM_G1_PARTS
#define PART_BITS MSM_G1_PART_BITS
#define PARTS_PRICE 0.4
#define TABLE cuzk_msm_g1_avx512ifma
#include "msm/msm_batch_lanes_template.h"
#include "msm/msm_kernel_template.h"
#undef G
#undef GT
#undef F
#undef FN
#undef COORDINATE_FPS
#undef NORM_IS_DX
#undef CLOSE
#undef SQUARE
#undef INVERSE_BY_NORM
#undef TO_AFFINE
#undef PIECE
#undef PARTS
#undef PART_BITS
#undef PARTS_PRICE
#undef TABLE
#undef MSM_BATCH

#define MSM_BATCH 512
#define G(name) g2_##name
#define GT(name) g2_##name
#define F fp2x8
#define FN(name) fp2x8_##name
#define COORDINATE_FPS 2
#define NORM_IS_DX 0
/* Products of Fp2 take factors below 2^16 p. */
#define CLOSE(a) fp2x8_reduce(a, a)
#define SQUARE(r, a) fp2x8_sqr(r, a, 2)
#define INVERSE_BY_NORM(r, a, inverse_norm) fp2x8_inv_by_norm(r, a, inverse_norm)
#define TO_AFFINE cuzk_g2_jac_to_affine
#define PIECE ((size_t)1 << 15)
#define PARTS MSM_G2_PARTS
#define PART_BITS MSM_G2_PART_BITS
#define PARTS_PRICE 0.6
#define TABLE cuzk_msm_g2_avx512ifma
#include "msm/msm_batch_lanes_template.h"
#include "msm/msm_kernel_template.h"
