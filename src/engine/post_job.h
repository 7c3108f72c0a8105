/* A WinningPoSt or WindowPoSt request from bytes to verified proof, and the verification of one. */
#ifndef CUZK_ENGINE_POST_JOB_H
#define CUZK_ENGINE_POST_JOB_H

#include "engine/partitions.h"

/* Reads and judges a request of the kind CUZK_WINNING_POST or CUZK_WINDOW_POST; see
 * cuzk_seal_open. */
cuzk_status cuzk_post_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                           const cuzk_request *request, cuzk_error *err);
/* cuzk_verify_post; arguments were checked. */
cuzk_status cuzk_post_verify(cuzk_prover *prover, const cuzk_post_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err);
/* cuzk_post_sector_from_vanilla; arguments were checked. */
cuzk_status cuzk_post_sector_known(cuzk_post_sector *sector, uint64_t registered_proof,
                                   const cuzk_input *vanilla, cuzk_error *err);

#endif
