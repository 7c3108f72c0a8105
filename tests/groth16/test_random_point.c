/* Hash to curve, joined with the generators: the setup draws of groth16-vectors.txt. LABELS: levels
 */
#include "groth16/random_point.h"
#include "support/known_answers.h"

static known_answers *answers;

static void check(const rng_source *rng, const char *key1, const char *key2) {
    g1_affine p, expected;
    g2_affine q, expected2;
    cuzk_g1_random(&p, rng);
    known_answers_g1(answers, key1, &expected);
    assert_true(cuzk_g1_affine_eq(&p, &expected));
    cuzk_g2_random(&q, rng);
    known_answers_g2(answers, key2, &expected2);
    assert_true(cuzk_g2_affine_eq(&q, &expected2));
}

static void chacha20(void **state) {
    (void)state;
    chacha_rng chacha;
    cuzk_chacha20_seed_u64(&chacha, 0);
    rng_source rng = cuzk_rng_from_chacha(&chacha);
    uint8_t first[64], expected[64];
    rng.fill(rng.self, first, sizeof first);
    known_answers_exact(answers, "chacha0.first64", expected, sizeof expected);
    assert_memory_equal(first, expected, sizeof first);
    cuzk_chacha20_seed_u64(&chacha, 0);
    check(&rng, "chacha0.g1", "chacha0.g2");
}

static void xorshift(void **state) {
    (void)state;
    uint8_t seed[16];
    known_answers_exact(answers, "xorshift.seed", seed, sizeof seed);
    xorshift_rng xorshift;
    cuzk_xorshift_init(&xorshift, seed);
    rng_source rng = cuzk_rng_from_xorshift(&xorshift);
    check(&rng, "xorshift.setup.g1", "xorshift.setup.g2");
}

static void many_are_in_the_subgroup(void **state) {
    (void)state;
    chacha_rng chacha;
    cuzk_chacha20_seed_u64(&chacha, 5);
    rng_source rng = cuzk_rng_from_chacha(&chacha);
    for (int i = 0; i < 20; i++) {
        g1_affine p;
        g2_affine q;
        cuzk_g1_random(&p, &rng);
        assert_true(cuzk_g1_on_curve(&p) && cuzk_g1_in_subgroup(&p));
        assert_false(g1_affine_is_infinity(&p));
        cuzk_g2_random(&q, &rng);
        assert_true(cuzk_g2_on_curve(&q) && cuzk_g2_in_subgroup(&q));
        assert_false(g2_affine_is_infinity(&q));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chacha20),
        cmocka_unit_test(xorshift),
        cmocka_unit_test(many_are_in_the_subgroup),
    };
    answers = known_answers_open("groth16-vectors.txt");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
