/* Formats log lines and filters them by module. */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"

#define MAX_MODULES 32
#define MODULE_BYTES 32
#define LINE_BYTES 8192
#define MESSAGE_BYTES 2048
#define OFF (-1)

static const char *const level_names[CUZK_LOG_LEVELS] = {"error", "warn", "info", "debug", "trace"};
static const char *const level_labels[CUZK_LOG_LEVELS] = {"ERROR", "WARN", "INFO", "DEBUG",
                                                          "TRACE"};
static const int journal_priorities[CUZK_LOG_LEVELS] = {3, 4, 6, 7, 7};

typedef struct settings {
    bool json, journal;
    int level; /* of modules without a row, or OFF */
    unsigned n_modules;
    struct {
        char name[MODULE_BYTES];
        int level;
    } modules[MAX_MODULES];
} settings;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static settings current = {.level = CUZK_LOG_INFO}; /* guarded by the mutex */
static atomic_int highest = CUZK_LOG_INFO;          /* the largest level of any module */

/* false for a name that is no level. */
static bool read_level(int *level, const char *name, size_t len) {
    if (len == 3 && strncasecmp(name, "off", 3) == 0) {
        *level = OFF;
        return true;
    }
    for (int i = 0; i < CUZK_LOG_LEVELS; i++) {
        if (len == strlen(level_names[i]) && strncasecmp(name, level_names[i], len) == 0) {
            *level = i;
            return true;
        }
    }
    return false;
}

/* One item of a filter into `s`; false if it is malformed. */
static bool read_item(settings *s, const char *item, size_t len) {
    const char *equals = memchr(item, '=', len);
    if (equals == NULL) {
        return read_level(&s->level, item, len);
    }
    size_t name_len = (size_t)(equals - item);
    int level;
    if (name_len == 0 || name_len >= MODULE_BYTES ||
        !read_level(&level, equals + 1, len - name_len - 1)) {
        return false;
    }
    if ((name_len == 4 && memcmp(item, "cuzk", 4) == 0) ||
        (name_len > 5 && memcmp(item, "cuzk_", 5) == 0)) {
        s->level = level;
        return true;
    }
    if (s->n_modules == MAX_MODULES) {
        return false;
    }
    memcpy(s->modules[s->n_modules].name, item, name_len);
    s->modules[s->n_modules].name[name_len] = 0;
    s->modules[s->n_modules].level = level;
    s->n_modules++;
    return true;
}

/* systemd names the journal's socket as DEVICE:INODE. */
static bool stderr_is_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat info;
    unsigned long long device, inode;
    return stream != NULL && fstat(STDERR_FILENO, &info) == 0 &&
           sscanf(stream, "%llu:%llu", &device, &inode) == 2 && device == info.st_dev &&
           inode == info.st_ino;
}

cuzk_status cuzk_log_setup(const char *filter, bool json, cuzk_error *err) {
    settings s = {.json = json, .journal = !json && stderr_is_journal(), .level = CUZK_LOG_INFO};
    for (const char *item = filter; *item != 0;) {
        size_t len = strcspn(item, ",");
        if (len > 0 && !read_item(&s, item, len)) {
            return cuzk_fail(err, CUZK_E_INPUT,
                             "log filter: bad item \"%.*s\" (want LEVEL or MODULE=LEVEL with off, "
                             "error, warn, info, debug, trace)",
                             (int)(len < 100 ? len : 100), item);
        }
        item += len + (item[len] == ',');
    }
    int most = s.level;
    for (unsigned i = 0; i < s.n_modules; i++) {
        most = s.modules[i].level > most ? s.modules[i].level : most;
    }
    pthread_mutex_lock(&mutex);
    current = s;
    pthread_mutex_unlock(&mutex);
    atomic_store(&highest, most);
    return CUZK_OK;
}

/* Whether a line passes; and how to write it. */
static bool look_up(bool *json, bool *journal, cuzk_log_level level, const char *module) {
    if ((int)level > atomic_load_explicit(&highest, memory_order_relaxed)) {
        return false;
    }
    pthread_mutex_lock(&mutex);
    int limit = current.level;
    for (unsigned i = 0; i < current.n_modules; i++) {
        if (strcmp(current.modules[i].name, module) == 0) {
            limit = current.modules[i].level;
        }
    }
    *json = current.json;
    *journal = current.journal;
    pthread_mutex_unlock(&mutex);
    return (int)level <= limit;
}

bool cuzk_log_enabled(cuzk_log_level level, const char *module) {
    bool json, journal;
    return look_up(&json, &journal, level, module);
}

/* A line in the making. Pieces that do not fit are left out whole. */
typedef struct line {
    size_t len;
    char text[LINE_BYTES];
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t room = sizeof l->text - l->len;
    int n = vsnprintf(l->text + l->len, room, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < room) {
        l->len += (size_t)n;
    }
}

/* text in quotes, escaped as in JSON, of at most MESSAGE_BYTES. */
static void add_quoted(line *l, const char *text) {
    char escaped[MESSAGE_BYTES];
    size_t n = cuzk_json_escape(escaped, sizeof escaped, text, strlen(text));
    add(l, "\"%.*s\"", (int)n, escaped);
}

static bool is_plain(const char *text) {
    if (*text == 0) {
        return false;
    }
    for (; *text != 0; text++) {
        if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 0x7f ||
            strchr(",\"'=\\", *text) != NULL) {
            return false;
        }
    }
    return true;
}

static void add_value(line *l, const cuzk_log_field *field, bool json) {
    if (field->text == NULL) {
        add(l, "%llu", (unsigned long long)field->number);
    } else if (!json && is_plain(field->text)) {
        add(l, "%.*s", MESSAGE_BYTES, field->text);
    } else {
        add_quoted(l, field->text);
    }
}

/* Adds one field, or nothing if the line would get longer than `most` bytes. */
static void add_field(line *l, const cuzk_log_field *field, bool json, size_t most) {
    line piece;
    piece.len = 0;
    if (json) {
        add(&piece, ",");
        add_quoted(&piece, field->key);
        add(&piece, ":");
    } else {
        add(&piece, " %s=", field->key);
    }
    add_value(&piece, field, json);
    if (l->len + piece.len <= most) {
        memcpy(l->text + l->len, piece.text, piece.len);
        l->len += piece.len;
    }
}

static void format_time(char text[40]) {
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(text, 40, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + n, 40 - n, ".%06ldZ", now.tv_nsec / 1000);
}

static void write_line(const line *l) {
    size_t done = 0;
    while (done < l->len) {
        ssize_t n = write(STDERR_FILENO, l->text + done, l->len - done);
        if (n <= 0) {
            return; /* nowhere to report it */
        }
        done += (size_t)n;
    }
}

void cuzk_log(cuzk_log_level level, const char *module, const cuzk_log_field *fields,
              size_t n_fields, const char *format, ...) {
    bool json, journal;
    if (!look_up(&json, &journal, level, module)) {
        return;
    }
    char message[MESSAGE_BYTES / JSON_ESCAPE_MAX * 3];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    char time[40];
    format_time(time);
    line l;
    l.len = 0;
    if (json) {
        add(&l, "{\"timestamp\":\"%s\",\"level\":\"%s\",\"module\":", time, level_labels[level]);
        add_quoted(&l, module);
        add(&l, ",\"message\":");
        add_quoted(&l, message);
    } else {
        if (journal) {
            add(&l, "<%d>", journal_priorities[level]);
        }
        for (char *c = message; *c != 0; c++) {
            *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c; /* a line stays a line */
        }
        add(&l, "%s %5s %s: %s", time, level_labels[level], module, message);
    }
    for (size_t i = 0; i < n_fields; i++) {
        add_field(&l, &fields[i], json, sizeof l.text - 3);
    }
    add(&l, json ? "}\n" : "\n");
    write_line(&l);
}
