/* Text as the inside of a JSON string. */
#ifndef CUZK_BASE_ESCAPE_H
#define CUZK_BASE_ESCAPE_H

#include <stddef.h>

/* Most bytes that one byte of text becomes: \u00XX, or U+FFFD for a byte that is not UTF-8. */
#define JSON_ESCAPE_MAX 6

/* Length of the UTF-8 sequence at the start of text (1 to 4 bytes), 0 if there is no valid one. len
 * at least 1. */
size_t cuzk_utf8_sequence(const char *text, size_t len);

/* Writes text, escaped as RFC 8259 wants it, without quotes and without a final zero byte; bytes
 * that are not UTF-8 become U+FFFD. Stops before the first character that does not fit. Returns the
 * number of bytes written. out  room bytes; len * JSON_ESCAPE_MAX is always enough */
size_t cuzk_json_escape(char *out, size_t room, const char *text, size_t len);

#endif
