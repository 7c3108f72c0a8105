/* Status names and error texts. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cuzk_status_name(cuzk_status status) {
    switch (status) {
#define CASE(name, text)                                                                           \
    case CUZK_##name:                                                                              \
        return "CUZK_" #name;
        CUZK_STATUS_MAP(CASE)
#undef CASE
    }
    return "CUZK_E_UNKNOWN";
}

const char *cuzk_status_text(cuzk_status status) {
    switch (status) {
#define CASE(name, text)                                                                           \
    case CUZK_##name:                                                                              \
        return text;
        CUZK_STATUS_MAP(CASE)
#undef CASE
    }
    return "unknown status";
}

const char *cuzk_version(void) {
#define STRING(x) #x
#define VERSION(a, b, c) STRING(a) "." STRING(b) "." STRING(c)
    return VERSION(CUZK_VERSION_MAJOR, CUZK_VERSION_MINOR, CUZK_VERSION_PATCH);
#undef VERSION
#undef STRING
}

void cuzk_error_clear(cuzk_error *err) {
    if (err != NULL) {
        *err = (cuzk_error){.status = CUZK_OK,
                            .partition = CUZK_NOWHERE,
                            .challenge = CUZK_NOWHERE,
                            .sector = CUZK_NOWHERE,
                            .offset = CUZK_NOWHERE};
    }
}

cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status, const char *format, ...) {
    if (err != NULL) {
        cuzk_error_clear(err);
        err->status = status;
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

static void put_in_front(cuzk_error *err, const char *prefix) {
    char text[sizeof err->text];
    memcpy(text, err->text, sizeof text);
    size_t len = strlen(prefix);
    if (len >= sizeof err->text) {
        len = sizeof err->text - 1;
    }
    memcpy(err->text, prefix, len);
    snprintf(err->text + len, sizeof err->text - len, "%s", text);
}

void cuzk_error_prefix(cuzk_error *err, const char *format, ...) {
    if (err == NULL) {
        return;
    }
    char prefix[512];
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    put_in_front(err, prefix);
}

void cuzk_error_at_file(cuzk_error *err, const char *file, int64_t offset) {
    if (err == NULL) {
        return;
    }
    size_t len = strlen(file);
    size_t skip = len < sizeof err->file ? 0 : len - sizeof err->file + 1;
    snprintf(err->file, sizeof err->file, "%s", file + skip);
    err->offset = offset;
    char prefix[sizeof err->file + 40];
    if (offset == CUZK_NOWHERE) {
        snprintf(prefix, sizeof prefix, "%s: ", err->file);
    } else {
        snprintf(prefix, sizeof prefix, "%s: offset %lld: ", err->file, (long long)offset);
    }
    put_in_front(err, prefix);
}

_Noreturn void cuzk_assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "cuzk: internal fault: %s:%d: %s\n", file, line, condition);
    abort();
}
