/* TIMELINE lines: every event, ids that need quotes, the longest one. */
#include "engine/timeline.h"

#include <string.h>

#include "support/support.h"

#define MS 1000000u

static void check(engine_event_kind kind, const char *id, const char *expected) {
    const engine_event event = {.kind = kind,
                                .job_id = id,
                                .serial = 5,
                                .proof_kind = CUZK_POREP,
                                .partition = 9,
                                .prover = 1,
                                .at_ns = 1234 * (uint64_t)MS + 999999,
                                .took_ns = 56 * MS};
    char line[TIMELINE_LINE_MAX];
    size_t len = cuzk_timeline_line(line, &event);
    assert_string_equal(line, expected);
    assert_int_equal(len, strlen(expected));
}

static void every_event(void **state) {
    (void)state;
    check(ENGINE_SYNTH_START, "porep-1-2", "TIMELINE,1234,SYNTH_START,porep-1-2,partition=9\n");
    check(ENGINE_SYNTH_END, "a", "TIMELINE,1234,SYNTH_END,a,partition=9,synth_ms=56\n");
    check(ENGINE_PROVE_QUEUE, "a", "TIMELINE,1234,GPU_QUEUE,a,partition=9\n");
    check(ENGINE_PROVE_PICKUP, "a", "TIMELINE,1234,GPU_PICKUP,a,worker=1,partition=9\n");
    check(ENGINE_PROVE_START, "a", "TIMELINE,1234,GPU_START,a,worker=1,partition=9\n");
    check(ENGINE_PROVE_END, "a", "TIMELINE,1234,GPU_END,a,worker=1,partition=9,gpu_ms=56\n");
}

static void ids_are_quoted_when_needed(void **state) {
    (void)state;
    check(ENGINE_PROVE_QUEUE, "wdpost-1-0-[1 2 3]",
          "TIMELINE,1234,GPU_QUEUE,wdpost-1-0-[1 2 3],partition=9\n");
    check(ENGINE_PROVE_QUEUE, "a,b", "TIMELINE,1234,GPU_QUEUE,\"a,b\",partition=9\n");
    check(ENGINE_PROVE_QUEUE, "say \"no\"",
          "TIMELINE,1234,GPU_QUEUE,\"say \"\"no\"\"\",partition=9\n");
    check(ENGINE_PROVE_QUEUE, "a\r\nTIMELINE",
          "TIMELINE,1234,GPU_QUEUE,\"a  TIMELINE\",partition=9\n");
}

static void control_characters_become_spaces(void **state) {
    (void)state;
    check(ENGINE_PROVE_QUEUE, "a\x1b[2J\x7f\x01\t\x1f\xc3\xa9~",
          "TIMELINE,1234,GPU_QUEUE,a [2J    \xc3\xa9~,partition=9\n");
}

static void the_longest_line_fits(void **state) {
    (void)state;
    char id[JOB_ID_MAX + 1], line[TIMELINE_LINE_MAX];
    memset(id, '"', JOB_ID_MAX);
    id[JOB_ID_MAX] = '\0';
    const engine_event event = {.kind = ENGINE_PROVE_END,
                                .job_id = id,
                                .partition = UINT32_MAX,
                                .prover = UINT32_MAX,
                                .at_ns = UINT64_MAX,
                                .took_ns = UINT64_MAX};
    assert_true(cuzk_timeline_line(line, &event) < sizeof line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event),
        cmocka_unit_test(ids_are_quoted_when_needed),
        cmocka_unit_test(control_characters_become_spaces),
        cmocka_unit_test(the_longest_line_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
