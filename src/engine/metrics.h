/* The engine's counters as Prometheus text (engine.md 22). */
#ifndef CUZK_ENGINE_METRICS_H
#define CUZK_ENGINE_METRICS_H

#include "engine/engine.h"

/* *text: allocated, zero-terminated; the caller frees it. Fails: CUZK_E_NO_MEMORY; *text is NULL
 * then. */
cuzk_status cuzk_metrics_text(char **text, size_t *len_bytes, const engine_report *report,
                              const budget_report *memory, cuzk_error *err);

#endif
