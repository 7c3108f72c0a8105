/* Windows: how a scalar is cut into signed digits, and how many digits a sum of n points uses. */
#ifndef CUZK_MSM_WINDOWS_H
#define CUZK_MSM_WINDOWS_H

#include "field/fr.h"

#define MSM_MIN_WIDTH 4
#define MSM_MAX_WIDTH 18
#define MSM_MIN_TABLE_WINDOWS 16 /* tables hold a point for each bucket */
#define MSM_MAX_WINDOWS 64

/* k = sum over w < count of digit_w 2^shift[w], |digit_w| <= 2^(width[w] - 1), for every k with a
 * sign, in two's complement of n_bits, and |k| below 0.46 2^n_bits: 256 bits for scalars below r,
 * less for their parts (scalar_parts.h).
 *
 * Digits come without a carry chain: after adding bias = sum over all but the last window of
 * 2^(shift + width - 1), digit_w is bits shift .. shift + width - 1 less 2^(width - 1), and in the
 * last window just the bits with the sign, which are few enough because the widths add up to
 * n_bits.
 */
typedef struct msm_windows {
    unsigned count, n_bits;
    uint8_t width[MSM_MAX_WINDOWS]; /* falling, by one at most from first to last */
    uint16_t shift[MSM_MAX_WINDOWS];
    uint32_t first_bucket[MSM_MAX_WINDOWS +
                          1]; /* of window w, when those of all windows stand in a row */
    uint64_t bias[4];
} msm_windows;

/* The largest number of windows for n_bits. */
static inline unsigned msm_windows_most(unsigned n_bits) {
    return n_bits / MSM_MIN_WIDTH < MSM_MAX_WINDOWS ? n_bits / MSM_MIN_WIDTH : MSM_MAX_WINDOWS;
}
/* count windows of MSM_MIN_WIDTH to MSM_MAX_WIDTH bits, at most MSM_MAX_WINDOWS, as even as
 * possible, for n_bits: 64, 128 or 256. */
void cuzk_msm_windows_init(msm_windows *windows, unsigned n_bits, unsigned count);
/* The fastest number of windows for a sum of n_points; *additions gets what it costs. */
unsigned cuzk_msm_windows_for_sum(uint64_t n_points, unsigned n_bits, double *additions);
/* The same for n_multiples of one point. */
unsigned cuzk_msm_windows_for_table(uint64_t n_multiples);

static inline uint32_t msm_windows_buckets(const msm_windows *windows) {
    return windows->first_bucket[windows->count];
}

/* Whether all digits of k are in range: true for k < r, and for nothing much above. */
static inline bool msm_windows_takes(const fr_plain *k) {
    static const uint64_t modulus[4] = FR_MODULUS;
    return k->l[3] <= modulus[3];
}

/* digits[w * stride] = digit_w of k, n_bits / 64 words. */
static inline void msm_windows_recode(int32_t *digits, size_t stride, const msm_windows *windows,
                                      const uint64_t *k) {
    const unsigned n_words = windows->n_bits / 64;
    uint64_t v[5] = {0};
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < n_words; i++) {
        carry += (unsigned __int128)k[i] + windows->bias[i];
        v[i] = (uint64_t)carry;
        carry >>= 64;
    }
    unsigned last = windows->count - 1;
    for (unsigned w = 0; w < last; w++) {
        unsigned word = windows->shift[w] / 64, bit = windows->shift[w] % 64;
        uint64_t bits = v[word] >> bit | v[word + 1] << 1 << (63 - bit);
        digits[w * stride] =
            (int32_t)(bits & ((1u << windows->width[w]) - 1)) - (1 << (windows->width[w] - 1));
    }
    digits[last * stride] = (int32_t)((int64_t)v[n_words - 1] >> (64 - windows->width[last]));
}

#endif
