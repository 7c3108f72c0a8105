/* The structure of a circuit: what stays the same for every witness. Rows are streamed, never all
 * held: a 32 GiB circuit has 722 million terms. */
#ifndef CUZK_R1CS_STRUCTURE_H
#define CUZK_R1CS_STRUCTURE_H

#include "base/pool.h"
#include "field/fr.h"

/* A variable: bit 31 set for inputs (public), clear for aux (private); the rest is its index. */
typedef uint32_t r1cs_var;
#define R1CS_INPUT 0x80000000u
#define R1CS_ONE R1CS_INPUT /* input 0, the constant one */

/* coeff indexes the coefficient table of the stream, so that the few distinct ones are stored once.
 */
typedef struct lc_term {
    r1cs_var var;
    uint32_t coeff;
} lc_term;

/* A linear combination: merged, no zero coefficient, inputs ascending, then aux ascending. */
typedef struct lc_view {
    const lc_term *terms;
    size_t n;
} lc_view;

/* Coefficient indices every table starts with. */
enum { COEFF_ONE, COEFF_MINUS_ONE, COEFF_TWO, COEFF_MINUS_TWO };

typedef struct r1cs_coeffs {
    const fr *values; /* Montgomery; grows while a stream runs: read it anew for every row */
    size_t n;
} r1cs_coeffs;

/* One constraint (a)(b) = (c). */
typedef struct r1cs_row {
    lc_view a, b, c;
} r1cs_row;

typedef struct r1cs_cs r1cs_cs; /* what a circuit writes itself into: constraint_system.h */

/* A circuit ready to be synthesised, with or without values. synthesize may be called many times,
 * also at once from several threads on different systems. */
typedef struct r1cs_circuit {
    const void *self;
    cuzk_status (*synthesize)(const void *self, r1cs_cs *cs, cuzk_error *err);
} r1cs_circuit;

/* Called for every constraint in order, then for the input rows (input i)(0) = (0), ONE first. A
 * return other than CUZK_OK ends the stream with that status. */
typedef cuzk_status (*r1cs_row_fn)(void *arg, uint64_t index, const r1cs_row *row,
                                   const r1cs_coeffs *coeffs, cuzk_error *err);

typedef struct r1cs_dims {
    uint64_t n_constraints; /* without the input rows */
    uint64_t n_inputs;      /* with ONE */
    uint64_t n_aux;
    unsigned log2_domain; /* smallest with 2^log2_domain >= n_constraints + n_inputs */
} r1cs_dims;

/* Streams all rows of the circuit (values are not needed and not computed). dims, if not NULL, is
 * filled at the end. */
cuzk_status cuzk_r1cs_stream(const cuzk_ctx *ctx, const r1cs_circuit *circuit, r1cs_row_fn fn,
                             void *arg, r1cs_dims *dims, cuzk_error *err);

/* Bits by index, least significant first in 64-bit words; n_set is the number of ones. */
typedef struct bit_vector {
    uint64_t *words;
    uint64_t n, n_set;
} bit_vector;

/* Which variables occur with a non-zero coefficient in some A or B: a property of the circuit. */
typedef struct r1cs_densities {
    r1cs_dims dims;
    bit_vector a_aux, b_aux, b_input;
    uint64_t n_terms[3]; /* non-zero coefficients of A, B, C without the input rows */
    cuzk_account *account;
} r1cs_densities;
cuzk_status cuzk_r1cs_densities(r1cs_densities *d, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                cuzk_error *err);
void cuzk_r1cs_densities_clear(r1cs_densities *d);
/* What the densities of a circuit of these sizes charge to their account. */
size_t cuzk_r1cs_densities_bytes(uint64_t n_inputs, uint64_t n_aux);

/* The digest of circuits.md 1.6: BLAKE2s-256 of the ordered constraints, without the input rows.
 * Two streams: the first counts. */
cuzk_status cuzk_r1cs_digest(const cuzk_ctx *ctx, uint8_t digest[32], const r1cs_circuit *circuit,
                             r1cs_densities *densities, cuzk_error *err);

#endif
