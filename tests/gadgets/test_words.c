/* Booleans and words with every kind of operand: results, satisfied rows, and that a word operation
 * writes the same system as its Booleans one by one. */
#include "support/circuit_support.h"

#include "base/bytes.h"
#include "gadgets/merkle_gadget.h"
#include "gadgets/sha256_gadget.h"
#include "hash/sha256.h"

static const cuzk_ctx plain_ctx;

/* ---- Booleans one at a time ---- */

/* kind 0, 1: constants; 2, 3: an allocated bit; 4, 5: a negated one; odd kinds are true. */
enum { KINDS = 6 };
static bool kind_value(unsigned kind) { return kind & 1; }
static boolean of_kind(r1cs_cs *cs, unsigned kind) {
    bool value = kind_value(kind);
    if (kind < 2) {
        return boolean_const(value);
    }
    return kind < 4 ? boolean_of(cuzk_bit_alloc(cs, value))
                    : boolean_not(boolean_of(cuzk_bit_alloc(cs, !value)));
}

typedef struct operands {
    unsigned x, y, z;
} operands;

static void expect(const r1cs_cs *cs, boolean found, bool value) {
    if (cs->want_values || found.is_const) {
        assert_int_equal(found.value, value);
    }
}

static cuzk_status all_operations(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const operands *o = self;
    boolean x = of_kind(cs, o->x), y = of_kind(cs, o->y), z = of_kind(cs, o->z);
    bool a = kind_value(o->x), b = kind_value(o->y), c = kind_value(o->z);
    expect(cs, cuzk_boolean_xor(cs, x, y), a != b);
    expect(cs, cuzk_boolean_and(cs, x, y), a && b);
    expect(cs, cuzk_boolean_choose(cs, x, y, z), a ? b : c);
    expect(cs, cuzk_boolean_majority(cs, x, y, z), a + b + c >= 2);
    /* results as operands */
    expect(cs, cuzk_boolean_xor(cs, boolean_not(cuzk_boolean_and(cs, y, z)), x), !(b && c) != a);
    cuzk_boolean_enforce_equal(cs, x, boolean_not(boolean_not(x)));
    if (a == b) {
        cuzk_boolean_enforce_equal(cs, x, y);
    }
    const boolean list[3] = {x, y, z};
    num packed = cuzk_pack_bits(cs, list, 3);
    if (cs->want_values) {
        assert_int_equal(packed.value.l[0], a + 2 * b + 4 * c);
    }
    return CUZK_OK;
}

static void test_operands(void **state) {
    (void)state;
    for (unsigned i = 0; i < KINDS * KINDS * KINDS; i++) {
        const operands self = {i % KINDS, i / KINDS % KINDS, i / KINDS / KINDS};
        const r1cs_circuit circuit = {&self, all_operations};
        assert_int_equal(test_circuit_witness(&circuit), UINT64_MAX);
    }
}

/* x = y does not hold: the row against it is not satisfied. */
static cuzk_status unequal(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const operands *o = self;
    boolean x = of_kind(cs, o->x), y = of_kind(cs, o->y);
    cuzk_boolean_enforce_equal(cs, x, y);
    return CUZK_OK;
}

static void test_unequal(void **state) {
    (void)state;
    for (unsigned i = 0; i < KINDS * KINDS; i++) {
        const operands self = {i % KINDS, i / KINDS, 0};
        const r1cs_circuit circuit = {&self, unequal};
        bool constants = self.x < 2 && self.y < 2, equal = kind_value(self.x) == kind_value(self.y);
        uint64_t row = (uint64_t)(self.x >= 2) + (self.y >= 2); /* after those of the bits */
        assert_int_equal(test_circuit_witness(&circuit), constants || equal ? UINT64_MAX : row);
    }
}

/* ---- words ---- */

typedef enum word_op { WORD_XOR, WORD_CHOOSE, WORD_MAJORITY, WORD_OPS } word_op;

typedef struct word_circuit {
    word_op op;
    uint64_t seed;
    unsigned mix; /* of 8: how often an operand's Boolean is a constant, and how often negated */
    bool by_lane;
} word_circuit;

static void mixed_word(r1cs_cs *cs, word32 *w, test_rng *rng, unsigned mix) {
    word32 result = {0};
    for (unsigned i = 0; i < 32; i++) {
        uint64_t random = test_rng_u64(rng);
        boolean b = random % 8 < mix ? boolean_const(random >> 20 & 1)
                                     : boolean_of(cuzk_bit_alloc(cs, random >> 21 & 1));
        bool negate = (random >> 10) % 8 < mix;
        word32_put(cs, &result, i, negate ? boolean_not(b) : b);
    }
    *w = result;
}

static boolean one_lane(r1cs_cs *cs, word_op op, boolean x, boolean y, boolean z) {
    return op == WORD_XOR      ? cuzk_boolean_xor(cs, x, y)
           : op == WORD_CHOOSE ? cuzk_boolean_choose(cs, x, y, z)
                               : cuzk_boolean_majority(cs, x, y, z);
}

static cuzk_status synthesize_word(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const word_circuit *c = self;
    test_rng rng = {c->seed};
    word32 x, y, z, r = {0}, turned;
    mixed_word(cs, &x, &rng, c->mix);
    mixed_word(cs, &y, &rng, c->mix);
    mixed_word(cs, &z, &rng, c->mix);
    if (c->by_lane) {
        for (unsigned i = 0; i < 32; i++) {
            word32_put(cs, &r, i,
                       one_lane(cs, c->op, word32_get(cs, &x, i), word32_get(cs, &y, i),
                                word32_get(cs, &z, i)));
        }
    } else if (c->op == WORD_XOR) {
        cuzk_word32_xor(cs, &r, &x, &y);
    } else if (c->op == WORD_CHOOSE) {
        cuzk_word32_choose(cs, &r, &x, &y, &z);
    } else {
        cuzk_word32_majority(cs, &r, &x, &y, &z);
    }
    if (cs->want_values) {
        const uint32_t expected[WORD_OPS] = {
            x.value ^ y.value, (x.value & y.value) | (~x.value & z.value),
            (x.value & y.value) | (x.value & z.value) | (y.value & z.value)};
        assert_int_equal(r.value, expected[c->op]);
    }
    /* what became of the result shows in a sum of it, turned around */
    cuzk_word32_rotr(cs, &turned, &r, 5);
    cuzk_word32_swap_bytes(cs, &x, &turned);
    cuzk_word32_reverse_bits(cs, &y, &x);
    cuzk_word32_shr(cs, &z, &y, 3);
    multieq m;
    cuzk_multieq_begin(&m);
    word32 sum;
    const word32 *const list[] = {&z, &turned, &r};
    cuzk_word32_addmany(cs, &m, &sum, list, 3);
    cuzk_multieq_end(cs, &m);
    if (cs->want_values) {
        assert_int_equal(sum.value, (uint32_t)(z.value + turned.value + r.value));
    }
    return CUZK_OK;
}

static void test_words(void **state) {
    (void)state;
    for (unsigned op = 0; op < WORD_OPS; op++) {
        for (uint64_t seed = 1; seed <= 32; seed++) {
            uint8_t digests[2][32];
            for (unsigned by_lane = 0; by_lane < 2; by_lane++) {
                const word_circuit self = {(word_op)op, seed, (unsigned)(seed % 9), by_lane};
                const r1cs_circuit circuit = {&self, synthesize_word};
                assert_int_equal(
                    cuzk_r1cs_digest(&plain_ctx, digests[by_lane], &circuit, NULL, NULL), CUZK_OK);
                assert_int_equal(test_circuit_witness(&circuit), UINT64_MAX);
            }
            assert_memory_equal(digests[0], digests[1], sizeof digests[0]);
        }
    }
}

/* ---- SHA-256 of constants ---- */

static cuzk_status hash_constants(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const unsigned n = *(const unsigned *)self;
    word32 words[40], digest[8];
    const word32 *message[40];
    uint8_t bytes[160], expected[32];
    for (unsigned i = 0; i < n; i++) {
        word32_set_const(&words[i], 0x9e3779b9u * (i + 1));
        message[i] = &words[i];
        store_be32(bytes + 4 * i, words[i].value);
    }
    cuzk_sha256_gadget(cs, digest, message, n);
    cuzk_sha256(expected, bytes, 4 * n);
    for (unsigned i = 0; i < 8; i++) {
        assert_true(word32_is_const(&digest[i]));
        assert_int_equal(digest[i].value, load_be32(expected + 4 * i));
    }
    return CUZK_OK;
}

static void test_hash_of_constants(void **state) {
    (void)state;
    for (unsigned n = 0; n <= 40; n++) {
        const r1cs_circuit circuit = {&n, hash_constants};
        r1cs_densities d;
        assert_int_equal(cuzk_r1cs_densities(&d, &plain_ctx, &circuit, NULL), CUZK_OK);
        assert_int_equal(d.dims.n_constraints, 0);
        assert_int_equal(d.dims.n_aux, 0);
        cuzk_r1cs_densities_clear(&d);
    }
}

/* ---- paths with bits and siblings given ---- */

typedef struct path_circuit {
    bool wrong_root;
} path_circuit;

static cuzk_status prove_at(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const path_circuit *c = self;
    const merkle_shape shape = {.hash = TREE_POSEIDON, .n_levels = 3, .arity = {8, 4, 2}};
    const uint8_t position[3] = {5, 2, 1};
    uint8_t siblings[11][32] = {{0}};
    for (unsigned i = 0; i < 11; i++) {
        siblings[i][0] = (uint8_t)(3 * i + 1);
    }
    /* one path twice: the root that climbing gives is the one to prove */
    const fr_plain leaf_value = fr_plain_of_int(-77);
    num leaf = num_alloc(cs, &leaf_value);
    const merkle_path path = {.position = position, .siblings = siblings[0]};
    num root = cuzk_merkle_climb(cs, &shape, &path, &leaf);
    if (c->wrong_root) {
        num one = num_alloc(cs, &(fr_plain){{1, 0, 0, 0}});
        root = cuzk_num_add(cs, &root, &one);
    }
    cs_bit bits[6];
    num nodes[11];
    const unsigned widths[3] = {3, 2, 1};
    for (unsigned level = 0, at = 0; level < 3; level++) {
        for (unsigned i = 0; i < widths[level]; i++, at++) {
            bits[at] = cuzk_bit_alloc(cs, position[level] >> i & 1);
        }
    }
    for (unsigned i = 0; i < 11; i++) {
        nodes[i] = cuzk_num_alloc_bytes(cs, siblings[i], "a sibling");
    }
    cuzk_merkle_prove_at(cs, &shape, bits, nodes, &leaf, &root);
    return CUZK_OK;
}

static void test_prove_at(void **state) {
    (void)state;
    /* 22 + 505, 8 + 377, 2 + 311 rows for the levels; bits and packing once more for climbing */
    const uint64_t levels = 22 + 505 + 8 + 377 + 2 + 311;
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        const path_circuit self = {.wrong_root = wrong};
        const r1cs_circuit circuit = {&self, prove_at};
        r1cs_densities d;
        assert_int_equal(cuzk_r1cs_densities(&d, &plain_ctx, &circuit, NULL), CUZK_OK);
        assert_int_equal(d.dims.n_constraints, 2 * (levels + 6) + 2 + wrong);
        assert_int_equal(test_circuit_witness(&circuit),
                         wrong ? d.dims.n_constraints - 1 : UINT64_MAX);
        cuzk_r1cs_densities_clear(&d);
    }
}

/* ---- numbers ---- */

static cuzk_status numbers(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)self;
    (void)err;
    const fr_plain v = fr_plain_of_int(-3), u = fr_plain_of_int(12345);
    num x = num_alloc(cs, &v), y = num_alloc(cs, &u);
    num sum = cuzk_num_add(cs, &x, &y), back = cuzk_num_sub(cs, &sum, &y);
    cuzk_num_equal(cs, &back, &x);
    word32 words[8];
    cuzk_num_to_bits(cs, words, &x);
    cs_bit strict[NUM_BITS], free_bits[NUM_BITS];
    cuzk_num_to_bits_strict(cs, strict, &x);
    cuzk_field_into_bits(cs, free_bits, &v);
    for (unsigned i = 0; i < NUM_BITS && cs->want_values; i++) {
        bool expected = v.l[i / 64] >> (i % 64) & 1;
        assert_int_equal(words[i / 32].value >> (i % 32) & 1, expected);
        assert_int_equal(strict[i].value, expected);
        assert_int_equal(free_bits[i].value, expected);
    }
    return CUZK_OK;
}

static void test_numbers(void **state) {
    (void)state;
    const r1cs_circuit circuit = {NULL, numbers};
    assert_int_equal(test_circuit_witness(&circuit), UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_hash_of_constants),
        cmocka_unit_test(test_prove_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
