/* Digits of scalars, whole or in parts, for msm_kernels.recode. */
#ifndef CUZK_MSM_MSM_RECODE_H
#define CUZK_MSM_MSM_RECODE_H

#include "msm/scalar_parts.h"
#include "msm/windows.h"

static inline void recode_each(int32_t *digits, size_t stride, const msm_windows *windows,
                               const fr_plain *scalars, const uint16_t *which, size_t n,
                               void (*split)(scalar_part *parts, const fr_plain *k),
                               size_t n_parts) {
    for (size_t i = 0; i < n; i++) {
        const fr_plain *k = &scalars[which[i]];
        if (windows->n_bits == 256) {
            msm_windows_recode(digits + i, stride, windows, k->l);
            continue;
        }
        scalar_part parts[MSM_MAX_PARTS];
        split(parts, k);
        for (size_t j = 0; j < n_parts; j++) {
            msm_windows_recode(digits + j * windows->count * stride + i, stride, windows,
                               parts[j].l);
        }
    }
}

static void g1_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    recode_each(digits, stride, windows, scalars, which, n, cuzk_scalar_parts_g1, MSM_G1_PARTS);
}

static void g2_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    recode_each(digits, stride, windows, scalars, which, n, cuzk_scalar_parts_g2, MSM_G2_PARTS);
}

#endif
