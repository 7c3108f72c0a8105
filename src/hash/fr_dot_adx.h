/* Sums of products over Fr with one Montgomery reduction for the whole sum, with MULX, ADCX and
 * ADOX.
 *
 * For each limb b[k][i], i = 0..3: t += sum over k of a[k] * b[k][i], then t = (t + q r) / 2^64
 * with q chosen so that it divides. In the end t is below n r^2 / 2^256 + r, which for n = 12 is
 * below 6.5 r; and r is below 0.46 * 2^256, so t never needs more than six limbs. */
#ifndef CUZK_HASH_FR_DOT_ADX_H
#define CUZK_HASH_FR_DOT_ADX_H

#include "field/fr.h"
#include "poseidon_constants.h"

#define FR_DOT_MAX_TERMS 12

typedef struct dot_sum {
    uint64_t t0, t1, t2, t3, t4, t5;
} dot_sum;

/* s += a * k; low halves of the products go along one carry chain, high halves along the other. */
static inline void dot_row(dot_sum *s, const uint64_t a[4], uint64_t k) {
    uint64_t low, high, zero;
    __asm__("xorl %k[zero], %k[zero]\n\t"
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
            : [t0] "+&r"(s->t0), [t1] "+&r"(s->t1), [t2] "+&r"(s->t2), [t3] "+&r"(s->t3),
              [t4] "+&r"(s->t4), [t5] "+&r"(s->t5), [low] "=&r"(low), [high] "=&r"(high),
              [zero] "=&r"(zero)
            : [a0] "m"(a[0]), [a1] "m"(a[1]), [a2] "m"(a[2]), [a3] "m"(a[3]), "d"(k)
            : "cc");
}

/* s (t5 is zero) -> s - m unless that is negative; m of five limbs */
static inline void dot_subtract(dot_sum *s, const uint64_t m[5]) {
    uint64_t d0 = s->t0, d1 = s->t1, d2 = s->t2, d3 = s->t3, d4 = s->t4;
    __asm__("subq %[m0], %[d0]\n\t"
            "sbbq %[m1], %[d1]\n\t"
            "sbbq %[m2], %[d2]\n\t"
            "sbbq %[m3], %[d3]\n\t"
            "sbbq %[m4], %[d4]\n\t"
            "cmovncq %[d0], %[t0]\n\t"
            "cmovncq %[d1], %[t1]\n\t"
            "cmovncq %[d2], %[t2]\n\t"
            "cmovncq %[d3], %[t3]\n\t"
            "cmovncq %[d4], %[t4]"
            : [t0] "+&r"(s->t0), [t1] "+&r"(s->t1), [t2] "+&r"(s->t2), [t3] "+&r"(s->t3),
              [t4] "+&r"(s->t4), [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3),
              [d4] "+&r"(d4)
            : [m0] "m"(m[0]), [m1] "m"(m[1]), [m2] "m"(m[2]), [m3] "m"(m[3]), [m4] "m"(m[4])
            : "cc");
}

/* r = sum over k < n of a[k] * b[k * stride]; n at most FR_DOT_MAX_TERMS; r may be one of them. */
static inline void fr_dot(fr *r, const fr *a, const fr *b, size_t stride, unsigned n) {
    static const uint64_t multiples[3][5] = {FR_TIMES_4, FR_TIMES_2, FR_TIMES_1};
    dot_sum s = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        for (unsigned k = 0; k < n; k++) {
            dot_row(&s, a[k].l, b[k * stride].l[i]);
        }
        dot_row(&s, multiples[2], s.t0 * FR_INV);
        s = (dot_sum){s.t1, s.t2, s.t3, s.t4, s.t5, 0};
    }
    dot_subtract(&s, multiples[0]);
    dot_subtract(&s, multiples[1]);
    dot_subtract(&s, multiples[2]);
    *r = (fr){{s.t0, s.t1, s.t2, s.t3}};
}

#endif
