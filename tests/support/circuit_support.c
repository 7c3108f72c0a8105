#include "support/circuit_support.h"

#include <stdio.h>

static const cuzk_ctx plain_ctx;

static void to_hex(char *out, const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        sprintf(out + 2 * i, "%02x", bytes[i]);
    }
}

void test_circuit_digest(const r1cs_circuit *circuit, const circuit_row *expected,
                         r1cs_densities *densities) {
    r1cs_densities own;
    r1cs_densities *d = densities != NULL ? densities : &own;
    uint8_t digest[32];
    cuzk_error err;
    cuzk_error_clear(&err);
    cuzk_status status = cuzk_r1cs_digest(&plain_ctx, digest, circuit, d, &err);
    if (status != CUZK_OK) {
        fail_msg("%s: %s", expected->name, err.text);
    }
    char hex[65];
    to_hex(hex, digest, sizeof digest);
    if (d->dims.n_constraints != expected->n_constraints || d->dims.n_aux != expected->n_aux ||
        d->dims.n_inputs != expected->n_inputs || strcmp(hex, expected->digest) != 0) {
        fail_msg("%s: %llu constraints, %llu aux, %llu inputs, digest %s", expected->name,
                 (unsigned long long)d->dims.n_constraints, (unsigned long long)d->dims.n_aux,
                 (unsigned long long)d->dims.n_inputs, hex);
    }
    if (densities == NULL) {
        cuzk_r1cs_densities_clear(&own);
    }
}

uint64_t test_circuit_witness(const r1cs_circuit *circuit) {
    r1cs_witness w;
    cuzk_error err;
    cuzk_error_clear(&err);
    if (cuzk_r1cs_witness_create(&w, &plain_ctx, circuit, &err) != CUZK_OK) {
        fail_msg("no witness: %s", err.text);
    }
    uint64_t first;
    if (cuzk_r1cs_check(&plain_ctx, circuit, &w.assignment, &first, NULL, &err) != CUZK_OK) {
        fail_msg("no check: %s", err.text);
    }
    cuzk_r1cs_witness_clear(&w);
    return first;
}

static bool is_named(const struct CMUnitTest *test, int argc, char **argv) {
    bool named = argc == 1;
    for (int k = 1; k < argc; k++) {
        named = named || strcmp(argv[k], test->name) == 0;
    }
    return named;
}

int test_run_named(const char *group, struct CMUnitTest *tests, size_t n, int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        size_t i = 0;
        while (i < n && strcmp(argv[k], tests[i].name) != 0) {
            i++;
        }
        if (i == n) {
            fprintf(stderr, "%s: there is no test \"%s\"\n", group, argv[k]);
            return 1;
        }
    }
    size_t n_named = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_named(&tests[i], argc, argv)) {
            tests[n_named++] = tests[i];
        }
    }
    return _cmocka_run_group_tests(group, tests, n_named, NULL, NULL);
}
