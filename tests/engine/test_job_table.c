/* Jobs: digests, the rules of identity, states, waiters, assembly, times, retention. */
#include "engine/job_table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define MS 1000000u
#define SECOND (1000u * (uint64_t)MS)

static job_table *make_table(void) {
    job_table *table;
    assert_int_equal(cuzk_job_table_create(&table, 3600 * SECOND, 3, NULL), CUZK_OK);
    return table;
}

static job_ticket ticket_of(const char *id, uint8_t content) {
    job_ticket t = {.request_id = id, .kind = CUZK_POREP, .priority = CUZK_NORMAL};
    memset(t.digest, content, sizeof t.digest);
    return t;
}

static job *submit(job_table *table, const char *id, uint8_t content, job_origin expected,
                   uint64_t now_ns) {
    job *j;
    job_origin origin;
    job_ticket t = ticket_of(id, content);
    assert_int_equal(cuzk_job_submit(table, &j, &origin, &t, now_ns, NULL), CUZK_OK);
    assert_int_equal(origin, expected);
    return j;
}

static void run_to_end(job_table *table, job *j, uint64_t now_ns) {
    uint8_t proof[GROTH16_PROOF_BYTES] = {1};
    cuzk_job_enter(j, JOB_PARSING, now_ns);
    assert_int_equal(cuzk_job_split(j, 1, NULL), CUZK_OK);
    for (int s = PARTITION_SYNTHESIZING; s <= PARTITION_PROVING; s++) {
        cuzk_job_partition_enter(j, 0, (partition_state)s, now_ns);
    }
    assert_int_equal(cuzk_job_place_proof(j, 0, proof, sizeof proof, now_ns, NULL), CUZK_OK);
    cuzk_job_complete(table, j, now_ns);
}

static void break_job(job_table *table, job *j, uint64_t now_ns) {
    cuzk_error e;
    cuzk_fail(&e, CUZK_E_INPUT, "broken");
    cuzk_job_fail(table, j, &e, now_ns);
}

/* ---- digests ---- */

static void every_part_changes_the_digest(void **state) {
    (void)state;
    static const uint8_t a[32] = {1}, b[32] = {2};
    const cuzk_input whole[] = {{a, 32, "x"}, {b, 7, "y"}};
    const cuzk_input shifted[] = {{a, 31, "x"}, {b, 8, "y"}};
    const cuzk_input renamed[] = {{a, 32, "other"}, {b, 7, NULL}};
    const cuzk_input swapped[] = {{b, 7, "x"}, {a, 32, "y"}};
    const cuzk_request base = {.kind = CUZK_SNAP, .inputs = whole, .n_inputs = 2};
    cuzk_request v[20];
    for (size_t i = 0; i < 20; i++) {
        v[i] = base;
    }
    v[1].kind = CUZK_POREP;
    v[2].registered_proof = 1;
    v[3].miner_id = 1;
    v[4].sector_number = 1;
    v[5].has_sector_number = true;
    v[6].randomness = a;
    v[7].randomness = b;
    v[8].comm_r_old = a;
    v[9].comm_r_new = a;
    v[10].comm_d_new = a;
    v[11].whole_partition = true;
    v[12].partition_index = 1;
    v[13].only_one = true;
    v[14].only_partition = 1;
    v[15].insecure_test_r = a;
    v[16].insecure_test_s = a;
    v[17].inputs = shifted;
    v[18].inputs = swapped;
    v[19].n_inputs = 1;
    uint8_t digests[20][JOB_DIGEST_BYTES], again[JOB_DIGEST_BYTES];
    for (size_t i = 0; i < 20; i++) {
        cuzk_job_digest(digests[i], &v[i]);
        for (size_t k = 0; k < i; k++) {
            assert_memory_not_equal(digests[i], digests[k], JOB_DIGEST_BYTES);
        }
    }
    v[0].inputs = renamed;
    cuzk_job_digest(again, &v[0]);
    assert_memory_equal(again, digests[0], JOB_DIGEST_BYTES);
}

/* ---- identity ---- */

static void same_request_is_one_job(void **state) {
    (void)state;
    job_table *table = make_table();
    job *first = submit(table, "porep-1-2", 7, JOB_NEW, 0);
    assert_string_equal(first->id, "porep-1-2");
    assert_int_equal(first->serial, 1);
    job_ticket urgent = ticket_of("porep-1-2", 7);
    urgent.priority = CUZK_HIGH;
    urgent.keeps_going = true;
    job *j;
    job_origin origin;
    assert_int_equal(cuzk_job_submit(table, &j, &origin, &urgent, 1, NULL), CUZK_OK);
    assert_ptr_equal(j, first);
    assert_int_equal(origin, JOB_ATTACHED);
    assert_int_equal(first->priority, CUZK_HIGH);
    assert_true(first->keeps_going);
    /* A later submission of lower priority takes nothing away. */
    assert_ptr_equal(submit(table, "porep-1-2", 7, JOB_ATTACHED, 2), first);
    assert_int_equal(first->priority, CUZK_HIGH);
    assert_true(first->keeps_going);
    /* Still one while it runs, and its proof is kept after it. */
    cuzk_job_enter(first, JOB_PARSING, 3);
    assert_ptr_equal(submit(table, "porep-1-2", 7, JOB_ATTACHED, 3), first);
    cuzk_job_cancel(table, first, &first->error, 4);
    job *second = submit(table, "porep-1-2", 7, JOB_NEW, 5);
    assert_ptr_not_equal(second, first);
    assert_string_equal(second->id, "porep-1-2");
    run_to_end(table, second, 6);
    assert_ptr_equal(submit(table, "porep-1-2", 7, JOB_RETAINED, 7), second);
    /* By its id, the newest. */
    assert_ptr_equal(cuzk_job_find(table, "porep-1-2"), second);
    assert_null(cuzk_job_find(table, "porep-1-3"));
    cuzk_job_table_destroy(table);
}

static void failed_request_runs_again(void **state) {
    (void)state;
    job_table *table = make_table();
    job *first = submit(table, "snap-1-2", 7, JOB_NEW, 0);
    break_job(table, first, 1);
    job *second = submit(table, "snap-1-2", 7, JOB_NEW, 2);
    assert_ptr_not_equal(second, first);
    assert_string_equal(second->id, first->id);
    assert_ptr_equal(submit(table, "snap-1-2", 7, JOB_ATTACHED, 3), second);
    break_job(table, second, 4);
    cuzk_job_table_destroy(table);
}

static void other_payload_is_another_job(void **state) {
    (void)state;
    job_table *table = make_table();
    static const char id[] = "wdpost-1000-0-[1 2 3 4 5 6 7 8]";
    job *first = submit(table, id, 0xab, JOB_NEW, 0);
    job *second = submit(table, id, 0xcd, JOB_NEW, 0);
    assert_string_equal(second->id, "wdpost-1000-0-[1 2 3 4 5 6 7 8]#cdcdcdcd");
    assert_ptr_equal(cuzk_job_find(table, first->id), first);
    assert_ptr_equal(cuzk_job_find(table, second->id), second);
    /* Each is found again by its payload, also after a failure. */
    assert_ptr_equal(submit(table, id, 0xab, JOB_ATTACHED, 1), first);
    assert_ptr_equal(submit(table, id, 0xcd, JOB_ATTACHED, 1), second);
    break_job(table, second, 2);
    job *third = submit(table, id, 0xcd, JOB_NEW, 3);
    assert_string_equal(third->id, second->id);
    assert_ptr_equal(cuzk_job_find(table, second->id), third);
    assert_int_equal(first->state, JOB_RECEIVED);

    /* Digests that begin alike get longer ids; an id that looks like another's is not mistaken. */
    job_ticket t = ticket_of(id, 0xcd);
    t.digest[31] = 0;
    job *j;
    job_origin origin;
    assert_int_equal(cuzk_job_submit(table, &j, &origin, &t, 4, NULL), CUZK_OK);
    assert_int_equal(origin, JOB_NEW);
    assert_string_equal(j->id, "wdpost-1000-0-[1 2 3 4 5 6 7 8]#cdcdcdcdcd");
    job *imitation = submit(table, "wdpost-1000-0-[1 2 3 4 5 6 7 8]#cdcdcdcd", 0xee, JOB_NEW, 5);
    assert_string_equal(imitation->id, "wdpost-1000-0-[1 2 3 4 5 6 7 8]#cdcdcdcd#eeeeeeee");
    cuzk_job_table_destroy(table);
}

static void requests_without_id_are_never_shared(void **state) {
    (void)state;
    job_table *table = make_table();
    job *first = submit(table, "", 7, JOB_NEW, 0);
    job *second = submit(table, NULL, 7, JOB_NEW, 0);
    assert_ptr_not_equal(first, second);
    assert_string_not_equal(first->id, second->id);
    assert_int_equal(strlen(first->id), 36);
    for (size_t i = 0; i < 36; i++) {
        char c = first->id[i];
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            assert_int_equal(c, '-');
        } else {
            assert_non_null(strchr("0123456789abcdef", c));
        }
    }
    assert_int_equal(first->id[14], '4');
    assert_non_null(strchr("89ab", first->id[19]));
    run_to_end(table, first, 1);
    assert_ptr_not_equal(submit(table, "", 7, JOB_NEW, 2), first);
    cuzk_job_table_destroy(table);
}

static void long_request_ids_are_refused(void **state) {
    (void)state;
    job_table *table = make_table();
    char id[JOB_REQUEST_ID_MAX + 2];
    memset(id, 'x', sizeof id);
    id[JOB_REQUEST_ID_MAX] = '\0';
    job *first = submit(table, id, 1, JOB_NEW, 0);
    assert_string_equal(first->id, id);
    job *second = submit(table, id, 2, JOB_NEW, 0);
    assert_int_equal(strlen(second->id), JOB_REQUEST_ID_MAX + 9);
    id[JOB_REQUEST_ID_MAX] = 'x';
    id[JOB_REQUEST_ID_MAX + 1] = '\0';
    job_ticket t = ticket_of(id, 1);
    job *j;
    job_origin origin;
    cuzk_error err;
    assert_int_equal(cuzk_job_submit(table, &j, &origin, &t, 0, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "the request id is 1025 bytes long, at most 1024");
    cuzk_job_table_destroy(table);
}

/* ---- waiters ---- */

typedef struct listener {
    job_waiter waiter;
    unsigned n_calls;
    job_state state;
} listener;

static void heard(void *arg, const job *j) {
    listener *l = arg;
    l->n_calls++;
    l->state = j->state;
}

static void watch(job *j, listener *l) {
    *l = (listener){.waiter = {.notify = heard, .arg = l}};
    cuzk_job_watch(j, &l->waiter);
}

static void every_waiter_hears_once(void **state) {
    (void)state;
    job_table *table = make_table();
    job *j = submit(table, "a", 1, JOB_NEW, 0);
    listener l[5];
    for (size_t i = 0; i < 4; i++) {
        watch(j, &l[i]);
    }
    /* Whoever leaves hears nothing: first, middle, last; leaving twice does no harm. */
    cuzk_job_leave(&l[1].waiter, 1);
    cuzk_job_leave(&l[3].waiter, 1);
    cuzk_job_leave(&l[3].waiter, 1);
    run_to_end(table, j, 2);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(l[i].n_calls, i % 2 == 0);
        cuzk_job_leave(&l[i].waiter, 3);
    }
    assert_int_equal(l[0].state, JOB_COMPLETED);
    watch(j, &l[4]); /* too late to wait: hears at once */
    assert_int_equal(l[4].n_calls, 1);
    assert_null(l[4].waiter.job);

    job *other = submit(table, "b", 1, JOB_NEW, 4);
    watch(other, &l[0]);
    break_job(table, other, 5);
    assert_int_equal(l[0].n_calls, 1);
    assert_int_equal(l[0].state, JOB_FAILED);
    assert_string_equal(other->error.text, "broken");
    cuzk_job_table_destroy(table);
}

static void jobs_without_waiters_are_given_up(void **state) {
    (void)state;
    job_table *table = make_table();
    job *j = submit(table, "a", 1, JOB_NEW, 0);
    listener l, second;
    watch(j, &l);
    assert_null(cuzk_job_abandoned(table, 100 * SECOND, 30 * SECOND));
    watch(j, &second);
    cuzk_job_leave(&l.waiter, 100 * SECOND);
    assert_null(cuzk_job_abandoned(table, 200 * SECOND, 30 * SECOND));
    cuzk_job_leave(&second.waiter, 200 * SECOND);
    assert_null(cuzk_job_abandoned(table, 230 * SECOND - 1, 30 * SECOND));
    assert_ptr_equal(cuzk_job_abandoned(table, 230 * SECOND, 30 * SECOND), j);
    /* Not if somebody came back, if it has begun, or if it was submitted without waiting. */
    watch(j, &l);
    assert_null(cuzk_job_abandoned(table, 300 * SECOND, 30 * SECOND));
    cuzk_job_leave(&l.waiter, 300 * SECOND);
    cuzk_job_enter(j, JOB_QUEUED, 300 * SECOND);
    assert_ptr_equal(cuzk_job_abandoned(table, 330 * SECOND, 30 * SECOND), j);
    j->keeps_going = true;
    assert_null(cuzk_job_abandoned(table, 400 * SECOND, 30 * SECOND));
    j->keeps_going = false;
    cuzk_job_enter(j, JOB_PARSING, 330 * SECOND);
    assert_null(cuzk_job_abandoned(table, 400 * SECOND, 30 * SECOND));
    cuzk_job_table_destroy(table);
}

/* ---- states, assembly, times ---- */

static void partitions_arrive_in_any_order(void **state) {
    (void)state;
    job_table *table = make_table();
    job *j = submit(table, "a", 1, JOB_NEW, 10 * MS);
    cuzk_job_enter(j, JOB_QUEUED, 10 * MS);
    cuzk_job_enter(j, JOB_BATCHING, 20 * MS);
    cuzk_job_enter(j, JOB_PARSING, 110 * MS);
    assert_int_equal(cuzk_job_timings(j, 200 * MS).queue_wait_ms, 100);
    assert_int_equal(cuzk_job_split(j, 3, NULL), CUZK_OK);
    cuzk_job_enter(j, JOB_RUNNING, 200 * MS);
    uint8_t proof[GROTH16_PROOF_BYTES];
    static const unsigned order[] = {2, 0, 1};
    cuzk_error err;
    assert_int_equal(cuzk_job_place_proof(j, 0, proof, 192, 0, &err), CUZK_E_INTERNAL);
    assert_string_equal(err.text, "partition 0 is not being proved");
    for (unsigned i = 0; i < 3; i++) {
        unsigned k = order[i];
        uint64_t t = (1000 + 100 * i) * (uint64_t)MS;
        assert_false(cuzk_job_all_placed(j));
        cuzk_job_partition_enter(j, k, PARTITION_SYNTHESIZING, t);
        cuzk_job_partition_enter(j, k, PARTITION_SYNTH_DONE, t + 10 * MS);
        cuzk_job_partition_enter(j, k, PARTITION_PROVING, t + 15 * MS);
        memset(proof, (int)(k + 1), sizeof proof);
        assert_int_equal(cuzk_job_place_proof(j, k, proof, 191, t, &err), CUZK_E_INTERNAL);
        assert_string_equal(err.text, "proof bytes length mismatch: 191, expected 192");
        assert_int_equal(cuzk_job_place_proof(j, k, proof, 192, t + 40 * MS, &err), CUZK_OK);
        assert_int_equal(j->partitions[k].synth_ns, 10 * MS);
        assert_int_equal(j->partitions[k].prove_ns, 25 * MS);
    }
    assert_int_equal(cuzk_job_place_proof(j, 2, proof, 192, 0, &err), CUZK_E_INTERNAL);
    assert_string_equal(err.text, "partition 2 already inserted");
    assert_int_equal(cuzk_job_place_proof(j, 3, proof, 192, 0, &err), CUZK_E_INTERNAL);
    assert_string_equal(err.text, "partition 3 >= total 3");
    assert_true(cuzk_job_all_placed(j));
    cuzk_job_enter(j, JOB_VERIFYING, 1250 * MS);
    cuzk_job_enter(j, JOB_RUNNING, 1255 * MS);
    cuzk_job_enter(j, JOB_VERIFYING, 1260 * MS);
    cuzk_job_complete(table, j, 1310 * (uint64_t)MS);
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(j->proof[k * 192], k + 1);
        assert_int_equal(j->proof[k * 192 + 191], k + 1);
    }
    job_timings t = cuzk_job_timings(j, 99999 * (uint64_t)MS);
    assert_int_equal(t.queue_wait_ms, 100);
    assert_int_equal(t.synthesis_ms, 30);
    assert_int_equal(t.gpu_compute_ms, 75);
    assert_int_equal(t.srs_load_ms, 0);
    assert_int_equal(t.total_ms, 1300);
    cuzk_job_table_destroy(table);
}

static void failure_marks_partitions(void **state) {
    (void)state;
    job_table *table = make_table();
    job *j = submit(table, "a", 1, JOB_NEW, 0);
    cuzk_job_enter(j, JOB_PARSING, 0);
    assert_int_equal(cuzk_job_split(j, 2, NULL), CUZK_OK);
    cuzk_job_partition_enter(j, 1, PARTITION_SYNTHESIZING, 0);
    break_job(table, j, 5 * MS);
    assert_string_equal(cuzk_partition_state_name(j->partitions[0].state), "failed");
    assert_string_equal(cuzk_partition_state_name(j->partitions[1].state), "failed");
    assert_int_equal(cuzk_job_timings(j, 9 * MS).synthesis_ms, 5);
    assert_string_equal(cuzk_partition_state_name(PARTITION_PENDING), "pending");
    assert_string_equal(cuzk_partition_state_name(PARTITION_SYNTHESIZING), "synthesizing");
    assert_string_equal(cuzk_partition_state_name(PARTITION_SYNTH_DONE), "synth_done");
    assert_string_equal(cuzk_partition_state_name(PARTITION_PROVING), "gpu");
    assert_string_equal(cuzk_partition_state_name(PARTITION_DONE), "done");
    cuzk_job_table_destroy(table);
}

static void numbers_of_partitions_have_a_range(void **state) {
    (void)state;
    job_table *table = make_table();
    job *j = submit(table, "a", 1, JOB_NEW, 0);
    cuzk_error err;
    assert_int_equal(cuzk_job_split(j, 0, &err), CUZK_E_RANGE);
    assert_string_equal(err.text, "0 partitions, but a job has 1 to 1024");
    assert_int_equal(cuzk_job_split(j, JOB_PARTITIONS_MAX + 1, &err), CUZK_E_RANGE);
    assert_string_equal(err.text, "1025 partitions, but a job has 1 to 1024");
    assert_int_equal(cuzk_job_split(j, UINT_MAX, &err), CUZK_E_RANGE);
    assert_int_equal(j->n_partitions, 0);
    assert_int_equal(cuzk_job_split(j, JOB_PARTITIONS_MAX, &err), CUZK_OK);
    assert_int_equal(j->n_partitions, 1024);
    cuzk_job_table_destroy(table);
}

/* ---- retention and counters ---- */

static void results_expire(void **state) {
    (void)state;
    job_table *table = make_table(); /* an hour, 3 results */
    job *live = submit(table, "live", 1, JOB_NEW, 0);
    for (unsigned i = 0; i < 5; i++) {
        char id[2] = {(char)('a' + i), 0};
        run_to_end(table, submit(table, id, 1, JOB_NEW, i * SECOND), i * SECOND);
    }
    cuzk_job_find(table, "b")->n_uses = 1;
    cuzk_job_table_expire(table, 10 * SECOND);
    assert_null(cuzk_job_find(table, "a"));
    assert_non_null(cuzk_job_find(table, "b"));
    assert_null(cuzk_job_find(table, "c"));
    assert_non_null(cuzk_job_find(table, "d"));
    cuzk_job_find(table, "b")->n_uses = 0;
    cuzk_job_table_expire(table, 3603 * SECOND);
    assert_null(cuzk_job_find(table, "b"));
    assert_null(cuzk_job_find(table, "d"));
    assert_non_null(cuzk_job_find(table, "e"));
    cuzk_job_table_expire(table, 3604 * SECOND);
    assert_null(cuzk_job_find(table, "e"));
    assert_ptr_equal(cuzk_job_oldest(table), live);
    assert_null(live->newer);
    /* A proof that was forgotten is made again. */
    submit(table, "e", 1, JOB_NEW, 3605 * SECOND);
    cuzk_job_table_destroy(table);
}

static void counts(void **state) {
    (void)state;
    job_table *table = make_table();
    job *a = submit(table, "a", 1, JOB_NEW, 0);
    job *b = submit(table, "b", 1, JOB_NEW, 0);
    job *c = submit(table, "c", 1, JOB_NEW, 0);
    job *d = submit(table, "d", 1, JOB_NEW, 0);
    submit(table, "e", 1, JOB_NEW, 0);
    submit(table, "a", 1, JOB_ATTACHED, 0);
    run_to_end(table, a, 8);
    submit(table, "a", 1, JOB_RETAINED, 9);
    break_job(table, b, 1);
    cuzk_job_cancel(table, c, &c->error, 1);
    cuzk_job_enter(d, JOB_PARSING, 2);
    d->started = true;
    job_counters n;
    cuzk_job_count(&n, table);
    assert_int_equal(n.completed[CUZK_POREP], 1);
    assert_int_equal(n.completed_ns[CUZK_POREP], 8);
    assert_int_equal(n.failed[CUZK_POREP], 1);
    assert_int_equal(n.cancelled[CUZK_POREP], 1);
    assert_int_equal(n.attached, 1);
    assert_int_equal(n.retained, 1);
    assert_int_equal(n.pending[CUZK_POREP], 1);
    assert_int_equal(n.in_progress[CUZK_POREP], 1);
    assert_int_equal(n.pending[CUZK_WINNING_POST] + n.completed[CUZK_SNAP], 0);
    cuzk_job_table_destroy(table);
}

static void queues_keep_order(void **state) {
    (void)state;
    job a = {.serial = 1}, b = {.serial = 2}, c = {.serial = 3};
    job_queue q = {0};
    cuzk_job_queue_append(&q, &a);
    cuzk_job_queue_append(&q, &b);
    cuzk_job_queue_append(&q, &c);
    cuzk_job_queue_leave(&b);
    assert_ptr_equal(q.first, &a);
    assert_ptr_equal(a.queue_next, &c);
    assert_ptr_equal(c.queue_prev, &a);
    cuzk_job_queue_leave(&c);
    assert_ptr_equal(q.last, &a);
    cuzk_job_queue_append(&q, &b);
    cuzk_job_queue_leave(&a);
    assert_ptr_equal(q.first, &b);
    cuzk_job_queue_leave(&b);
    assert_null(q.first);
    assert_null(q.last);
    assert_int_equal(q.length, 0);
    cuzk_job_queue_leave(&b); /* in none any more */
    assert_int_equal(q.length, 0);
    /* A job is in one only. */
    job_queue other = {0};
    cuzk_job_queue_append(&q, &a);
    cuzk_job_queue_append(&q, &b);
    assert_ptr_equal(a.queue, &q);
    cuzk_job_queue_append(&other, &a);
    assert_ptr_equal(a.queue, &other);
    assert_ptr_equal(q.first, &b);
    assert_null(b.queue_prev);
    assert_int_equal(q.length, 1);
    assert_int_equal(other.length, 1);
    assert_null(a.queue_next);
    /* To the end of the same one. */
    cuzk_job_queue_append(&q, &a);
    cuzk_job_queue_append(&q, &b);
    assert_ptr_equal(q.first, &a);
    assert_ptr_equal(q.last, &b);
    assert_int_equal(q.length, 2);
}

/* Those that exist are answered all the same. */
static void living_jobs_have_a_limit(void **state) {
    (void)state;
    job_table *table = make_table();
    job *first = submit(table, "a", 1, JOB_NEW, SECOND), *last = NULL, *none;
    for (size_t i = 1; i < JOB_LIVING_MAX; i++) {
        last = submit(table, NULL, 2, JOB_NEW, SECOND);
    }
    const job_ticket one_more = ticket_of("b", 3);
    job_origin origin;
    cuzk_error err;
    assert_int_equal(cuzk_job_submit(table, &none, &origin, &one_more, SECOND, &err),
                     CUZK_E_NO_MEMORY);
    assert_non_null(strstr(err.text, "4096 jobs are unfinished"));
    assert_ptr_equal(submit(table, "a", 1, JOB_ATTACHED, SECOND), first);
    run_to_end(table, last, SECOND);
    submit(table, "b", 3, JOB_NEW, SECOND);
    assert_int_equal(cuzk_job_submit(table, &none, &origin, &one_more, SECOND, &err), CUZK_OK);
    assert_int_equal(origin, JOB_ATTACHED);
    cuzk_job_table_destroy(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_changes_the_digest),
        cmocka_unit_test(same_request_is_one_job),
        cmocka_unit_test(failed_request_runs_again),
        cmocka_unit_test(other_payload_is_another_job),
        cmocka_unit_test(requests_without_id_are_never_shared),
        cmocka_unit_test(long_request_ids_are_refused),
        cmocka_unit_test(every_waiter_hears_once),
        cmocka_unit_test(jobs_without_waiters_are_given_up),
        cmocka_unit_test(partitions_arrive_in_any_order),
        cmocka_unit_test(failure_marks_partitions),
        cmocka_unit_test(numbers_of_partitions_have_a_range),
        cmocka_unit_test(results_expire),
        cmocka_unit_test(living_jobs_have_a_limit),
        cmocka_unit_test(counts),
        cmocka_unit_test(queues_keep_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
