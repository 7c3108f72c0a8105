/* Ids and challenges: the vectors of circuits.md 8.1 and 8.4. */
#include <stdio.h>

#include "codec/hex.h"
#include "filecoin/challenges.h"
#include "filecoin/identity.h"
#include "support/manifest.h"
#include "support/support.h"

static digest filled(uint8_t byte) {
    digest d;
    memset(d.bytes, byte, DIGEST_BYTES);
    return d;
}
static digest from_hex(const char *hex) {
    digest d;
    assert_true(cuzk_hex_decode(d.bytes, DIGEST_BYTES, hex));
    return d;
}

/* The replica id of circuits.md 8.4: miner 1000, sector 1, ticket 0x01.., an empty 32 GiB sector.
 */
static digest example_replica_id(void) {
    digest prover_id, porep_id, replica_id, ticket = filled(1);
    digest comm_d = from_hex("077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e");
    cuzk_prover_id(&prover_id, 1000);
    cuzk_porep_id(&porep_id, 8);
    cuzk_replica_id(&replica_id, &prover_id, 1, &ticket, &comm_d, &porep_id);
    return replica_id;
}

static void ids(void **state) {
    (void)state;
    static const struct {
        uint64_t miner;
        const char *hex; /* up to the first zero */
    } miners[] = {
        {0, ""},
        {1, "01"},
        {127, "7f"},
        {128, "8001"},
        {1000, "e807"},
        {16384, "808001"},
        {UINT64_MAX, "ffffffffffffffffff01"},
    };
    digest id, expected;
    for (size_t i = 0; i < sizeof miners / sizeof miners[0]; i++) {
        expected = filled(0);
        assert_true(cuzk_hex_decode(expected.bytes, strlen(miners[i].hex) / 2, miners[i].hex));
        cuzk_prover_id(&id, miners[i].miner);
        assert_memory_equal(&id, &expected, sizeof id);
    }
    expected = filled(0);
    expected.bytes[0] = 19;
    cuzk_porep_id(&id, 19);
    assert_memory_equal(&id, &expected, sizeof id);

    id = example_replica_id();
    expected = from_hex("811d73e7ee9eafa5bc99ab8fe59db4df58732314297c036a8b4f8a571b48a119");
    assert_memory_equal(&id, &expected, sizeof id);
}

static void replica_ids_of_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/porep-2KiB-v1", "inputs/porep-2KiB-v1_1",
                                          "inputs/porep-2KiB-synthetic", "inputs/porep-2KiB-ni",
                                          "inputs/porep-8MiB-v1_1"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_manifest *m = test_manifest_open(folders[i]);
        digest prover_id, porep_id, replica_id, ticket, comm_d, expected;
        test_manifest_hex(m, "prover_id", expected.bytes, DIGEST_BYTES);
        cuzk_prover_id(&prover_id, test_manifest_u64(m, "miner_id"));
        assert_memory_equal(&prover_id, &expected, sizeof expected);
        test_manifest_hex(m, "ticket", ticket.bytes, DIGEST_BYTES);
        test_manifest_hex(m, "comm_d", comm_d.bytes, DIGEST_BYTES);
        test_manifest_hex(m, "replica_id", expected.bytes, DIGEST_BYTES);
        cuzk_porep_id(&porep_id, (unsigned)test_manifest_u64(m, "registered_proof"));
        cuzk_replica_id(&replica_id, &prover_id, test_manifest_u64(m, "sector_number"), &ticket,
                        &comm_d, &porep_id);
        assert_memory_equal(&replica_id, &expected, sizeof expected);
        test_manifest_close(m);
    }
}

static void check_first(const porep_challenge_source *source, unsigned partition,
                        const uint64_t *expected, size_t n) {
    uint64_t nodes[POREP_MAX_CHALLENGES];
    cuzk_porep_challenges(nodes, source, partition);
    assert_memory_equal(nodes, expected, n * sizeof *nodes);
}

static void porep(void **state) {
    (void)state;
    porep_challenge_source source = {.type = cuzk_seal_proof_by_number(8),
                                     .replica_id = example_replica_id(),
                                     .comm_r = filled(3),
                                     .seed = filled(2)};
    check_first(&source, 0,
                (uint64_t[]){499046160, 712603008, 754804829, 576280792, 73341178, 413961946}, 6);
    check_first(&source, 9, (uint64_t[]){271314429, 623933905, 1035398868}, 3);
    source.type = cuzk_seal_proof_by_number(18);
    check_first(&source, 0,
                (uint64_t[]){309253366, 557097028, 203146171, 636814774, 24403486, 912026145}, 6);
    check_first(&source, 125, (uint64_t[]){280422008, 334050813, 1043651681}, 3);
}

static void synthetic(void **state) {
    (void)state;
    static const uint64_t all[21] = {178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                     801, 176, 692, 429, 691, 290, 204, 986, 210, 973};
    static const uint64_t selected[10] = {176, 781, 801, 986, 290, 211, 692, 856, 986, 332};
    digest replica_id = filled(0), comm_r = filled(0), seed = filled(1);
    replica_id.bytes[0] = 55;
    comm_r.bytes[0] = 101;
    uint64_t nodes[21];
    cuzk_synthetic_challenges(nodes, 0, 21, 1 << 10, &replica_id, &comm_r);
    assert_memory_equal(nodes, all, sizeof all);
    for (unsigned i = 0; i < 21; i++) {
        cuzk_synthetic_challenges(nodes, i, 1, 1 << 10, &replica_id, &comm_r);
        assert_true(nodes[0] == all[i]);
    }
    uint32_t indexes[10];
    cuzk_synthetic_selection(indexes, 0, 10, 21, &replica_id, &seed);
    for (unsigned i = 0; i < 10; i++) {
        assert_true(all[indexes[i]] == selected[i]);
    }
    cuzk_synthetic_selection(indexes, 3, 4, 21, &replica_id, &seed);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(all[indexes[i]] == selected[3 + i]);
    }
    assert_int_equal(cuzk_synthetic_count(1ull << 31), 1 << 18);
    assert_int_equal(cuzk_synthetic_count(64), 64);
}

static void post(void **state) {
    (void)state;
    static const uint64_t expected[5] = {258684990, 760040899, 290424543, 858182036, 321079222};
    digest randomness = filled(4), prover_id;
    for (unsigned i = 0; i < 5; i++) {
        assert_true(cuzk_post_challenge(&randomness, 7, i, 1 << 30) == expected[i]);
    }
    cuzk_prover_id(&prover_id, 1000);
    assert_true(cuzk_winning_sector(&prover_id, &randomness, 0, 1000) == 604);
    assert_true(cuzk_post_challenge_index(POREP_V1_0, 2348, 10, 9) == 23489);
    assert_true(cuzk_post_challenge_index(POREP_V1_2, 2348, 10, 9) == 9);
}

/* comm_r_new is the first element of the reference's test generator. Expected nodes: test of
 * storage-proofs-update 19.0.1, challenges.rs. */
static void update(void **state) {
    (void)state;
    static const struct {
        const char *id;
        unsigned partition;
        uint64_t nodes[5];
    } known[] = {
        {"snap-1k", 0, {21, 7, 3, 31, 0}},
        {"snap-2k", 0, {53, 51, 56, 3, 0}},
        {"snap-4k", 0, {117, 25, 62, 0, 72}},
        {"snap-8k", 0, {245, 140, 15, 128, 28}},
        {"snap-16k", 0, {245, 140, 15, 128, 28}},
        {"snap-16k", 1, {286, 308, 493, 510, 508}},
        {"snap-32k", 0, {245, 454, 3, 400, 193}},
        {"snap-32k", 1, {542, 666, 955, 927, 911}},
        {"snap-8m", 0, {36085, 32783, 44060, 10950, 3731}},
        {"snap-8m", 1, {78878, 130797, 112892, 93994, 78379}},
        {"snap-16m", 0, {101621, 16391, 109319, 25944, 41193}},
        {"snap-16m", 1, {209950, 163702, 175679, 224741, 197410}},
        {"snap-512m", 0, {1019125, 116736, 706220, 59698, 799498}},
        {"snap-512m", 1, {2092548, 1213276, 1185483, 1164598, 1095197}},
        {"snap-512m", 14, {15212432, 15665918, 15015423, 15012912, 15495223}},
        {"snap-512m", 15, {16388544, 15794686, 16637142, 16319148, 16328348}},
        {"snap-32g", 0, {1019125, 27985696, 15282860, 11586600, 44651330}},
        {"snap-32g", 1, {109168525, 127316247, 80331041, 97065716, 72310052}},
        {"snap-32g", 14, {990420169, 955146989, 968005601, 976863263, 944650706}},
        {"snap-32g", 15, {1038629497, 1053983614, 1030421316, 1027373887, 1068685433}},
        {"snap-64g", 0, {1019125, 13992848, 3820715, 18225541, 57316660}},
        {"snap-64g", 1, {243386253, 197875851, 204632136, 171516766, 247789010}},
        {"snap-64g", 14, {1997053129, 1920414070, 2003609080, 1900492803, 1963254685}},
        {"snap-64g", 15, {2045262457, 2036941247, 2136653521, 2091356007, 2147167623}},
    };
    const fr_plain plain = {
        {0x4f60429c4bbe1c10, 0xc688f796c303c704, 0x3054f4587d6d2dcb, 0x6c0740d6edb22eb1}};
    fr comm_r_new;
    fr_from_plain(&comm_r_new, &plain);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        param_set set;
        uint64_t nodes[86];
        assert_int_equal(cuzk_param_set_by_id(&set, known[i].id, NULL), CUZK_OK);
        assert_true(set.n_challenges <= 86);
        cuzk_update_challenges(nodes, &set, &comm_r_new, known[i].partition);
        assert_memory_equal(nodes, known[i].nodes, sizeof known[i].nodes);
        for (unsigned c = 0; c < set.n_challenges; c++) {
            assert_true(nodes[c] / (set.nodes / set.n_partitions) == known[i].partition);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids),   cmocka_unit_test(replica_ids_of_vectors),
        cmocka_unit_test(porep), cmocka_unit_test(synthetic),
        cmocka_unit_test(post),  cmocka_unit_test(update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
