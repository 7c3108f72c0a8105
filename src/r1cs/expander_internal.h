/* The back end with explicit combinations: turns operations into rows of merged, sorted terms and
 * hands each to a r1cs_row_fn. Memory is bounded by the distinct coefficients of the circuit. */
#ifndef CUZK_R1CS_EXPANDER_INTERNAL_H
#define CUZK_R1CS_EXPANDER_INTERNAL_H

#include "r1cs/constraint_system.h"

/* Distinct coefficients, found by value. */
typedef struct coeff_table {
    fr *values;      /* Montgomery */
    fr_plain *plain; /* the same, canonical */
    uint32_t *slots; /* open addressing: index + 1, 0 empty; n_slots is a power of two, at least 2 *
                        capacity */
    size_t n, capacity, n_slots;
} coeff_table;

struct cs_template {
    bool built;
    unsigned n_args;
    r1cs_cs *cs; /* while being built */
    /* terms of row k, side s: ends[3 k + s - 1] .. ends[3 k + s] */
    lc_term *terms; /* var is the template's own numbering */
    uint32_t *ends;
    size_t n_terms, terms_capacity, n_ends, ends_capacity;
};

struct cs_expander {
    r1cs_row_fn fn;
    void *arg;
    bool as_written; /* combinations are neither merged nor sorted */
    cuzk_account *account;
    size_t charged_bytes; /* on the account, the expander itself included */
    coeff_table coeffs;
    uint32_t power[2]
                  [256]; /* coefficient index of 2^k and -2^k; UINT32_MAX where not asked for yet */
    cs_template templates[CS_TEMPLATE_SLOTS];
    lc_term terms[3][POWER_SUM_CAPACITY + 1]; /* of the row being made */
    uint64_t sort[2][POWER_SUM_CAPACITY];
};

/* Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_expander_create(cs_expander **x, cuzk_account *account, r1cs_row_fn fn, void *arg,
                                 cuzk_error *err);
void cuzk_expander_destroy(cs_expander *x); /* accepts NULL */

/* The index of v; 0 with a failure in the system when there is no memory. */
uint32_t cuzk_expander_coeff(r1cs_cs *cs, const fr_plain *v);

/* Every function below writes rows at cs->n.rows and counts them. */
void cuzk_expander_row(r1cs_cs *cs, lc_view a, lc_view b, lc_view c);
/* (a)(b) = (c); a NULL is 0. */
void cuzk_expander_sum_row(r1cs_cs *cs, const power_sum *a, lc_view b, const power_sum *c);
void cuzk_expander_booleans(r1cs_cs *cs, r1cs_var first, unsigned n);
void cuzk_expander_xor(r1cs_cs *cs, r1cs_var first, r1cs_var *out, uint32_t lanes,
                       const r1cs_var *p_var, const r1cs_var *q_var);
void cuzk_expander_choose(r1cs_cs *cs, r1cs_var first, const r1cs_var *e, const r1cs_var *f,
                          const r1cs_var *g);
void cuzk_expander_majority(r1cs_cs *cs, r1cs_var first, const r1cs_var *x, const r1cs_var *y,
                            const r1cs_var *z);
void cuzk_expander_template(r1cs_cs *cs, r1cs_var first, const cs_template_shape *shape,
                            const r1cs_var *args);
/* (input i)(0) = (0) for every input. */
void cuzk_expander_input_rows(r1cs_cs *cs);

#endif
