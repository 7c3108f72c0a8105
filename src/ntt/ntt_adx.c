/* ntt_kernels for x86-64 with BMI2 and ADX. */
#include "ntt/ntt_kernel.h"

const ntt_kernels cuzk_ntt_kernels_adx = NTT_KERNELS;
