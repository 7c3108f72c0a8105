/* Requests of tests/vectors/inputs and tests/vectors/invalid: what manifest.json says. */
#ifndef CUZK_TESTS_MANIFEST_H
#define CUZK_TESTS_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_manifest test_manifest;

/* folder: "inputs/porep-2KiB-v1". Asserts on failure. */
test_manifest *test_manifest_open(const char *folder);
void test_manifest_close(test_manifest *m);

bool test_manifest_has(const test_manifest *m, const char *key);
uint64_t test_manifest_u64(const test_manifest *m, const char *key);
/* A hex string of exactly len_bytes. */
void test_manifest_hex(const test_manifest *m, const char *key, uint8_t *out, size_t len_bytes);

/* The lists of PoSt requests. */
size_t test_manifest_files(const test_manifest *m);
const char *test_manifest_file(const test_manifest *m, size_t index); /* until close */
size_t test_manifest_sectors(const test_manifest *m);
void test_manifest_sector(const test_manifest *m, size_t index, uint64_t *number,
                          uint8_t comm_r[32]);

/* Public inputs without ONE, 32 bytes little-endian each. */
size_t test_manifest_partitions(const test_manifest *m);
size_t test_manifest_n_inputs(const test_manifest *m, size_t partition);
void test_manifest_input(const test_manifest *m, size_t partition, size_t index, uint8_t out[32]);

#endif
