/* Simplified SWU and isogeny for one group; map_to_curve.c defines M, GT, F, FN, CF, FONE and ISO.
 */

#define AFFINE GT(affine)

/* y^2 = x^3 + A x + B with sgn0(y) = sgn0(u): RFC 9380, 6.6.2 (not in constant time). */
static void M(map_to_isogenous)(AFFINE *r, const F *u) {
    static const F a = ISO(A), b = ISO(B), z = ISO(Z);
    const F one = FONE;
    F zu2, t, x, gx;
    FN(sqr)(&zu2, u);
    FN(mul)(&zu2, &zu2, &z);
    FN(sqr)(&t, &zu2);
    FN(add)(&t, &t, &zu2);
    if (FN(is_zero)(&t)) { /* x = B / (Z A) */
        FN(mul)(&t, &z, &a);
        CF(inv)(&t, &t);
        FN(mul)(&x, &b, &t);
    } else { /* x = -B / A (1 + 1 / (Z^2 u^4 + Z u^2)) = -B (t + 1) / (A t) */
        FN(mul)(&x, &a, &t);
        CF(inv)(&x, &x);
        FN(mul)(&x, &x, &b);
        FN(add)(&t, &t, &one);
        FN(mul)(&x, &x, &t);
        FN(neg)(&x, &x);
    }
    for (int attempt = 0;; attempt++) {
        FN(sqr)(&gx, &x);
        FN(add)(&gx, &gx, &a);
        FN(mul)(&gx, &gx, &x);
        FN(add)(&gx, &gx, &b);
        if (CF(sqrt)(&r->y, &gx)) {
            break;
        }
        CUZK_ASSERT(attempt == 0); /* one of the two is a square */
        FN(mul)(&x, &x, &zu2);
    }
    r->x = x;
    if (FN(sgn0)(&r->y) != FN(sgn0)(u)) {
        FN(neg)(&r->y, &r->y);
    }
}

/* x' = SCALE_X (x + sum t_i d_i + u_i d_i^2), y' = SCALE_Y y (1 - sum t_i d_i^2 + 2 u_i d_i^3), d_i
 * = 1 / (x - x_i). A point of the kernel goes to infinity. */
static void M(isogeny)(AFFINE *r, const AFFINE *p) {
    static const F x_i[] = ISO(X), t_i[] = ISO(T), u_i[] = ISO(U);
    static const F scale_x = ISO(SCALE_X), scale_y = ISO(SCALE_Y);
    F x = p->x, slope = FONE, d, d2, t;
    for (int i = 0; i < ISO(TERMS); i++) {
        FN(sub)(&d, &p->x, &x_i[i]);
        if (FN(is_zero)(&d)) {
            memset(r, 0, sizeof *r);
            return;
        }
        CF(inv)(&d, &d);
        FN(sqr)(&d2, &d);
        FN(mul)(&t, &t_i[i], &d);
        FN(add)(&x, &x, &t);
        FN(mul)(&t, &u_i[i], &d2);
        FN(add)(&x, &x, &t);
        FN(mul)(&t, &t, &d);
        FN(dbl)(&t, &t);
        FN(sub)(&slope, &slope, &t);
        FN(mul)(&t, &t_i[i], &d2);
        FN(sub)(&slope, &slope, &t);
    }
    FN(mul)(&t, &p->y, &slope);
    FN(mul)(&r->y, &t, &scale_y);
    FN(mul)(&r->x, &x, &scale_x);
}

#undef AFFINE
