/* Prometheus text: of a new engine, and with numbers. */
#include "engine/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static char *write_text(const engine_report *r, const budget_report *m) {
    char *text;
    size_t len;
    assert_int_equal(cuzk_metrics_text(&text, &len, r, m, NULL), CUZK_OK);
    assert_int_equal(strlen(text), len);
    return text;
}

static void every_family_has_a_head(void **state) {
    (void)state;
    static const char *const names[] = {"cuzk_proofs_completed_total counter",
                                        "cuzk_proofs_failed_total counter",
                                        "cuzk_uptime_seconds gauge",
                                        "cuzk_queue_depth gauge",
                                        "cuzk_proofs_completed counter",
                                        "cuzk_proofs_failed counter",
                                        "cuzk_running_jobs gauge",
                                        "cuzk_gpu_workers gauge",
                                        "cuzk_cancelled_total counter",
                                        "cuzk_coalesced_total counter",
                                        "cuzk_retries_total counter",
                                        "cuzk_memory_budget_bytes gauge"};
    const engine_report r = {0};
    const budget_report m = {0};
    char *text = write_text(&r, &m);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[80] = "\n# TYPE ";
        strcat(strcat(line, names[i]), "\n");
        assert_non_null(strstr(text, line));
    }
    assert_null(strstr(text, "cuzk_proof_duration_seconds"));
    free(text);
}

static void numbers(void **state) {
    (void)state;
    engine_report r = {.uptime_ns = 61999999999u, .queue_depth = 7, .n_retries = 8};
    r.counters.completed[CUZK_POREP] = 2;
    r.counters.completed[CUZK_WINNING_POST] = 3;
    r.counters.completed_ns[CUZK_POREP] = 123456789000;
    r.counters.completed_ns[CUZK_WINNING_POST] = 1000000;
    r.counters.failed[CUZK_SNAP] = 4;
    r.counters.in_progress[CUZK_WINDOW_POST] = 1;
    r.counters.cancelled[CUZK_POREP] = 5;
    r.counters.attached = 6;
    const budget_report m = {
        .total_bytes = 100, .used_bytes = 60, .peak_bytes = 90, .kept_bytes = 40};
    static const char *const lines[] = {
        "cuzk_proofs_completed_total 5",
        "cuzk_proofs_failed_total 4",
        "cuzk_uptime_seconds 61",
        "cuzk_queue_depth 7",
        "cuzk_proofs_completed{proof_kind=\"porep_c2\"} 2",
        "cuzk_proofs_completed{proof_kind=\"window_post\"} 0",
        "cuzk_proofs_completed{proof_kind=\"winning_post\"} 3",
        "cuzk_proofs_failed{proof_kind=\"snap_update\"} 4",
        "# TYPE cuzk_proof_duration_seconds summary",
        "cuzk_proof_duration_seconds_count{proof_kind=\"porep_c2\"} 2",
        "cuzk_proof_duration_seconds_sum{proof_kind=\"porep_c2\"} 123.457",
        "cuzk_proof_duration_seconds_sum{proof_kind=\"winning_post\"} 0.001",
        "cuzk_running_jobs 1",
        "cuzk_gpu_workers 2",
        "cuzk_cancelled_total 5",
        "cuzk_coalesced_total 6",
        "cuzk_retries_total 8",
        "cuzk_memory_budget_bytes{state=\"total\"} 100",
        "cuzk_memory_budget_bytes{state=\"used\"} 60",
        "cuzk_memory_budget_bytes{state=\"peak\"} 90",
        "cuzk_memory_budget_bytes{state=\"kept\"} 40"};
    char *text = write_text(&r, &m);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[120] = "\n";
        strcat(strcat(line, lines[i]), "\n");
        assert_non_null(strstr(text, line));
    }
    assert_null(strstr(text, "duration_seconds_count{proof_kind=\"snap_update\"}"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_a_head),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
