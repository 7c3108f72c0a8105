/* The same as msm_images.h, eight points at a time in lanes; for msm_avx512ifma.c. */
#ifndef CUZK_MSM_MSM_IMAGES_LANES_H
#define CUZK_MSM_MSM_IMAGES_LANES_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "curve_constants.h"
#include "field/fp8.h"

/* All lanes k as it is in memory: times a coordinate that was loaded times 2^32 it gives what goes
 * to memory. */
LANES_INLINE void set_factor(fp8 *r, const fp *k) {
    const lanes row = fp8_row_load(k);
    lanes rows[LANES];
    LANES_UNROLL for (int i = 0; i < LANES; i++) { rows[i] = row; }
    lanes_transpose(r->l, rows);
}

/* Coordinates of eight points, times 2^32. */
LANES_INLINE void load_coordinates(fp8 *r, const fp *const at[LANES]) {
    lanes rows[LANES];
    LANES_UNROLL for (int i = 0; i < LANES; i++) { rows[i] = fp8_row_load_times_2_32(at[i]); }
    lanes_transpose(r->l, rows);
}

/* r = a k, a normal and below 2^33 p */
LANES_INLINE void product_to_fp(fp r[LANES], const fp8 *a, const fp8 *k) {
    fp8 t;
    fp8_mul(&t, a, k);
    fp8_canonical(&t, &t);
    fp8_store(r, &t, sizeof *r);
}

static void g1_images(void *images, size_t stride, const void *points, const uint32_t *index,
                      size_t n) {
    static const fp beta = G1_BETA;
    const g1_affine *p = points;
    g1_affine *out = images;
    fp8 k;
    (void)stride; /* there is one */
    set_factor(&k, &beta);
    for (size_t i = 0; i < n; i += LANES) {
        const size_t n_here = n - i < LANES ? n - i : LANES;
        const fp *at[LANES];
        fp product[LANES];
        fp8 x;
        for (size_t j = 0; j < LANES; j++) {
            at[j] = &p[index[i + (j < n_here ? j : 0)]].x;
        }
        load_coordinates(&x, at);
        product_to_fp(product, &x, &k);
        for (size_t j = 0; j < n_here; j++) {
            out[i + j].x = product[j];
            fp_neg(&out[i + j].y, &p[index[i + j]].y);
        }
    }
}

/* The products that the images of eight points need. */
typedef struct g2_products {
    fp c_x[2][LANES], d_y[2][LANES], c2_x[2][LANES];
} g2_products;

static void g2_multiply(g2_products *r, const g2_affine *const p[LANES], const fp8 *c, const fp8 *d,
                        const fp8 *c2) {
    fp8 x[2], y[2], t;
    for (int half = 0; half < 2; half++) {
        const fp *at_x[LANES], *at_y[LANES];
        for (int j = 0; j < LANES; j++) {
            at_x[j] = half == 0 ? &p[j]->x.c0 : &p[j]->x.c1;
            at_y[j] = half == 0 ? &p[j]->y.c0 : &p[j]->y.c1;
        }
        load_coordinates(&x[half], at_x);
        load_coordinates(&y[half], at_y);
        product_to_fp(r->c_x[1 - half], &x[half], c);
        product_to_fp(r->c2_x[half], &x[half], c2);
    }
    fp8_sub(&t, &y[1], &y[0], 32);
    fp8_carry(&t);
    product_to_fp(r->d_y[0], &t, d);
    fp8_add(&t, &y[0], &y[1]);
    fp8_carry(&t);
    product_to_fp(r->d_y[1], &t, d);
}

static void g2_images(void *images, size_t stride, const void *points, const uint32_t *index,
                      size_t n) {
    static const fp psi_x = G2_PSI_X_FP, psi_y = G2_PSI_Y_FP, psi_2_x = G2_PSI_2_X_FP;
    const g2_affine *all = points;
    fp8 c, d, c2;
    set_factor(&c, &psi_x);
    set_factor(&d, &psi_y);
    set_factor(&c2, &psi_2_x);
    for (size_t i = 0; i < n; i += LANES) {
        const size_t n_here = n - i < LANES ? n - i : LANES;
        const g2_affine *p[LANES];
        g2_products product;
        for (size_t j = 0; j < LANES; j++) {
            p[j] = &all[index[i + (j < n_here ? j : 0)]];
        }
        g2_multiply(&product, p, &c, &d, &c2);
        for (size_t j = 0; j < n_here; j++) {
            g2_affine *r1 = (g2_affine *)images + i + j, *r2 = r1 + stride, *r3 = r2 + stride;
            r1->x = (fp2){product.c_x[0][j], product.c_x[1][j]};
            r1->y = (fp2){product.d_y[0][j], product.d_y[1][j]};
            r2->x = (fp2){product.c2_x[0][j], product.c2_x[1][j]};
            fp2_neg(&r2->y, &p[j]->y);
            fp_neg(&r3->x.c0, &p[j]->x.c1);
            fp_neg(&r3->x.c1, &p[j]->x.c0);
            fp2_neg(&r3->y, &r1->y);
        }
    }
}

#endif
