/* Proofs as bytes: what is read, what is refused and where. */
#include "curve/point_encoding.h"
#include "groth16/groth16.h"
#include "support/known_answers.h"

static void read_known(known_answers *answers, const char *key,
                       uint8_t bytes[GROTH16_PROOF_BYTES]) {
    known_answers_exact(answers, key, bytes, GROTH16_PROOF_BYTES);
}

static void test_round_trip(void **state) {
    known_answers *answers = *state;
    const char *const keys[] = {"xor_seed.proof", "dens.proof", "mimc.0.proof", "mimc.7.proof"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        uint8_t bytes[GROTH16_PROOF_BYTES], again[GROTH16_PROOF_BYTES];
        groth16_proof proof;
        read_known(answers, keys[i], bytes);
        assert_int_equal(cuzk_groth16_proof_read(&proof, bytes, NULL), CUZK_OK);
        cuzk_groth16_proof_write(again, &proof);
        assert_memory_equal(again, bytes, sizeof bytes);
    }
}

static void refuse(const uint8_t *bytes, int64_t offset, const char *element, const char *reason) {
    groth16_proof proof;
    cuzk_error err;
    assert_int_equal(cuzk_groth16_proof_read(&proof, bytes, &err), CUZK_E_INPUT);
    assert_int_equal(err.offset, offset);
    assert_non_null(strstr(err.text, element));
    if (reason != NULL) {
        assert_non_null(strstr(err.text, reason));
    }
    assert_int_equal(cuzk_groth16_proof_read(&proof, bytes, NULL), CUZK_E_INPUT);
}

static void test_refusals(void **state) {
    known_answers *answers = *state;
    static const struct {
        int at, len;
        const char *element;
    } parts[] = {{0, 48, "element A"}, {48, 96, "element B"}, {144, 48, "element C"}};
    uint8_t good[GROTH16_PROOF_BYTES], bad[GROTH16_PROOF_BYTES];
    read_known(answers, "xor_seed.proof", good);
    for (size_t i = 0; i < 3; i++) {
        memcpy(bad, good, sizeof bad);
        memset(bad + parts[i].at, 0, (size_t)parts[i].len);
        bad[parts[i].at] = 0xc0;
        refuse(bad, parts[i].at, parts[i].element, "infinity");
        memcpy(bad, good, sizeof bad);
        bad[parts[i].at] &= 0x7f; /* not compressed */
        refuse(bad, parts[i].at, parts[i].element, NULL);
        memcpy(bad, good, sizeof bad);
        memset(bad + parts[i].at + 1, 0xff, (size_t)parts[i].len - 1); /* x not below p */
        bad[parts[i].at] |= 0x1f;
        refuse(bad, parts[i].at, parts[i].element, NULL);
        /* random x: half are off the curve, the others almost surely outside the group */
        for (int k = 0; k < 20; k++) {
            memcpy(bad, good, sizeof bad);
            bad[parts[i].at + parts[i].len - 1] ^= (uint8_t)(k + 1);
            refuse(bad, parts[i].at, parts[i].element, NULL);
        }
    }
    /* r = s = 0 with a witness of zeros: C is infinity, the reference refuses it too */
    read_known(answers, "xor_fixed.a0b0.proof_r0_s0", bad);
    refuse(bad, 144, "element C", "infinity");
}

static int open_answers(void **state) {
    *state = known_answers_open("groth16-vectors.txt");
    return 0;
}

static int close_answers(void **state) {
    known_answers_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, open_answers, close_answers);
}
