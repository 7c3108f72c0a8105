/* The circuit of a SnapDeals update (EmptySectorUpdate), one partition, and its Poseidon variant,
 * where the data's tree has the shape and hash of the replicas'. circuits.md chapter 5. */
#ifndef CUZK_CIRCUITS_UPDATE_CIRCUIT_H
#define CUZK_CIRCUITS_UPDATE_CIRCUIT_H

#include "filecoin/update_inputs.h"
#include "filecoin/update_proof.h"
#include "gadgets/merkle_gadget.h"

typedef struct update_circuit {
    param_set set;
    unsigned partition_bits, apex_bits; /* log2 of the numbers of partitions and apex leaves */
    unsigned random_bits;               /* of a challenge: those below the partition's */
    merkle_shape tree_r;                /* of both replicas */
    merkle_shape tree_d;                /* of the data, up to the apex leaves; or all of it */
    merkle_shape apex_path;             /* from the partition's apex to comm_d_new */
    const update_statement *statement;  /* NULL: no values */
    const update_partition_proof *proof;
    unsigned partition;
} update_circuit;

/*   set        CIRCUIT_UPDATE or CIRCUIT_UPDATE_POSEIDON
 *   statement  NULL for a circuit without values; else its commitments are used, not its type, and
 *              it is borrowed as long as the circuit, as is the proof
 *   proof      of that partition; of the Poseidon variant: no apex leaves, d_new a path of TreeR's
 *              shape
 * Fails: CUZK_E_RANGE for a set of another kind or a partition that it has not,
 * CUZK_E_INCONSISTENT when the proof has not its shape. */
cuzk_status cuzk_update_circuit_init(update_circuit *c, const param_set *set,
                                     const update_statement *statement,
                                     const update_partition_proof *proof, unsigned partition,
                                     cuzk_error *err);
/* c is borrowed. Positions in paths are not read: the challenges' bits say them. Synthesis with
 * values fails with CUZK_E_INPUT where a value is not below r. */
r1cs_circuit cuzk_update_circuit(const update_circuit *c);

#endif
