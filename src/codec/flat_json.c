/* Small JSON objects. */
#include "codec/flat_json.h"

#include <string.h>

#include "codec/json.h"

/* Deeper nesting than any note has. */
#define MAX_DEPTH 16

typedef struct flat_reader {
    flat_json_member *members;
    size_t n_members;
    flat_json_member *current; /* the member whose value comes next, NULL if it is not asked for */
    unsigned depth;
} flat_reader;

static cuzk_status take_key(flat_reader *r, const char *key, size_t len, cuzk_error *err) {
    r->current = NULL;
    for (size_t i = 0; i < r->n_members; i++) {
        if (strlen(r->members[i].name) == len && memcmp(r->members[i].name, key, len) == 0) {
            r->current = &r->members[i];
        }
    }
    if (r->current != NULL && r->current->found) {
        return cuzk_fail(err, CUZK_E_INPUT, "\"%s\" comes twice", r->current->name);
    }
    return CUZK_OK;
}

static cuzk_status take_value(const flat_json_member *m, json_event event, const char *text,
                              size_t len, cuzk_error *err) {
    if (m->text != NULL) {
        if (event != JSON_STRING || len >= m->room || memchr(text, 0, len) != NULL) {
            return cuzk_fail(err, CUZK_E_INPUT, "\"%s\" is not a string of less than %zu bytes",
                             m->name, m->room);
        }
        memcpy(m->text, text, len);
        m->text[len] = 0;
    } else if (event != JSON_NUMBER || !cuzk_json_u64(m->integer, text, len)) {
        return cuzk_fail(err, CUZK_E_INPUT, "\"%s\" is not an unsigned integer", m->name);
    }
    return CUZK_OK;
}

static cuzk_status on_event(void *arg, json_event event, const char *text, size_t len,
                            size_t offset, cuzk_error *err) {
    (void)offset;
    flat_reader *r = arg;
    const bool begins = event == JSON_BEGIN_OBJECT || event == JSON_BEGIN_ARRAY;
    if (event == JSON_END_OBJECT || event == JSON_END_ARRAY) {
        r->depth--;
        return CUZK_OK;
    }
    if (r->depth == 0 && event != JSON_BEGIN_OBJECT) {
        return cuzk_fail(err, CUZK_E_INPUT, "not a JSON object");
    }
    if (r->depth == 1 && event == JSON_KEY) {
        return take_key(r, text, len, err);
    }
    if (r->depth == 1 && r->current != NULL) {
        cuzk_status status = take_value(r->current, event, text, len, err);
        if (status != CUZK_OK) {
            return status;
        }
        r->current->found = true;
    }
    r->depth += begins;
    return CUZK_OK;
}

cuzk_status cuzk_flat_json_read(flat_json_member *members, size_t n_members, const char *text,
                                size_t len_bytes, cuzk_error *err) {
    flat_reader r = {.members = members, .n_members = n_members};
    for (size_t i = 0; i < n_members; i++) {
        members[i].found = false;
    }
    return cuzk_json_read((const uint8_t *)text, len_bytes, MAX_DEPTH, on_event, &r, err);
}
