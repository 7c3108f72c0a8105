/* LABELS: levels tsan */
/* Verification: the reference's proofs are accepted, damaged ones refused, alone and in batches. */
#include "curve/point_encoding.h"
#include "support/known_answers.h"
#include "support/toy_setups.h"

#include <stdio.h>
#include <stdlib.h>

static known_answers *answers;

/* A verifying key from the vectors' bytes. */
static groth16_pvk *read_pvk(const char *key) {
    size_t len;
    uint8_t *bytes = known_answers_bytes(answers, key, &len);
    groth16_vk vk = {.n_ic = (len - 868) / G1_UNCOMPRESSED_BYTES};
    vk.ic = calloc(vk.n_ic, sizeof *vk.ic);
    cuzk_g1_read_strict(&vk.alpha_g1, bytes, POINT_CHECK_SUBGROUP);
    cuzk_g2_read_strict(&vk.beta_g2, bytes + 192, POINT_CHECK_SUBGROUP);
    cuzk_g2_read_strict(&vk.gamma_g2, bytes + 384, POINT_CHECK_SUBGROUP);
    cuzk_g1_read_strict(&vk.delta_g1, bytes + 576, POINT_CHECK_SUBGROUP);
    cuzk_g2_read_strict(&vk.delta_g2, bytes + 672, POINT_CHECK_SUBGROUP);
    for (size_t i = 0; i < vk.n_ic; i++) {
        assert_int_equal(cuzk_g1_read_strict(&vk.ic[i], bytes + 868 + i * G1_UNCOMPRESSED_BYTES,
                                             POINT_CHECK_SUBGROUP),
                         POINT_OK);
    }
    groth16_pvk *pvk = NULL;
    assert_int_equal(cuzk_groth16_pvk_create(&pvk, &vk, NULL), CUZK_OK);
    free(vk.ic);
    free(bytes);
    return pvk;
}

/* One bit of a proof changed: refused on reading or by the equation. */
static void check_flip(const groth16_pvk *pvk, const uint8_t *good, size_t bit, const fr_plain *x,
                       size_t n_x) {
    const cuzk_ctx ctx = {0};
    uint8_t bad[GROTH16_PROOF_BYTES];
    memcpy(bad, good, sizeof bad);
    bad[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    groth16_proof proof;
    if (cuzk_groth16_proof_read(&proof, bad, NULL) == CUZK_OK) {
        assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &proof, x, n_x, NULL),
                         CUZK_E_PROOF_INVALID);
    }
}

enum { SIGN_BIT = 5 };

/* Accepted as it is; refused with other inputs and with bits changed in A, B, C. */
static void check_proof(const groth16_pvk *pvk, const char *key, const fr_plain *x, size_t n_x) {
    const cuzk_ctx ctx = {0};
    uint8_t bytes[GROTH16_PROOF_BYTES];
    groth16_proof proof;
    known_answers_exact(answers, key, bytes, sizeof bytes);
    assert_int_equal(cuzk_groth16_proof_read(&proof, bytes, NULL), CUZK_OK);
    assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &proof, x, n_x, NULL), CUZK_OK);
    fr_plain other[4];
    for (size_t i = 0; i < n_x; i++) {
        memcpy(other, x, n_x * sizeof *other);
        other[i].l[0] ^= 1;
        assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &proof, other, n_x, NULL),
                         CUZK_E_PROOF_INVALID);
    }
    assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &proof, x, n_x + 1, NULL), CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &proof, x, n_x - 1, NULL), CUZK_E_ARGUMENT);
    /* -A, -B, -C are points of the group, so only the equation can refuse them */
    check_flip(pvk, bytes, SIGN_BIT, x, n_x);
    check_flip(pvk, bytes, 48 * 8 + SIGN_BIT, x, n_x);
    check_flip(pvk, bytes, 144 * 8 + SIGN_BIT, x, n_x);
    for (size_t bit = 7; bit < 8 * GROTH16_PROOF_BYTES; bit += 97) {
        check_flip(pvk, bytes, bit, x, n_x);
    }
}

static void test_single(void **state) {
    (void)state;
    groth16_pvk *pvk = read_pvk("xor_fixed.vk");
    for (int i = 0; i < 4; i++) {
        const fr_plain x = {{(uint64_t)(i / 2 != i % 2), 0, 0, 0}};
        char key[64];
        snprintf(key, sizeof key, "xor_fixed.a%db%d.proof_r27134_s17146", i / 2, i % 2);
        check_proof(pvk, key, &x, 1);
        snprintf(key, sizeof key, "xor_fixed.a%db%d.proof_r0_s0", i / 2, i % 2);
        if (i != 0) { /* with a = b = 0 C is infinity and cannot be read */
            check_proof(pvk, key, &x, 1);
        }
    }
    cuzk_groth16_pvk_destroy(pvk);

    const fr_plain one = {{1, 0, 0, 0}}, powers[2] = {{{9, 0, 0, 0}}, {{27, 0, 0, 0}}};
    pvk = read_pvk("xor_seed.vk");
    check_proof(pvk, "xor_seed.proof", &one, 1);
    check_proof(pvk, "xor_seed.batch3_0", &one, 1);
    check_proof(pvk, "xor_seed.batch3_1", &one, 1);
    check_proof(pvk, "xor_seed.batch3_2", &one, 1);
    cuzk_groth16_pvk_destroy(pvk);
    pvk = read_pvk("dens.vk");
    check_proof(pvk, "dens.proof", powers, 2);
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_groth16_pvk_destroy(NULL);
}

enum { N_MIMC = 8 };

static void read_mimc(groth16_proof *proofs, fr_plain *images) {
    for (int i = 0; i < N_MIMC; i++) {
        char key[64];
        uint8_t bytes[GROTH16_PROOF_BYTES];
        fr image;
        snprintf(key, sizeof key, "mimc.%d.proof", i);
        known_answers_exact(answers, key, bytes, sizeof bytes);
        assert_int_equal(cuzk_groth16_proof_read(&proofs[i], bytes, NULL), CUZK_OK);
        snprintf(key, sizeof key, "mimc.%d.fr_be_image", i);
        known_answers_fr_be(answers, key, &image);
        fr_to_plain(&images[i], &image);
    }
}

static void test_mimc(void **state) {
    (void)state;
    groth16_pvk *pvk = read_pvk("mimc.vk");
    groth16_proof proofs[N_MIMC];
    fr_plain images[N_MIMC];
    read_mimc(proofs, images);
    for (int i = 0; i < N_MIMC; i++) {
        char key[64];
        snprintf(key, sizeof key, "mimc.%d.proof", i);
        check_proof(pvk, key, &images[i], 1);
    }
    cuzk_groth16_pvk_destroy(pvk);
}

static void test_batch(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    groth16_pvk *pvk = read_pvk("mimc.vk");
    groth16_proof proofs[N_MIMC], bad[N_MIMC];
    fr_plain images[N_MIMC];
    read_mimc(proofs, images);
    for (unsigned n_workers = 0; n_workers <= 2; n_workers += 2) {
        if (n_workers > 0) {
            assert_int_equal(cuzk_pool_create(&ctx.pool, n_workers, NULL), CUZK_OK);
        }
        for (size_t n = 0; n <= N_MIMC; n++) {
            assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, proofs, images, 1, n, NULL),
                             CUZK_OK);
        }
        for (size_t i = 0; i < N_MIMC; i++) {
            memcpy(bad, proofs, sizeof bad);
            if (i % 3 == 0) {
                g1_affine_neg(&bad[i].a, &bad[i].a);
            } else if (i % 3 == 1) {
                g2_affine_neg(&bad[i].b, &bad[i].b);
            } else {
                g1_affine_neg(&bad[i].c, &bad[i].c);
            }
            assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, bad, images, 1, N_MIMC, NULL),
                             CUZK_E_PROOF_INVALID);
        }
        /* two valid proofs with their inputs exchanged */
        fr_plain exchanged[N_MIMC];
        memcpy(exchanged, images, sizeof exchanged);
        exchanged[2] = images[5];
        exchanged[5] = images[2];
        assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, proofs, exchanged, 1, N_MIMC, NULL),
                         CUZK_E_PROOF_INVALID);
        assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, proofs, images, 2, 4, NULL),
                         CUZK_E_ARGUMENT);
        cuzk_pool_destroy(ctx.pool);
        ctx.pool = NULL;
    }
    cuzk_groth16_pvk_destroy(pvk);
}

static void test_batch_of_several_inputs(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    groth16_pvk *pvk = read_pvk("dens.vk");
    uint8_t bytes[GROTH16_PROOF_BYTES];
    groth16_proof proofs[3];
    known_answers_exact(answers, "dens.proof", bytes, sizeof bytes);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cuzk_groth16_proof_read(&proofs[i], bytes, NULL), CUZK_OK);
    }
    fr_plain x[6] = {{{9}}, {{27}}, {{9}}, {{27}}, {{9}}, {{27}}};
    assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, proofs, x, 2, 3, NULL), CUZK_OK);
    x[3].l[0] = 28;
    assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, proofs, x, 2, 3, NULL),
                     CUZK_E_PROOF_INVALID);
    cuzk_groth16_pvk_destroy(pvk);
}

static void test_empty_key(void **state) {
    (void)state;
    const groth16_vk vk = {0};
    groth16_pvk *pvk;
    assert_int_equal(cuzk_groth16_pvk_create(&pvk, &vk, NULL), CUZK_E_BAD_PARAMS);
}

int main(void) {
    answers = known_answers_open("groth16-vectors.txt");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),    cmocka_unit_test(test_mimc),
        cmocka_unit_test(test_batch),     cmocka_unit_test(test_batch_of_several_inputs),
        cmocka_unit_test(test_empty_key),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    known_answers_close(answers);
    return failed;
}
