/* LABELS: slow
 * More witnesses of update partitions: the reference's digests of the other inputs, 32 GiB ones
 * among them (5 GB of memory each), other tree shapes, and the constraint at which each kind of
 * damage fails. */
#include "support/made_update.h"
#include "support/update_support.h"

static void test_8_mib_first(void **state) {
    (void)state;
    test_update_vector("update-8MiB", 0);
}
static void test_32_gib_first(void **state) {
    (void)state;
    test_update_vector("update-32GiB", 0);
}
static void test_32_gib_last(void **state) {
    (void)state;
    test_update_vector("update-32GiB", 15);
}

static void test_shapes(void **state) {
    (void)state;
    for (size_t i = 0; cuzk_sector_sizes[i].nodes <= 1024; i++) {
        made_update *u = test_update_make(CIRCUIT_UPDATE, &cuzk_sector_sizes[i], false);
        unsigned last = u->set.n_partitions - 1;
        update_circuit self;
        const r1cs_circuit circuit =
            test_update_circuit(&self, &u->set, &u->statement, &u->proofs[last], last);
        if (test_circuit_witness(&circuit) != UINT64_MAX) {
            fail_msg("%s is not satisfied", cuzk_sector_sizes[i].name);
        }
        test_update_unmake(u);
    }
}

/* Rows of the 2 KiB circuit. Prefix: the selection's input, 6 bits, their sum and the partition;
 * three commitments; phi; two hashes and comparisons for comm_r; 7 hashes of the apex and its
 * comparison; one digest of the challenges. A challenge: high bits, rho, the update, two replica
 * paths, the apex leaf's selection, the data's path. A path's last row compares roots.
 * circuits.md 5.3. */
enum {
    HASH_2_ROWS = 311,
    SHA_ROWS = 45379,
    INPUT_ROWS = 9 + 3,
    COMM_R_OLD_ROW = INPUT_ROWS + HASH_2_ROWS + HASH_2_ROWS,
    COMM_R_NEW_ROW = COMM_R_OLD_ROW + 1 + HASH_2_ROWS,
    APEX_ROW = COMM_R_NEW_ROW + 1 + 7 * SHA_ROWS,
    PREFIX_ROWS = APEX_ROW + 1 + 1 + HASH_2_ROWS + 255 + 1,
    UPDATE_ROWS = 6 * 2 + 1 + HASH_2_ROWS + 2,
    REPLICA_ROWS = 2 * (22 + 505) + 1,
    SELECT_ROWS = 7,
    DATA_ROWS = 3 * (2 + SHA_ROWS) + 1,
    CHALLENGE_ROWS = UPDATE_ROWS + 2 * REPLICA_ROWS + SELECT_ROWS + DATA_ROWS,
};
static uint64_t r_old_row(unsigned challenge) {
    return PREFIX_ROWS + challenge * CHALLENGE_ROWS + UPDATE_ROWS + REPLICA_ROWS - 1;
}
static uint64_t r_new_row(unsigned challenge) { return r_old_row(challenge) + REPLICA_ROWS; }
static uint64_t data_row(unsigned challenge) {
    return r_new_row(challenge) + SELECT_ROWS + DATA_ROWS;
}

static void flip(const digest *d) { ((digest *)d)->bytes[3] ^= 4; }

/* Damages one thing and names the constraint that fails first. */
static uint64_t damage(test_update *u, unsigned kind) {
    update_partition_proof *proof = &u->proofs[0];
    update_challenge_proof *first = &proof->challenges[0], *last = &proof->challenges[9];
    switch (kind) {
    case 0:
        flip(&u->statement.comm_r_old);
        return COMM_R_OLD_ROW;
    case 1:
        flip(&u->statement.comm_r_new);
        return COMM_R_NEW_ROW;
    case 2:
        flip(&u->statement.comm_d_new);
        return APEX_ROW;
    case 3:
        flip(&proof->comm_c);
        return COMM_R_OLD_ROW;
    case 4:
        flip(&first->r_old.root);
        return COMM_R_OLD_ROW;
    case 5:
        flip(&first->r_new.root);
        return COMM_R_NEW_ROW;
    case 6:
        flip(&proof->apex_leaves[5]);
        return APEX_ROW;
    case 7:
        flip(&last->r_old.leaf);
        return r_old_row(9);
    case 8:
        flip(&last->d_new.leaf);
        return r_new_row(9);
    case 9:
        flip(&last->r_old.siblings[13]);
        return r_old_row(9);
    case 10:
        flip(&last->r_new.siblings[0]);
        return r_new_row(9);
    case 11:
        flip(&last->d_new.siblings[2]);
        return data_row(9);
    case 12: /* what the circuit does not read: the check does */
        flip(&last->r_new.leaf);
        last->r_old.position[1] ^= 1;
        flip(&last->r_old.root);
        flip(&last->d_new.siblings[3]);
        return UINT64_MAX;
    default:
        fail_msg("no such damage");
        return 0;
    }
}

static void test_damage(void **state) {
    (void)state;
    for (unsigned kind = 0; kind <= 12; kind++) {
        test_update u;
        assert_int_equal(test_update_read(&u, "inputs/update-2KiB", 1, NULL), CUZK_OK);
        const uint64_t row = damage(&u, kind);
        update_circuit self;
        const r1cs_circuit circuit =
            test_update_circuit(&self, &u.set, &u.statement, &u.proofs[0], 0);
        const uint64_t found = test_circuit_witness(&circuit);
        if (found != row) {
            fail_msg("damage %u fails at row %llu, not %llu", kind, (unsigned long long)found,
                     (unsigned long long)row);
        }
        test_update_clear(&u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_8_mib_first), cmocka_unit_test(test_32_gib_first),
        cmocka_unit_test(test_32_gib_last), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
