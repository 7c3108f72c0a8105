/* The bodies of the curve kernels: included by curve_portable.c and curve_adx.c. */
#include "curve/curve_kernels.h"

#include "curve/coordinate_kernel.h"
#include "curve_constants.h"

/* Digits of k = sum digits[i] 2^i, each 0 or odd, |digit| <= 15, no two non-zero within five
 * places. Returns the index of the highest that is not zero, -1 for k = 0. */
static inline int scalar_signed_windows(int8_t digits[257], const fr_plain *k) {
    uint64_t v[5] = {k->l[0], k->l[1], k->l[2], k->l[3], 0};
    int top = -1;
    for (int i = 0; i < 257; i++) {
        int digit = 0;
        if (v[0] & 1) {
            digit = (int)(v[0] & 31);
            if (digit >= 16) {
                digit -= 32;
                unsigned __int128 carry = 32;
                for (int j = 0; j < 5; j++) {
                    carry += v[j];
                    v[j] = (uint64_t)carry;
                    carry >>= 64;
                }
            }
            v[0] -= v[0] & 31;
            top = i;
        }
        digits[i] = (int8_t)digit;
        for (int j = 0; j < 4; j++) {
            v[j] = v[j] >> 1 | v[j + 1] << 63;
        }
        v[4] >>= 1;
    }
    return top;
}

static inline void g1_mul_by_z_abs(g1_jac *r, const g1_jac *p);
static inline bool g1_jac_eq_affine(const g1_jac *p, const g1_affine *q);
static inline void g2_mul_by_z_abs(g2_jac *r, const g2_jac *p);
static inline bool g2_jac_eq_affine(const g2_jac *p, const g2_affine *q);

/* (beta x, y) = [-z^2] p: Scott (eprint 2021/1130), section 6; in Bowe's form (2019/814) phi^2 for
 * phi's root. */
static inline bool g1_is_in_subgroup(const g1_affine *p) {
    static const fp beta = G1_BETA;
    g1_jac t;
    g1_affine image;
    g1_jac_from_affine(&t, p);
    g1_mul_by_z_abs(&t, &t);
    g1_mul_by_z_abs(&t, &t);
    fp_mul(&image.x, &p->x, &beta);
    fp_neg(&image.y, &p->y);
    return g1_jac_eq_affine(&t, &image);
}

/* psi(p) = [z] p: Scott (eprint 2021/1130), section 4. */
static inline bool g2_is_in_subgroup(const g2_affine *p) {
    static const fp2 psi_x = G2_PSI_X, psi_y = G2_PSI_Y;
    g2_jac t;
    g2_affine image;
    g2_jac_from_affine(&t, p);
    g2_mul_by_z_abs(&t, &t);
    fp2_conj(&image.x, &p->x);
    fp2_mul(&image.x, &image.x, &psi_x);
    fp2_conj(&image.y, &p->y);
    fp2_mul(&image.y, &image.y, &psi_y);
    fp2_neg(&image.y, &image.y); /* z is negative */
    return g2_jac_eq_affine(&t, &image);
}

#define G(name) g1_##name
#define GT(name) g1_##name
#define F fp
#define FN(name) fp_##name
#define FONE FP_ONE
#define FINV cuzk_fp_inv
#define F_BYTES 48
#define FB G1_B
#define X_ZERO POINT_NOT_IN_GROUP
#include "curve/group_kernel.h"
#undef G
#undef GT
#undef F
#undef FN
#undef FONE
#undef FINV
#undef F_BYTES
#undef FB
#undef X_ZERO

#define G(name) g2_##name
#define GT(name) g2_##name
#define F fp2
#define FN(name) fp2_##name
#define FONE FP2_ONE
#define FINV cuzk_fp2_inv
#define F_BYTES 96
#define FB G2_B
#define X_ZERO POINT_OK
#include "curve/group_kernel.h"
#undef G
#undef GT
#undef F
#undef FN
#undef FONE
#undef FINV
#undef F_BYTES
#undef FB
#undef X_ZERO

#include "curve/pairing_kernel.h"

/* A table of these kernels, but with these decoders. */
#define CURVE_KERNELS(g1_decode_points, g2_decode_points)                                          \
    {                                                                                              \
        .g1_to_affine = g1_kernel_to_affine, .g2_to_affine = g2_kernel_to_affine,                  \
        .g1_mul = g1_kernel_mul, .g2_mul = g2_kernel_mul, .g1_add = g1_kernel_add,                 \
        .g2_add = g2_kernel_add, .g1_add_affine = g1_kernel_add_affine,                            \
        .g2_add_affine = g2_kernel_add_affine, .g1_read = g1_kernel_read,                          \
        .g2_read = g2_kernel_read, .g1_decode = g1_decode_points, .g2_decode = g2_decode_points,   \
        .g1_encode = g1_kernel_encode, .g2_encode = g2_kernel_encode,                              \
        .g1_compress = g1_kernel_compress, .g2_compress = g2_kernel_compress,                      \
        .g1_subgroup = g1_kernel_subgroup, .g2_subgroup = g2_kernel_subgroup,                      \
        .miller_loop = kernel_miller_loop, .final_exponentiation = kernel_final_exponentiation,    \
        .gt_in_subgroup = kernel_gt_in_subgroup, .gt_powers = kernel_gt_powers,                    \
    }
