/* Any bytes as JSON: events nest, offsets rise, text is UTF-8; and a copy written from the events
 * has the same ones. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "codec/json.h"
#include "codec/json_writer.h"
#include "fuzz/fuzz_target.h"

#define MAX_DEPTH 20

typedef struct follower {
    unsigned depth;
    size_t offset, end;
    char *key;    /* of the value to come, or NULL */
    bool differs; /* the copy does: text with a zero byte, or a number that is no u64 */
    json_writer copy;
    uint64_t digest;
} follower;

static void mix(follower *f, const void *data, size_t len) {
    for (size_t i = 0; i < len; i++) {
        f->digest = (f->digest ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
    }
}

static char *copy_text(follower *f, const char *text, size_t len) {
    char *copy = malloc(len + 1);
    CUZK_ASSERT(copy != NULL);
    memcpy(copy, text, len);
    copy[len] = 0;
    f->differs |= strlen(copy) != len;
    return copy;
}

static void write_event(follower *f, json_event event, const char *text, size_t len) {
    uint64_t number = 0;
    char *copy = NULL;
    switch (event) {
    case JSON_NULL:
        cuzk_json_put_null(&f->copy, f->key);
        break;
    case JSON_FALSE:
    case JSON_TRUE:
        cuzk_json_put_bool(&f->copy, f->key, event == JSON_TRUE);
        break;
    case JSON_NUMBER:
        f->differs |= !cuzk_json_u64(&number, text, len);
        cuzk_json_put_u64(&f->copy, f->key, number);
        break;
    case JSON_STRING:
        copy = copy_text(f, text, len);
        cuzk_json_put_text(&f->copy, f->key, copy);
        break;
    case JSON_BEGIN_OBJECT:
        cuzk_json_begin_object(&f->copy, f->key);
        break;
    case JSON_BEGIN_ARRAY:
        cuzk_json_begin_array(&f->copy, f->key);
        break;
    case JSON_END_OBJECT:
    case JSON_END_ARRAY:
        cuzk_json_end(&f->copy);
        return;
    case JSON_KEY:
        copy = copy_text(f, text, len);
        break;
    }
    free(f->key);
    f->key = event == JSON_KEY ? copy : NULL;
    if (event != JSON_KEY) {
        free(copy);
    }
}

static cuzk_status follow(void *arg, json_event event, const char *text, size_t len, size_t offset,
                          cuzk_error *err) {
    follower *f = arg;
    (void)err;
    CUZK_ASSERT(offset > f->offset && offset <= f->end);
    f->offset = offset;
    f->depth += event == JSON_BEGIN_OBJECT || event == JSON_BEGIN_ARRAY;
    f->depth -= event == JSON_END_OBJECT || event == JSON_END_ARRAY;
    CUZK_ASSERT(f->depth <= MAX_DEPTH);
    for (size_t at = 0; at < len;) {
        size_t n = cuzk_utf8_sequence(text + at, len - at);
        CUZK_ASSERT(n > 0);
        at += n;
    }
    mix(f, &event, sizeof event);
    mix(f, text, len);
    write_event(f, event, text, len);
    return CUZK_OK;
}

static cuzk_status read_all(follower *f, const uint8_t *data, size_t len_bytes) {
    f->end = len_bytes;
    cuzk_error err;
    cuzk_status status = cuzk_json_read(data, len_bytes, MAX_DEPTH, follow, f, &err);
    CUZK_ASSERT(status == CUZK_OK || (err.offset >= 0 && (size_t)err.offset <= len_bytes));
    CUZK_ASSERT(status != CUZK_OK || f->depth == 0);
    free(f->key);
    f->key = NULL;
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    follower f = {0}, again = {0};
    if (read_all(&f, data, len_bytes) == CUZK_OK && !f.differs) {
        char *text;
        size_t len;
        CUZK_ASSERT(cuzk_json_finish(&f.copy, &text, &len, NULL) == CUZK_OK);
        CUZK_ASSERT(read_all(&again, (const uint8_t *)text, len) == CUZK_OK);
        CUZK_ASSERT(again.digest == f.digest);
        free(text);
    }
    cuzk_json_abandon(&f.copy);
    cuzk_json_abandon(&again.copy);
    return 0;
}
