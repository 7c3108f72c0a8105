/* Chooses the curve kernels of a CPU level. */
#include "curve/curve_internal.h"

const curve_kernels *cuzk_curve_kernels_at(cuzk_cpu_level level) {
    if (level > cuzk_cpu_detected()) {
        return NULL;
    }
    switch (level) {
#ifdef CUZK_HAVE_X86
    case CUZK_CPU_ADX:
        return &cuzk_curve_kernels_adx;
    case CUZK_CPU_AVX512IFMA:
        return &cuzk_curve_kernels_avx512ifma;
#endif
    case CUZK_CPU_PORTABLE:
        return &cuzk_curve_kernels_portable;
    default:
        return NULL;
    }
}

const curve_kernels *cuzk_curve_kernels(void) {
    const curve_kernels *kernels = cuzk_curve_kernels_at(cuzk_cpu_level_now());
    return kernels != NULL ? kernels : &cuzk_curve_kernels_portable;
}
