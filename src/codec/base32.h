/* Base32, RFC 4648 lower case without padding: the multibase "b" of CIDs. */
#ifndef CUZK_CODEC_BASE32_H
#define CUZK_CODEC_BASE32_H

#include "base/status.h"

/* Decodes len characters into at most room bytes; *n_bytes gets their number. Strict: lower case
 * only, no padding, the spare bits of the last character are zero. Fails: CUZK_E_INPUT naming the
 * character's offset. */
cuzk_status cuzk_base32_decode(uint8_t *out, size_t room, size_t *n_bytes, const char *text,
                               size_t len, cuzk_error *err);

#endif
