/* Random assignments with random densities, for tests of what reads them. */
#ifndef CUZK_TESTS_RANDOM_ASSIGNMENT_H
#define CUZK_TESTS_RANDOM_ASSIGNMENT_H

#include "r1cs/assignment.h"
#include "r1cs/structure.h"
#include "support/support.h"

enum { SAMPLE_INPUTS = 70, SAMPLE_SEGMENTS = 9 };

/* Segments of both kinds, random lengths (some empty) and random shares of wide values; without
 * rows. */
typedef struct sample {
    uint64_t n_aux;
    fr_plain inputs[SAMPLE_INPUTS];
    r1cs_aux_segment segments[SAMPLE_SEGMENTS];
    r1cs_assignment w;
    bit_vector aux_density, input_density;
    fr_plain chosen_inputs[SAMPLE_INPUTS]; /* those of input_density */
    fr_plain *aux;                         /* expanded */
} sample;

/* percent of the aux variables are dense. */
void sample_init(sample *t, uint64_t n_aux, unsigned percent, test_rng *rng);
void sample_clear(sample *t);

#endif
