/* Aggregates of seal proofs (SnarkPack, groth16.md 5.8): made from proofs that verify, and judged.
 */
#ifndef CUZK_ENGINE_AGGREGATE_JOB_H
#define CUZK_ENGINE_AGGREGATE_JOB_H

#include "engine/handle.h"

/* cuzk_aggregate_seals; arguments were checked. On failure *result is cleared. */
cuzk_status cuzk_aggregate_run(cuzk_prover *prover, cuzk_result *result,
                               const cuzk_aggregate_statement *statement, const cuzk_input *proofs,
                               cuzk_error *err);
/* cuzk_verify_aggregate; arguments were checked. */
cuzk_status cuzk_aggregate_judge(cuzk_prover *prover, const cuzk_aggregate_statement *statement,
                                 const uint8_t *aggregate, size_t aggregate_bytes, cuzk_error *err);

#endif
