/* Windows: how a scalar is cut into signed digits, and how many digits a sum of n points uses. */
#ifndef CUZK_MSM_WINDOWS_H
#define CUZK_MSM_WINDOWS_H

#include "field/fr.h"

#define MSM_MIN_WINDOWS 15       /* of 17 and 18 bits */
#define MSM_MIN_TABLE_WINDOWS 16 /* tables hold a point for each bucket */
#define MSM_MAX_WINDOWS 64

/* k = sum over w < count of digit_w 2^shift[w], |digit_w| <= 2^(width[w] - 1), for every k < r.
 *
 * Digits come without a carry chain: after adding bias = sum over all but the last window of
 * 2^(shift + width - 1), digit_w is bits shift .. shift + width - 1 less 2^(width - 1), and in the
 * last window just the bits, which are few enough because r < 2^255 and the widths add up to 256.
 */
typedef struct msm_windows {
    unsigned count;
    uint8_t width[MSM_MAX_WINDOWS]; /* falling, by one at most from first to last */
    uint16_t shift[MSM_MAX_WINDOWS];
    uint32_t first_bucket[MSM_MAX_WINDOWS +
                          1]; /* of window w, when those of all windows stand in a row */
    uint64_t bias[4];
} msm_windows;

/* count windows, MSM_MIN_WINDOWS .. MSM_MAX_WINDOWS, as even as possible. */
void cuzk_msm_windows_init(msm_windows *windows, unsigned count);
/* The fastest number of windows for a sum of n_points, and for n_multiples of one point. */
unsigned cuzk_msm_windows_for_sum(uint64_t n_points);
unsigned cuzk_msm_windows_for_table(uint64_t n_multiples);

static inline uint32_t msm_windows_buckets(const msm_windows *windows) {
    return windows->first_bucket[windows->count];
}

/* Whether all digits of k are in range: true for k < r, and for nothing much above. */
static inline bool msm_windows_takes(const fr_plain *k) {
    static const uint64_t modulus[4] = FR_MODULUS;
    return k->l[3] <= modulus[3];
}

/* digits[w * stride] = digit_w of k. */
static inline void msm_windows_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                                      const fr_plain *k) {
    uint64_t v[5];
    unsigned __int128 carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (unsigned __int128)k->l[i] + windows->bias[i];
        v[i] = (uint64_t)carry;
        carry >>= 64;
    }
    v[4] = 0;
    unsigned last = windows->count - 1;
    for (unsigned w = 0; w <= last; w++) {
        unsigned word = windows->shift[w] / 64, bit = windows->shift[w] % 64;
        uint64_t bits = v[word] >> bit | v[word + 1] << 1 << (63 - bit);
        int half = w == last ? 0 : 1 << (windows->width[w] - 1);
        digits[w * stride] = (int32_t)(bits & ((1u << windows->width[w]) - 1)) - half;
    }
}

#endif
