/* Events as lines for waterfall plots (engine.md 23.2). */
#ifndef CUZK_ENGINE_TIMELINE_H
#define CUZK_ENGINE_TIMELINE_H

#include "engine/engine.h"

/* Enough for any event: a job id may double when it is quoted. */
#define TIMELINE_LINE_MAX (2 * JOB_ID_MAX + 128)

/* "TIMELINE,<ms since the engine was made>,<EVENT>,<job id>,<detail>" and a newline. A job id with
 * a comma, a quote or a line end stands in double quotes, doubled inside; control characters in it
 * become spaces. Returns the length. */
size_t cuzk_timeline_line(char line[TIMELINE_LINE_MAX], const engine_event *event);

#endif
