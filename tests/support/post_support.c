#include "support/post_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/any_circuit.h"
#include "filecoin/fabricate_post.h"
#include "support/manifest.h"

void test_post_row(const post_row *row) {
    param_set set;
    any_circuit blank;
    assert_int_equal(cuzk_param_set_by_id(&set, row->row.name, NULL), CUZK_OK);
    assert_int_equal(cuzk_any_circuit_blank(&blank, &set, NULL), CUZK_OK);
    r1cs_densities d;
    test_circuit_digest(&blank.circuit, &row->row, &d);
    assert_int_equal(d.a_aux.n_set, row->a_aux);
    assert_int_equal(d.b_aux.n_set, row->b_aux);
    assert_int_equal(d.b_input.n_set, 1);
    assert_int_equal(d.b_input.words[0], 1);
    assert_int_equal(d.dims.log2_domain, row->log2_domain);
    cuzk_r1cs_densities_clear(&d);
}

/* ---- requests ---- */

static void init(test_post *p, const post_proof_type *type, size_t n_sectors) {
    assert_non_null(type);
    *p = (test_post){.s = {.type = type, .miner_id = 1000, .n_sectors = n_sectors}};
    p->sectors = calloc(n_sectors + 1, sizeof *p->sectors);
    p->proofs = calloc(n_sectors + 1, sizeof *p->proofs);
    assert_non_null(p->sectors);
    assert_non_null(p->proofs);
    p->s.sectors = p->sectors;
}

cuzk_status test_post_read(test_post *p, const char *folder, cuzk_error *err) {
    test_manifest *m = test_manifest_open(folder);
    const post_proof_type *type =
        cuzk_post_proof_by_number(test_manifest_u64(m, "registered_proof"));
    init(p, type, test_manifest_files(m));
    test_manifest_hex(m, "randomness", p->s.randomness.bytes, DIGEST_BYTES);
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < p->s.n_sectors; i++) {
        char name[300];
        size_t len;
        snprintf(name, sizeof name, "%s/%s", folder, test_manifest_file(m, i));
        uint8_t *data = test_read_vector(name, &len);
        status = cuzk_post_sector_read(&p->proofs[i], &type->size->shape,
                                       cuzk_post_sector_challenges(type), data, len,
                                       test_manifest_file(m, i), err);
        free(data);
    }
    test_manifest_close(m);
    if (status == CUZK_OK) {
        cuzk_post_sectors_of(p->sectors, p->proofs, p->s.n_sectors);
    } else {
        test_post_clear(p);
    }
    return status;
}

void test_post_open(test_post *p, const char *folder) {
    cuzk_error err;
    if (test_post_read(p, folder, &err) != CUZK_OK) {
        fail_msg("%s: %s", folder, err.text);
    }
}

void test_post_clear(test_post *p) {
    for (size_t i = 0; i < p->s.n_sectors; i++) {
        cuzk_post_sector_clear(&p->proofs[i]);
    }
    free(p->proofs);
    free(p->sectors);
    *p = (test_post){0};
}

void test_post_fabricate(test_post *p, const post_proof_type *type, size_t n_sectors) {
    const cuzk_ctx ctx = {0};
    init(p, type, n_sectors);
    memset(p->s.randomness.bytes, 5, DIGEST_BYTES);
    for (size_t i = 0; i < n_sectors; i++) {
        assert_int_equal(cuzk_fabricate_post_sector(&p->proofs[i], &ctx, type, 1, &p->s.randomness,
                                                    1000 + i, i, NULL),
                         CUZK_OK);
    }
    cuzk_post_sectors_of(p->sectors, p->proofs, n_sectors);
}

/* ---- circuits ---- */

r1cs_circuit test_post_circuit(fallback_post *self, const test_post *p, size_t partition) {
    param_set set;
    cuzk_error err;
    const post_proof_type *type = p->s.type;
    size_t of_each = cuzk_post_partition_sectors(type), first = partition * of_each;
    assert_true(
        cuzk_param_set_of(&set, type->winning ? CIRCUIT_WINNING : CIRCUIT_WINDOW, type->size));
    assert_true(first < p->s.n_sectors);
    const post_shape shape = cuzk_post_shape_of(&set);
    size_t n = p->s.n_sectors - first < of_each ? p->s.n_sectors - first : of_each;
    if (cuzk_fallback_post_init(self, &shape, p->proofs + first, n, (unsigned)partition, &err) !=
        CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return cuzk_fallback_post_circuit(self);
}
