/* TIMELINE lines. */
#include "engine/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const char *event_name(engine_event_kind kind) {
    static const char *const names[] = {"SYNTH_START", "SYNTH_END", "GPU_QUEUE",
                                        "GPU_PICKUP",  "GPU_START", "GPU_END"};
    return names[kind];
}

static char printable(char c) { return (unsigned char)c < ' ' || c == 0x7f ? ' ' : c; }

/* A field of a line of comma-separated values. */
static char *write_id(char *out, const char *id) {
    bool quoted = strpbrk(id, ",\"\r\n") != NULL;
    if (quoted) {
        *out++ = '"';
    }
    for (; *id != '\0'; id++) {
        if (*id == '"') {
            *out++ = '"';
        }
        *out++ = printable(*id);
    }
    if (quoted) {
        *out++ = '"';
    }
    return out;
}

size_t cuzk_timeline_line(char line[TIMELINE_LINE_MAX], const engine_event *event) {
    char *out = line + sprintf(line, "TIMELINE,%" PRIu64 ",%s,", event->at_ns / NS_PER_MS,
                               event_name(event->kind));
    out = write_id(out, event->job_id);
    *out++ = ',';
    if (event->kind >= ENGINE_PROVE_PICKUP) {
        out += sprintf(out, "worker=%u,", event->prover);
    }
    out += sprintf(out, "partition=%u", event->partition);
    if (event->kind == ENGINE_SYNTH_END) {
        out += sprintf(out, ",synth_ms=%" PRIu64, event->took_ns / NS_PER_MS);
    } else if (event->kind == ENGINE_PROVE_END) {
        out += sprintf(out, ",gpu_ms=%" PRIu64, event->took_ns / NS_PER_MS);
    }
    *out++ = '\n';
    *out = '\0';
    return (size_t)(out - line);
}
