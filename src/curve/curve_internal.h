/* The kernel tables, one a level. */
#ifndef CUZK_CURVE_INTERNAL_H
#define CUZK_CURVE_INTERNAL_H

#include "curve/curve_kernels.h"

extern const curve_kernels cuzk_curve_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const curve_kernels cuzk_curve_kernels_adx;
#endif

#endif
