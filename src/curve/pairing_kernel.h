/* Miller loop, final exponentiation and Gt at the level of the including file. For curve_kernel.h.
 */
#ifndef CUZK_CURVE_PAIRING_KERNEL_H
#define CUZK_CURVE_PAIRING_KERNEL_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/pairing.h"
#include "curve_constants.h"
#include "field/fp12.h"

/* A point of E2 in homogeneous coordinates, (X/Z, Y/Z). */
typedef struct g2_homogeneous {
    fp2 x, y, z;
} g2_homogeneous;

/* A line through points of the untwisted E2 at P, up to a factor that the final exponentiation
 * removes: (a + b v) + c v w. With slope s on E2, at (x, y): a = s x - y, b = -s x_P, c = y_P. */
typedef struct pairing_line {
    fp2 a, b, c;
} pairing_line;

/* q = 2 q and the tangent at q, times -2 Y Z: Costello, Lange, Naehrig (eprint 2009/615), section
 * 5, all coordinates times 4. */
static inline void pairing_double(pairing_line *line, g2_homogeneous *q, const g1_affine *p) {
    fp2 xy, yy, zz, e, f, h, t;
    fp2_mul(&xy, &q->x, &q->y);
    fp2_sqr(&yy, &q->y);
    fp2_sqr(&zz, &q->z);
    fp2_add(&h, &q->y, &q->z); /* h = 2 Y Z */
    fp2_sqr(&h, &h);
    fp2_sub(&h, &h, &yy);
    fp2_sub(&h, &h, &zz);
    fp2_sqr(&t, &q->x);
    fp2_dbl(&line->b, &t);
    fp2_add(&line->b, &line->b, &t);
    fp2_mul_fp(&line->b, &line->b, &p->x);
    fp2_neg(&t, &h);
    fp2_mul_fp(&line->c, &t, &p->y);
    fp2_mul_nonresidue(&t, &zz); /* e = 3 b' Z^2 = 12 (1 + u) Z^2 */
    fp2_dbl(&t, &t);
    fp2_dbl(&t, &t);
    fp2_dbl(&e, &t);
    fp2_add(&e, &e, &t);
    fp2_sub(&line->a, &e, &yy);
    fp2_dbl(&f, &e); /* f = 3 e */
    fp2_add(&f, &f, &e);
    fp2_sub(&t, &yy, &f); /* X = 2 X Y (Y^2 - f) */
    fp2_mul(&t, &t, &xy);
    fp2_dbl(&q->x, &t);
    fp2_add(&t, &yy, &f); /* Y = (Y^2 + f)^2 - 12 e^2 */
    fp2_sqr(&q->y, &t);
    fp2_sqr(&e, &e);
    fp2_dbl(&e, &e);
    fp2_dbl(&e, &e);
    fp2_sub(&q->y, &q->y, &e);
    fp2_dbl(&e, &e);
    fp2_sub(&q->y, &q->y, &e);
    fp2_mul(&t, &yy, &h); /* Z = 4 Y^2 h */
    fp2_dbl(&t, &t);
    fp2_dbl(&q->z, &t);
}

/* q = q + s and the line through both, times X - x_s Z; same source. */
static inline void pairing_add(pairing_line *line, g2_homogeneous *q, const g2_affine *s,
                               const g1_affine *p) {
    fp2 theta, lambda, d, e, f, g, t;
    fp2_mul(&t, &s->y, &q->z);
    fp2_sub(&theta, &q->y, &t);
    fp2_mul(&t, &s->x, &q->z);
    fp2_sub(&lambda, &q->x, &t);
    fp2_mul(&line->a, &theta, &s->x);
    fp2_mul(&t, &lambda, &s->y);
    fp2_sub(&line->a, &line->a, &t);
    fp2_neg(&t, &theta);
    fp2_mul_fp(&line->b, &t, &p->x);
    fp2_mul_fp(&line->c, &lambda, &p->y);
    fp2_sqr(&d, &lambda);
    fp2_mul(&e, &lambda, &d);
    fp2_sqr(&f, &theta);
    fp2_mul(&f, &f, &q->z);
    fp2_mul(&g, &q->x, &d);
    fp2_add(&t, &e, &f); /* t = e + f - 2 g */
    fp2_sub(&t, &t, &g);
    fp2_sub(&t, &t, &g);
    fp2_mul(&q->x, &lambda, &t);
    fp2_sub(&g, &g, &t);
    fp2_mul(&g, &g, &theta);
    fp2_mul(&t, &e, &q->y);
    fp2_sub(&q->y, &g, &t);
    fp2_mul(&q->z, &q->z, &e);
}

#define PAIRING_GROUP 16 /* pairs that share the squares of one loop */

/* Product of f_|z| over n <= PAIRING_GROUP pairs without infinities, conjugated because z is
 * negative. */
static inline void pairing_loop(fp12 *r, const g1_affine *const *p, const g2_affine *const *q,
                                size_t n) {
    g2_homogeneous t[PAIRING_GROUP];
    pairing_line line;
    fp12 f = FP12_ONE;
    for (size_t i = 0; i < n; i++) {
        t[i] = (g2_homogeneous){q[i]->x, q[i]->y, FP2_ONE};
    }
    for (int bit = 62; bit >= 0; bit--) {
        if (bit != 62) {
            fp12_sqr(&f, &f);
        }
        for (size_t i = 0; i < n; i++) {
            pairing_double(&line, &t[i], p[i]);
            fp12_mul_line(&f, &line.a, &line.b, &line.c);
        }
        if ((CURVE_Z_ABS >> bit & 1) == 0) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            pairing_add(&line, &t[i], q[i], p[i]);
            fp12_mul_line(&f, &line.a, &line.b, &line.c);
        }
    }
    fp12_conj(r, &f);
}

static void kernel_miller_loop(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n) {
    const g1_affine *group_p[PAIRING_GROUP];
    const g2_affine *group_q[PAIRING_GROUP];
    fp12 product = FP12_ONE;
    size_t n_group = 0;
    bool first = true;
    for (size_t i = 0; i < n; i++) {
        if (!g1_affine_is_infinity(&p[i]) && !g2_affine_is_infinity(&q[i])) {
            group_p[n_group] = &p[i];
            group_q[n_group++] = &q[i];
        }
        if (n_group == PAIRING_GROUP || (i + 1 == n && n_group > 0)) {
            fp12 f;
            pairing_loop(&f, group_p, group_q, n_group);
            if (first) {
                product = f;
            } else {
                fp12_mul(&product, &product, &f);
            }
            first = false;
            n_group = 0;
        }
    }
    *r = product;
}

/* a^p: the coefficient of w^i is conjugated and multiplied by (1 + u)^(i (p - 1) / 6). */
static inline void fp12_frobenius(fp12 *r, const fp12 *a) {
    static const fp2 k[6] = FP12_FROBENIUS;
    fp2 t;
    fp2_conj(&r->c0.c0, &a->c0.c0);
    fp2_conj(&t, &a->c1.c0);
    fp2_mul(&r->c1.c0, &t, &k[1]);
    fp2_conj(&t, &a->c0.c1);
    fp2_mul(&r->c0.c1, &t, &k[2]);
    fp2_conj(&t, &a->c1.c1);
    fp2_mul(&r->c1.c1, &t, &k[3]);
    fp2_conj(&t, &a->c0.c2);
    fp2_mul(&r->c0.c2, &t, &k[4]);
    fp2_conj(&t, &a->c1.c2);
    fp2_mul(&r->c1.c2, &t, &k[5]);
}
/* a^(p^2) */
static inline void fp12_frobenius_2(fp12 *r, const fp12 *a) {
    static const fp k[6] = FP12_FROBENIUS_2;
    r->c0.c0 = a->c0.c0;
    fp2_mul_fp(&r->c1.c0, &a->c1.c0, &k[1]);
    fp2_mul_fp(&r->c0.c1, &a->c0.c1, &k[2]);
    fp2_mul_fp(&r->c1.c1, &a->c1.c1, &k[3]);
    fp2_mul_fp(&r->c0.c2, &a->c0.c2, &k[4]);
    fp2_mul_fp(&r->c1.c2, &a->c1.c2, &k[5]);
}

/* An element of the cyclotomic subgroup without its coefficients of w^0 and w^3: Karabina (eprint
 * 2010/542). Indices as in the paper: g2 + g3 s is the coefficient of w, g4 + g5 s that of w^2, s =
 * w^3. */
typedef struct fp12_compressed {
    fp2 g2, g3, g4, g5;
} fp12_compressed;

static inline void fp12_compress(fp12_compressed *r, const fp12 *a) {
    *r = (fp12_compressed){a->c1.c0, a->c0.c2, a->c0.c1, a->c1.c2};
}

/* The squares of fp12_cyclotomic_sqr that do not need the missing coefficients: 6 instead of 9. */
static inline void fp12_compressed_sqr(fp12_compressed *a) {
    fp2 t2, t3, t4, t5;
    fp4_sqr(&t2, &t3, &a->g2, &a->g3);
    fp4_sqr(&t4, &t5, &a->g4, &a->g5);
    fp2_mul_nonresidue(&t5, &t5);
    fp2_3t_plus_2z(&a->g2, &t5, &a->g2);
    fp2_3t_minus_2z(&a->g3, &t4, &a->g3);
    fp2_3t_minus_2z(&a->g4, &t2, &a->g4);
    fp2_3t_plus_2z(&a->g5, &t3, &a->g5);
}

/* inv_4g2 = 1 / (4 g2): g1 = (xi g5^2 + 3 g4^2 - 2 g3) / (4 g2), g0 = xi (2 g1^2 + g2 g5 - 3 g3 g4)
 * + 1 */
static inline void fp12_decompress(fp12 *r, const fp12_compressed *a, const fp2 *inv_4g2) {
    fp2 s, t;
    fp2_sqr(&s, &a->g5);
    fp2_mul_nonresidue(&s, &s);
    fp2_sqr(&t, &a->g4);
    fp2_add(&s, &s, &t);
    fp2_sub(&t, &t, &a->g3);
    fp2_dbl(&t, &t);
    fp2_add(&s, &s, &t);
    fp2_mul(&r->c1.c1, &s, inv_4g2);
    fp2_sqr(&s, &r->c1.c1);
    fp2_mul(&t, &a->g3, &a->g4);
    fp2_sub(&s, &s, &t);
    fp2_dbl(&s, &s);
    fp2_sub(&s, &s, &t);
    fp2_mul(&t, &a->g2, &a->g5);
    fp2_add(&s, &s, &t);
    fp2_mul_nonresidue(&s, &s);
    fp2_add(&r->c0.c0, &s, &FP2_ONE);
    r->c1.c0 = a->g2;
    r->c0.c2 = a->g3;
    r->c0.c1 = a->g4;
    r->c1.c2 = a->g5;
}

/* r *= a^(2^k) over the set bits k of the exponent from `bit` up, where t = a^(2^bit) */
static inline void fp12_pow_upper_bits(fp12 *r, fp12 *t, int bit) {
    for (; bit < 64; bit++) {
        if (CURVE_Z_ABS >> bit & 1) {
            fp12_mul(r, r, t);
        }
        if (bit < 63) {
            fp12_cyclotomic_sqr(t, t);
        }
    }
}

/* a^z in the cyclotomic subgroup, r not a. The long runs of squares are compressed; one inversion
 * brings back the powers that are needed in full. */
static inline void fp12_pow_z(fp12 *r, const fp12 *a) {
    enum { N_FULL = 3 };
    static const int full[N_FULL] = {16, 48, 57};
    _Static_assert((CURVE_Z_ABS & ((1ull << 58) - 1)) == (1ull << 16 | 1ull << 48 | 1ull << 57),
                   "the set bits below 58");
    fp12_compressed c, saved[N_FULL];
    fp2 product[N_FULL], inverse, g2;
    fp12 t;
    fp12_compress(&c, a);
    for (int i = 0, bit = 0; i < N_FULL; i++) {
        for (; bit < full[i]; bit++) {
            fp12_compressed_sqr(&c);
        }
        saved[i] = c;
        fp2_dbl(&g2, &c.g2);
        fp2_dbl(&g2, &g2);
        if (i == 0) {
            product[i] = g2;
        } else {
            fp2_mul(&product[i], &product[i - 1], &g2);
        }
    }
    if (fp2_is_zero(&product[N_FULL - 1])) { /* as for a = 1: nothing to divide by */
        t = *a;
        *r = FP12_ONE;
        fp12_pow_upper_bits(r, &t, 0);
        fp12_conj(r, r);
        return;
    }
    cuzk_fp2_inv(&inverse, &product[N_FULL - 1]);
    for (int i = N_FULL; i-- > 0;) {
        fp2 inv_4g2 = inverse;
        if (i > 0) {
            fp2_mul(&inv_4g2, &inverse, &product[i - 1]);
            fp2_dbl(&g2, &saved[i].g2);
            fp2_dbl(&g2, &g2);
            fp2_mul(&inverse, &inverse, &g2);
        }
        fp12 power;
        fp12_decompress(&power, &saved[i], &inv_4g2);
        if (i == N_FULL - 1) {
            t = power;
            *r = power;
        } else {
            fp12_mul(r, r, &power);
        }
    }
    for (int bit = full[N_FULL - 1]; bit < 58; bit++) {
        fp12_cyclotomic_sqr(&t, &t);
    }
    fp12_pow_upper_bits(r, &t, 58);
    fp12_conj(r, r);
}

/* f^(3 (p^12 - 1) / r). Easy part: (p^6 - 1)(p^2 + 1). Hard part, Hayashida, Hayasaka, Teruya
 * (eprint 2020/875): 3 (p^4 - p^2 + 1) / r = (z - 1)^2 (z + p) (z^2 + p^2 - 1) + 3. */
static void kernel_final_exponentiation(fp12 *r, const fp12 *f) {
    fp12 m, a, b, t;
    fp12_conj(&a, f);
    fp12_inv(&t, f);
    fp12_mul(&a, &a, &t);
    fp12_frobenius_2(&m, &a);
    fp12_mul(&m, &m, &a);

    fp12_pow_z(&a, &m); /* a = m^(z - 1) */
    fp12_conj(&t, &m);
    fp12_mul(&a, &a, &t);
    fp12_pow_z(&b, &a); /* b = a^(z - 1) */
    fp12_conj(&t, &a);
    fp12_mul(&b, &b, &t);
    fp12_pow_z(&a, &b); /* a = b^(z + p) */
    fp12_frobenius(&t, &b);
    fp12_mul(&a, &a, &t);
    fp12_pow_z(&t, &a); /* b = a^(z^2 + p^2 - 1) */
    fp12_pow_z(&b, &t);
    fp12_frobenius_2(&t, &a);
    fp12_mul(&b, &b, &t);
    fp12_conj(&t, &a);
    fp12_mul(&b, &b, &t);
    fp12_cyclotomic_sqr(&t, &m); /* times m^3 */
    fp12_mul(&t, &t, &m);
    fp12_mul(r, &b, &t);
}

/* In the cyclotomic subgroup, a^(p^4) a = a^(p^2), and there a^p = a^z: since p = z modulo r and
 * gcd(p - z, p^4 - p^2 + 1) = r, exactly the elements of order dividing r. */
static bool kernel_gt_in_subgroup(const fp12 *a) {
    fp12 s, t;
    if (fp6_is_zero(&a->c0) && fp6_is_zero(&a->c1)) {
        return false;
    }
    fp12_frobenius_2(&s, a);
    fp12_frobenius_2(&t, &s);
    fp12_mul(&t, &t, a);
    if (!fp12_eq(&s, &t)) {
        return false;
    }
    fp12_pow_z(&s, a);
    fp12_frobenius(&t, a);
    return fp12_eq(&s, &t);
}

/* prod a[i]^k[i] over n <= GT_GROUP elements of Gt, in signed windows of five bits. */
static void gt_group_of_powers(fp12 *r, const fp12 *a, const fr_plain *k, size_t n) {
    int8_t digits[GT_GROUP][257];
    fp12 odd[GT_GROUP][8], t; /* a, a^3 .. a^15 */
    int top = -1;
    for (size_t i = 0; i < n; i++) {
        const int own_top = scalar_signed_windows(digits[i], &k[i]);
        top = own_top > top ? own_top : top;
        odd[i][0] = a[i];
        fp12_cyclotomic_sqr(&t, &a[i]);
        for (int j = 1; j < 8; j++) {
            fp12_mul(&odd[i][j], &odd[i][j - 1], &t);
        }
    }
    fp12 product = FP12_ONE;
    for (int bit = top; bit >= 0; bit--) {
        fp12_cyclotomic_sqr(&product, &product);
        for (size_t i = 0; i < n; i++) {
            const int digit = digits[i][bit];
            if (digit > 0) {
                fp12_mul(&product, &product, &odd[i][digit / 2]);
            } else if (digit < 0) {
                fp12_conj(&t, &odd[i][-digit / 2]);
                fp12_mul(&product, &product, &t);
            }
        }
    }
    *r = product;
}

/* prod a[i]^k[i], a[i] in Gt */
static void kernel_gt_powers(fp12 *r, const fp12 *a, const fr_plain *k, size_t n) {
    fp12 product = FP12_ONE, t;
    for (size_t i = 0; i < n; i += GT_GROUP) {
        gt_group_of_powers(&t, a + i, k + i, n - i < GT_GROUP ? n - i : GT_GROUP);
        fp12_mul(&product, &product, &t);
    }
    *r = product;
}

#endif
