/* SHA-256: FIPS 180-4 examples, lengths at block edges (made by Python's hashlib), any split of the
 * input. */
#include "base/bytes.h"
#include "hash/sha256.h"
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
    const char *digest;
} lengths[] = {
    {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"},
    {55, "16fa57a0a3423a715d594516339f36189d6b5f93754a9714fef202616a9fabfe"},
    {56, "c37b44e5f1b18554b36966f4f8e08bfbf3164c4b6c10374d12d89850892073c5"},
    {57, "12b234922502022f755ab8550a3d4e202ad39c81d961a4f59ec39d5fd83d15a7"},
    {63, "bbba992d2c85af960fb2987a1fd05e0aa82a3db3c740dd8982a9e273b75e36a3"},
    {64, "66bd4633ed6f71c4ecfa4763bf7ba1c8ec7612de9aa6c0578a7b675207c71e0b"},
    {65, "9f7dc47107b750a1f3d35db5d9547f24ef40da5b731b9540d4f43710a154f6c9"},
    {119, "a3ed307b730fa77c07531300c6e4a282330011d4d4caf6bb7b63ae05950f4b66"},
    {120, "8e3b15d9fea7472655aa069620b7f8c2e55ee1499f763200a7515fe826e99d20"},
    {127, "44480fb9672845177f5368a08b69ea263275f2a5ec42e06a933370fe0d2968a4"},
    {128, "e462c130fef8c97e34f7dc3ff3ad2f8b3533ab849af21c10531552a2852387a4"},
    {129, "aa7ea4e8bf89146aeb67ff195fd8182a0e504c9d580aa7af8d2c862e14b98405"},
    {1000, "095ecb62e30793ab4b954cd6a0586d0cc91f7ea5b1332694d8da780e98676d78"},
    {4999, "302aae68fcf3539077b735d974e6159286accd2491c943ca2b922e2e1805def4"},
};

static void test_fips_examples(void **state) {
    (void)state;
    uint8_t digest[SHA256_BYTES];
    cuzk_sha256(digest, "abc", 3);
    test_assert_hex(digest, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    cuzk_sha256(digest, two_blocks, 56);
    test_assert_hex(digest, 32, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    sha256_state s;
    cuzk_sha256_init(&s);
    for (int i = 0; i < 1000000; i++) {
        cuzk_sha256_update(&s, "a", 1);
    }
    cuzk_sha256_final(&s, digest);
    test_assert_hex(digest, 32, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_lengths(void **state) {
    (void)state;
    uint8_t m[MESSAGE_BYTES], digest[SHA256_BYTES];
    message(m);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        cuzk_sha256(digest, m, lengths[i].len_bytes);
        test_assert_hex(digest, 32, lengths[i].digest);
    }
    cuzk_sha256(digest, NULL, 0);
    test_assert_hex(digest, 32, lengths[0].digest);
}

/* Every split of 200 bytes into three parts gives one digest; a copied state goes its own way. */
static void test_splits(void **state) {
    (void)state;
    uint8_t m[MESSAGE_BYTES], expected[SHA256_BYTES], digest[SHA256_BYTES];
    message(m);
    cuzk_sha256(expected, m, 200);
    for (size_t a = 0; a <= 200; a++) {
        for (size_t b = a; b <= 200; b++) {
            sha256_state s, copy;
            cuzk_sha256_init(&s);
            cuzk_sha256_update(&s, m, a);
            copy = s;
            cuzk_sha256_update(&copy, "other", 5);
            cuzk_sha256_update(&s, m + a, b - a);
            cuzk_sha256_update(&s, m + b, 200 - b);
            cuzk_sha256_final(&s, digest);
            assert_memory_equal(digest, expected, sizeof digest);
        }
    }
}

/* The constants: one compression in plain C with them gives OpenSSL's digest. */
static uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static void test_constants(void **state) {
    (void)state;
    uint8_t block[64] = {'a', 'b', 'c', 0x80}, digest[SHA256_BYTES], expected[SHA256_BYTES];
    uint32_t w[64], v[8];
    block[63] = 24;
    for (int i = 0; i < 16; i++) {
        w[i] = load_be32(block + 4 * i);
    }
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, cuzk_sha256_iv, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + cuzk_sha256_k[i] + w[i];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) {
        store_be32(digest + 4 * i, v[i] + cuzk_sha256_iv[i]);
    }
    cuzk_sha256(expected, "abc", 3);
    assert_memory_equal(digest, expected, sizeof digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fips_examples),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
