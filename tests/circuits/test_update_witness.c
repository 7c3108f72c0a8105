/* Witnesses of update partitions: the reference's digests of assignment and rows, the constraint at
 * which its wrong inputs fail, every tree shape of both kinds, and what no witness is made of. */
#include "support/made_update.h"
#include "support/update_support.h"

static void test_2_kib(void **state) {
    (void)state;
    test_update_vector("update-2KiB", 0);
}
static void test_8_mib(void **state) {
    (void)state;
    test_update_vector("update-8MiB", 3);
}

static void test_poseidon_vectors(void **state) {
    (void)state;
    test_update_poseidon_vector("update-poseidon-2KiB");
    test_update_poseidon_vector("update-poseidon-32KiB");
    test_update_poseidon_vector("update-poseidon-8MiB");
}

static uint64_t first_unsatisfied(const test_update *u) {
    update_circuit self;
    const r1cs_circuit circuit =
        test_update_circuit(&self, &u->set, &u->statement, &u->proofs[0], 0);
    return test_circuit_witness(&circuit);
}

static void test_verdicts(void **state) {
    (void)state;
    test_update u;
    assert_int_equal(test_update_read(&u, "invalid/update-apex", 1, NULL), CUZK_OK);
    assert_int_equal(first_unsatisfied(&u), 318600);
    test_update_clear(&u);
    assert_int_equal(test_update_read(&u, "invalid/update-r-old-sibling", 1, NULL), CUZK_OK);
    assert_int_equal(first_unsatisfied(&u), 320549);
    test_update_clear(&u);
}

static void satisfied(circuit_kind kind, const char *size_id, unsigned partition) {
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        if (strcmp(cuzk_sector_sizes[i].id, size_id) != 0) {
            continue;
        }
        made_update *u = test_update_make(kind, &cuzk_sector_sizes[i], false);
        update_circuit self;
        const r1cs_circuit circuit =
            test_update_circuit(&self, &u->set, &u->statement, &u->proofs[partition], partition);
        if (test_circuit_witness(&circuit) != UINT64_MAX) {
            fail_msg("kind %d, %s is not satisfied", (int)kind, size_id);
        }
        test_update_unmake(u);
    }
}

static void test_poseidon(void **state) {
    (void)state;
    static const char *const sizes[] = {"1k", "2k", "4k", "8k", "16k", "32k"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        satisfied(CIRCUIT_UPDATE_POSEIDON, sizes[i], 0);
    }
}

static void test_shapes(void **state) {
    (void)state;
    satisfied(CIRCUIT_UPDATE, "1k", 0);
}

/* Values and shapes that no witness can be made of. */
static void test_refused(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    test_update u;
    assert_int_equal(test_update_read(&u, "inputs/update-2KiB", 1, NULL), CUZK_OK);
    update_partition_proof *proof = &u.proofs[0];
    update_challenge_proof *p = &proof->challenges[7];
    const struct {
        const digest *value;
        int64_t challenge;
        const char *text;
    } values[] = {
        {&u.statement.comm_r_old, -1, "comm_r_old is not below"},
        {&u.statement.comm_r_new, -1, "comm_r_new is not below"},
        {&u.statement.comm_d_new, -1, "comm_d_new is not below"},
        {&proof->comm_c, -1, "comm_c is not below"},
        {&proof->apex_leaves[7], -1, "an apex leaf is not below"},
        {&proof->challenges[0].r_old.root, -1, "the old replica's root is not below"},
        {&proof->challenges[0].r_new.root, -1, "the new replica's root is not below"},
        {&p->r_old.leaf, 7, "partition 0: challenge 7: the old replica's leaf is not below"},
        {&p->d_new.leaf, 7, "partition 0: challenge 7: the new data's leaf is not below"},
        {&p->r_old.siblings[13], 7, "partition 0: challenge 7: a node of a Merkle path is not"},
        {&p->r_new.siblings[0], 7, "partition 0: challenge 7: a node of a Merkle path is not"},
        {&p->d_new.siblings[2], 7, "partition 0: challenge 7: a node of a Merkle path is not"},
    };
    update_circuit self;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        digest *value = (digest *)values[i].value;
        const digest good = *value;
        memset(value, 0xff, sizeof good);
        const r1cs_circuit circuit = test_update_circuit(&self, &u.set, &u.statement, proof, 0);
        r1cs_witness w;
        assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_INPUT);
        if (strncmp(err.text, values[i].text, strlen(values[i].text)) != 0) {
            fail_msg("\"%s\", not \"%s\"", err.text, values[i].text);
        }
        assert_int_equal(err.challenge, values[i].challenge);
        *value = good;
    }

    p->d_new.n_levels--;
    assert_int_equal(cuzk_update_circuit_init(&self, &u.set, &u.statement, proof, 0, &err),
                     CUZK_E_INCONSISTENT);
    assert_int_equal(err.challenge, 7);
    p->d_new.n_levels++;
    proof->n_apex_leaves--;
    assert_int_equal(cuzk_update_circuit_init(&self, &u.set, &u.statement, proof, 0, &err),
                     CUZK_E_INCONSISTENT);
    assert_int_equal(err.partition, 0);
    proof->n_apex_leaves++;
    proof->n_challenges--;
    assert_int_equal(cuzk_update_circuit_init(&self, &u.set, &u.statement, proof, 0, &err),
                     CUZK_E_INCONSISTENT);
    assert_int_equal(err.partition, 0);
    proof->n_challenges++;
    assert_int_equal(cuzk_update_circuit_init(&self, &u.set, NULL, NULL, 0, &err), CUZK_OK);
    const r1cs_circuit blank = cuzk_update_circuit(&self);
    r1cs_witness w;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &blank, &err), CUZK_E_ARGUMENT);
    test_update_clear(&u);
}

/* Parts run on several workers give what one thread gives. */
static void test_workers(void **state) {
    (void)state;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx contexts[2] = {{0}, {.pool = pool}};
    test_update u;
    assert_int_equal(test_update_read(&u, "inputs/update-2KiB", 1, NULL), CUZK_OK);
    update_circuit self;
    const r1cs_circuit circuit = test_update_circuit(&self, &u.set, &u.statement, &u.proofs[0], 0);
    r1cs_witness w[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cuzk_r1cs_witness_create(&w[i], &contexts[i], &circuit, NULL), CUZK_OK);
    }
    static fr_plain values[2][4096];
    for (uint64_t at = 0; at + 4096 <= w[0].assignment.n_aux; at += 4096) {
        for (int i = 0; i < 2; i++) {
            cuzk_r1cs_aux_expand(&w[i].assignment, at, 4096, values[i]);
        }
        assert_memory_equal(values[0], values[1], sizeof values[0]);
    }
    cuzk_r1cs_witness_clear(&w[0]);
    cuzk_r1cs_witness_clear(&w[1]);
    test_update_clear(&u);
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2_kib),
        cmocka_unit_test(test_8_mib),
        cmocka_unit_test(test_poseidon_vectors),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_poseidon),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
