/* The PoRep circuit (StackedCircuit), one partition. circuits.md chapter 3. */
#ifndef CUZK_CIRCUITS_POREP_CIRCUIT_H
#define CUZK_CIRCUITS_POREP_CIRCUIT_H

#include "filecoin/porep_proof.h"
#include "gadgets/merkle_gadget.h"

/* All that the constraints depend on. Version and features of a proof type do not matter. */
typedef struct porep_shape {
    unsigned log2_nodes; /* levels of TreeD */
    tree_shape tree;     /* of TreeR and TreeC: arities 2, 4 or 8 */
    unsigned n_layers;   /* 2, 4, 8 or 11 */
    unsigned n_challenges;
} porep_shape;

#define POREP_MAX_LAYERS 11

/* The shape of a partition of that size; n_challenges is that of interactive proofs. */
porep_shape cuzk_porep_shape_of(const sector_size *size);

typedef struct porep_circuit {
    porep_shape shape;
    merkle_shape tree_d, tree_r;
    const porep_proof *proof; /* NULL: no values */
    unsigned partition;
} porep_circuit;

/* proof: NULL for a circuit without values, else borrowed as long as the circuit; `partition` of it
 * is used. Fails: CUZK_E_RANGE for a shape that no circuit has, CUZK_E_INCONSISTENT when the proof
 * has not this shape. */
cuzk_status cuzk_porep_circuit_init(porep_circuit *c, const porep_shape *shape,
                                    const porep_proof *proof, unsigned partition, cuzk_error *err);
/* c is borrowed. Synthesis with values fails with CUZK_E_INPUT where a value is not below r. */
r1cs_circuit cuzk_porep_circuit(const porep_circuit *c);

#endif
