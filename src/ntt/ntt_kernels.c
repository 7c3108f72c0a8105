/* Which table of transform kernels runs. */
#include "ntt/ntt_kernels.h"

const ntt_kernels *cuzk_ntt_kernels_at(cuzk_cpu_level level) {
    if (level > cuzk_cpu_detected()) {
        return NULL;
    }
#ifdef CUZK_HAVE_X86
    if (level >= CUZK_CPU_ADX) {
        return level == CUZK_CPU_ADX ? &cuzk_ntt_kernels_adx : NULL;
    }
#endif
    return level == CUZK_CPU_PORTABLE ? &cuzk_ntt_kernels_portable : NULL;
}

const ntt_kernels *cuzk_ntt_kernels(void) {
#ifdef CUZK_HAVE_X86
    if (cuzk_cpu_level_now() >= CUZK_CPU_ADX) {
        return &cuzk_ntt_kernels_adx;
    }
#endif
    return &cuzk_ntt_kernels_portable;
}
