/* An update of a small sector made natively: random data put into a random replica, and its vanilla
 * proofs: valid, or with one fault that every hash agrees with. For sizes up to 32 KiB, any tree
 * shape, both kinds of update circuits. */
#ifndef CUZK_TESTS_MADE_UPDATE_H
#define CUZK_TESTS_MADE_UPDATE_H

#include "filecoin/update_inputs.h"
#include "filecoin/update_proof.h"

/* Pointers lead into itself; free with test_update_unmake. */
typedef struct made_update {
    param_set set;
    update_proof_type type; /* of that size, registered or not */
    update_statement statement;
    update_partition_proof *proofs; /* set.n_partitions of them */
    uint64_t *nodes;                /* the challenges, partition after partition */
} made_update;

/* wrong: one is added to every leaf of the new replica. */
made_update *test_update_make(circuit_kind kind, const sector_size *size, bool wrong);
void test_update_unmake(made_update *u);

#endif
