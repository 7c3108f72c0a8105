/* The scalars of a run of points of one key section: bits in a bit vector aligned to the run, all
 * other values in a list. Internal to groth16. */
#ifndef CUZK_GROTH16_GATHER_H
#define CUZK_GROTH16_GATHER_H

#include "base/pool.h"
#include "groth16/groth16.h"

/* Which variable each point of a section belongs to: the chosen inputs, then the dense aux
 * variables, both ascending. */
typedef struct point_space {
    uint64_t n_points;
    const bit_vector *inputs; /* NULL: every input */
    size_t n_inputs;          /* points of inputs */
    const bit_vector *aux;    /* NULL: every aux variable */
    uint64_t n_aux;           /* aux variables of the circuit */
    /* With aux: ranks[i] = number of set bits before bit i * POINT_SPACE_STEP. */
    uint64_t *ranks;
} point_space;

#define POINT_SPACE_STEP 4096

static inline size_t point_space_ranks(const bit_vector *aux) {
    return (size_t)((aux->n + 63) / POINT_SPACE_STEP) + 1;
}
/* The sections l (inputs = aux = NULL, n_inputs = 0), a and b. ranks: room for
 * point_space_ranks(aux), kept; NULL without aux. */
void cuzk_point_space_init(point_space *space, const bit_vector *inputs, size_t n_inputs,
                           const bit_vector *aux, uint64_t n_aux, uint64_t *ranks);

/* Points first .. first + n - 1: value of point first + i is wide[j] where wide_at[j] = i, else bit
 * i of bits. */
typedef struct scalar_run {
    size_t capacity; /* most points of a run */
    uint64_t *bits;
    fr_plain *wide;
    uint32_t *wide_at; /* ascending */
    size_t n, n_wide;
    size_t *part_wide; /* of each part of a run: see gather.c */
} scalar_run;

size_t cuzk_scalar_run_bytes(size_t capacity);
void cuzk_scalar_run_init(scalar_run *run, cuzk_scratch *scratch, size_t capacity);

/* Fills the run for n <= capacity points from `first` on. inputs: the values of the space's input
 * points, in order. Fails: CUZK_E_CANCELLED. */
cuzk_status cuzk_scalar_run_gather(scalar_run *run, const cuzk_ctx *ctx, const point_space *space,
                                   const fr_plain *inputs, const r1cs_assignment *w, uint64_t first,
                                   size_t n, cuzk_error *err);

#endif
