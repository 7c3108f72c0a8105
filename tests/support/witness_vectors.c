#include "support/witness_vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Digests of a vector of values that comes in pieces. */
typedef struct value_digests {
    const char *name;
    fr_plain block[BLOCK];
    size_t n_in_block, n_blocks, capacity;
    uint8_t (*blocks)[BLOCK_DIGEST_BYTES];
    blake2s *running;
    uint8_t whole[BLAKE2S_BYTES];
    uint64_t zeros, ones, others;
} value_digests;

static value_digests *digests_create(const char *name, uint64_t n) {
    value_digests *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->name = name;
    d->capacity = (size_t)((n + BLOCK - 1) / BLOCK);
    d->blocks = malloc(d->capacity * sizeof *d->blocks);
    d->running = cuzk_blake2s_create();
    assert_non_null(d->blocks);
    return d;
}

static void end_block(value_digests *d) {
    static uint8_t bytes[BLOCK * FR_BYTES];
    for (size_t k = 0; k < d->n_in_block; k++) {
        const fr_plain *v = &d->block[k];
        cuzk_fr_plain_write_le(bytes + k * FR_BYTES, v);
        bool small = (v->l[1] | v->l[2] | v->l[3]) == 0;
        d->zeros += small && v->l[0] == 0;
        d->ones += small && v->l[0] == 1;
        d->others += !small || v->l[0] > 1;
    }
    uint8_t digest[BLAKE2S_BYTES];
    cuzk_blake2s(digest, bytes, d->n_in_block * FR_BYTES);
    assert_true(d->n_blocks < d->capacity);
    memcpy(d->blocks[d->n_blocks++], digest, BLOCK_DIGEST_BYTES);
    cuzk_blake2s_update(d->running, bytes, d->n_in_block * FR_BYTES);
    d->n_in_block = 0;
}

static void digests_add(void *arg, uint64_t first, size_t n, const fr_plain *values) {
    value_digests *d = arg;
    assert_int_equal(first, (uint64_t)d->n_blocks * BLOCK + d->n_in_block);
    while (n > 0) {
        size_t step = BLOCK - d->n_in_block < n ? BLOCK - d->n_in_block : n;
        memcpy(d->block + d->n_in_block, values, step * sizeof *values);
        d->n_in_block += step;
        values += step;
        n -= step;
        if (d->n_in_block == BLOCK) {
            end_block(d);
        }
    }
}

static void digests_end(value_digests *d) {
    if (d->n_in_block > 0) {
        end_block(d);
    }
    assert_int_equal(d->n_blocks, d->capacity);
    cuzk_blake2s_final(d->running, d->whole);
}

static void digests_destroy(value_digests *d) {
    free(d->blocks);
    free(d);
}

static value_digests *digest_aux(const r1cs_assignment *w) {
    static fr_plain values[BLOCK];
    value_digests *d = digests_create("aux", w->n_aux);
    for (uint64_t first = 0; first < w->n_aux; first += BLOCK) {
        size_t n = w->n_aux - first < BLOCK ? (size_t)(w->n_aux - first) : BLOCK;
        cuzk_r1cs_aux_expand(w, first, n, values);
        digests_add(d, first, n, values);
    }
    digests_end(d);
    return d;
}

static value_digests *digest_rows(const r1cs_assignment *w, r1cs_side side) {
    static fr_plain values[BLOCK];
    value_digests *d = digests_create(side == R1CS_A ? "a" : "b", w->n_rows);
    for (uint64_t first = 0; first < w->n_rows; first += BLOCK) {
        size_t n = w->n_rows - first < BLOCK ? (size_t)(w->n_rows - first) : BLOCK;
        cuzk_r1cs_rows_expand(w, side, first, n, values);
        digests_add(d, first, n, values);
    }
    digests_end(d);
    return d;
}

static void expect_digest(vector_file *f, const value_digests *d) {
    char hex[2 * BLAKE2S_BYTES + 1], line[256];
    hex_of(hex, d->whole, sizeof d->whole);
    snprintf(line, sizeof line, "%s_digest %s", d->name, hex);
    expect_line(f, line);
    snprintf(line, sizeof line, "%s_values zero %llu one %llu other %llu", d->name,
             (unsigned long long)d->zeros, (unsigned long long)d->ones,
             (unsigned long long)d->others);
    expect_line(f, line);
}

static void expect_blocks(vector_file *f, const value_digests *d) {
    char line[128];
    snprintf(line, sizeof line, "blocks %s %zu", d->name, d->n_blocks);
    expect_line(f, line);
    for (size_t i = 0; i < d->n_blocks; i++) {
        char hex[2 * BLOCK_DIGEST_BYTES + 1];
        hex_of(hex, d->blocks[i], BLOCK_DIGEST_BYTES);
        const char *found = next_line(f);
        if (strcmp(found, hex) != 0) {
            fail_msg("%s: block %zu of %s differs: %s, not %s", f->name, i, d->name, hex, found);
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

/* NAME.txt or, packed, NAME.txt.gz. */
static void open_vector(vector_file *f, const char *name) {
    static char path[1024];
    size_t len;
    snprintf(path, sizeof path, "%s/witness/%s.txt", CUZK_TEST_VECTORS, name);
    bool packed = access(path, R_OK) != 0;
    snprintf(path, sizeof path, "witness/%s.txt%s", name, packed ? ".gz" : "");
    f->name = path;
    f->text = (char *)(packed ? test_read_packed_vector(path, &len) : test_read_vector(path, &len));
    f->next = f->text;
}

void test_witness_vector(const char *name, const r1cs_circuit *circuit) {
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    r1cs_witness w;
    cuzk_error_clear(&err);
    if (cuzk_r1cs_witness_create(&w, &ctx, circuit, &err) != CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    test_assignment_vector(name, circuit, &w.assignment);
    cuzk_r1cs_witness_clear(&w);
}

void test_assignment_vector(const char *name, const r1cs_circuit *circuit,
                            const r1cs_assignment *w) {
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    cuzk_error_clear(&err);
    r1cs_densities densities;
    assert_int_equal(cuzk_r1cs_densities(&densities, &ctx, circuit, &err), CUZK_OK);
    value_digests *c = digests_create("c", w->n_rows);
    uint64_t first_unsatisfied;
    if (cuzk_r1cs_check_rows(&ctx, circuit, w, &first_unsatisfied, digests_add, c, &err) !=
        CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    digests_end(c);
    value_digests *digests[4] = {digest_aux(w), digest_rows(w, R1CS_A), digest_rows(w, R1CS_B), c};

    vector_file f;
    open_vector(&f, name);
    expect_header(&f, &densities, first_unsatisfied == UINT64_MAX);
    expect_inputs(&f, w);
    for (int i = 0; i < 4; i++) {
        expect_digest(&f, digests[i]);
    }
    for (int i = 0; i < 4; i++) {
        expect_blocks(&f, digests[i]);
        digests_destroy(digests[i]);
    }
    assert_true(f.next == NULL || *f.next == 0);
    free(f.text);
    cuzk_r1cs_densities_clear(&densities);
}
