/* Booleans one at a time: a constant, an allocated bit, or the negation of one. circuits.md 2.1
 * and 2.2. */
#ifndef CUZK_GADGETS_BOOLEAN_H
#define CUZK_GADGETS_BOOLEAN_H

#include "r1cs/constraint_system.h"

typedef struct boolean {
    r1cs_var var;  /* the allocated bit, unless is_const */
    bool is_const; /* then value holds always; else only in systems with values */
    bool negated;  /* the Boolean is 1 - bit */
    bool value;    /* of the Boolean */
} boolean;

static inline boolean boolean_const(bool value) {
    return (boolean){.is_const = true, .value = value};
}
static inline boolean boolean_of(cs_bit b) { return (boolean){.var = b.var, .value = b.value}; }
static inline boolean boolean_not(boolean x) {
    x.value = !x.value;
    x.negated = !x.is_const && !x.negated;
    return x;
}
/* The allocated bit below a Boolean that is no constant. */
static inline cs_bit boolean_bit(boolean x) {
    return (cs_bit){.var = x.var, .value = x.value != x.negated};
}

/* AllocatedBit: with the constraint (1 - b)(b) = (0); alloc_unless with (1 - unless - b)(b) = (0).
 */
cs_bit cuzk_bit_alloc(r1cs_cs *cs, bool value);
cs_bit cuzk_bit_alloc_unless(r1cs_cs *cs, bool value, cs_bit unless);
cs_bit cuzk_bit_and(r1cs_cs *cs, cs_bit x, cs_bit y);
cs_bit cuzk_bit_nor(r1cs_cs *cs, cs_bit x, cs_bit y);

/* Which operand comes first and which results are negated follow the decision lists of
 * circuits.md 2.2. */
boolean cuzk_boolean_xor(r1cs_cs *cs, boolean x, boolean y);
boolean cuzk_boolean_and(r1cs_cs *cs, boolean x, boolean y);
/* a ? b : c */
boolean cuzk_boolean_choose(r1cs_cs *cs, boolean a, boolean b, boolean c);
boolean cuzk_boolean_majority(r1cs_cs *cs, boolean a, boolean b, boolean c);
void cuzk_boolean_enforce_equal(r1cs_cs *cs, boolean x, boolean y);

/* s += 2^shift * x */
void cuzk_boolean_add_to(const r1cs_cs *cs, power_sum *s, boolean x, unsigned shift);

#endif
