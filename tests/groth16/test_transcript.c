/* Transcript challenges of groth16-vectors.txt. */
#include "curve/pairing.h"
#include "groth16/transcript.h"
#include "support/known_answers.h"

static void test_vectors(void **state) {
    known_answers *answers = *state;
    fr expected, c;
    transcript t;
    cuzk_transcript_init(&t, "test");
    cuzk_transcript_challenge(&c, &t);
    known_answers_fr_be(answers, "transcript.test_empty.fr_be", &expected);
    assert_true(fr_eq(&c, &expected));

    fp12 e;
    cuzk_pairing_product(&e, &cuzk_g1_generator, &cuzk_g2_generator, 1);
    cuzk_transcript_init(&t, "test");
    cuzk_transcript_g1(&t, &cuzk_g1_generator);
    cuzk_transcript_g2(&t, &cuzk_g2_generator);
    cuzk_transcript_gt(&t, &e);
    cuzk_transcript_fr(&t, &FR_ONE);
    cuzk_transcript_challenge(&c, &t);
    known_answers_fr_be(answers, "transcript.test_g1_g2_gt_one.fr_be", &expected);
    assert_true(fr_eq(&c, &expected));
}

/* A byte string carries its length. */
static void test_bytes(void **state) {
    (void)state;
    const uint8_t data[3] = {1, 2, 3};
    fr a, b;
    transcript t;
    cuzk_transcript_init(&t, "x");
    cuzk_transcript_bytes(&t, data, 3);
    cuzk_transcript_challenge(&a, &t);
    cuzk_transcript_init(&t, "x");
    cuzk_transcript_bytes(&t, data, 2);
    cuzk_transcript_bytes(&t, data + 2, 1);
    cuzk_transcript_challenge(&b, &t);
    assert_false(fr_eq(&a, &b));
}

int main(void) {
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_vectors, answers),
        cmocka_unit_test(test_bytes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
