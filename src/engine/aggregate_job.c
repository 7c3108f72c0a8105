/* Aggregates of seal proofs: statements and proofs are judged, then the parameters are loaded, the
 * proofs verified, aggregated, and the aggregate verified. */
#include "engine/aggregate_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rss.h"
#include "engine/param_files.h"
#include "engine/seal_job.h"
#include "groth16/aggregate.h"
#include "hash/sha256.h"

#define MAX_NI_SECTORS 65 /* FIP-0092 */
#define MAX_PROOFS 65536  /* of the reference, padding included */

/* Everything that one aggregate needs. */
typedef struct aggregate_run {
    cuzk_prover *prover;
    cuzk_ctx ctx;
    cuzk_result *result;
    const cuzk_aggregate_statement *statement;
    const cuzk_input *proof_bytes; /* of each sector; NULL when an aggregate is judged */
    const seal_proof_type *type;   /* of all sectors */
    size_t n_proofs, n_padded;
    size_t n_x;
    cuzk_block memory; /* of the three arrays */
    porep_statement *sectors;
    fr_plain *x;           /* n_padded rows of n_x */
    groth16_proof *proofs; /* n_padded; NULL when an aggregate is judged */
    uint8_t include[SHA256_BYTES];
    param_files vk_paths, srs_paths;
    srs_vk key;
    aggregate_srs *srs;
    aggregate_proof *aggregate;
    cuzk_error *err;
} aggregate_run;

/* ---- statements ---- */

/* Puts the sector in front of an error's text. */
static cuzk_status at_sector(const aggregate_run *run, size_t i, cuzk_status status) {
    const cuzk_seal_statement *s = &run->statement->sectors[i];
    if (run->err != NULL) {
        cuzk_error_prefix(run->err, "sector %llu: ", (unsigned long long)s->sector_number);
        run->err->sector = (int64_t)s->sector_number;
    }
    return status;
}

static cuzk_status choose_type(aggregate_run *run) {
    const cuzk_aggregate_statement *q = run->statement;
    run->type = cuzk_seal_proof_by_number(q->sectors[0].registered_proof);
    if (run->type == NULL) {
        return cuzk_fail(run->err, CUZK_E_INPUT, "unknown registered proof %llu",
                         (unsigned long long)q->sectors[0].registered_proof);
    }
    if (run->type->feature == POREP_NON_INTERACTIVE) {
        if (q->version != AGGREGATE_V2) {
            return cuzk_fail(run->err, CUZK_E_INPUT,
                             "proofs of non-interactive PoRep are aggregated in version 2 only");
        }
        if (q->n_sectors > MAX_NI_SECTORS) {
            return cuzk_fail(run->err, CUZK_E_INPUT,
                             "%zu sectors: an aggregate of non-interactive PoRep has at most %d",
                             q->n_sectors, MAX_NI_SECTORS);
        }
    }
    if (q->n_sectors > MAX_PROOFS / run->type->n_partitions) {
        return cuzk_fail(run->err, CUZK_E_INPUT,
                         "%zu sectors of %u partitions each: an aggregate has at most %d proofs",
                         q->n_sectors, run->type->n_partitions, MAX_PROOFS);
    }
    run->n_proofs = q->n_sectors * run->type->n_partitions;
    run->n_padded = cuzk_aggregate_padded(run->n_proofs);
    run->n_x = porep_input_count(run->type);
    return CUZK_OK;
}

static cuzk_status take_memory(aggregate_run *run) {
    const size_t n_proofs = run->proof_bytes != NULL ? run->n_padded : 0;
    const size_t len = scratch_need(run->statement->n_sectors, sizeof *run->sectors) +
                       scratch_need(run->n_padded * run->n_x, sizeof *run->x) +
                       scratch_need(n_proofs, sizeof *run->proofs);
    cuzk_status status =
        cuzk_block_alloc(&run->memory, run->ctx.account, len, "an aggregate's proofs", run->err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(&run->memory);
    run->sectors = scratch_take(&scratch, run->statement->n_sectors, sizeof *run->sectors);
    run->x = scratch_take(&scratch, run->n_padded * run->n_x, sizeof *run->x);
    run->proofs = n_proofs > 0 ? scratch_take(&scratch, n_proofs, sizeof *run->proofs) : NULL;
    run->aggregate = malloc(sizeof *run->aggregate);
    return run->aggregate != NULL
               ? CUZK_OK
               : cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for an aggregate");
}

static int compare_sectors(const void *a, const void *b) {
    const cuzk_seal_statement *s = *(const cuzk_seal_statement *const *)a;
    const cuzk_seal_statement *t = *(const cuzk_seal_statement *const *)b;
    if (s->miner_id != t->miner_id) {
        return s->miner_id < t->miner_id ? -1 : 1;
    }
    return s->sector_number < t->sector_number ? -1 : s->sector_number > t->sector_number;
}

static cuzk_status refuse_duplicates(aggregate_run *run) {
    const size_t n = run->statement->n_sectors;
    const cuzk_seal_statement **sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL) {
        return cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for an aggregate");
    }
    for (size_t i = 0; i < n; i++) {
        sorted[i] = &run->statement->sectors[i];
    }
    qsort(sorted, n, sizeof *sorted, compare_sectors);
    cuzk_status status = CUZK_OK;
    for (size_t i = 1; i < n && status == CUZK_OK; i++) {
        if (compare_sectors(&sorted[i - 1], &sorted[i]) == 0) {
            status = cuzk_fail(run->err, CUZK_E_INPUT, "given twice");
            at_sector(run, (size_t)(sorted[i] - run->statement->sectors), status);
        }
    }
    free(sorted);
    return status;
}

static cuzk_status take_statements(aggregate_run *run) {
    const cuzk_aggregate_statement *q = run->statement;
    cuzk_status status = choose_type(run);
    if (status == CUZK_OK) {
        status = take_memory(run);
    }
    for (size_t i = 0; i < q->n_sectors && status == CUZK_OK; i++) {
        status = cuzk_seal_statement_take(&run->sectors[i], &q->sectors[i], run->err);
        if (status == CUZK_OK && run->sectors[i].type != run->type) {
            status = cuzk_fail(run->err, CUZK_E_INPUT,
                               "registered proof %u, but %u in the sector before: an aggregate "
                               "has one",
                               run->sectors[i].type->number, run->type->number);
        }
        if (status != CUZK_OK) {
            return at_sector(run, i, status);
        }
    }
    return status == CUZK_OK ? refuse_duplicates(run) : status;
}

/* What binds an aggregate to its sectors: groth16.md 5.8. */
static void hash_include(aggregate_run *run) {
    sha256_state hash;
    cuzk_sha256_init(&hash);
    for (size_t i = 0; i < run->statement->n_sectors; i++) {
        if (run->type->feature != POREP_NON_INTERACTIVE) {
            cuzk_sha256_update(&hash, run->statement->sectors[i].seed, 32);
        }
        cuzk_sha256_update(&hash, run->statement->sectors[i].comm_r, 32);
    }
    cuzk_sha256_final(&hash, run->include);
}

/* ---- public inputs ---- */

static void fill_row(void *arg, size_t i, unsigned worker) {
    (void)worker;
    aggregate_run *run = arg;
    const unsigned n = run->type->n_partitions;
    /* statement and partition are in range */
    cuzk_status status =
        cuzk_porep_inputs(run->x + i * run->n_x, &run->sectors[i / n], (unsigned)(i % n), NULL);
    CUZK_ASSERT(status == CUZK_OK);
}

static cuzk_status derive_inputs(aggregate_run *run) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_pool_run(&run->ctx, run->n_proofs, fill_row, run, run->err);
    const fr_plain *last = run->x + (run->n_proofs - 1) * run->n_x;
    for (size_t i = run->n_proofs; i < run->n_padded; i++) {
        memcpy(run->x + i * run->n_x, last, run->n_x * sizeof *last);
    }
    hash_include(run);
    cuzk_phase_end(&clock, "inputs");
    return status;
}

/* ---- the proofs of the sectors ---- */

static cuzk_status read_proofs_of(aggregate_run *run, size_t sector) {
    const cuzk_input *bytes = &run->proof_bytes[sector];
    const unsigned n = run->type->n_partitions;
    if (bytes->len_bytes != (size_t)n * GROTH16_PROOF_BYTES) {
        return cuzk_fail(run->err, CUZK_E_INPUT,
                         "the proof is %zu bytes long, expected %zu: %u of %d each",
                         bytes->len_bytes, (size_t)n * GROTH16_PROOF_BYTES, n, GROTH16_PROOF_BYTES);
    }
    for (unsigned k = 0; k < n; k++) {
        cuzk_status status = cuzk_groth16_proof_read(
            &run->proofs[sector * n + k], bytes->data + (size_t)k * GROTH16_PROOF_BYTES, run->err);
        if (status != CUZK_OK) {
            if (run->err != NULL) {
                cuzk_error_prefix(run->err, "partition %u: ", k);
                run->err->partition = k;
            }
            return status;
        }
    }
    return CUZK_OK;
}

static cuzk_status read_proofs(aggregate_run *run) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < run->statement->n_sectors && status == CUZK_OK; i++) {
        status = read_proofs_of(run, i);
        if (status != CUZK_OK) {
            at_sector(run, i, status);
            if (run->err != NULL && run->proof_bytes[i].name != NULL) {
                cuzk_error_at_file(run->err, run->proof_bytes[i].name, run->err->offset);
            }
        }
    }
    for (size_t i = run->n_proofs; i < run->n_padded && status == CUZK_OK; i++) {
        run->proofs[i] = run->proofs[run->n_proofs - 1];
    }
    cuzk_phase_end(&clock, "read");
    return status;
}

/* Appends to a text of `room` characters; what does not fit is left out whole. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t room,
                                                         const char *format, ...) {
    const size_t len = strlen(text);
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text + len, room - len, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room - len) {
        text[len] = '\0';
    }
}

/* Proofs that do not verify: for a person, and for programs as SECTOR/PARTITION. */
typedef struct bad_proofs {
    size_t n, first;
    char names[400], numbers[200];
} bad_proofs;

static void add_bad(bad_proofs *bad, const aggregate_run *run, size_t i) {
    const size_t sector = i / run->type->n_partitions, partition = i % run->type->n_partitions;
    const unsigned long long number = run->sectors[sector].sector_number;
    const char *name = run->proof_bytes[sector].name;
    const char *comma = bad->n > 0 ? "," : "";
    bad->first = bad->n == 0 ? i : bad->first;
    bad->n++;
    append(bad->names, sizeof bad->names, "%s sector %llu partition %zu (%.100s)", comma, number,
           partition, name != NULL ? name : "no name");
    append(bad->numbers, sizeof bad->numbers, "%s%llu/%zu", comma, number, partition);
}

/* A batch does not verify: says which of its proofs do not. */
static cuzk_status name_invalid(aggregate_run *run, const groth16_pvk *pvk) {
    bad_proofs bad = {0};
    for (size_t i = 0; i < run->n_proofs; i++) {
        cuzk_ctx_progress(&run->ctx, "check", i, run->n_proofs);
        cuzk_status status = cuzk_groth16_verify(&run->ctx, pvk, &run->proofs[i],
                                                 run->x + i * run->n_x, run->n_x, run->err);
        if (status == CUZK_E_PROOF_INVALID) {
            add_bad(&bad, run, i);
        } else if (status != CUZK_OK) {
            return status;
        }
    }
    if (bad.n == 0) {
        return cuzk_fail(run->err, CUZK_E_INTERNAL,
                         "proofs that verify one by one do not verify together");
    }
    cuzk_fail(run->err, CUZK_E_PROOF_INVALID,
              "%zu of %zu proofs do not verify:%s [bad=%zu of=%zu bad_proofs=%s]", bad.n,
              run->n_proofs, bad.names, bad.n, run->n_proofs, bad.numbers);
    if (run->err != NULL) {
        const unsigned n = run->type->n_partitions;
        run->err->sector = (int64_t)run->sectors[bad.first / n].sector_number;
        run->err->partition = (int64_t)(bad.first % n);
    }
    return CUZK_E_PROOF_INVALID;
}

static cuzk_status check_proofs(aggregate_run *run) {
    groth16_pvk *pvk = NULL;
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_groth16_pvk_create(&pvk, &run->key.vk, run->err);
    if (status == CUZK_OK) {
        status = cuzk_groth16_verify_batch(&run->ctx, pvk, run->proofs, run->x, run->n_x,
                                           run->n_proofs, run->err);
        if (status == CUZK_E_PROOF_INVALID) {
            status = name_invalid(run, pvk);
        }
    }
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_phase_end(&clock, "check");
    return status;
}

/* ---- parameters ---- */

/* Of the SRS, only as much as is needed is read: 2 powers to verify. */
static cuzk_status load_parameters(aggregate_run *run) {
    const cuzk_prover *prover = run->prover;
    const size_t wanted = run->proof_bytes != NULL ? 2 * run->n_padded : 2;
    param_set set;
    bool vk_local = false, srs_local = false;
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status = CUZK_OK;
    if (!cuzk_param_set_of(&set, CIRCUIT_POREP, run->type->size)) {
        status = cuzk_fail(run->err, CUZK_E_UNSUPPORTED, "there is no PoRep circuit for %s sectors",
                           run->type->size->name);
    }
    if (status == CUZK_OK) {
        snprintf(run->result->circuit, sizeof run->result->circuit, "%s", set.id);
        status = cuzk_param_files_init(&run->vk_paths, prover->param_cache, &set,
                                       prover->allow_local_params, run->err);
    }
    if (status == CUZK_OK) {
        status =
            cuzk_aggregation_files_init(&run->srs_paths, prover->param_cache, run->statement->srs,
                                        prover->allow_local_params, run->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_srs_load_vk(&run->key, &vk_local, &run->ctx, &run->vk_paths.srs, run->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_srs_accept_params(&srs_local, &run->ctx, &run->srs_paths.srs, run->err);
    }
    if (status == CUZK_OK) {
        status = cuzk_aggregate_srs_open(
            &run->srs, &run->ctx, run->srs_paths.params_path,
            wanted < AGGREGATE_SRS_PRODUCTION_POWERS ? wanted : AGGREGATE_SRS_PRODUCTION_POWERS,
            run->err);
    }
    run->result->local_params = vk_local || srs_local;
    cuzk_phase_end(&clock, "parameters");
    return status;
}

/* ---- the aggregate ---- */

static cuzk_status verify_bytes(aggregate_run *run, const uint8_t *bytes, size_t len_bytes) {
    phase_clock clock = {.result = run->result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_aggregate_read(run->aggregate, NULL, bytes, len_bytes, run->err);
    if (status == CUZK_OK && run->aggregate->n_proofs != run->n_padded) {
        status = cuzk_fail(run->err, CUZK_E_INPUT,
                           "an aggregate of %zu proofs, but %zu sectors of %u partitions make %zu",
                           run->aggregate->n_proofs, run->statement->n_sectors,
                           run->type->n_partitions, run->n_padded);
    }
    if (status == CUZK_OK) {
        status = cuzk_aggregate_verify(&run->ctx, run->srs, &run->key.vk, run->aggregate, run->x,
                                       run->n_x, run->n_padded,
                                       (aggregate_version)run->statement->version, run->include,
                                       sizeof run->include, run->err);
    }
    cuzk_phase_end(&clock, "verify");
    return status;
}

static cuzk_status make_bytes(aggregate_run *run) {
    cuzk_result *result = run->result;
    phase_clock clock = {.result = result};
    cuzk_phase_start(&clock);
    cuzk_status status = cuzk_aggregate_prove(
        &run->ctx, run->aggregate, run->srs, run->proofs, run->n_padded,
        (aggregate_version)run->statement->version, run->include, sizeof run->include, run->err);
    if (status == CUZK_E_BAD_PARAMS && run->err != NULL) {
        cuzk_error_at_file(run->err, run->srs_paths.params_path, CUZK_NOWHERE);
    }
    if (status == CUZK_OK) {
        result->n_partitions = (unsigned)run->n_proofs;
        result->proof_bytes = cuzk_aggregate_bytes(run->n_padded);
        result->proof = malloc(result->proof_bytes);
        status = result->proof == NULL
                     ? cuzk_fail(run->err, CUZK_E_NO_MEMORY, "no memory for an aggregate")
                     : cuzk_aggregate_write(result->proof, run->aggregate, run->err);
    }
    cuzk_phase_end(&clock, "aggregate");
    return status;
}

/* From its bytes, so that what is checked is what leaves. */
static cuzk_status verify_made(aggregate_run *run) {
    cuzk_status status = verify_bytes(run, run->result->proof, run->result->proof_bytes);
    if (status == CUZK_E_INPUT) {
        status = CUZK_E_PROOF_INVALID; /* no verifier could read it */
        if (run->err != NULL) {
            run->err->status = status;
        }
    }
    return status;
}

static void clear(aggregate_run *run) {
    cuzk_aggregate_srs_destroy(run->srs);
    cuzk_srs_vk_clear(&run->key);
    cuzk_block_free(&run->memory);
    free(run->aggregate);
}

/* One step after the other until one fails. */
typedef cuzk_status (*aggregate_step)(aggregate_run *run);

cuzk_status cuzk_aggregate_run(cuzk_prover *prover, cuzk_result *result,
                               const cuzk_aggregate_statement *statement, const cuzk_input *proofs,
                               cuzk_error *err) {
    static const aggregate_step steps[] = {take_statements, read_proofs,  load_parameters,
                                           derive_inputs,   check_proofs, make_bytes,
                                           verify_made};
    aggregate_run run = {.prover = prover,
                         .ctx = cuzk_prover_ctx(prover),
                         .result = result,
                         .statement = statement,
                         .proof_bytes = proofs,
                         .err = err};
    cuzk_rss_sampler *peak = NULL;
    cuzk_status status = cuzk_rss_start(&peak, err);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CUZK_OK; i++) {
        status = steps[i](&run);
    }
    if (peak != NULL) {
        result->peak_rss_bytes = cuzk_rss_stop(peak);
    }
    clear(&run);
    if (status != CUZK_OK) {
        cuzk_result_clear(result);
    }
    return status;
}

cuzk_status cuzk_aggregate_judge(cuzk_prover *prover, const cuzk_aggregate_statement *statement,
                                 const uint8_t *aggregate, size_t aggregate_bytes,
                                 cuzk_error *err) {
    cuzk_result result = {0};
    aggregate_run run = {.prover = prover,
                         .ctx = cuzk_prover_ctx(prover),
                         .result = &result,
                         .statement = statement,
                         .err = err};
    cuzk_status status = take_statements(&run);
    if (status == CUZK_OK) {
        status = load_parameters(&run);
    }
    if (status == CUZK_OK) {
        status = derive_inputs(&run);
    }
    if (status == CUZK_OK) {
        status = verify_bytes(&run, aggregate, aggregate_bytes);
    }
    clear(&run);
    return status;
}
