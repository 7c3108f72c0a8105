/* Placing a node among its siblings, and picking one of several. circuits.md 2.6. */
#ifndef CUZK_GADGETS_INSERTION_H
#define CUZK_GADGETS_INSERTION_H

#include "gadgets/num.h"

/* aux c := cond ? a : b; (b - a)(cond) = (b - c) */
num cuzk_pick(r1cs_cs *cs, cs_bit cond, const num *a, const num *b);

#define INSERTION_MAX_SIZE 8
/* r[0..n) = the n - 1 siblings with x put in at index sum 2^i bits_i. n is 2, 4 or 8. r overlaps
 * nothing. */
void cuzk_insert(r1cs_cs *cs, num *r, const num *x, const cs_bit *bits, const num *siblings,
                 unsigned n);

/* list[sum 2^i bits_i] of 2^n_bits numbers (at most 128). */
num cuzk_select(r1cs_cs *cs, const num *list, const cs_bit *bits, unsigned n_bits);
#define SELECT_MAX_BITS 7

#endif
