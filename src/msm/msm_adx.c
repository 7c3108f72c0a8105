/* The sums' kernels on the ADX field product. */
#define MSM_LEVEL(name) name##_adx
#include "msm/msm_kernel.h"
