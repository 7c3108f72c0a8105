/* A PoRep request from bytes to verified proof, and the verification of one. */
#ifndef CUZK_ENGINE_SEAL_JOB_H
#define CUZK_ENGINE_SEAL_JOB_H

#include "engine/partitions.h"
#include "filecoin/porep_inputs.h"

/* Reads and judges a request of the kind CUZK_POREP; arguments were checked. The caller closes the
 * source, which borrows nothing. What a failure leaves in *result is the caller's to clear. Fails:
 * as cuzk_prove, with nothing to close. */
cuzk_status cuzk_seal_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                           const cuzk_request *request, cuzk_error *err);
/* cuzk_verify_seal; arguments were checked. */
cuzk_status cuzk_seal_verify(cuzk_prover *prover, const cuzk_seal_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err);
/* cuzk_seal_statement_from_c1; arguments were checked. */
cuzk_status cuzk_seal_statement_read(cuzk_seal_statement *statement, const cuzk_input *c1,
                                     cuzk_error *err);
/* cuzk_seal_statement_from_json; arguments were checked. */
cuzk_status cuzk_seal_statement_read_json(cuzk_seal_statement *statement, const cuzk_input *json,
                                          cuzk_error *err);
/* The statement in the form that gives public inputs. Fails: CUZK_E_INPUT if the proof type is
 * unknown, or as cuzk_porep_statement_check. */
cuzk_status cuzk_seal_statement_take(porep_statement *s, const cuzk_seal_statement *statement,
                                     cuzk_error *err);

#endif
