/* Which kernels of sums run. */
#include "msm/msm_internal.h"

const msm_kernels *cuzk_msm_g1_kernels(void) {
#ifdef CUZK_HAVE_X86
    if (cuzk_cpu_level_now() >= CUZK_CPU_AVX512IFMA) {
        return &cuzk_msm_g1_avx512ifma;
    }
    if (cuzk_cpu_level_now() >= CUZK_CPU_ADX) {
        return &cuzk_msm_g1_adx;
    }
#endif
    return &cuzk_msm_g1_portable;
}

const msm_kernels *cuzk_msm_g2_kernels(void) {
#ifdef CUZK_HAVE_X86
    if (cuzk_cpu_level_now() >= CUZK_CPU_AVX512IFMA) {
        return &cuzk_msm_g2_avx512ifma;
    }
    if (cuzk_cpu_level_now() >= CUZK_CPU_ADX) {
        return &cuzk_msm_g2_adx;
    }
#endif
    return &cuzk_msm_g2_portable;
}
