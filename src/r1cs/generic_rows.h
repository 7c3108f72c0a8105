/* Rows by way of linear combinations, term by term, as a general constraint system does it: for
 * measuring what the word operations save, and what the memory of combinations costs. Proofs never
 * go this way.
 *
 * Every constraint makes three combinations, and each of them two lists of terms ordered by
 * variable, one for inputs and one for aux. Terms come as the circuit wrote them: in any order,
 * variables may repeat. A list remembers the place of its last term, so that ascending variables
 * need no search. */
#ifndef CUZK_R1CS_GENERIC_ROWS_H
#define CUZK_R1CS_GENERIC_ROWS_H

#include "base/memory.h"
#include "r1cs/assignment.h"
#include "r1cs/structure.h"

/* Where the terms of a list lie. One allocation each time a list grows. */
typedef enum r1cs_lc_index {
    R1CS_LC_VEC, /* a vector: room for 4, then twice as many as before */
    /* inside the list: 1, 2 or 4 terms; more of them move out, to room for twice as many */
    R1CS_LC_SMALLVEC1,
    R1CS_LC_SMALLVEC2,
    R1CS_LC_SMALLVEC4,
    R1CS_LC_INDEXES
} r1cs_lc_index;

/* Size of a list without what it allocates. */
size_t cuzk_r1cs_lc_index_bytes(r1cs_lc_index index);

/* A vector that grows: room for 4, then twice as many as before, unless it was made large enough.
 */
typedef struct fr_vector {
    fr *values;
    uint64_t n, capacity;
} fr_vector;

typedef struct r1cs_generic_rows {
    fr_vector inputs, aux;  /* the assignment */
    fr_vector a, b, c;      /* A w, B w, C w, input rows included */
    uint64_t n_allocations; /* of lists */
    uint64_t n_growths;     /* of the vectors above */
    uint64_t n_terms;       /* in all lists, merged */
    cuzk_account *account;
    size_t charged_bytes;
} r1cs_generic_rows;

/* Values come from w, an assignment of the circuit. presize: vectors are made as long as they will
 * be; else they grow. One thread. Clear it in any case. Fails: CUZK_E_NO_MEMORY, CUZK_E_CANCELLED.
 */
cuzk_status cuzk_r1cs_generic_rows(r1cs_generic_rows *g, const cuzk_ctx *ctx,
                                   const r1cs_circuit *circuit, const r1cs_assignment *w,
                                   r1cs_lc_index index, bool presize, cuzk_error *err);
void cuzk_r1cs_generic_rows_clear(r1cs_generic_rows *g);

#endif
