/* Hex literals, and values of groth16-vectors.txt by their key. */
#ifndef CUZK_TESTS_VECTORS_H
#define CUZK_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>

/* Decodes hex (either case; blanks and line ends are skipped); asserts on anything else. free() the
 * result. */
uint8_t *test_hex(const char *hex, size_t *len_bytes);
/* out = the bytes of hex, of which there must be exactly len_bytes. */
void test_hex_into(uint8_t *out, size_t len_bytes, const char *hex);
/* Asserts that data is what hex says; prints both if not. */
void test_assert_hex(const void *data, size_t len_bytes, const char *hex);

/* The text behind "key=" in groth16-vectors.txt; asserts that it is there. free() the result. */
char *test_groth16_text(const char *key);
/* The same, decoded from hex. */
uint8_t *test_groth16_hex(const char *key, size_t *len_bytes);

#endif
