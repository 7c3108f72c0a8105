/* Files of known answers, one key=value a line, such as tests/vectors/groth16-vectors.txt. A
 * missing key or a value that is not what was asked for fails the running test. */
#ifndef CUZK_TESTS_KNOWN_ANSWERS_H
#define CUZK_TESTS_KNOWN_ANSWERS_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "support/support.h"

typedef struct known_answers known_answers;

/* name: a file below tests/vectors. */
known_answers *known_answers_open(const char *name);
void known_answers_close(known_answers *answers);

bool known_answers_has(const known_answers *answers, const char *key);
/* The value as it stands. */
const char *known_answers_text(const known_answers *answers, const char *key);
/* Keys that begin with prefix, in order of the file: *index is where to look next, 0 at first. NULL
 * at the end. */
const char *known_answers_next(const known_answers *answers, const char *prefix, size_t *index,
                               const char **value);

/* The value's hex digits, up to its first space, as bytes; free() the result. */
uint8_t *known_answers_bytes(const known_answers *answers, const char *key, size_t *len_bytes);
/* The same for a value of exactly len_bytes. */
void known_answers_exact(const known_answers *answers, const char *key, uint8_t *out,
                         size_t len_bytes);
/* NAME=number among the space-separated words of a value, as in "params_len=2904 ic=2". */
uint64_t known_answers_number(const known_answers *answers, const char *key, const char *name);
/* 32 bytes, big-endian, canonical. */
void known_answers_fr_be(const known_answers *answers, const char *key, fr *r);
/* Compressed points of the subgroup. */
void known_answers_g1(const known_answers *answers, const char *key, g1_affine *p);
void known_answers_g2(const known_answers *answers, const char *key, g2_affine *p);

/* Hex digits to bytes; the text must have exactly 2 len_bytes digits before its end or first space.
 */
void known_answers_hex(uint8_t *out, size_t len_bytes, const char *text);

#endif
