/* Events of the engine as lines; each is one write(2), so that lines of several threads do not mix.
 */
#include "server/job_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/proof_kinds.h"
#include "engine/timeline.h"

/* In event_arg. */
#define TIMELINE 1u
#define TIMING 2u

static void write_line(const char *line, size_t len) {
    (void)!write(STDERR_FILENO, line, len); /* nowhere to report it */
}

/* "CUZK_TIMING: STAGE_ms=N partition=N job_id=ID", the id last and up to the line's end. */
static void write_timing(const engine_event *event, const char *stage) {
    char line[JOB_ID_MAX + 128];
    int n = snprintf(line, sizeof line - 1,
                     "CUZK_TIMING: %s_ms=%" PRIu64 " partition=%u kind=%s job_id=%s", stage,
                     event->took_ns / NS_PER_MS, event->partition,
                     cuzk_kind_names[event->proof_kind].status, event->job_id);
    for (int i = 0; i < n; i++) {
        line[i] = (unsigned char)line[i] < ' ' ? ' ' : line[i];
    }
    line[n] = '\n';
    write_line(line, (size_t)n + 1);
}

static void on_event(void *arg, const engine_event *event) {
    if (((uintptr_t)arg & TIMELINE) != 0) {
        char line[TIMELINE_LINE_MAX];
        write_line(line, cuzk_timeline_line(line, event));
    }
    if (((uintptr_t)arg & TIMING) != 0 && event->kind == ENGINE_SYNTH_END) {
        write_timing(event, "synthesis");
    }
    if (((uintptr_t)arg & TIMING) != 0 && event->kind == ENGINE_PROVE_END) {
        write_timing(event, "prove_and_verify");
    }
}

static bool is_set_to(const char *variable, const char *value) {
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, value) == 0;
}

void cuzk_job_log_init(engine_options *options) {
    uintptr_t wanted = (is_set_to("CUZK_TIMELINE", "0") ? 0 : TIMELINE) |
                       (is_set_to("CUZK_TIMING", "1") ? TIMING : 0);
    options->on_event = wanted != 0 ? on_event : NULL;
    options->event_arg = (void *)wanted;
}
