/* The curve kernels on the ADX field product; the next level has them too, and decoders of its own.
 */
#include "curve/curve_internal.h"

#include "curve/curve_kernel.h"

const curve_kernels cuzk_curve_kernels_adx = CURVE_KERNELS(g1_kernel_decode, g2_kernel_decode);
const curve_kernels cuzk_curve_kernels_avx512ifma =
    CURVE_KERNELS(cuzk_g1_decode_avx512ifma, cuzk_g2_decode_avx512ifma);
