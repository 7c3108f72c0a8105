/* The kernel tables, one a level. */
#ifndef CUZK_CURVE_INTERNAL_H
#define CUZK_CURVE_INTERNAL_H

#include "curve/curve_kernels.h"

extern const curve_kernels cuzk_curve_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const curve_kernels cuzk_curve_kernels_adx;
extern const curve_kernels cuzk_curve_kernels_avx512ifma;

/* g1_decode and g2_decode in lanes. */
size_t cuzk_g1_decode_avx512ifma(g1_affine *r, const uint8_t *bytes, size_t n, point_check check,
                                 bool refuse_infinity, point_status *status);
size_t cuzk_g2_decode_avx512ifma(g2_affine *r, const uint8_t *bytes, size_t n, point_check check,
                                 bool refuse_infinity, point_status *status);
#endif

#endif
