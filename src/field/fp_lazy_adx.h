/* The differences of fp_lazy.h for x86-64, in assembly for the reasons given in fp_adx.h. */
#ifndef CUZK_FIELD_FP_LAZY_ADX_H
#define CUZK_FIELD_FP_LAZY_ADX_H

#ifndef CUZK_FIELD_FP_LAZY_H
#error "include field/fp_lazy.h"
#endif

/* One instruction a line. */
/* clang-format off */

/* t = the number at `from`, which may be t0 itself. */
#define FP_LAZY_LOAD(from)                                                                         \
    "movq 8(%[" #from "]), %[t1]\n\t"                                                              \
    "movq 16(%[" #from "]), %[t2]\n\t"                                                             \
    "movq 24(%[" #from "]), %[t3]\n\t"                                                             \
    "movq 32(%[" #from "]), %[t4]\n\t"                                                             \
    "movq 40(%[" #from "]), %[t5]\n\t"                                                             \
    "movq (%[" #from "]), %[t0]\n\t"
#define FP_LAZY_STORE(to)                                                                          \
    "movq %[t0], (%[" #to "])\n\t"                                                                 \
    "movq %[t1], 8(%[" #to "])\n\t"                                                                \
    "movq %[t2], 16(%[" #to "])\n\t"                                                               \
    "movq %[t3], 24(%[" #to "])\n\t"                                                               \
    "movq %[t4], 32(%[" #to "])\n\t"                                                               \
    "movq %[t5], 40(%[" #to "])\n\t"
/* t op= the number at an address; op is add or sub, opc the same with carry or borrow. */
#define FP_LAZY_CHAIN(op, opc, address)                                                            \
    #op "q (" address "), %[t0]\n\t"                                                               \
    #opc "q 8(" address "), %[t1]\n\t"                                                             \
    #opc "q 16(" address "), %[t2]\n\t"                                                            \
    #opc "q 24(" address "), %[t3]\n\t"                                                            \
    #opc "q 32(" address "), %[t4]\n\t"                                                            \
    #opc "q 40(" address "), %[t5]\n\t"
/* Word i of x - x' + p, where t holds x': x + ~x' + 1 in CF, plus p in OF. x becomes x'. */
#define FP_LAZY_STEP(i, at)                                                                        \
    "movq " #at "(%[x]), %[s]\n\t"                                                                 \
    "movq %[t" #i "], " #at "(%[x])\n\t"                                                           \
    "notq %[t" #i "]\n\t"                                                                          \
    "adcxq %[s], %[t" #i "]\n\t"                                                                   \
    "adoxq 48+" #at "(%[none_one]), %[t" #i "]\n\t"
#define FP_LAZY_WORDS                                                                              \
    [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5)

/* r = a - b + p */
static inline void fp_sub_lazy_adx(fp *r, const fp *a, const fp *b) {
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t t1, t2, t3, t4, t5;
    __asm__ volatile(
        FP_LAZY_LOAD(t0)
        FP_LAZY_CHAIN(sub, sbb, "%[b]")
        FP_LAZY_CHAIN(add, adc, "%[m]")
        FP_LAZY_STORE(r)
        : [t0] "+&r"(a), FP_LAZY_WORDS
        : [r] "r"(r), [b] "r"(b), [m] "r"(m)
        : "cc", "memory");
}

/* r = (a ^ mask) - b + offset, a ^ mask word by word */
static inline void fp_sub_masked_lazy_adx(fp *r, const fp *a, uint64_t mask, const fp *b,
                                          const uint64_t offset[6]) {
    uint64_t t1, t2, t3, t4, t5;
    __asm__ volatile(
        FP_LAZY_LOAD(t0)
        "xorq %[mask], %[t0]\n\t"
        "xorq %[mask], %[t1]\n\t"
        "xorq %[mask], %[t2]\n\t"
        "xorq %[mask], %[t3]\n\t"
        "xorq %[mask], %[t4]\n\t"
        "xorq %[mask], %[t5]\n\t"
        FP_LAZY_CHAIN(sub, sbb, "%[b]")
        FP_LAZY_CHAIN(add, adc, "%[offset]")
        FP_LAZY_STORE(r)
        : [t0] "+&r"(a), FP_LAZY_WORDS
        : [r] "r"(r), [b] "r"(b), [mask] "r"(mask), [offset] "r"(offset)
        : "cc", "memory");
}

/* x' = t - x - c, and t = x - x' + p. p is added to x' while it is negative, at most twice: s, the
 * pointer c until then, is the place of what to add, 0 or p, in bytes. */
static inline void fp_chord_adx(fp *x, fp *t, const fp *c) {
    static const uint64_t none_one[2][6] = {{0}, FP_MODULUS};
    uint64_t t0, t1, t2, t3, t4, t5;
    __asm__ volatile(
        FP_LAZY_LOAD(t)
        FP_LAZY_CHAIN(sub, sbb, "%[s]")
        "sbbq %[s], %[s]\n\t"
        FP_LAZY_CHAIN(sub, sbb, "%[x]")
        "sbbq $0, %[s]\n\t"
        "andl $48, %k[s]\n\t"
        FP_LAZY_CHAIN(add, adc, "%[none_one], %[s]")
        "cmovcq (%[none_one]), %[s]\n\t"
        FP_LAZY_CHAIN(add, adc, "%[none_one], %[s]")
        "xorl %k[s], %k[s]\n\t"
        "stc\n\t"
        FP_LAZY_STEP(0, 0)
        FP_LAZY_STEP(1, 8)
        FP_LAZY_STEP(2, 16)
        FP_LAZY_STEP(3, 24)
        FP_LAZY_STEP(4, 32)
        FP_LAZY_STEP(5, 40)
        FP_LAZY_STORE(t)
        : [t0] "=&r"(t0), FP_LAZY_WORDS, [s] "+&r"(c)
        : [x] "r"(x), [t] "r"(t), [none_one] "r"(none_one)
        : "cc", "memory");
}

#undef FP_LAZY_LOAD
#undef FP_LAZY_STORE
#undef FP_LAZY_CHAIN
#undef FP_LAZY_STEP
#undef FP_LAZY_WORDS

/* clang-format on */

#endif
