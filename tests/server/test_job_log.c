/* The lines of events, as the environment wants them. */
#include "server/job_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

/* What the event writes on standard error. */
static void capture(char out[512], const engine_event *event) {
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
    ssize_t n = read(ends[0], out, 511);
    out[n > 0 ? n : 0] = 0;
    close(ends[0]);
}

static void test_lines(void **state) {
    (void)state;
    const engine_event end = {.kind = ENGINE_SYNTH_END,
                              .job_id = "wdpost-1-0-[1 2]\nx",
                              .proof_kind = CUZK_WINDOW_POST,
                              .partition = 3,
                              .at_ns = 5000000000,
                              .took_ns = 1234000000};
    char text[512];
    unsetenv("CUZK_TIMELINE");
    unsetenv("CUZK_TIMING");
    capture(text, &end);
    assert_int_equal(strncmp(text, "TIMELINE,5000,SYNTH_END,", 24), 0);
    assert_null(strstr(text, "CUZK_TIMING"));
    setenv("CUZK_TIMING", "1", 1);
    setenv("CUZK_TIMELINE", "0", 1);
    capture(text, &end);
    assert_string_equal(text, "CUZK_TIMING: synthesis_ms=1234 partition=3 kind=window-post "
                              "job_id=wdpost-1-0-[1 2] x\n");
    unsetenv("CUZK_TIMING");
    capture(text, &end);
    assert_string_equal(text, "");
    unsetenv("CUZK_TIMELINE");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
