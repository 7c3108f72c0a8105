/* A PoSt request: read, check, then its partitions are at hand. */
#include "engine/post_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filecoin/post_check.h"
#include "filecoin/post_inputs.h"

/* Behind the partition source of a PoSt. */
typedef struct post_source {
    post_statement statement;
    post_sector *sectors;      /* statement.n_sectors */
    post_sector_proof *proofs; /* as many, or NULL when only verifying */
    post_shape shape;
} post_source;

static cuzk_status fill_partition(const void *arg, any_circuit *circuit, unsigned partition,
                                  cuzk_error *err) {
    const post_source *post = arg;
    fallback_post *self = &circuit->self.post;
    size_t size = cuzk_post_partition_sectors(post->statement.type);
    size_t first = partition * size;
    size_t left = post->statement.n_sectors - first;
    cuzk_status status = cuzk_fallback_post_init(self, &post->shape, post->proofs + first,
                                                 left < size ? left : size, partition, err);
    if (status == CUZK_OK) {
        circuit->circuit = cuzk_fallback_post_circuit(self);
    }
    return status;
}

static cuzk_status partition_inputs(const void *arg, fr_plain *inputs, unsigned partition,
                                    cuzk_error *err) {
    const post_source *post = arg;
    return cuzk_post_inputs(inputs, &post->statement, partition, err);
}

static cuzk_status check_again(const void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    const post_source *post = arg;
    bool *bad = calloc(post->statement.n_sectors, sizeof *bad);
    if (bad == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to check %zu sectors",
                         post->statement.n_sectors);
    }
    cuzk_status status = cuzk_post_check(ctx, post->proofs, &post->statement, bad, err);
    free(bad);
    return status;
}

/* The type of that number; NULL after reporting. */
static const post_proof_type *find_type(uint64_t number, cuzk_error *err) {
    const post_proof_type *type = cuzk_post_proof_by_number(number);
    if (type == NULL) {
        cuzk_fail(err, CUZK_E_INPUT, "unknown RegisteredPoStProof value: %llu",
                  (unsigned long long)number);
    }
    return type;
}

/* Sets the statement's type, circuit and shape: the type must be of the kind. */
static cuzk_status choose_type(post_source *post, partition_source *source, cuzk_proof_kind kind,
                               uint64_t number, cuzk_error *err) {
    bool winning = kind == CUZK_WINNING_POST;
    const post_proof_type *type = find_type(number, err);
    if (type != NULL && type->winning != winning) {
        cuzk_fail(err, CUZK_E_INPUT, "%llu is %s", (unsigned long long)number, type->name);
        type = NULL;
    }
    if (type == NULL) {
        cuzk_error_prefix(
            err, "invalid registered proof for %s: ", winning ? "WinningPoSt" : "WindowPoSt");
        return CUZK_E_INPUT;
    }
    *source = (partition_source){.first_partition = post->statement.first_partition,
                                 .sector = CUZK_NOWHERE,
                                 .arg = post,
                                 .fill = fill_partition,
                                 .inputs = partition_inputs,
                                 .check = check_again};
    if (!cuzk_param_set_of(&source->set, type->winning ? CIRCUIT_WINNING : CIRCUIT_WINDOW,
                           type->size)) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "there is no %s circuit for %s sectors",
                         cuzk_post_name(type), type->size->name);
    }
    post->statement.type = type;
    post->shape = cuzk_post_shape_of(&source->set);
    return CUZK_OK;
}

static cuzk_status count_partitions(partition_source *source, const post_source *post,
                                    bool whole_partition, cuzk_error *err) {
    const post_statement *s = &post->statement;
    size_t n = cuzk_post_partitions(s);
    if (whole_partition && n > 1) {
        return cuzk_fail(err, CUZK_E_INPUT, "%zu sectors: a partition of %s has at most %zu",
                         s->n_sectors, s->type->name, cuzk_post_partition_sectors(s->type));
    }
    if (n > UINT16_MAX) {
        return cuzk_fail(err, CUZK_E_RANGE, "%zu partitions are more than one proof may have", n);
    }
    source->n_partitions = (unsigned)n;
    return CUZK_OK;
}

static cuzk_status allocate(post_source *post, size_t n, bool with_proofs, cuzk_error *err) {
    post->sectors = calloc(n + 1, sizeof *post->sectors);
    post->proofs = with_proofs ? calloc(n + 1, sizeof *post->proofs) : NULL;
    if (post->sectors == NULL || (with_proofs && post->proofs == NULL)) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu sectors", n);
    }
    post->statement.sectors = post->sectors;
    post->statement.n_sectors = n;
    return CUZK_OK;
}

static void clear_source(post_source *post) {
    for (size_t i = 0; post->proofs != NULL && i < post->statement.n_sectors; i++) {
        cuzk_post_sector_clear(&post->proofs[i]);
    }
    free(post->proofs);
    free(post->sectors);
}

/* ---- proving ---- */

static cuzk_status read_document(post_sector_proof *proof, const post_proof_type *type,
                                 const cuzk_input *input, size_t number, cuzk_error *err) {
    char name[40];
    snprintf(name, sizeof name, "vanilla proof %zu", number);
    cuzk_status status = cuzk_post_sector_read(
        proof, &type->size->shape, cuzk_post_sector_challenges(type), input->data, input->len_bytes,
        input->name != NULL ? input->name : name, err);
    if (status == CUZK_E_INPUT) {
        cuzk_error_prefix(err, "failed to deserialize %s vanilla proof: ", cuzk_post_name(type));
    }
    return status;
}

static cuzk_status read_documents(post_source *post, cuzk_result *result, const cuzk_request *q,
                                  cuzk_error *err) {
    const post_proof_type *type = post->statement.type;
    if (q->n_inputs == 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "no %s vanilla proofs", cuzk_post_name(type));
    }
    if (type->winning && q->n_inputs > 1) {
        return cuzk_fail(err, CUZK_E_INPUT, "WinningPoSt expected 1 sector proof, got %zu",
                         q->n_inputs);
    }
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = allocate(post, q->n_inputs, true, err);
    for (size_t i = 0; status == CUZK_OK && i < q->n_inputs; i++) {
        status = read_document(&post->proofs[i], type, &q->inputs[i], i, err);
    }
    if (status == CUZK_OK) {
        cuzk_post_sectors_of(post->sectors, post->proofs, q->n_inputs);
    }
    cuzk_phase_end(&clock, "read");
    return status;
}

static cuzk_status check_documents(post_source *post, const cuzk_ctx *ctx, cuzk_result *result,
                                   cuzk_error *err) {
    bool *bad = calloc(post->statement.n_sectors, sizeof *bad);
    if (bad == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to check %zu sectors",
                         post->statement.n_sectors);
    }
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_post_check(ctx, post->proofs, &post->statement, bad, err);
    cuzk_phase_end(&clock, "check");
    if (status != CUZK_OK) {
        result->bad_sectors = cuzk_post_bad_numbers(&result->n_bad_sectors, &post->statement, bad);
    }
    free(bad);
    return status;
}

static void close_source(void *arg) {
    clear_source(arg);
    free(arg);
}

cuzk_status cuzk_post_open(partition_source *source, const cuzk_ctx *ctx, cuzk_result *result,
                           const cuzk_request *request, cuzk_error *err) {
    bool whole_partition = request->whole_partition && request->kind == CUZK_WINDOW_POST;
    post_source *post = calloc(1, sizeof *post);
    *source = (partition_source){0};
    if (post == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    post->statement.miner_id = request->miner_id;
    post->statement.first_partition = whole_partition ? request->partition_index : 0;
    memcpy(post->statement.randomness.bytes, request->randomness, DIGEST_BYTES);
    cuzk_status status = choose_type(post, source, request->kind, request->registered_proof, err);
    if (status == CUZK_OK) {
        status = read_documents(post, result, request, err);
    }
    if (status == CUZK_OK) {
        status = count_partitions(source, post, whole_partition, err);
    }
    if (status == CUZK_OK) {
        status = check_documents(post, ctx, result, err);
    }
    if (status != CUZK_OK) {
        close_source(post);
        *source = (partition_source){0};
        return status;
    }
    result->sector_number = post->sectors[0].sector_id;
    result->n_sectors = post->statement.n_sectors;
    source->close = close_source;
    return CUZK_OK;
}

/* ---- verifying ---- */

cuzk_status cuzk_post_sector_known(cuzk_post_sector *sector, uint64_t registered_proof,
                                   const cuzk_input *vanilla, cuzk_error *err) {
    post_sector_proof proof = {0};
    const post_proof_type *type = find_type(registered_proof, err);
    cuzk_status status = type != NULL ? read_document(&proof, type, vanilla, 0, err) : CUZK_E_INPUT;
    if (status == CUZK_OK) {
        sector->number = proof.sector_id;
        memcpy(sector->comm_r, proof.comm_r.bytes, DIGEST_BYTES);
    }
    cuzk_post_sector_clear(&proof);
    return status;
}

cuzk_status cuzk_post_verify(cuzk_prover *prover, const cuzk_post_statement *statement,
                             const uint8_t *proof, size_t proof_bytes, bool only_one,
                             unsigned only_partition, cuzk_error *err) {
    bool whole_partition = statement->whole_partition && statement->kind == CUZK_WINDOW_POST;
    post_source post = {
        .statement = {.miner_id = statement->miner_id,
                      .first_partition = whole_partition ? statement->partition_index : 0}};
    memcpy(post.statement.randomness.bytes, statement->randomness, DIGEST_BYTES);
    partition_source source;
    cuzk_status status =
        choose_type(&post, &source, statement->kind, statement->registered_proof, err);
    if (status == CUZK_OK) {
        status = allocate(&post, statement->n_sectors, false, err);
    }
    for (size_t i = 0; status == CUZK_OK && i < statement->n_sectors; i++) {
        post.sectors[i].sector_id = statement->sectors[i].number;
        memcpy(post.sectors[i].comm_r.bytes, statement->sectors[i].comm_r, DIGEST_BYTES);
    }
    if (status == CUZK_OK) {
        status = cuzk_post_statement_check(&post.statement, err);
    }
    if (status == CUZK_OK) {
        status = count_partitions(&source, &post, whole_partition, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_partitions_verify(prover, &source, proof, proof_bytes, only_one,
                                        only_partition, err);
    }
    clear_source(&post);
    return status;
}
