/* LABELS: slow
 * More witnesses of PoRep partitions: the reference's digests of the other 2 KiB inputs and of a 32
 * GiB one (0.6 GB of memory), and the constraint at which each kind of damage fails. */
#include "support/porep_support.h"

#include "filecoin/c1_reader.h"

static void test_v1(void **state) {
    (void)state;
    test_porep_vector("porep-2KiB-v1", 0);
}
static void test_synthetic(void **state) {
    (void)state;
    test_porep_vector("porep-2KiB-synthetic", 0);
}
static void test_ni_first(void **state) {
    (void)state;
    test_porep_vector("porep-2KiB-ni", 0);
}
static void test_32_gib_first(void **state) {
    (void)state;
    test_porep_vector("porep-32GiB-v1_1", 0);
}
static void test_32_gib_last(void **state) {
    (void)state;
    test_porep_vector("porep-32GiB-v1_1", 9);
}

/* Rows of the 2 KiB circuit: prefix, then for each challenge TreeD path, 14 columns with their
 * paths, labels, encoding, TreeR path, column, TreeC path. A path's last row compares roots.
 * circuits.md 3.2 and 3.4. */
enum {
    PREFIX_ROWS = 571,
    TREE_D_ROWS = 45382 * 6 + 2,
    COLUMN_ROWS = 311,
    TREE_R_ROWS = 530 * 2 + 2,
    CHALLENGE_ROWS = 1343675,
    COMM_R_ROW = PREFIX_ROWS - 1,
    TREE_D_ROOT_ROW = PREFIX_ROWS + TREE_D_ROWS - 1,
    TREE_C_ROOT_ROW = PREFIX_ROWS + CHALLENGE_ROWS - 1,
    TREE_R_ROOT_ROW = TREE_C_ROOT_ROW - COLUMN_ROWS - TREE_R_ROWS,
};
static uint64_t parent_root_row(unsigned parent) {
    return TREE_D_ROOT_ROW + (uint64_t)(parent + 1) * (COLUMN_ROWS + TREE_R_ROWS);
}

static void flip(digest *d) { d->bytes[3] ^= 4; }

/* Damages one thing in the proof and names the constraint that fails first. */
static uint64_t damage(porep_proof *p, unsigned kind) {
    porep_challenge_proof *c = &p->challenges[0];
    switch (kind) {
    case 0:
        flip(&p->comm_d);
        return TREE_D_ROOT_ROW;
    case 1:
        flip(&p->comm_r);
        return COMM_R_ROW;
    case 2:
        flip(&c->comm_r_last.root);
        return COMM_R_ROW;
    case 3:
        flip(&c->c_x.inclusion.root);
        return COMM_R_ROW;
    case 4:
        flip(&c->comm_d.leaf);
        return TREE_D_ROOT_ROW;
    case 5:
        flip((digest *)&c->comm_d.siblings[5]);
        return TREE_D_ROOT_ROW;
    case 6:
        c->comm_d.position[2] ^= 1;
        return TREE_D_ROOT_ROW;
    case 7:
        flip((digest *)&c->parents[0].rows[0]);
        return parent_root_row(0);
    case 8:
        flip((digest *)&c->parents[13].inclusion.siblings[9]);
        return parent_root_row(13);
    case 9:
        c->parents[6].inclusion.position[1] = (c->parents[6].inclusion.position[1] + 1) % 8;
        return parent_root_row(6);
    case 10:
        c->node ^= 1ull << 40;
        return TREE_R_ROOT_ROW;
    case 11:
        flip(&p->replica_id);
        return TREE_R_ROOT_ROW;
    case 12:
        flip((digest *)&c->comm_r_last.siblings[0]);
        return TREE_R_ROOT_ROW;
    case 13:
        flip((digest *)&c->c_x.inclusion.siblings[13]);
        return TREE_C_ROOT_ROW;
    case 14:
        flip((digest *)&p->challenges[1].c_x.inclusion.siblings[0]);
        return TREE_C_ROOT_ROW + CHALLENGE_ROWS;
    default: /* read by nothing in the circuit */
        flip(&c->comm_r_last.leaf);
        flip(&c->c_x.inclusion.leaf);
        flip((digest *)&c->c_x.rows[0]);
        flip(&c->parents[2].inclusion.root);
        flip(&p->seed);
        flip(&p->ticket);
        return UINT64_MAX;
    }
}

static void test_damaged(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 16; kind++) {
        porep_proof proof;
        test_read_c1(&proof, "inputs/porep-2KiB-v1_1");
        uint64_t row = damage(&proof, kind);
        porep_circuit self;
        const r1cs_circuit circuit = test_porep_circuit(&self, &proof, 0);
        uint64_t found = test_circuit_witness(&circuit);
        if (found != row) {
            fail_msg("damage %u: row %llu fails first, not %llu", kind, (unsigned long long)found,
                     (unsigned long long)row);
        }
        cuzk_porep_proof_clear(&proof);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v1),          cmocka_unit_test(test_synthetic),
        cmocka_unit_test(test_ni_first),    cmocka_unit_test(test_32_gib_first),
        cmocka_unit_test(test_32_gib_last), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
