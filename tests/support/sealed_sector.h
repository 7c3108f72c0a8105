/* A small sector sealed natively, and its vanilla proof: valid, or with one fault that every hash
 * agrees with. For sizes up to 32 KiB and any tree shape. */
#ifndef CUZK_TESTS_SEALED_SECTOR_H
#define CUZK_TESTS_SEALED_SECTOR_H

#include "filecoin/porep_inputs.h"

#define NO_FAULT UINT64_MAX

typedef struct test_fault {
    unsigned label_layer;  /* a wrong bit in this label, which all others then build on */
    uint64_t label_node;   /* NO_FAULT: none */
    uint64_t replica_node; /* one added to this replica leaf */
} test_fault;

/* Miner 1000, sector 1, random data. proof keeps pointers into itself; free with test_unseal. */
typedef struct sealed_sector {
    porep_request request;
    porep_proof proof;
    uint64_t challenges[POREP_MAX_PARTITIONS * POREP_MAX_CHALLENGES];
} sealed_sector;
sealed_sector *test_seal(const seal_proof_type *type, const test_fault *fault);
void test_unseal(sealed_sector *s);

#endif
