/* Words of 32 Booleans. */
#include "gadgets/uint32.h"

void cuzk_word32_of_bits(const r1cs_cs *cs, word32 *r, unsigned n, r1cs_var first, uint32_t value) {
    CUZK_ASSERT(n >= 1 && n <= 32);
    uint32_t bits = UINT32_MAX >> (32 - n);
    r->value = value & bits;
    r->is_const = ~bits;
    r->negated = 0;
    if (cs->want_lc) {
        for (unsigned i = 0; i < n; i++) {
            r->var[i] = first + i;
        }
    }
}

static uint32_t rotr32(uint32_t v, unsigned k) { return v >> k | v << (32 - k); }

void cuzk_word32_rotr(const r1cs_cs *cs, word32 *r, const word32 *x, unsigned k) {
    r->value = rotr32(x->value, k);
    r->is_const = rotr32(x->is_const, k);
    r->negated = rotr32(x->negated, k);
    if (cs->want_lc) {
        for (unsigned i = 0; i < 32; i++) {
            r->var[i] = x->var[(i + k) % 32];
        }
    }
}

void cuzk_word32_shr(const r1cs_cs *cs, word32 *r, const word32 *x, unsigned k) {
    r->value = x->value >> k;
    r->is_const = x->is_const >> k | ~(UINT32_MAX >> k);
    r->negated = x->negated >> k;
    if (cs->want_lc) {
        for (unsigned i = 0; i + k < 32; i++) {
            r->var[i] = x->var[i + k];
        }
    }
}

void cuzk_word32_swap_bytes(const r1cs_cs *cs, word32 *r, const word32 *x) {
    r->value = __builtin_bswap32(x->value);
    r->is_const = __builtin_bswap32(x->is_const);
    r->negated = __builtin_bswap32(x->negated);
    if (cs->want_lc) {
        for (unsigned i = 0; i < 32; i++) {
            r->var[i] = x->var[(24 - i / 8 * 8) + i % 8];
        }
    }
}

static uint32_t reverse32(uint32_t v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

void cuzk_word32_reverse_bits(const r1cs_cs *cs, word32 *r, const word32 *x) {
    r->value = reverse32(x->value);
    r->is_const = reverse32(x->is_const);
    r->negated = reverse32(x->negated);
    if (cs->want_lc) {
        for (unsigned i = 0; i < 32; i++) {
            r->var[i] = x->var[31 - i];
        }
    }
}

void cuzk_word32_xor(r1cs_cs *cs, word32 *r, const word32 *x, const word32 *y) {
    /* lanes by the list of circuits.md 2.2: a constant leaves the other operand, negated if it is
     * 1; two bits make a new one, the operand that is not negated first */
    uint32_t both = ~(x->is_const | y->is_const);
    uint32_t swap = both & x->negated & ~y->negated;
    uint32_t x_bits = x->value ^ x->negated, y_bits = y->value ^ y->negated;
    uint32_t p = (x_bits & ~swap) | (y_bits & swap), q = (y_bits & ~swap) | (x_bits & swap);
    uint32_t negated = (both & (x->negated ^ y->negated)) |
                       (~x->is_const & y->is_const & (x->negated ^ y->value)) |
                       (x->is_const & ~y->is_const & (y->negated ^ x->value));
    if (!cs->want_lc) {
        cuzk_cs_xor(cs, NULL, both, p, q, NULL, NULL);
    } else if (both == UINT32_MAX && swap == 0) {
        cuzk_cs_xor(cs, r->var, both, p, q, x->var, y->var);
    } else {
        r1cs_var p_var[32], q_var[32];
        for (unsigned i = 0; i < 32; i++) {
            bool from_y =
                (swap | x->is_const) >> i & 1; /* beside two bits: the one that is no constant */
            p_var[i] = from_y ? y->var[i] : x->var[i];
            q_var[i] = from_y ? x->var[i] : y->var[i];
        }
        memcpy(r->var, p_var, sizeof p_var);
        cuzk_cs_xor(cs, r->var, both, p, q, p_var, q_var);
    }
    r->value = x->value ^ y->value;
    r->is_const = x->is_const & y->is_const;
    r->negated = negated;
}

/* Whether all Booleans of three words are plain allocated bits. */
static bool all_bits(const word32 *x, const word32 *y, const word32 *z) {
    return ((x->is_const | x->negated) | (y->is_const | y->negated) | (z->is_const | z->negated)) ==
           0;
}

typedef boolean (*boolean_op3)(r1cs_cs *cs, boolean x, boolean y, boolean z);

static void each_lane(r1cs_cs *cs, word32 *r, boolean_op3 op, const word32 *x, const word32 *y,
                      const word32 *z) {
    word32 result = {0};
    for (unsigned i = 0; i < 32; i++) {
        boolean b = op(cs, word32_get(cs, x, i), word32_get(cs, y, i), word32_get(cs, z, i));
        word32_put(cs, &result, i, b);
    }
    *r = result;
}

void cuzk_word32_choose(r1cs_cs *cs, word32 *r, const word32 *e, const word32 *f, const word32 *g) {
    if (!all_bits(e, f, g)) {
        each_lane(cs, r, cuzk_boolean_choose, e, f, g);
        return;
    }
    uint32_t value = (e->value & f->value) | (~e->value & g->value);
    cuzk_cs_choose(cs, r->var, e->value, f->value, g->value, e->var, f->var, g->var);
    r->value = value;
    r->is_const = r->negated = 0;
}

void cuzk_word32_majority(r1cs_cs *cs, word32 *r, const word32 *x, const word32 *y,
                          const word32 *z) {
    if (!all_bits(x, y, z)) {
        each_lane(cs, r, cuzk_boolean_majority, x, y, z);
        return;
    }
    uint32_t value = (y->value & z->value) | (x->value & (y->value ^ z->value));
    cuzk_cs_majority(cs, r->var, x->value, y->value, z->value, x->var, y->var, z->var);
    r->value = value;
    r->is_const = r->negated = 0;
}

void cuzk_word32_add_to(const r1cs_cs *cs, power_sum *s, const word32 *x, unsigned n,
                        unsigned shift) {
    if (!cs->want_lc) {
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        cuzk_boolean_add_to(cs, s, word32_get(cs, x, i), shift + i);
    }
}
