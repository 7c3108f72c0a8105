/* The curve kernels in portable C. */
#include "curve/curve_internal.h"

#include "curve/curve_kernel.h"

const curve_kernels cuzk_curve_kernels_portable = CURVE_KERNELS(g1_kernel_decode, g2_kernel_decode);
