/* Rows of a part as sums over its variables. */
#include "r1cs/row_rules_internal.h"

#include <stdlib.h>

/* A longer sum that its row says to be one variable is read from that variable: linear hash states
 * have a hundred terms. */
#define LONG_SUM 4

typedef struct finder {
    const cs_plan *plan;
    rule_list *lists;
} finder;

/* Grows an array by doubling. */
static bool reserve(void **array, size_t *capacity, size_t n, size_t size) {
    if (n <= *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? 1024 : 2 * *capacity;
    while (wanted < n) {
        wanted *= 2;
    }
    void *grown = realloc(*array, wanted * size);
    if (grown != NULL) {
        *array = grown;
        *capacity = wanted;
    }
    return grown != NULL;
}

/* The variable as the rules call it; false when it is none of the part's. */
static bool localise(uint32_t *local, const plan_section *s, r1cs_var var) {
    if (var == R1CS_ONE) {
        *local = RULE_ONE;
        return true;
    }
    bool is_input = (var & R1CS_INPUT) != 0;
    uint64_t index = var & ~R1CS_INPUT;
    uint64_t first = is_input ? s->first.inputs : s->first.aux;
    uint64_t n = is_input ? s->part.inputs : s->part.aux;
    *local = (uint32_t)(index - first) | (is_input ? RULE_INPUT : 0);
    return index >= first && index - first < n;
}

/* Appends a side; without memory returns false. */
static bool add_side(rule_list *list, const plan_section *s, lc_view side) {
    void *terms = list->terms;
    if (!reserve(&terms, &list->terms_capacity, list->n_terms + side.n, sizeof *list->terms)) {
        return false;
    }
    list->terms = terms;
    for (size_t i = 0; i < side.n; i++) {
        r1cs_rule_term *t = &list->terms[list->n_terms++];
        t->coeff = side.terms[i].coeff;
        list->usable = list->usable && localise(&t->var, s, side.terms[i].var);
    }
    list->ends[list->n_ends++] = (uint32_t)list->n_terms;
    return true;
}

/* (sum)(1) = (v) */
static bool is_long_sum(const r1cs_row *row) {
    return row->a.n > LONG_SUM && row->b.n == 1 && row->b.terms[0].var == R1CS_ONE &&
           row->b.terms[0].coeff == COEFF_ONE && row->c.n == 1 &&
           row->c.terms[0].coeff == COEFF_ONE;
}

static bool learn_coeffs(rule_list *list, const r1cs_coeffs *coeffs) {
    void *known = list->coeffs;
    if (!reserve(&known, &list->coeffs_capacity, coeffs->n, sizeof *list->coeffs)) {
        return false;
    }
    list->coeffs = known;
    size_t n_new = coeffs->n - list->n_coeffs;
    memcpy(list->coeffs + list->n_coeffs, coeffs->values + list->n_coeffs,
           n_new * sizeof *list->coeffs);
    list->n_coeffs = coeffs->n;
    return true;
}

static cuzk_status on_row(void *arg, uint64_t index, const r1cs_row *row, const r1cs_coeffs *coeffs,
                          cuzk_error *err) {
    const finder *f = arg;
    for (size_t i = 0; i < f->plan->n_sections; i++) {
        const plan_section *s = &f->plan->section[i];
        rule_list *list = &f->lists[i];
        if (!list->usable || index < s->first.rows || index - s->first.rows >= s->part.rows) {
            continue;
        }
        const lc_view a = is_long_sum(row) ? row->c : row->a;
        if (!add_side(list, s, a) || !add_side(list, s, row->b) || !learn_coeffs(list, coeffs)) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the rows of a part");
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_row_rules_find(rule_list *lists, const cs_plan *plan, const cuzk_ctx *ctx,
                                const r1cs_circuit *circuit, cuzk_error *err) {
    finder f = {.plan = plan, .lists = lists};
    bool any = false;
    for (size_t i = 0; i < plan->n_sections; i++) {
        const plan_section *s = &plan->section[i];
        if (s->kind != R1CS_DENSE || s->n_parts == 0 || s->part.rows >= UINT32_MAX / 2) {
            continue;
        }
        lists[i].ends = calloc(2 * (size_t)s->part.rows + 1, sizeof *lists[i].ends);
        if (lists[i].ends == NULL) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the rows of a part");
        }
        lists[i].n_ends = 1;
        lists[i].usable = true;
        any = true;
    }
    cuzk_status status = any ? cuzk_stream_first_parts(ctx, circuit, on_row, &f, err) : CUZK_OK;
    for (size_t i = 0; i < plan->n_sections; i++) {
        lists[i].rules = (r1cs_row_rules){
            .ends = lists[i].ends, .terms = lists[i].terms, .coeffs = lists[i].coeffs};
    }
    return status;
}

void cuzk_row_rules_clear(rule_list *list) {
    free(list->ends);
    free(list->terms);
    free(list->coeffs);
    *list = (rule_list){0};
}
