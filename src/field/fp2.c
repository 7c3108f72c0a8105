/* Fp2 beyond the inline operations. */
#include "field/fp2.h"

void cuzk_fp2_inv(fp2 *r, const fp2 *a) {
    fp norm, t;
    fp_sqr(&norm, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&norm, &norm, &t);
    cuzk_fp_inv(&norm, &norm);
    fp_mul(&r->c0, &a->c0, &norm);
    fp_mul(&t, &a->c1, &norm);
    fp_neg(&r->c1, &t);
}

/* With n = sqrt(c0^2 + c1^2): x^2 = (c0 + n)/2 or (c0 - n)/2, whichever is a square, and y =
 * c1/(2x). */
bool cuzk_fp2_sqrt(fp2 *r, const fp2 *a) {
    fp norm, t, half, x2, x, y;
    if (fp_is_zero(&a->c1)) {
        if (cuzk_fp_sqrt(&x, &a->c0)) {
            *r = (fp2){x, FP_ZERO};
            return true;
        }
        fp_neg(&t, &a->c0); /* -1 is no square: exactly one of c0, -c0 is */
        if (!cuzk_fp_sqrt(&y, &t)) {
            return false;
        }
        *r = (fp2){FP_ZERO, y};
        return true;
    }
    fp_sqr(&norm, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&norm, &norm, &t);
    if (!cuzk_fp_sqrt(&norm, &norm)) {
        return false;
    }
    const fp one = FP_ONE;
    fp_dbl(&half, &one);
    cuzk_fp_inv(&half, &half);
    fp_add(&x2, &a->c0, &norm);
    fp_mul(&x2, &x2, &half);
    if (!cuzk_fp_sqrt(&x, &x2)) {
        fp_sub(&x2, &a->c0, &norm);
        fp_mul(&x2, &x2, &half);
        if (!cuzk_fp_sqrt(&x, &x2)) {
            return false;
        }
    }
    fp_dbl(&t, &x);
    cuzk_fp_inv(&t, &t);
    fp_mul(&y, &a->c1, &t);
    *r = (fp2){x, y};
    return true;
}

bool cuzk_fp2_is_larger(const fp2 *a) {
    return fp_is_zero(&a->c1) ? cuzk_fp_is_larger(&a->c0) : cuzk_fp_is_larger(&a->c1);
}
