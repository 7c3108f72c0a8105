/* Hexadecimal text. */
#ifndef CUZK_CODEC_HEX_H
#define CUZK_CODEC_HEX_H

#include "base/status.h"

/* text gets 2 * len_bytes lower-case digits and a zero byte. */
void cuzk_hex_encode(char *text, const uint8_t *data, size_t len_bytes);
/* Exactly 2 * len_bytes digits, either case; false otherwise. */
bool cuzk_hex_decode(uint8_t *data, size_t len_bytes, const char *text);

#endif
