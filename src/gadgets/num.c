/* Variables that hold any field element. */
#include "gadgets/num.h"

static const fr_plain ONE = {{1, 0, 0, 0}};

num cuzk_num_alloc_bytes(r1cs_cs *cs, const uint8_t *bytes, const char *what) {
    fr_plain value = {{0}};
    if (cs->want_values && !cuzk_fr_plain_read_le(&value, bytes)) {
        cuzk_cs_fail(cs, CUZK_E_INPUT, "%s is not below the field's modulus", what);
        value = (fr_plain){{0}};
    }
    return num_alloc(cs, &value);
}

void cuzk_num_inputize(r1cs_cs *cs, const num *x) {
    r1cs_var in = cuzk_cs_alloc_input(cs, &x->value);
    cuzk_cs_row(cs, &x->value, &ONE, LC({in, COEFF_ONE}), LC_ONE, LC({x->var, COEFF_ONE}));
}

num cuzk_num_mul(r1cs_cs *cs, const num *a, const num *b) {
    fr_plain value = {{0}};
    if (cs->want_values) {
        fr_plain_mul(&value, &a->value, &b->value);
    }
    num p = num_alloc(cs, &value);
    cuzk_cs_row(cs, &a->value, &b->value, LC({a->var, COEFF_ONE}), LC({b->var, COEFF_ONE}),
                LC({p.var, COEFF_ONE}));
    return p;
}

num cuzk_num_square(r1cs_cs *cs, const num *a) { return cuzk_num_mul(cs, a, a); }

void cuzk_num_equal(r1cs_cs *cs, const num *a, const num *b) {
    cuzk_cs_row(cs, &a->value, &ONE, LC({a->var, COEFF_ONE}), LC_ONE, LC({b->var, COEFF_ONE}));
}

num cuzk_num_add(r1cs_cs *cs, const num *a, const num *b) {
    fr_plain value;
    fr_plain_add(&value, &a->value, &b->value);
    num s = num_alloc(cs, &value);
    cuzk_cs_row(cs, &value, &ONE, LC({a->var, COEFF_ONE}, {b->var, COEFF_ONE}), LC_ONE,
                LC({s.var, COEFF_ONE}));
    return s;
}

num cuzk_num_sub(r1cs_cs *cs, const num *a, const num *b) {
    fr_plain value;
    fr_plain_sub(&value, &a->value, &b->value);
    num d = num_alloc(cs, &value);
    cuzk_cs_row(cs, &a->value, &ONE, LC({d.var, COEFF_ONE}, {b->var, COEFF_ONE}), LC_ONE,
                LC({a->var, COEFF_ONE}));
    return d;
}

/* aux c := cond ? b : a; (a - b)(cond) = (a - c) */
static num replace_if(r1cs_cs *cs, const num *a, const num *b, cs_bit cond) {
    num c = num_alloc(cs, cond.value ? &b->value : &a->value);
    const fr_plain when = fr_plain_of_int(cond.value);
    fr_plain difference;
    fr_plain_sub(&difference, &a->value, &b->value);
    cuzk_cs_row(cs, &difference, &when, LC({a->var, COEFF_ONE}, {b->var, COEFF_MINUS_ONE}),
                LC({cond.var, COEFF_ONE}), LC({a->var, COEFF_ONE}, {c.var, COEFF_MINUS_ONE}));
    return c;
}

void cuzk_num_conditionally_reverse(r1cs_cs *cs, num *first, num *second, const num *a,
                                    const num *b, cs_bit cond) {
    num c = replace_if(cs, a, b, cond);
    *second = replace_if(cs, b, a, cond);
    *first = c;
}

/* ---- bits ---- */

void cuzk_num_to_bits(r1cs_cs *cs, word32 words[8], const num *x) {
    power_sum sum;
    power_sum_clear(&sum);
    for (unsigned i = 0; i < 4; i++) {
        unsigned n = i < 3 ? 64 : NUM_BITS - 192;
        uint64_t limb = cs->want_values ? x->value.l[i] : 0;
        r1cs_var first = cuzk_cs_booleans(cs, n, limb);
        cuzk_word32_of_bits(cs, &words[2 * i], 32, first, (uint32_t)limb);
        cuzk_word32_of_bits(cs, &words[2 * i + 1], n - 32, first + 32, (uint32_t)(limb >> 32));
        for (unsigned k = 0; cs->want_lc && k < n; k++) {
            power_sum_add(&sum, first + k, 64 * i + k, false);
        }
    }
    if (cs->want_lc) {
        power_sum_add(&sum, x->var, 0, true);
    }
    cuzk_cs_zero_row(cs, &sum);
}

static bool plain_bit(const fr_plain *v, unsigned i) { return v->l[i / 64] >> (i % 64) & 1; }

/* Left fold over bits and, if there is one, the run before. */
static cs_bit and_all(r1cs_cs *cs, const cs_bit *bits, unsigned n, const cs_bit *before) {
    cs_bit all = bits[0];
    for (unsigned i = 1; i < n; i++) {
        all = cuzk_bit_and(cs, all, bits[i]);
    }
    return before == NULL ? all : cuzk_bit_and(cs, all, *before);
}

void cuzk_num_to_bits_strict(r1cs_cs *cs, cs_bit bits[NUM_BITS], const num *x) {
    /* From the top: as long as all bits of x agree with those of r - 1 wherever that has ones, x
     * may have a one only where r - 1 has. `run` says whether they agreed up to here; it is carried
     * on whenever a run of ones ends. */
    fr_plain largest = {FR_MODULUS};
    largest.l[0]--;
    fr_plain value = {{0}};
    if (cs->want_values) {
        value = x->value;
    }
    cs_bit ones[NUM_BITS], run = {0};
    unsigned n_ones = 0;
    bool have_run = false;
    for (unsigned i = NUM_BITS; i-- > 0;) {
        if (plain_bit(&largest, i)) {
            bits[i] = cuzk_bit_alloc(cs, plain_bit(&value, i));
            ones[n_ones++] = bits[i];
            continue;
        }
        if (n_ones > 0) {
            run = and_all(cs, ones, n_ones, have_run ? &run : NULL);
            have_run = true;
            n_ones = 0;
        }
        bits[i] = cuzk_bit_alloc_unless(cs, plain_bit(&value, i), run);
    }
    power_sum sum;
    power_sum_clear(&sum);
    for (unsigned i = 0; cs->want_lc && i < NUM_BITS; i++) {
        power_sum_add(&sum, bits[i].var, i, false);
    }
    if (cs->want_lc) {
        power_sum_add(&sum, x->var, 0, true);
    }
    cuzk_cs_zero_row(cs, &sum);
}

void cuzk_field_into_bits(r1cs_cs *cs, cs_bit bits[NUM_BITS], const fr_plain *value) {
    for (unsigned i = 0; i < NUM_BITS; i++) {
        bits[i] = cuzk_bit_alloc(cs, cs->want_values && plain_bit(value, i));
    }
}

/* ---- packing ---- */

static void power_sum_of_var(const r1cs_cs *cs, power_sum *s, r1cs_var var) {
    power_sum_clear(s);
    if (cs->want_lc) {
        power_sum_add(s, var, 0, false);
    }
}

num cuzk_pack_words(r1cs_cs *cs, const word32 words[8]) {
    power_sum sum, packed;
    power_sum_clear(&sum);
    fr_plain value = {{0}};
    for (unsigned i = 0; i < 8; i++) {
        unsigned n = i < 7 ? 32 : NUM_CAPACITY - 224;
        value.l[i / 2] |= (uint64_t)(words[i].value & (UINT32_MAX >> (32 - n))) << (32 * (i % 2));
        cuzk_word32_add_to(cs, &sum, &words[i], n, 32 * i);
    }
    num p = num_alloc(cs, &value);
    power_sum_of_var(cs, &packed, p.var);
    cuzk_cs_sum_row(cs, &value, &sum, &packed);
    return p;
}

void cuzk_num_decompose(r1cs_cs *cs, cs_bit *bits, unsigned n, const num *x) {
    CUZK_ASSERT(n <= NUM_BITS);
    power_sum sum, packed;
    power_sum_clear(&sum);
    fr_plain value = {{0}};
    for (unsigned i = 0; i < n; i++) {
        bits[i] = cuzk_bit_alloc(cs, cs->want_values && plain_bit(&x->value, i));
        value.l[i / 64] |= (uint64_t)bits[i].value << (i % 64);
        cuzk_boolean_add_to(cs, &sum, boolean_of(bits[i]), i);
    }
    power_sum_of_var(cs, &packed, x->var);
    cuzk_cs_sum_row(cs, &value, &sum, &packed);
}

/* The combination and the value of up to 254 Booleans. */
static void sum_bits(const r1cs_cs *cs, power_sum *sum, fr_plain *value, const boolean *bits,
                     size_t n) {
    CUZK_ASSERT(n <= NUM_CAPACITY);
    power_sum_clear(sum);
    *value = (fr_plain){{0}};
    for (unsigned i = 0; i < n; i++) {
        value->l[i / 64] |= (uint64_t)bits[i].value << (i % 64);
        cuzk_boolean_add_to(cs, sum, bits[i], i);
    }
}

num cuzk_pack_bits(r1cs_cs *cs, const boolean *bits, size_t n) {
    power_sum sum, packed;
    fr_plain value;
    sum_bits(cs, &sum, &value, bits, n < NUM_CAPACITY ? n : NUM_CAPACITY);
    num p = num_alloc(cs, &value);
    power_sum_of_var(cs, &packed, p.var);
    cuzk_cs_sum_row(cs, &value, &sum, &packed);
    return p;
}

void cuzk_pack_into_inputs(r1cs_cs *cs, const boolean *bits, size_t n) {
    for (size_t at = 0; at < n; at += NUM_CAPACITY) {
        power_sum sum, packed;
        fr_plain value;
        sum_bits(cs, &sum, &value, bits + at, n - at < NUM_CAPACITY ? n - at : NUM_CAPACITY);
        r1cs_var in = cuzk_cs_alloc_input(cs, &value);
        power_sum_of_var(cs, &packed, in);
        cuzk_cs_sum_row(cs, &value, &sum, &packed);
    }
}
