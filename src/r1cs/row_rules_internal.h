/* Rules that give the rows of a part from its variables, found by writing one part with explicit
 * combinations. */
#ifndef CUZK_R1CS_ROW_RULES_INTERNAL_H
#define CUZK_R1CS_ROW_RULES_INTERNAL_H

#include "r1cs/plan_internal.h"

/* The rules of one section while their number is not known. */
typedef struct rule_list {
    bool usable; /* every row follows from the part's own variables */
    r1cs_row_rules rules;
    uint32_t *ends;
    r1cs_rule_term *terms;
    fr *coeffs;
    size_t n_ends, n_terms, terms_capacity, n_coeffs, coeffs_capacity;
} rule_list;

/* Fills lists[i] for section i of the plan if that is dense; others stay empty and unusable.
 * lists: plan->n_sections, zeroed; cleared by the caller on failure too. */
cuzk_status cuzk_row_rules_find(rule_list *lists, const cs_plan *plan, const cuzk_ctx *ctx,
                                const r1cs_circuit *circuit, cuzk_error *err);
void cuzk_row_rules_clear(rule_list *list); /* accepts a zeroed one */

#endif
