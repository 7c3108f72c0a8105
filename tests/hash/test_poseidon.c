/* LABELS: levels */
/* Poseidon: constants and hashes against circuits.md 8.3 (which has them from neptune), the
 * optimised permutation against the plain one, the trace against the legacy circuit's rules. */
#include "hash/blake2.h"
#include "hash/poseidon.h"
#include "support/hex_literals.h"
#include "support/support.h"

/* Elements: canonical, big-endian. Digests: BLAKE2s-256 over canonical little-endian values. */
static const struct expected {
    poseidon_kind kind;
    const char *first_round_constant, *last_round_constant, *round_constants;
    const char *compressed_t, *last_compressed, *compressed;
    const char *mds, *pre_sparse_0_0, *pre_sparse_1_1, *pre_sparse;
    const char *w_hat_0, *w_hat_1, *v_rest_0, *sparse;
    const char *hash_counting, *hash_zero; /* H(0, 1, 2, ...), H(0, 0, ...) */
} expected[] = {
    {
        .kind = POSEIDON_2,
        .first_round_constant = "669f064bfa3ae17a23bd51861dbb4a24501eac92a2758b36a7320a009d6ed3d8",
        .last_round_constant = "60dfbfa5d5dd06351a917a05466e5884ed12e38ec24d5bb80be0abe065395e5c",
        .round_constants = "e64f39845b8161b7a9eca5e84d4c771683a2107140741872bb32295350957d89",
        .compressed_t = "0bfc421d38531805382624c9d2d2d02b1f2f5590316c401b2f5f56ca2f12a0d1",
        .last_compressed = "1c84e3e9450113a4b5489decd8dcc8b25f057797f37899354931a0eea88d7d5d",
        .compressed = "cdd104969c31097e956039d1b7a7ca588a0e2674e37e9dd9b0c625ae3f549c41",
        .mds = "2db635e12ccea4c8c5c5e6bc3bb4e30c1d7bcc4b634d879f7ece5a496e413fdb",
        .pre_sparse_0_0 = "4d491a377113a8daccd13ab0066be558e27e6d5755543d54aaaaaaaa00000001",
        .pre_sparse_1_1 = "5ea78f2da2d8388ecc02c49a4620a6b27d41d1e5effd39812af98a8d97d6d2a5",
        .pre_sparse = "c3a4e8c8bb3e0f0c32d2830e333a1083c6393a0befffede494a5e70ce84b8d6a",
        .w_hat_0 = "4d491a377113a8daccd13ab0066be558e27e6d5755543d54aaaaaaaa00000001",
        .w_hat_1 = "59d39397f9b91a3745685546ac8e905f0374bec2c68a96278d2f73d4d6a692a2",
        .v_rest_0 = "58967f7ecb83470ce5990816f118fc84a0713c868c352b00eb409bffd891fcd4",
        .sparse = "db4c3114e197dcd0f57f2d4b9da2981a243066f6c9fb091f874f142470208e40",
        .hash_counting = "396508d75e76a56b739e0fd902efe161a6fba9339d05a69d2e203c369a02e7ff",
        .hash_zero = "48fe0b1331196f6cdb33a7c6e5af61b76fd388e1ef1d3d418be5147f0e4613d4",
    },
    {
        .kind = POSEIDON_4,
        .first_round_constant = "45c919736a0e5f2ef32c4c7d0a338eb1fed3d9e317b7580921072285c7e215ca",
        .last_round_constant = "34e974d8cb3be2818f7a6a121a5c6057ed5037226d29e56d20a5ff71a4bec6eb",
        .round_constants = "5b1b7d8a64e78a799e55f458337647aba4d1005fc2c994cb83078354cf4444ee",
        .compressed_t = "725ed083647390443e9c6d2deb5ad1984682815793b63dc1587b6496f954ec63",
        .last_compressed = "107d3b9de9f95ada46df77005c3abfdbee812882bbb35c09d296572c2af30e2d",
        .compressed = "86a74e0dbec567b45f89e55363cb872708d530315212d57f69f7b42c2a14b26c",
        .mds = "f4ac6b6bb5302a4e33039b09bbc2e4bedfdac9ac7da7126a6260e9a2eee37cb3",
        .pre_sparse_0_0 = "458e97984c2b4b2b51ef819e6c2de803323e959b66656a65cccccccc33333334",
        .pre_sparse_1_1 = "3d045c2704892e213ab77bc1a9296aa37e6b7e311b9c090a11adbd5c34e2e626",
        .pre_sparse = "8b52f1b6c0db7c6afa62d91767f0f12adf1e400bbdb461e6a0759e258274a36d",
        .w_hat_0 = "458e97984c2b4b2b51ef819e6c2de803323e959b66656a65cccccccc33333334",
        .w_hat_1 = "18a18e9e2b73eb891838d0c518c14e4b715d8027951518cb29645d4b7b04b314",
        .v_rest_0 = "4025681db3f3af1999e45d28f6b8dccb32de44b406770a750bfb94484d5c7896",
        .sparse = "6ada5dfce75ded7bfb28bf2d31c57f1e88f334ad26bfa262faea9fafea09fb8b",
        .hash_counting = "58a54b10a9e5848a00db3c6579229399fb6b4605bf1327ec019814ff6662075d",
        .hash_zero = "65cec475d81e7e5f0f13b878b866d3eef99a58932383621b64472e952b9711bc",
    },
    {
        .kind = POSEIDON_8,
        .first_round_constant = "6ce90d12c4045fe08c3caddb776dd84ac52b4ae7e48cd49443984154f2f4c2f9",
        .last_round_constant = "3b3a75eb91b0f723bcc4ab7e449e4a011b8960063efe74670c05e545519d9a8c",
        .round_constants = "4892fa58f97bfee4693e800835cffd3a7595e3f63ff7c8fe2eac747657dc75f9",
        .compressed_t = "3d60b7f170f1dc97472bc3a15c1fdf425fd4d52c7d629a9c8e2c0447b6f38bc6",
        .last_compressed = "1ef936f03c337433c2e5f3570555397ed790517b32bebaa823ab1c9d7f374cb3",
        .compressed = "78daa85778ba3f3c4bafdce0f03afaba7a64cbc44700f4d02f9f5ceb56d31d51",
        .mds = "6de7c9023e950f2108ef5fd6642860edd76a78e37915fc67ff9c717a05454d32",
        .pre_sparse_0_0 = "19c308bd25b13848eef068e557794c72f62a247271c6bf1c38e38e38aaaaaaab",
        .pre_sparse_1_1 = "2ab02e414e808d28d3a456fa378b04e88e8628a1b076fa0826b555717b1007e8",
        .pre_sparse = "ec7f48d4d6ca70fa6192d16aa7fe9936614b7272919901848bdbd8ed6c62c981",
        .w_hat_0 = "19c308bd25b13848eef068e557794c72f62a247271c6bf1c38e38e38aaaaaaab",
        .w_hat_1 = "39d9d3927b2b34ec506369b9a21e54c10a98949af37d495ceaf45bc33bfec77d",
        .v_rest_0 = "50a53720d3629e00e1de3338e264d11c6da56b4cda00fcf7804903ca1e16d1ea",
        .sparse = "af517c98f5f96bc08f57f384aaac7538f5e56f38664f8467c8fb62e654d76dae",
        .hash_counting = "2394611da3a5de5512010042116770774b682e9d9cc4aed92a9934f56d38a5e6",
        .hash_zero = "3f79e614b63889f904a036088bc029f5337c0be60db389d13482b431caff9b3a",
    },
    {
        .kind = POSEIDON_11,
        .first_round_constant = "1f6c9576e648b5047399bfc5f38902e0d506f18e0f3ab77de6de096bd089bce4",
        .last_round_constant = "4543ca937ff30a73db73c95cf11b2f641c744cc5d6a08d197c29ea4e2aab6a16",
        .round_constants = "4b474d7a82eebc5a43832b11a810e84921a10adcb8431b958175c603062df40b",
        .compressed_t = "70c6ae20bd1d18d3dbb95f5a9694b328e69dd419e6279ae116ac934a94aa7906",
        .last_compressed = "09bb1cbe3152cbfb7eaccdd4be6a977e2b4985915f147b902f7c73bf6b0e4ca1",
        .compressed = "a3d5077ccb551e6d2e9f8cf91af6c09fe1429a3afd7c03fcd8650b50045b1810",
        .mds = "1e308ec0d6ea4d39225d2ae45cced8fa9ca6ae8bb635546784bfeec1ca8688e5",
        .pre_sparse_0_0 = "6a44840c3b7b082cd99fb0b208d45b5a376dd6581553d4546aaaaaa9c0000001",
        .pre_sparse_1_1 = "6eea839aa1712aebf460d61354241c1b5402186feb4cbc6b3312e91936194729",
        .pre_sparse = "c23da83adba5cc00389cd5259d4524771a6b8cb21848357b432a1da1f3297ba9",
        .w_hat_0 = "6a44840c3b7b082cd99fb0b208d45b5a376dd6581553d4546aaaaaa9c0000001",
        .w_hat_1 = "1fa69f776fa73b654f02951a71458cbdceadfa6add02fa453178e0f407bc1ce2",
        .v_rest_0 = "2d66ebdddf6943eea7268563112a36020c851b733bab88158cfb571104e49868",
        .sparse = "6ee4e84d56caa0e33048279c701e97d84c0afa822082cf6c980b91d10b4d39cf",
        .hash_counting = "0c0fc1b2e5227f286ca537e232ebe87a09f3dcd8ccb08fc1cee3bbc32b693163",
        .hash_zero = "441f2dea348692cf18215eb61da1681b69d57e70108853c985c8b7d1c14ffe94",
    },
};
#define N_EXPECTED (sizeof expected / sizeof *expected)

static void assert_element(const fr *a, const char *hex) {
    uint8_t le[FR_BYTES], be[FR_BYTES];
    cuzk_fr_write_le(le, a);
    for (int i = 0; i < FR_BYTES; i++) {
        be[i] = le[FR_BYTES - 1 - i];
    }
    test_assert_hex(be, sizeof be, hex);
}

static void assert_digest(const fr *values, size_t n, const char *hex) {
    uint8_t le[FR_BYTES], digest[BLAKE2S_BYTES];
    blake2s *s = cuzk_blake2s_create();
    for (size_t i = 0; i < n; i++) {
        cuzk_fr_write_le(le, &values[i]);
        cuzk_blake2s_update(s, le, sizeof le);
    }
    cuzk_blake2s_final(s, digest);
    test_assert_hex(digest, sizeof digest, hex);
}

static void test_constants(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EXPECTED; i++) {
        const struct expected *e = &expected[i];
        const poseidon_constants *c = cuzk_poseidon_constants(e->kind);
        const size_t t = c->width, n_rounds = POSEIDON_FULL_ROUNDS + c->partial_rounds;
        const size_t n_compressed = POSEIDON_FULL_ROUNDS * t + c->partial_rounds;
        assert_int_equal(t, c->arity + 1);
        assert_int_equal(cuzk_poseidon_kind_of_arity(c->arity), e->kind);
        assert_element(&c->round_constants[0], e->first_round_constant);
        assert_element(&c->round_constants[t * n_rounds - 1], e->last_round_constant);
        assert_digest(c->round_constants, t * n_rounds, e->round_constants);
        assert_element(&c->compressed[t], e->compressed_t);
        assert_element(&c->compressed[n_compressed - 1], e->last_compressed);
        assert_digest(c->compressed, n_compressed, e->compressed);
        assert_digest(c->mds, t * t, e->mds);
        assert_element(&c->pre_sparse[0], e->pre_sparse_0_0);
        assert_element(&c->pre_sparse[t + 1], e->pre_sparse_1_1);
        assert_digest(c->pre_sparse, t * t, e->pre_sparse);
        assert_element(&c->sparse[0], e->w_hat_0);
        assert_element(&c->sparse[1], e->w_hat_1);
        assert_element(&c->sparse[t], e->v_rest_0);
        assert_digest(c->sparse, c->partial_rounds * (2 * t - 1), e->sparse);
    }
}

static void test_known_hashes(void **state) {
    (void)state;
    const fr zero[POSEIDON_MAX_WIDTH] = {{{0}}};
    fr counting[POSEIDON_MAX_WIDTH], r;
    for (uint64_t i = 0; i < POSEIDON_MAX_WIDTH; i++) {
        fr_from_u64(&counting[i], i);
    }
    for (size_t i = 0; i < N_EXPECTED; i++) {
        cuzk_poseidon(&r, expected[i].kind, counting);
        assert_element(&r, expected[i].hash_counting);
        cuzk_poseidon(&r, expected[i].kind, zero);
        assert_element(&r, expected[i].hash_zero);
    }
    cuzk_poseidon(&r, POSEIDON_GEN_2, counting);
    assert_element(&r, "314a35c4e7f0924ead1fc58134a0fe25e3580bea397367c7e5a74ec4bc077758");
    cuzk_poseidon(&r, POSEIDON_GEN_2, zero);
    assert_element(&r, "2378125c8da03c26753fb1b88e0e51952e811cc365e44bc06c4fc1b9a38df1b3");
    assert_element(&cuzk_poseidon_constants(POSEIDON_GEN_2)->tag,
                   "0000000000000000000000000000000000000000000000000000010000000000");
}

/* Random input, and elements at the ends of the range. */
static void random_input(fr *in, test_rng *rng, unsigned arity) {
    fr minus_one;
    fr_neg(&minus_one, &FR_ONE);
    for (unsigned i = 0; i < arity; i++) {
        switch (test_rng_u64(rng) % 8) {
        case 0:
            in[i] = FR_ZERO;
            break;
        case 1:
            in[i] = minus_one;
            break;
        default:
            test_rng_fr(&in[i], rng);
        }
    }
}

static void test_against_plain(void **state) {
    (void)state;
    test_rng rng = {1};
    for (int kind = 0; kind < POSEIDON_KINDS; kind++) {
        for (int i = 0; i < 50; i++) {
            fr in[POSEIDON_MAX_WIDTH], fast, plain;
            random_input(in, &rng, cuzk_poseidon_constants((poseidon_kind)kind)->arity);
            cuzk_poseidon(&fast, (poseidon_kind)kind, in);
            cuzk_poseidon_reference(&plain, (poseidon_kind)kind, in);
            assert_true(fr_eq(&fast, &plain));
        }
    }
}

/* Any number of hashes: full lanes, some of them, one left. */
static void test_many(void **state) {
    (void)state;
    enum { MOST = 27 };
    static const size_t numbers[] = {0, 1, 2, 3, 7, 8, 9, 10, 16, 17, MOST};
    test_rng rng = {4};
    for (int kind = 0; kind < POSEIDON_KINDS; kind++) {
        const unsigned arity = cuzk_poseidon_constants((poseidon_kind)kind)->arity;
        fr in[MOST * POSEIDON_MAX_WIDTH], hashes[MOST];
        for (size_t k = 0; k < MOST; k++) {
            random_input(in + k * arity, &rng, arity);
            cuzk_poseidon_reference(&hashes[k], (poseidon_kind)kind, in + k * arity);
        }
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            const size_t n = numbers[i];
            fr r[MOST + 1];
            memset(r, 0x5a, sizeof r);
            fr guard = r[n];
            cuzk_poseidon_many(r, (poseidon_kind)kind, in, n);
            assert_memory_equal(r, hashes, n * sizeof *r);
            assert_memory_equal(&r[n], &guard, sizeof guard);
        }
    }
}

/* r may be one of the inputs. */
static void test_aliasing(void **state) {
    (void)state;
    test_rng rng = {2};
    fr in[8], r;
    random_input(in, &rng, 8);
    cuzk_poseidon(&r, POSEIDON_8, in);
    cuzk_poseidon(&in[3], POSEIDON_8, in);
    assert_true(fr_eq(&r, &in[3]));
}

/* Walks the trace as the circuit's constraints do, keeping the state by the sparse matrices itself.
 */
static const fr *check_sbox(const fr *at, fr *s, const fr *post, bool materialised) {
    fr s2, s4, s5;
    if (materialised) {
        assert_true(fr_eq(at++, s));
    }
    fr_mul(&s2, s, s);
    fr_mul(&s4, &s2, &s2);
    fr_mul(&s5, &s4, s);
    if (post != NULL) {
        fr_add(&s5, &s5, post);
    }
    assert_true(fr_eq(at++, &s2));
    assert_true(fr_eq(at++, &s4));
    assert_true(fr_eq(at++, &s5));
    *s = s5;
    return at;
}

static void naive_mix(fr *state, const fr *m, unsigned t) {
    fr out[POSEIDON_MAX_WIDTH], product;
    for (unsigned j = 0; j < t; j++) {
        out[j] = FR_ZERO;
        for (unsigned i = 0; i < t; i++) {
            fr_mul(&product, &m[i * t + j], &state[i]);
            fr_add(&out[j], &out[j], &product);
        }
    }
    memcpy(state, out, t * sizeof *out);
}

static void check_trace(const fr *trace, const poseidon_constants *c, const fr *in) {
    const unsigned t = c->width;
    const fr *k = c->compressed + 2 * t, *at = trace;
    fr state[POSEIDON_MAX_WIDTH], ignored[4];
    state[0] = c->tag;
    memcpy(state + 1, in, c->arity * sizeof *in);
    for (unsigned i = 0; i < t; i++) {
        fr_add(&state[i], &state[i], &c->compressed[i]);
        if (i == 0) { /* a constant of the circuit */
            fr s = state[0];
            fr_mul(&ignored[0], &s, &s);
            fr_mul(&ignored[1], &ignored[0], &ignored[0]);
            fr_mul(&state[0], &ignored[1], &s);
            fr_add(&state[0], &state[0], &c->compressed[t]);
        } else {
            at = check_sbox(at, &state[i], &c->compressed[t + i], false);
        }
    }
    naive_mix(state, c->mds, t);
    for (unsigned round = 1; round < 4; round++, k += t) {
        for (unsigned i = 0; i < t; i++) {
            at = check_sbox(at, &state[i], &k[i], true);
        }
        naive_mix(state, round == 3 ? c->pre_sparse : c->mds, t);
    }
    for (unsigned round = 0; round < c->partial_rounds; round++) {
        const fr *w_hat = c->sparse + round * (2 * t - 1), *v_rest = w_hat + t;
        fr dense[POSEIDON_MAX_WIDTH * POSEIDON_MAX_WIDTH] = {{{0}}};
        for (unsigned i = 0; i < t; i++) {
            dense[i * t + i] = FR_ONE;
        }
        for (unsigned i = 0; i < t; i++) {
            dense[i * t] = w_hat[i];
            if (i > 0) {
                dense[i] = v_rest[i - 1];
            }
        }
        at = check_sbox(at, &state[0], k++, true);
        naive_mix(state, dense, t);
    }
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < t; i++) {
            at = check_sbox(at, &state[i], round == 3 ? NULL : &k[i], true);
        }
        k += round == 3 ? 0 : t;
        naive_mix(state, c->mds, t);
    }
    assert_true(fr_eq(at, &state[1]));
}

static void test_trace(void **state) {
    (void)state;
    static const size_t counts[POSEIDON_KINDS] = {311, 377, 505, POSEIDON_MAX_TRACE, 311};
    test_rng rng = {3};
    for (int kind = 0; kind < POSEIDON_KINDS; kind++) {
        for (int i = 0; i < 5; i++) {
            const poseidon_constants *c = cuzk_poseidon_constants((poseidon_kind)kind);
            fr in[POSEIDON_MAX_WIDTH], trace[POSEIDON_MAX_TRACE], r;
            random_input(in, &rng, c->arity);
            assert_int_equal(cuzk_poseidon_trace(trace, (poseidon_kind)kind, in), counts[kind]);
            cuzk_poseidon(&r, (poseidon_kind)kind, in);
            assert_true(fr_eq(&trace[counts[kind] - 1], &r));
            check_trace(trace, c, in);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),     cmocka_unit_test(test_known_hashes),
        cmocka_unit_test(test_against_plain), cmocka_unit_test(test_aliasing),
        cmocka_unit_test(test_trace),         cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
