/* Sums of products over Fr with one Montgomery reduction for the whole sum; follows the level of
 * its file.
 *
 * For each limb b[k][i], i = 0..3: t += sum over k of a[k] * b[k][i], then t = (t + q r) / 2^64
 * with q chosen so that it divides. In the end t is below n r^2 / 2^256 + r, which for n = 12 is
 * below 6.5 r; and r is below 0.46 * 2^256, so t never needs more than six limbs. */
#ifndef CUZK_HASH_FR_DOT_H
#define CUZK_HASH_FR_DOT_H

#include "field/fr.h"
#include "field/words.h"
#include "poseidon_constants.h"

#define FR_DOT_MAX_TERMS 12

/* t += a * k over six limbs */
static inline __attribute__((always_inline)) void dot_row(uint64_t t[6], const uint64_t a[4],
                                                          uint64_t k) {
#ifdef CUZK_LEVEL_ADX
    /* Low halves of the products go along one carry chain, high halves along the other. */
    uint64_t low, high, zero;
    __asm__(
        "xorl %k[zero], %k[zero]\n\t"
        "mulxq %[a0], %[low], %[high]\n\t"
        "adcxq %[low], %[t0]\n\t"
        "adoxq %[high], %[t1]\n\t"
        "mulxq %[a1], %[low], %[high]\n\t"
        "adcxq %[low], %[t1]\n\t"
        "adoxq %[high], %[t2]\n\t"
        "mulxq %[a2], %[low], %[high]\n\t"
        "adcxq %[low], %[t2]\n\t"
        "adoxq %[high], %[t3]\n\t"
        "mulxq %[a3], %[low], %[high]\n\t"
        "adcxq %[low], %[t3]\n\t"
        "adoxq %[high], %[t4]\n\t"
        "adcxq %[zero], %[t4]\n\t"
        "adoxq %[zero], %[t5]\n\t"
        "adcxq %[zero], %[t5]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero)
        : [a0] "m"(a[0]), [a1] "m"(a[1]), [a2] "m"(a[2]), [a3] "m"(a[3]), "d"(k)
        : "cc");
#else
    uint64_t high = 0;
    word_carry carry = 0;
    WORDS_UNROLL for (int j = 0; j < 4; j++) { t[j] = word_mul_add(a[j], k, t[j], &high); }
    t[4] = word_add(t[4], high, &carry);
    t[5] += carry;
#endif
}

/* t (5 limbs) -> t - m unless that is negative */
static inline __attribute__((always_inline)) void dot_subtract(uint64_t t[5], const uint64_t m[5]) {
    uint64_t d[5];
    word_carry borrow = 0;
    WORDS_UNROLL for (int i = 0; i < 5; i++) { d[i] = word_sub(t[i], m[i], &borrow); }
    WORDS_UNROLL for (int i = 0; i < 5; i++) { t[i] = borrow ? t[i] : d[i]; }
}

/* r = sum over k < n of a[k] * b[k * stride]; n at most FR_DOT_MAX_TERMS; r may be one of them. Not
 * inlined: it needs all registers. */
static __attribute__((noinline)) void fr_dot(fr *r, const fr *a, const fr *b, size_t stride,
                                             unsigned n) {
    static const uint64_t times_1[5] = {FR_TIMES_1}, times_2[5] = {FR_TIMES_2},
                          times_4[5] = {FR_TIMES_4};
    uint64_t t[6] = {0};
    WORDS_UNROLL for (int i = 0; i < 4; i++) {
        for (unsigned k = 0; k < n; k++) {
            dot_row(t, a[k].l, b[k * stride].l[i]);
        }
        dot_row(t, times_1, t[0] * FR_INV);
        WORDS_UNROLL for (int j = 0; j < 5; j++) { t[j] = t[j + 1]; }
        t[5] = 0;
    }
    dot_subtract(t, times_4);
    dot_subtract(t, times_2);
    dot_subtract(t, times_1);
    memcpy(r->l, t, sizeof r->l);
}

#endif
