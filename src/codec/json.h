/* JSON: a strict streaming reader (RFC 8259) that never builds a tree, over yajl. Depth is bounded,
 * text is valid UTF-8, numbers are handed over as text so that integers stay exact. Which keys must
 * be there, and only once, is the consumer's knowledge. */
#ifndef CUZK_CODEC_JSON_H
#define CUZK_CODEC_JSON_H

#include "base/status.h"

typedef enum json_event {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER, /* text: as written */
    JSON_STRING, /* text: decoded, not terminated */
    JSON_KEY,    /* text: decoded, not terminated */
    JSON_BEGIN_OBJECT,
    JSON_END_OBJECT,
    JSON_BEGIN_ARRAY,
    JSON_END_ARRAY
} json_event;

/* offset: of the byte after the token. Any return but CUZK_OK ends the reading with that status. */
typedef cuzk_status (*json_event_fn)(void *arg, json_event event, const char *text, size_t len,
                                     size_t offset, cuzk_error *err);

/* A whole document, in one piece (map the file: feeding it in pieces is far slower).
 * Fails: CUZK_E_INPUT, "offset N: ...", err->offset set, for anything that is not JSON or nests
 * deeper than max_depth; what fn returns. */
cuzk_status cuzk_json_read(const uint8_t *data, size_t len_bytes, unsigned max_depth,
                           json_event_fn fn, void *arg, cuzk_error *err);

/* Whether bytes look like a document that begins with `first`, '[' or '{', and not like binary data
 * that happens to: the first 64 bytes are printable ASCII and white space. */
bool cuzk_json_looks_like(const uint8_t *data, size_t len_bytes, char first);

/* A JSON_NUMBER as an unsigned integer: digits only, no sign, fraction or exponent, and it fits. */
bool cuzk_json_u64(uint64_t *value, const char *text, size_t len);

#endif
