/* Fp2: inverses and square roots. */
#include "field/fp2.h"

void cuzk_fp2_inv(fp2 *r, const fp2 *a) {
    /* conj(a) / (c0^2 + c1^2) */
    fp norm, t;
    fp_sqr(&norm, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&norm, &norm, &t);
    cuzk_fp_inv(&norm, &norm);
    fp2_conj(r, a);
    fp2_mul_fp(r, r, &norm);
}

/* The complex method. With s^2 = c0^2 + c1^2 and t = (c0 + s) / 2, either t = x^2 and the root is x
 * + c1/(2x) u, or -t = w^2 and, as t (c0 - s) / 2 = -(c1/2)^2, the root is c1/(2w) + w u. */
bool cuzk_fp2_sqrt(fp2 *r, const fp2 *a) {
    fp s, t, w, other;
    if (fp_is_zero(&a->c1)) {
        /* one of c0 and -c0 is a square, u^2 = -1 */
        fp2 root = FP2_ZERO;
        if (!cuzk_fp_sqrt(&root.c0, &a->c0)) {
            root.c0 = FP_ZERO;
            fp_neg(&t, &a->c0);
            cuzk_fp_sqrt(&root.c1, &t);
        }
        *r = root;
        return true;
    }
    fp_sqr(&s, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&s, &s, &t);
    if (!cuzk_fp_sqrt(&s, &s)) {
        return false;
    }
    fp_add(&t, &a->c0, &s);
    const fp half = {FP_ONE_HALF_MONT};
    fp_mul(&t, &t, &half);
    bool is_square = cuzk_fp_sqrt(&w, &t); /* if not, w^2 = -t, as (-1)^((p-1)/2) = -1 */
    fp_dbl(&other, &w);
    cuzk_fp_inv(&other, &other);
    fp_mul(&other, &other, &a->c1);
    *r = is_square ? (fp2){w, other} : (fp2){other, w};
    return true;
}

bool cuzk_fp2_is_larger(const fp2 *a) {
    return fp_is_zero(&a->c1) ? cuzk_fp_is_larger(&a->c0) : cuzk_fp_is_larger(&a->c1);
}
