/* The group law of a curve y^2 = x^3 + b over the field F, for g1.h and g2.h, which define
 *   G(name)  g1_name, g2_name         GT(name)  the point types: g1_name, g2_name
 *   F        fp, fp2 (the element)    FN(name)  fp_name, fp2_name (its operations)
 * and include this file once each. */

#define AFFINE GT(affine)
#define JAC GT(jac)
#define XYZZ GT(xyzz)

static inline bool G(affine_is_infinity)(const AFFINE *p) {
    return FN(is_zero)(&p->x) && FN(is_zero)(&p->y);
}
static inline bool G(jac_is_infinity)(const JAC *p) { return FN(is_zero)(&p->z); }
static inline bool G(xyzz_is_infinity)(const XYZZ *p) { return FN(is_zero)(&p->zz); }
static inline void G(affine_set_infinity)(AFFINE *p) { memset(p, 0, sizeof *p); }
static inline void G(jac_set_infinity)(JAC *p) { memset(p, 0, sizeof *p); }
static inline void G(xyzz_set_infinity)(XYZZ *p) { memset(p, 0, sizeof *p); }

static inline void G(affine_neg)(AFFINE *r, const AFFINE *p) {
    r->x = p->x;
    FN(neg)(&r->y, &p->y); /* -0 = 0 keeps infinity */
}
static inline void G(jac_neg)(JAC *r, const JAC *p) {
    r->x = p->x;
    r->z = p->z;
    FN(neg)(&r->y, &p->y);
}

static inline void G(jac_from_affine)(JAC *r, const AFFINE *p) {
    if (G(affine_is_infinity)(p)) {
        G(jac_set_infinity)(r);
        return;
    }
    r->x = p->x;
    r->y = p->y;
    r->z = FONE;
}
static inline void G(xyzz_from_affine)(XYZZ *r, const AFFINE *p) {
    if (G(affine_is_infinity)(p)) {
        G(xyzz_set_infinity)(r);
        return;
    }
    r->x = p->x;
    r->y = p->y;
    r->zz = FONE;
    r->zzz = FONE;
}
/* (X ZZ : Y ZZZ : ZZ) */
static inline void G(jac_from_xyzz)(JAC *r, const XYZZ *p) {
    FN(mul)(&r->x, &p->x, &p->zz);
    FN(mul)(&r->y, &p->y, &p->zzz);
    r->z = p->zz;
}

/* 2p: dbl-2009-l of the Explicit-Formulas Database, a = 0. */
static inline void G(jac_dbl)(JAC *r, const JAC *p) {
    F a, b, c, d, e, f, t;
    FN(sqr)(&a, &p->x);
    FN(sqr)(&b, &p->y);
    FN(sqr)(&c, &b);
    FN(add)(&d, &p->x, &b);
    FN(sqr)(&d, &d);
    FN(sub)(&d, &d, &a);
    FN(sub)(&d, &d, &c);
    FN(dbl)(&d, &d);
    FN(dbl)(&e, &a);
    FN(add)(&e, &e, &a);
    FN(sqr)(&f, &e);
    FN(mul)(&t, &p->y, &p->z);
    FN(dbl)(&r->z, &t);
    FN(dbl)(&t, &d);
    FN(sub)(&r->x, &f, &t);
    FN(sub)(&t, &d, &r->x);
    FN(mul)(&t, &e, &t);
    FN(dbl)(&c, &c);
    FN(dbl)(&c, &c);
    FN(dbl)(&c, &c);
    FN(sub)(&r->y, &t, &c);
}

/* p + q: add-2007-bl, with its exceptional cases. */
static inline void G(jac_add)(JAC *r, const JAC *p, const JAC *q) {
    if (G(jac_is_infinity)(p)) {
        *r = *q;
        return;
    }
    if (G(jac_is_infinity)(q)) {
        *r = *p;
        return;
    }
    F z1z1, z2z2, u1, u2, s1, s2, h, i, j, rr, v, t;
    FN(sqr)(&z1z1, &p->z);
    FN(sqr)(&z2z2, &q->z);
    FN(mul)(&u1, &p->x, &z2z2);
    FN(mul)(&u2, &q->x, &z1z1);
    FN(mul)(&s1, &p->y, &q->z);
    FN(mul)(&s1, &s1, &z2z2);
    FN(mul)(&s2, &q->y, &p->z);
    FN(mul)(&s2, &s2, &z1z1);
    FN(sub)(&h, &u2, &u1);
    FN(sub)(&rr, &s2, &s1);
    if (FN(is_zero)(&h)) {
        if (FN(is_zero)(&rr)) {
            G(jac_dbl)(r, p);
        } else {
            G(jac_set_infinity)(r);
        }
        return;
    }
    FN(dbl)(&i, &h);
    FN(sqr)(&i, &i);
    FN(mul)(&j, &h, &i);
    FN(dbl)(&rr, &rr);
    FN(mul)(&v, &u1, &i);
    FN(add)(&t, &p->z, &q->z);
    FN(sqr)(&t, &t);
    FN(sub)(&t, &t, &z1z1);
    FN(sub)(&t, &t, &z2z2);
    FN(mul)(&r->z, &t, &h);
    FN(sqr)(&t, &rr);
    FN(sub)(&t, &t, &j);
    FN(sub)(&t, &t, &v);
    FN(sub)(&r->x, &t, &v);
    FN(sub)(&t, &v, &r->x);
    FN(mul)(&t, &t, &rr);
    FN(mul)(&s1, &s1, &j);
    FN(dbl)(&s1, &s1);
    FN(sub)(&r->y, &t, &s1);
}

/* p + q, q affine: madd-2007-bl, with its exceptional cases. */
static inline void G(jac_add_affine)(JAC *r, const JAC *p, const AFFINE *q) {
    if (G(affine_is_infinity)(q)) {
        *r = *p;
        return;
    }
    if (G(jac_is_infinity)(p)) {
        G(jac_from_affine)(r, q);
        return;
    }
    F z1z1, u2, s2, h, hh, i, j, rr, v, t;
    FN(sqr)(&z1z1, &p->z);
    FN(mul)(&u2, &q->x, &z1z1);
    FN(mul)(&s2, &q->y, &p->z);
    FN(mul)(&s2, &s2, &z1z1);
    FN(sub)(&h, &u2, &p->x);
    FN(sub)(&rr, &s2, &p->y);
    if (FN(is_zero)(&h)) {
        if (FN(is_zero)(&rr)) {
            G(jac_dbl)(r, p);
        } else {
            G(jac_set_infinity)(r);
        }
        return;
    }
    FN(sqr)(&hh, &h);
    FN(dbl)(&i, &hh);
    FN(dbl)(&i, &i);
    FN(mul)(&j, &h, &i);
    FN(dbl)(&rr, &rr);
    FN(mul)(&v, &p->x, &i);
    FN(add)(&t, &p->z, &h);
    FN(sqr)(&t, &t);
    FN(sub)(&t, &t, &z1z1);
    FN(sub)(&r->z, &t, &hh);
    FN(mul)(&u2, &p->y, &j);
    FN(sqr)(&t, &rr);
    FN(sub)(&t, &t, &j);
    FN(sub)(&t, &t, &v);
    FN(sub)(&r->x, &t, &v);
    FN(sub)(&t, &v, &r->x);
    FN(mul)(&t, &t, &rr);
    FN(dbl)(&u2, &u2);
    FN(sub)(&r->y, &t, &u2);
}

/* 2p: dbl-2008-s-1, a = 0. */
static inline void G(xyzz_dbl)(XYZZ *r, const XYZZ *p) {
    F u, v, w, s, m, t;
    FN(dbl)(&u, &p->y);
    FN(sqr)(&v, &u);
    FN(mul)(&w, &u, &v);
    FN(mul)(&s, &p->x, &v);
    FN(sqr)(&t, &p->x);
    FN(dbl)(&m, &t);
    FN(add)(&m, &m, &t);
    FN(mul)(&t, &w, &p->y);
    FN(sqr)(&u, &m);
    FN(sub)(&u, &u, &s);
    FN(sub)(&r->x, &u, &s);
    FN(sub)(&s, &s, &r->x);
    FN(mul)(&s, &s, &m);
    FN(sub)(&r->y, &s, &t);
    FN(mul)(&r->zz, &p->zz, &v);
    FN(mul)(&r->zzz, &p->zzz, &w);
}

/* p + q: add-2008-s, with its exceptional cases. */
static inline void G(xyzz_add)(XYZZ *r, const XYZZ *p, const XYZZ *q) {
    if (G(xyzz_is_infinity)(p)) {
        *r = *q;
        return;
    }
    if (G(xyzz_is_infinity)(q)) {
        *r = *p;
        return;
    }
    F u1, u2, s1, s2, h, rr, hh, hhh, v, t;
    FN(mul)(&u1, &p->x, &q->zz);
    FN(mul)(&u2, &q->x, &p->zz);
    FN(mul)(&s1, &p->y, &q->zzz);
    FN(mul)(&s2, &q->y, &p->zzz);
    FN(sub)(&h, &u2, &u1);
    FN(sub)(&rr, &s2, &s1);
    if (FN(is_zero)(&h)) {
        if (FN(is_zero)(&rr)) {
            G(xyzz_dbl)(r, p);
        } else {
            G(xyzz_set_infinity)(r);
        }
        return;
    }
    FN(sqr)(&hh, &h);
    FN(mul)(&hhh, &h, &hh);
    FN(mul)(&v, &u1, &hh);
    FN(sqr)(&t, &rr);
    FN(sub)(&t, &t, &hhh);
    FN(sub)(&t, &t, &v);
    FN(sub)(&r->x, &t, &v);
    FN(sub)(&t, &v, &r->x);
    FN(mul)(&t, &t, &rr);
    FN(mul)(&s1, &s1, &hhh);
    FN(sub)(&r->y, &t, &s1);
    FN(mul)(&t, &p->zz, &q->zz);
    FN(mul)(&r->zz, &t, &hh);
    FN(mul)(&t, &p->zzz, &q->zzz);
    FN(mul)(&r->zzz, &t, &hhh);
}

/* p + q, q affine: madd-2008-s, with its exceptional cases. */
static inline void G(xyzz_add_affine)(XYZZ *r, const XYZZ *p, const AFFINE *q) {
    if (G(affine_is_infinity)(q)) {
        *r = *p;
        return;
    }
    if (G(xyzz_is_infinity)(p)) {
        G(xyzz_from_affine)(r, q);
        return;
    }
    F h, rr, hh, hhh, v, t;
    FN(mul)(&h, &q->x, &p->zz);
    FN(mul)(&rr, &q->y, &p->zzz);
    FN(sub)(&h, &h, &p->x);
    FN(sub)(&rr, &rr, &p->y);
    if (FN(is_zero)(&h)) {
        if (FN(is_zero)(&rr)) {
            G(xyzz_dbl)(r, p);
        } else {
            G(xyzz_set_infinity)(r);
        }
        return;
    }
    FN(sqr)(&hh, &h);
    FN(mul)(&hhh, &h, &hh);
    FN(mul)(&v, &p->x, &hh);
    FN(sqr)(&t, &rr);
    FN(sub)(&t, &t, &hhh);
    FN(sub)(&t, &t, &v);
    FN(sub)(&t, &t, &v);
    FN(mul)(&hh, &p->zz, &hh);
    FN(mul)(&h, &p->y, &hhh);
    FN(sub)(&v, &v, &t);
    r->x = t;
    FN(mul)(&v, &v, &rr);
    FN(sub)(&r->y, &v, &h);
    r->zz = hh;
    FN(mul)(&r->zzz, &p->zzz, &hhh);
}

#undef AFFINE
#undef JAC
#undef XYZZ
