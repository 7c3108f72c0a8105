/* A sector update request (SnapDeals) from bytes to verified proof, and the verification of one. */
#ifndef CUZK_ENGINE_UPDATE_JOB_H
#define CUZK_ENGINE_UPDATE_JOB_H

#include "engine/partitions.h"

/* Reads and judges a request of the kind CUZK_SNAP; see cuzk_seal_open. */
cuzk_status cuzk_update_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                             const cuzk_request *request, cuzk_error *err);
/* cuzk_verify_update; arguments were checked. */
cuzk_status cuzk_update_verify(cuzk_prover *prover, const cuzk_update_statement *statement,
                               const uint8_t *proof, size_t proof_bytes, bool only_one,
                               unsigned only_partition, cuzk_error *err);

#endif
