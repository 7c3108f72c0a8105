/* BLAKE2: lengths at the edges of blocks and of the gathering buffer (made by Python's hashlib),
 * splits, keyed hashes. */
#include "hash/blake2.h"
#include "support/hex_literals.h"
#include "support/support.h"

#define MESSAGE_BYTES 5000

/* Byte i is 7 i + 1 mod 256. */
static void message(uint8_t m[MESSAGE_BYTES]) {
    for (int i = 0; i < MESSAGE_BYTES; i++) {
        m[i] = (uint8_t)(7 * i + 1);
    }
}

static const struct {
    size_t len_bytes;
    const char *blake2s, *blake2b;
} lengths[] = {
    {0, "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
     "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
     "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"},
    {1, "fc87f4f1d721942d282aa61989c069b290d1447d20d4b811430f47ea0edf9991",
     "9545ba37b230d8a2e716c4707586542780815b7c4088edcb9af6a9452d50f324"
     "74d5ba9aab52a67aca864ef2696981c2eadf49020416136afd838fb048d21653"},
    {63, "1eb51f779a72302e5fefda03270fda3d9bf02cfdcd0a50d10e52c6e6fafbd4ea",
     "aa0b6903fb8c1e8ae8a7848b897c4b387d9f2497cc4fc5bb3155bd1747df4e6e"
     "f61a20f0a2f5f7a1dfef24eedcb45a83c16802cc2c0579e32948419c7211a779"},
    {64, "1aa2abc48784c4b7b509e56540ccde672903c613c7aa32c1396e10d716351dfe",
     "379355d84f743f09561bd671fcd37d1fab74442333f468b4cbd6ccb02a3e9c17"
     "15af17acc8f6a2f070ee4e14b0c6a1e6d1214400a4f9e3c3397cd61df92c7008"},
    {65, "6abfa13e2982b1bbba3b960049261555c146e4aa817ef504bac543407bdec579",
     "8eeeeb626ed8e6b4112a3a54143d0a5a1604248d0b0b6c017d2c1f39394db73a"
     "fd576756abfdd9bf79a568b5f625e82701aebd7d5759eb46d3c1806fb17342ad"},
    {127, "9b2b103f6b5a7e6b2866054f884ba37862f7a46a9d4cc8a2abc289b569b8a500",
     "d073fb3259c723b20a64ecf77083891a157c81c1882da42060222dfc7ebbda6d"
     "a1b8ed55197aabd0ab17cf935499d8e4f6d93a4bb83a1aa5670a1612c70df1bb"},
    {128, "967fcb84c270978f862307b30b51e082f41ee21bff4088f1b3c399a1da06d61a",
     "c6d375fd4421510489194b8ccd9b1fc9e96dd25eab56f33bd698266fb38d8fbd"
     "e447b617cdb5779c5fbeafe53fae640c85c457f6449ce307a11d88d18788d7f0"},
    {129, "6a26a297d38b1db1f7395f944d33c4f08e5c035b92ff54b2dbf5ba7462ea9133",
     "7cb95d837c7ccea0f9137c7bcdca4cd71152aa6ca7bf16d399d261191bd7f919"
     "c5c7699d0fd0c6ad98d98eae7ee3f0f0fa1e9fc35d84410886343ffc79624765"},
    {4095, "3257747952d3c7c9833624ba45b24214b89a09b6b5c53f0e184efed4886bd76f",
     "14fde7ca1e495c828fcde8c2628ef6e5c0aaf05b300f5646a1ae08a01c079a8a"
     "c016ebcdd2c9203f79a38471f87b8b509801a54c4641346bdb90aed240948fef"},
    {4096, "6ae3cd09412f4d0a0f47f62bc4a535d4390a2b4a52baffb85dc71eaf7c2f0d55",
     "f415743fa598b4c137c134c4bb3dcac7385ef7da0d73522fa2ee07cbe66bbd29"
     "78fb1839254d10aeb8c787723b0a7a36212fb0d5ed0517848e670abcc9a35f87"},
    {4097, "d656314d98cf1b314977a8ed7ef2205b5d3077b6ba5c89fe78d5c21b6a1cf260",
     "540dc0e6e77b81db822c0b77d536a898e4c04239b5d31a5af8a6d9a23bda1769"
     "f4cdf1acb099bd7a59aeabb55174a5ae18eecc8bb05536b4777315b777fd57b4"},
    {5000, "4983f044a9e6681863b545271d4fbcb3919a617dc2078d23d87b9c408769e532",
     "b87f9b53f6f177778e9a43740e4c87583584a6bbaa1fe48e79c2cb527506eb16"
     "118b63dd8eb540b9fdcf8e120f5f950cc1f6a948a1be2c794f8bc1ef761f97e4"},
};

static void test_lengths(void **state) {
    (void)state;
    uint8_t m[MESSAGE_BYTES], s_digest[BLAKE2S_BYTES], b_digest[BLAKE2B_BYTES];
    message(m);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t len = lengths[i].len_bytes;
        cuzk_blake2s(s_digest, m, len);
        test_assert_hex(s_digest, sizeof s_digest, lengths[i].blake2s);
        cuzk_blake2b(b_digest, m, len);
        test_assert_hex(b_digest, sizeof b_digest, lengths[i].blake2b);

        blake2s *s = cuzk_blake2s_create();
        blake2b *b = cuzk_blake2b_create();
        for (size_t at = 0, step = 0; at < len; at += step) {
            step = at * 3 % 61 < len - at ? at * 3 % 61 + (at == 0) : len - at;
            step = step == 0 ? 1 : step;
            cuzk_blake2s_update(s, m + at, step);
            cuzk_blake2b_update(b, m + at, step);
        }
        cuzk_blake2s_final(s, s_digest);
        test_assert_hex(s_digest, sizeof s_digest, lengths[i].blake2s);
        cuzk_blake2b_final(b, b_digest);
        test_assert_hex(b_digest, sizeof b_digest, lengths[i].blake2b);
    }
}

/* Small pieces before and after one longer than the buffer. */
static void test_long_piece(void **state) {
    (void)state;
    uint8_t m[MESSAGE_BYTES], expected[BLAKE2B_BYTES], digest[BLAKE2B_BYTES];
    message(m);
    for (size_t first = 0; first < 3; first++) {
        blake2b *b = cuzk_blake2b_create();
        cuzk_blake2b_update(b, m, first);
        cuzk_blake2b_update(b, m + first, 4990);
        cuzk_blake2b_update(b, m + first + 4990, 10 - first);
        cuzk_blake2b_final(b, digest);
        cuzk_blake2b(expected, m, MESSAGE_BYTES);
        assert_memory_equal(digest, expected, sizeof digest);
    }
}

static void test_keyed(void **state) {
    (void)state;
    uint8_t m[MESSAGE_BYTES], digest[32];
    message(m);
    const char *key = "filecoin.io|PoRep|1|Synthetic|1|Generation";
    cuzk_blake2b_256_keyed(digest, key, strlen(key), m, 64);
    test_assert_hex(digest, 32, "6003bfc2f4d07e1569a001ad90d63754ed0951553bde608f6712978338b53437");
    cuzk_blake2b_256_keyed(digest, "k", 1, m, 0);
    test_assert_hex(digest, 32, "490b6c8300eb23464bd2f9ca37c036be5091da14ddbeafab424c4c0a1f9eaac5");
    cuzk_blake2b_256_keyed(digest, m, 64, m, 300);
    test_assert_hex(digest, 32, "9b7ecd014fb22aa968fd8ec8aaf3f94839a903aa73b912f13cbdac61e270331c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_long_piece),
        cmocka_unit_test(test_keyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
