/* Booleans one at a time. */
#include "gadgets/boolean.h"

cs_bit cuzk_bit_alloc(r1cs_cs *cs, bool value) {
    return (cs_bit){.var = cuzk_cs_booleans(cs, 1, value), .value = value};
}

cs_bit cuzk_bit_alloc_unless(r1cs_cs *cs, bool value, cs_bit unless) {
    r1cs_var b = cuzk_cs_alloc_bits(cs, 1, value);
    cuzk_cs_small_row(
        cs, 1 - unless.value - value, value,
        LC({R1CS_ONE, COEFF_ONE}, {unless.var, COEFF_MINUS_ONE}, {b, COEFF_MINUS_ONE}),
        LC({b, COEFF_ONE}), LC_ZERO);
    return (cs_bit){.var = b, .value = value};
}

cs_bit cuzk_bit_and(r1cs_cs *cs, cs_bit x, cs_bit y) {
    return (cs_bit){.var = cuzk_cs_and(cs, x, false, y, false), .value = x.value && y.value};
}

cs_bit cuzk_bit_nor(r1cs_cs *cs, cs_bit x, cs_bit y) {
    return (cs_bit){.var = cuzk_cs_and(cs, x, true, y, true), .value = !x.value && !y.value};
}

boolean cuzk_boolean_xor(r1cs_cs *cs, boolean x, boolean y) {
    if (x.is_const) {
        return x.value ? boolean_not(y) : y;
    }
    if (y.is_const) {
        return y.value ? boolean_not(x) : x;
    }
    bool swap = x.negated && !y.negated; /* the one that is not negated comes first */
    cs_bit p = boolean_bit(swap ? y : x), q = boolean_bit(swap ? x : y);
    r1cs_var out[32];
    cuzk_cs_xor(cs, out, 1, p.value, q.value, &p.var, &q.var);
    return (boolean){.var = cs->want_lc ? out[0] : 0,
                     .negated = x.negated != y.negated,
                     .value = x.value != y.value};
}

boolean cuzk_boolean_and(r1cs_cs *cs, boolean x, boolean y) {
    if ((x.is_const && !x.value) || (y.is_const && !y.value)) {
        return boolean_const(false);
    }
    if (x.is_const) {
        return y;
    }
    if (y.is_const) {
        return x;
    }
    bool swap = x.negated && !y.negated;
    boolean p = swap ? y : x, q = swap ? x : y;
    return (boolean){.var = cuzk_cs_and(cs, boolean_bit(p), p.negated, boolean_bit(q), q.negated),
                     .value = x.value && y.value};
}

/* A Boolean as a combination times +1 or -1: at most two terms. */
static lc_term *put_boolean(lc_term *to, boolean x, bool minus) {
    uint32_t plus_one = minus ? COEFF_MINUS_ONE : COEFF_ONE,
             minus_one = minus ? COEFF_ONE : COEFF_MINUS_ONE;
    if (x.is_const ? x.value : x.negated) {
        *to++ = (lc_term){R1CS_ONE, plus_one};
    }
    if (!x.is_const) {
        *to++ = (lc_term){x.var, x.negated ? minus_one : plus_one};
    }
    return to;
}

boolean cuzk_boolean_choose(r1cs_cs *cs, boolean a, boolean b, boolean c) {
    bool value = a.value ? b.value : c.value;
    if (a.is_const && b.is_const && c.is_const) {
        return boolean_const(value);
    }
    if (a.is_const && !a.value) {
        return c;
    }
    if (b.is_const && !b.value) {
        return cuzk_boolean_and(cs, boolean_not(a), c);
    }
    if (c.is_const) {
        return c.value ? boolean_not(cuzk_boolean_and(cs, a, boolean_not(b)))
                       : cuzk_boolean_and(cs, a, b);
    }
    if (b.is_const) {
        return boolean_not(cuzk_boolean_and(cs, boolean_not(a), boolean_not(c)));
    }
    r1cs_var out = cuzk_cs_alloc_bits(cs, 1, value);
    lc_term lc_a[4], lc_b[2], lc_c[3] = {{out, COEFF_ONE}};
    lc_term *a_end = put_boolean(put_boolean(lc_a, b, false), c, true);
    lc_term *b_end = put_boolean(lc_b, a, false);
    lc_term *c_end = put_boolean(lc_c + 1, c, true);
    cuzk_cs_small_row(cs, b.value - c.value, a.value, (lc_view){lc_a, (size_t)(a_end - lc_a)},
                      (lc_view){lc_b, (size_t)(b_end - lc_b)},
                      (lc_view){lc_c, (size_t)(c_end - lc_c)});
    return (boolean){.var = out, .value = value};
}

/* not and(not x, not y) */
static boolean boolean_or(r1cs_cs *cs, boolean x, boolean y) {
    return boolean_not(cuzk_boolean_and(cs, boolean_not(x), boolean_not(y)));
}

boolean cuzk_boolean_majority(r1cs_cs *cs, boolean a, boolean b, boolean c) {
    bool value = (a.value && b.value) || (a.value && c.value) || (b.value && c.value);
    if (a.is_const && b.is_const && c.is_const) {
        return boolean_const(value);
    }
    if (a.is_const && !a.value) {
        return cuzk_boolean_and(cs, b, c);
    }
    if (b.is_const && !b.value) {
        return cuzk_boolean_and(cs, a, c);
    }
    if (c.is_const) {
        return c.value ? boolean_or(cs, a, b) : cuzk_boolean_and(cs, a, b);
    }
    if (b.is_const) {
        return boolean_or(cs, a, c);
    }
    if (a.is_const) {
        return boolean_or(cs, b, c);
    }
    r1cs_var out = cuzk_cs_alloc_bits(cs, 1, value);
    boolean bc = cuzk_boolean_and(cs, b, c);
    lc_term lc_a[6], lc_b[2], lc_c[2] = {{bc.var, COEFF_ONE}, {out, COEFF_MINUS_ONE}};
    lc_a[0] = (lc_term){bc.var, COEFF_TWO};
    lc_term *a_end = put_boolean(put_boolean(lc_a + 1, b, true), c, true);
    lc_term *b_end = put_boolean(lc_b, a, false);
    cuzk_cs_small_row(cs, 2 * bc.value - b.value - c.value, a.value,
                      (lc_view){lc_a, (size_t)(a_end - lc_a)},
                      (lc_view){lc_b, (size_t)(b_end - lc_b)}, (lc_view){lc_c, 2});
    return (boolean){.var = out, .value = value};
}

void cuzk_boolean_enforce_equal(r1cs_cs *cs, boolean x, boolean y) {
    if (x.is_const && y.is_const) {
        return;
    }
    boolean plus = x, minus = y;
    if (y.is_const ? y.value : x.is_const && !x.value) {
        plus = y; /* 1 - x against the constant one; never a constant zero first */
        minus = x;
    }
    lc_term lc[4];
    lc_term *end = put_boolean(put_boolean(lc, plus, false), minus, true);
    cuzk_cs_small_row(cs, 0, 0, LC_ZERO, LC_ZERO, (lc_view){lc, (size_t)(end - lc)});
}

void cuzk_boolean_add_to(const r1cs_cs *cs, power_sum *s, boolean x, unsigned shift) {
    if (!cs->want_lc) {
        return;
    }
    if (x.is_const ? x.value : x.negated) {
        power_sum_add_one(s, shift);
    }
    if (!x.is_const) {
        power_sum_add(s, x.var, shift, x.negated);
    }
}
