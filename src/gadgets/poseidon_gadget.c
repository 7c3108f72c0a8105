/* Poseidon in constraints. Values come from the native hash, which gives every allocated one;
 * combinations from a template, made once a stream by running the permutation on combinations. */
#include "gadgets/poseidon_gadget.h"

#include <stdlib.h>

#include "field/field_kernels.h"

#define HALF_ROUNDS (POSEIDON_FULL_ROUNDS / 2)
#define MAX_VARS (1 + POSEIDON_MAX_WIDTH + POSEIDON_MAX_TRACE)

static unsigned trace_len(const poseidon_constants *c) {
    unsigned t = c->width;
    return 3 * (8 * t + c->partial_rounds - 1) + (8 * t + c->partial_rounds - c->arity);
}

/* ---- combinations ---- */

/* A combination of the template's variables, all coefficients. */
typedef struct state_lc {
    unsigned n; /* coefficients from n on are 0 */
    fr coeff[MAX_VARS];
} state_lc;

typedef struct recorder {
    cs_template *t;
    const poseidon_constants *c;
    unsigned n_vars;
    state_lc state[POSEIDON_MAX_WIDTH], mixed[POSEIDON_MAX_WIDTH];
} recorder;

static void lc_set_var(state_lc *lc, unsigned var) {
    memset(lc->coeff, 0, var * sizeof *lc->coeff);
    lc->coeff[var] = FR_ONE;
    lc->n = var + 1;
}

/* r += k * lc */
static void lc_add(state_lc *r, const state_lc *lc, const fr *k) {
    if (r->n < lc->n) {
        memset(r->coeff + r->n, 0, (lc->n - r->n) * sizeof *r->coeff);
        r->n = lc->n;
    }
    for (unsigned i = 0; i < lc->n; i++) {
        if (!fr_is_zero(&lc->coeff[i])) {
            fr product;
            fr_mul(&product, &lc->coeff[i], k);
            fr_add(&r->coeff[i], &r->coeff[i], &product);
        }
    }
}

static void put_var(recorder *r, r1cs_side side, unsigned var) {
    const fr one = FR_ONE;
    cuzk_cs_template_term(r->t, side, var, &one);
}

/* constant + var */
static void put_sum(recorder *r, r1cs_side side, const fr *constant, unsigned var) {
    cuzk_cs_template_term(r->t, side, 0, constant);
    put_var(r, side, var);
}

/* The tail of an S-box: aux l2, l4, l5 of a variable s and constants: (s + pre)(s + pre) = (l2),
 * (l2)(l2) = (l4), (s + pre)(l4) = (l5 - post). Returns l5. */
static unsigned quintic(recorder *r, unsigned s, const fr *pre, const fr *post) {
    unsigned l2 = r->n_vars++, l4 = r->n_vars++, l5 = r->n_vars++;
    fr minus_post;
    fr_neg(&minus_post, post);
    put_sum(r, R1CS_A, pre, s);
    put_sum(r, R1CS_B, pre, s);
    put_var(r, R1CS_C, l2);
    cuzk_cs_template_end_row(r->t);
    put_var(r, R1CS_A, l2);
    put_var(r, R1CS_B, l2);
    put_var(r, R1CS_C, l4);
    cuzk_cs_template_end_row(r->t);
    put_sum(r, R1CS_A, pre, s);
    put_var(r, R1CS_B, l4);
    put_sum(r, R1CS_C, &minus_post, l5);
    cuzk_cs_template_end_row(r->t);
    return l5;
}

/* aux s; (lc)(1) = (s) */
static unsigned materialise(recorder *r, const state_lc *lc) {
    unsigned s = r->n_vars++;
    for (unsigned i = 0; i < lc->n; i++) {
        cuzk_cs_template_term(r->t, R1CS_A, i, &lc->coeff[i]);
    }
    put_var(r, R1CS_B, 0);
    put_var(r, R1CS_C, s);
    cuzk_cs_template_end_row(r->t);
    return s;
}

static void sbox(recorder *r, unsigned i, const fr *post) {
    const fr zero = FR_ZERO;
    unsigned s = materialise(r, &r->state[i]);
    lc_set_var(&r->state[i], quintic(r, s, &zero, post));
}

/* state'[j] = sum over i of m[i][j] state[i] */
static void mix(recorder *r, const fr *m) {
    unsigned t = r->c->width;
    for (unsigned j = 0; j < t; j++) {
        r->mixed[j].n = 0;
        for (unsigned i = 0; i < t; i++) {
            lc_add(&r->mixed[j], &r->state[i], &m[i * t + j]);
        }
    }
    memcpy(r->state, r->mixed, t * sizeof *r->state);
}

/* sparse: w_hat then v_rest */
static void mix_sparse(recorder *r, const fr *sparse) {
    unsigned t = r->c->width;
    const fr one = FR_ONE, *w_hat = sparse, *v_rest = sparse + t;
    r->mixed[0].n = 0;
    for (unsigned i = 0; i < t; i++) {
        lc_add(&r->mixed[0], &r->state[i], &w_hat[i]);
    }
    for (unsigned j = 1; j < t; j++) {
        r->mixed[j].n = 0;
        lc_add(&r->mixed[j], &r->state[j], &one);
        lc_add(&r->mixed[j], &r->state[0], &v_rest[j - 1]);
    }
    memcpy(r->state, r->mixed, t * sizeof *r->state);
}

/* The first round: element 0 is a constant, the others are the arguments themselves. */
static void first_round(recorder *r) {
    const poseidon_constants *c = r->c;
    unsigned t = c->width;
    const fr *pre = c->compressed, *post = c->compressed + t;
    fr x, x4;
    fr_add(&x, &c->tag, &pre[0]);
    fr_sqr(&x4, &x);
    fr_sqr(&x4, &x4);
    fr_mul(&x, &x, &x4);
    r->state[0].n = 1;
    fr_add(&r->state[0].coeff[0], &x, &post[0]);
    for (unsigned i = 1; i < t; i++) {
        lc_set_var(&r->state[i], quintic(r, i, &pre[i], &post[i]));
    }
    mix(r, c->mds);
}

static bool record(cs_template *t, unsigned slot) {
    const poseidon_constants *c = cuzk_poseidon_constants((poseidon_kind)slot);
    const fr zero = FR_ZERO;
    recorder *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return false;
    }
    r->t = t;
    r->c = c;
    r->n_vars = 1 + c->arity;
    first_round(r);
    const fr *post = c->compressed + 2 * c->width;
    for (unsigned round = 1; round < HALF_ROUNDS; round++) {
        for (unsigned i = 0; i < c->width; i++) {
            sbox(r, i, post++);
        }
        mix(r, round == HALF_ROUNDS - 1 ? c->pre_sparse : c->mds);
    }
    for (unsigned round = 0; round < c->partial_rounds; round++) {
        sbox(r, 0, post++);
        mix_sparse(r, c->sparse + round * (2 * c->width - 1));
    }
    for (unsigned round = 0; round < HALF_ROUNDS; round++) {
        for (unsigned i = 0; i < c->width; i++) {
            sbox(r, i, round == HALF_ROUNDS - 1 ? &zero : post++);
        }
        mix(r, c->mds);
    }
    materialise(r, &r->state[1]);
    CUZK_ASSERT(r->n_vars == 1 + c->arity + trace_len(c));
    free(r);
    return true;
}

/* ---- values ---- */

/* Of the rows, from the values in allocation order: of each S-box of a variable that needs no row
 * of its own l2, l4, l5; of each other one s, l2, l4, l5; and the result. */
static void row_values(fr_plain *a, fr_plain *b, const poseidon_constants *c, const fr *in,
                       const fr_plain *trace, size_t n) {
    const fr_plain one = fr_plain_of_int(1);
    const fr_plain *v = trace;
    for (unsigned i = 1; i < c->width; i++, v += 3) {
        fr sum;
        fr_plain x;
        fr_add(&sum, &in[i - 1], &c->compressed[i]);
        fr_to_plain(&x, &sum);
        *a++ = x, *b++ = x;
        *a++ = v[0], *b++ = v[0];
        *a++ = x, *b++ = v[1];
    }
    for (; v + 4 <= trace + n; v += 4) {
        *a++ = v[0], *b++ = one;
        *a++ = v[0], *b++ = v[0];
        *a++ = v[1], *b++ = v[1];
        *a++ = v[0], *b++ = v[2];
    }
    *a = *v, *b = one;
}

num cuzk_poseidon_gadget(r1cs_cs *cs, poseidon_kind kind, const num *in) {
    const poseidon_constants *c = cuzk_poseidon_constants(kind);
    const unsigned n = trace_len(c);
    const cs_template_shape shape = {
        .slot = (unsigned)kind, .n_args = c->arity, .n_aux = n, .n_rows = n, .build = record};
    fr_plain values[POSEIDON_MAX_TRACE], a[POSEIDON_MAX_TRACE], b[POSEIDON_MAX_TRACE];
    num out = {0};
    if (cs->want_values) {
        fr x[POSEIDON_MAX_WIDTH], trace[POSEIDON_MAX_TRACE];
        for (unsigned i = 0; i < c->arity; i++) {
            fr_from_plain(&x[i], &in[i].value);
        }
        CUZK_ASSERT(cuzk_poseidon_trace(trace, kind, x) == n);
        cuzk_field_kernels()->fr_to_plain(values, trace, n);
        row_values(a, b, c, x, values, n);
        out.value = values[n - 1];
    }
    r1cs_var args[POSEIDON_MAX_WIDTH];
    for (unsigned i = 0; i < c->arity; i++) {
        args[i] = in[i].var;
    }
    out.var = cuzk_cs_template(cs, &shape, args, values, a, b) + n - 1;
    return out;
}
