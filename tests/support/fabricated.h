/* Fabricated inputs, read and checked. */
#ifndef CUZK_TESTS_FABRICATED_H
#define CUZK_TESTS_FABRICATED_H

#include "filecoin/fabricate_porep.h"
#include "filecoin/fabricate_update.h"

/* A file in memory; free(data). */
typedef struct test_file {
    uint8_t *data;
    size_t len_bytes, room;
} test_file;

/* A c1.json of a registered proof type. */
test_file test_fabricate_c1(const cuzk_ctx *ctx, unsigned type_number, uint64_t seed,
                            const porep_request *request);
/* Makes one and asserts that it reads and passes the native check. */
void test_check_fabricated_c1(const cuzk_ctx *ctx, unsigned type_number);
/* Makes all partitions, writes and reads them, and asserts that they pass the native check. */
void test_check_fabricated_update(const cuzk_ctx *ctx, const fabricated_update *u);

#endif
