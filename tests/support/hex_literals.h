/* Hex literals in tests. */
#ifndef CUZK_TESTS_HEX_LITERALS_H
#define CUZK_TESTS_HEX_LITERALS_H

#include <stddef.h>
#include <stdint.h>

/* Decodes hex (either case; blanks and line ends are skipped); asserts on anything else. free() the
 * result. */
uint8_t *test_hex(const char *hex, size_t *len_bytes);
/* out = the bytes of hex, of which there must be exactly len_bytes. */
void test_hex_into(uint8_t *out, size_t len_bytes, const char *hex);
/* Asserts that data is what hex says; prints both if not. */
void test_assert_hex(const void *data, size_t len_bytes, const char *hex);

#endif
