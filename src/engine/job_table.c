/* The table of jobs. */
#include "engine/job_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "hash/blake2.h"

struct job_table {
    job *oldest, *newest;
    uint64_t last_serial;
    uint64_t result_ttl_ns;
    size_t max_results;
    job_counters counters; /* without pending and in_progress */
};

/* ---- digest ---- */

static void digest_number(blake2b *h, uint64_t n) {
    uint8_t bytes[8];
    store_le64(bytes, n);
    cuzk_blake2b_update(h, bytes, sizeof bytes);
}

static void digest_bytes(blake2b *h, const uint8_t *data, size_t len_bytes) {
    digest_number(h, len_bytes);
    if (len_bytes != 0) {
        cuzk_blake2b_update(h, data, len_bytes);
    }
}

static void digest_optional(blake2b *h, const uint8_t *data) {
    digest_bytes(h, data, data != NULL ? 32 : 0);
}

void cuzk_job_digest(uint8_t digest[JOB_DIGEST_BYTES], const cuzk_request *request) {
    blake2b *h = cuzk_blake2b_create();
    const uint64_t numbers[] = {request->kind,
                                request->registered_proof,
                                request->miner_id,
                                request->sector_number,
                                request->has_sector_number,
                                request->whole_partition,
                                request->partition_index,
                                request->only_one,
                                request->only_partition,
                                request->n_inputs};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        digest_number(h, numbers[i]);
    }
    const uint8_t *const values[] = {request->randomness,      request->comm_r_old,
                                     request->comm_r_new,      request->comm_d_new,
                                     request->insecure_test_r, request->insecure_test_s};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        digest_optional(h, values[i]);
    }
    for (size_t i = 0; i < request->n_inputs; i++) {
        digest_bytes(h, request->inputs[i].data, request->inputs[i].len_bytes);
    }
    uint8_t whole[BLAKE2B_BYTES];
    cuzk_blake2b_final(h, whole);
    memcpy(digest, whole, JOB_DIGEST_BYTES);
}

/* ---- lists ---- */

void cuzk_job_queue_append(job_queue *queue, job *j) {
    cuzk_job_queue_leave(j);
    j->queue = queue;
    j->queue_prev = queue->last;
    *(queue->last != NULL ? &queue->last->queue_next : &queue->first) = j;
    queue->last = j;
    queue->length++;
}

void cuzk_job_queue_leave(job *j) {
    job_queue *queue = j->queue;
    if (queue == NULL) {
        return;
    }
    *(j->queue_prev != NULL ? &j->queue_prev->queue_next : &queue->first) = j->queue_next;
    *(j->queue_next != NULL ? &j->queue_next->queue_prev : &queue->last) = j->queue_prev;
    queue->length--;
    j->queue = NULL;
    j->queue_prev = j->queue_next = NULL;
}

static void table_append(job_table *table, job *j) {
    j->older = table->newest;
    *(table->newest != NULL ? &table->newest->newer : &table->oldest) = j;
    table->newest = j;
}

static void table_remove(job_table *table, job *j) {
    *(j->older != NULL ? &j->older->newer : &table->oldest) = j->newer;
    *(j->newer != NULL ? &j->newer->older : &table->newest) = j->older;
}

/* ---- the table ---- */

cuzk_status cuzk_job_table_create(job_table **table, uint64_t result_ttl_ns, size_t max_results,
                                  cuzk_error *err) {
    job_table *t = calloc(1, sizeof *t);
    *table = t;
    if (t == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for the table of jobs");
    }
    t->result_ttl_ns = result_ttl_ns;
    t->max_results = max_results;
    return CUZK_OK;
}

static void destroy_job(job *j) {
    CUZK_ASSERT(j->waiters == NULL);
    free(j->id);
    free(j->request_id);
    free(j->partitions);
    free(j->proof);
    free(j);
}

void cuzk_job_table_destroy(job_table *table) {
    if (table == NULL) {
        return;
    }
    for (job *j = table->oldest, *next; j != NULL; j = next) {
        next = j->newer;
        destroy_job(j);
    }
    free(table);
}

job *cuzk_job_oldest(const job_table *table) { return table->oldest; }

job *cuzk_job_find(const job_table *table, const char *id) {
    job *j = table->newest;
    while (j != NULL && strcmp(j->id, id) != 0) {
        j = j->older;
    }
    return j;
}

/* The newest job of a request id with that digest (same) or another (not same). */
static job *find_request(const job_table *table, const job_ticket *ticket, bool same) {
    for (job *j = table->newest; j != NULL; j = j->older) {
        if (strcmp(j->request_id, ticket->request_id) == 0 &&
            (memcmp(j->digest, ticket->digest, JOB_DIGEST_BYTES) == 0) == same) {
            return j;
        }
    }
    return NULL;
}

/* ---- submission ---- */

#define UUID_CHARS 36

static cuzk_status draw_uuid(char id[UUID_CHARS + 1], cuzk_error *err) {
    uint8_t b[16];
    cuzk_status status = cuzk_entropy(b, sizeof b, err);
    if (status != CUZK_OK) {
        return status;
    }
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40); /* version 4 */
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80); /* variant of RFC 9562 */
    char *out = id;
    for (size_t i = 0; i < sizeof b; i++) {
        bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        out += sprintf(out, "%s%02x", dash ? "-" : "", b[i]);
    }
    return CUZK_OK;
}

/* id  out  room for the request id, '#', the whole digest in hex and a zero */
static void qualified_id(char *id, const job_table *table, const job_ticket *ticket) {
    char *out = id + sprintf(id, "%s#", ticket->request_id);
    for (size_t i = 0; i < JOB_DIGEST_BYTES; i++) {
        out += sprintf(out, "%02x", ticket->digest[i]);
        if (i >= 3 && cuzk_job_find(table, id) == NULL) {
            break;
        }
    }
}

static cuzk_status name_job(char *id, const job_table *table, const job_ticket *ticket,
                            cuzk_error *err) {
    if (ticket->request_id[0] == '\0') {
        return draw_uuid(id, err);
    }
    const job *earlier = find_request(table, ticket, true);
    if (earlier != NULL) {
        strcpy(id, earlier->id);
    } else if (find_request(table, ticket, false) != NULL ||
               cuzk_job_find(table, ticket->request_id) != NULL) {
        qualified_id(id, table, ticket);
    } else {
        strcpy(id, ticket->request_id);
    }
    return CUZK_OK;
}

static size_t count_living(const job_table *table) {
    size_t n = 0;
    for (const job *j = table->oldest; j != NULL; j = j->newer) {
        n += !job_ended(j);
    }
    return n;
}

static cuzk_status create_job(job_table *table, job **out, const job_ticket *ticket,
                              uint64_t now_ns, cuzk_error *err) {
    char id[JOB_ID_MAX + 1];
    if (count_living(table) >= JOB_LIVING_MAX) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%d jobs are unfinished, more are not taken",
                         JOB_LIVING_MAX);
    }
    cuzk_status status = name_job(id, table, ticket, err);
    if (status != CUZK_OK) {
        return status;
    }
    job *j = calloc(1, sizeof *j);
    if (j == NULL || (j->id = strdup(id)) == NULL ||
        (j->request_id = strdup(ticket->request_id)) == NULL) {
        if (j != NULL) {
            destroy_job(j);
        }
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a job");
    }
    j->serial = ++table->last_serial;
    memcpy(j->digest, ticket->digest, JOB_DIGEST_BYTES);
    j->kind = ticket->kind;
    j->priority = ticket->priority;
    j->keeps_going = ticket->keeps_going;
    j->submitted_ns = j->unwatched_since_ns = now_ns;
    cuzk_error_clear(&j->error);
    table_append(table, j);
    *out = j;
    return CUZK_OK;
}

static void attach(job *j, const job_ticket *ticket) {
    if (ticket->priority > j->priority) {
        j->priority = ticket->priority;
    }
    j->keeps_going = j->keeps_going || ticket->keeps_going;
}

cuzk_status cuzk_job_submit(job_table *table, job **j, job_origin *origin, const job_ticket *ticket,
                            uint64_t now_ns, cuzk_error *err) {
    CUZK_ASSERT(ticket->kind > 0 && ticket->kind < JOB_KINDS);
    job_ticket t = *ticket;
    if (t.request_id == NULL) {
        t.request_id = "";
    }
    size_t len = strlen(t.request_id);
    if (len > JOB_REQUEST_ID_MAX) {
        return cuzk_fail(err, CUZK_E_INPUT, "the request id is %zu bytes long, at most %d", len,
                         JOB_REQUEST_ID_MAX);
    }
    job *earlier = len != 0 ? find_request(table, &t, true) : NULL;
    if (earlier != NULL && !job_ended(earlier)) {
        attach(earlier, &t);
        table->counters.attached++;
        *origin = JOB_ATTACHED;
    } else if (earlier != NULL && earlier->state == JOB_COMPLETED) {
        table->counters.retained++;
        *origin = JOB_RETAINED;
    } else {
        *origin = JOB_NEW;
        return create_job(table, j, &t, now_ns, err);
    }
    *j = earlier;
    return CUZK_OK;
}

/* ---- forgetting ---- */

void cuzk_job_table_expire(job_table *table, uint64_t now_ns) {
    size_t n_ended = 0;
    for (const job *j = table->oldest; j != NULL; j = j->newer) {
        n_ended += job_ended(j);
    }
    for (job *j = table->oldest, *next; j != NULL; j = next) {
        next = j->newer;
        if (!job_ended(j) || j->n_uses != 0) {
            continue;
        }
        if (n_ended > table->max_results || now_ns - j->ended_ns >= table->result_ttl_ns) {
            table_remove(table, j);
            destroy_job(j);
            n_ended--;
        }
    }
}

job *cuzk_job_abandoned(const job_table *table, uint64_t now_ns, uint64_t grace_ns) {
    for (job *j = table->oldest; j != NULL; j = j->newer) {
        if (j->state < JOB_PARSING && !j->keeps_going && j->waiters == NULL &&
            now_ns - j->unwatched_since_ns >= grace_ns) {
            return j;
        }
    }
    return NULL;
}

/* ---- a job's way ---- */

void cuzk_job_enter(job *j, job_state state, uint64_t now_ns) {
    CUZK_ASSERT(!job_ended(j) && state < JOB_COMPLETED);
    CUZK_ASSERT(state > j->state || (j->state == JOB_VERIFYING && state == JOB_RUNNING));
    if (state == JOB_PARSING) {
        j->parsing_ns = now_ns;
    }
    j->state = state;
}

cuzk_status cuzk_job_split(job *j, unsigned n_partitions, cuzk_error *err) {
    CUZK_ASSERT(j->partitions == NULL);
    if (n_partitions == 0 || n_partitions > JOB_PARTITIONS_MAX) {
        return cuzk_fail(err, CUZK_E_RANGE, "%u partitions, but a job has 1 to %d", n_partitions,
                         JOB_PARTITIONS_MAX);
    }
    job_partition *partitions = calloc(n_partitions, sizeof *partitions);
    uint8_t *proof = calloc(n_partitions, GROTH16_PROOF_BYTES);
    if (partitions == NULL || proof == NULL) {
        free(partitions);
        free(proof);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %u partitions", n_partitions);
    }
    j->partitions = partitions;
    j->proof = proof;
    j->n_partitions = n_partitions;
    return CUZK_OK;
}

const char *cuzk_partition_state_name(partition_state state) {
    static const char *const names[] = {"pending", "synthesizing", "synth_done",
                                        "gpu",     "done",         "failed"};
    return names[state];
}

/* Ends the stage that the partition is in. */
static void end_stage(job *j, job_partition *p, uint64_t now_ns) {
    if (p->state == PARTITION_SYNTHESIZING) {
        p->synth_ns = now_ns - p->synth_start_ns;
        j->synthesis_ns += p->synth_ns;
    } else if (p->state == PARTITION_PROVING) {
        p->prove_ns = now_ns - p->prove_start_ns;
        j->proving_ns += p->prove_ns;
    }
}

void cuzk_job_partition_enter(job *j, unsigned partition, partition_state state, uint64_t now_ns) {
    CUZK_ASSERT(partition < j->n_partitions);
    job_partition *p = &j->partitions[partition];
    CUZK_ASSERT(p->state < PARTITION_DONE);
    CUZK_ASSERT(state == PARTITION_FAILED || (state == p->state + 1 && state <= PARTITION_PROVING));
    end_stage(j, p, now_ns);
    p->state = state;
    if (state == PARTITION_SYNTHESIZING) {
        p->synth_start_ns = now_ns;
    } else if (state == PARTITION_PROVING) {
        p->prove_start_ns = now_ns;
    }
}

cuzk_status cuzk_job_place_proof(job *j, unsigned partition, const uint8_t *proof,
                                 size_t proof_bytes, uint64_t now_ns, cuzk_error *err) {
    if (proof_bytes != GROTH16_PROOF_BYTES) {
        return cuzk_fail(err, CUZK_E_INTERNAL, "proof bytes length mismatch: %zu, expected %d",
                         proof_bytes, GROTH16_PROOF_BYTES);
    }
    if (partition >= j->n_partitions) {
        return cuzk_fail(err, CUZK_E_INTERNAL, "partition %u >= total %u", partition,
                         j->n_partitions);
    }
    job_partition *p = &j->partitions[partition];
    if (p->state == PARTITION_DONE) {
        return cuzk_fail(err, CUZK_E_INTERNAL, "partition %u already inserted", partition);
    }
    if (p->state != PARTITION_PROVING) {
        return cuzk_fail(err, CUZK_E_INTERNAL, "partition %u is not being proved", partition);
    }
    memcpy(j->proof + (size_t)partition * GROTH16_PROOF_BYTES, proof, GROTH16_PROOF_BYTES);
    end_stage(j, p, now_ns);
    p->state = PARTITION_DONE;
    return CUZK_OK;
}

void cuzk_job_place_stored(job *j, unsigned partition, const uint8_t proof[GROTH16_PROOF_BYTES]) {
    CUZK_ASSERT(partition < j->n_partitions);
    CUZK_ASSERT(j->partitions[partition].state == PARTITION_PENDING);
    memcpy(j->proof + (size_t)partition * GROTH16_PROOF_BYTES, proof, GROTH16_PROOF_BYTES);
    j->partitions[partition].state = PARTITION_DONE;
}

unsigned cuzk_job_count_partitions(const job *j, partition_state state) {
    unsigned n = 0;
    for (unsigned i = 0; i < j->n_partitions; i++) {
        n += j->partitions[i].state == state;
    }
    return n;
}

bool cuzk_job_all_placed(const job *j) {
    return j->n_partitions != 0 && cuzk_job_count_partitions(j, PARTITION_DONE) == j->n_partitions;
}

/* ---- waiting and ends ---- */

static void unlink_waiter(job_waiter *w) {
    *(w->prev != NULL ? &w->prev->next : &w->job->waiters) = w->next;
    if (w->next != NULL) {
        w->next->prev = w->prev;
    }
    w->job = NULL;
    w->prev = w->next = NULL;
}

void cuzk_job_watch(job *j, job_waiter *waiter) {
    CUZK_ASSERT(waiter->job == NULL);
    if (job_ended(j)) {
        waiter->notify(waiter->arg, j);
        return;
    }
    waiter->job = j;
    waiter->prev = NULL;
    waiter->next = j->waiters;
    if (j->waiters != NULL) {
        j->waiters->prev = waiter;
    }
    j->waiters = waiter;
}

void cuzk_job_leave(job_waiter *waiter, uint64_t now_ns) {
    job *j = waiter->job;
    if (j == NULL) {
        return;
    }
    unlink_waiter(waiter);
    if (j->waiters == NULL) {
        j->unwatched_since_ns = now_ns;
    }
}

static void end_job(job *j, job_state state, uint64_t now_ns) {
    CUZK_ASSERT(!job_ended(j));
    j->state = state;
    j->ended_ns = now_ns;
    while (j->waiters != NULL) {
        job_waiter *w = j->waiters;
        unlink_waiter(w); /* before the call: the waiter's storage may end with it */
        w->notify(w->arg, j);
    }
}

void cuzk_job_complete(job_table *table, job *j, uint64_t now_ns) {
    CUZK_ASSERT(cuzk_job_all_placed(j));
    table->counters.completed[j->kind]++;
    table->counters.completed_ns[j->kind] += now_ns - j->submitted_ns;
    end_job(j, JOB_COMPLETED, now_ns);
}

/* Partitions that are not done have failed with the job. */
static void drop_partitions(job *j, uint64_t now_ns) {
    for (unsigned i = 0; i < j->n_partitions; i++) {
        if (j->partitions[i].state < PARTITION_DONE) {
            cuzk_job_partition_enter(j, i, PARTITION_FAILED, now_ns);
        }
    }
}

void cuzk_job_fail(job_table *table, job *j, const cuzk_error *error, uint64_t now_ns) {
    table->counters.failed[j->kind]++;
    j->error = *error;
    drop_partitions(j, now_ns);
    end_job(j, JOB_FAILED, now_ns);
}

void cuzk_job_cancel(job_table *table, job *j, const cuzk_error *error, uint64_t now_ns) {
    table->counters.cancelled[j->kind]++;
    j->error = *error;
    drop_partitions(j, now_ns);
    end_job(j, JOB_CANCELLED, now_ns);
}

/* ---- reports ---- */

job_timings cuzk_job_timings(const job *j, uint64_t now_ns) {
    uint64_t end = job_ended(j) ? j->ended_ns : now_ns;
    uint64_t waited_until = j->parsing_ns != 0 ? j->parsing_ns : end;
    return (job_timings){.queue_wait_ms = (waited_until - j->submitted_ns) / NS_PER_MS,
                         .srs_load_ms = j->parameters_ns / NS_PER_MS,
                         .synthesis_ms = j->synthesis_ns / NS_PER_MS,
                         .gpu_compute_ms = j->proving_ns / NS_PER_MS,
                         .total_ms = (end - j->submitted_ns) / NS_PER_MS};
}

void cuzk_job_count(job_counters *counters, const job_table *table) {
    *counters = table->counters;
    for (const job *j = table->oldest; j != NULL; j = j->newer) {
        if (!job_ended(j)) {
            (j->started ? counters->in_progress : counters->pending)[j->kind]++;
        }
    }
}
