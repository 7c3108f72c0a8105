/* Updates: circuits by the tables of circuits.md 5.5, requests of the vectors. */
#ifndef CUZK_TESTS_UPDATE_SUPPORT_H
#define CUZK_TESTS_UPDATE_SUPPORT_H

#include "support/circuit_support.h"

#include "circuits/update_circuit.h"

typedef struct update_row {
    circuit_kind kind;
    const char *size;      /* "2k" */
    uint64_t a_aux, b_aux; /* densities */
    unsigned log2_domain;
    circuit_row row;
} update_row;

/* Builds the blank circuit and asserts all of the row. */
void test_update_row(const update_row *row);

/* What the manifest of a folder of the vectors says. */
update_statement test_update_statement(const char *folder);
/* Reads FOLDER/partition-K.vproof as type says. */
cuzk_status test_update_partition(update_partition_proof *proof, const char *folder,
                                  const update_proof_type *type, unsigned partition,
                                  cuzk_error *err);

/* A request of the vectors; test_update_clear is the caller's. */
typedef struct test_update {
    update_statement statement;
    param_set set;
    unsigned n_proofs;
    update_partition_proof proofs[16];
} test_update;
/* The first n_proofs partitions of it. Fails: as cuzk_update_partition_read; then it is clear. */
cuzk_status test_update_read(test_update *u, const char *folder, unsigned n_proofs,
                             cuzk_error *err);
void test_update_clear(test_update *u);

/* The circuit of a partition with its values; all is borrowed. */
r1cs_circuit test_update_circuit(update_circuit *self, const param_set *set,
                                 const update_statement *s, const update_partition_proof *proof,
                                 unsigned partition);
/* Reads inputs/INPUT and compares with witness/INPUT.pPARTITION.txt. */
void test_update_vector(const char *input, unsigned partition);
/* The same for the Poseidon variant, which has one partition. */
void test_update_poseidon_vector(const char *input);

#endif
