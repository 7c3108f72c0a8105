/* Reads settings row by row, and writes them back. */
#include "engine/config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/file.h"
#include "codec/toml.h"

#define KIB ((uint64_t)1 << 10)
#define NUMBER_MAX ((uint64_t)1 << 31)
#define ITEMS_MAX 1024

#define ROW(name_, type_, member, standard_, meaning_)                                             \
    {                                                                                              \
        .name = name_, .type = type_, .offset = offsetof(config, member), .standard = standard_,   \
        .max = NUMBER_MAX, .meaning = meaning_                                                     \
    }
#define NUMBER_ROW(name_, member, max_, standard_, meaning_)                                       \
    {                                                                                              \
        .name = name_, .type = CONFIG_NUMBER, .offset = offsetof(config, member),                  \
        .standard = standard_, .max = max_, .meaning = meaning_                                    \
    }
#define CHOICE_ROW(name_, member, choices_, standard_, meaning_)                                   \
    {                                                                                              \
        .name = name_, .type = CONFIG_CHOICE, .offset = offsetof(config, member),                  \
        .standard = standard_, .choices = choices_, .meaning = meaning_                            \
    }

const config_key cuzk_config_keys[] = {
    ROW("daemon.listen", CONFIG_TEXT, listen, "\"unix:///run/curio/cuzk.sock\"",
        "where gRPC is served: unix://PATH, IP:PORT or [IPv6]:PORT"),
    ROW("daemon.status_listen", CONFIG_TEXT, status_listen, "\"\"",
        "IP:PORT of /status, /metrics, /healthz and the page; empty: off"),
    ROW("daemon.max_message_bytes", CONFIG_SIZE, max_message_bytes, "268500992",
        "largest request; 256 MiB and 64 KiB"),
    ROW("daemon.socket_mode", CONFIG_MODE, socket_mode, "\"0660\"",
        "permissions of the unix socket"),
    ROW("daemon.drain_timeout", CONFIG_DURATION, drain_timeout_ns, "\"120s\"",
        "how long running jobs may go on after the first SIGTERM"),
    ROW("daemon.receive_timeout", CONFIG_DURATION, receive_timeout_ns, "\"30s\"",
        "how long a large request may be on its way while others wait to be received; 0: no limit"),
    ROW("daemon.partition_store", CONFIG_TEXT, partition_store, "\"\"",
        "directory, of the daemon's user alone, where finished partitions of PoRep and SnapDeals "
        "outlive the process until their proof is complete; empty: none"),
    ROW("daemon.tls_cert", CONFIG_TEXT, tls_cert, "\"\"",
        "certificate chain (PEM file) of the server; empty: no TLS"),
    ROW("daemon.tls_key", CONFIG_TEXT, tls_key, "\"\"", "its private key (PEM file)"),
    ROW("daemon.tls_client_ca", CONFIG_TEXT, tls_client_ca, "\"\"",
        "clients must show a certificate of this authority (PEM file); empty: any client"),

    NUMBER_ROW("process.nice", nice, 19, "0",
               "how far the process steps back for others on this host, 0 to 19"),
    ROW("process.cores", CONFIG_TEXT, cores, "\"\"",
        "CPUs it may use, like \"0-15,32-47\"; empty: all it has been given"),

    ROW("memory.total_budget", CONFIG_BUDGET, total_budget, "\"auto\"",
        "bytes for parameters, requests and proofs in work; auto: the lower of the machine's "
        "memory and the control group's limit, less safety_margin"),
    ROW("memory.safety_margin", CONFIG_SIZE, safety_margin, "\"5GiB\"", "left to others, if auto"),
    ROW("memory.eviction_min_idle", CONFIG_DURATION, eviction_min_idle_ns, "\"5m\"",
        "parameters used less long ago are not evicted while anything else can go on"),

    ROW("gpus.devices", CONFIG_NUMBERS, gpu_devices, "[]",
        "device ordinals; empty: all; no effect while the CPU proves"),
    NUMBER_ROW("gpus.gpu_threads", gpu_threads, 4096, "0",
               "CPU threads beside a device; 0: one for each CPU; no effect while the CPU proves"),
    NUMBER_ROW("gpus.gpu_workers_per_device", gpu_workers_per_device, 64, "2",
               "partitions at a device at once; no effect while the CPU proves"),

    NUMBER_ROW("scheduler.max_batch_size", max_batch_size, 1024, "1",
               "PoRep or Snap jobs gathered before they start; 1: none"),
    NUMBER_ROW("scheduler.max_batch_wait_ms", max_batch_wait_ms, 86400000, "10000",
               "a batch starts after this time in any case"),
    ROW("scheduler.sort_by_type", CONFIG_SWITCH, sort_by_type, "true",
        "of normal and low priority, jobs whose parameters are in memory go first, for at most "
        "60 s"),
    ROW("scheduler.result_ttl", CONFIG_DURATION, result_ttl_ns, "\"1h\"",
        "how long finished proofs are kept for a retry of the same request"),
    NUMBER_ROW("scheduler.max_results", max_results, 1 << 20, "4096", "and how many at most"),

    NUMBER_ROW("synthesis.threads", synthesis_threads, 1024, "0",
               "threads that synthesise and prove; 0: one for each CPU"),

    ROW("pipeline.enabled", CONFIG_SWITCH, pipeline_enabled, "true",
        "with a device: synthesis of a partition beside proving of another; no effect while the "
        "CPU proves"),
    NUMBER_ROW("pipeline.synthesis_lookahead", synthesis_lookahead, 1024, "1",
               "partitions synthesised ahead of a device; no effect while the CPU proves"),
    NUMBER_ROW("pipeline.synthesis_concurrency", synthesis_concurrency, 1024, "1",
               "whole-job syntheses at once; all jobs go by partitions here: no effect"),
    NUMBER_ROW("pipeline.max_parallel_synthesis", max_parallel_synthesis, 1024, "18",
               "partitions synthesised at once, at most; 0: 18; no effect while the CPU proves"),
    NUMBER_ROW("pipeline.slot_size", slot_size, 1024, "0",
               "partitions proved in one call of the original: no effect"),
    NUMBER_ROW("pipeline.max_gpu_queue_depth", max_gpu_queue_depth, 1024, "0",
               "partitions that wait for a prover, as the pacer aims for; 0: no pacer, the budget "
               "alone bounds them"),

    NUMBER_ROW("verify.retries", verify_retries, 16, "2",
               "how often a partition is proved again when its proof does not verify"),

    ROW("srs.param_cache", CONFIG_TEXT, param_cache, "\"/data/zk/params\"",
        "directory of .params and .vk files; not given: FIL_PROOFS_PARAMETER_CACHE goes before "
        "the default"),
    ROW("srs.keep_hot", CONFIG_TEXTS, keep_hot, "[\"winning-32g\"]",
        "circuits whose parameters are never evicted"),
    ROW("srs.allow_local", CONFIG_SWITCH, allow_local, "false",
        "accept parameters made by 'cuzk setup': insecure, for tests"),
    CHOICE_ROW(
        "srs.tier", tier, "auto resident mapped streamed", "\"auto\"",
        "where points are: resident in memory, mapped through the page cache, or streamed "
        "from the disk; auto: the first of resident, streamed (files above 1 GiB) and mapped "
        "that the budget allows"),
    ROW("srs.verify_digest", CONFIG_SWITCH, verify_digest, "true",
        "read each .params file once for its digest; false, or TRUST_PARAMS=1: take it on trust"),
    ROW("logging.level", CONFIG_TEXT, log_level, "\"info\"",
        "error, warn, info, debug, trace or off; MODULE=LEVEL for one module; with commas"),
    CHOICE_ROW("logging.format", log_format, "text json", "\"text\"",
               "json: one object a line; else text"),
};
const size_t cuzk_config_n_keys = sizeof cuzk_config_keys / sizeof cuzk_config_keys[0];

const char *const cuzk_config_deprecated[] = {"memory.pinned_budget",
                                              "memory.working_memory_budget",
                                              "synthesis.partition_workers", "srs.preload", NULL};

static void *member_of(const config *c, const config_key *key) {
    return (char *)(uintptr_t)c + key->offset;
}

/* ---- what values are ---- */

/* Digits at the start of *text, which moves behind them; false if there are none or too many. */
static bool take_number(uint64_t *value, const char **text) {
    const char *p = *text;
    *value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value)) {
            return false;
        }
    }
    bool any = p > *text;
    *text = p;
    return any;
}

static const char *skip_spaces(const char *text) { return text + strspn(text, " \t\r\n"); }

typedef struct unit {
    const char *name;
    uint64_t factor;
} unit;
/* The largest first, for writing. */
static const unit sizes[] = {
    {"TiB", KIB *KIB *KIB *KIB}, {"GiB", KIB *KIB *KIB}, {"MiB", KIB *KIB}, {"KiB", KIB},
    {"GB", 1000000000},          {"MB", 1000000},        {"", 1},           {NULL, 0}};
static const unit durations[] = {{"h", 3600 * NS_PER_S}, {"m", 60 * NS_PER_S}, {"s", NS_PER_S},
                                 {"ms", NS_PER_MS},      {"", NS_PER_S},       {NULL, 0}};

/* Spaces, digits, spaces, a unit, spaces. */
static bool read_units(uint64_t *value, const char *text, const unit *units) {
    text = skip_spaces(text);
    if (!take_number(value, &text)) {
        return false;
    }
    text = skip_spaces(text);
    for (const unit *u = units; u->name != NULL; u++) {
        size_t n = strlen(u->name);
        if (strncmp(text, u->name, n) == 0 && *skip_spaces(text + n) == 0) {
            return !__builtin_mul_overflow(*value, u->factor, value);
        }
    }
    return false;
}

/* ---- reading ---- */

/* Where a value is, for messages. */
typedef struct place {
    const char *file;
    const toml_value *value;
    const char *key;
    cuzk_error *err;
} place;

__attribute__((format(printf, 2, 3))) static cuzk_status refuse(const place *at, const char *format,
                                                                ...) {
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (char *p = what; *p != 0; p++) {
        *p = (unsigned char)*p < ' ' ? ' ' : *p;
    }
    return cuzk_fail(at->err, CUZK_E_INPUT, "%s:%u:%u: %s: %s", at->file, at->value->line,
                     at->value->column, at->key, what);
}

static cuzk_status no_memory(cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for settings");
}

static cuzk_status want(const place *at, toml_type type) {
    return at->value->type == type ? CUZK_OK
                                   : refuse(at, "want %s, not %s", cuzk_toml_type_name(type),
                                            cuzk_toml_type_name(at->value->type));
}

static cuzk_status set_text(char **text, const place *at) {
    cuzk_status status = want(at, TOML_TEXT);
    if (status != CUZK_OK) {
        return status;
    }
    char *copy = strdup(at->value->text);
    if (copy == NULL) {
        return no_memory(at->err);
    }
    free(*text);
    *text = copy;
    return CUZK_OK;
}

static cuzk_status set_choice(char **text, const place *at, const config_key *key) {
    cuzk_status status = set_text(text, at);
    if (status != CUZK_OK) {
        return status;
    }
    size_t n;
    for (const char *word = key->choices; *word != 0; word += n + (word[n] == ' ')) {
        n = strcspn(word, " ");
        if (strlen(*text) == n && memcmp(*text, word, n) == 0) {
            return CUZK_OK;
        }
    }
    return refuse(at, "\"%.100s\" is none of: %s", *text, key->choices);
}

static cuzk_status set_mode(uint64_t *mode, const place *at) {
    cuzk_status status = want(at, TOML_TEXT);
    if (status != CUZK_OK) {
        return status;
    }
    const char *text = at->value->text;
    size_t n = strspn(text, "01234567");
    if (n == 0 || n > 4 || text[n] != 0 || strtoul(text, NULL, 8) > 0777) {
        return refuse(at, "\"%.100s\" is not permissions like \"0660\"", text);
    }
    *mode = strtoul(text, NULL, 8);
    return CUZK_OK;
}

static cuzk_status set_size(uint64_t *bytes, const place *at, bool budget) {
    const toml_value *v = at->value;
    if (v->type == TOML_INTEGER && v->integer >= 0) {
        *bytes = (uint64_t)v->integer;
    } else if (v->type != TOML_TEXT && v->type != TOML_INTEGER) {
        return refuse(at, "want a size, not %s", cuzk_toml_type_name(v->type));
    } else if (budget && v->type == TOML_TEXT && strcmp(v->text, "auto") == 0) {
        *bytes = CONFIG_BUDGET_AUTO;
        return CUZK_OK;
    } else if (v->type == TOML_INTEGER || !read_units(bytes, v->text, sizes)) {
        return refuse(at, "\"%.100s\" is not a size like 50GiB%s (units: TiB GiB MiB KiB GB MB)",
                      v->type == TOML_TEXT ? v->text : "-", budget ? ", or auto" : "");
    }
    if (*bytes > INT64_MAX || (budget && *bytes == CONFIG_BUDGET_AUTO)) {
        return refuse(at, "out of range");
    }
    return CUZK_OK;
}

static cuzk_status set_duration(uint64_t *ns, const place *at) {
    const toml_value *v = at->value;
    bool good = false;
    if (v->type == TOML_INTEGER) {
        good = v->integer >= 0 && !__builtin_mul_overflow((uint64_t)v->integer, NS_PER_S, ns);
    } else if (v->type == TOML_TEXT) {
        good = read_units(ns, v->text, durations);
    } else {
        return refuse(at, "want a duration, not %s", cuzk_toml_type_name(v->type));
    }
    return good ? CUZK_OK
                : refuse(at, "\"%.100s\" is not a duration like 5m (units: h m s ms)",
                         v->type == TOML_TEXT ? v->text : "-");
}

static cuzk_status set_number(uint64_t *number, const place *at, uint64_t max) {
    cuzk_status status = want(at, TOML_INTEGER);
    if (status != CUZK_OK) {
        return status;
    }
    if (at->value->integer < 0 || (uint64_t)at->value->integer > max) {
        return refuse(at, "%" PRId64 " is not from 0 to %" PRIu64, at->value->integer, max);
    }
    *number = (uint64_t)at->value->integer;
    return CUZK_OK;
}

static cuzk_status want_items(const place *at) {
    cuzk_status status = want(at, TOML_ARRAY);
    if (status == CUZK_OK && at->value->n_items > ITEMS_MAX) {
        status = refuse(at, "more than %d items", ITEMS_MAX);
    }
    return status;
}

static cuzk_status set_numbers(config_numbers *list, const place *at) {
    cuzk_status status = want_items(at);
    if (status != CUZK_OK) {
        return status;
    }
    uint64_t *items = calloc(at->value->n_items + 1, sizeof *items);
    if (items == NULL) {
        return no_memory(at->err);
    }
    free(list->items);
    *list = (config_numbers){.items = items, .n = at->value->n_items};
    for (size_t i = 0; i < list->n && status == CUZK_OK; i++) {
        const place item = {at->file, &at->value->items[i], at->key, at->err};
        status = set_number(&list->items[i], &item, NUMBER_MAX);
    }
    return status;
}

static void clear_texts(config_texts *list) {
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (config_texts){0};
}

static cuzk_status set_texts(config_texts *list, const place *at) {
    cuzk_status status = want_items(at);
    if (status != CUZK_OK) {
        return status;
    }
    clear_texts(list);
    list->items = calloc(at->value->n_items + 1, sizeof *list->items);
    if (list->items == NULL) {
        return no_memory(at->err);
    }
    list->n = at->value->n_items;
    for (size_t i = 0; i < list->n && status == CUZK_OK; i++) {
        const place item = {at->file, &at->value->items[i], at->key, at->err};
        status = set_text(&list->items[i], &item);
    }
    return status;
}

static cuzk_status set_member(config *c, const config_key *key, const place *at) {
    void *member = member_of(c, key);
    cuzk_status status;
    switch (key->type) {
    case CONFIG_TEXT:
        return set_text(member, at);
    case CONFIG_CHOICE:
        return set_choice(member, at, key);
    case CONFIG_MODE:
        return set_mode(member, at);
    case CONFIG_SIZE:
    case CONFIG_BUDGET:
        return set_size(member, at, key->type == CONFIG_BUDGET);
    case CONFIG_DURATION:
        return set_duration(member, at);
    case CONFIG_NUMBER:
        return set_number(member, at, key->max);
    case CONFIG_SWITCH:
        status = want(at, TOML_BOOL);
        *(bool *)member = at->value->truth;
        return status;
    case CONFIG_NUMBERS:
        return set_numbers(member, at);
    case CONFIG_TEXTS:
        return set_texts(member, at);
    }
    return CUZK_OK;
}

/* ---- keys nobody knows ---- */

__attribute__((format(printf, 2, 3))) static cuzk_status warn(config *c, const char *format, ...) {
    char text[1024];
    va_list args;
    if (c->n_warnings == CONFIG_WARNINGS_MAX) {
        return CUZK_OK;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = strdup(text);
    if (copy == NULL) {
        return CUZK_E_NO_MEMORY;
    }
    c->warnings[c->n_warnings++] = copy;
    return CUZK_OK;
}

/* Insertions, deletions and replacements from one name to the other; names of at most 64 bytes. */
static unsigned distance(const char *a, const char *b) {
    enum { MOST = 64 };
    size_t n = strlen(b);
    unsigned row[MOST + 1];
    if (n > MOST || strlen(a) > MOST) {
        return UINT_MAX;
    }
    for (unsigned j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (unsigned i = 1; a[i - 1] != 0; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            best = best < row[j] + 1 ? best : row[j] + 1;
            best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

static const char *nearest_name(const char *name) {
    const char *nearest = cuzk_config_keys[0].name;
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < cuzk_config_n_keys; i++) {
        unsigned d = distance(name, cuzk_config_keys[i].name);
        if (d < least) {
            least = d;
            nearest = cuzk_config_keys[i].name;
        }
    }
    return least == UINT_MAX ? NULL : nearest;
}

static cuzk_status warn_unknown(config *c, const place *at) {
    const char *what = at->value->type == TOML_TABLE ? "table" : "key";
    if (c->n_warnings >= CONFIG_WARNINGS_MAX - 1) {
        return warn(c, "%s: more unknown keys are ignored", at->file);
    }
    const char *nearest = nearest_name(at->key);
    return warn(c, "%s:%u: unknown %s %s is ignored%s%s", at->file, at->value->line, what, at->key,
                nearest != NULL ? "; the nearest known key is " : "",
                nearest != NULL ? nearest : "");
}

static const config_key *find_key(const char *name) {
    for (size_t i = 0; i < cuzk_config_n_keys; i++) {
        if (strcmp(cuzk_config_keys[i].name, name) == 0) {
            return &cuzk_config_keys[i];
        }
    }
    return NULL;
}

static bool is_deprecated(const char *name) {
    for (size_t i = 0; cuzk_config_deprecated[i] != NULL; i++) {
        if (strcmp(cuzk_config_deprecated[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether `name` is below the table `table`. */
static bool is_within(const char *name, const char *table) {
    size_t n = strlen(table);
    return strncmp(name, table, n) == 0 && name[n] == '.';
}

static bool is_known_table(const char *name) {
    for (size_t i = 0; i < cuzk_config_n_keys; i++) {
        if (is_within(cuzk_config_keys[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* *skipped: the last unknown or deprecated table, whose members are not looked at. */
static cuzk_status take_value(config *c, const char **skipped, const place *at) {
    const config_key *key = find_key(at->key);
    if (*skipped != NULL && is_within(at->key, *skipped)) {
        return CUZK_OK;
    }
    if (key != NULL) {
        return set_member(c, key, at);
    }
    if (is_known_table(at->key)) {
        return want(at, TOML_TABLE);
    }
    if (at->value->type == TOML_TABLE) {
        *skipped = at->key;
    }
    if (is_deprecated(at->key)) {
        return warn(c, "%s:%u: %s is deprecated and has no effect", at->file, at->value->line,
                    at->key);
    }
    return warn_unknown(c, at);
}

/* ---- whole files ---- */

static cuzk_status take_document(config *c, const char *text, size_t len_bytes, const char *file,
                                 cuzk_error *err) {
    toml_document document;
    cuzk_status status = cuzk_toml_read(&document, text, len_bytes, file, err);
    if (status != CUZK_OK) {
        return status;
    }
    const char *skipped = NULL;
    for (size_t i = 0; i < document.n_values && status == CUZK_OK; i++) {
        const toml_value *v = &document.values[i];
        const place at = {file, v, v->key, err};
        status = take_value(c, &skipped, &at);
    }
    cuzk_toml_clear(&document);
    return status == CUZK_E_NO_MEMORY ? no_memory(err) : status;
}

/* The defaults are a document too. */
static cuzk_status take_defaults(config *c, cuzk_error *err) {
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (size_t i = 0; i < cuzk_config_n_keys && f != NULL; i++) {
        fprintf(f, "%s = %s\n", cuzk_config_keys[i].name, cuzk_config_keys[i].standard);
    }
    if (f == NULL || fclose(f) != 0) {
        free(text);
        return no_memory(err);
    }
    cuzk_status status = take_document(c, text, len, "defaults", err);
    free(text);
    return status;
}

/* Settings that depend on each other. */
static cuzk_status check_whole(const config *c, const char *file, cuzk_error *err) {
    if ((*c->tls_cert != 0) != (*c->tls_key != 0)) {
        return cuzk_fail(err, CUZK_E_INPUT, "%s: daemon.tls_cert and daemon.tls_key: both or none",
                         file);
    }
    if (*c->tls_client_ca != 0 && *c->tls_cert == 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "%s: daemon.tls_client_ca needs daemon.tls_cert", file);
    }
    return CUZK_OK;
}

cuzk_status cuzk_config_init(config *c, cuzk_error *err) {
    return cuzk_config_read(c, "", 0, "defaults", err);
}

cuzk_status cuzk_config_read(config *c, const char *text, size_t len_bytes, const char *file,
                             cuzk_error *err) {
    *c = (config){0};
    cuzk_status status = take_defaults(c, err);
    const char *cache = getenv("FIL_PROOFS_PARAMETER_CACHE");
    if (status == CUZK_OK && cache != NULL && *cache != 0) {
        free(c->param_cache);
        c->param_cache = strdup(cache);
        status = c->param_cache != NULL ? CUZK_OK : no_memory(err);
    }
    if (status == CUZK_OK) {
        status = take_document(c, text, len_bytes, file, err);
    }
    if (status == CUZK_OK) {
        status = check_whole(c, file, err);
    }
    if (status != CUZK_OK) {
        cuzk_config_clear(c);
    }
    return status;
}

cuzk_status cuzk_config_load(config *c, bool *found, const char *path, cuzk_error *err) {
    *found = cuzk_file_exists(path);
    if (!*found) {
        return cuzk_config_init(c, err);
    }
    cuzk_map map;
    cuzk_status status = cuzk_map_open(&map, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_config_read(c, map.data != NULL ? (const char *)map.data : "", map.len_bytes,
                              path, err);
    cuzk_map_close(&map);
    return status;
}

void cuzk_config_clear(config *c) {
    for (size_t i = 0; i < cuzk_config_n_keys; i++) {
        void *member = member_of(c, &cuzk_config_keys[i]);
        switch (cuzk_config_keys[i].type) {
        case CONFIG_TEXT:
        case CONFIG_CHOICE:
            free(*(char **)member);
            break;
        case CONFIG_NUMBERS:
            free(((config_numbers *)member)->items);
            break;
        case CONFIG_TEXTS:
            clear_texts(member);
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < c->n_warnings; i++) {
        free(c->warnings[i]);
    }
    *c = (config){0};
}

/* ---- writing ---- */

/* A string of TOML is escaped as one of JSON is. */
static void put_text(FILE *f, const char *text) {
    fputc('"', f);
    for (size_t n; *text != 0; text += n) {
        char escaped[JSON_ESCAPE_MAX];
        n = cuzk_utf8_sequence(text, strlen(text));
        n += n == 0;
        fwrite(escaped, 1, cuzk_json_escape(escaped, sizeof escaped, text, n), f);
    }
    fputc('"', f);
}

/* In the largest unit that leaves no rest. */
static void put_units(FILE *f, uint64_t value, const unit *units) {
    const unit *u = units;
    if (value == 0) {
        fputc('0', f);
        return;
    }
    while (value % u->factor != 0) {
        u++;
    }
    fprintf(f, "\"%" PRIu64 "%s\"", value / u->factor, u->name);
}

static void put_member(FILE *f, const config_key *key, const void *member) {
    const config_numbers *numbers = member;
    const config_texts *texts = member;
    uint64_t number = 0;
    switch (key->type) {
    case CONFIG_TEXT:
    case CONFIG_CHOICE:
        put_text(f, *(char *const *)member);
        return;
    case CONFIG_SWITCH:
        fputs(*(const bool *)member ? "true" : "false", f);
        return;
    case CONFIG_NUMBERS:
        fputc('[', f);
        for (size_t i = 0; i < numbers->n; i++) {
            fprintf(f, "%s%" PRIu64, i > 0 ? ", " : "", numbers->items[i]);
        }
        fputc(']', f);
        return;
    case CONFIG_TEXTS:
        fputc('[', f);
        for (size_t i = 0; i < texts->n; i++) {
            fputs(i > 0 ? ", " : "", f);
            put_text(f, texts->items[i]);
        }
        fputc(']', f);
        return;
    default:
        number = *(const uint64_t *)member;
        break;
    }
    if (key->type == CONFIG_BUDGET && number == CONFIG_BUDGET_AUTO) {
        fputs("\"auto\"", f);
    } else if (key->type == CONFIG_MODE) {
        fprintf(f, "\"0%03" PRIo64 "\"", number);
    } else if (key->type == CONFIG_NUMBER) {
        fprintf(f, "%" PRIu64, number);
    } else {
        put_units(f, number, key->type == CONFIG_DURATION ? durations : sizes);
    }
}

cuzk_status cuzk_config_text(char **text, size_t *len_bytes, const config *c, cuzk_error *err) {
    *text = NULL;
    FILE *f = open_memstream(text, len_bytes);
    const char *table = "";
    for (size_t i = 0; i < cuzk_config_n_keys && f != NULL; i++) {
        const config_key *key = &cuzk_config_keys[i];
        int n = (int)strcspn(key->name, ".");
        if (strncmp(table, key->name, (size_t)n + 1) != 0) {
            fprintf(f, "%s[%.*s]\n", i > 0 ? "\n" : "", n, key->name);
            table = key->name;
        }
        fprintf(f, "# %s\n%s = ", key->meaning, key->name + n + 1);
        put_member(f, key, member_of(c, key));
        fputc('\n', f);
    }
    if (f == NULL || fclose(f) != 0) {
        free(*text);
        *text = NULL;
        return no_memory(err);
    }
    return CUZK_OK;
}
