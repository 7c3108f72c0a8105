/* Words of 32 Booleans, bit 0 least significant (UInt32 of circuits.md 2.7). One word operation
 * does what the reference does bit by bit, in the order of the bits. */
#ifndef CUZK_GADGETS_UINT32_H
#define CUZK_GADGETS_UINT32_H

#include "gadgets/boolean.h"

/* Bit i of each mask belongs to Boolean i. */
typedef struct word32 {
    uint32_t value;    /* of the Booleans; what is not constant holds only in systems with values */
    uint32_t is_const; /* constants */
    uint32_t negated;  /* negations of allocated bits; 0 where constant */
    r1cs_var var[32];  /* the allocated bits, where not constant; only in systems that want
                          combinations */
} word32;

/* Set the masks and leave var alone. */
static inline void word32_set_const(word32 *r, uint32_t value) {
    r->value = value;
    r->is_const = UINT32_MAX;
    r->negated = 0;
}
/* All Booleans are constant. */
static inline bool word32_is_const(const word32 *x) { return x->is_const == UINT32_MAX; }
/* n (1..32) allocated bits that follow each other, then constants 0. */
void cuzk_word32_of_bits(const r1cs_cs *cs, word32 *r, unsigned n, r1cs_var first, uint32_t value);

static inline boolean word32_get(const r1cs_cs *cs, const word32 *x, unsigned i) {
    return (boolean){.var = cs->want_lc ? x->var[i] : 0,
                     .is_const = x->is_const >> i & 1,
                     .negated = x->negated >> i & 1,
                     .value = x->value >> i & 1};
}
static inline void word32_put(const r1cs_cs *cs, word32 *r, unsigned i, boolean b) {
    uint32_t mask = 1u << i;
    r->value = (r->value & ~mask) | (uint32_t)b.value << i;
    r->is_const = (r->is_const & ~mask) | (uint32_t)b.is_const << i;
    r->negated = (r->negated & ~mask) | (uint32_t)b.negated << i;
    if (cs->want_lc) {
        r->var[i] = b.var;
    }
}

/* Rearrangements: r must not be x. */
void cuzk_word32_rotr(const r1cs_cs *cs, word32 *r, const word32 *x, unsigned k); /* k in 1..31 */
void cuzk_word32_shr(const r1cs_cs *cs, word32 *r, const word32 *x, unsigned k);  /* k in 1..31 */
void cuzk_word32_reverse_bits(const r1cs_cs *cs, word32 *r, const word32 *x);
/* Reverses the four bytes: between the words SHA-256 reads and the little-endian integers Filecoin
 * makes of its bytes (reverse_bit_numbering, circuits.md 2.9). */
void cuzk_word32_swap_bytes(const r1cs_cs *cs, word32 *r, const word32 *x);

/* r = x ^ y, e ? f : g, majority(x, y, z). r may be an operand. */
void cuzk_word32_xor(r1cs_cs *cs, word32 *r, const word32 *x, const word32 *y);
void cuzk_word32_choose(r1cs_cs *cs, word32 *r, const word32 *e, const word32 *f, const word32 *g);
void cuzk_word32_majority(r1cs_cs *cs, word32 *r, const word32 *x, const word32 *y,
                          const word32 *z);

/* s += 2^shift * (bits 0 .. n - 1 of x as a number) */
void cuzk_word32_add_to(const r1cs_cs *cs, power_sum *s, const word32 *x, unsigned n,
                        unsigned shift);

#endif
