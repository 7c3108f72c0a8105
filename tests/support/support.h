/* What tests share: random field elements from a fixed seed, hex literals, vector files. */
#ifndef CUZK_TESTS_SUPPORT_H
#define CUZK_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "field/fp2.h"
#include "field/fr.h"

/* xorshift64*, seeded by the caller; not for anything but tests. */
typedef struct test_rng {
    uint64_t state;
} test_rng;
uint64_t test_rng_u64(test_rng *rng);
void test_rng_fr(fr *r, test_rng *rng);
void test_rng_fr_plain(fr_plain *r, test_rng *rng);
void test_rng_fp(fp *r, test_rng *rng);

/* Reads a whole file; asserts on failure; free() the result. A zero byte follows the content. */
uint8_t *test_read_file(const char *path, size_t *len_bytes);
/* CUZK_TEST_VECTORS "/" name, or if there is none such, name ".gz" unpacked, or name ".1.gz",
 * name ".2.gz" ... unpacked and joined */
uint8_t *test_read_vector(const char *name, size_t *len_bytes);
/* The same, unpacked, of a file that gzip made. */
uint8_t *test_read_packed_vector(const char *name, size_t *len_bytes);

#endif
