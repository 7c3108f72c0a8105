/* Poseidon in constraints: the legacy circuit of neptune. circuits.md 2.11. */
#ifndef CUZK_GADGETS_POSEIDON_GADGET_H
#define CUZK_GADGETS_POSEIDON_GADGET_H

#include "gadgets/num.h"
#include "hash/poseidon.h"

/* The hash of as many numbers as the kind's arity. Adds 311, 377, 505 or 598 variables and
 * constraints. */
num cuzk_poseidon_gadget(r1cs_cs *cs, poseidon_kind kind, const num *in);

#endif
