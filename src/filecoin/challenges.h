/* Which nodes a proof must open: derived from public randomness (circuits.md 6.8). */
#ifndef CUZK_FILECOIN_CHALLENGES_H
#define CUZK_FILECOIN_CHALLENGES_H

#include "field/fr.h"
#include "filecoin/digest.h"
#include "filecoin/param_set.h"

/* Everything PoRep challenges depend on. */
typedef struct porep_challenge_source {
    const seal_proof_type *type;
    digest replica_id;
    digest comm_r; /* read by the synthetic and the non-interactive kind */
    digest seed;   /* read by the interactive and the synthetic kind */
} porep_challenge_source;

/* The nodes of one partition, type->n_challenges of them, each in 1 .. nodes - 1. */
void cuzk_porep_challenges(uint64_t *nodes, const porep_challenge_source *source,
                           unsigned partition);

/* The two steps of the synthetic kind, for tests and for makers of synthetic proofs. */
/* nodes[i] = the synthetic challenge number first + i of a sector of n_nodes. */
void cuzk_synthetic_challenges(uint64_t *nodes, uint64_t first, size_t count, uint64_t n_nodes,
                               const digest *replica_id, const digest *comm_r);
/* indexes[i] = the synthetic challenge, below n_synthetic, that PoRep challenge first + i selects.
 */
void cuzk_synthetic_selection(uint32_t *indexes, uint64_t first, size_t count, uint32_t n_synthetic,
                              const digest *replica_id, const digest *seed);
/* min(n_nodes, 2^18) */
uint32_t cuzk_synthetic_count(uint64_t n_nodes);

/* The leaf of a sector of n_nodes (a power of two) to open. index: see cuzk_post_challenge_index.
 */
uint64_t cuzk_post_challenge(const digest *randomness, uint64_t sector_id, uint64_t index,
                             uint64_t n_nodes);
/* The index of challenge number n of a sector at `place` in the whole proof, counted from 0 over
 * all partitions: place * n_challenges + n for POREP_V1_0 and V1_1, n for V1_2. */
uint64_t cuzk_post_challenge_index(porep_version version, uint64_t place, unsigned n_challenges,
                                   unsigned n);
/* Which of n_sectors (not 0) WinningPoSt challenge number n opens. */
uint64_t cuzk_winning_sector(const digest *prover_id, const digest *randomness, uint64_t n,
                             uint64_t n_sectors);

/* The nodes of one partition of an update circuit, set->n_challenges of them.
 *   set         CIRCUIT_UPDATE or CIRCUIT_UPDATE_POSEIDON
 *   comm_r_new  Montgomery */
void cuzk_update_challenges(uint64_t *nodes, const param_set *set, const fr *comm_r_new,
                            unsigned partition);

#endif
