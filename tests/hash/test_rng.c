/* The generators: groth16-vectors.txt, rand_xorshift's and rand_core's rules, RFC 8439 and eSTREAM
 * keystreams. */
#include "hash/rng.h"

#include <stdio.h>

#include "base/bytes.h"
#include "support/hex_literals.h"
#include "support/known_answers.h"
#include "support/support.h"

static void seeded_xorshift(xorshift_rng *rng) {
    uint8_t seed[16];
    test_hex_into(seed, sizeof seed, "5962be5d763d318d17db37325406bce5");
    cuzk_xorshift_init(rng, seed);
}

static void test_xorshift(void **state) {
    (void)state;
    xorshift_rng rng;
    unsigned word[4];
    unsigned long long pair[2];
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    const char *words = known_answers_text(answers, "xorshift.first_u32");
    assert_int_equal(sscanf(words, "%x %x %x %x", &word[0], &word[1], &word[2], &word[3]), 4);
    seeded_xorshift(&rng);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(cuzk_xorshift_u32(&rng), word[i]);
    }
    const char *pairs = known_answers_text(answers, "xorshift.first_u64");
    assert_int_equal(sscanf(pairs, "%llx %llx", &pair[0], &pair[1]), 2);
    seeded_xorshift(&rng);
    rng_source source = cuzk_rng_from_xorshift(&rng);
    assert_true(source.next_u64(source.self) == pair[0]);
    assert_true(source.next_u64(source.self) == pair[1]);
    known_answers_close(answers);

    /* rand_xorshift's own test */
    static const uint8_t descending[16] = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    static const uint32_t expected[9] = {2081028795, 620940381,  269070770,  16943764, 854422573,
                                         29242889,   1550291885, 1227154591, 271695242};
    cuzk_xorshift_init(&rng, descending);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(cuzk_xorshift_u32(&rng), expected[i]);
    }
    static const uint8_t zero[16];
    cuzk_xorshift_init(&rng, zero);
    assert_true(rng.x == 0x0bad5eed && rng.y == rng.x && rng.z == rng.x && rng.w == rng.x);
}

/* fill: whole u64, then 5..7 bytes from one u64, 1..4 from one u32. */
static void test_xorshift_fill(void **state) {
    (void)state;
    for (size_t len = 0; len <= 24; len++) {
        xorshift_rng filled, stepped;
        uint8_t out[24], expected[32] = {0};
        seeded_xorshift(&filled);
        seeded_xorshift(&stepped);
        rng_source source = cuzk_rng_from_xorshift(&filled);
        source.fill(source.self, out, len);
        size_t n_words = len / 8 * 2 + (len % 8 > 4 ? 2 : len % 8 > 0);
        for (size_t i = 0; i < n_words; i++) {
            store_le32(expected + 4 * i, cuzk_xorshift_u32(&stepped));
        }
        assert_memory_equal(out, expected, len);
        assert_memory_equal(&filled, &stepped, sizeof filled);
    }
}

static void test_chacha20_seeded(void **state) {
    (void)state;
    chacha_rng rng;
    uint8_t bytes[64];
    uint8_t key[32], expected[64];
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    known_answers_exact(answers, "chacha0.seed", key, sizeof key);
    known_answers_exact(answers, "chacha0.first64", expected, sizeof expected);
    known_answers_close(answers);
    cuzk_chacha20_seed_u64(&rng, 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(rng.key[i], load_le32(key + 4 * i));
    }
    cuzk_chacha_fill(&rng, bytes, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
}

static void test_chacha_blocks(void **state) {
    (void)state;
    static const uint8_t zero[32];
    chacha_rng rng;
    uint8_t bytes[64];
    cuzk_chacha_init(&rng, 20, zero);
    cuzk_chacha_fill(&rng, bytes, 64);
    test_assert_hex(bytes, 64,
                    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
    cuzk_chacha_init(&rng, 8, zero);
    cuzk_chacha_fill(&rng, bytes, 64);
    test_assert_hex(bytes, 64,
                    "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
                    "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42");
    cuzk_chacha_fill(&rng, bytes, 64);
    test_assert_hex(bytes, 64,
                    "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
                    "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa");
    /* The counter is 64 bits wide. */
    rng.block = 0xffffffff;
    rng.used_words = 16;
    cuzk_chacha_fill(&rng, bytes, 4);
    assert_int_equal(rng.block, (uint64_t)1 << 32);
}

/* One stream of words, however it is drawn: a rest of 1..3 bytes takes a whole word, u64 may
 * straddle blocks. */
static void test_chacha_draws(void **state) {
    (void)state;
    chacha_rng words, mixed;
    uint32_t w[40];
    uint8_t bytes[8], expected[8];
    cuzk_chacha20_seed_u64(&words, 1);
    for (int i = 0; i < 40; i++) {
        w[i] = cuzk_chacha_u32(&words);
    }
    cuzk_chacha20_seed_u64(&mixed, 1);
    rng_source source = cuzk_rng_from_chacha(&mixed);
    source.fill(source.self, bytes, 5);
    store_le32(expected, w[0]);
    store_le32(expected + 4, w[1]);
    assert_memory_equal(bytes, expected, 5);
    for (int i = 2; i < 15; i++) {
        assert_int_equal(cuzk_chacha_u32(&mixed), w[i]);
    }
    assert_true(source.next_u64(source.self) == (w[15] | (uint64_t)w[16] << 32));
    assert_true(source.next_u64(source.self) == (w[17] | (uint64_t)w[18] << 32));
}

static void test_ietf_stream(void **state) {
    (void)state;
    static const char text[] =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
        "future, sunscreen would be it.";
    uint8_t key[32], nonce[12], stream[300], part[300], cipher[114];
    for (int i = 0; i < 32; i++) {
        key[i] = (uint8_t)i;
    }
    test_hex_into(nonce, sizeof nonce, "000000000000004a00000000");
    cuzk_chacha20_ietf_stream(stream, sizeof cipher, 64, key,
                              nonce); /* RFC 8439, section 2.4.2: counter 1 */
    for (size_t i = 0; i < sizeof cipher; i++) {
        cipher[i] = (uint8_t)(text[i] ^ stream[i]);
    }
    test_assert_hex(cipher, sizeof cipher,
                    "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733"
                    "ab8f593dabcd62b3571639d6"
                    "24e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818c"
                    "e91ab77937365af90bbf74a3"
                    "5be6b40b8eedf2785e42874d");
    cuzk_chacha20_ietf_stream(stream, sizeof stream, 0, key, nonce);
    for (size_t at = 0; at < 200; at += 13) {
        for (size_t len = 0; len <= 100; len += 9) {
            cuzk_chacha20_ietf_stream(part, len, at, key, nonce);
            assert_memory_equal(part, stream + at, len);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xorshift),        cmocka_unit_test(test_xorshift_fill),
        cmocka_unit_test(test_chacha20_seeded), cmocka_unit_test(test_chacha_blocks),
        cmocka_unit_test(test_chacha_draws),    cmocka_unit_test(test_ietf_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
