#include "support/key_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cuzk_unstable.h>

#include "base/bytes.h"
#include "curve/point_encoding.h"
#include "support/support.h"

void key_files_folder(char path[64]) {
    strcpy(path, "/tmp/cuzk-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

void key_files_remove(const char *path) {
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file);
    }
    closedir(folder);
    assert_int_equal(rmdir(path), 0);
}

void key_files_make(const char *folder, const char *circuit) {
    cuzk_options options;
    cuzk_prover *prover;
    size_t number;
    cuzk_error err;
    cuzk_options_init(&options);
    options.param_cache = folder;
    assert_int_equal(cuzk_prover_create(&prover, &options, &err), CUZK_OK);
    assert_int_equal(cuzk_circuit_find(&number, circuit, &err), CUZK_OK);
    if (cuzk_setup(prover, number, NULL, folder, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    cuzk_prover_destroy(prover);
}

static uint8_t *put_g1(uint8_t *at, uint64_t multiple) {
    const fr_plain k = {{multiple, 0, 0, 0}};
    g1_jac p;
    g1_affine a;
    g1_jac_from_affine(&p, &cuzk_g1_generator);
    cuzk_g1_jac_mul(&p, &p, &k);
    cuzk_g1_jac_to_affine(&a, &p);
    cuzk_g1_write_uncompressed(at, &a);
    return at + G1_UNCOMPRESSED_BYTES;
}

static uint8_t *put_g2(uint8_t *at, uint64_t multiple) {
    const fr_plain k = {{multiple, 0, 0, 0}};
    g2_jac p;
    g2_affine a;
    g2_jac_from_affine(&p, &cuzk_g2_generator);
    cuzk_g2_jac_mul(&p, &p, &k);
    cuzk_g2_jac_to_affine(&a, &p);
    cuzk_g2_write_uncompressed(at, &a);
    return at + G2_UNCOMPRESSED_BYTES;
}

uint8_t *key_files_smallest(size_t *len_bytes) {
    static const uint32_t counts_g1[] = {2, 3, 2, 3, 1}; /* ic, h, l, a, b_g1 */
    uint8_t *bytes = malloc(4096), *at = bytes;
    assert_non_null(bytes);
    uint64_t k = 1;
    at = put_g1(at, k++);
    at = put_g1(at, k++);
    at = put_g2(at, k++);
    at = put_g2(at, k++);
    at = put_g1(at, k++);
    at = put_g2(at, k++);
    for (int i = 0; i < 5; i++) {
        store_be32(at, counts_g1[i]);
        at += 4;
        for (uint32_t j = 0; j < counts_g1[i]; j++) {
            at = put_g1(at, k++);
        }
    }
    store_be32(at, 1);
    at = put_g2(at + 4, k);
    *len_bytes = (size_t)(at - bytes);
    return bytes;
}
