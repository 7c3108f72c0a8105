/* The pairing at the level in force, and the encodings of Gt. */
#include "curve/pairing.h"

#include "curve/curve_kernels.h"

void cuzk_miller_loop(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n) {
    cuzk_curve_kernels()->miller_loop(r, p, q, n);
}
void cuzk_final_exponentiation(fp12 *r, const fp12 *f) {
    cuzk_curve_kernels()->final_exponentiation(r, f);
}
void cuzk_pairing_product(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n) {
    fp12 f;
    cuzk_miller_loop(&f, p, q, n);
    cuzk_final_exponentiation(r, &f);
}

bool cuzk_gt_in_subgroup(const fp12 *a) { return cuzk_curve_kernels()->gt_in_subgroup(a); }
void cuzk_gt_pow(fp12 *r, const fp12 *a, const fr_plain *k) {
    cuzk_curve_kernels()->gt_powers(r, a, k, 1);
}

/* 288 bytes: six Fp, little-endian, in the order of the powers of v, real part first. */
static void fp6_write(uint8_t *bytes, const fp6 *a) {
    const fp2 *c[3] = {&a->c0, &a->c1, &a->c2};
    for (int i = 0; i < 3; i++, bytes += 2 * FP_BYTES) {
        cuzk_fp_write_le(bytes, &c[i]->c0);
        cuzk_fp_write_le(bytes + FP_BYTES, &c[i]->c1);
    }
}
static bool fp6_read(fp6 *a, const uint8_t *bytes) {
    fp2 *c[3] = {&a->c0, &a->c1, &a->c2};
    for (int i = 0; i < 3; i++, bytes += 2 * FP_BYTES) {
        if (!cuzk_fp_read_le(&c[i]->c0, bytes) || !cuzk_fp_read_le(&c[i]->c1, bytes + FP_BYTES)) {
            return false;
        }
    }
    return true;
}

void cuzk_gt_write(uint8_t bytes[GT_BYTES], const fp12 *a) {
    fp6_write(bytes, &a->c0);
    fp6_write(bytes + GT_BYTES / 2, &a->c1);
}

/* (1 + c0) / c1 */
bool cuzk_gt_write_compressed(uint8_t bytes[GT_COMPRESSED_BYTES], const fp12 *a) {
    if (fp6_is_zero(&a->c1)) {
        return false;
    }
    fp6 b = a->c0, inverse;
    fp2_add(&b.c0, &b.c0, &FP2_ONE);
    fp6_inv(&inverse, &a->c1);
    fp6_mul(&b, &b, &inverse);
    fp6_write(bytes, &b);
    return true;
}

/* (b + w) / (b - w); the denominator is not zero. */
bool cuzk_gt_read_compressed(fp12 *a, const uint8_t bytes[GT_COMPRESSED_BYTES]) {
    fp12 plus = FP12_ONE, minus;
    if (!fp6_read(&plus.c0, bytes)) {
        return false;
    }
    plus.c1 = FP6_ONE;
    fp12_conj(&minus, &plus);
    fp12_inv(&minus, &minus);
    fp12_mul(a, &plus, &minus);
    return cuzk_gt_in_subgroup(a);
}
