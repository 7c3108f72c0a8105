/* The public part of a SnapDeals update: what a verifier knows, and the public inputs it implies
 * (circuits.md 5.1, 5.2, 5.4). */
#ifndef CUZK_FILECOIN_UPDATE_INPUTS_H
#define CUZK_FILECOIN_UPDATE_INPUTS_H

#include "field/fr.h"
#include "filecoin/digest.h"
#include "filecoin/param_set.h"

typedef struct update_statement {
    const update_proof_type *type;
    digest comm_r_old, comm_r_new; /* of the sector before and after */
    digest comm_d_new;             /* of the data put in */
} update_statement;

/* The commitments not zero and below the field modulus.
 * Fails: CUZK_E_INPUT naming the first that is not. */
cuzk_status cuzk_update_statement_check(const update_statement *s, cuzk_error *err);

/* How many high bits of a challenge may choose rho: the options a circuit has for h. */
#define UPDATE_H_OPTIONS 6
void cuzk_update_h_options(unsigned options[UPDATE_H_OPTIONS], const param_set *set);

/* The first public input, k + 2^log2(partitions) h_select: partition k, and one bit for the first
 * option that is the default h. */
uint64_t cuzk_update_selection(const param_set *set, unsigned partition);

#define UPDATE_INPUTS 4
/* The public inputs of a partition, ONE left out, from the statement alone: selection, comm_r_old,
 * comm_d_new, comm_r_new.
 * Fails: as cuzk_update_statement_check; CUZK_E_RANGE if there is no such partition. */
cuzk_status cuzk_update_inputs(fr_plain inputs[UPDATE_INPUTS], const update_statement *s,
                               unsigned partition, cuzk_error *err);

#endif
