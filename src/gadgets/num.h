/* Variables that hold any field element, their bits, and packing bits into them. circuits.md 2.3
 * to 2.5. */
#ifndef CUZK_GADGETS_NUM_H
#define CUZK_GADGETS_NUM_H

#include "gadgets/uint32.h"

typedef struct num {
    r1cs_var var;
    fr_plain value; /* only in systems with values */
} num;

#define NUM_BITS 255
#define NUM_CAPACITY 254

/* aux n := value, without a constraint. */
static inline num num_alloc(r1cs_cs *cs, const fr_plain *value) {
    num n = {.var = cuzk_cs_alloc(cs, value)};
    if (cs->want_values) {
        n.value = *value;
    }
    return n;
}
/* The same from 32 bytes, little-endian; bytes may be NULL where there are no values. A value that
 * is not below r fails the system with CUZK_E_INPUT, naming `what`. */
num cuzk_num_alloc_bytes(r1cs_cs *cs, const uint8_t *bytes, const char *what);

/* input i := x; (i)(1) = (x) */
void cuzk_num_inputize(r1cs_cs *cs, const num *x);
/* aux p; (a)(b) = (p) */
num cuzk_num_mul(r1cs_cs *cs, const num *a, const num *b);
num cuzk_num_square(r1cs_cs *cs, const num *a);
/* (a)(1) = (b) */
void cuzk_num_equal(r1cs_cs *cs, const num *a, const num *b);
/* aux s := a + b; (a + b)(1) = (s). Also the encoding of a replica: label + data. */
num cuzk_num_add(r1cs_cs *cs, const num *a, const num *b);
/* aux d := a - b; (d + b)(1) = (a). Also the decoding. */
num cuzk_num_sub(r1cs_cs *cs, const num *a, const num *b);
/* first, second = cond ? b, a : a, b: aux c; (a - b)(cond) = (a - c); aux d; (b - a)(cond) = (b -
 * d) */
void cuzk_num_conditionally_reverse(r1cs_cs *cs, num *first, num *second, const num *a,
                                    const num *b, cs_bit cond);

/* words = 255 allocated bits, least significant first, and one constant 0; then (0)(0) = (sum 2^i
 * bit_i - x). */
void cuzk_num_to_bits(r1cs_cs *cs, word32 words[8], const num *x);
/* The same with constraints that exclude x + r: bits[0..255), least significant first. */
void cuzk_num_to_bits_strict(r1cs_cs *cs, cs_bit bits[NUM_BITS], const num *x);
/* bits[0..n), allocated, least significant first, and (sum 2^i bit_i)(1) = (x): x is below 2^n. n
 * is at most 255. */
void cuzk_num_decompose(r1cs_cs *cs, cs_bit *bits, unsigned n, const num *x);
/* bits[0..255), allocated from the value, least significant first, without a packing constraint. */
void cuzk_field_into_bits(r1cs_cs *cs, cs_bit bits[NUM_BITS], const fr_plain *value);

/* aux p := the first 254 bits of the words as a number; (sum)(1) = (p). */
num cuzk_pack_words(r1cs_cs *cs, const word32 words[8]);
/* The same for up to 254 Booleans; more are not looked at. */
num cuzk_pack_bits(r1cs_cs *cs, const boolean *bits, size_t n);
/* input p := ... for each chunk of 254 Booleans; none for no bits. */
void cuzk_pack_into_inputs(r1cs_cs *cs, const boolean *bits, size_t n);

#endif
