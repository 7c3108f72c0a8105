/* The curve kernels on the ADX field product. */
#include "curve/curve_internal.h"

#define CURVE_TABLE cuzk_curve_kernels_adx
#include "curve/curve_kernel.h"
