/* Base64, RFC 4648 standard alphabet with padding, strict. */
#ifndef CUZK_CODEC_BASE64_H
#define CUZK_CODEC_BASE64_H

#include "base/status.h"

/* Room that decoding len characters needs, the padding included. */
static inline size_t base64_room(size_t len) { return len / 4 * 3; }

/* out: base64_room(len) bytes, apart from text; *n_bytes gets how many are data. Nothing but
 * alphabet and padding is accepted, not even line ends, and the spare bits of the last character
 * must be zero. Fails: CUZK_E_INPUT, "offset N: ...", err->offset set. */
cuzk_status cuzk_base64_decode(uint8_t *out, size_t *n_bytes, const char *text, size_t len,
                               cuzk_error *err);

#endif
