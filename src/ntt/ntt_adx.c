/* Transform kernels, level adx. */
#include "ntt/ntt_internal.h"
#include "ntt/ntt_kernel.h"

const ntt_kernels cuzk_ntt_kernels_adx = NTT_KERNELS;
