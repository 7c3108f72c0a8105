/* Explicit combinations: distinct coefficients, merging and sorting, rows of every operation. */
#include "r1cs/expander_internal.h"

#include <stdlib.h>

/* ---- memory ---- */

/* Grows an array that held old_n elements to new_n; NULL, with the failure kept, when there is no
 * room. */
static void *grow(cs_expander *x, void *old, size_t old_n, size_t new_n, size_t size,
                  cuzk_error *err, cuzk_status *status) {
    size_t len;
    CUZK_ASSERT(size_mul(&len, new_n, size));
    *status =
        cuzk_account_reserve(x->account, len - old_n * size, "the structure of a circuit", err);
    if (*status != CUZK_OK) {
        return NULL;
    }
    void *p = realloc(old, len);
    if (p == NULL) {
        cuzk_account_release(x->account, len - old_n * size);
        *status = cuzk_fail(err, CUZK_E_NO_MEMORY,
                            "no memory for the structure of a circuit (%zu bytes)", len);
        return NULL;
    }
    x->charged_bytes += len - old_n * size;
    return p;
}

/* ---- coefficients ---- */

static size_t coeff_hash(const fr_plain *v) {
    uint64_t h = v->l[0] * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ v->l[1]) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 32 ^ v->l[2]) * 0x94d049bb133111ebu;
    h = (h ^ h >> 29 ^ v->l[3]) * 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 32);
}

static bool plain_eq(const fr_plain *a, const fr_plain *b) { return memcmp(a, b, sizeof *a) == 0; }

static cuzk_status coeffs_grow(cs_expander *x, cuzk_error *err) {
    coeff_table *t = &x->coeffs;
    size_t capacity = t->capacity == 0 ? 1024 : 2 * t->capacity;
    cuzk_status status;
    fr *values = grow(x, t->values, t->capacity, capacity, sizeof *values, err, &status);
    if (values == NULL) {
        return status;
    }
    t->values = values;
    fr_plain *plain = grow(x, t->plain, t->capacity, capacity, sizeof *plain, err, &status);
    if (plain == NULL) {
        return status;
    }
    t->plain = plain;
    uint32_t *slots = grow(x, t->slots, t->n_slots, 4 * capacity, sizeof *slots, err, &status);
    if (slots == NULL) {
        return status;
    }
    t->slots = slots;
    t->capacity = capacity;
    t->n_slots = 4 * capacity;
    memset(slots, 0, t->n_slots * sizeof *slots);
    for (size_t i = 0; i < t->n; i++) {
        size_t at = coeff_hash(&t->plain[i]) & (t->n_slots - 1);
        while (slots[at] != 0) {
            at = (at + 1) & (t->n_slots - 1);
        }
        slots[at] = (uint32_t)i + 1;
    }
    return CUZK_OK;
}

uint32_t cuzk_expander_coeff(r1cs_cs *cs, const fr_plain *v) {
    coeff_table *t = &cs->expander->coeffs;
    size_t at = coeff_hash(v) & (t->n_slots - 1);
    for (; t->slots[at] != 0; at = (at + 1) & (t->n_slots - 1)) {
        if (plain_eq(&t->plain[t->slots[at] - 1], v)) {
            return t->slots[at] - 1;
        }
    }
    if (t->n == t->capacity) {
        cuzk_error error;
        cuzk_status status = coeffs_grow(cs->expander, &error);
        if (status != CUZK_OK) {
            cuzk_cs_fail(cs, status, "%s", error.text);
            return 0;
        }
        return cuzk_expander_coeff(cs, v);
    }
    t->plain[t->n] = *v;
    fr_from_plain(&t->values[t->n], v);
    t->slots[at] = (uint32_t)++t->n;
    return (uint32_t)t->n - 1;
}

/* The index of 2^shift or -2^shift, shift below 254. */
static uint32_t coeff_of_power(r1cs_cs *cs, unsigned shift, bool negative) {
    uint32_t *known = &cs->expander->power[negative][shift];
    if (*known == UINT32_MAX) {
        const fr_plain zero = {{0}};
        fr_plain v = zero;
        v.l[shift / 64] = 1ull << (shift % 64);
        if (negative) {
            fr_plain_sub(&v, &zero, &v);
        }
        *known = cuzk_expander_coeff(cs, &v);
    }
    return *known;
}

/* ---- rows ---- */

#define CANCEL_ROWS 0x10000 /* how often a stream looks at the cancel flag */

static void emit(r1cs_cs *cs, lc_view a, lc_view b, lc_view c) {
    if (cs->status != CUZK_OK) {
        return;
    }
    cs_expander *x = cs->expander;
    const r1cs_row row = {.a = a, .b = b, .c = c};
    const r1cs_coeffs coeffs = {.values = x->coeffs.values, .n = x->coeffs.n};
    cuzk_status status = x->fn(x->arg, cs->n.rows, &row, &coeffs, &cs->error);
    if (status != CUZK_OK) {
        cs->status = status;
        cs->error.status = status;
    }
    cs->n.rows++;
    if (cs->n.rows % CANCEL_ROWS == 0) {
        cuzk_cs_go_on(cs);
    }
}

/* Sort key: inputs before aux. */
static inline uint32_t var_key(r1cs_var var) { return var ^ R1CS_INPUT; }

/* Sorts and merges into out, dropping zeros. */
static lc_view normalise(r1cs_cs *cs, lc_term *out, lc_view in) {
    CUZK_ASSERT(in.n <= POWER_SUM_CAPACITY);
    size_t n = 0;
    for (size_t i = 0; i < in.n; i++) {
        size_t at = n;
        while (at > 0 && var_key(out[at - 1].var) > var_key(in.terms[i].var)) {
            at--;
        }
        if (at > 0 && out[at - 1].var == in.terms[i].var) {
            const fr_plain *plain = cs->expander->coeffs.plain;
            fr_plain sum;
            fr_plain_add(&sum, &plain[out[at - 1].coeff], &plain[in.terms[i].coeff]);
            if (fr_plain_is_zero(&sum)) {
                memmove(&out[at - 1], &out[at], (n - at) * sizeof *out);
                n--;
            } else {
                out[at - 1].coeff = cuzk_expander_coeff(cs, &sum);
            }
            continue;
        }
        memmove(&out[at + 1], &out[at], (n - at) * sizeof *out);
        out[at] = in.terms[i];
        n++;
    }
    return (lc_view){out, n};
}

void cuzk_expander_row(r1cs_cs *cs, lc_view a, lc_view b, lc_view c) {
    cs_expander *x = cs->expander;
    if (x->as_written) {
        emit(cs, a, b, c);
        return;
    }
    a = normalise(cs, x->terms[0], a);
    b = normalise(cs, x->terms[1], b);
    c = normalise(cs, x->terms[2], c);
    emit(cs, a, b, c);
}

/* Sorts by the upper half of each word, stably; the result is in one of the two arrays. */
static uint64_t *sort_by_var(uint64_t *from, uint64_t *to, size_t n) {
    uint64_t any = 0, all = ~0ull;
    for (size_t i = 0; i < n; i++) {
        any |= from[i];
        all &= from[i];
    }
    for (unsigned shift = 32; shift < 64; shift += 8) {
        if (((any ^ all) >> shift & 0xff) == 0) {
            continue; /* the same byte everywhere */
        }
        uint32_t count[256] = {0};
        for (size_t i = 0; i < n; i++) {
            count[from[i] >> shift & 0xff]++;
        }
        uint32_t start = 0;
        for (unsigned k = 0; k < 256; k++) {
            uint32_t size = count[k];
            count[k] = start;
            start += size;
        }
        for (size_t i = 0; i < n; i++) {
            to[count[from[i] >> shift & 0xff]++] = from[i];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Sum of n signed powers of two as a residue. */
static fr_plain sum_of_powers(const uint64_t *terms, size_t n) {
    fr_plain sums[2] = {{{0}}, {{0}}};
    for (size_t i = 0; i < n; i++) {
        unsigned shift = (uint32_t)terms[i] >> 1;
        uint64_t *sum = sums[terms[i] & 1].l;
        uint64_t add = 1ull << (shift % 64);
        for (unsigned k = shift / 64; k < 4 && add != 0; k++) {
            sum[k] += add;
            add = sum[k] < add;
        }
    }
    fr_plain_sub(&sums[0], &sums[0], &sums[1]);
    return sums[0];
}

/* The terms in the order they came, the constant first. */
static lc_view list_powers(r1cs_cs *cs, lc_term *out, const power_sum *s) {
    size_t n = 0;
    fr_plain one;
    memcpy(&one, s->one, sizeof one);
    if (!fr_plain_is_zero(&one)) {
        out[n++] = (lc_term){R1CS_ONE, cuzk_expander_coeff(cs, &one)};
    }
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t power = (uint32_t)s->term[i];
        out[n++] = (lc_term){(r1cs_var)(s->term[i] >> 32) ^ R1CS_INPUT,
                             coeff_of_power(cs, power >> 1, power & 1)};
    }
    return (lc_view){out, n};
}

static lc_view normalise_powers(r1cs_cs *cs, lc_term *out, const power_sum *s) {
    cs_expander *x = cs->expander;
    if (x->as_written) {
        return list_powers(cs, out, s);
    }
    memcpy(x->sort[0], s->term, s->n * sizeof s->term[0]);
    const uint64_t *terms = sort_by_var(x->sort[0], x->sort[1], s->n);
    size_t n = 0;
    fr_plain one;
    memcpy(&one, s->one, sizeof one);
    if (!fr_plain_is_zero(&one)) {
        out[n++] = (lc_term){R1CS_ONE, cuzk_expander_coeff(cs, &one)};
    }
    for (size_t i = 0, end; i < s->n; i = end) {
        r1cs_var var = (r1cs_var)(terms[i] >> 32) ^ R1CS_INPUT;
        for (end = i + 1; end < s->n && terms[end] >> 32 == terms[i] >> 32; end++) {
        }
        if (end - i == 1) {
            out[n++] = (lc_term){var, coeff_of_power(cs, (uint32_t)terms[i] >> 1, terms[i] & 1)};
            continue;
        }
        fr_plain sum = sum_of_powers(terms + i, end - i);
        if (!fr_plain_is_zero(&sum)) {
            out[n++] = (lc_term){var, cuzk_expander_coeff(cs, &sum)};
        }
    }
    return (lc_view){out, n};
}

void cuzk_expander_sum_row(r1cs_cs *cs, const power_sum *a, lc_view b, const power_sum *c) {
    cs_expander *x = cs->expander;
    lc_view lc_a = a == NULL ? LC_ZERO : normalise_powers(cs, x->terms[0], a);
    lc_view lc_c = normalise_powers(cs, x->terms[2], c);
    emit(cs, lc_a, b, lc_c);
}

void cuzk_expander_booleans(r1cs_cs *cs, r1cs_var first, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        emit(cs, LC({R1CS_ONE, COEFF_ONE}, {first + i, COEFF_MINUS_ONE}),
             LC({first + i, COEFF_ONE}), LC_ZERO);
    }
}

/* Writes x_coeff x + y_coeff y, merged; returns the number of terms. Two variables of the kind aux
 * or one of each. */
static inline size_t two_terms(lc_term *out, r1cs_var x, uint32_t x_coeff, r1cs_var y,
                               uint32_t y_coeff) {
    bool x_first = var_key(x) < var_key(y);
    out[0] = x_first ? (lc_term){x, x_coeff} : (lc_term){y, y_coeff};
    out[1] = x_first ? (lc_term){y, y_coeff} : (lc_term){x, x_coeff};
    return 2;
}

void cuzk_expander_xor(r1cs_cs *cs, r1cs_var first, r1cs_var *out, uint32_t lanes,
                       const r1cs_var *p_var, const r1cs_var *q_var) {
    r1cs_var z = first;
    for (unsigned i = 0; i < 32; i++) {
        if ((lanes >> i & 1) == 0) {
            continue;
        }
        r1cs_var p = p_var[i], q = q_var[i];
        lc_term c[3];
        size_t n = 1;
        if (p == q) {
            c[0] = (lc_term){p, COEFF_TWO};
        } else {
            n = two_terms(c, p, COEFF_ONE, q, COEFF_ONE);
        }
        c[n++] = (lc_term){z, COEFF_MINUS_ONE};
        emit(cs, LC({p, COEFF_TWO}), LC({q, COEFF_ONE}), (lc_view){c, n});
        out[i] = z++;
    }
}

void cuzk_expander_choose(r1cs_cs *cs, r1cs_var first, const r1cs_var *e, const r1cs_var *f,
                          const r1cs_var *g) {
    for (unsigned i = 0; i < 32; i++) {
        lc_term a[2];
        size_t n = f[i] == g[i] ? 0 : two_terms(a, f[i], COEFF_ONE, g[i], COEFF_MINUS_ONE);
        emit(cs, (lc_view){a, n}, LC({e[i], COEFF_ONE}),
             LC({g[i], COEFF_MINUS_ONE}, {first + i, COEFF_ONE}));
    }
}

void cuzk_expander_majority(r1cs_cs *cs, r1cs_var first, const r1cs_var *x, const r1cs_var *y,
                            const r1cs_var *z) {
    for (unsigned i = 0; i < 32; i++) {
        r1cs_var maj = first + 2 * i, yz = maj + 1;
        emit(cs, LC({y[i], COEFF_ONE}), LC({z[i], COEFF_ONE}), LC({yz, COEFF_ONE}));
        lc_term a[3];
        size_t n = 1;
        if (y[i] == z[i]) {
            a[0] = (lc_term){y[i], COEFF_MINUS_TWO};
        } else {
            n = two_terms(a, y[i], COEFF_MINUS_ONE, z[i], COEFF_MINUS_ONE);
        }
        a[n++] = (lc_term){yz, COEFF_TWO};
        emit(cs, (lc_view){a, n}, LC({x[i], COEFF_ONE}),
             LC({maj, COEFF_MINUS_ONE}, {yz, COEFF_ONE}));
    }
}

void cuzk_expander_input_rows(r1cs_cs *cs) {
    for (uint64_t i = 0; i < cs->n.inputs; i++) {
        emit(cs, LC({R1CS_INPUT | (r1cs_var)i, COEFF_ONE}), LC_ZERO, LC_ZERO);
    }
}

/* ---- templates ---- */

void cuzk_cs_template_term(cs_template *t, r1cs_side side, unsigned var, const fr *coeff) {
    r1cs_cs *cs = t->cs;
    CUZK_ASSERT(t->n_ends % 3 <= (unsigned)side);
    if (fr_is_zero(coeff) || cs->status != CUZK_OK) {
        return;
    }
    /* a side is over when a term of a later one comes */
    while (t->n_ends % 3 < (unsigned)side) {
        t->ends[t->n_ends++] = (uint32_t)t->n_terms;
    }
    size_t start = t->n_ends == 0 ? 0 : t->ends[t->n_ends - 1];
    if (t->n_terms > start) {
        r1cs_var last = t->terms[t->n_terms - 1].var;
        CUZK_ASSERT(last < var && (last == 0 || var > t->n_args));
    }
    if (t->n_terms == t->terms_capacity) {
        cuzk_error error;
        cuzk_status status;
        size_t capacity = t->terms_capacity == 0 ? 4096 : 2 * t->terms_capacity;
        lc_term *terms = grow(cs->expander, t->terms, t->terms_capacity, capacity, sizeof *terms,
                              &error, &status);
        if (terms == NULL) {
            cuzk_cs_fail(cs, status, "%s", error.text);
            return;
        }
        t->terms = terms;
        t->terms_capacity = capacity;
    }
    fr_plain plain;
    fr_to_plain(&plain, coeff);
    t->terms[t->n_terms++] = (lc_term){var, cuzk_expander_coeff(cs, &plain)};
}

void cuzk_cs_template_end_row(cs_template *t) {
    do {
        CUZK_ASSERT(t->n_ends < t->ends_capacity);
        t->ends[t->n_ends++] = (uint32_t)t->n_terms;
    } while (t->n_ends % 3 != 0);
}

static void template_build(r1cs_cs *cs, cs_template *t, const cs_template_shape *shape) {
    cuzk_error error;
    cuzk_status status;
    t->ends_capacity = 3 * (size_t)shape->n_rows;
    t->ends = grow(cs->expander, NULL, 0, t->ends_capacity, sizeof *t->ends, &error, &status);
    if (t->ends == NULL) {
        cuzk_cs_fail(cs, status, "%s", error.text);
        return;
    }
    t->n_args = shape->n_args;
    t->cs = cs;
    t->built = true;
    if (!shape->build(t, shape->slot)) {
        cuzk_cs_fail(cs, CUZK_E_NO_MEMORY, "no memory for the rows of a template");
        return;
    }
    CUZK_ASSERT(t->n_ends == t->ends_capacity);
}

/* One side of a template's row with the variables of an instance. */
static lc_view instance(lc_term *out, const cs_template *t, size_t end_at, const r1cs_var *args,
                        r1cs_var first) {
    size_t start = end_at == 0 ? 0 : t->ends[end_at - 1], n = t->ends[end_at] - start;
    const lc_term *in = t->terms + start;
    for (size_t i = 0; i < n; i++) {
        unsigned var = in[i].var;
        out[i].coeff = in[i].coeff;
        out[i].var = var == 0           ? R1CS_ONE
                     : var <= t->n_args ? args[var - 1]
                                        : first + (var - t->n_args - 1);
    }
    return (lc_view){out, n};
}

void cuzk_expander_template(r1cs_cs *cs, r1cs_var first, const cs_template_shape *shape,
                            const r1cs_var *args) {
    cs_expander *x = cs->expander;
    CUZK_ASSERT(shape->slot < CS_TEMPLATE_SLOTS);
    cs_template *t = &x->templates[shape->slot];
    if (!t->built) {
        template_build(cs, t, shape);
    }
    if (cs->status != CUZK_OK) {
        return;
    }
    for (size_t row = 0; row < shape->n_rows; row++) {
        lc_view side[3];
        for (unsigned s = 0; s < 3; s++) {
            side[s] = instance(x->terms[s], t, 3 * row + s, args, first);
        }
        emit(cs, side[R1CS_A], side[R1CS_B], side[R1CS_C]);
    }
}

/* ---- life ---- */

cuzk_status cuzk_expander_create(cs_expander **result, cuzk_account *account, r1cs_row_fn fn,
                                 void *arg, cuzk_error *err) {
    cuzk_status status =
        cuzk_account_reserve(account, sizeof(cs_expander), "the structure of a circuit", err);
    if (status != CUZK_OK) {
        return status;
    }
    cs_expander *x = calloc(1, sizeof *x);
    if (x == NULL) {
        cuzk_account_release(account, sizeof *x);
        return cuzk_fail(err, CUZK_E_NO_MEMORY,
                         "no memory for the structure of a circuit (%zu bytes)", sizeof *x);
    }
    x->fn = fn;
    x->arg = arg;
    x->account = account;
    x->charged_bytes = sizeof *x;
    memset(x->power, 0xff, sizeof x->power);
    status = coeffs_grow(x, err);
    if (status != CUZK_OK) {
        cuzk_expander_destroy(x);
        return status;
    }
    r1cs_cs cs = {.expander = x};
    static const int8_t first[] = {
        [COEFF_ONE] = 1, [COEFF_MINUS_ONE] = -1, [COEFF_TWO] = 2, [COEFF_MINUS_TWO] = -2};
    for (uint32_t i = 0; i < sizeof first; i++) {
        const fr_plain v = fr_plain_of_int(first[i]);
        CUZK_ASSERT(cuzk_expander_coeff(&cs, &v) == i);
    }
    *result = x;
    return CUZK_OK;
}

void cuzk_expander_destroy(cs_expander *x) {
    if (x == NULL) {
        return;
    }
    for (unsigned i = 0; i < CS_TEMPLATE_SLOTS; i++) {
        free(x->templates[i].terms);
        free(x->templates[i].ends);
    }
    free(x->coeffs.values);
    free(x->coeffs.plain);
    free(x->coeffs.slots);
    cuzk_account_release(x->account, x->charged_bytes);
    free(x);
}
