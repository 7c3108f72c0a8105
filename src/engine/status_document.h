/* The state of an engine as one JSON object, for `/status` and the page (engine.md 21). */
#ifndef CUZK_ENGINE_STATUS_DOCUMENT_H
#define CUZK_ENGINE_STATUS_DOCUMENT_H

#include "engine/engine.h"

/* Parameters in memory. */
typedef struct status_resident {
    const char *circuit_id;
    uint64_t bytes, idle_ns; /* idle_ns: since the last use */
    bool evictable;
} status_resident;

typedef struct status_extras {
    const budget_report *memory;
    unsigned max_syntheses; /* at once */
    const status_resident *residents;
    size_t n_residents;
} status_extras;

/* Jobs that live, and those that ended less than 30 s ago, oldest first. *text: allocated,
 * zero-terminated; the caller frees it. Fails: CUZK_E_NO_MEMORY; *text is NULL then. */
cuzk_status cuzk_status_document(char **text, size_t *len_bytes, engine *e,
                                 const status_extras *extras, cuzk_error *err);

#endif
