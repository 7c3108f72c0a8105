/* ntt_kernels in portable C. */
#include "ntt/ntt_kernel.h"

const ntt_kernels cuzk_ntt_kernels_portable = NTT_KERNELS;
