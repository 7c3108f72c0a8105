/* Small JSON objects whose members are strings and unsigned integers: notes that lie beside other
 * files. */
#ifndef CUZK_CODEC_FLAT_JSON_H
#define CUZK_CODEC_FLAT_JSON_H

#include "base/status.h"

/* A member to look for. Either text (with room bytes, zero byte included) or integer is set. */
typedef struct flat_json_member {
    const char *name;
    char *text;
    size_t room;
    uint64_t *integer;
    bool found; /* set by cuzk_flat_json_read */
} flat_json_member;

/* Fills in the members that text, one JSON object, has. Other members are ignored, whatever they
 * hold. Fails: CUZK_E_INPUT if text is not one JSON object, or a member has another type, is too
 * long, or comes twice. */
cuzk_status cuzk_flat_json_read(flat_json_member *members, size_t n_members, const char *text,
                                size_t len_bytes, cuzk_error *err);

#endif
