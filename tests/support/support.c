#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t test_rng_u64(test_rng *rng) {
    rng->state ^= rng->state >> 12;
    rng->state ^= rng->state << 25;
    rng->state ^= rng->state >> 27;
    return rng->state * 0x2545f4914f6cdd1dull;
}

void test_rng_fr_plain(fr_plain *r, test_rng *rng) {
    uint8_t bytes[FR_BYTES];
    do {
        for (int i = 0; i < 4; i++) {
            uint64_t v = test_rng_u64(rng);
            memcpy(bytes + 8 * i, &v, sizeof v);
        }
        bytes[31] &= 0x7f;
    } while (!cuzk_fr_plain_read_le(r, bytes));
}

void test_rng_fr(fr *r, test_rng *rng) {
    fr_plain p;
    test_rng_fr_plain(&p, rng);
    memcpy(r, &p, sizeof *r);
}

void test_rng_fp(fp *r, test_rng *rng) {
    uint8_t bytes[FP_BYTES];
    do {
        for (int i = 0; i < 6; i++) {
            uint64_t v = test_rng_u64(rng);
            memcpy(bytes + 8 * i, &v, sizeof v);
        }
        bytes[0] &= 0x1f;
    } while (!cuzk_fp_read_be(r, bytes));
}

uint8_t *test_read_file(const char *path, size_t *len_bytes) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    fseek(file, 0, SEEK_END);
    long len = ftell(file);
    rewind(file);
    uint8_t *data = malloc((size_t)len + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)len, file), (size_t)len);
    fclose(file);
    data[len] = 0;
    *len_bytes = (size_t)len;
    return data;
}

/* files: for the shell, one after the other. */
static uint8_t *read_unpacked(const char *files, size_t *len_bytes) {
    char command[1100];
    snprintf(command, sizeof command, "gzip -dc %s", files);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t room = 1 << 20, len = 0, n;
    uint8_t *data = malloc(room);
    assert_non_null(data);
    while ((n = fread(data + len, 1, room - len - 1, pipe)) > 0) {
        len += n;
        if (len + 1 == room) {
            room *= 2;
            data = realloc(data, room);
            assert_non_null(data);
        }
    }
    if (pclose(pipe) != 0) {
        fail_msg("cannot unpack %s", files);
    }
    data[len] = 0;
    *len_bytes = len;
    return data;
}

uint8_t *test_read_vector(const char *name, size_t *len_bytes) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", CUZK_TEST_VECTORS, name);
    if (access(path, R_OK) != 0) {
        snprintf(path, sizeof path, "'%s/%s'.*gz", CUZK_TEST_VECTORS, name);
        return read_unpacked(path, len_bytes);
    }
    return test_read_file(path, len_bytes);
}

uint8_t *test_read_packed_vector(const char *name, size_t *len_bytes) {
    char path[1024];
    snprintf(path, sizeof path, "'%s/%s'", CUZK_TEST_VECTORS, name);
    return read_unpacked(path, len_bytes);
}
