/* Fp2 = Fp[u] / (u^2 + 1): c0 + c1 u. Follows the level of its file, as fp.h does. */
#ifndef CUZK_FIELD_FP2_H
#define CUZK_FIELD_FP2_H

#include "field/fp.h"

typedef struct fp2 {
    fp c0, c1;
} fp2;

#ifdef CUZK_LEVEL_ADX
void cuzk_fp2_mul_adx(fp2 *r, const fp2 *a, const fp2 *b);
void cuzk_fp2_sqr_adx(fp2 *r, const fp2 *a);
#endif

#define FP2_ZERO ((fp2){FP_ZERO, FP_ZERO})
#define FP2_ONE ((fp2){FP_ONE, FP_ZERO})

static inline bool fp2_eq(const fp2 *a, const fp2 *b) {
    return fp_eq(&a->c0, &b->c0) && fp_eq(&a->c1, &b->c1);
}
static inline bool fp2_is_zero(const fp2 *a) { return fp_is_zero(&a->c0) && fp_is_zero(&a->c1); }
static inline void fp2_add(fp2 *r, const fp2 *a, const fp2 *b) {
    fp_add(&r->c0, &a->c0, &b->c0);
    fp_add(&r->c1, &a->c1, &b->c1);
}
static inline void fp2_sub(fp2 *r, const fp2 *a, const fp2 *b) {
    fp_sub(&r->c0, &a->c0, &b->c0);
    fp_sub(&r->c1, &a->c1, &b->c1);
}
static inline void fp2_dbl(fp2 *r, const fp2 *a) { fp2_add(r, a, a); }
static inline void fp2_neg(fp2 *r, const fp2 *a) {
    fp_neg(&r->c0, &a->c0);
    fp_neg(&r->c1, &a->c1);
}
/* conjugate: c0 - c1 u, also the Frobenius map */
static inline void fp2_conj(fp2 *r, const fp2 *a) {
    r->c0 = a->c0;
    fp_neg(&r->c1, &a->c1);
}

/* Karatsuba: 3 products. */
static inline void fp2_mul(fp2 *r, const fp2 *a, const fp2 *b) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fp2_mul_adx(r, a, b);
#else
    fp t0, t1, sa, sb;
    fp_mul(&t0, &a->c0, &b->c0);
    fp_mul(&t1, &a->c1, &b->c1);
    fp_add(&sa, &a->c0, &a->c1);
    fp_add(&sb, &b->c0, &b->c1);
    fp_mul(&sa, &sa, &sb);
    fp_sub(&sa, &sa, &t0);
    fp_sub(&r->c1, &sa, &t1);
    fp_sub(&r->c0, &t0, &t1);
#endif
}

/* (c0 + c1)(c0 - c1) + 2 c0 c1 u */
static inline void fp2_sqr(fp2 *r, const fp2 *a) {
#ifdef CUZK_LEVEL_ADX
    cuzk_fp2_sqr_adx(r, a);
#else
    fp s, d, m;
    fp_add(&s, &a->c0, &a->c1);
    fp_sub(&d, &a->c0, &a->c1);
    fp_mul(&m, &a->c0, &a->c1);
    fp_mul(&r->c0, &s, &d);
    fp_dbl(&r->c1, &m);
#endif
}

static inline void fp2_mul_fp(fp2 *r, const fp2 *a, const fp *b) {
    fp_mul(&r->c0, &a->c0, b);
    fp_mul(&r->c1, &a->c1, b);
}

/* a (1 + u): the non-residue of the tower */
static inline void fp2_mul_nonresidue(fp2 *r, const fp2 *a) {
    fp t;
    fp_sub(&t, &a->c0, &a->c1);
    fp_add(&r->c1, &a->c0, &a->c1);
    r->c0 = t;
}

/* 1/a; 0 for a = 0. */
void cuzk_fp2_inv(fp2 *r, const fp2 *a);
/* A square root; false (r undefined) if a has none. */
bool cuzk_fp2_sqrt(fp2 *r, const fp2 *a);
/* "Lexicographically largest": by c1 unless it is zero, then by c0. */
bool cuzk_fp2_is_larger(const fp2 *a);

#endif
