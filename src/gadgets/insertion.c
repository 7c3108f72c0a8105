/* Placing a node among its siblings, and picking one of several. */
#include "gadgets/insertion.h"

num cuzk_pick(r1cs_cs *cs, cs_bit cond, const num *a, const num *b) {
    num c = num_alloc(cs, cond.value ? &a->value : &b->value);
    if (cs->want_lc) {
        cuzk_cs_row(cs, NULL, NULL, LC({b->var, COEFF_ONE}, {a->var, COEFF_MINUS_ONE}),
                    LC({cond.var, COEFF_ONE}), LC({b->var, COEFF_ONE}, {c.var, COEFF_MINUS_ONE}));
    } else {
        const fr_plain when = fr_plain_of_int(cond.value);
        fr_plain difference;
        fr_plain_sub(&difference, &b->value, &a->value);
        cuzk_cs_row(cs, &difference, &when, LC_ZERO, LC_ZERO, LC_ZERO);
    }
    return c;
}

static void insert_2(r1cs_cs *cs, num *r, const num *x, const cs_bit *bit, const num *e) {
    r[0] = cuzk_pick(cs, bit[0], &e[0], x);
    r[1] = cuzk_pick(cs, bit[0], x, &e[0]);
}

static void insert_4(r1cs_cs *cs, num *r, const num *x, const cs_bit *bit, const num *e) {
    const num *b = &e[0], *c = &e[1], *d = &e[2];
    num t = cuzk_pick(cs, bit[0], b, x);
    r[0] = cuzk_pick(cs, bit[1], b, &t);
    t = cuzk_pick(cs, bit[0], x, b);
    r[1] = cuzk_pick(cs, bit[1], c, &t);
    t = cuzk_pick(cs, bit[0], d, x);
    r[2] = cuzk_pick(cs, bit[1], &t, c);
    t = cuzk_pick(cs, bit[0], x, d);
    r[3] = cuzk_pick(cs, bit[1], &t, d);
}

static void insert_8(r1cs_cs *cs, num *r, const num *x, const cs_bit *bit, const num *e) {
    const num *b = &e[0], *c = &e[1], *d = &e[2], *f = &e[4], *g = &e[5], *h = &e[6];
    cs_bit nor = cuzk_bit_nor(cs, bit[0], bit[1]);
    cs_bit and = cuzk_bit_and(cs, bit[0], bit[1]);
    num t = cuzk_pick(cs, nor, x, b);
    r[0] = cuzk_pick(cs, bit[2], b, &t);
    t = cuzk_pick(cs, bit[0], x, b);
    t = cuzk_pick(cs, bit[1], c, &t);
    r[1] = cuzk_pick(cs, bit[2], c, &t);
    t = cuzk_pick(cs, bit[0], d, x);
    t = cuzk_pick(cs, bit[1], &t, c);
    r[2] = cuzk_pick(cs, bit[2], d, &t);
    t = cuzk_pick(cs, and, x, d);
    r[3] = cuzk_pick(cs, bit[2], &e[3], &t);
    t = cuzk_pick(cs, nor, x, f);
    r[4] = cuzk_pick(cs, bit[2], &t, &e[3]);
    t = cuzk_pick(cs, bit[0], x, f);
    t = cuzk_pick(cs, bit[1], g, &t);
    r[5] = cuzk_pick(cs, bit[2], &t, f);
    t = cuzk_pick(cs, bit[0], h, x);
    t = cuzk_pick(cs, bit[1], &t, g);
    r[6] = cuzk_pick(cs, bit[2], &t, g);
    t = cuzk_pick(cs, and, x, h);
    r[7] = cuzk_pick(cs, bit[2], &t, h);
}

void cuzk_insert(r1cs_cs *cs, num *r, const num *x, const cs_bit *bits, const num *siblings,
                 unsigned n) {
    switch (n) {
    case 2:
        insert_2(cs, r, x, bits, siblings);
        break;
    case 4:
        insert_4(cs, r, x, bits, siblings);
        break;
    default:
        CUZK_ASSERT(n == 8);
        insert_8(cs, r, x, bits, siblings);
        break;
    }
}

num cuzk_select(r1cs_cs *cs, const num *list, const cs_bit *bits, unsigned n_bits) {
    CUZK_ASSERT(n_bits >= 1 && n_bits <= SELECT_MAX_BITS);
    num state[1u << SELECT_MAX_BITS];
    memcpy(state, list, sizeof *state << n_bits);
    for (unsigned i = n_bits; i-- > 0;) {
        size_t half = (size_t)1 << i;
        for (size_t k = 0; k < half; k++) {
            state[k] = cuzk_pick(cs, bits[i], &state[half + k], &state[k]);
        }
    }
    return state[0];
}
