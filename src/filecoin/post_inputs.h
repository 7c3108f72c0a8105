/* The public part of a PoSt: what a verifier knows, and the public inputs it implies (circuits.md
 * 4.3, 4.4, 6.8). */
#ifndef CUZK_FILECOIN_POST_INPUTS_H
#define CUZK_FILECOIN_POST_INPUTS_H

#include "field/fr.h"
#include "filecoin/digest.h"
#include "filecoin/post_proof.h"

typedef struct post_sector {
    uint64_t sector_id;
    digest comm_r;
} post_sector;

typedef struct post_statement {
    const post_proof_type *type;
    uint64_t miner_id; /* whose sectors they are; enters no public input */
    digest randomness;
    const post_sector *sectors; /* borrowed; in the order of the proof; WinningPoSt: one */
    size_t n_sectors;
    /* The partition of the whole proof that sectors[0] begins. Matters with V1 types only, where
     * challenges depend on a sector's place in the whole proof. */
    uint32_t first_partition;
} post_statement;

/* sectors[i] = the id and comm_r that proofs[i] states. */
void cuzk_post_sectors_of(post_sector *sectors, const post_sector_proof *proofs, size_t n);

/* "WinningPoSt" or "WindowPoSt" */
const char *cuzk_post_name(const post_proof_type *type);
/* Sectors that a statement has in each full partition, and challenges of each: 1 and 66, or the
 * circuit's sectors and 10. */
size_t cuzk_post_partition_sectors(const post_proof_type *type);
unsigned cuzk_post_sector_challenges(const post_proof_type *type);
/* n_sectors / cuzk_post_partition_sectors, rounded up, at least 1. */
size_t cuzk_post_partitions(const post_statement *s);

/* One sector for WinningPoSt, at least one for WindowPoSt, none twice, randomness below the field
 * modulus. Fails: CUZK_E_INPUT naming the fault; CUZK_E_NO_MEMORY. */
cuzk_status cuzk_post_statement_check(const post_statement *s, cuzk_error *err);

/* nodes[i] = the leaf that inclusion proof first + i of sectors[index] must open, count of them;
 * there are cuzk_post_sector_challenges(s->type). */
void cuzk_post_statement_challenges(uint64_t *nodes, const post_statement *s, size_t index,
                                    unsigned first, unsigned count);

/* Public inputs of a partition, ONE left out: comm_r, then the challenges, for each sector of the
 * circuit. */
size_t cuzk_post_input_count(const post_proof_type *type);
/* The public inputs of a partition, from the statement alone. The last sector of a short partition
 * is repeated with its own challenges until the circuit is full.
 *   inputs     out  cuzk_post_input_count(s->type) values
 *   partition  in   counted within s, from 0
 * Fails: as cuzk_post_statement_check; CUZK_E_INPUT for a comm_r not below the field modulus;
 * CUZK_E_RANGE if there is no such partition. */
cuzk_status cuzk_post_inputs(fr_plain *inputs, const post_statement *s, size_t partition,
                             cuzk_error *err);

#endif
