/* PoSt circuits by the table of circuits.md 4.5, and PoSt requests: those of the vectors, and
 * fabricated ones of any size. */
#ifndef CUZK_TESTS_POST_SUPPORT_H
#define CUZK_TESTS_POST_SUPPORT_H

#include "support/circuit_support.h"

#include "circuits/fallback_post.h"
#include "filecoin/post_inputs.h"

typedef struct post_row {
    uint64_t a_aux, b_aux; /* densities */
    unsigned log2_domain;
    circuit_row row; /* name: the circuit's id */
} post_row;

/* Builds the blank circuit of that id and asserts all of the row. */
void test_post_row(const post_row *row);

/* A request: vanilla proofs and what they are said to prove. */
typedef struct test_post {
    post_statement s; /* of all proofs */
    post_sector *sectors;
    post_sector_proof *proofs; /* s.n_sectors */
} test_post;

/* Reads FOLDER's manifest and vanilla proofs; the sectors are those that the proofs state. Fails as
 * the reader. On failure nothing is left to clear. */
cuzk_status test_post_read(test_post *p, const char *folder, cuzk_error *err);
/* Asserts that it can be read. */
void test_post_open(test_post *p, const char *folder);
/* Valid vanilla proofs of sectors 1000, 1001 and so on. */
void test_post_fabricate(test_post *p, const post_proof_type *type, size_t n_sectors);
void test_post_clear(test_post *p);

/* The circuit of a partition with its values; self and p are borrowed. */
r1cs_circuit test_post_circuit(fallback_post *self, const test_post *p, size_t partition);

#endif
