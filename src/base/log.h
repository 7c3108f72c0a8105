/* The log of a program: lines on standard error, as text or JSON. Sizes, times, names and reasons;
 * never witness values. Safe from any thread; a line is one write(2). The library itself logs
 * nothing: programs, engine and server do. */
#ifndef CUZK_BASE_LOG_H
#define CUZK_BASE_LOG_H

#include "base/status.h"

typedef enum cuzk_log_level {
    CUZK_LOG_ERROR,
    CUZK_LOG_WARN,
    CUZK_LOG_INFO,
    CUZK_LOG_DEBUG,
    CUZK_LOG_TRACE,
    CUZK_LOG_LEVELS
} cuzk_log_level;

/* Replaces the settings; before the first call: "info" as text. May be called again at any time.
 *   filter  comma-separated levels (error, warn, info, debug, trace, off; any case): LEVEL for all
 * modules, MODULE=LEVEL for one. The module "cuzk", and any that starts with "cuzk_", means all.
 *   json    one JSON object a line; else text, with "<N>" priorities in front when standard error
 * is the journal Fails, leaving the settings: CUZK_E_INPUT, naming the item, for anything else or
 * more than 32 modules. */
cuzk_status cuzk_log_setup(const char *filter, bool json, cuzk_error *err);

/* One key and value beside the message. */
typedef struct cuzk_log_field {
    const char *key;
    const char *text; /* NULL: `number` is the value */
    uint64_t number;
} cuzk_log_field;
static inline cuzk_log_field log_text(const char *key, const char *text) {
    return (cuzk_log_field){.key = key, .text = text, .number = 0};
}
static inline cuzk_log_field log_number(const char *key, uint64_t number) {
    return (cuzk_log_field){.key = key, .text = NULL, .number = number};
}
/* As the `fields, n_fields` arguments: CUZK_LOG_FIELDS(log_text("job_id", id),
 * log_number("partition", 3)). */
#define CUZK_LOG_FIELDS(...)                                                                       \
    (const cuzk_log_field[]){__VA_ARGS__},                                                         \
        sizeof((const cuzk_log_field[]){__VA_ARGS__}) / sizeof(cuzk_log_field)

bool cuzk_log_enabled(cuzk_log_level level, const char *module);

/* Writes one line if the filter lets it pass:
 *   2026-01-31T10:20:30.123456Z  INFO engine: message key=value key="value, quoted"
 * Long messages and values are cut; fields that have no room any more are left out. */
__attribute__((format(printf, 5, 6))) void cuzk_log(cuzk_log_level level, const char *module,
                                                    const cuzk_log_field *fields, size_t n_fields,
                                                    const char *format, ...);

#endif
