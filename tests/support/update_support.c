#include "support/update_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "filecoin/merkle_bincode.h"
#include "support/manifest.h"
#include "support/witness_vectors.h"

static void find_set(param_set *set, circuit_kind kind, const char *size) {
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        if (strcmp(cuzk_sector_sizes[i].id, size) == 0) {
            assert_true(cuzk_param_set_of(set, kind, &cuzk_sector_sizes[i]));
            return;
        }
    }
    fail_msg("no sector size %s", size);
}

void test_update_row(const update_row *row) {
    param_set set;
    find_set(&set, row->kind, row->size);
    update_circuit self;
    assert_int_equal(cuzk_update_circuit_init(&self, &set, NULL, NULL, 0, NULL), CUZK_OK);
    const r1cs_circuit circuit = cuzk_update_circuit(&self);
    r1cs_densities d;
    test_circuit_digest(&circuit, &row->row, &d);
    assert_int_equal(d.a_aux.n_set, row->a_aux);
    assert_int_equal(d.b_aux.n_set, row->b_aux);
    assert_int_equal(d.b_input.n_set, 1);
    assert_int_equal(d.b_input.words[0], 1);
    assert_int_equal(d.dims.log2_domain, row->log2_domain);
    cuzk_r1cs_densities_clear(&d);
}

static void read_commitments(update_statement *s, const test_manifest *m) {
    test_manifest_hex(m, "comm_r_old", s->comm_r_old.bytes, DIGEST_BYTES);
    test_manifest_hex(m, "comm_r_new", s->comm_r_new.bytes, DIGEST_BYTES);
    test_manifest_hex(m, "comm_d_new", s->comm_d_new.bytes, DIGEST_BYTES);
}

update_statement test_update_statement(const char *folder) {
    test_manifest *m = test_manifest_open(folder);
    update_statement s = {
        .type = cuzk_update_proof_by_number(test_manifest_u64(m, "registered_proof"))};
    read_commitments(&s, m);
    test_manifest_close(m);
    return s;
}

cuzk_status test_update_partition(update_partition_proof *proof, const char *folder,
                                  const update_proof_type *type, unsigned partition,
                                  cuzk_error *err) {
    const sector_size *size = type->size;
    char name[300];
    snprintf(name, sizeof name, "%s/partition-%u.vproof", folder, partition);
    size_t len;
    uint8_t *data = test_read_vector(name, &len);
    cuzk_status status =
        cuzk_update_partition_read(proof, &size->shape, size->log2_nodes, size->update_apex_leaves,
                                   size->update_challenges, data, len, name, err);
    free(data);
    return status;
}

cuzk_status test_update_read(test_update *u, const char *folder, unsigned n_proofs,
                             cuzk_error *err) {
    memset(u, 0, sizeof *u);
    u->statement = test_update_statement(folder);
    assert_true(cuzk_param_set_of(&u->set, CIRCUIT_UPDATE, u->statement.type->size));
    cuzk_status status = CUZK_OK;
    for (; u->n_proofs < n_proofs && status == CUZK_OK; u->n_proofs += status == CUZK_OK) {
        status = test_update_partition(&u->proofs[u->n_proofs], folder, u->statement.type,
                                       u->n_proofs, err);
    }
    if (status != CUZK_OK) {
        test_update_clear(u);
    }
    return status;
}

void test_update_clear(test_update *u) {
    for (unsigned k = 0; k < u->n_proofs; k++) {
        cuzk_update_partition_clear(&u->proofs[k]);
    }
    u->n_proofs = 0;
}

r1cs_circuit test_update_circuit(update_circuit *self, const param_set *set,
                                 const update_statement *s, const update_partition_proof *proof,
                                 unsigned partition) {
    cuzk_error err;
    if (cuzk_update_circuit_init(self, set, s, proof, partition, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return cuzk_update_circuit(self);
}

void test_update_vector(const char *input, unsigned partition) {
    char name[256];
    snprintf(name, sizeof name, "inputs/%s", input);
    update_statement s = test_update_statement(name);
    param_set set;
    assert_true(cuzk_param_set_of(&set, CIRCUIT_UPDATE, s.type->size));
    update_partition_proof proof;
    cuzk_error err;
    if (test_update_partition(&proof, name, s.type, partition, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    update_circuit self;
    const r1cs_circuit circuit = test_update_circuit(&self, &set, &s, &proof, partition);
    snprintf(name, sizeof name, "%s.p%u", input, partition);
    test_witness_vector(name, &circuit);
    cuzk_update_partition_clear(&proof);
}

/* The reference's partition proof of the Poseidon variant: comm_c, u64 n, n times three paths of
 * TreeR's shape. Its siblings are the caller's to free, proof->challenges too. */
static digest *read_poseidon_partition(update_partition_proof *proof, const param_set *set,
                                       const uint8_t *data, size_t len) {
    unsigned arities[MERKLE_MAX_LEVELS], n_levels;
    size_t n_siblings = cuzk_merkle_arities(arities, &n_levels, &set->shape);
    digest *siblings = malloc(3 * set->n_challenges * n_siblings * sizeof *siblings);
    bincode b = {.data = data, .len_bytes = len};
    *proof = (update_partition_proof){.n_challenges = set->n_challenges};
    proof->challenges = calloc(set->n_challenges, sizeof *proof->challenges);
    assert_true(siblings != NULL && proof->challenges != NULL);
    assert_int_equal(cuzk_bincode_bytes(&b, proof->comm_c.bytes, DIGEST_BYTES, "comm_c"), CUZK_OK);
    assert_int_equal(cuzk_bincode_count(&b, set->n_challenges, "challenges"), CUZK_OK);
    digest *next = siblings;
    for (unsigned i = 0; i < set->n_challenges; i++) {
        update_challenge_proof *p = &proof->challenges[i];
        merkle_proof *const paths[] = {&p->r_old, &p->d_new, &p->r_new};
        for (unsigned k = 0; k < 3; k++, next += n_siblings) {
            assert_int_equal(cuzk_merkle_proof_read_bincode(paths[k], next, &b, &set->shape),
                             CUZK_OK);
        }
    }
    assert_int_equal(cuzk_bincode_end(&b), CUZK_OK);
    return siblings;
}

void test_update_poseidon_vector(const char *input) {
    char name[256];
    snprintf(name, sizeof name, "inputs/%s", input);
    test_manifest *m = test_manifest_open(name);
    param_set set;
    assert_true(cuzk_param_set_of(&set, CIRCUIT_UPDATE_POSEIDON,
                                  cuzk_sector_size_by_bytes(test_manifest_u64(m, "sector_size"))));
    update_statement s = {0};
    read_commitments(&s, m);
    test_manifest_close(m);
    snprintf(name, sizeof name, "inputs/%s/partition-0.vproof", input);
    size_t len;
    uint8_t *data = test_read_vector(name, &len);
    update_partition_proof proof;
    digest *siblings = read_poseidon_partition(&proof, &set, data, len);
    update_circuit self;
    const r1cs_circuit circuit = test_update_circuit(&self, &set, &s, &proof, 0);
    snprintf(name, sizeof name, "%s.p0", input);
    test_witness_vector(name, &circuit);
    free(data);
    free(siblings);
    free(proof.challenges);
}
