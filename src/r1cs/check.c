/* The checking back end: evaluates every combination on an assignment and compares with what the
 * fast path wrote. */
#include <stdlib.h>

#include "r1cs/plan_internal.h"
#include "r1cs/witness.h"

#define ROWS_AT_ONCE 1024

/* Random access to the aux variables. Of segments of bits: a bit for each variable that is not
 * small, and how many come before each word of these. */
typedef struct aux_index {
    const r1cs_assignment *w;
    bool has_dense;
    const r1cs_aux_segment *last; /* where the variable before was */
    uint64_t *bits, *wide;        /* by variable */
    uint32_t *wide_before;        /* for each word: index in wide_values of its first */
    fr_plain *wide_values;        /* all of them, in order */
} aux_index;

typedef struct checker {
    aux_index aux;
    fr_plain *coeffs; /* canonical, for the first n_coeffs of the stream */
    size_t n_coeffs, capacity;
    fr_plain a[ROWS_AT_ONCE], b[ROWS_AT_ONCE]; /* of the fast path, from row at on */
    uint64_t at;
    uint64_t first_unsatisfied;
    fr_plain c[ROWS_AT_ONCE]; /* of the combinations, from row at on */
    r1cs_c_fn fn;             /* or NULL */
    void *fn_arg;
} checker;

static uint64_t count_wide(const r1cs_assignment *w) {
    uint64_t n = 0;
    for (size_t i = 0; i < w->n_aux_segments; i++) {
        n += w->aux[i].n_wide;
    }
    return n;
}

static size_t words_for(uint64_t n) { return (size_t)(n / 64 + 1); }

static size_t index_bytes(const r1cs_assignment *w) {
    size_t words = words_for(w->n_aux);
    return 2 * scratch_need(words, sizeof(uint64_t)) + scratch_need(words, sizeof(uint32_t)) +
           scratch_need(count_wide(w), sizeof(fr_plain));
}

static inline void set_bit(uint64_t *words, uint64_t at, uint64_t value) {
    words[at / 64] |= value << (at % 64);
}

static void index_segment(aux_index *x, const r1cs_aux_segment *s, fr_plain **next_wide) {
    if (s->kind == R1CS_DENSE) {
        x->has_dense = x->has_dense || s->count > 0;
        return;
    }
    for (uint64_t i = 0; i < s->count; i++) {
        set_bit(x->bits, s->first + i, s->bits[i / 64] >> (i % 64) & 1);
    }
    for (size_t k = 0; k < s->n_wide; k++) {
        set_bit(x->wide, s->first + s->wide_at[k], 1);
        *(*next_wide)++ = s->wide[k];
    }
}

static void index_init(aux_index *x, const r1cs_assignment *w, cuzk_scratch *memory) {
    size_t words = words_for(w->n_aux);
    x->w = w;
    x->last = w->aux;
    x->bits = scratch_take(memory, words, sizeof *x->bits);
    x->wide = scratch_take(memory, words, sizeof *x->wide);
    x->wide_before = scratch_take(memory, words, sizeof *x->wide_before);
    x->wide_values = scratch_take(memory, count_wide(w), sizeof *x->wide_values);
    fr_plain *next_wide = x->wide_values;
    for (size_t i = 0; i < w->n_aux_segments; i++) {
        index_segment(x, &w->aux[i], &next_wide);
    }
    uint32_t before = 0;
    for (size_t i = 0; i < words; i++) {
        x->wide_before[i] = before;
        before += (uint32_t)__builtin_popcountll(x->wide[i]);
    }
}

/* The variable's value if it is in a dense segment, else NULL. */
static const fr_plain *dense_value(aux_index *x, r1cs_var var) {
    const r1cs_aux_segment *s = x->last;
    if (var - s->first >= s->count) {
        s = x->last = cuzk_r1cs_aux_segment_of(x->w, var);
    }
    return s->kind == R1CS_DENSE ? &s->dense[var - s->first] : NULL;
}

/* r += coeff * value */
static void add_product(fr_plain *r, const fr *coeff, const fr_plain *value) {
    fr_plain product;
    fr_mul_plain(&product, coeff, value);
    fr_plain_add(r, r, &product);
}

/* A value as sum + small; sum is 0 as long as is_small holds, which is so in almost all rows. */
typedef struct evaluated {
    bool is_small;
    int64_t small;
    fr_plain sum;
} evaluated;

static void add_coeff(evaluated *v, const checker *k, uint32_t coeff) {
    static const int8_t small[] = {
        [COEFF_ONE] = 1, [COEFF_MINUS_ONE] = -1, [COEFF_TWO] = 2, [COEFF_MINUS_TWO] = -2};
    if (coeff < sizeof small) {
        v->small += small[coeff];
    } else {
        v->is_small = false;
        fr_plain_add(&v->sum, &v->sum, &k->coeffs[coeff]);
    }
}

static evaluated evaluate(checker *k, lc_view lc, const fr *coeffs) {
    evaluated v = {.is_small = true};
    aux_index *x = &k->aux;
    const fr_plain *dense;
    for (size_t i = 0; i < lc.n; i++) {
        r1cs_var var = lc.terms[i].var;
        uint32_t coeff = lc.terms[i].coeff;
        if (var == R1CS_ONE) {
            add_coeff(&v, k, coeff);
        } else if (var & R1CS_INPUT) {
            v.is_small = false;
            add_product(&v.sum, &coeffs[coeff], &x->w->inputs[var ^ R1CS_INPUT]);
        } else if (x->has_dense && (dense = dense_value(x, var)) != NULL) {
            v.is_small = false;
            add_product(&v.sum, &coeffs[coeff], dense);
        } else if (x->wide[var / 64] >> (var % 64) & 1) {
            uint64_t below = x->wide[var / 64] & ((1ull << (var % 64)) - 1);
            uint32_t at = x->wide_before[var / 64] + (uint32_t)__builtin_popcountll(below);
            v.is_small = false;
            add_product(&v.sum, &coeffs[coeff], &x->wide_values[at]);
        } else if (x->bits[var / 64] >> (var % 64) & 1) {
            add_coeff(&v, k, coeff);
        }
    }
    return v;
}

static fr_plain plain_of(const evaluated *v) {
    fr_plain r = fr_plain_of_int(v->small);
    if (!v->is_small) {
        fr_plain_add(&r, &r, &v->sum);
    }
    return r;
}

static cuzk_status learn_coeffs(checker *k, const r1cs_coeffs *coeffs, cuzk_error *err) {
    if (coeffs->n > k->capacity) {
        size_t capacity = coeffs->n < 1024 ? 1024 : 2 * coeffs->n;
        void *grown = realloc(k->coeffs, capacity * sizeof *k->coeffs);
        if (grown == NULL) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu coefficients", capacity);
        }
        k->coeffs = grown;
        k->capacity = capacity;
    }
    for (; k->n_coeffs < coeffs->n; k->n_coeffs++) {
        fr_to_plain(&k->coeffs[k->n_coeffs], &coeffs->values[k->n_coeffs]);
    }
    return CUZK_OK;
}

static bool equals(const evaluated *v, const fr_plain *value) {
    if (v->is_small && v->small >= 0) {
        return value->l[0] == (uint64_t)v->small && (value->l[1] | value->l[2] | value->l[3]) == 0;
    }
    const fr_plain expected = plain_of(v);
    return memcmp(&expected, value, sizeof expected) == 0;
}

/* a b = c */
static bool satisfied(const evaluated *a, const evaluated *b, const evaluated *c) {
    if (a->is_small && b->is_small && c->is_small) {
        return a->small * b->small == c->small; /* a few terms of at most 2: no overflow */
    }
    const fr_plain plain_a = plain_of(a), plain_b = plain_of(b), plain_c = plain_of(c);
    fr_plain product;
    fr_plain_mul(&product, &plain_a, &plain_b);
    return memcmp(&product, &plain_c, sizeof product) == 0;
}

static cuzk_status on_row(void *arg, uint64_t index, const r1cs_row *row, const r1cs_coeffs *coeffs,
                          cuzk_error *err) {
    checker *k = arg;
    const r1cs_assignment *w = k->aux.w;
    if (coeffs->n > k->n_coeffs) {
        cuzk_status status = learn_coeffs(k, coeffs, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    if (index % ROWS_AT_ONCE == 0) {
        k->at = index;
        cuzk_r1cs_rows_expand(w, R1CS_A, index, ROWS_AT_ONCE, k->a);
        cuzk_r1cs_rows_expand(w, R1CS_B, index, ROWS_AT_ONCE, k->b);
    }
    const evaluated a = evaluate(k, row->a, coeffs->values);
    const evaluated b = evaluate(k, row->b, coeffs->values);
    const evaluated c = evaluate(k, row->c, coeffs->values);
    if (!equals(&a, &k->a[index - k->at]) || !equals(&b, &k->b[index - k->at])) {
        return cuzk_fail(err, CUZK_E_INTERNAL,
                         "row %llu: the fast path's values differ from the combinations'",
                         (unsigned long long)index);
    }
    if (k->first_unsatisfied == UINT64_MAX && !satisfied(&a, &b, &c)) {
        k->first_unsatisfied = index;
    }
    if (k->fn != NULL) {
        size_t n = (size_t)(index - k->at) + 1;
        k->c[n - 1] = plain_of(&c);
        if (n == ROWS_AT_ONCE || index + 1 == w->n_rows) {
            k->fn(k->fn_arg, k->at, n, k->c);
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_r1cs_check_rows(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                 const r1cs_assignment *w, uint64_t *first_unsatisfied,
                                 r1cs_c_fn fn, void *arg, cuzk_error *err) {
    cs_plan plan;
    r1cs_dims dims;
    cuzk_status status = cuzk_plan_count(&plan, &dims, ctx, circuit, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (dims.n_constraints + dims.n_inputs != w->n_rows || dims.n_aux != w->n_aux ||
        dims.n_inputs != w->n_inputs) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "the assignment is not one of this circuit");
    }
    cuzk_block block;
    size_t len = scratch_need(1, sizeof(checker)) + index_bytes(w);
    status = cuzk_block_alloc(&block, ctx->account, len, "checking an assignment", err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch memory = cuzk_block_scratch(&block);
    checker *k = scratch_take(&memory, 1, sizeof *k);
    k->first_unsatisfied = UINT64_MAX;
    k->fn = fn;
    k->fn_arg = arg;
    index_init(&k->aux, w, &memory);
    status = cuzk_r1cs_stream(ctx, circuit, on_row, k, NULL, err);
    if (status == CUZK_OK && first_unsatisfied != NULL) {
        *first_unsatisfied = k->first_unsatisfied;
    }
    free(k->coeffs);
    cuzk_block_free(&block);
    return status;
}

static void store_c(void *arg, uint64_t first, size_t n, const fr_plain *c) {
    memcpy((fr_plain *)arg + first, c, n * sizeof *c);
}

cuzk_status cuzk_r1cs_check(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                            const r1cs_assignment *w, uint64_t *first_unsatisfied, fr_plain *c,
                            cuzk_error *err) {
    return cuzk_r1cs_check_rows(ctx, circuit, w, first_unsatisfied, c != NULL ? store_c : NULL, c,
                                err);
}
