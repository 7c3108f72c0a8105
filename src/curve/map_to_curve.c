/* RFC 9380, section 6.6.3: simplified SWU onto a curve isogenous to E1 or E2, the isogeny, and
 * clearing of the cofactor. The isogenies are evaluated as sums over their kernel (Velu), with the
 * constants of scripts/gen_curve_constants.py. */
#include "curve/map_to_curve.h"

#include "curve/curve_kernels.h"
#include "curve_constants.h"

void cuzk_fp_from_be64(fp *r, const uint8_t bytes[64]) {
    const fp r2 = {FP_R2};
    uint8_t half[FP_BYTES] = {0};
    fp high, low; /* two times 32 bytes: always below p */
    memcpy(half + 16, bytes, 32);
    (void)cuzk_fp_read_be(&high, half);
    memcpy(half + 16, bytes + 32, 32);
    (void)cuzk_fp_read_be(&low, half);
    /* high * 2^256 + low; 2^256 in Montgomery form is 2^256 * R2 / R */
    fp shift = {{0, 0, 0, 0, 1, 0}};
    fp_mul(&shift, &shift, &r2);
    fp_mul(&high, &high, &shift);
    fp_add(r, &high, &low);
}

/* RFC 9380, 4.1: the parity of the lowest non-zero part. */
static bool fp_sgn0(const fp *a) {
    uint8_t bytes[FP_BYTES];
    cuzk_fp_write_le(bytes, a);
    return bytes[0] & 1;
}
static bool fp2_sgn0(const fp2 *a) {
    return fp_is_zero(&a->c0) ? fp_sgn0(&a->c1) : fp_sgn0(&a->c0);
}

#define GT(name) g1_##name
#define M(name) g1_##name
#define F fp
#define FN(name) fp_##name
#define CF(name) cuzk_fp_##name
#define FONE FP_ONE
#define ISO(name) G1_ISO_##name
#include "curve/map_template.h"
#undef GT
#undef M
#undef F
#undef FN
#undef CF
#undef FONE
#undef ISO

#define GT(name) g2_##name
#define M(name) g2_##name
#define F fp2
#define FN(name) fp2_##name
#define CF(name) cuzk_fp2_##name
#define FONE FP2_ONE
#define ISO(name) G2_ISO_##name
#include "curve/map_template.h"

void cuzk_g1_map_to_curve(g1_affine *r, const fp *u) {
    const fr_plain k = {{CURVE_Z_ABS + 1, 0, 0, 0}}; /* 1 - z */
    g1_affine p;
    g1_jac t;
    g1_map_to_isogenous(&p, u);
    g1_isogeny(&p, &p);
    g1_jac_from_affine(&t, &p);
    cuzk_g1_jac_mul(&t, &t, &k);
    cuzk_g1_jac_to_affine(r, &t);
}

static void g2_psi(g2_jac *r, const g2_jac *p) {
    static const fp2 psi_x = G2_PSI_X, psi_y = G2_PSI_Y;
    fp2_conj(&r->x, &p->x);
    fp2_mul(&r->x, &r->x, &psi_x);
    fp2_conj(&r->y, &p->y);
    fp2_mul(&r->y, &r->y, &psi_y);
    fp2_conj(&r->z, &p->z);
}

/* [z^2 - z - 1] p + [z - 1] psi(p) + psi^2(2 p): Budroni and Pintore (eprint 2017/419), as in RFC
 * 9380, G.3. */
static void g2_clear_cofactor(g2_jac *r, const g2_jac *p) {
    const fr_plain z_abs = {{CURVE_Z_ABS, 0, 0, 0}};
    g2_jac zp, t, sum;
    cuzk_g2_jac_mul(&zp, p, &z_abs);
    g2_jac_neg(&zp, &zp);
    g2_psi(&t, p); /* z (z p + psi(p)) - (z p + psi(p)) - p + psi^2(2 p) */
    g2_jac_add(&t, &t, &zp);
    cuzk_g2_jac_mul(&sum, &t, &z_abs);
    g2_jac_add(&sum, &sum, &t);
    g2_jac_add(&sum, &sum, p);
    g2_jac_neg(&sum, &sum);
    g2_jac_dbl(&t, p);
    g2_psi(&t, &t);
    g2_psi(&t, &t);
    g2_jac_add(r, &sum, &t);
}

void cuzk_g2_map_to_curve(g2_affine *r, const fp2 *u) {
    g2_affine p;
    g2_jac t;
    g2_map_to_isogenous(&p, u);
    g2_isogeny(&p, &p);
    g2_jac_from_affine(&t, &p);
    g2_clear_cofactor(&t, &t);
    cuzk_g2_jac_to_affine(r, &t);
}
