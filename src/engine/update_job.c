/* An update request: read, check, then its partitions are at hand. */
#include "engine/update_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filecoin/update_check.h"
#include "filecoin/update_inputs.h"

/* Behind the partition source of an update. */
typedef struct update_source {
    update_statement statement;
    param_set set;
    update_partition_proof *proofs; /* set.n_partitions, or NULL when only verifying */
} update_source;

static cuzk_status fill_partition(const void *arg, any_circuit *circuit, unsigned partition,
                                  cuzk_error *err) {
    const update_source *update = arg;
    update_circuit *self = &circuit->self.update;
    cuzk_status status = cuzk_update_circuit_init(self, &update->set, &update->statement,
                                                  &update->proofs[partition], partition, err);
    if (status == CUZK_OK) {
        circuit->circuit = cuzk_update_circuit(self);
    }
    return status;
}

static cuzk_status partition_inputs(const void *arg, fr_plain *inputs, unsigned partition,
                                    cuzk_error *err) {
    const update_source *update = arg;
    return cuzk_update_inputs(inputs, &update->statement, partition, err);
}

static cuzk_status check_again(const void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    const update_source *update = arg;
    return cuzk_update_check(ctx, &update->statement, update->proofs, update->set.n_partitions,
                             err);
}

/* Fills the statement and the source. */
static cuzk_status describe(partition_source *source, update_source *update, uint64_t number,
                            const uint8_t *comm_r_old, const uint8_t *comm_r_new,
                            const uint8_t *comm_d_new, cuzk_error *err) {
    const update_proof_type *type = cuzk_update_proof_by_number(number);
    if (type == NULL) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "invalid registered proof for SnapDeals: unknown RegisteredUpdateProof "
                         "value: %llu",
                         (unsigned long long)number);
    }
    if (!cuzk_param_set_of(&update->set, CIRCUIT_UPDATE, type->size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there is no update circuit for %s sectors",
                         type->size->name);
    }
    *source = (partition_source){.set = update->set,
                                 .n_partitions = update->set.n_partitions,
                                 .sector = CUZK_NOWHERE,
                                 .arg = update,
                                 .fill = fill_partition,
                                 .inputs = partition_inputs,
                                 .check = check_again};
    update->statement.type = type;
    memcpy(update->statement.comm_r_old.bytes, comm_r_old, DIGEST_BYTES);
    memcpy(update->statement.comm_r_new.bytes, comm_r_new, DIGEST_BYTES);
    memcpy(update->statement.comm_d_new.bytes, comm_d_new, DIGEST_BYTES);
    return CUZK_OK;
}

/* ---- proving ---- */

static cuzk_status read_document(update_partition_proof *proof, const param_set *set,
                                 const cuzk_request *q, unsigned partition, cuzk_error *err) {
    const cuzk_input *input = &q->inputs[partition];
    char name[40];
    snprintf(name, sizeof name, "vanilla proof %u", partition);
    cuzk_status status = cuzk_update_partition_read(
        proof, &set->shape, set->log2_nodes, set->n_apex_leaves, set->n_challenges, input->data,
        input->len_bytes, input->name != NULL ? input->name : name, err);
    if (status == CUZK_E_INPUT && err != NULL) {
        char sector[40] = "";
        if (q->has_sector_number) {
            snprintf(sector, sizeof sector, "sector %llu, ", (unsigned long long)q->sector_number);
        }
        cuzk_error_prefix(err,
                          "SnapDeals parse failed: failed to deserialize SnapDeals partition "
                          "proof: %spartition %u: ",
                          sector, partition);
        err->partition = partition;
    }
    return status;
}

static cuzk_status read_documents(update_source *update, cuzk_result *result, const cuzk_request *q,
                                  cuzk_error *err) {
    unsigned n = update->set.n_partitions;
    if (q->n_inputs < n) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "partition %zu >= vanilla_proofs.len() %zu: %s has %u partitions",
                         q->n_inputs, q->n_inputs, update->statement.type->name, n);
    }
    if (q->n_inputs > n) {
        return cuzk_fail(err, CUZK_E_INPUT, "%zu partitions, but %s has %u", q->n_inputs,
                         update->statement.type->name, n);
    }
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = CUZK_OK;
    update->proofs = calloc(n, sizeof *update->proofs);
    if (update->proofs == NULL) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %u vanilla proofs", n);
    }
    for (unsigned i = 0; status == CUZK_OK && i < n; i++) {
        status = read_document(&update->proofs[i], &update->set, q, i, err);
    }
    cuzk_phase_end(&clock, "read");
    return status;
}

static cuzk_status check_documents(update_source *update, const cuzk_ctx *ctx, cuzk_result *result,
                                   const cuzk_request *q, cuzk_error *err) {
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status =
        cuzk_update_check(ctx, &update->statement, update->proofs, update->set.n_partitions, err);
    cuzk_phase_end(&clock, "check");
    if (status != CUZK_OK && status != CUZK_E_CANCELLED && q->has_sector_number) {
        cuzk_error_prefix(err, "sector %llu: ", (unsigned long long)q->sector_number);
    }
    return status;
}

static void close_source(void *arg) {
    update_source *update = arg;
    for (unsigned i = 0; update->proofs != NULL && i < update->set.n_partitions; i++) {
        cuzk_update_partition_clear(&update->proofs[i]);
    }
    free(update->proofs);
    free(update);
}

cuzk_status cuzk_update_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                             const cuzk_request *request, cuzk_error *err) {
    update_source *update = calloc(1, sizeof *update);
    *source = (partition_source){0};
    if (update == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    const int64_t sector =
        request->has_sector_number ? (int64_t)request->sector_number : CUZK_NOWHERE;
    cuzk_status status = describe(source, update, request->registered_proof, request->comm_r_old,
                                  request->comm_r_new, request->comm_d_new, err);
    if (status == CUZK_OK) {
        status = read_documents(update, result, request, err);
    }
    if (status == CUZK_OK) {
        status = check_documents(update, ctx, result, request, err);
    }
    if (status != CUZK_OK) {
        close_source(update);
        *source = (partition_source){0};
        if (err != NULL && sector != CUZK_NOWHERE) {
            err->sector = sector;
        }
        return status;
    }
    result->sector_number = request->sector_number;
    result->n_sectors = 1;
    source->sector = sector;
    source->close = close_source;
    return CUZK_OK;
}

/* ---- verifying ---- */

cuzk_status cuzk_update_verify(cuzk_prover *prover, const cuzk_update_statement *statement,
                               const uint8_t *proof, size_t proof_bytes, bool only_one,
                               unsigned only_partition, cuzk_error *err) {
    update_source update = {0};
    partition_source source;
    cuzk_status status =
        describe(&source, &update, statement->registered_proof, statement->comm_r_old,
                 statement->comm_r_new, statement->comm_d_new, err);
    if (status == CUZK_OK) {
        status = cuzk_update_statement_check(&update.statement, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_partitions_verify(prover, &source, proof, proof_bytes, only_one,
                                        only_partition, err);
    }
    return status;
}
