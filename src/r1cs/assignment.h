/* Values of a circuit, as lists of segments: the aux variables of an assignment, and the evaluated
 * rows a = Aw, b = Bw.
 *
 * PoRep and update circuits are 98.7 % bits, PoSt circuits 99 % full field elements, so a segment
 * is of one of these kinds:
 * - bits: for variables one bit each, for rows int8 values; exceptions ("wide") in a sorted list
 * - dense: one fr_plain each
 * - derived, for rows only: nothing is stored, values follow from dense variables by rules that
 *   all parts of a shape share (32 GiB WindowPoSt: 4 instead of 12 GB)
 *
 * Segments are contiguous, in order, and cover everything exactly once. c = a * b holds for every
 * row of a right witness and is not stored. Input rows (a = input i, b = 0) are a segment like any
 * other, the last one. */
#ifndef CUZK_R1CS_ASSIGNMENT_H
#define CUZK_R1CS_ASSIGNMENT_H

#include "base/memory.h"
#include "field/fr.h"

typedef enum r1cs_segment_kind { R1CS_BITS, R1CS_DENSE, R1CS_DERIVED } r1cs_segment_kind;

/* Aux variables first .. first + count - 1. */
typedef struct r1cs_aux_segment {
    uint64_t first, count;
    r1cs_segment_kind kind;
    /* R1CS_BITS: bit i (bits[i / 64] >> (i % 64) & 1) is variable first + i; 0 where it is wide */
    const uint64_t *bits;
    size_t n_wide;
    const uint32_t *wide_at; /* relative to first, ascending */
    const fr_plain *wide;
    /* R1CS_DENSE: count values */
    const fr_plain *dense;
} r1cs_aux_segment;

/* coeffs[coeff] times a variable of the part, by its index there, or times its input RULE_INPUT |
 * k, or times one. */
typedef struct r1cs_rule_term {
    uint32_t var;
    uint32_t coeff; /* index; 0 is 1, 1 is -1 */
} r1cs_rule_term;
#define RULE_INPUT 0x80000000u
#define RULE_ONE UINT32_MAX

/* The rows of a part as sums over its variables: side A of row i has the terms from ends[2 i] up to
 * ends[2 i + 1], side B those from there up to ends[2 i + 2]. */
typedef struct r1cs_row_rules {
    const uint32_t *ends;
    const r1cs_rule_term *terms;
    const fr *coeffs;
} r1cs_row_rules;

/* Rows first .. first + count - 1. */
typedef struct r1cs_row_segment {
    uint64_t first, count;
    r1cs_segment_kind kind;
    /* R1CS_BITS: small values; 0 where the row is wide */
    const int8_t *a, *b;
    size_t n_wide;
    const uint32_t *wide_at; /* relative to first, ascending */
    const fr_plain *wide_a, *wide_b;
    /* R1CS_DENSE: count values each */
    const fr_plain *dense_a, *dense_b;
    /* R1CS_DERIVED */
    const r1cs_row_rules *rules;
    const fr_plain *part_aux, *part_inputs; /* what the rules count from */
} r1cs_row_segment;

typedef struct r1cs_assignment {
    size_t n_inputs; /* ONE included */
    const fr_plain *inputs;
    uint64_t n_aux;
    size_t n_aux_segments;
    const r1cs_aux_segment *aux;
    uint64_t n_rows; /* constraints + n_inputs */
    size_t n_row_segments;
    const r1cs_row_segment *rows;
} r1cs_assignment;

typedef enum r1cs_side { R1CS_A, R1CS_B, R1CS_C } r1cs_side;

/* The segment that holds an aux variable below n_aux. */
const r1cs_aux_segment *cuzk_r1cs_aux_segment_of(const r1cs_assignment *w, uint64_t variable);
/* out[i] = value of aux variable first + i. */
void cuzk_r1cs_aux_expand(const r1cs_assignment *w, uint64_t first, size_t count, fr_plain *out);
/* out[i] = the side's value in row first + i; rows from n_rows on are 0 (padding to the domain).
 * R1CS_C is a * b. */
void cuzk_r1cs_rows_expand(const r1cs_assignment *w, r1cs_side side, uint64_t first, size_t count,
                           fr_plain *out);

/* For readers of rows where they lie: the segment that holds a row, which is below n_rows; and the
 * index of the first of n ascending exceptions that is not below `from`, n if there is none. */
const r1cs_row_segment *cuzk_r1cs_row_segment_of(const r1cs_assignment *w, uint64_t row);
size_t cuzk_r1cs_first_wide(const uint32_t *wide_at, size_t n, uint64_t from);

#endif
