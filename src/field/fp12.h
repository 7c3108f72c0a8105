/* The tower above Fp2: Fp6 = Fp2[v] / (v^3 - (1 + u)), Fp12 = Fp6[w] / (w^2 - v). Used by the
 * pairing only. Follows the level of its file, as fp.h does. Results may be the same object as an
 * operand. */
#ifndef CUZK_FIELD_FP12_H
#define CUZK_FIELD_FP12_H

#include "field/fp2.h"

/* c0 + c1 v + c2 v^2 */
typedef struct fp6 {
    fp2 c0, c1, c2;
} fp6;

/* c0 + c1 w */
typedef struct fp12 {
    fp6 c0, c1;
} fp12;

#define FP6_ZERO ((fp6){FP2_ZERO, FP2_ZERO, FP2_ZERO})
#define FP6_ONE ((fp6){FP2_ONE, FP2_ZERO, FP2_ZERO})
#define FP12_ONE ((fp12){FP6_ONE, FP6_ZERO})

static inline bool fp6_eq(const fp6 *a, const fp6 *b) {
    return fp2_eq(&a->c0, &b->c0) && fp2_eq(&a->c1, &b->c1) && fp2_eq(&a->c2, &b->c2);
}
static inline bool fp6_is_zero(const fp6 *a) {
    return fp2_is_zero(&a->c0) && fp2_is_zero(&a->c1) && fp2_is_zero(&a->c2);
}
static inline void fp6_add(fp6 *r, const fp6 *a, const fp6 *b) {
    fp2_add(&r->c0, &a->c0, &b->c0);
    fp2_add(&r->c1, &a->c1, &b->c1);
    fp2_add(&r->c2, &a->c2, &b->c2);
}
static inline void fp6_sub(fp6 *r, const fp6 *a, const fp6 *b) {
    fp2_sub(&r->c0, &a->c0, &b->c0);
    fp2_sub(&r->c1, &a->c1, &b->c1);
    fp2_sub(&r->c2, &a->c2, &b->c2);
}
static inline void fp6_neg(fp6 *r, const fp6 *a) {
    fp2_neg(&r->c0, &a->c0);
    fp2_neg(&r->c1, &a->c1);
    fp2_neg(&r->c2, &a->c2);
}

/* a v = (1 + u) c2 + c0 v + c1 v^2 */
static inline void fp6_mul_v(fp6 *r, const fp6 *a) {
    fp2 t;
    fp2_mul_nonresidue(&t, &a->c2);
    r->c2 = a->c1;
    r->c1 = a->c0;
    r->c0 = t;
}

/* Karatsuba for three terms: 6 products. */
static inline void fp6_mul(fp6 *r, const fp6 *a, const fp6 *b) {
    fp2 t0, t1, t2, s, t, x, y;
    fp2_mul(&t0, &a->c0, &b->c0);
    fp2_mul(&t1, &a->c1, &b->c1);
    fp2_mul(&t2, &a->c2, &b->c2);
    fp2_add(&s, &a->c1, &a->c2); /* x = t0 + xi (a1 b2 + a2 b1) */
    fp2_add(&t, &b->c1, &b->c2);
    fp2_mul(&x, &s, &t);
    fp2_sub(&x, &x, &t1);
    fp2_sub(&x, &x, &t2);
    fp2_mul_nonresidue(&x, &x);
    fp2_add(&x, &x, &t0);
    fp2_add(&s, &a->c0, &a->c1); /* y = a0 b1 + a1 b0 + xi t2 */
    fp2_add(&t, &b->c0, &b->c1);
    fp2_mul(&y, &s, &t);
    fp2_sub(&y, &y, &t0);
    fp2_sub(&y, &y, &t1);
    fp2_add(&s, &a->c0, &a->c2); /* a0 b2 + a2 b0 + t1 */
    fp2_add(&t, &b->c0, &b->c2);
    fp2_mul(&s, &s, &t);
    fp2_sub(&s, &s, &t0);
    fp2_sub(&s, &s, &t2);
    fp2_add(&r->c2, &s, &t1);
    r->c0 = x;
    fp2_mul_nonresidue(&t2, &t2);
    fp2_add(&r->c1, &y, &t2);
}

/* a (b0 + b1 v): 5 products */
static inline void fp6_mul_01(fp6 *r, const fp6 *a, const fp2 *b0, const fp2 *b1) {
    fp2 t0, t1, s, t, x;
    fp2_mul(&t0, &a->c0, b0);
    fp2_mul(&t1, &a->c1, b1);
    fp2_add(&s, &a->c0, &a->c1);
    fp2_add(&t, b0, b1);
    fp2_mul(&s, &s, &t);
    fp2_sub(&s, &s, &t0);
    fp2_sub(&s, &s, &t1);
    fp2_mul(&x, &a->c2, b1);
    fp2_mul_nonresidue(&x, &x);
    fp2_mul(&t, &a->c2, b0);
    fp2_add(&r->c0, &x, &t0);
    r->c1 = s;
    fp2_add(&r->c2, &t, &t1);
}

/* a b1 v: 3 products */
static inline void fp6_mul_1(fp6 *r, const fp6 *a, const fp2 *b1) {
    fp2 t;
    fp2_mul(&t, &a->c2, b1);
    fp2_mul(&r->c2, &a->c1, b1);
    fp2_mul(&r->c1, &a->c0, b1);
    fp2_mul_nonresidue(&r->c0, &t);
}

static inline void fp6_sqr(fp6 *r, const fp6 *a) {
    fp2 s0, s1, s2, s3, s4; /* Chung and Hasan's SQR2: 3 squares, 2 products */
    fp2_sqr(&s0, &a->c0);
    fp2_mul(&s1, &a->c0, &a->c1);
    fp2_dbl(&s1, &s1);
    fp2_sub(&s2, &a->c0, &a->c1);
    fp2_add(&s2, &s2, &a->c2);
    fp2_sqr(&s2, &s2);
    fp2_mul(&s3, &a->c1, &a->c2);
    fp2_dbl(&s3, &s3);
    fp2_sqr(&s4, &a->c2);
    fp2_add(&s2, &s2, &s1);
    fp2_add(&s2, &s2, &s3);
    fp2_sub(&s2, &s2, &s0);
    fp2_sub(&r->c2, &s2, &s4);
    fp2_mul_nonresidue(&s3, &s3);
    fp2_add(&r->c0, &s0, &s3);
    fp2_mul_nonresidue(&s4, &s4);
    fp2_add(&r->c1, &s1, &s4);
}

/* 1/a; 0 for a = 0. */
static inline void fp6_inv(fp6 *r, const fp6 *a) {
    fp2 x, y, z, t, d;
    fp2_sqr(&x, &a->c0); /* x = c0^2 - xi c1 c2 */
    fp2_mul(&t, &a->c1, &a->c2);
    fp2_mul_nonresidue(&t, &t);
    fp2_sub(&x, &x, &t);
    fp2_sqr(&y, &a->c2); /* y = xi c2^2 - c0 c1 */
    fp2_mul_nonresidue(&y, &y);
    fp2_mul(&t, &a->c0, &a->c1);
    fp2_sub(&y, &y, &t);
    fp2_sqr(&z, &a->c1); /* z = c1^2 - c0 c2 */
    fp2_mul(&t, &a->c0, &a->c2);
    fp2_sub(&z, &z, &t);
    fp2_mul(&d, &a->c1, &z); /* d = c0 x + xi (c1 z + c2 y) */
    fp2_mul(&t, &a->c2, &y);
    fp2_add(&d, &d, &t);
    fp2_mul_nonresidue(&d, &d);
    fp2_mul(&t, &a->c0, &x);
    fp2_add(&d, &d, &t);
    cuzk_fp2_inv(&d, &d);
    fp2_mul(&r->c0, &x, &d);
    fp2_mul(&r->c1, &y, &d);
    fp2_mul(&r->c2, &z, &d);
}

static inline bool fp12_eq(const fp12 *a, const fp12 *b) {
    return fp6_eq(&a->c0, &b->c0) && fp6_eq(&a->c1, &b->c1);
}
static inline bool fp12_is_one(const fp12 *a) {
    const fp12 one = FP12_ONE;
    return fp12_eq(a, &one);
}
/* c0 - c1 w: the p^6 Frobenius; the inverse in the cyclotomic subgroup, Gt included. */
static inline void fp12_conj(fp12 *r, const fp12 *a) {
    r->c0 = a->c0;
    fp6_neg(&r->c1, &a->c1);
}

static inline void fp12_mul(fp12 *r, const fp12 *a, const fp12 *b) {
    fp6 t0, t1, s, t;
    fp6_mul(&t0, &a->c0, &b->c0);
    fp6_mul(&t1, &a->c1, &b->c1);
    fp6_add(&s, &a->c0, &a->c1);
    fp6_add(&t, &b->c0, &b->c1);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &t0);
    fp6_sub(&r->c1, &s, &t1);
    fp6_mul_v(&t1, &t1);
    fp6_add(&r->c0, &t0, &t1);
}

/* (c0 + c1)(c0 + v c1) - (1 + v) c0 c1 + 2 c0 c1 w */
static inline void fp12_sqr(fp12 *r, const fp12 *a) {
    fp6 m, s, t;
    fp6_mul(&m, &a->c0, &a->c1);
    fp6_add(&s, &a->c0, &a->c1);
    fp6_mul_v(&t, &a->c1);
    fp6_add(&t, &t, &a->c0);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &m);
    fp6_mul_v(&t, &m);
    fp6_sub(&r->c0, &s, &t);
    fp6_add(&r->c1, &m, &m);
}

/* f (a + b v + c v w), what lines of the pairing look like: 13 products */
static inline void fp12_mul_line(fp12 *f, const fp2 *a, const fp2 *b, const fp2 *c) {
    fp6 t0, t1, s;
    fp2 bc;
    fp6_mul_01(&t0, &f->c0, a, b);
    fp6_mul_1(&t1, &f->c1, c);
    fp2_add(&bc, b, c);
    fp6_add(&s, &f->c0, &f->c1);
    fp6_mul_01(&s, &s, a, &bc);
    fp6_sub(&s, &s, &t0);
    fp6_sub(&f->c1, &s, &t1);
    fp6_mul_v(&t1, &t1);
    fp6_add(&f->c0, &t0, &t1);
}

/* 1/a; 0 for a = 0. (c0 - c1 w) / (c0^2 - v c1^2) */
static inline void fp12_inv(fp12 *r, const fp12 *a) {
    fp6 s, t;
    fp6_sqr(&s, &a->c0);
    fp6_sqr(&t, &a->c1);
    fp6_mul_v(&t, &t);
    fp6_sub(&s, &s, &t);
    fp6_inv(&s, &s);
    fp6_mul(&r->c0, &a->c0, &s);
    fp6_mul(&t, &a->c1, &s);
    fp6_neg(&r->c1, &t);
}

/* (x + y s)^2 with s^2 = 1 + u: x' = x^2 + (1 + u) y^2, y' = 2 x y */
static inline void fp4_sqr(fp2 *x2, fp2 *y2, const fp2 *x, const fp2 *y) {
    fp2 s, t, m;
    fp2_sqr(&s, x);
    fp2_sqr(&t, y);
    fp2_add(&m, x, y);
    fp2_sqr(&m, &m);
    fp2_sub(&m, &m, &s);
    fp2_sub(y2, &m, &t);
    fp2_mul_nonresidue(&t, &t);
    fp2_add(x2, &t, &s);
}

/* r = 3 t - 2 z */
static inline void fp2_3t_minus_2z(fp2 *r, const fp2 *t, const fp2 *z) {
    fp2 d;
    fp2_sub(&d, t, z);
    fp2_dbl(&d, &d);
    fp2_add(r, &d, t);
}
/* r = 3 t + 2 z */
static inline void fp2_3t_plus_2z(fp2 *r, const fp2 *t, const fp2 *z) {
    fp2 d;
    fp2_add(&d, t, z);
    fp2_dbl(&d, &d);
    fp2_add(r, &d, t);
}

/* a^2 for a in the cyclotomic subgroup, a^(p^4 - p^2 + 1) = 1: Granger and Scott (eprint 2009/565),
 * 9 squares. */
static inline void fp12_cyclotomic_sqr(fp12 *r, const fp12 *a) {
    fp2 t0, t1, t2, t3, t4, t5;
    fp4_sqr(&t0, &t1, &a->c0.c0, &a->c1.c1);
    fp4_sqr(&t2, &t3, &a->c1.c0, &a->c0.c2);
    fp4_sqr(&t4, &t5, &a->c0.c1, &a->c1.c2);
    fp2_mul_nonresidue(&t5, &t5);
    fp2_3t_minus_2z(&r->c0.c0, &t0, &a->c0.c0);
    fp2_3t_minus_2z(&r->c0.c1, &t2, &a->c0.c1);
    fp2_3t_minus_2z(&r->c0.c2, &t4, &a->c0.c2);
    fp2_3t_plus_2z(&r->c1.c0, &t5, &a->c1.c0);
    fp2_3t_plus_2z(&r->c1.c1, &t1, &a->c1.c1);
    fp2_3t_plus_2z(&r->c1.c2, &t3, &a->c1.c2);
}

#endif
