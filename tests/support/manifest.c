#include "support/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_tree.h>

#include "codec/hex.h"
#include "support/support.h"

struct test_manifest {
    yajl_val root;
};

test_manifest *test_manifest_open(const char *folder) {
    char name[300], why[200];
    size_t len;
    snprintf(name, sizeof name, "%s/manifest.json", folder);
    char *text = (char *)test_read_vector(name, &len);
    test_manifest *m = malloc(sizeof *m);
    assert_non_null(m);
    m->root = yajl_tree_parse(text, why, sizeof why);
    assert_true(YAJL_IS_OBJECT(m->root));
    free(text);
    return m;
}

void test_manifest_close(test_manifest *m) {
    yajl_tree_free(m->root);
    free(m);
}

static yajl_val get(const test_manifest *m, const char *key, yajl_type type) {
    return yajl_tree_get(m->root, (const char *[]){key, NULL}, type);
}

bool test_manifest_has(const test_manifest *m, const char *key) {
    return get(m, key, yajl_t_any) != NULL;
}

uint64_t test_manifest_u64(const test_manifest *m, const char *key) {
    yajl_val v = get(m, key, yajl_t_number);
    assert_true(YAJL_IS_INTEGER(v));
    return (uint64_t)YAJL_GET_INTEGER(v);
}

static void decode(yajl_val v, uint8_t *out, size_t len_bytes) {
    assert_true(YAJL_IS_STRING(v));
    assert_true(cuzk_hex_decode(out, len_bytes, YAJL_GET_STRING(v)));
}

void test_manifest_hex(const test_manifest *m, const char *key, uint8_t *out, size_t len_bytes) {
    decode(get(m, key, yajl_t_string), out, len_bytes);
}

static yajl_val element(const test_manifest *m, const char *key, size_t index) {
    yajl_val v = get(m, key, yajl_t_array);
    assert_non_null(v);
    assert_true(index < YAJL_GET_ARRAY(v)->len);
    return YAJL_GET_ARRAY(v)->values[index];
}

static size_t count_elements(const test_manifest *m, const char *key) {
    yajl_val v = get(m, key, yajl_t_array);
    assert_non_null(v);
    return YAJL_GET_ARRAY(v)->len;
}

size_t test_manifest_files(const test_manifest *m) { return count_elements(m, "files"); }

const char *test_manifest_file(const test_manifest *m, size_t index) {
    yajl_val v = element(m, "files", index);
    assert_true(YAJL_IS_STRING(v));
    return YAJL_GET_STRING(v);
}

size_t test_manifest_sectors(const test_manifest *m) { return count_elements(m, "sectors"); }

void test_manifest_sector(const test_manifest *m, size_t index, uint64_t *number,
                          uint8_t comm_r[32]) {
    yajl_val v = element(m, "sectors", index);
    yajl_val id = yajl_tree_get(v, (const char *[]){"sector_number", NULL}, yajl_t_number);
    assert_true(YAJL_IS_INTEGER(id));
    *number = (uint64_t)YAJL_GET_INTEGER(id);
    decode(yajl_tree_get(v, (const char *[]){"comm_r", NULL}, yajl_t_string), comm_r, 32);
}

size_t test_manifest_partitions(const test_manifest *m) {
    yajl_val v = get(m, "public_inputs", yajl_t_array);
    assert_non_null(v);
    return YAJL_GET_ARRAY(v)->len;
}

static yajl_val partition_inputs(const test_manifest *m, size_t partition) {
    assert_true(partition < test_manifest_partitions(m));
    yajl_val v = YAJL_GET_ARRAY(get(m, "public_inputs", yajl_t_array))->values[partition];
    assert_true(YAJL_IS_ARRAY(v));
    return v;
}

size_t test_manifest_n_inputs(const test_manifest *m, size_t partition) {
    return YAJL_GET_ARRAY(partition_inputs(m, partition))->len;
}

void test_manifest_input(const test_manifest *m, size_t partition, size_t index, uint8_t out[32]) {
    yajl_val v = partition_inputs(m, partition);
    assert_true(index < YAJL_GET_ARRAY(v)->len);
    decode(YAJL_GET_ARRAY(v)->values[index], out, 32);
}
