/* The lines of events, as the environment wants them. */
#include "server/job_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

/* What the event writes on standard error. */
static void capture(char out[2048], const engine_event *event) {
    int ends[2], kept = dup(STDERR_FILENO);
    engine_options options;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    cuzk_job_log_init(&options);
    if (options.on_event != NULL) {
        options.on_event(options.event_arg, event);
    }
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    ssize_t n = read(ends[0], out, 2047);
    out[n > 0 ? n : 0] = 0;
    close(ends[0]);
}

static void test_lines(void **state) {
    (void)state;
    engine_event end = {.kind = ENGINE_SYNTH_END,
                        .job_id = "wdpost-1-0-[1 2]\nx\x1b[2J\x7f",
                        .proof_kind = CUZK_WINDOW_POST,
                        .partition = 3,
                        .at_ns = 5000000000,
                        .took_ns = 1234000000};
    char text[2048];
    unsetenv("CUZK_TIMELINE");
    unsetenv("CUZK_TIMING");
    capture(text, &end);
    assert_int_equal(strncmp(text, "TIMELINE,5000,SYNTH_END,", 24), 0);
    assert_null(strstr(text, "CUZK_TIMING"));
    setenv("CUZK_TIMING", "1", 1);
    setenv("CUZK_TIMELINE", "0", 1);
    capture(text, &end);
    assert_string_equal(text, "CUZK_TIMING: synthesis wall_ms=1234.000 partition=3 "
                              "kind=window-post job_id=wdpost-1-0-[1 2] x [2J \n");
    const groth16_timing timing = {.quotient = {.wall_ns = 1500000, .cpu_ns = 3000000},
                                   .assemble = {.wall_ns = 7000}};
    end.kind = ENGINE_PROVE_END;
    end.timing = &timing;
    end.verify_ns = 2000000;
    end.job_id = "a";
    capture(text, &end);
#define OF " partition=3 kind=window-post job_id=a\n"
#define NONE " wall_ms=0.000 cpu_ms=0.000 wait_ms=0.000" OF
    assert_string_equal(text, "CUZK_TIMING: ntt wall_ms=1.500 cpu_ms=3.000 wait_ms=0.000" OF
                              "CUZK_TIMING: l" NONE "CUZK_TIMING: a" NONE "CUZK_TIMING: b_g1" NONE
                              "CUZK_TIMING: b_g2" NONE "CUZK_TIMING: h" NONE
                              "CUZK_TIMING: assemble wall_ms=0.007 cpu_ms=0.000 wait_ms=0.000" OF
                              "CUZK_TIMING: verify wall_ms=2.000" OF);
    unsetenv("CUZK_TIMING");
    capture(text, &end);
    assert_string_equal(text, "");
    unsetenv("CUZK_TIMELINE");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
