/* The public part of a PoRep: what a verifier knows, and the public inputs it implies (circuits.md
 * 3.3). */
#ifndef CUZK_FILECOIN_POREP_INPUTS_H
#define CUZK_FILECOIN_POREP_INPUTS_H

#include "field/fr.h"
#include "filecoin/porep_proof.h"
#include "filecoin/porep_request.h"

typedef struct porep_statement {
    const seal_proof_type *type;
    uint64_t miner_id, sector_number;
    digest comm_r, comm_d, ticket, seed;
} porep_statement;

/* The statement a request asks to prove with this document. */
porep_statement cuzk_porep_statement_of(const porep_proof *proof, const porep_request *request);

/* comm_d, comm_r and seed not zero, comm_d and comm_r below the field modulus.
 * Fails: CUZK_E_INPUT naming the first that is not. */
cuzk_status cuzk_porep_statement_check(const porep_statement *s, cuzk_error *err);

/* The replica id that miner, sector, ticket, comm_d and proof type give. */
void cuzk_porep_statement_replica_id(digest *replica_id, const porep_statement *s);

#define POREP_CHALLENGE_INPUTS 18 /* c, 14 parents, c three times */
/* Public inputs of a partition, ONE left out. */
static inline size_t porep_input_count(const seal_proof_type *type) {
    return 3 + (size_t)POREP_CHALLENGE_INPUTS * type->n_challenges;
}

/* The public inputs of a partition, ONE left out, from the statement alone.
 *   inputs  out  porep_input_count(s->type) values
 * Fails: as cuzk_porep_statement_check; CUZK_E_RANGE if there is no such partition. */
cuzk_status cuzk_porep_inputs(fr_plain *inputs, const porep_statement *s, unsigned partition,
                              cuzk_error *err);

#endif
