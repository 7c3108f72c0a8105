/* Which hash kernels run. */
#include "hash/hash_internal.h"

const hash_kernels *cuzk_hash_kernels_at(cuzk_cpu_level level) {
    if (level > cuzk_cpu_detected()) {
        return NULL;
    }
    switch (level) {
    case CUZK_CPU_PORTABLE:
        return &cuzk_hash_kernels_portable;
#ifdef CUZK_HAVE_X86
    case CUZK_CPU_ADX:
        return &cuzk_hash_kernels_adx;
    case CUZK_CPU_AVX512IFMA:
        return &cuzk_hash_kernels_avx512ifma;
#endif
    default:
        return NULL;
    }
}

const hash_kernels *cuzk_hash_kernels(void) { return cuzk_hash_kernels_at(cuzk_cpu_level_now()); }
