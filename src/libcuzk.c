/* The functions of cuzk.h: they check their arguments and call a module. cuzk_options_init,
 * cuzk_prover_* and cuzk_result_clear are in engine/handle.c, the texts of statuses in
 * base/status.c. */
#include <cuzk.h>

#include "base/status.h"
#include "engine/aggregate_job.h"
#include "engine/post_job.h"
#include "engine/proof_job.h"
#include "engine/seal_job.h"
#include "engine/update_job.h"

cuzk_status cuzk_prove(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                       cuzk_error *err) {
    if (prover == NULL || result == NULL || request == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_prove: NULL argument");
    }
    *result = (cuzk_result){0};
    cuzk_status status = cuzk_request_check(request, err);
    return status == CUZK_OK ? cuzk_proof_run(prover, result, request, err) : status;
}

cuzk_status cuzk_seal_statement_from_c1(cuzk_seal_statement *statement, const cuzk_input *c1,
                                        cuzk_error *err) {
    if (statement == NULL || c1 == NULL || c1->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_seal_statement_from_c1: NULL argument");
    }
    return cuzk_seal_statement_read(statement, c1, err);
}

cuzk_status cuzk_verify_seal(cuzk_prover *prover, const cuzk_seal_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_seal: NULL argument");
    }
    return cuzk_seal_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}

static cuzk_status check_aggregate_statement(const cuzk_aggregate_statement *statement,
                                             cuzk_error *err) {
    if (statement->sectors == NULL || statement->n_sectors == 0) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "an aggregate has at least one sector");
    }
    if (statement->version != 1 && statement->version != 2) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "versions of aggregates are 1 and 2, not %u",
                         statement->version);
    }
    return CUZK_OK;
}

cuzk_status cuzk_aggregate_seals(cuzk_prover *prover, cuzk_result *result,
                                 const cuzk_aggregate_statement *statement,
                                 const cuzk_input *proofs, cuzk_error *err) {
    if (prover == NULL || result == NULL || statement == NULL || proofs == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_aggregate_seals: NULL argument");
    }
    *result = (cuzk_result){0};
    cuzk_status status = check_aggregate_statement(statement, err);
    for (size_t i = 0; status == CUZK_OK && i < statement->n_sectors; i++) {
        if (proofs[i].data == NULL && proofs[i].len_bytes > 0) {
            status = cuzk_fail(err, CUZK_E_ARGUMENT, "proof %zu of an aggregate is NULL", i);
        }
    }
    return status == CUZK_OK ? cuzk_aggregate_run(prover, result, statement, proofs, err) : status;
}

cuzk_status cuzk_verify_aggregate(cuzk_prover *prover, const cuzk_aggregate_statement *statement,
                                  const uint8_t *aggregate, size_t aggregate_bytes,
                                  cuzk_error *err) {
    if (prover == NULL || statement == NULL || aggregate == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_aggregate: NULL argument");
    }
    cuzk_status status = check_aggregate_statement(statement, err);
    return status == CUZK_OK
               ? cuzk_aggregate_judge(prover, statement, aggregate, aggregate_bytes, err)
               : status;
}

cuzk_status cuzk_post_sector_from_vanilla(cuzk_post_sector *sector, uint64_t registered_proof,
                                          const cuzk_input *vanilla, cuzk_error *err) {
    if (sector == NULL || vanilla == NULL || vanilla->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_post_sector_from_vanilla: NULL argument");
    }
    return cuzk_post_sector_known(sector, registered_proof, vanilla, err);
}

cuzk_status cuzk_verify_post(cuzk_prover *prover, const cuzk_post_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL ||
        (statement->n_sectors > 0 && statement->sectors == NULL)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_post: NULL argument");
    }
    if (statement->kind != CUZK_WINNING_POST && statement->kind != CUZK_WINDOW_POST) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "proof kind %d is no PoSt", (int)statement->kind);
    }
    return cuzk_post_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}

cuzk_status cuzk_verify_update(cuzk_prover *prover, const cuzk_update_statement *statement,
                               const uint8_t *proof, size_t proof_bytes, bool only_one,
                               unsigned only_partition, cuzk_error *err) {
    if (prover == NULL || statement == NULL || proof == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_verify_update: NULL argument");
    }
    return cuzk_update_verify(prover, statement, proof, proof_bytes, only_one, only_partition, err);
}
