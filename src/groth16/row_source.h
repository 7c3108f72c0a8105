/* The rows of an assignment as what a transform reads (ntt.h): small values stay int8, dense ones
 * where they lie. */
#ifndef CUZK_GROTH16_ROW_SOURCE_H
#define CUZK_GROTH16_ROW_SOURCE_H

#include "field/field_kernels.h"
#include "ntt/ntt.h"
#include "r1cs/assignment.h"

typedef struct row_source {
    const r1cs_assignment *w;
    r1cs_side side;
    const field_kernels *kernels;
    ntt_source source; /* what a transform takes; its arg is this structure */
} row_source;

/* Element i is the side's value in row i, c taken as a b, and 0 from w->n_rows on. w is borrowed;
 * *s stays where it is. */
void cuzk_row_source_init(row_source *s, const r1cs_assignment *w, r1cs_side side);

#endif
