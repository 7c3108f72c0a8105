/* Percentiles of latencies, and the texts of rates and durations. */
#include "cuzk_bench/client/latencies.c"

#include "support/support.h"

static void percentiles(void **state) {
    (void)state;
    latencies l = {0};
    assert_true(latencies_percentile(&l, 50) == 0);
    assert_true(latencies_add(&l, 7));
    for (unsigned percent = 0; percent <= 100; percent++) {
        assert_true(latencies_percentile(&l, percent) == 7);
    }
    latencies_clear(&l);
    for (unsigned i = 0; i < 200; i++) { /* 1 to 200 in another order */
        assert_true(latencies_add(&l, (i * 77) % 200 + 1));
    }
    assert_true(latencies_percentile(&l, 0) == 1);
    assert_true(latencies_percentile(&l, 1) == 2);
    assert_true(latencies_percentile(&l, 50) == 100);
    assert_true(latencies_percentile(&l, 95) == 190);
    assert_true(latencies_percentile(&l, 99) == 198);
    assert_true(latencies_percentile(&l, 100) == 200);
    assert_true(latencies_add(&l, 1000));
    assert_true(latencies_percentile(&l, 50) == 101); /* rank ceil(201 / 2) */
    assert_true(latencies_percentile(&l, 100) == 1000);
    latencies_clear(&l);
}

static bool near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

static void times(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } durations[] = {{"1", 1},      {"90s", 90},  {"500ms", 0.5}, {"1.5m", 90}, {"2h", 7200},
                     {"1d", 86400}, {".5s", 0.5}, {"", 0},        {"s", 0},     {"0", 0},
                     {"-1s", 0},    {"1w", 0},    {"1 s", 0},     {"nan", 0},   {"inf", 0},
                     {"1e99h", 0},  {"1/2s", 0},  {"367d", 0}};
    static const struct {
        const char *text;
        double seconds;
    } rates[] = {{"1/30s", 30},  {"20/1h", 180}, {"1/1800s", 1800}, {"0.5/1s", 2}, {"10s", 10},
                 {"0/1s", 0},    {"1/", 0},      {"/1s", 0},        {"1/0s", 0},   {"x/1s", 0},
                 {"1/1s/1s", 0}, {"1 /1s", 0},   {"2000/1s", 0},    {"-1/1s", 0},  {"1e999/1s", 0}};
    double got = 0;
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        assert_int_equal(parse_duration(&got, durations[i].text), durations[i].seconds > 0);
        assert_true(durations[i].seconds == 0 || near(got, durations[i].seconds));
    }
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        assert_int_equal(parse_rate(&got, rates[i].text), rates[i].seconds > 0);
        assert_true(rates[i].seconds == 0 || near(got, rates[i].seconds));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(percentiles), cmocka_unit_test(times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
