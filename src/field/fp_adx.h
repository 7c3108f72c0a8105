/* Sums and differences of Fp for x86-64 with ADX, for fp.h. In assembly because compilers keep
 * carries out of the flags, and move words written one by one through vector registers, which
 * stalls. Two carry chains run side by side: the plain result in CF, the result plus or minus the
 * modulus in OF. */
#ifndef CUZK_FIELD_FP_ADX_H
#define CUZK_FIELD_FP_ADX_H

#ifndef CUZK_FIELD_FP_H
#error "include field/fp.h"
#endif

/* One instruction a line. */
/* clang-format off */

/* x ends as t0; y, the pointer to the second operand, as s5. */
#define FP_ADX_REGISTERS(x, y)                                                                     \
    [t0] "+&r"(x), [s5] "+&r"(y), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4),  \
        [t5] "=&r"(t5), [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2), [s3] "=&r"(s3),            \
        [s4] "=&r"(s4)
#define FP_ADX_CONSTANT(m)                                                                         \
    [m0] "m"(m[0]), [m1] "m"(m[1]), [m2] "m"(m[2]), [m3] "m"(m[3]), [m4] "m"(m[4]), [m5] "m"(m[5])
#define FP_ADX_LOAD                                                                                \
    "movq 8(%[t0]), %[t1]\n\t"                                                                     \
    "movq 16(%[t0]), %[t2]\n\t"                                                                    \
    "movq 24(%[t0]), %[t3]\n\t"                                                                    \
    "movq 32(%[t0]), %[t4]\n\t"                                                                    \
    "movq 40(%[t0]), %[t5]\n\t"                                                                    \
    "movq (%[t0]), %[t0]\n\t"
#define FP_ADX_STORE                                                                               \
    "movq %[t0], 0(%[r])\n\t"                                                                      \
    "movq %[t1], 8(%[r])\n\t"                                                                      \
    "movq %[t2], 16(%[r])\n\t"                                                                     \
    "movq %[t3], 24(%[r])\n\t"                                                                     \
    "movq %[t4], 32(%[r])\n\t"                                                                     \
    "movq %[t5], 40(%[r])\n\t"
#define FP_ADX_STEP(i, at)                                                                         \
    "adcxq " #at "(%[s5]), %[t" #i "]\n\t"                                                         \
    "movq %[t" #i "], %[s" #i "]\n\t"                                                              \
    "adoxq %[m" #i "], %[s" #i "]\n\t"

/* r = a + b: t = a + b, s = t - p as t + 2^384 - p, which carries out of the top word when t >= p.
 */
static inline void fp_add_adx(fp *r, const fp *a, const fp *b) {
    static const uint64_t m[6] = FP_MODULUS_NEGATED;
    uint64_t t1, t2, t3, t4, t5, s0, s1, s2, s3, s4;
    __asm__ volatile(FP_ADX_LOAD "xorl %k[s0], %k[s0]\n\t" FP_ADX_STEP(0, 0) FP_ADX_STEP(1, 8)
                         FP_ADX_STEP(2, 16) FP_ADX_STEP(3, 24) FP_ADX_STEP(4, 32)
                             FP_ADX_STEP(5, 40) "cmovoq %[s0], %[t0]\n\t"
                                                "cmovoq %[s1], %[t1]\n\t"
                                                "cmovoq %[s2], %[t2]\n\t"
                                                "cmovoq %[s3], %[t3]\n\t"
                                                "cmovoq %[s4], %[t4]\n\t"
                                                "cmovoq %[s5], %[t5]\n\t" FP_ADX_STORE
                     : FP_ADX_REGISTERS(a, b)
                     : [r] "r"(r), FP_ADX_CONSTANT(m)
                     : "cc", "memory");
}

/* r = a - b: t = a - b as a + ~b + 1, which carries out of the top word when a >= b; s = t + p. */
static inline void fp_sub_adx(fp *r, const fp *a, const fp *b) {
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t t1, t2, t3, t4, t5, s0, s1, s2, s3, s4;
    __asm__ volatile(FP_ADX_LOAD "xorl %k[s0], %k[s0]\n\t"
                                 "stc\n\t"
                                 "notq %[t0]\n\t" FP_ADX_STEP(0, 0) "notq %[t1]\n\t" FP_ADX_STEP(1, 8) "notq %[t2]\n\t" FP_ADX_STEP(2, 16) "notq %[t3]\n\t" FP_ADX_STEP(
                                     3, 24) "notq %[t4]\n\t" FP_ADX_STEP(4,
                                                                         32) "notq "
                                                                             "%[t5]"
                                                                             "\n\t" FP_ADX_STEP(5,
                                                                                                40) "cmovncq %[s0], %[t0]\n\t"
                                                                                                    "cmovncq %[s1], %[t1]\n\t"
                                                                                                    "cmovncq %[s2], %[t2]\n\t"
                                                                                                    "cmovncq %[s3], %[t3]\n\t"
                                                                                                    "cmovncq %[s4], %[t4]\n\t"
                                                                                                    "cmovncq %[s5], %[t5]\n\t" FP_ADX_STORE
                     : FP_ADX_REGISTERS(b, a)
                     : [r] "r"(r), FP_ADX_CONSTANT(m)
                     : "cc", "memory");
}

#undef FP_ADX_REGISTERS
#undef FP_ADX_CONSTANT
#undef FP_ADX_LOAD
#undef FP_ADX_STORE
#undef FP_ADX_STEP

/* clang-format on */

#endif
