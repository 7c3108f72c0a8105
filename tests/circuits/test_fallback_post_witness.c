/* Witnesses of PoSt partitions: the reference's digests of assignment and rows, inputs as the
 * statement implies them, the constraint at which each kind of damage fails first, and what no
 * witness is made of. */
#include "support/post_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/witness_vectors.h"

static const cuzk_ctx plain_ctx;

/* ---- vectors ---- */

/* Inputs of the circuit with values are those of the statement. */
static void test_inputs(const r1cs_circuit *circuit, const post_statement *s, size_t partition) {
    r1cs_witness w;
    size_t n = cuzk_post_input_count(s->type);
    fr_plain *expected = malloc(n * sizeof *expected);
    assert_non_null(expected);
    assert_int_equal(cuzk_post_inputs(expected, s, partition, NULL), CUZK_OK);
    assert_int_equal(cuzk_r1cs_witness_create(&w, &plain_ctx, circuit, NULL), CUZK_OK);
    assert_int_equal(w.assignment.n_inputs, n + 1);
    assert_memory_equal(w.assignment.inputs + 1, expected, n * sizeof *expected);
    cuzk_r1cs_witness_clear(&w);
    free(expected);
}

static void test_vector(const char *input, size_t partition) {
    char name[100];
    test_post p;
    fallback_post self;
    snprintf(name, sizeof name, "inputs/%s", input);
    test_post_open(&p, name);
    const r1cs_circuit circuit = test_post_circuit(&self, &p, partition);
    snprintf(name, sizeof name, "%s.p%zu", input, partition);
    test_witness_vector(name, &circuit);
    test_inputs(&circuit, &p.s, partition);
    test_post_clear(&p);
}

static void test_window(void **state) {
    (void)state;
    test_vector("window-2KiB-1", 0);
    test_vector("window-2KiB-2", 0);
    test_vector("window-2KiB-3", 0);
    test_vector("window-2KiB-3", 1);
    test_vector("window-2KiB-v1-3", 0);
    test_vector("window-2KiB-v1-3", 1);
    test_vector("window-8MiB-2", 0);
}

static void test_winning(void **state) {
    (void)state;
    test_vector("winning-2KiB", 0);
    test_vector("winning-8MiB", 0);
    test_vector("winning-32GiB", 0);
}

/* Tree shapes that no vector has: rows hold, inputs are those of the statement. */
static void test_fabricated(void **state) {
    (void)state;
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        for (unsigned number = 0; number <= 10; number += 10) {
            post_proof_type type = *cuzk_post_proof_by_number(number);
            type.size = size;
            if (size->window_sectors == 0 || (!type.winning && size->window_sectors > 2)) {
                continue;
            }
            test_post p;
            fallback_post self;
            test_post_fabricate(&p, &type, 1);
            const r1cs_circuit circuit = test_post_circuit(&self, &p, 0);
            assert_int_equal(test_circuit_witness(&circuit), UINT64_MAX);
            test_inputs(&circuit, &p.s, 0);
            test_post_clear(&p);
        }
    }
}

/* ---- damage ---- */

/* Rows of a sector of 2 KiB: comm_r, the hash, its comparison, then for each challenge the path
 * with its comparison. circuits.md 4.2. */
enum {
    COMM_R_ROW = 312,
    PREFIX_ROWS = 313,
    CHALLENGE_ROWS = 530 * 2 + 2,
    WINDOW_SECTOR_ROWS = PREFIX_ROWS + 10 * CHALLENGE_ROWS,
    WINNING_SECTOR_ROWS = PREFIX_ROWS + CHALLENGE_ROWS,
};

static uint64_t root_row(uint64_t sector, uint64_t challenge) {
    return sector * WINDOW_SECTOR_ROWS + PREFIX_ROWS + (challenge + 1) * CHALLENGE_ROWS - 1;
}

static void flip(const digest *d) { ((digest *)d)->bytes[3] ^= 4; }

/* Damages one thing in the first or the second sector and names the constraint that fails first. */
static uint64_t damage(test_post *p, unsigned kind) {
    post_sector_proof *first = &p->proofs[0], *second = &p->proofs[1];
    switch (kind) {
    case 0:
        flip(&first->comm_r);
        return COMM_R_ROW;
    case 1:
        flip(&second->comm_c);
        return WINDOW_SECTOR_ROWS + COMM_R_ROW;
    case 2:
        flip(&first->comm_r_last);
        return COMM_R_ROW;
    case 3:
        flip(&first->inclusions[0].leaf);
        return root_row(0, 0);
    case 4:
        flip(&second->inclusions[9].siblings[0]);
        return root_row(1, 9);
    case 5:
        flip(&second->inclusions[4].siblings[13]);
        return root_row(1, 4);
    case 6:
        first->inclusions[7].position[1] ^= 1;
        return root_row(0, 7);
    case 7: /* satisfied, but with other inputs */
        second->inclusions[1] = second->inclusions[0];
        return UINT64_MAX;
    default: /* read by nothing in the circuit */
        flip(&first->inclusions[0].root);
        first->sector_id++;
        return UINT64_MAX;
    }
}

static void test_damaged(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 9; kind++) {
        test_post p;
        test_post_open(&p, "inputs/window-2KiB-2");
        uint64_t row = damage(&p, kind);
        fallback_post self;
        const r1cs_circuit circuit = test_post_circuit(&self, &p, 0);
        uint64_t found = test_circuit_witness(&circuit);
        if (found != row) {
            fail_msg("damage %u: row %llu fails first, not %llu", kind, (unsigned long long)found,
                     (unsigned long long)row);
        }
        test_post_clear(&p);
    }
}

static void test_verdicts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t row;
    } cases[] = {
        {"invalid/window-comm-r-last", COMM_R_ROW},
        {"invalid/winning-sibling", 66 * WINNING_SECTOR_ROWS - 1},
        {"invalid/window-duplicate", UINT64_MAX},
        {"invalid/window-trailing", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_post p;
        fallback_post self;
        test_post_open(&p, cases[i].name);
        const r1cs_circuit circuit = test_post_circuit(&self, &p, 0);
        assert_int_equal(test_circuit_witness(&circuit), cases[i].row);
        test_post_clear(&p);
    }
}

/* ---- refused ---- */

static void no_witness(const r1cs_circuit *circuit, cuzk_status status, int64_t sector,
                       int64_t challenge, const char *text) {
    r1cs_witness w;
    cuzk_error err;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &plain_ctx, circuit, &err), status);
    assert_string_equal(err.text, text);
    assert_int_equal(err.sector, sector);
    assert_int_equal(err.challenge, challenge);
}

/* Values and shapes that no witness can be made of. */
static void test_refused(void **state) {
    (void)state;
    test_post p;
    fallback_post self;
    cuzk_error err;
    test_post_open(&p, "invalid/window-leaf-range");
    r1cs_circuit circuit = test_post_circuit(&self, &p, 0);
    no_witness(&circuit, CUZK_E_INPUT, 101, 0,
               "partition 0: sector 101: challenge 0: the leaf is not below the field's modulus");
    test_post_clear(&p);

    test_post_open(&p, "inputs/window-2KiB-2");
    post_sector_proof *second = &p.proofs[1];
    const digest *values[] = {&second->comm_r, &second->comm_c, &second->comm_r_last};
    static const char *const names[] = {"comm_r", "comm_c", "comm_r_last"};
    for (size_t i = 0; i < 3; i++) {
        const digest good = *values[i];
        char text[100];
        memset((digest *)values[i], 0xff, sizeof good);
        circuit = test_post_circuit(&self, &p, 0);
        snprintf(text, sizeof text, "partition 0: sector 108: %s is not below the field's modulus",
                 names[i]);
        no_witness(&circuit, CUZK_E_INPUT, 108, CUZK_NOWHERE, text);
        *(digest *)values[i] = good;
    }
    const digest *sibling = &second->inclusions[3].siblings[9];
    const digest good_sibling = *sibling;
    memset((digest *)sibling, 0xff, sizeof good_sibling);
    no_witness(&circuit, CUZK_E_INPUT, 108, 3,
               "partition 0: sector 108: challenge 3: a node of a Merkle path is not below the "
               "field's modulus");
    *(digest *)sibling = good_sibling;

    const post_shape shape = self.shape;
    merkle_proof *path = &second->inclusions[3];
    path->position[1] = 8;
    assert_int_equal(cuzk_fallback_post_init(&self, &shape, p.proofs, 2, 0, &err),
                     CUZK_E_INCONSISTENT);
    assert_int_equal(err.sector, 108);
    assert_int_equal(err.challenge, 3);
    path->position[1] = 7;
    path->n_levels--;
    assert_int_equal(cuzk_fallback_post_init(&self, &shape, p.proofs, 2, 0, &err),
                     CUZK_E_INCONSISTENT);
    path->n_levels++;
    assert_int_equal(cuzk_fallback_post_init(&self, &shape, p.proofs, 0, 4, &err),
                     CUZK_E_INCONSISTENT);
    assert_int_equal(err.partition, 4);
    post_shape other = shape;
    other.n_sectors = 1;
    assert_int_equal(cuzk_fallback_post_init(&self, &other, p.proofs, 2, 0, &err),
                     CUZK_E_INCONSISTENT);
    second->n_challenges--;
    assert_int_equal(cuzk_fallback_post_init(&self, &shape, p.proofs, 2, 0, &err),
                     CUZK_E_INCONSISTENT);
    second->n_challenges++;

    assert_int_equal(cuzk_fallback_post_init(&self, &shape, NULL, 0, 0, NULL), CUZK_OK);
    circuit = cuzk_fallback_post_circuit(&self);
    no_witness(&circuit, CUZK_E_ARGUMENT, CUZK_NOWHERE, CUZK_NOWHERE, "this circuit has no values");
    test_post_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),     cmocka_unit_test(test_winning),
        cmocka_unit_test(test_fabricated), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_verdicts),   cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
