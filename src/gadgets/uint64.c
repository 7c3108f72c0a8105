/* Numbers of 64 bits. */
#include "gadgets/uint64.h"

void cuzk_uint64_alloc(r1cs_cs *cs, uint64_gadget *r, uint64_t value) {
    r1cs_var first = cuzk_cs_booleans(cs, 64, value);
    cuzk_word32_of_bits(cs, &r->low, 32, first, (uint32_t)value);
    cuzk_word32_of_bits(cs, &r->high, 32, first + 32, (uint32_t)(value >> 32));
}

void cuzk_uint64_const(uint64_gadget *r, uint64_t value) {
    word32_set_const(&r->low, (uint32_t)value);
    word32_set_const(&r->high, (uint32_t)(value >> 32));
}

void cuzk_uint64_pack_into_input(r1cs_cs *cs, const uint64_gadget *x) {
    boolean bits[64];
    for (unsigned i = 0; i < 64; i++) {
        bits[i] = word32_get(cs, i < 32 ? &x->low : &x->high, i % 32);
    }
    cuzk_pack_into_inputs(cs, bits, 64);
}
