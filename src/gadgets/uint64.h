/* Numbers of 64 bits. circuits.md 2.5. */
#ifndef CUZK_GADGETS_UINT64_H
#define CUZK_GADGETS_UINT64_H

#include "gadgets/num.h"

typedef struct uint64_gadget {
    word32 low, high;
} uint64_gadget;

/* 64 allocated bits, least significant first. */
void cuzk_uint64_alloc(r1cs_cs *cs, uint64_gadget *r, uint64_t value);
void cuzk_uint64_const(uint64_gadget *r, uint64_t value);
/* One input. */
void cuzk_uint64_pack_into_input(r1cs_cs *cs, const uint64_gadget *x);

#endif
