/* Linear combinations term by term, in four layouts. */
#include "r1cs/generic_rows.h"

#include <stdlib.h>

#include "r1cs/plan_internal.h"

#define VALUES_AT_ONCE 1024

/* ---- growing vectors ---- */

/* Room for capacity values. */
static cuzk_status vector_resize(fr_vector *v, r1cs_generic_rows *g, uint64_t capacity,
                                 cuzk_error *err) {
    size_t more, len;
    if (!size_mul(&len, (size_t)capacity, sizeof *v->values)) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for rows");
    }
    more = len - (size_t)v->capacity * sizeof *v->values;
    cuzk_status status =
        cuzk_account_reserve(g->account, more, "rows of general combinations", err);
    if (status != CUZK_OK) {
        return status;
    }
    fr *values = realloc(v->values, len);
    if (values == NULL) {
        cuzk_account_release(g->account, more);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for rows (%zu bytes)", len);
    }
    g->charged_bytes += more;
    v->values = values;
    v->capacity = capacity;
    return CUZK_OK;
}

static inline cuzk_status vector_push(fr_vector *v, r1cs_generic_rows *g, const fr *value,
                                      cuzk_error *err) {
    if (v->n == v->capacity) {
        cuzk_status status = vector_resize(v, g, v->capacity == 0 ? 4 : 2 * v->capacity, err);
        if (status != CUZK_OK) {
            return status;
        }
        g->n_growths++;
    }
    v->values[v->n++] = *value;
    return CUZK_OK;
}

/* ---- one row ---- */

typedef struct lc_entry {
    fr coeff;
    uint32_t var; /* index among inputs or aux */
} lc_entry;

static uint32_t first_not_below(const lc_entry *t, uint32_t n, uint32_t var) {
    uint32_t low = 0;
    while (n > 0) {
        uint32_t half = n / 2;
        if (t[low + half].var < var) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* sum += products of coefficients and values */
static inline void add_products(fr *sum, const lc_entry *t, uint32_t n, const fr *values) {
    static const fr one = FR_ONE;
    for (uint32_t i = 0; i < n; i++) {
        if (fr_eq(&t[i].coeff, &one)) {
            fr_add(sum, sum, &values[t[i].var]);
            continue;
        }
        fr product;
        fr_mul(&product, &t[i].coeff, &values[t[i].var]);
        fr_add(sum, sum, &product);
    }
}

static cuzk_status push_row(r1cs_generic_rows *g, const fr values[3], cuzk_error *err) {
    cuzk_status status = vector_push(&g->a, g, &values[R1CS_A], err);
    if (status == CUZK_OK) {
        status = vector_push(&g->b, g, &values[R1CS_B], err);
    }
    return status == CUZK_OK ? vector_push(&g->c, g, &values[R1CS_C], err) : status;
}

#define LC_INLINE 0
#define LC_NAME(x) x##_vec
#include "r1cs/lc_index_template.h"
#undef LC_INLINE
#undef LC_NAME
#define LC_INLINE 1
#define LC_NAME(x) x##_smallvec1
#include "r1cs/lc_index_template.h"
#undef LC_INLINE
#undef LC_NAME
#define LC_INLINE 2
#define LC_NAME(x) x##_smallvec2
#include "r1cs/lc_index_template.h"
#undef LC_INLINE
#undef LC_NAME
#define LC_INLINE 4
#define LC_NAME(x) x##_smallvec4
#include "r1cs/lc_index_template.h"

static const struct {
    r1cs_row_fn on_row;
    size_t bytes;
} layouts[R1CS_LC_INDEXES] = {
    [R1CS_LC_VEC] = {on_row_vec, sizeof(list_vec)},
    [R1CS_LC_SMALLVEC1] = {on_row_smallvec1, sizeof(list_smallvec1)},
    [R1CS_LC_SMALLVEC2] = {on_row_smallvec2, sizeof(list_smallvec2)},
    [R1CS_LC_SMALLVEC4] = {on_row_smallvec4, sizeof(list_smallvec4)},
};

size_t cuzk_r1cs_lc_index_bytes(r1cs_lc_index index) { return layouts[index].bytes; }

/* ---- all rows ---- */

static cuzk_status presize_vectors(r1cs_generic_rows *g, const r1cs_assignment *w,
                                   cuzk_error *err) {
    const struct {
        fr_vector *vector;
        uint64_t n;
    } sizes[] = {{&g->inputs, w->n_inputs},
                 {&g->aux, w->n_aux},
                 {&g->a, w->n_rows},
                 {&g->b, w->n_rows},
                 {&g->c, w->n_rows}};
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].n > 0) {
            status = vector_resize(sizes[i].vector, g, sizes[i].n, err);
        }
    }
    return status;
}

static cuzk_status push_plain(fr_vector *v, r1cs_generic_rows *g, const fr_plain *values, size_t n,
                              cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < n; i++) {
        fr value;
        fr_from_plain(&value, &values[i]);
        status = vector_push(v, g, &value, err);
    }
    return status;
}

static cuzk_status take_values(r1cs_generic_rows *g, const cuzk_ctx *ctx, const r1cs_assignment *w,
                               cuzk_error *err) {
    fr_plain values[VALUES_AT_ONCE];
    cuzk_status status = push_plain(&g->inputs, g, w->inputs, w->n_inputs, err);
    for (uint64_t first = 0; status == CUZK_OK && first < w->n_aux; first += VALUES_AT_ONCE) {
        size_t n = w->n_aux - first < VALUES_AT_ONCE ? (size_t)(w->n_aux - first) : VALUES_AT_ONCE;
        cuzk_r1cs_aux_expand(w, first, n, values);
        status = cuzk_ctx_cancelled(ctx)
                     ? cuzk_fail(err, CUZK_E_CANCELLED, "synthesis was cancelled")
                     : push_plain(&g->aux, g, values, n, err);
    }
    return status;
}

cuzk_status cuzk_r1cs_generic_rows(r1cs_generic_rows *g, const cuzk_ctx *ctx,
                                   const r1cs_circuit *circuit, const r1cs_assignment *w,
                                   r1cs_lc_index index, bool presize, cuzk_error *err) {
    CUZK_ASSERT(index < R1CS_LC_INDEXES);
    *g = (r1cs_generic_rows){.account = ctx->account};
    cuzk_status status = presize ? presize_vectors(g, w, err) : CUZK_OK;
    if (status == CUZK_OK) {
        status = take_values(g, ctx, w, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_stream_as_written(ctx, circuit, layouts[index].on_row, g, err);
    }
    CUZK_ASSERT(status != CUZK_OK || (g->a.n == w->n_rows && g->aux.n == w->n_aux));
    return status;
}

void cuzk_r1cs_generic_rows_clear(r1cs_generic_rows *g) {
    free(g->inputs.values);
    free(g->aux.values);
    free(g->a.values);
    free(g->b.values);
    free(g->c.values);
    cuzk_account_release(g->account, g->charged_bytes);
    *g = (r1cs_generic_rows){0};
}
