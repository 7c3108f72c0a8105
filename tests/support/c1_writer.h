/* Writes C1 documents from values, in any order of keys, for tests of their reader. */
#ifndef CUZK_TESTS_C1_WRITER_H
#define CUZK_TESTS_C1_WRITER_H

#include "filecoin/porep_proof.h"
#include "support/support.h"

typedef struct c1_style {
    bool shuffle; /* keys in random order at every level */
    bool spaces;  /* random white space between tokens */
    bool extras;  /* unknown members with nested values */
    bool no_h;    /* leaves "_h" out */
    bool zeros;   /* writes zeros for all digests: the shortest text */
    uint64_t seed;
} c1_style;

/* A proof of random values with right counts, apart from those given. n_partitions or n_challenges
 * 0: the type's. test_c1_free gives it back. */
void test_c1_random(porep_proof *proof, const char *type_name, unsigned n_partitions,
                    unsigned n_challenges, uint64_t seed);
void test_c1_free(porep_proof *proof);

/* The inner document; free() it. Zero-terminated. */
char *test_c1_inner(const porep_proof *proof, const c1_style *style, size_t *len_bytes);
/* The wrapper around an inner document; free() it. sector_number NULL: no SectorNum. */
char *test_c1_wrap(const char *inner, size_t inner_bytes, const uint64_t *sector_number,
                   size_t *len_bytes);

/* Asserts that two proofs are equal in everything but memory. */
void test_c1_assert_equal(const porep_proof *a, const porep_proof *b);

#endif
