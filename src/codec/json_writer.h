/* JSON output: a document written member by member into a growing buffer, on one line. Misuse (a
 * key where none belongs, an end that was not begun) asserts. Lack of memory is remembered and
 * reported by cuzk_json_finish. */
#ifndef CUZK_CODEC_JSON_WRITER_H
#define CUZK_CODEC_JSON_WRITER_H

#include "base/status.h"

#define JSON_WRITER_DEPTH 32

/* Zeroed before the first call. */
typedef struct json_writer {
    char *text;
    size_t len_bytes, room_bytes;
    bool no_memory;
    bool has_member; /* a comma is due before the next value */
    unsigned depth;
    char closers[JSON_WRITER_DEPTH]; /* '}' or ']' of each open object or array */
} json_writer;

/* key: not NULL within an object, NULL within an array and for the document itself. */
void cuzk_json_begin_object(json_writer *w, const char *key);
void cuzk_json_begin_array(json_writer *w, const char *key);
void cuzk_json_end(json_writer *w); /* the innermost object or array */
/* text: any bytes up to a zero byte; those that are not UTF-8 become U+FFFD. */
void cuzk_json_put_text(json_writer *w, const char *key, const char *text);
void cuzk_json_put_hex(json_writer *w, const char *key, const uint8_t *data, size_t len_bytes);
void cuzk_json_put_u64(json_writer *w, const char *key, uint64_t value);
void cuzk_json_put_i64(json_writer *w, const char *key, int64_t value);
/* Shortest of up to 15 digits; null for infinity and NaN. */
void cuzk_json_put_double(json_writer *w, const char *key, double value);
void cuzk_json_put_bool(json_writer *w, const char *key, bool value);
void cuzk_json_put_null(json_writer *w, const char *key);

/* Hands over the document, zero-terminated; the caller frees it. The writer is zeroed.
 * Fails: CUZK_E_NO_MEMORY; *text is NULL then. */
cuzk_status cuzk_json_finish(json_writer *w, char **text, size_t *len_bytes, cuzk_error *err);
/* Drops an unfinished document. */
void cuzk_json_abandon(json_writer *w);

#endif
