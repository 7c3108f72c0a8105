/* Aggregates of the vectors, byte for byte; what the verifier refuses. LABELS: levels tsan */
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "curve/point_encoding.h"
#include "groth16/aggregate.h"
#include "hash/sha256.h"
#include "support/manifest.h"
#include "support/mimc_draws.h"

static const uint8_t include[3] = {1, 2, 3};
static mimc_setting setting;
static cuzk_ctx ctx;
static aggregate_proof proof, other;

static cuzk_status verify(const aggregate_proof *p, aggregate_version version) {
    return cuzk_aggregate_verify(&ctx, setting.srs, &setting.vk.vk, p, setting.images, 1,
                                 MIMC_PROOFS, version, include, sizeof include, NULL);
}

static void known_fr(const known_answers *answers, aggregate_version version, const char *name,
                     fr *r) {
    char key[64];
    snprintf(key, sizeof key, "agg.V%d.%s", version, name);
    known_answers_fr_be(answers, key, r);
}

static void check_fr(const known_answers *answers, aggregate_version version, const char *name,
                     const fr *value) {
    fr expected;
    known_fr(answers, version, name, &expected);
    assert_true(fr_eq(&expected, value));
}

static void check_vector(const known_answers *answers, aggregate_version version) {
    assert_int_equal(cuzk_aggregate_prove(&ctx, &proof, setting.srs, setting.proofs, MIMC_PROOFS,
                                          version, include, sizeof include, NULL),
                     CUZK_OK);
    aggregate_challenges ch;
    cuzk_aggregate_challenges(&ch, &proof, version, include, sizeof include);
    check_fr(answers, version, "fr_be_hcom", &ch.hcom);
    check_fr(answers, version, "fr_be_r", &ch.r);
    for (unsigned i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "round%u.fr_be_c_inv", i);
        check_fr(answers, version, name, &ch.c_inv[i]);
        snprintf(name, sizeof name, "round%u.fr_be_c", i);
        check_fr(answers, version, name, &ch.c[i]);
    }
    check_fr(answers, version, "fr_be_extra", &ch.extra);
    check_fr(answers, version, "fr_be_z", &ch.z);

    char key[32];
    snprintf(key, sizeof key, "agg.V%d.bytes", version);
    size_t len, used;
    uint8_t *expected = known_answers_bytes(answers, key, &len);
    assert_int_equal(len, 11188);
    assert_int_equal(cuzk_aggregate_bytes(MIMC_PROOFS), len);
    uint8_t *bytes = malloc(len);
    assert_non_null(bytes);
    assert_int_equal(cuzk_aggregate_write(bytes, &proof, NULL), CUZK_OK);
    assert_memory_equal(bytes, expected, len);
    uint8_t digest[32], expected_digest[32];
    cuzk_sha256(digest, bytes, len);
    snprintf(key, sizeof key, "agg.V%d.sha256", version);
    known_answers_exact(answers, key, expected_digest, 32);
    assert_memory_equal(digest, expected_digest, 32);

    memset(&other, 0, sizeof other);
    assert_int_equal(cuzk_aggregate_read(&other, &used, bytes, len, NULL), CUZK_OK);
    assert_int_equal(used, len);
    assert_int_equal(verify(&other, version), CUZK_OK);
    assert_int_equal(verify(&other, version == AGGREGATE_V1 ? AGGREGATE_V2 : AGGREGATE_V1),
                     CUZK_E_PROOF_INVALID);
    free(bytes);
    free(expected);
}

static void test_vectors(void **state) {
    check_vector(*state, AGGREGATE_V1);
    check_vector(*state, AGGREGATE_V2);
}

static void test_wrong_statement(void **state) {
    (void)state; /* proof is V2's from here on */
    const groth16_vk *vk = &setting.vk.vk;
    fr_plain x[MIMC_PROOFS];
    assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, vk, &proof, setting.images, 1,
                                           MIMC_PROOFS, AGGREGATE_V2, include, 2, NULL),
                     CUZK_E_PROOF_INVALID);
    for (int i = 0; i < MIMC_PROOFS; i++) {
        memcpy(x, setting.images, sizeof x);
        x[i].l[0] ^= 1;
        assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, vk, &proof, x, 1, MIMC_PROOFS,
                                               AGGREGATE_V2, include, 3, NULL),
                         CUZK_E_PROOF_INVALID);
    }
    memcpy(x, setting.images, sizeof x); /* order counts */
    x[0] = setting.images[1];
    x[1] = setting.images[0];
    assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, vk, &proof, x, 1, MIMC_PROOFS,
                                           AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_PROOF_INVALID);
    groth16_vk wrong = *vk;
    wrong.gamma_g2 = vk->delta_g2;
    assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, &wrong, &proof, setting.images, 1,
                                           MIMC_PROOFS, AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_PROOF_INVALID);
    assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, vk, &proof, setting.images, 2, 4,
                                           AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_ARGUMENT);
    assert_int_equal(cuzk_aggregate_verify(&ctx, setting.srs, vk, &proof, setting.images, 1, 4,
                                           AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_ARGUMENT);
    aggregate_srs short_srs = *setting.srs;
    short_srs.n_hb = 1;
    assert_int_equal(cuzk_aggregate_verify(&ctx, &short_srs, vk, &proof, setting.images, 1,
                                           MIMC_PROOFS, AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_BAD_PARAMS);
    /* one proof of the eight is wrong: the aggregate is well formed but refused */
    groth16_proof proofs[MIMC_PROOFS];
    memcpy(proofs, setting.proofs, sizeof proofs);
    proofs[5].c = proofs[4].c;
    assert_int_equal(cuzk_aggregate_prove(&ctx, &other, setting.srs, proofs, MIMC_PROOFS,
                                          AGGREGATE_V2, include, 3, NULL),
                     CUZK_OK);
    assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_E_PROOF_INVALID);
}

static void test_sizes(void **state) {
    (void)state;
    const size_t bad[] = {0, 1, 3, 6, 7};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cuzk_aggregate_prove(&ctx, &other, setting.srs, setting.proofs, bad[i],
                                              AGGREGATE_V1, include, 3, NULL),
                         CUZK_E_ARGUMENT);
    }
    aggregate_srs short_srs = *setting.srs;
    short_srs.n_gb = 15;
    assert_int_equal(cuzk_aggregate_prove(&ctx, &other, &short_srs, setting.proofs, MIMC_PROOFS,
                                          AGGREGATE_V1, include, 3, NULL),
                     CUZK_E_BAD_PARAMS);
    assert_int_equal(cuzk_aggregate_padded(0), 2);
    assert_int_equal(cuzk_aggregate_padded(1), 2);
    assert_int_equal(cuzk_aggregate_padded(2), 2);
    assert_int_equal(cuzk_aggregate_padded(3), 4);
    assert_int_equal(cuzk_aggregate_padded(126), 128);
    assert_int_equal(cuzk_aggregate_padded(AGGREGATE_MAX_PROOFS), AGGREGATE_MAX_PROOFS);
    assert_int_equal(cuzk_aggregate_padded(AGGREGATE_MAX_PROOFS + 1), 0);
    assert_int_equal(cuzk_aggregate_bytes(4), 8212);
    assert_int_equal(cuzk_aggregate_bytes(512), 29044);
    assert_int_equal(cuzk_aggregate_bytes(8192), 40948);
}

/* Another element of the same group in every place: only the equations can tell. */
static void test_every_value(void **state) {
    (void)state;
    fp12 *gts[5 + 30];
    size_t n_gts = 0, n_g1s = 0;
    g1_affine *g1s[14];
    other = proof;
    gts[n_gts++] = &other.com_ab.t;
    gts[n_gts++] = &other.com_ab.u;
    gts[n_gts++] = &other.com_c.t;
    gts[n_gts++] = &other.com_c.u;
    gts[n_gts++] = &other.ip_ab;
    g1s[n_g1s++] = &other.agg_c;
    for (int i = 0; i < 3; i++) {
        aggregate_round *round = &other.rounds[i];
        fp12 *in_round[10] = {&round->zab_l,   &round->zab_r,   &round->tab_l.t, &round->tab_l.u,
                              &round->tab_r.t, &round->tab_r.u, &round->tuc_l.t, &round->tuc_l.u,
                              &round->tuc_r.t, &round->tuc_r.u};
        for (int j = 0; j < 10; j++) {
            gts[n_gts++] = in_round[j];
        }
        g1s[n_g1s++] = &round->zc_l;
        g1s[n_g1s++] = &round->zc_r;
    }
    g1s[n_g1s++] = &other.a;
    g1s[n_g1s++] = &other.c;
    for (int i = 0; i < 2; i++) {
        g1s[n_g1s++] = &other.w[i];
        g1s[n_g1s++] = &other.w_opening[i];
    }
    assert_int_equal(n_gts, sizeof gts / sizeof gts[0]);
    for (size_t i = 0; i < n_gts; i++) {
        fp12 kept = *gts[i];
        fp12_sqr(gts[i], gts[i]);
        assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_E_PROOF_INVALID);
        *gts[i] = kept;
    }
    for (size_t i = 0; i < n_g1s; i++) {
        g1_affine kept = *g1s[i];
        g1_affine_neg(g1s[i], g1s[i]);
        assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_E_PROOF_INVALID);
        memset(g1s[i], 0, sizeof *g1s[i]);
        assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_E_PROOF_INVALID);
        *g1s[i] = kept;
    }
    g2_affine *g2s[] = {&other.b, &other.v[0], &other.v[1], &other.v_opening[0],
                        &other.v_opening[1]};
    for (size_t i = 0; i < sizeof g2s / sizeof g2s[0]; i++) {
        g2_affine kept = *g2s[i];
        g2_affine_neg(g2s[i], g2s[i]);
        assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_E_PROOF_INVALID);
        *g2s[i] = kept;
    }
    assert_int_equal(verify(&other, AGGREGATE_V2), CUZK_OK);
}

static void test_bytes(void **state) {
    (void)state;
    const size_t len = cuzk_aggregate_bytes(MIMC_PROOFS);
    uint8_t *bytes = malloc(len + 5), *bad = malloc(len);
    assert_non_null(bytes);
    assert_non_null(bad);
    assert_int_equal(cuzk_aggregate_write(bytes, &proof, NULL), CUZK_OK);
    for (size_t n = 0; n < len; n++) {
        assert_int_equal(cuzk_aggregate_read(&other, NULL, bytes, n, NULL), CUZK_E_INPUT);
    }
    size_t used;
    memset(bytes + len, 0xee, 5); /* what follows is not looked at */
    assert_int_equal(cuzk_aggregate_read(&other, &used, bytes, len + 5, NULL), CUZK_OK);
    assert_int_equal(used, len);
    const uint32_t counts[] = {0, 1, 3, 7, 9, 16, 1u << 20, (1u << 20) + 1, 1u << 21, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        memcpy(bad, bytes, len);
        store_le32(bad + 1488, counts[i]);
        assert_int_equal(cuzk_aggregate_read(&other, NULL, bad, len, NULL), CUZK_E_INPUT);
    }
    test_rng rng = {3};
    /* every field at least once: half elements of Gt, then points */
    for (size_t at = 0, step; at < len; at += step) {
        memcpy(bad, bytes, len);
        step = at < 10080 ? 144 : 48;
        bad[at + test_rng_u64(&rng) % (len - at < step ? len - at : step)] ^=
            (uint8_t)(1u << test_rng_u64(&rng) % 8);
        cuzk_status status = cuzk_aggregate_read(&other, NULL, bad, len, NULL);
        if (status == CUZK_OK) {
            status = verify(&other, AGGREGATE_V2);
        }
        assert_true(status == CUZK_E_INPUT || status == CUZK_E_PROOF_INVALID);
    }
    other = proof; /* an element of Gt without a compressed form */
    other.ip_ab = FP12_ONE;
    cuzk_error err;
    assert_int_equal(cuzk_aggregate_write(bad, &other, &err), CUZK_E_INCONSISTENT);
    assert_int_equal(err.offset, 4 * 288);
    free(bytes);
    free(bad);
}

static void *read_inputs(const test_manifest *m, size_t n, size_t *n_x) {
    *n_x = test_manifest_n_inputs(m, 0);
    fr_plain *x = calloc(n * *n_x, sizeof *x);
    assert_non_null(x);
    const size_t partitions = test_manifest_partitions(m);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < *n_x; i++) {
            uint8_t bytes[32];
            test_manifest_input(m, j < partitions ? j : partitions - 1, i, bytes);
            assert_true(cuzk_fr_plain_read_le(&x[j * *n_x + i], bytes));
        }
    }
    return x;
}

/* A sector's proofs under the reference's test SRS give the reference's aggregate, which verifies.
 */
static void check_sector(const char *name, const char *srs_name, const char *input,
                         aggregate_version version) {
    char path[256];
    size_t len, n_x;
    aggregate_srs *srs;
    snprintf(path, sizeof path, "proofs/%s", srs_name);
    uint8_t *bytes = test_read_vector(path, &len);
    assert_int_equal(
        cuzk_aggregate_srs_read(&srs, &ctx, bytes, len, AGGREGATE_SRS_PRODUCTION_POWERS, NULL),
        CUZK_OK);
    free(bytes);
    snprintf(path, sizeof path, "proofs/%s.bin", name);
    bytes = test_read_vector(path, &len);
    const size_t n_proofs = len / GROTH16_PROOF_BYTES, n = cuzk_aggregate_padded(n_proofs);
    groth16_proof *proofs = calloc(n, sizeof *proofs);
    assert_non_null(proofs);
    for (size_t i = 0; i < n; i++) {
        const size_t at = (i < n_proofs ? i : n_proofs - 1) * GROTH16_PROOF_BYTES;
        assert_int_equal(cuzk_groth16_proof_read(&proofs[i], bytes + at, NULL), CUZK_OK);
    }
    free(bytes);

    snprintf(path, sizeof path, "inputs/%s", input);
    test_manifest *m = test_manifest_open(path);
    uint8_t bound[64], digest[32];
    const bool interactive = version == AGGREGATE_V1 || n_proofs == 1;
    test_manifest_hex(m, "seed", bound, 32);
    test_manifest_hex(m, "comm_r", bound + 32, 32);
    cuzk_sha256(digest, interactive ? bound : bound + 32, interactive ? 64 : 32);
    fr_plain *x = read_inputs(m, n, &n_x);
    test_manifest_close(m);

    assert_int_equal(
        cuzk_aggregate_prove(&ctx, &other, srs, proofs, n, version, digest, sizeof digest, NULL),
        CUZK_OK);
    snprintf(path, sizeof path, "proofs/%s.aggregate-v%d.bin", name, version);
    bytes = test_read_vector(path, &len);
    assert_int_equal(len, cuzk_aggregate_bytes(n));
    uint8_t *ours = malloc(len);
    assert_non_null(ours);
    assert_int_equal(cuzk_aggregate_write(ours, &other, NULL), CUZK_OK);
    assert_memory_equal(ours, bytes, len);
    free(ours);
    assert_int_equal(cuzk_aggregate_read(&other, NULL, bytes, len, NULL), CUZK_OK);
    free(bytes);

    srs_vk vk;
    snprintf(path, sizeof path, "%s/params/%s", CUZK_TEST_VECTORS,
             "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
             "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk");
    assert_int_equal(cuzk_srs_vk_open(&vk, &ctx, path, NULL), CUZK_OK);
    assert_int_equal(cuzk_aggregate_verify(&ctx, srs, &vk.vk, &other, x, n_x, n, version, digest,
                                           sizeof digest, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_aggregate_verify(&ctx, srs, &vk.vk, &other, x, n_x, n,
                                           version == AGGREGATE_V1 ? AGGREGATE_V2 : AGGREGATE_V1,
                                           digest, sizeof digest, NULL),
                     CUZK_E_PROOF_INVALID);
    cuzk_srs_vk_clear(&vk);
    cuzk_aggregate_srs_destroy(srs);
    free(proofs);
    free(x);
}

static void test_sectors(void **state) {
    (void)state;
    check_sector("porep-2KiB-v1_1.fixed", "aggregate-2.srs", "porep-2KiB-v1_1", AGGREGATE_V1);
    check_sector("porep-2KiB-v1_1.fixed", "aggregate-2.srs", "porep-2KiB-v1_1", AGGREGATE_V2);
    check_sector("porep-2KiB-ni.fixed", "aggregate-16.srs", "porep-2KiB-ni", AGGREGATE_V2);
}

static void test_cancelled(void **state) {
    (void)state;
    cuzk_cancel cancel = {true};
    cuzk_ctx cancelled = ctx;
    cancelled.cancel = &cancel;
    assert_int_equal(cuzk_aggregate_prove(&cancelled, &other, setting.srs, setting.proofs,
                                          MIMC_PROOFS, AGGREGATE_V2, include, 3, NULL),
                     CUZK_E_CANCELLED);
    assert_int_equal(cuzk_aggregate_verify(&cancelled, setting.srs, &setting.vk.vk, &proof,
                                           setting.images, 1, MIMC_PROOFS, AGGREGATE_V2, include, 3,
                                           NULL),
                     CUZK_E_CANCELLED);
}

int main(void) {
    known_answers *answers = known_answers_open("groth16-vectors.txt");
    mimc_setting_init(&setting, answers);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 2, NULL), CUZK_OK);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_vectors, answers),
        cmocka_unit_test(test_wrong_statement),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_every_value),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_cancelled),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cuzk_pool_destroy(ctx.pool);
    mimc_setting_clear(&setting);
    known_answers_close(answers);
    return failed;
}
