/* The daemon's settings, from a TOML file (engine.md 9): one row of a table a key. */
#ifndef CUZK_ENGINE_CONFIG_H
#define CUZK_ENGINE_CONFIG_H

#include "base/status.h"

#define CONFIG_BUDGET_AUTO 0
#define CONFIG_WARNINGS_MAX 64

typedef struct config_numbers {
    uint64_t *items;
    size_t n;
} config_numbers;

typedef struct config_texts {
    char **items;
    size_t n;
} config_texts;

/* A member for each row of cuzk_config_keys, which says what it means. Texts are never NULL; "" is
 * "not set". Times are in nanoseconds, sizes in bytes. */
typedef struct config {
    char *listen, *status_listen;
    uint64_t max_message_bytes, socket_mode, drain_timeout_ns, receive_timeout_ns;
    char *partition_store;
    char *tls_cert, *tls_key, *tls_client_ca;

    uint64_t nice;
    char *cores;

    uint64_t total_budget; /* CONFIG_BUDGET_AUTO, or bytes */
    uint64_t safety_margin, eviction_min_idle_ns;

    config_numbers gpu_devices;
    uint64_t gpu_threads, gpu_workers_per_device;

    uint64_t max_batch_size, max_batch_wait_ms;
    bool sort_by_type;
    uint64_t result_ttl_ns, max_results;

    uint64_t synthesis_threads;

    bool pipeline_enabled;
    uint64_t synthesis_lookahead, synthesis_concurrency, max_parallel_synthesis, slot_size;
    uint64_t max_gpu_queue_depth;

    uint64_t verify_retries;

    char *param_cache, *tier;
    bool allow_local, verify_digest;
    config_texts keep_hot;

    char *log_level, *log_format;

    /* What is worth a line in the log: unknown and deprecated keys. */
    char *warnings[CONFIG_WARNINGS_MAX];
    size_t n_warnings;
} config;

/* How a value is written. */
typedef enum config_type {
    CONFIG_TEXT,
    CONFIG_CHOICE,   /* one of the words of `choices` */
    CONFIG_MODE,     /* permissions: octal digits in a string */
    CONFIG_SIZE,     /* "5GiB", or an integer of bytes */
    CONFIG_BUDGET,   /* the same, above 0, or "auto" */
    CONFIG_DURATION, /* "5m", or an integer of seconds */
    CONFIG_NUMBER,   /* an integer from 0 to `max` */
    CONFIG_SWITCH,
    CONFIG_NUMBERS, /* an array of them */
    CONFIG_TEXTS
} config_type;

typedef struct config_key {
    const char *name; /* "daemon.listen" */
    config_type type;
    size_t offset;        /* of the member in config */
    const char *standard; /* the default, as in a file */
    uint64_t max;
    const char *choices; /* separated by spaces */
    const char *meaning;
} config_key;
extern const config_key cuzk_config_keys[];
extern const size_t cuzk_config_n_keys;
/* Accepted with a warning, no effect; NULL ends the list. */
extern const char *const cuzk_config_deprecated[];

/* All of these leave *c to be cleared on CUZK_OK only. */

/* The defaults. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_config_init(config *c, cuzk_error *err);
/* The defaults, and what `text` says otherwise. file: its name, for messages. Fails: CUZK_E_INPUT,
 * "FILE:LINE:COLUMN: ", naming the key, for what is not TOML, a value of the wrong type, a size,
 * duration, mode, word or number that is none; CUZK_E_NO_MEMORY. */
cuzk_status cuzk_config_read(config *c, const char *text, size_t len_bytes, const char *file,
                             cuzk_error *err);
/* The same of a file. One that does not exist gives the defaults, and *found false. Fails: also
 * CUZK_E_IO. */
cuzk_status cuzk_config_load(config *c, bool *found, const char *path, cuzk_error *err);
void cuzk_config_clear(config *c);

/* As a file with all keys and what they mean, which reads back as *c. *text: allocated,
 * zero-terminated; the caller frees it. Fails: CUZK_E_NO_MEMORY. */
cuzk_status cuzk_config_text(char **text, size_t *len_bytes, const config *c, cuzk_error *err);

#endif
