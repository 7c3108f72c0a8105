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
#include "engine/timing_lines.h"

/* In event_arg. */
#define TIMELINE 1u
#define TIMING 2u

static void write_line(const char *line, size_t len) {
    (void)!write(STDERR_FILENO, line, len); /* nowhere to report it */
}

/* "CUZK_TIMING: PHASE wall_ms=N ... partition=N kind=KIND job_id=ID", the id last and up to the
 * line's end. numbers: "wall_ms=N ..." */
static void write_phase(const engine_event *event, const char *phase, const char *numbers) {
    char line[JOB_ID_MAX + 256];
    int n = snprintf(line, sizeof line - 1, "CUZK_TIMING: %s %s partition=%u kind=%s job_id=%s",
                     phase, numbers, event->partition, cuzk_kind_names[event->proof_kind].status,
                     event->job_id);
    for (int i = 0; i < n; i++) {
        line[i] = (unsigned char)line[i] < ' ' || line[i] == 0x7f ? ' ' : line[i];
    }
    line[n] = '\n';
    write_line(line, (size_t)n + 1);
}

static double milliseconds(uint64_t ns) { return (double)ns / (double)NS_PER_MS; }

/* A phase of which no more is known than how long it took. */
static void write_wall(const engine_event *event, const char *phase, uint64_t wall_ns) {
    char numbers[48];
    snprintf(numbers, sizeof numbers, "wall_ms=%.3f", milliseconds(wall_ns));
    write_phase(event, phase, numbers);
}

static void write_proof(const engine_event *event) {
    timing_phase phases[TIMING_PROOF_PHASES];
    cuzk_timing_phases(phases, event->timing);
    for (size_t i = 0; i < TIMING_PROOF_PHASES; i++) {
        const groth16_time *t = &phases[i].time;
        char numbers[128];
        snprintf(numbers, sizeof numbers, "wall_ms=%.3f cpu_ms=%.3f wait_ms=%.3f",
                 milliseconds(t->wall_ns), milliseconds(t->cpu_ns), milliseconds(t->wait_ns));
        write_phase(event, phases[i].name, numbers);
    }
    write_wall(event, "verify", event->verify_ns);
}

static void on_event(void *arg, const engine_event *event) {
    if (((uintptr_t)arg & TIMELINE) != 0) {
        char line[TIMELINE_LINE_MAX];
        write_line(line, cuzk_timeline_line(line, event));
    }
    if (((uintptr_t)arg & TIMING) != 0 && event->kind == ENGINE_SYNTH_END) {
        write_wall(event, "synthesis", event->took_ns);
    }
    if (((uintptr_t)arg & TIMING) != 0 && event->timing != NULL) {
        write_proof(event);
    }
}

static bool timeline_wanted(void) {
    const char *text = getenv("CUZK_TIMELINE");
    return text == NULL || strcmp(text, "0") != 0;
}

void cuzk_job_log_init(engine_options *options) {
    uintptr_t wanted = (timeline_wanted() ? TIMELINE : 0) | (cuzk_timing_wanted() ? TIMING : 0);
    options->on_event = wanted != 0 ? on_event : NULL;
    options->event_arg = (void *)wanted;
}
