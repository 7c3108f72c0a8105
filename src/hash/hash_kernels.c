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
#endif
    default:
        return NULL;
    }
}

const hash_kernels *cuzk_hash_kernels(void) {
    const hash_kernels *kernels = NULL;
    for (int level = (int)cuzk_cpu_level_now(); kernels == NULL; level--) {
        kernels = cuzk_hash_kernels_at((cuzk_cpu_level)level);
    }
    return kernels;
}
