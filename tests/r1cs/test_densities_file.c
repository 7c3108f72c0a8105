/* Densities in files: back as they were, and everything that is refused: cut anywhere, any bit
 * changed, too long, of another circuit or version, counts that do not fit. */
#include "base/bytes.h"
#include "hash/blake2.h"
#include "r1cs/densities_file.h"
#include "support/dims.h"
#include "support/toy_setups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    r1cs_densities densities;
    char path[64];
    uint8_t *bytes;
    size_t len_bytes;
} fixture;

static void fixture_init(fixture *f) {
    const cuzk_ctx ctx = {0};
    static fr constants[MIMC_ROUNDS];
    for (size_t i = 0; i < MIMC_ROUNDS; i++) {
        fr_from_u64(&constants[i], i + 1);
    }
    const mimc_demo demo = {.constants = constants};
    const r1cs_circuit circuit = mimc_demo_circuit(&demo);
    assert_int_equal(cuzk_r1cs_densities(&f->densities, &ctx, &circuit, NULL), CUZK_OK);
    strcpy(f->path, "/tmp/cuzk-densities-XXXXXX");
    const int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(cuzk_densities_write(f->path, &f->densities, "mimc", NULL), CUZK_OK);
    f->bytes = test_read_file(f->path, &f->len_bytes);
}

static void fixture_clear(fixture *f) {
    cuzk_r1cs_densities_clear(&f->densities);
    free(f->bytes);
    unlink(f->path);
}

static void same_vector(const bit_vector *a, const bit_vector *b) {
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_set, b->n_set);
    assert_memory_equal(a->words, b->words, (a->n / 64 + 1) * sizeof *a->words);
}

static void test_round_trip(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    fixture f;
    r1cs_densities d;
    fixture_init(&f);
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    assert_int_equal(cuzk_densities_read(&d, &ctx, f.path, "mimc", NULL), CUZK_OK);
    assert_dims_equal(&d.dims, &f.densities.dims);
    assert_memory_equal(d.n_terms, f.densities.n_terms, sizeof d.n_terms);
    same_vector(&d.a_aux, &f.densities.a_aux);
    same_vector(&d.b_aux, &f.densities.b_aux);
    same_vector(&d.b_input, &f.densities.b_input);
    cuzk_r1cs_densities_clear(&d);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
    fixture_clear(&f);
}

/* What the reader says to these bytes; they must leave nothing behind. */
static cuzk_status decode(const uint8_t *bytes, size_t len_bytes, const char *circuit,
                          cuzk_error *err) {
    cuzk_ctx ctx = {0};
    r1cs_densities d;
    FILE *file = fmemopen((void *)bytes, len_bytes > 0 ? len_bytes : 1, "rb");
    assert_non_null(file);
    assert_int_equal(cuzk_account_create(&ctx.account, SIZE_MAX, NULL), CUZK_OK);
    const cuzk_status status = cuzk_densities_decode(&d, &ctx, file, len_bytes, circuit, err);
    cuzk_r1cs_densities_clear(&d);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
    fclose(file);
    return status;
}

static void test_damage(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    uint8_t *bytes = malloc(f.len_bytes + 1);
    memcpy(bytes, f.bytes, f.len_bytes);
    bytes[f.len_bytes] = 0;
    assert_int_equal(decode(bytes, f.len_bytes, "mimc", NULL), CUZK_OK);
    assert_int_equal(decode(bytes, f.len_bytes + 1, "mimc", NULL), CUZK_E_INPUT);
    for (size_t len = 0; len < f.len_bytes; len++) {
        assert_int_equal(decode(bytes, len, "mimc", NULL), CUZK_E_INPUT);
    }
    for (size_t i = 0; i < 8 * f.len_bytes; i++) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_int_equal(decode(bytes, f.len_bytes, "mimc", NULL), CUZK_E_INPUT);
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    free(bytes);
    fixture_clear(&f);
}

/* With a digest that is right. */
static void check_refused(const fixture *f, uint8_t *bytes, const char *text) {
    cuzk_error err;
    const size_t len_bytes = f->len_bytes - BLAKE2B_BYTES;
    cuzk_blake2b(bytes + len_bytes, bytes, len_bytes);
    assert_int_equal(decode(bytes, f->len_bytes, "mimc", &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, text));
    memcpy(bytes, f->bytes, f->len_bytes);
}

static void test_whole_but_wrong(void **state) {
    (void)state;
    enum { VERSION = 8, CONSTRAINTS = 56, INPUTS = 64, AUX = 72, SET = 104, WORDS = 128 };
    fixture f;
    cuzk_error err;
    fixture_init(&f);
    uint8_t *bytes = malloc(f.len_bytes);
    memcpy(bytes, f.bytes, f.len_bytes);
    assert_int_equal(decode(bytes, f.len_bytes, "mimd", &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "another circuit"));
    bytes[0] = 'C';
    check_refused(&f, bytes, "not a file of densities");
    bytes[VERSION]++;
    check_refused(&f, bytes, "another version");
    store_le64(bytes + CONSTRAINTS, UINT64_MAX);
    check_refused(&f, bytes, "counts");
    store_le64(bytes + INPUTS, 0);
    check_refused(&f, bytes, "counts");
    store_le64(bytes + AUX, (uint64_t)1 << 31);
    check_refused(&f, bytes, "counts");
    store_le64(bytes + AUX, load_le64(f.bytes + AUX) + 64);
    check_refused(&f, bytes, "length");
    bytes[SET]++;
    check_refused(&f, bytes, "set bits");
    const uint64_t n_aux = f.densities.dims.n_aux;
    assert_true(n_aux % 64 != 0);
    bytes[WORDS + 8 * (n_aux / 64 + 1) - 1] |= 0x80; /* top bit of the last word of a */
    bytes[SET]++;
    check_refused(&f, bytes, "beyond the last variable");
    free(bytes);
    fixture_clear(&f);
}

static void test_files(void **state) {
    (void)state;
    cuzk_cancel cancel = {false};
    cuzk_ctx ctx = {.cancel = &cancel};
    fixture f;
    r1cs_densities d;
    cuzk_error err;
    fixture_init(&f);
    assert_int_equal(cuzk_densities_read(&d, &ctx, "/tmp", "mimc", &err), CUZK_E_IO);
    assert_int_equal(cuzk_densities_read(&d, &ctx, "/nonexistent/x", "mimc", &err), CUZK_E_IO);
    assert_non_null(strstr(err.text, "/nonexistent/x"));
    assert_int_equal(cuzk_densities_write("/nonexistent/x", &f.densities, "mimc", &err), CUZK_E_IO);
    assert_int_equal(cuzk_account_create(&ctx.account, 10, NULL), CUZK_OK);
    assert_int_equal(cuzk_densities_read(&d, &ctx, f.path, "mimc", &err), CUZK_E_NO_MEMORY);
    cuzk_account_destroy(ctx.account);
    ctx.account = NULL;
    cuzk_cancel_set(&cancel);
    assert_int_equal(cuzk_densities_read(&d, &ctx, f.path, "mimc", &err), CUZK_E_CANCELLED);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_whole_but_wrong), cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
