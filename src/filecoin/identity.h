/* Ids that bind a proof to its miner, sector and proof type (circuits.md 6.8). */
#ifndef CUZK_FILECOIN_IDENTITY_H
#define CUZK_FILECOIN_IDENTITY_H

#include "filecoin/digest.h"

/* number as u64 LE, then zeros. number: of the RegisteredSealProof. */
void cuzk_porep_id(digest *id, unsigned number);
/* Unsigned LEB128 of the miner's actor id, then zeros. */
void cuzk_prover_id(digest *id, uint64_t miner_id);
/* SHA-256(prover_id || sector u64 BE || ticket || comm_d || porep_id), two top bits cleared. */
void cuzk_replica_id(digest *id, const digest *prover_id, uint64_t sector_number,
                     const digest *ticket, const digest *comm_d, const digest *porep_id);

#endif
