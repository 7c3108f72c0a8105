/* The curve kernels in portable C. */
#include "curve/curve_internal.h"

#define CURVE_TABLE cuzk_curve_kernels_portable
#include "curve/curve_kernel.h"
