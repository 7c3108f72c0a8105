/* The pacer by a made-up clock: its phases, its interval, and that nothing stops it for good. */
#include "engine/pacer.h"

#include "base/clock.h"
#include "support/support.h"

#define BUSY 2

static uint64_t seconds(double s) { return (uint64_t)(s * NS_PER_S); }

static void off_holds_nothing_back(void **state) {
    (void)state;
    pacer p;
    cuzk_pacer_init(&p, 0, 1);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(cuzk_pacer_due_ns(&p, i, i), 0);
        cuzk_pacer_released(&p, i, i);
        cuzk_pacer_proved(&p, i, i, NS_PER_S);
    }
}

/* `target` partitions three seconds apart, then none before one is proved. */
static void bootstrap(pacer *p, uint64_t *now_ns, unsigned target) {
    for (unsigned i = 0; i < target; i++) {
        assert_true(cuzk_pacer_due_ns(p, *now_ns, i) <= *now_ns);
        cuzk_pacer_released(p, *now_ns, i);
        if (i + 1 < target) {
            assert_int_equal(cuzk_pacer_due_ns(p, *now_ns, i + 1), *now_ns + seconds(3));
            *now_ns += seconds(3);
        }
    }
    assert_int_equal(p->phase, PACER_CALIBRATE);
    assert_true(cuzk_pacer_due_ns(p, *now_ns, target) == CLOCK_NEVER);
}

/* While partitions go: more may wait, then fewer, then any number, then few again. */
static void target_changes(void **state) {
    (void)state;
    pacer p;
    uint64_t now_ns = seconds(100);
    cuzk_pacer_init(&p, 2, 1);
    bootstrap(&p, &now_ns, 2);
    cuzk_pacer_set_target(&p, now_ns, 2); /* no change */
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 2) == CLOCK_NEVER);
    cuzk_pacer_set_target(&p, now_ns, 3); /* one more of the bootstrap */
    assert_int_equal(p.phase, PACER_BOOTSTRAP);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 2) <= now_ns);
    cuzk_pacer_released(&p, now_ns, 2);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 3) == CLOCK_NEVER);
    cuzk_pacer_set_target(&p, now_ns, 1);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 3) == CLOCK_NEVER);
    cuzk_pacer_proved(&p, now_ns, 1, seconds(4));
    cuzk_pacer_set_target(&p, now_ns, 5);
    assert_int_equal(p.phase, PACER_STEADY);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 2) <= now_ns);
    cuzk_pacer_set_target(&p, now_ns, 0);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(cuzk_pacer_due_ns(&p, now_ns, i), 0);
        cuzk_pacer_released(&p, now_ns, i);
    }
    cuzk_pacer_set_target(&p, now_ns, 2);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 2) <= now_ns);

    cuzk_pacer_init(&p, 0, 1); /* off from the beginning */
    cuzk_pacer_released(&p, now_ns, 0);
    cuzk_pacer_set_target(&p, now_ns, 2);
    bootstrap(&p, &now_ns, 2);
}

static void phases_follow(void **state) {
    (void)state;
    const unsigned target = 4;
    pacer p;
    uint64_t now_ns = seconds(100);
    cuzk_pacer_init(&p, target, 1);
    bootstrap(&p, &now_ns, target);
    now_ns += seconds(1);
    cuzk_pacer_proved(&p, now_ns, target - 1, seconds(BUSY));
    assert_int_equal(p.phase, PACER_STEADY);
    /* a proof restarts the interval and releases nothing */
    const uint64_t first_ns = cuzk_pacer_due_ns(&p, now_ns, target - 1);
    assert_true(first_ns > now_ns && first_ns < now_ns + seconds(BUSY));
    cuzk_pacer_proved(&p, now_ns + 1, target - 2, seconds(BUSY));
    assert_true(cuzk_pacer_due_ns(&p, now_ns + 1, target - 2) > now_ns + 1);
    /* all is proved and none waits: it begins again, two seconds apart as proofs are short */
    for (unsigned i = 0; i < 20; i++) {
        cuzk_pacer_proved(&p, now_ns += seconds(BUSY), 0, seconds(BUSY));
    }
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 1) > now_ns);
    assert_int_equal(cuzk_pacer_due_ns(&p, now_ns, 0), now_ns);
    assert_int_equal(p.phase, PACER_BOOTSTRAP);
    cuzk_pacer_released(&p, now_ns, 0);
    assert_int_equal(cuzk_pacer_due_ns(&p, now_ns, 1), now_ns + seconds(2));
    cuzk_pacer_proved(&p, now_ns + 5, 0, seconds(BUSY)); /* a proof releases one */
    assert_int_equal(cuzk_pacer_due_ns(&p, now_ns + 5, 1), now_ns + 5);
}

/* What was released failed or was cancelled before anything was proved. */
static void nothing_left_to_calibrate(void **state) {
    (void)state;
    pacer p;
    uint64_t now_ns = seconds(1);
    cuzk_pacer_init(&p, 2, 1);
    bootstrap(&p, &now_ns, 2);
    assert_true(cuzk_pacer_due_ns(&p, now_ns, 1) == CLOCK_NEVER);
    assert_int_equal(cuzk_pacer_due_ns(&p, now_ns, 0), now_ns);
    cuzk_pacer_released(&p, now_ns, 0);
    assert_int_equal(cuzk_pacer_due_ns(&p, now_ns, 1), now_ns + seconds(3));
}

static double interval_with(unsigned n_waiting, unsigned n_provers, double busy_s) {
    pacer p;
    uint64_t now_ns = seconds(1);
    cuzk_pacer_init(&p, 4, n_provers);
    bootstrap(&p, &now_ns, 4);
    for (unsigned i = 0; i < 200; i++) {
        cuzk_pacer_proved(&p, now_ns += NS_PER_MS, n_waiting, seconds(busy_s));
    }
    return (double)(cuzk_pacer_due_ns(&p, now_ns, 4) - now_ns) / NS_PER_S;
}

static void interval_follows_the_queue(void **state) {
    (void)state;
    const double empty = interval_with(0, 1, 3), right = interval_with(4, 1, 3),
                 full = interval_with(12, 1, 3);
    assert_true(empty < 2.01 && empty > 1.9); /* rate 1.5 */
    assert_true(right > 2.97 && right < 3.03);
    assert_true(full > 9.9 && full < 10.1);                /* least rate 0.3 */
    assert_true(interval_with(4, 2, 3) < right / 2 + 0.1); /* two provers */
    assert_true(interval_with(4, 1, 0.001) == 0.05);
    assert_true(interval_with(12, 1, 1000) == 60);
}

/* The prover never waits, and the queue stays short. */
static void queue_settles(void **state) {
    (void)state;
    const unsigned target = 6;
    pacer p;
    uint64_t now_ns = seconds(1), proved_ns = 0;
    unsigned waiting = 0, proving = 0, most = 0;
    cuzk_pacer_init(&p, target, 1);
    for (unsigned step = 0; step < 40000; step++, now_ns += 50 * NS_PER_MS) {
        if (cuzk_pacer_due_ns(&p, now_ns, waiting + proving) <= now_ns) {
            cuzk_pacer_released(&p, now_ns, waiting);
            waiting++;
        }
        if (proving == 1 && now_ns >= proved_ns) {
            proving = 0;
            cuzk_pacer_proved(&p, now_ns, waiting, seconds(BUSY));
        }
        if (proving == 0 && waiting > 0) {
            waiting--;
            proving = 1;
            proved_ns = now_ns + seconds(BUSY);
        }
        if (step > 20000) {
            most = waiting > most ? waiting : most;
            assert_true(waiting >= 1); /* the prover never waits */
        }
    }
    assert_true(most <= 2 * target);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_holds_nothing_back),
        cmocka_unit_test(target_changes),
        cmocka_unit_test(phases_follow),
        cmocka_unit_test(nothing_left_to_calibrate),
        cmocka_unit_test(interval_follows_the_queue),
        cmocka_unit_test(queue_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
