/* Words of 64 bits with carries: what the fields' additions and products are made of. Loops over
 * words carry WORDS_UNROLL, since the compiler keeps carries in flags only in straight-line code.
 */
#ifndef CUZK_FIELD_WORDS_H
#define CUZK_FIELD_WORDS_H

#include <stdint.h>

#ifdef CUZK_HAVE_X86
#include <immintrin.h>
typedef unsigned char word_carry;
#else
typedef uint64_t word_carry;
#endif

#define WORDS_UNROLL _Pragma("GCC unroll 8")

/* a + b + *carry; *carry = the carry out, 0 or 1, here and below */
static inline uint64_t word_add(uint64_t a, uint64_t b, word_carry *carry) {
#ifdef CUZK_HAVE_X86
    unsigned long long s;
    *carry = _addcarry_u64(*carry, a, b, &s);
    return s;
#else
    uint64_t t = a + b, s = t + *carry;
    *carry = (t < a) | (s < t);
    return s;
#endif
}

/* a - b - *borrow */
static inline uint64_t word_sub(uint64_t a, uint64_t b, word_carry *borrow) {
#ifdef CUZK_HAVE_X86
    unsigned long long d;
    *borrow = _subborrow_u64(*borrow, a, b, &d);
    return d;
#else
    uint64_t t = a - b, d = t - *borrow;
    *borrow = (a < b) | (t < *borrow);
    return d;
#endif
}

/* a * b + t + *high, which fits two words: returns the low one, *high gets the other. */
static inline uint64_t word_mul_add(uint64_t a, uint64_t b, uint64_t t, uint64_t *high) {
    unsigned __int128 s = (unsigned __int128)a * b + t + *high;
    *high = (uint64_t)(s >> 64);
    return (uint64_t)s;
}

#endif
