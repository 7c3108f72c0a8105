/* Writes JSON. */
#include "codec/json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/escape.h"
#include "codec/hex.h"

/* Room for len more bytes and a zero byte; NULL without memory. */
static char *reserve(json_writer *w, size_t len) {
    size_t need;
    if (w->no_memory || !size_add(&need, w->len_bytes, len) || !size_add(&need, need, 1)) {
        w->no_memory = true;
        return NULL;
    }
    if (need > w->room_bytes) {
        size_t room = need < SIZE_MAX / 2 ? 2 * need : need;
        char *text = realloc(w->text, room);
        if (text == NULL) {
            w->no_memory = true;
            return NULL;
        }
        w->text = text;
        w->room_bytes = room;
    }
    return w->text + w->len_bytes;
}

static void put(json_writer *w, const char *text, size_t len) {
    char *at = reserve(w, len);
    if (at != NULL) {
        memcpy(at, text, len);
        w->len_bytes += len;
    }
}

static void put_quoted(json_writer *w, const char *text) {
    size_t len = strlen(text), most;
    put(w, "\"", 1);
    char *at = size_mul(&most, len, JSON_ESCAPE_MAX) ? reserve(w, most) : NULL;
    if (at != NULL) {
        w->len_bytes += cuzk_json_escape(at, most, text, len);
    }
    put(w, "\"", 1);
}

/* The comma and key before a value. */
static void begin_value(json_writer *w, const char *key) {
    bool in_object = w->depth > 0 && w->closers[w->depth - 1] == '}';
    CUZK_ASSERT((key != NULL) == in_object);
    CUZK_ASSERT(w->depth > 0 || !w->has_member);
    if (w->has_member) {
        put(w, ",", 1);
    }
    w->has_member = true;
    if (key != NULL) {
        put_quoted(w, key);
        put(w, ":", 1);
    }
}

static void begin(json_writer *w, const char *key, char opener, char closer) {
    begin_value(w, key);
    CUZK_ASSERT(w->depth < JSON_WRITER_DEPTH);
    w->closers[w->depth++] = closer;
    w->has_member = false;
    put(w, &opener, 1);
}

void cuzk_json_begin_object(json_writer *w, const char *key) { begin(w, key, '{', '}'); }
void cuzk_json_begin_array(json_writer *w, const char *key) { begin(w, key, '[', ']'); }

void cuzk_json_end(json_writer *w) {
    CUZK_ASSERT(w->depth > 0);
    put(w, &w->closers[--w->depth], 1);
    w->has_member = true;
}

void cuzk_json_put_text(json_writer *w, const char *key, const char *text) {
    begin_value(w, key);
    put_quoted(w, text);
}

void cuzk_json_put_hex(json_writer *w, const char *key, const uint8_t *data, size_t len_bytes) {
    begin_value(w, key);
    put(w, "\"", 1);
    size_t len;
    char *at = size_mul(&len, len_bytes, 2) ? reserve(w, len) : NULL;
    if (at != NULL) {
        cuzk_hex_encode(at, data, len_bytes);
        w->len_bytes += len;
    }
    put(w, "\"", 1);
}

static void put_word(json_writer *w, const char *key, const char *word) {
    begin_value(w, key);
    put(w, word, strlen(word));
}

void cuzk_json_put_u64(json_writer *w, const char *key, uint64_t value) {
    char word[32];
    snprintf(word, sizeof word, "%" PRIu64, value);
    put_word(w, key, word);
}

void cuzk_json_put_i64(json_writer *w, const char *key, int64_t value) {
    char word[32];
    snprintf(word, sizeof word, "%" PRId64, value);
    put_word(w, key, word);
}

void cuzk_json_put_double(json_writer *w, const char *key, double value) {
    char word[40] = "null";
    if (isfinite(value)) {
        snprintf(word, sizeof word, "%.15g", value);
        /* a locale may write another decimal sign */
        for (char *c = word; *c != 0; c++) {
            *c = strchr("0123456789+-e", *c) == NULL ? '.' : *c;
        }
    }
    put_word(w, key, word);
}

void cuzk_json_put_bool(json_writer *w, const char *key, bool value) {
    put_word(w, key, value ? "true" : "false");
}

void cuzk_json_put_null(json_writer *w, const char *key) { put_word(w, key, "null"); }

void cuzk_json_abandon(json_writer *w) {
    free(w->text);
    *w = (json_writer){0};
}

cuzk_status cuzk_json_finish(json_writer *w, char **text, size_t *len_bytes, cuzk_error *err) {
    CUZK_ASSERT(w->depth == 0);
    char *end = reserve(w, 0);
    if (end == NULL) {
        *text = NULL;
        *len_bytes = 0;
        cuzk_json_abandon(w);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a JSON document");
    }
    *end = 0;
    *text = w->text;
    *len_bytes = w->len_bytes;
    *w = (json_writer){0};
    return CUZK_OK;
}
