/* The order of service: priority, age, what is in memory; and the batch collector. */
#include "engine/scheduler.h"

#include "base/clock.h"
#include "engine/collector.h"
#include "support/support.h"

#define SECOND 1000000000u
#define MINUTE (60 * (uint64_t)SECOND)

/* n jobs, serials 1 to n, NORMAL PoRep, submitted one second apart. */
static void make_jobs(job *jobs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        jobs[i] = (job){.serial = i + 1,
                        .kind = CUZK_POREP,
                        .priority = CUZK_NORMAL,
                        .state = JOB_QUEUED,
                        .submitted_ns = i * SECOND};
    }
}

static job *take_next(scheduler *s, uint64_t now_ns) {
    job *j = cuzk_scheduler_peek(s, now_ns);
    if (j != NULL) {
        cuzk_job_queue_leave(j);
    }
    return j;
}

static void priority_then_time(void **state) {
    (void)state;
    scheduler s = {0};
    job j[6];
    make_jobs(j, 6);
    j[1].priority = CUZK_LOW;
    j[2].priority = CUZK_HIGH;
    j[4].priority = CUZK_CRITICAL;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(cuzk_scheduler_push(&s, &j[i]), i);
    }
    cuzk_job_queue_leave(&j[3]);
    static const size_t order[] = {4, 2, 0, 5, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_ptr_equal(take_next(&s, 10 * (uint64_t)SECOND), &j[order[i]]);
    }
    assert_null(take_next(&s, 0));
    /* A raised priority counts from then on. */
    cuzk_scheduler_push(&s, &j[0]);
    cuzk_scheduler_push(&s, &j[1]);
    j[1].priority = CUZK_HIGH;
    assert_ptr_equal(take_next(&s, 10 * (uint64_t)SECOND), &j[1]);
}

static void age_raises(void **state) {
    (void)state;
    job j = {.priority = CUZK_LOW, .submitted_ns = MINUTE};
    assert_int_equal(cuzk_job_class(&j, MINUTE), CUZK_LOW);
    assert_int_equal(cuzk_job_class(&j, 11 * MINUTE - 1), CUZK_LOW);
    assert_int_equal(cuzk_job_class(&j, 11 * MINUTE), CUZK_NORMAL);
    assert_int_equal(cuzk_job_class(&j, 21 * MINUTE), CUZK_HIGH);
    assert_int_equal(cuzk_job_class(&j, 9999 * MINUTE), CUZK_HIGH);
    j.priority = CUZK_HIGH;
    assert_int_equal(cuzk_job_class(&j, 9999 * MINUTE), CUZK_HIGH);
    j.priority = CUZK_CRITICAL;
    assert_int_equal(cuzk_job_class(&j, 9999 * MINUTE), CUZK_CRITICAL);

    /* An old NORMAL job goes before young HIGH ones, but never before a CRITICAL one. */
    scheduler s = {0};
    job jobs[3];
    make_jobs(jobs, 3);
    jobs[1].priority = CUZK_HIGH;
    jobs[1].submitted_ns = 10 * MINUTE;
    jobs[2].priority = CUZK_CRITICAL;
    jobs[2].submitted_ns = 10 * MINUTE;
    for (size_t i = 0; i < 3; i++) {
        cuzk_scheduler_push(&s, &jobs[i]);
    }
    assert_ptr_equal(take_next(&s, 10 * MINUTE), &jobs[2]);
    assert_ptr_equal(take_next(&s, 10 * MINUTE), &jobs[0]);
    assert_ptr_equal(take_next(&s, 10 * MINUTE), &jobs[1]);
}

static bool snap_is_resident(void *arg, const job *j) {
    (*(unsigned *)arg)++;
    return j->kind == CUZK_SNAP;
}

static void what_is_in_memory_goes_first(void **state) {
    (void)state;
    unsigned n_asked = 0;
    scheduler s = {.resident = snap_is_resident, .resident_arg = &n_asked};
    job j[5];
    make_jobs(j, 5);
    j[1].kind = j[2].kind = j[4].kind = CUZK_SNAP;
    j[4].priority = CUZK_LOW;
    for (size_t i = 0; i < 5; i++) {
        cuzk_scheduler_push(&s, &j[i]);
    }
    assert_ptr_equal(take_next(&s, 30 * (uint64_t)SECOND), &j[1]);
    /* After a minute the oldest goes. */
    assert_ptr_equal(take_next(&s, MINUTE), &j[0]);
    assert_ptr_equal(take_next(&s, MINUTE), &j[2]);
    /* A lower class stays behind. */
    assert_ptr_equal(take_next(&s, MINUTE), &j[3]);
    assert_ptr_equal(take_next(&s, MINUTE), &j[4]);

    /* HIGH and CRITICAL jobs go strictly by age. */
    make_jobs(j, 2);
    j[0].priority = j[1].priority = CUZK_HIGH;
    j[1].kind = CUZK_SNAP;
    cuzk_scheduler_push(&s, &j[0]);
    cuzk_scheduler_push(&s, &j[1]);
    n_asked = 0;
    assert_ptr_equal(take_next(&s, 2 * (uint64_t)SECOND), &j[0]);
    assert_int_equal(n_asked, 0);
}

/* ---- collector ---- */

static void check_released(job_queue *out, job **expected, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(out->first, expected[i]);
        cuzk_job_queue_leave(out->first);
    }
    assert_null(out->first);
}
#define CHECK_RELEASED(out, ...)                                                                   \
    check_released(out, (job *[]){__VA_ARGS__}, sizeof((job *[]){__VA_ARGS__}) / sizeof(job *))

static void without_batches_everything_passes(void **state) {
    (void)state;
    for (size_t max = 0; max < 2; max++) {
        collector c = {.max_batch = max, .max_wait_ns = 5};
        job_queue out = {0};
        job j[2];
        make_jobs(j, 2);
        cuzk_collector_add(&c, &out, &j[0], 0);
        cuzk_collector_add(&c, &out, &j[1], 0);
        assert_int_equal(j[0].state, JOB_QUEUED);
        assert_true(cuzk_collector_due_ns(&c) == CLOCK_NEVER);
        CHECK_RELEASED(&out, &j[0], &j[1]);
    }
}

static void full_batches_go(void **state) {
    (void)state;
    collector c = {.max_batch = 2, .max_wait_ns = 30 * (uint64_t)SECOND};
    job_queue out = {0};
    job j[3];
    make_jobs(j, 3);
    cuzk_collector_add(&c, &out, &j[0], 5);
    assert_int_equal(j[0].state, JOB_BATCHING);
    assert_null(out.first);
    cuzk_collector_add(&c, &out, &j[1], 6);
    CHECK_RELEASED(&out, &j[0], &j[1]);
    /* Three requests, size 2: the third waits for its timer, counted from its own arrival. */
    cuzk_collector_add(&c, &out, &j[2], SECOND);
    assert_true(cuzk_collector_due_ns(&c) == 31 * (uint64_t)SECOND);
    cuzk_collector_tick(&c, &out, 31 * (uint64_t)SECOND - 1);
    assert_null(out.first);
    cuzk_collector_tick(&c, &out, 31 * (uint64_t)SECOND);
    CHECK_RELEASED(&out, &j[2]);
    assert_true(cuzk_collector_due_ns(&c) == CLOCK_NEVER);
}

static void timer_runs_from_the_first(void **state) {
    (void)state;
    collector c = {.max_batch = 3, .max_wait_ns = 10};
    job_queue out = {0};
    job j[2];
    make_jobs(j, 2);
    cuzk_collector_add(&c, &out, &j[0], 100);
    cuzk_collector_add(&c, &out, &j[1], 109);
    cuzk_collector_tick(&c, &out, 110);
    CHECK_RELEASED(&out, &j[0], &j[1]);
    /* Without a wait, the next check releases. */
    c.max_wait_ns = 0;
    make_jobs(j, 1);
    cuzk_collector_add(&c, &out, &j[0], 200);
    assert_null(out.first);
    cuzk_collector_tick(&c, &out, 200);
    CHECK_RELEASED(&out, &j[0]);
    /* A wait without end. */
    c.max_wait_ns = UINT64_MAX;
    make_jobs(j, 1);
    cuzk_collector_add(&c, &out, &j[0], 300);
    assert_true(cuzk_collector_due_ns(&c) == CLOCK_NEVER);
    cuzk_collector_tick(&c, &out, 400 * (uint64_t)MINUTE);
    assert_null(out.first);
    cuzk_collector_flush(&c, &out);
    CHECK_RELEASED(&out, &j[0]);
}

static void other_kinds_release_the_batch(void **state) {
    (void)state;
    collector c = {.max_batch = 3, .max_wait_ns = SECOND};
    job_queue out = {0};
    job j[6];
    make_jobs(j, 6);
    j[2].kind = CUZK_SNAP;
    j[3].kind = CUZK_WINNING_POST;
    j[4].kind = CUZK_WINDOW_POST;
    cuzk_collector_add(&c, &out, &j[0], 0);
    cuzk_collector_add(&c, &out, &j[1], 0);
    cuzk_collector_add(&c, &out, &j[2], 0);
    CHECK_RELEASED(&out, &j[0], &j[1]);
    cuzk_collector_add(&c, &out, &j[3], 0);
    CHECK_RELEASED(&out, &j[2], &j[3]);
    assert_int_equal(j[3].state, JOB_QUEUED);
    cuzk_collector_add(&c, &out, &j[4], 0);
    CHECK_RELEASED(&out, &j[4]);
    /* Shutdown, and a member that is cancelled. */
    cuzk_collector_add(&c, &out, &j[5], 0);
    cuzk_collector_flush(&c, &out);
    CHECK_RELEASED(&out, &j[5]);
    make_jobs(j, 2);
    cuzk_collector_add(&c, &out, &j[0], 0);
    cuzk_collector_add(&c, &out, &j[1], 0);
    cuzk_job_queue_leave(&j[0]);
    cuzk_collector_flush(&c, &out);
    CHECK_RELEASED(&out, &j[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priority_then_time),
        cmocka_unit_test(age_raises),
        cmocka_unit_test(what_is_in_memory_goes_first),
        cmocka_unit_test(without_batches_everything_passes),
        cmocka_unit_test(full_batches_go),
        cmocka_unit_test(timer_runs_from_the_first),
        cmocka_unit_test(other_kinds_release_the_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
