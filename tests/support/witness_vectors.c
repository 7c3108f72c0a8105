#include "support/witness_vectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "hash/blake2.h"

#define BLOCK 4096
#define BLOCK_DIGEST_BYTES 8

/* Reads the vector file line by line. */
typedef struct vector_file {
    const char *name;
    char *text, *next;
} vector_file;

static char *next_line(vector_file *f) {
    if (f->next == NULL || *f->next == 0) {
        fail_msg("%s ends early", f->name);
    }
    char *line = f->next;
    char *end = strchr(line, '\n');
    if (end != NULL) {
        *end = 0;
        f->next = end + 1;
    } else {
        f->next = NULL;
    }
    return line;
}

static void expect_line(vector_file *f, const char *line) {
    const char *found = next_line(f);
    if (strcmp(found, line) != 0) {
        fail_msg("%s has \"%s\", not \"%s\"", f->name, found, line);
    }
}

static void expect_number(vector_file *f, const char *key, uint64_t value) {
    char line[128];
    snprintf(line, sizeof line, "%s %llu", key, (unsigned long long)value);
    expect_line(f, line);
}

static void hex_of(char *out, const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        sprintf(out + 2 * i, "%02x", bytes[i]);
    }
}

/* A vector of values, read in blocks. */
typedef struct values {
    const r1cs_assignment *w;
    const fr_plain *c;
    char name; /* 'x' aux, or a, b, c */
    uint64_t n;
} values;

static void read_values(const values *v, uint64_t first, size_t count, fr_plain *out) {
    switch (v->name) {
    case 'x':
        cuzk_r1cs_aux_expand(v->w, first, count, out);
        break;
    case 'a':
        cuzk_r1cs_rows_expand(v->w, R1CS_A, first, count, out);
        break;
    case 'b':
        cuzk_r1cs_rows_expand(v->w, R1CS_B, first, count, out);
        break;
    default:
        memcpy(out, v->c + first, count * sizeof *out);
        break;
    }
}

typedef struct value_digests {
    uint8_t whole[BLAKE2S_BYTES];
    uint64_t zeros, ones, others;
    size_t n_blocks;
    uint8_t (*blocks)[BLOCK_DIGEST_BYTES];
} value_digests;

static void digest_values(value_digests *d, const values *v) {
    static fr_plain block[BLOCK];
    static uint8_t bytes[BLOCK * FR_BYTES];
    *d = (value_digests){.n_blocks = (size_t)((v->n + BLOCK - 1) / BLOCK)};
    d->blocks = malloc(d->n_blocks * sizeof *d->blocks);
    assert_non_null(d->blocks);
    blake2s *whole = cuzk_blake2s_create();
    for (size_t i = 0; i < d->n_blocks; i++) {
        uint64_t first = (uint64_t)i * BLOCK;
        size_t count = v->n - first < BLOCK ? (size_t)(v->n - first) : BLOCK;
        read_values(v, first, count, block);
        for (size_t k = 0; k < count; k++) {
            cuzk_fr_plain_write_le(bytes + k * FR_BYTES, &block[k]);
            bool small = (block[k].l[1] | block[k].l[2] | block[k].l[3]) == 0;
            d->zeros += small && block[k].l[0] == 0;
            d->ones += small && block[k].l[0] == 1;
            d->others += !small || block[k].l[0] > 1;
        }
        uint8_t digest[BLAKE2S_BYTES];
        cuzk_blake2s(digest, bytes, count * FR_BYTES);
        memcpy(d->blocks[i], digest, BLOCK_DIGEST_BYTES);
        cuzk_blake2s_update(whole, bytes, count * FR_BYTES);
    }
    cuzk_blake2s_final(whole, d->whole);
}

static const char *long_name(const values *v) {
    return v->name == 'x' ? "aux" : v->name == 'a' ? "a" : v->name == 'b' ? "b" : "c";
}

static void expect_digest(vector_file *f, const values *v, const value_digests *d) {
    char hex[2 * BLAKE2S_BYTES + 1], line[256];
    hex_of(hex, d->whole, sizeof d->whole);
    snprintf(line, sizeof line, "%s_digest %s", long_name(v), hex);
    expect_line(f, line);
    snprintf(line, sizeof line, "%s_values zero %llu one %llu other %llu", long_name(v),
             (unsigned long long)d->zeros, (unsigned long long)d->ones,
             (unsigned long long)d->others);
    expect_line(f, line);
}

static void expect_blocks(vector_file *f, const values *v, const value_digests *d) {
    char line[128];
    snprintf(line, sizeof line, "blocks %s %zu", long_name(v), d->n_blocks);
    expect_line(f, line);
    for (size_t i = 0; i < d->n_blocks; i++) {
        char hex[2 * BLOCK_DIGEST_BYTES + 1];
        hex_of(hex, d->blocks[i], BLOCK_DIGEST_BYTES);
        const char *found = next_line(f);
        if (strcmp(found, hex) != 0) {
            fail_msg("%s: block %zu of %s differs: %s, not %s", f->name, i, long_name(v), hex,
                     found);
        }
    }
}

static void expect_inputs(vector_file *f, const r1cs_assignment *w) {
    for (size_t i = 0; i < w->n_inputs; i++) {
        uint8_t bytes[FR_BYTES];
        char hex[2 * FR_BYTES + 1], line[128];
        cuzk_fr_plain_write_le(bytes, &w->inputs[i]);
        hex_of(hex, bytes, sizeof bytes);
        snprintf(line, sizeof line, "input %zu %s", i, hex);
        expect_line(f, line);
    }
}

static void expect_header(vector_file *f, const r1cs_densities *d, bool satisfied) {
    expect_line(f, "format oracle-witness-1");
    next_line(f); /* circuit */
    next_line(f); /* partition */
    expect_number(f, "inputs", d->dims.n_inputs);
    expect_number(f, "aux", d->dims.n_aux);
    expect_number(f, "constraints", d->dims.n_constraints);
    expect_number(f, "rows", d->dims.n_constraints + d->dims.n_inputs);
    expect_number(f, "a_aux_density", d->a_aux.n_set);
    expect_number(f, "b_aux_density", d->b_aux.n_set);
    expect_number(f, "b_input_density", d->b_input.n_set);
    expect_line(f, satisfied ? "satisfied yes" : "satisfied no");
}

void test_witness_vector(const char *name, const r1cs_circuit *circuit) {
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    cuzk_error_clear(&err);
    r1cs_witness w;
    if (cuzk_r1cs_witness_create(&w, &ctx, circuit, &err) != CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    r1cs_densities densities;
    assert_int_equal(cuzk_r1cs_densities(&densities, &ctx, circuit, &err), CUZK_OK);
    fr_plain *c = malloc(w.assignment.n_rows * sizeof *c);
    assert_non_null(c);
    uint64_t first_unsatisfied;
    if (cuzk_r1cs_check(&ctx, circuit, &w.assignment, &first_unsatisfied, c, &err) != CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }

    char path[256];
    snprintf(path, sizeof path, "witness/%s.txt", name);
    size_t len;
    vector_file f = {.name = path, .text = (char *)test_read_vector(path, &len)};
    f.next = f.text;
    expect_header(&f, &densities, first_unsatisfied == UINT64_MAX);
    expect_inputs(&f, &w.assignment);
    const values vectors[4] = {{&w.assignment, c, 'x', w.assignment.n_aux},
                               {&w.assignment, c, 'a', w.assignment.n_rows},
                               {&w.assignment, c, 'b', w.assignment.n_rows},
                               {&w.assignment, c, 'c', w.assignment.n_rows}};
    value_digests digests[4];
    for (int i = 0; i < 4; i++) {
        digest_values(&digests[i], &vectors[i]);
    }
    for (int i = 0; i < 4; i++) {
        expect_digest(&f, &vectors[i], &digests[i]);
    }
    for (int i = 0; i < 4; i++) {
        expect_blocks(&f, &vectors[i], &digests[i]);
        free(digests[i].blocks);
    }
    assert_true(f.next == NULL || *f.next == 0);
    free(f.text);
    free(c);
    cuzk_r1cs_densities_clear(&densities);
    cuzk_r1cs_witness_clear(&w);
}
