/* Sums of products over Fr with one Montgomery reduction for the whole sum, in portable C.
 *
 * For each limb b[k][i], i = 0..3: t += sum over k of a[k] * b[k][i], then t = (t + q r) / 2^64
 * with q chosen so that it divides. In the end t is below n r^2 / 2^256 + r, which for n = 12 is
 * below 6.5 r; and r is below 0.46 * 2^256, so t never needs more than six limbs. */
#ifndef CUZK_HASH_FR_DOT_PORTABLE_H
#define CUZK_HASH_FR_DOT_PORTABLE_H

#include "field/fr.h"

#define FR_DOT_MAX_TERMS 12

/* t += a * k over six limbs */
static inline void dot_row(uint64_t t[6], const uint64_t a[4], uint64_t k) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; j++) {
        unsigned __int128 s = (unsigned __int128)a[j] * k + t[j] + carry;
        t[j] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
    unsigned __int128 s = (unsigned __int128)t[4] + carry;
    t[4] = (uint64_t)s;
    t[5] += (uint64_t)(s >> 64);
}

/* t (5 limbs) -> t - 2^log2 r unless that is negative; log2 in 0..2 */
static inline void dot_subtract(uint64_t t[5], unsigned log2) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t d[5];
    uint64_t low = 0;
    uint64_t borrow = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t high = i < 4 ? m[i] : 0;
        uint64_t multiple = (uint64_t)(((unsigned __int128)high << 64 | low) >> (64 - log2));
        unsigned __int128 v = (unsigned __int128)t[i] - multiple - borrow;
        low = high;
        d[i] = (uint64_t)v;
        borrow = (uint64_t)(v >> 64) & 1;
    }
    uint64_t keep = 0 - borrow;
    for (int i = 0; i < 5; i++) {
        t[i] = (t[i] & keep) | (d[i] & ~keep);
    }
}

/* r = sum over k < n of a[k] * b[k * stride]; n at most FR_DOT_MAX_TERMS; r may be one of them. */
static inline void fr_dot(fr *r, const fr *a, const fr *b, size_t stride, unsigned n) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t t[6] = {0};
    for (int i = 0; i < 4; i++) {
        for (unsigned k = 0; k < n; k++) {
            dot_row(t, a[k].l, b[k * stride].l[i]);
        }
        dot_row(t, m, t[0] * FR_INV);
        for (int j = 0; j < 5; j++) {
            t[j] = t[j + 1];
        }
        t[5] = 0;
    }
    dot_subtract(t, 2);
    dot_subtract(t, 1);
    dot_subtract(t, 0);
    memcpy(r->l, t, sizeof r->l);
}

#endif
