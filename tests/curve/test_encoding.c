/* Point encodings against groth16-vectors.txt and groth16.md 1.3, 1.4. LABELS: levels */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/curve_kernels.h"
#include "support/known_answers.h"

static known_answers *answers;

static void vector_cases(void **state) {
    (void)state;
    size_t index = 0, n = 0;
    const char *key, *value;
    while ((key = known_answers_next(answers, "dec.", &index, &value)) != NULL) {
        uint8_t bytes[G1_UNCOMPRESSED_BYTES];
        known_answers_hex(bytes, sizeof bytes, value);
        char unchecked[8], checked[8];
        assert_int_equal(sscanf(value + 2 * sizeof bytes, " %7s %7s", unchecked, checked), 2);
        g1_affine p;
        assert_int_equal(cuzk_g1_read_uncompressed(&p, bytes, POINT_CHECK_CURVE) == POINT_OK,
                         strcmp(unchecked, "ok") == 0);
        assert_int_equal(cuzk_g1_read_uncompressed(&p, bytes, POINT_CHECK_SUBGROUP) == POINT_OK,
                         strcmp(checked, "ok") == 0);
        bool compressed = bytes[0] & 0x80;
        assert_int_equal(cuzk_g1_read_strict(&p, bytes, POINT_CHECK_SUBGROUP) == POINT_OK,
                         strcmp(checked, "ok") == 0 && !compressed);
        n++;
    }
    assert_int_equal(n, 9);
}

static void vector_encodings(void **state) {
    (void)state;
    uint8_t expected[192], bytes[192];
    g1_affine p, q;
    g2_affine p2, q2;
    g1_affine_neg(&p, &cuzk_g1_generator);
    known_answers_exact(answers, "enc.g1_neg_gen", expected, 48);
    cuzk_g1_write_compressed(bytes, &p);
    assert_memory_equal(bytes, expected, 48);
    assert_int_equal(cuzk_g1_read_compressed(&q, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
    assert_true(cuzk_g1_affine_eq(&p, &q));

    g1_affine_set_infinity(&p);
    known_answers_exact(answers, "enc.g1_inf", expected, 48);
    cuzk_g1_write_compressed(bytes, &p);
    assert_memory_equal(bytes, expected, 48);
    assert_int_equal(cuzk_g1_read_compressed(&q, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
    assert_true(g1_affine_is_infinity(&q));
    known_answers_exact(answers, "enc.g1_inf_unc", expected, 96);
    cuzk_g1_write_uncompressed(bytes, &p);
    assert_memory_equal(bytes, expected, 96);

    known_answers_exact(answers, "enc.g2_gen", expected, 96);
    cuzk_g2_write_compressed(bytes, &cuzk_g2_generator);
    assert_memory_equal(bytes, expected, 96);
    assert_int_equal(cuzk_g2_read_compressed(&p2, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
    assert_true(cuzk_g2_affine_eq(&p2, &cuzk_g2_generator));
    known_answers_exact(answers, "enc.g2_gen_unc", expected, 192);
    cuzk_g2_write_uncompressed(bytes, &cuzk_g2_generator);
    assert_memory_equal(bytes, expected, 192);
    assert_int_equal(cuzk_g2_read_strict(&q2, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
    assert_true(cuzk_g2_affine_eq(&q2, &cuzk_g2_generator));
    known_answers_exact(answers, "xorshift.setup.g1_unc", expected, 96);
    known_answers_g1(answers, "xorshift.setup.g1", &p);
    cuzk_g1_write_uncompressed(bytes, &p);
    assert_memory_equal(bytes, expected, 96);
}

/* What comes first when several things are wrong: groth16.md 1.4. */
static void kinds_of_errors(void **state) {
    (void)state;
    static const uint8_t p_be[48] = {0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b,
                                     0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7, 0x64, 0x77, 0x4b, 0x84,
                                     0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0,
                                     0xf6, 0x24, 0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff,
                                     0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab};
    uint8_t b[192];
    g1_affine p;
    g2_affine q;
    /* coordinates: each must be below p, flags in y are no flags */
    cuzk_g1_write_uncompressed(b, &cuzk_g1_generator);
    memcpy(b + 48, p_be, 48);
    assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    for (int bit = 5; bit < 8; bit++) {
        cuzk_g1_write_uncompressed(b, &cuzk_g1_generator);
        b[48] |= (uint8_t)(1 << bit);
        assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
        for (int at = 48; at < 192; at += 48) {
            cuzk_g2_write_uncompressed(b, &cuzk_g2_generator);
            b[at] |= (uint8_t)(1 << bit);
            assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_CURVE),
                             POINT_BAD_ENCODING);
        }
        cuzk_g2_write_compressed(b, &cuzk_g2_generator);
        b[48] |= (uint8_t)(1 << bit);
        assert_int_equal(cuzk_g2_read_compressed(&q, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    }
    for (int at = 0; at < 192; at += 48) {
        cuzk_g2_write_uncompressed(b, &cuzk_g2_generator);
        memcpy(b + at, p_be, 48);
        assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    }
    /* off the curve */
    cuzk_g2_write_uncompressed(b, &cuzk_g2_generator);
    b[191] ^= 1;
    assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_CURVE), POINT_NOT_ON_CURVE);
    assert_int_equal(cuzk_g2_read_strict(&q, b, POINT_CHECK_CURVE), POINT_NOT_ON_CURVE);
    /* x = 0, y = 2 is on E1 */
    memset(b, 0, sizeof b);
    b[95] = 2;
    assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_IN_GROUP);
    b[95] = 3;
    assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_ON_CURVE);
    memset(b, 0, sizeof b);
    b[0] = 0x80;
    assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_IN_GROUP);
    assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_IN_GROUP);
    assert_int_equal(cuzk_g1_read_strict(&p, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    b[0] = 0xa0;
    assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_IN_GROUP);
    /* x without y: 1 + 4 = 5 is no square */
    b[47] = 1;
    assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE), POINT_NOT_ON_CURVE);
    memcpy(b, p_be, 48);
    b[0] |= 0x80;
    assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    /* the compressed bit is needed; infinity has no other bit */
    cuzk_g1_write_compressed(b, &cuzk_g1_generator);
    b[0] &= 0x7f;
    assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE), POINT_BAD_ENCODING);
    for (unsigned first = 0x60; first < 0x100; first += 0x20) {
        memset(b, 0, sizeof b);
        b[0] = (uint8_t)first;
        bool infinity = first == 0xc0;
        point_status expected = infinity ? POINT_OK : POINT_BAD_ENCODING;
        if ((first & 0x40) == 0) {
            continue;
        }
        assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_SUBGROUP), expected);
        assert_int_equal(cuzk_g2_read_compressed(&q, b, POINT_CHECK_SUBGROUP), expected);
        assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_SUBGROUP), expected);
        assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_SUBGROUP), expected);
        assert_int_equal(cuzk_g1_read_strict(&p, b, POINT_CHECK_SUBGROUP), POINT_BAD_ENCODING);
        assert_int_equal(cuzk_g2_read_strict(&q, b, POINT_CHECK_SUBGROUP), POINT_BAD_ENCODING);
    }
    memset(b, 0, sizeof b);
    b[0] = 0x40;
    assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_SUBGROUP), POINT_OK);
    assert_true(g2_affine_is_infinity(&q));
    for (int i = 1; i < 192; i++) {
        b[i] = 1;
        assert_int_equal(cuzk_g2_read_uncompressed(&q, b, POINT_CHECK_SUBGROUP),
                         POINT_BAD_ENCODING);
        assert_int_equal(cuzk_g1_read_uncompressed(&p, b, POINT_CHECK_SUBGROUP),
                         i < 96 ? POINT_BAD_ENCODING : POINT_OK);
        b[i] = 0;
    }
}

/* Both signs, batches, and all forms of many multiples of the generators. */
static void round_trips(void **state) {
    (void)state;
    enum { N = 64 };
    g1_jac sum;
    g2_jac sum2;
    g1_affine p[N], p_back[N];
    g2_affine q[N], q_back[N];
    g1_jac_set_infinity(&sum);
    g2_jac_set_infinity(&sum2);
    for (int i = 0; i < N; i++) {
        cuzk_g1_jac_to_affine(&p[i], &sum);
        cuzk_g2_jac_to_affine(&q[i], &sum2);
        g1_jac_add_affine(&sum, &sum, &cuzk_g1_generator);
        g2_jac_add_affine(&sum2, &sum2, &cuzk_g2_generator);
    }
    static uint8_t bytes[N * 192];
    for (cuzk_cpu_level level = CUZK_CPU_PORTABLE; level < CUZK_CPU_LEVELS; level++) {
        const curve_kernels *kernels = cuzk_curve_kernels_at(level);
        if (kernels == NULL) {
            continue;
        }
        point_status status;
        kernels->g1_encode(bytes, p, N);
        assert_int_equal(kernels->g1_decode(p_back, bytes, N, POINT_CHECK_SUBGROUP, false, &status),
                         N);
        assert_int_equal(status, POINT_OK);
        assert_memory_equal(p, p_back, sizeof p);
        assert_int_equal(kernels->g1_decode(p_back, bytes, N, POINT_CHECK_CURVE, true, &status), 0);
        assert_int_equal(status, POINT_BAD_ENCODING);
        bytes[96 * 40 + 95] ^= 1;
        assert_int_equal(kernels->g1_decode(p_back, bytes, N, POINT_CHECK_CURVE, false, &status),
                         40);
        assert_int_equal(status, POINT_NOT_ON_CURVE);
        kernels->g1_compress(bytes, p, N);
        for (int i = 0; i < N; i++) {
            assert_int_equal(
                kernels->g1_read(&p_back[i], bytes + 48 * i, POINT_COMPRESSED, POINT_CHECK_CURVE),
                POINT_OK);
        }
        assert_memory_equal(p, p_back, sizeof p);

        kernels->g2_encode(bytes, q, N);
        assert_int_equal(kernels->g2_decode(q_back, bytes, N, POINT_CHECK_SUBGROUP, false, &status),
                         N);
        assert_int_equal(status, POINT_OK);
        assert_memory_equal(q, q_back, sizeof q);
        assert_int_equal(kernels->g2_decode(q_back, bytes, N, POINT_CHECK_CURVE, true, &status), 0);
        assert_int_equal(status, POINT_BAD_ENCODING);
        bytes[192 * 40 + 191] ^= 1;
        assert_int_equal(kernels->g2_decode(q_back, bytes, N, POINT_CHECK_CURVE, false, &status),
                         40);
        assert_int_equal(status, POINT_NOT_ON_CURVE);
        kernels->g2_compress(bytes, q, N);
        for (int i = 0; i < N; i++) {
            assert_int_equal(
                kernels->g2_read(&q_back[i], bytes + 96 * i, POINT_COMPRESSED, POINT_CHECK_CURVE),
                POINT_OK);
        }
        assert_memory_equal(q, q_back, sizeof q);
    }
    for (int i = 1; i < N; i++) { /* the negative has the other sign bit */
        uint8_t a[96], b[96];
        g1_affine m;
        g2_affine m2;
        g1_affine_neg(&m, &p[i]);
        g2_affine_neg(&m2, &q[i]);
        cuzk_g1_write_compressed(a, &p[i]);
        cuzk_g1_write_compressed(b, &m);
        assert_int_equal(a[0] ^ b[0], 0x20);
        cuzk_g2_write_compressed(a, &q[i]);
        cuzk_g2_write_compressed(b, &m2);
        assert_int_equal(a[0] ^ b[0], 0x20);
        g2_affine back;
        assert_int_equal(cuzk_g2_read_compressed(&back, b, POINT_CHECK_SUBGROUP), POINT_OK);
        assert_true(cuzk_g2_affine_eq(&back, &m2));
    }
}

static void outside_the_subgroup(void **state) {
    (void)state;
    uint8_t b[192] = {0x80};
    size_t n_out = 0;
    for (int i = 1; i < 40; i++) {
        g1_affine p;
        g2_affine q;
        b[47] = (uint8_t)i;
        if (cuzk_g1_read_compressed(&p, b, POINT_CHECK_CURVE) == POINT_OK) {
            assert_true(cuzk_g1_on_curve(&p));
            assert_int_equal(cuzk_g1_read_compressed(&p, b, POINT_CHECK_SUBGROUP),
                             POINT_NOT_IN_GROUP);
            n_out++;
        }
        b[47] = 0;
        b[95] = (uint8_t)i; /* x in Fp */
        if (cuzk_g2_read_compressed(&q, b, POINT_CHECK_CURVE) == POINT_OK) {
            assert_true(cuzk_g2_on_curve(&q));
            assert_int_equal(cuzk_g2_read_compressed(&q, b, POINT_CHECK_SUBGROUP),
                             POINT_NOT_IN_GROUP);
            n_out++;
        }
        b[95] = 0;
    }
    assert_true(n_out > 20);
    for (point_status s = POINT_OK; s <= POINT_NOT_IN_GROUP; s++) {
        assert_true(strlen(cuzk_point_status_text(s)) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_cases),         cmocka_unit_test(vector_encodings),
        cmocka_unit_test(kinds_of_errors),      cmocka_unit_test(round_trips),
        cmocka_unit_test(outside_the_subgroup),
    };
    answers = known_answers_open("groth16-vectors.txt");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
