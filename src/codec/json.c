/* The JSON reader: yajl's callbacks become events. What yajl lets pass and RFC 8259 does not is
 * refused before. */
#include "codec/json.h"

#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/bytes.h"
#include "base/escape.h"

typedef struct reader {
    yajl_handle handle;
    json_event_fn fn;
    void *arg;
    unsigned depth, max_depth;
    const uint8_t *data;
    size_t len_bytes;
    bool at_end;        /* all bytes are fed: yajl's own count starts again */
    cuzk_status status; /* of the consumer */
    cuzk_error *err;
} reader;

static cuzk_status fail_at(cuzk_error *err, size_t offset, const char *what) {
    cuzk_fail(err, CUZK_E_INPUT, "offset %zu: %s", offset, what);
    if (err != NULL) {
        err->offset = (int64_t)offset;
    }
    return CUZK_E_INPUT;
}

/* Where the parser is: behind the last token. */
static size_t position(const reader *r) {
    return r->at_end ? r->len_bytes : yajl_get_bytes_consumed(r->handle);
}

/* yajl's convention: 0 stops the parser. */
static int tell_at(reader *r, json_event event, const char *text, size_t len, size_t offset) {
    r->status = r->fn(r->arg, event, text, len, offset, r->err);
    return r->status == CUZK_OK;
}
static int tell(reader *r, json_event event, const char *text, size_t len) {
    return tell_at(r, event, text, len, position(r));
}

static int enter(reader *r, json_event event) {
    if (r->depth == r->max_depth) {
        r->status = fail_at(r->err, position(r), "nested too deeply");
        return 0;
    }
    r->depth++;
    return tell(r, event, NULL, 0);
}

static int leave(reader *r, json_event event) {
    r->depth--;
    return tell(r, event, NULL, 0);
}

static int on_null(void *r) { return tell(r, JSON_NULL, NULL, 0); }
static int on_boolean(void *r, int value) {
    return tell(r, value ? JSON_TRUE : JSON_FALSE, NULL, 0);
}
/* The many small numbers of a document lie in its bytes: no call for where they end. */
static int on_number(void *arg, const char *text, size_t len) {
    reader *r = arg;
    const size_t offset = (size_t)((uintptr_t)text - (uintptr_t)r->data);
    return offset < r->len_bytes ? tell_at(r, JSON_NUMBER, text, len, offset + len)
                                 : tell(r, JSON_NUMBER, text, len);
}
static int on_string(void *r, const unsigned char *text, size_t len) {
    return tell(r, JSON_STRING, (const char *)text, len);
}
static int on_key(void *r, const unsigned char *text, size_t len) {
    return tell(r, JSON_KEY, (const char *)text, len);
}
static int on_begin_object(void *r) { return enter(r, JSON_BEGIN_OBJECT); }
static int on_end_object(void *r) { return leave(r, JSON_END_OBJECT); }
static int on_begin_array(void *r) { return enter(r, JSON_BEGIN_ARRAY); }
static int on_end_array(void *r) { return leave(r, JSON_END_ARRAY); }

/* yajl's message without its prefix and line end. */
static cuzk_status fail_syntax(reader *r) {
    unsigned char *message = yajl_get_error(r->handle, 0, NULL, 0);
    char text[160] = "not JSON";
    if (message != NULL) {
        const char *from = strchr((const char *)message, ':');
        from = from == NULL ? (const char *)message : from + 1;
        from += strspn(from, " ");
        strncpy(text, from, sizeof text - 1);
        text[strcspn(text, "\r\n")] = '\0';
        yajl_free_error(r->handle, message);
    }
    return fail_at(r->err, position(r), text);
}

/* Offset of the first byte that is not part of UTF-8, len if there is none. yajl checks only
 * roughly. */
static size_t first_foreign_byte(const uint8_t *data, size_t len) {
    for (size_t at = 0; at < len;) {
        if (len - at >= 8 && (load_le64(data + at) & 0x8080808080808080) == 0) {
            at += 8;
            continue;
        }
        size_t n = cuzk_utf8_sequence((const char *)data + at, len - at);
        if (n == 0) {
            return at;
        }
        at += n;
    }
    return len;
}

/* The code unit of the escape \uXXXX at `at`, or -1 if there is none. */
static int32_t escaped_unit(const uint8_t *data, size_t len, size_t at) {
    if (len - at < 6 || data[at] != '\\' || data[at + 1] != 'u') {
        return -1;
    }
    int32_t unit = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        uint8_t c = data[i];
        int digit = c >= '0' && c <= '9'                 ? c - '0'
                    : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                         : -1;
        if (digit < 0) {
            return -1;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

/* Offset of the first escape that is half of a surrogate pair without the other half, for which
 * yajl puts a question mark; len if there is none. Backslashes outside of strings are errors that
 * yajl finds. */
static size_t first_lone_surrogate(const uint8_t *data, size_t len) {
    for (size_t at = 0; at < len;) {
        const uint8_t *backslash = memchr(data + at, '\\', len - at);
        if (backslash == NULL) {
            return len;
        }
        at = (size_t)(backslash - data);
        int32_t unit = escaped_unit(data, len, at);
        if (unit >= 0xd800 && unit <= 0xdbff) {
            int32_t low = escaped_unit(data, len, at + 6);
            if (low < 0xdc00 || low > 0xdfff) {
                return at;
            }
            at += 12;
        } else if (unit >= 0xdc00 && unit <= 0xdfff) {
            return at;
        } else {
            at += 2;
        }
    }
    return len;
}

/* What yajl accepts or repairs, but RFC 8259 does not allow. */
static cuzk_status check_bytes(const uint8_t *data, size_t len, cuzk_error *err) {
    for (int c = 0x0b; c <= 0x0c; c++) { /* white space to yajl */
        const uint8_t *at = len == 0 ? NULL : memchr(data, c, len);
        if (at != NULL) {
            return fail_at(err, (size_t)(at - data), "a control character");
        }
    }
    size_t foreign = first_foreign_byte(data, len);
    if (foreign < len) {
        return fail_at(err, foreign, "not UTF-8");
    }
    size_t lone = first_lone_surrogate(data, len);
    return lone < len ? fail_at(err, lone, "half of a surrogate pair") : CUZK_OK;
}

cuzk_status cuzk_json_read(const uint8_t *data, size_t len_bytes, unsigned max_depth,
                           json_event_fn fn, void *arg, cuzk_error *err) {
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_begin_object,
        .yajl_map_key = on_key,
        .yajl_end_map = on_end_object,
        .yajl_start_array = on_begin_array,
        .yajl_end_array = on_end_array,
    };
    cuzk_status status = check_bytes(data, len_bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    reader r = {.fn = fn,
                .arg = arg,
                .max_depth = max_depth,
                .data = data,
                .len_bytes = len_bytes,
                .err = err};
    r.handle = yajl_alloc(&callbacks, NULL, &r);
    if (r.handle == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to read JSON");
    }
    yajl_config(r.handle, yajl_dont_validate_strings, 1); /* done above */
    yajl_status parsed = yajl_parse(r.handle, data, len_bytes);
    if (parsed == yajl_status_ok) {
        r.at_end = true;
        parsed = yajl_complete_parse(r.handle);
    }
    if (r.status == CUZK_OK && parsed != yajl_status_ok) {
        r.status = fail_syntax(&r);
    }
    yajl_free(r.handle);
    return r.status;
}

#define LOOK_BYTES 64

bool cuzk_json_looks_like(const uint8_t *data, size_t len_bytes, char first) {
    size_t at = 0;
    while (at < len_bytes && memchr(" \t\r\n", data[at], 4) != NULL) {
        at++;
    }
    if (at == len_bytes || data[at] != (uint8_t)first) {
        return false;
    }
    for (size_t i = 0; i < len_bytes && i < LOOK_BYTES; i++) {
        if ((data[i] < 0x20 && memchr("\t\r\n", data[i], 3) == NULL) || data[i] >= 0x7f) {
            return false;
        }
    }
    return true;
}

#define SHORT_DIGITS 19 /* any number of that many digits fits */

bool cuzk_json_u64(uint64_t *value, const char *text, size_t len) {
    uint64_t v = 0;
    if (len == 0) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if (digit > 9 || (i >= SHORT_DIGITS && v > (UINT64_MAX - digit) / 10)) {
            return false;
        }
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}
