/* Digits of scalars, whole or in parts, for msm_kernels.recode. */
#ifndef CUZK_MSM_MSM_RECODE_H
#define CUZK_MSM_MSM_RECODE_H

#include "msm/scalar_parts.h"
#include "msm/windows.h"

static inline void recode_whole(int32_t *digits, size_t stride, const msm_windows *windows,
                                const fr_plain *scalars, const uint16_t *which, size_t n) {
    for (size_t i = 0; i < n; i++) {
        msm_windows_recode(digits + i, stride, windows, scalars[which[i]].l);
    }
}

static void g1_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    if (windows->n_bits == 256) {
        recode_whole(digits, stride, windows, scalars, which, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        scalar_part parts[MSM_G1_PARTS];
        cuzk_scalar_parts_g1(parts, &scalars[which[i]]);
        for (size_t j = 0; j < MSM_G1_PARTS; j++) {
            msm_windows_recode(digits + j * windows->count * stride + i, stride, windows,
                               parts[j].l);
        }
    }
}

static void g2_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                      const fr_plain *scalars, const uint16_t *which, size_t n) {
    if (windows->n_bits == 256) {
        recode_whole(digits, stride, windows, scalars, which, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        scalar_part parts[MSM_G2_PARTS];
        cuzk_scalar_parts_g2(parts, &scalars[which[i]]);
        for (size_t j = 0; j < MSM_G2_PARTS; j++) {
            msm_windows_recode(digits + j * windows->count * stride + i, stride, windows,
                               parts[j].l);
        }
    }
}

#endif
