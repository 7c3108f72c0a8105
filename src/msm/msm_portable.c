/* The sums' kernels in portable C. */
#define MSM_LEVEL(name) name##_portable
#include "msm/msm_kernel.h"
