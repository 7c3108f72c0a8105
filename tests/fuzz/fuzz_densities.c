/* Any bytes as a file of densities of "fuzz", as they are and with a digest that is right; what is
 * accepted is written back to the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz_target.h"
#include "hash/blake2.h"
#include "r1cs/densities_file.h"

static void write_back(const r1cs_densities *d, const uint8_t *data, size_t len_bytes) {
    char path[] = "/tmp/cuzk-fuzz-densities-XXXXXX";
    const int fd = mkstemp(path);
    CUZK_ASSERT(fd >= 0);
    close(fd);
    CUZK_ASSERT(cuzk_densities_write(path, d, "fuzz", NULL) == CUZK_OK);
    FILE *file = fopen(path, "rb");
    uint8_t *again = malloc(len_bytes + 1);
    CUZK_ASSERT(file != NULL && again != NULL);
    CUZK_ASSERT(fread(again, 1, len_bytes + 1, file) == len_bytes);
    CUZK_ASSERT(memcmp(again, data, len_bytes) == 0);
    free(again);
    fclose(file);
    unlink(path);
}

static void decode(const uint8_t *data, size_t len_bytes) {
    const cuzk_ctx ctx = {0};
    r1cs_densities d;
    FILE *file = fmemopen((void *)data, len_bytes, "rb");
    CUZK_ASSERT(file != NULL);
    if (cuzk_densities_decode(&d, &ctx, file, len_bytes, "fuzz", NULL) == CUZK_OK) {
        write_back(&d, data, len_bytes);
    }
    cuzk_r1cs_densities_clear(&d);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    uint8_t *sealed = malloc(len_bytes + BLAKE2B_BYTES);
    CUZK_ASSERT(sealed != NULL);
    if (len_bytes > 0) {
        memcpy(sealed, data, len_bytes);
        decode(sealed, len_bytes);
    }
    cuzk_blake2b(sealed + len_bytes, sealed, len_bytes);
    decode(sealed, len_bytes + BLAKE2B_BYTES);
    free(sealed);
    return 0;
}
