/* Lists of terms ordered by variable, and the rows made with them. Included once for each layout:
 *   LC_INLINE   terms that a list holds itself; 0: none
 *   LC_NAME(x)  x with the layout's name
 * What the file that includes it offers is in generic_rows.c: lc_entry, first_not_below,
 * add_products, push_row. */

typedef struct LC_NAME(list) {
    uint32_t n, capacity; /* capacity above LC_INLINE: terms are outside */
    uint32_t last;        /* index of the term that came last */
    union {
        lc_entry *outside;
#if LC_INLINE > 0
        lc_entry inside[LC_INLINE];
#endif
    };
} LC_NAME(list);

typedef struct LC_NAME(combination) {
    LC_NAME(list) inputs, aux;
} LC_NAME(combination);

static inline lc_entry *LC_NAME(entries)(LC_NAME(list) * x) {
#if LC_INLINE > 0
    if (x->capacity == LC_INLINE) {
        return x->inside;
    }
#endif
    return x->outside;
}

static inline void LC_NAME(init)(LC_NAME(combination) * lc) {
    lc->inputs.n = lc->aux.n = 0;
    lc->inputs.capacity = lc->aux.capacity = LC_INLINE;
    lc->inputs.outside = lc->aux.outside = NULL;
}

static inline void LC_NAME(clear)(LC_NAME(combination) * lc) {
    if (lc->inputs.capacity > LC_INLINE) {
        free(lc->inputs.outside);
    }
    if (lc->aux.capacity > LC_INLINE) {
        free(lc->aux.outside);
    }
}

static __attribute__((noinline)) bool LC_NAME(grow)(LC_NAME(list) * x, uint64_t *n_allocations) {
    uint32_t capacity = x->capacity == 0 ? 4 : 2 * x->capacity;
    lc_entry *outside;
    if (x->capacity == LC_INLINE) {
        outside = malloc(capacity * sizeof *outside);
        if (outside != NULL && x->n > 0) {
            memcpy(outside, LC_NAME(entries)(x), x->n * sizeof *outside);
        }
    } else {
        outside = realloc(x->outside, capacity * sizeof *outside);
    }
    if (outside == NULL) {
        return false;
    }
    x->outside = outside;
    x->capacity = capacity;
    ++*n_allocations;
    return true;
}

/* Adds coeff times a variable; false without memory. */
static inline bool LC_NAME(add)(LC_NAME(list) * x, uint32_t var, const fr *coeff,
                                uint64_t *n_allocations) {
    lc_entry *t = LC_NAME(entries)(x);
    uint32_t at = 0;
    if (x->n > 0) {
        at = x->last;
        if (t[at].var < var && (at + 1 == x->n || t[at + 1].var > var)) {
            at++;
        } else {
            if (t[at].var != var) {
                at = first_not_below(t, x->n, var);
            }
            if (at < x->n && t[at].var == var) {
                fr_add(&t[at].coeff, &t[at].coeff, coeff);
                x->last = at;
                return true;
            }
        }
    }
    if (x->n == x->capacity) {
        if (!LC_NAME(grow)(x, n_allocations)) {
            return false;
        }
        t = LC_NAME(entries)(x);
    }
    memmove(&t[at + 1], &t[at], (x->n - at) * sizeof *t);
    t[at] = (lc_entry){.coeff = *coeff, .var = var};
    x->last = at;
    x->n++;
    return true;
}

static bool LC_NAME(collect)(LC_NAME(combination) * lc, lc_view view, const r1cs_coeffs *coeffs,
                             uint64_t *n_allocations) {
    for (size_t i = 0; i < view.n; i++) {
        const r1cs_var var = view.terms[i].var;
        LC_NAME(list) *list = var & R1CS_INPUT ? &lc->inputs : &lc->aux;
        if (!LC_NAME(add)(list, var & ~R1CS_INPUT, &coeffs->values[view.terms[i].coeff],
                          n_allocations)) {
            return false;
        }
    }
    return true;
}

static fr LC_NAME(value)(LC_NAME(combination) * lc, r1cs_generic_rows *g) {
    fr sum = {{0}};
    add_products(&sum, LC_NAME(entries)(&lc->inputs), lc->inputs.n, g->inputs.values);
    add_products(&sum, LC_NAME(entries)(&lc->aux), lc->aux.n, g->aux.values);
    g->n_terms += lc->inputs.n + lc->aux.n;
    return sum;
}

static cuzk_status LC_NAME(on_row)(void *arg, uint64_t index, const r1cs_row *row,
                                   const r1cs_coeffs *coeffs, cuzk_error *err) {
    (void)index;
    r1cs_generic_rows *g = arg;
    LC_NAME(combination) a, b, c;
    LC_NAME(init)(&a);
    LC_NAME(init)(&b);
    LC_NAME(init)(&c);
    cuzk_status status = CUZK_OK;
    if (LC_NAME(collect)(&a, row->a, coeffs, &g->n_allocations) &&
        LC_NAME(collect)(&b, row->b, coeffs, &g->n_allocations) &&
        LC_NAME(collect)(&c, row->c, coeffs, &g->n_allocations)) {
        const fr values[3] = {LC_NAME(value)(&a, g), LC_NAME(value)(&b, g), LC_NAME(value)(&c, g)};
        status = push_row(g, values, err);
    } else {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a linear combination");
    }
    LC_NAME(clear)(&a);
    LC_NAME(clear)(&b);
    LC_NAME(clear)(&c);
    return status;
}
