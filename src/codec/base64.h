/* Base64, RFC 4648 standard alphabet with padding, strict. */
#ifndef CUZK_CODEC_BASE64_H
#define CUZK_CODEC_BASE64_H

#include "base/status.h"

/* Room that decoding len characters needs, the padding included. */
static inline size_t base64_room(size_t len) { return len / 4 * 3; }

/* Characters that n_bytes give, the padding included. */
static inline size_t base64_length(size_t n_bytes) { return (n_bytes + 2) / 3 * 4; }

/* text gets base64_length(n_bytes) characters and a zero byte; apart from data. Texts of pieces
 * whose length is a multiple of 3 can be joined. */
void cuzk_base64_encode(char *text, const uint8_t *data, size_t n_bytes);

/* out: base64_room(len) bytes, apart from text; *n_bytes gets how many are data. Nothing but
 * alphabet and padding is accepted, not even line ends, and the spare bits of the last character
 * must be zero. Fails: CUZK_E_INPUT, "offset N: ...", err->offset set. */
cuzk_status cuzk_base64_decode(uint8_t *out, size_t *n_bytes, const char *text, size_t len,
                               cuzk_error *err);

#endif
