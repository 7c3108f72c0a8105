#include "support/toy_circuits.h"

#include "r1cs/constraint_system.h"

static fr_plain small(uint64_t v) { return (fr_plain){{v, 0, 0, 0}}; }

static fr_plain plain(const fr *v) {
    fr_plain p;
    fr_to_plain(&p, v);
    return p;
}

static cuzk_status outcome(const r1cs_cs *cs, cuzk_error *err) {
    if (cs->status != CUZK_OK && err != NULL) {
        *err = cs->error;
    }
    return cs->status;
}

static cuzk_status product_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const product_demo *demo = self;
    fr a, b, c;
    fr_from_plain(&a, &demo->a);
    fr_from_plain(&b, &demo->b);
    fr_mul(&c, &a, &b);
    const fr_plain product = plain(&c);
    r1cs_var va = cuzk_cs_alloc(cs, &demo->a);
    r1cs_var vb = cuzk_cs_alloc(cs, &demo->b);
    r1cs_var vc = cuzk_cs_alloc_input(cs, &product);
    cuzk_cs_row(cs, &demo->a, &demo->b, LC({va, COEFF_ONE}), LC({vb, COEFF_ONE}),
                LC({vc, COEFF_ONE}));
    return outcome(cs, err);
}

r1cs_circuit product_demo_circuit(const product_demo *demo) {
    return (r1cs_circuit){demo, product_synthesize};
}

/* aux x with (1 - x)(x) = (0) */
static r1cs_var boolean(r1cs_cs *cs, bool x) {
    const fr_plain v = small(x);
    r1cs_var var = cuzk_cs_alloc(cs, &v);
    cuzk_cs_small_row(cs, !x, x, LC({R1CS_ONE, COEFF_ONE}, {var, COEFF_MINUS_ONE}),
                      LC({var, COEFF_ONE}), LC_ZERO);
    return var;
}

static cuzk_status xor_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const xor_demo *demo = self;
    const fr_plain value = small(demo->a != demo->b);
    r1cs_var a = boolean(cs, demo->a);
    r1cs_var b = boolean(cs, demo->b);
    r1cs_var c = cuzk_cs_alloc_input(cs, &value);
    const fr_plain two_a = small(2 * demo->a), b_value = small(demo->b);
    cuzk_cs_row(cs, &two_a, &b_value, LC({a, COEFF_ONE}, {a, COEFF_ONE}), LC({b, COEFF_ONE}),
                LC({a, COEFF_ONE}, {b, COEFF_ONE}, {c, COEFF_MINUS_ONE}));
    return outcome(cs, err);
}

r1cs_circuit xor_demo_circuit(const xor_demo *demo) { return (r1cs_circuit){demo, xor_synthesize}; }

static cuzk_status density_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const uint64_t v = ((const density_demo *)self)->x;
    const fr_plain x1 = small(v), x2 = small(v * v), x3 = small(v * v * v),
                   x4 = small(v * v * v * v), two_x = small(2 * v), one = small(1);
    r1cs_var x = cuzk_cs_alloc(cs, &x1);
    r1cs_var p = cuzk_cs_alloc_input(cs, &x2);
    r1cs_var q = cuzk_cs_alloc_input(cs, &x3);
    r1cs_var y = cuzk_cs_alloc(cs, &x4);
    r1cs_var z = cuzk_cs_alloc(cs, &two_x);
    cuzk_cs_row(cs, &x1, &x1, LC({x, COEFF_ONE}), LC({x, COEFF_ONE}), LC({p, COEFF_ONE}));
    cuzk_cs_row(cs, &x1, &x2, LC({x, COEFF_ONE}, {z, COEFF_ONE}, {z, COEFF_MINUS_ONE}),
                LC({p, COEFF_ONE}, {q, COEFF_ONE}, {q, COEFF_MINUS_ONE}), LC({q, COEFF_ONE}));
    cuzk_cs_row(cs, &x2, &x2, LC({p, COEFF_ONE}), LC({p, COEFF_ONE}), LC({y, COEFF_ONE}));
    cuzk_cs_row(cs, &two_x, &one, LC({x, COEFF_TWO}), LC_ONE, LC({z, COEFF_ONE}));
    return outcome(cs, err);
}

r1cs_circuit density_demo_circuit(const density_demo *demo) {
    return (r1cs_circuit){demo, density_synthesize};
}

/* t = (xl + k)^2; next = t (xl + k) + xr */
static void mimc_round(fr *sum, fr *t, fr *next, const fr *xl, const fr *xr, const fr *k) {
    fr_add(sum, xl, k);
    fr_sqr(t, sum);
    fr_mul(next, t, sum);
    fr_add(next, next, xr);
}

static cuzk_status mimc_synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const mimc_demo *demo = self;
    fr xl = demo->xl, xr = demo->xr, sum, t, next;
    fr_plain v = plain(&xl);
    r1cs_var var_xl = cuzk_cs_alloc(cs, &v);
    v = plain(&xr);
    r1cs_var var_xr = cuzk_cs_alloc(cs, &v);
    for (int i = 0; i < MIMC_ROUNDS; i++) {
        const uint32_t k = cuzk_cs_coeff(cs, &demo->constants[i]);
        mimc_round(&sum, &t, &next, &xl, &xr, &demo->constants[i]);
        const fr_plain sum_plain = plain(&sum), t_plain = plain(&t), next_plain = plain(&next);
        r1cs_var var_t = cuzk_cs_alloc(cs, &t_plain);
        cuzk_cs_row(cs, &sum_plain, &sum_plain, LC({var_xl, COEFF_ONE}, {R1CS_ONE, k}),
                    LC({var_xl, COEFF_ONE}, {R1CS_ONE, k}), LC({var_t, COEFF_ONE}));
        r1cs_var var_next = i == MIMC_ROUNDS - 1 ? cuzk_cs_alloc_input(cs, &next_plain)
                                                 : cuzk_cs_alloc(cs, &next_plain);
        cuzk_cs_row(cs, &t_plain, &sum_plain, LC({var_t, COEFF_ONE}),
                    LC({var_xl, COEFF_ONE}, {R1CS_ONE, k}),
                    LC({var_next, COEFF_ONE}, {var_xr, COEFF_MINUS_ONE}));
        xr = xl;
        xl = next;
        var_xr = var_xl;
        var_xl = var_next;
    }
    return outcome(cs, err);
}

r1cs_circuit mimc_demo_circuit(const mimc_demo *demo) {
    return (r1cs_circuit){demo, mimc_synthesize};
}

void mimc_image(fr_plain *image, const mimc_demo *demo) {
    fr xl = demo->xl, xr = demo->xr, sum, t, next;
    for (int i = 0; i < MIMC_ROUNDS; i++) {
        mimc_round(&sum, &t, &next, &xl, &xr, &demo->constants[i]);
        xr = xl;
        xl = next;
    }
    fr_to_plain(image, &xl);
}
