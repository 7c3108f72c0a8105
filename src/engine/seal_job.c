/* A PoRep request: read, check, then its partitions are at hand. */
#include "engine/seal_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filecoin/c1_reader.h"
#include "filecoin/porep_check.h"
#include "filecoin/statement_reader.h"

/* Behind the partition source of a seal. */
typedef struct seal_source {
    porep_proof vanilla;
    porep_request request; /* for the native check */
    porep_statement statement;
    porep_shape shape;
} seal_source;

static cuzk_status fill_partition(const void *arg, any_circuit *circuit, unsigned partition,
                                  cuzk_error *err) {
    const seal_source *seal = arg;
    porep_circuit *self = &circuit->self.porep;
    cuzk_status status =
        cuzk_porep_circuit_init(self, &seal->shape, &seal->vanilla, partition, err);
    if (status == CUZK_OK) {
        circuit->circuit = cuzk_porep_circuit(self);
    }
    return status;
}

static cuzk_status partition_inputs(const void *arg, fr_plain *inputs, unsigned partition,
                                    cuzk_error *err) {
    const seal_source *seal = arg;
    return cuzk_porep_inputs(inputs, &seal->statement, partition, err);
}

static cuzk_status check_again(const void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    const seal_source *seal = arg;
    return cuzk_porep_check(ctx, &seal->vanilla, &seal->request, err);
}

static cuzk_status describe(partition_source *source, seal_source *seal, cuzk_error *err) {
    const seal_proof_type *type = seal->statement.type;
    *source = (partition_source){.n_partitions = type->n_partitions,
                                 .sector = CUZK_NOWHERE,
                                 .arg = seal,
                                 .fill = fill_partition,
                                 .inputs = partition_inputs,
                                 .check = check_again,
                                 .aggregated = type->feature == POREP_NON_INTERACTIVE};
    if (!cuzk_param_set_of(&source->set, CIRCUIT_POREP, type->size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there is no PoRep circuit for %s sectors",
                         type->size->name);
    }
    return CUZK_OK;
}

/* ---- proving ---- */

/* A fault of the document says where it is: in the file, else in the sector of the request. */
static cuzk_status read_input(seal_source *seal, const cuzk_ctx *ctx, cuzk_result *result,
                              const cuzk_request *q, cuzk_error *err) {
    const cuzk_input *c1 = &q->inputs[0];
    char sector[40];
    snprintf(sector, sizeof sector, "sector %llu", (unsigned long long)q->sector_number);
    const bool is_named = c1->name != NULL || !q->has_sector_number;
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_c1_read(&seal->vanilla, ctx, c1->data, c1->len_bytes,
                                      is_named ? c1->name : sector, err);
    cuzk_phase_end(&clock, "read");
    if (status != CUZK_OK && err != NULL) {
        err->sector = q->has_sector_number ? (int64_t)q->sector_number : CUZK_NOWHERE;
        err->file[0] = is_named ? err->file[0] : '\0';
    }
    return status;
}

/* Names file and sector in a fault of the input. What operators look for in a fault of the whole
 * document stays at the beginning. */
static void name_place(cuzk_error *err, uint64_t sector, const char *file) {
    if (err == NULL) {
        return;
    }
    if (err->partition != CUZK_NOWHERE) {
        cuzk_error_prefix(err, "sector %llu: ", (unsigned long long)sector);
    } else if (err->sector == CUZK_NOWHERE) { /* else the text names it */
        const size_t len = strlen(err->text);
        snprintf(err->text + len, sizeof err->text - len, " (sector %llu)",
                 (unsigned long long)sector);
    }
    err->sector = (int64_t)sector;
    if (file != NULL) {
        cuzk_error_at_file(err, file, CUZK_NOWHERE);
    }
}

static cuzk_status check_input(seal_source *seal, const cuzk_ctx *ctx, cuzk_result *result,
                               const cuzk_request *q, cuzk_error *err) {
    const porep_proof *vanilla = &seal->vanilla;
    if (!q->has_sector_number && !vanilla->has_sector_number) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "the sector number is neither in the request nor in the document");
    }
    porep_request request = {.miner_id = q->miner_id,
                             .sector_number =
                                 q->has_sector_number ? q->sector_number : vanilla->sector_number,
                             .has_registered_proof = q->registered_proof != 0,
                             .registered_proof = q->registered_proof};
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_porep_check(ctx, vanilla, &request, err);
    cuzk_phase_end(&clock, "check");
    if (status == CUZK_OK && q->only_one && q->only_partition >= vanilla->n_partitions) {
        status = cuzk_fail(err, CUZK_E_INPUT, "partition %u >= vanilla_proofs.len() %u",
                           q->only_partition, vanilla->n_partitions);
    }
    if (status != CUZK_OK) {
        if (status != CUZK_E_CANCELLED) {
            name_place(err, request.sector_number, q->inputs[0].name);
        }
        return status;
    }
    seal->request = request;
    seal->statement = cuzk_porep_statement_of(vanilla, &request);
    seal->shape = cuzk_porep_shape_of(vanilla->type->size);
    seal->shape.n_challenges = vanilla->n_challenges;
    result->sector_number = request.sector_number;
    return CUZK_OK;
}

static void close_source(void *arg) {
    seal_source *seal = arg;
    cuzk_porep_proof_clear(&seal->vanilla);
    free(seal);
}

cuzk_status cuzk_seal_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                           const cuzk_request *request, cuzk_error *err) {
    seal_source *seal = calloc(1, sizeof *seal);
    *source = (partition_source){0};
    if (seal == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    cuzk_status status = read_input(seal, ctx, result, request, err);
    if (status == CUZK_OK) {
        status = check_input(seal, ctx, result, request, err);
    }
    if (status == CUZK_OK) {
        status = describe(source, seal, err);
    }
    if (status != CUZK_OK) {
        close_source(seal);
        *source = (partition_source){0};
        return status;
    }
    source->close = close_source;
    return CUZK_OK;
}

/* ---- verifying ---- */

static void give_statement(cuzk_seal_statement *statement, const porep_statement *s) {
    *statement = (cuzk_seal_statement){.registered_proof = s->type->number,
                                       .miner_id = s->miner_id,
                                       .sector_number = s->sector_number};
    memcpy(statement->comm_r, &s->comm_r, 32);
    memcpy(statement->comm_d, &s->comm_d, 32);
    memcpy(statement->ticket, &s->ticket, 32);
    memcpy(statement->seed, &s->seed, 32);
}

cuzk_status cuzk_seal_statement_read(cuzk_seal_statement *statement, const cuzk_input *c1,
                                     cuzk_error *err) {
    const cuzk_ctx ctx = {0};
    porep_proof vanilla;
    cuzk_status status = cuzk_c1_read(&vanilla, &ctx, c1->data, c1->len_bytes,
                                      c1->name != NULL ? c1->name : "c1.json", err);
    if (status != CUZK_OK) {
        return status;
    }
    const porep_request request = {.sector_number = vanilla.sector_number};
    const porep_statement s = cuzk_porep_statement_of(&vanilla, &request);
    give_statement(statement, &s);
    cuzk_porep_proof_clear(&vanilla);
    return CUZK_OK;
}

cuzk_status cuzk_seal_statement_read_json(cuzk_seal_statement *statement, const cuzk_input *json,
                                          cuzk_error *err) {
    porep_statement s;
    cuzk_status status = cuzk_porep_statement_read(
        &s, json->data, json->len_bytes, json->name != NULL ? json->name : "seal statement", err);
    if (status == CUZK_OK) {
        give_statement(statement, &s);
    }
    return status;
}

cuzk_status cuzk_seal_statement_take(porep_statement *s, const cuzk_seal_statement *statement,
                                     cuzk_error *err) {
    *s = (porep_statement){.type = cuzk_seal_proof_by_number(statement->registered_proof),
                           .miner_id = statement->miner_id,
                           .sector_number = statement->sector_number};
    if (s->type == NULL) {
        return cuzk_fail(err, CUZK_E_INPUT, "unknown registered proof %llu",
                         (unsigned long long)statement->registered_proof);
    }
    memcpy(&s->comm_r, statement->comm_r, 32);
    memcpy(&s->comm_d, statement->comm_d, 32);
    memcpy(&s->ticket, statement->ticket, 32);
    memcpy(&s->seed, statement->seed, 32);
    return cuzk_porep_statement_check(s, err);
}

cuzk_status cuzk_seal_verify(cuzk_prover *prover, const cuzk_seal_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    seal_source seal = {0};
    partition_source source;
    cuzk_status status = cuzk_seal_statement_take(&seal.statement, statement, err);
    if (status == CUZK_OK) {
        status = describe(&source, &seal, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_partitions_verify(prover, &source, proof, proof_bytes, only_one,
                                        only_partition, err);
    }
    return status;
}
