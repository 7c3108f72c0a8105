/* Batches of curve work at the CPU level in force; single points are in g1.h, g2.h. */
#ifndef CUZK_CURVE_CURVE_KERNELS_H
#define CUZK_CURVE_CURVE_KERNELS_H

#include "base/cpu.h"
#include "curve/point_encoding.h"
#include "field/fp12.h"

/* Which of the readers of point_encoding.h: compressed, general uncompressed, strict. */
typedef enum point_form { POINT_COMPRESSED, POINT_UNCOMPRESSED, POINT_STRICT } point_form;

enum { GT_GROUP = 8 }; /* powers in Gt that share their squares */

typedef struct curve_kernels {
    /* Affine forms of n Jacobian points with one inversion; infinity gives infinity. r and p may
     * not overlap. */
    void (*g1_to_affine)(g1_affine *r, const g1_jac *p, size_t n);
    void (*g2_to_affine)(g2_affine *r, const g2_jac *p, size_t n);
    /* r[i] = [k[i]] p[i], k as it stands; r and p may be the same. */
    void (*g1_mul)(g1_jac *r, const g1_jac *p, const fr_plain *k, size_t n);
    void (*g2_mul)(g2_jac *r, const g2_jac *p, const fr_plain *k, size_t n);
    /* r[i] += p[i]. */
    void (*g1_add)(g1_jac *r, const g1_jac *p, size_t n);
    void (*g2_add)(g2_jac *r, const g2_jac *p, size_t n);
    void (*g1_add_affine)(g1_jac *r, const g1_affine *p, size_t n);
    void (*g2_add_affine)(g2_jac *r, const g2_affine *p, size_t n);
    /* One point of any form. */
    point_status (*g1_read)(g1_affine *r, const uint8_t *bytes, point_form form, point_check check);
    point_status (*g2_read)(g2_affine *r, const uint8_t *bytes, point_form form, point_check check);
    /* Strict uncompressed points, as cuzk_g1_read_strict. Returns the number decoded before the
     * first bad one (n when all are good); *status says what was wrong with that one.
     * refuse_infinity: infinity is POINT_BAD_ENCODING. */
    size_t (*g1_decode)(g1_affine *r, const uint8_t *bytes, size_t n, point_check check,
                        bool refuse_infinity, point_status *status);
    size_t (*g2_decode)(g2_affine *r, const uint8_t *bytes, size_t n, point_check check,
                        bool refuse_infinity, point_status *status);
    /* Uncompressed encodings, 96 / 192 bytes each. */
    void (*g1_encode)(uint8_t *bytes, const g1_affine *p, size_t n);
    void (*g2_encode)(uint8_t *bytes, const g2_affine *p, size_t n);
    /* Compressed encodings, 48 / 96 bytes each. */
    void (*g1_compress)(uint8_t *bytes, const g1_affine *p, size_t n);
    void (*g2_compress)(uint8_t *bytes, const g2_affine *p, size_t n);
    /* Index of the first of n points outside the subgroup, or n. */
    size_t (*g1_subgroup)(const g1_affine *p, size_t n);
    size_t (*g2_subgroup)(const g2_affine *p, size_t n);
    void (*miller_loop)(fp12 *r, const g1_affine *p, const g2_affine *q, size_t n);
    void (*final_exponentiation)(fp12 *r, const fp12 *f);
    bool (*gt_in_subgroup)(const fp12 *a);
    /* r = prod a[i]^k[i], a[i] in Gt, r may be one of them; GT_GROUP at a time cost about three
     * alone. */
    void (*gt_powers)(fp12 *r, const fp12 *a, const fr_plain *k, size_t n);
} curve_kernels;

/* The table of the level in force, or of a given level (NULL when this machine or build lacks it:
 * tests). */
const curve_kernels *cuzk_curve_kernels(void);
const curve_kernels *cuzk_curve_kernels_at(cuzk_cpu_level level);

#endif
