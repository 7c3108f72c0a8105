/* Sums and differences of Fr for x86-64 with ADX, for fr.h; as fp_adx.h. */
#ifndef CUZK_FIELD_FR_ADX_H
#define CUZK_FIELD_FR_ADX_H

#ifndef CUZK_FIELD_FR_H
#error "include field/fr.h"
#endif

/* x ends as t0; y, the pointer to the second operand, as s3. */
#define FR_ADX_REGISTERS(x, y)                                                                     \
    [t0] "+&r"(x), [s3] "+&r"(y), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [s0] "=&r"(s0),  \
        [s1] "=&r"(s1), [s2] "=&r"(s2)
#define FR_ADX_CONSTANT(m) [m0] "m"(m[0]), [m1] "m"(m[1]), [m2] "m"(m[2]), [m3] "m"(m[3])
#define FR_ADX_LOAD                                                                                \
    "movq 8(%[t0]), %[t1]\n\t"                                                                     \
    "movq 16(%[t0]), %[t2]\n\t"                                                                    \
    "movq 24(%[t0]), %[t3]\n\t"                                                                    \
    "movq (%[t0]), %[t0]\n\t"
#define FR_ADX_STORE                                                                               \
    "movq %[t0], 0(%[r])\n\t"                                                                      \
    "movq %[t1], 8(%[r])\n\t"                                                                      \
    "movq %[t2], 16(%[r])\n\t"                                                                     \
    "movq %[t3], 24(%[r])\n\t"
#define FR_ADX_STEP(i, at)                                                                         \
    "adcxq " #at "(%[s3]), %[t" #i "]\n\t"                                                         \
    "movq %[t" #i "], %[s" #i "]\n\t"                                                              \
    "adoxq %[m" #i "], %[s" #i "]\n\t"

/* r = a + b: t = a + b, s = t - r as t + 2^256 - r, which carries out of the top word when t >= r.
 */
static inline void fr_add_adx(fr *r, const fr *a, const fr *b) {
    static const uint64_t m[4] = FR_MODULUS_NEGATED;
    uint64_t t1, t2, t3, s0, s1, s2;
    __asm__ volatile(FR_ADX_LOAD "xorl %k[s0], %k[s0]\n\t" FR_ADX_STEP(0, 0) FR_ADX_STEP(1, 8)
                         FR_ADX_STEP(2, 16)
                             FR_ADX_STEP(3, 24) "cmovoq %[s0], %[t0]\n\t"
                                                "cmovoq %[s1], %[t1]\n\t"
                                                "cmovoq %[s2], %[t2]\n\t"
                                                "cmovoq %[s3], %[t3]\n\t" FR_ADX_STORE
                     : FR_ADX_REGISTERS(a, b)
                     : [r] "r"(r), FR_ADX_CONSTANT(m)
                     : "cc", "memory");
}

/* r = a - b: t = a - b as a + ~b + 1, which carries out of the top word when a >= b; s = t + r. */
static inline void fr_sub_adx(fr *r, const fr *a, const fr *b) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t t1, t2, t3, s0, s1, s2;
    __asm__ volatile(
        FR_ADX_LOAD
        "xorl %k[s0], %k[s0]\n\t"
        "stc\n\t"
        "notq %[t0]\n\t" FR_ADX_STEP(0, 0) "notq %[t1]\n\t" FR_ADX_STEP(
            1,
            8) "notq %[t2]\n\t" FR_ADX_STEP(2,
                                            16) "notq %[t3]\n\t" FR_ADX_STEP(3,
                                                                             24) "cmovncq %[s0], "
                                                                                 "%[t0]\n\t"
                                                                                 "cmovncq %[s1], "
                                                                                 "%[t1]\n\t"
                                                                                 "cmovncq %[s2], "
                                                                                 "%[t2]\n\t"
                                                                                 "cmovncq %[s3], "
                                                                                 "%[t3]"
                                                                                 "\n\t" FR_ADX_STORE
        : FR_ADX_REGISTERS(b, a)
        : [r] "r"(r), FR_ADX_CONSTANT(m)
        : "cc", "memory");
}

#undef FR_ADX_REGISTERS
#undef FR_ADX_CONSTANT
#undef FR_ADX_LOAD
#undef FR_ADX_STORE
#undef FR_ADX_STEP

#endif
