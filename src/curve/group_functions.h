/* The functions of g1.h and g2.h, from the names of group_template.h and
 *   CG(name)  cuzk_g1_name    KERNEL(name)  the kernel table's entry g1_name    FB  b of the curve
 */

#define AFFINE GT(affine)
#define JAC GT(jac)

bool CG(jac_eq)(const JAC *p, const JAC *q) {
    if (G(jac_is_infinity)(p) || G(jac_is_infinity)(q)) {
        return G(jac_is_infinity)(p) && G(jac_is_infinity)(q);
    }
    F pz, qz, s, t;
    FN(sqr)(&pz, &p->z);
    FN(sqr)(&qz, &q->z);
    FN(mul)(&s, &p->x, &qz);
    FN(mul)(&t, &q->x, &pz);
    if (!FN(eq)(&s, &t)) {
        return false;
    }
    FN(mul)(&pz, &pz, &p->z);
    FN(mul)(&qz, &qz, &q->z);
    FN(mul)(&s, &p->y, &qz);
    FN(mul)(&t, &q->y, &pz);
    return FN(eq)(&s, &t);
}

bool CG(affine_eq)(const AFFINE *p, const AFFINE *q) {
    return FN(eq)(&p->x, &q->x) && FN(eq)(&p->y, &q->y);
}

void CG(jac_to_affine)(AFFINE *r, const JAC *p) { KERNEL(to_affine)(r, p, 1); }

void CG(jac_mul)(JAC *r, const JAC *p, const fr_plain *k) { KERNEL(mul)(r, p, k, 1); }

bool CG(on_curve)(const AFFINE *p) {
    static const F b = FB;
    if (G(affine_is_infinity)(p)) {
        return true;
    }
    F left, right;
    FN(sqr)(&left, &p->y);
    FN(sqr)(&right, &p->x);
    FN(mul)(&right, &right, &p->x);
    FN(add)(&right, &right, &b);
    return FN(eq)(&left, &right);
}

bool CG(in_subgroup)(const AFFINE *p) { return KERNEL(subgroup)(p, 1) == 1; }

#undef AFFINE
#undef JAC
