/* How large each circuit is, known without building it: for lists, for checking files, for
 * planning. */
#ifndef CUZK_FILECOIN_CIRCUIT_SIZES_H
#define CUZK_FILECOIN_CIRCUIT_SIZES_H

#include <stdint.h>

typedef struct circuit_sizes {
    const char *id;         /* of a param_set */
    uint64_t n_constraints; /* without the input rows */
    uint64_t n_aux;
    uint64_t n_inputs; /* with ONE */
    unsigned log2_domain;
    /* aux variables in some A, in some B; of the inputs only ONE is in some B */
    uint64_t a_aux_density, b_aux_density;
    /* of the reference's constraints, circuits.md 1.6, in hex; NULL if not known */
    const char *digest;
} circuit_sizes;

/* NULL if the sizes of that circuit are not known. */
const circuit_sizes *cuzk_circuit_sizes_of(const char *id);

#endif
